//! The kinds of job.

use serde::{Deserialize, Serialize};

/// What a job makes; told as `job_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobType {
    /// Aerial footage of an address.
    DroneFootage,
    /// Enhancement of a photo.
    ImageEnhance,
    /// Furnishing of an empty room.
    VirtualStaging,
    /// A clip out of one photo.
    VideoClip,
    /// Boundary markup on top-down pictures.
    Markup,
    /// A flight with the marked boundary.
    MarkupVideo,
}

impl JobType {
    /// Every kind.
    pub const ALL: [JobType; 6] = [
        JobType::DroneFootage,
        JobType::ImageEnhance,
        JobType::VirtualStaging,
        JobType::VideoClip,
        JobType::Markup,
        JobType::MarkupVideo,
    ];

    /// The name in the contract and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            JobType::DroneFootage => "drone_footage",
            JobType::ImageEnhance => "image_enhance",
            JobType::VirtualStaging => "virtual_staging",
            JobType::VideoClip => "video_clip",
            JobType::Markup => "markup",
            JobType::MarkupVideo => "markup_video",
        }
    }

    /// Whether it makes one still out of another, in seconds: such a job is not to wait behind a film.
    #[must_use]
    pub const fn is_quick(self) -> bool {
        matches!(self, JobType::ImageEnhance | JobType::VirtualStaging)
    }

    /// The `event_type` under which it is billed.
    #[must_use]
    pub const fn event_type(self) -> &'static str {
        match self {
            JobType::DroneFootage => "drone_footage.generate",
            JobType::ImageEnhance => "image_enhance.generate",
            JobType::VirtualStaging => "virtual_staging.generate",
            JobType::VideoClip => "video_clip.generate",
            JobType::Markup => "markup.generate",
            JobType::MarkupVideo => "markup.video",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl std::fmt::Display for JobType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_in_json_and_read_back() {
        for kind in JobType::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(JobType::from_name(kind.as_str()), Some(kind));
        }
        assert_eq!(JobType::from_name("drone"), None);
    }
}
