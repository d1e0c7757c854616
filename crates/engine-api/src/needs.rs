//! What the engine of each kind needs besides the files of its job.

use aerie_domain::JobType;

/// What an engine needs besides the files of its job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// Map data in the data folder or a published pack, and online sources.
    pub maps: bool,
    /// The operator's own furniture.
    pub furniture: bool,
    /// The graphics device.
    pub graphics: bool,
    /// The encoder.
    pub encoder: bool,
}

/// What the engine of a kind needs; it gets nothing else.
#[must_use]
pub const fn needs(job_type: JobType) -> Needs {
    const NOTHING: Needs = Needs { maps: false, furniture: false, graphics: false, encoder: false };
    match job_type {
        JobType::DroneFootage | JobType::MarkupVideo => Needs { maps: true, graphics: true, encoder: true, ..NOTHING },
        JobType::ImageEnhance => NOTHING,
        JobType::Markup => Needs { maps: true, graphics: true, ..NOTHING },
        JobType::VideoClip => Needs { graphics: true, encoder: true, ..NOTHING },
        JobType::VirtualStaging => Needs { furniture: true, ..NOTHING },
    }
}
