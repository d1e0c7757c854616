//! What the engine of each kind needs besides the files of its job.

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

impl Needs {
    /// Nothing.
    pub const NOTHING: Self = Self { maps: false, furniture: false, graphics: false, encoder: false };
}
