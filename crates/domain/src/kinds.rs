//! The registry of generation kinds.
//!
//! # Adding a kind
//!
//! A kind `porch_light` takes three new files and one line or two in four existing ones. The compiler reports whichever is
//! forgotten.
//!
//! 1. `domain/src/kinds/porch_light.rs` (new): the request, and `KIND`, which fills in a [`Kind`]. The request is also the
//!    job's payload; its `from_body` reads it through [`crate::Fields`], so that every error names its field in the same
//!    words. Copy the file of the kind that is most like it.
//! 2. `domain/src/kinds.rs` (this file): `mod` the file, and add a line to the table below. The API's route, its submit
//!    handler, the job view, the default price, the worker and the OpenAPI document follow from `KIND`. `domain/src/job_input.rs`: add
//!    it to what has an address, links to pictures, and labels.
//! 3. `engines/src/porch_light.rs` (new): `run(&PorchLightRequest, &EngineContext) -> Result<Produced, EngineError>`.
//!    `engines/src/lib.rs`: `mod` it, and add an arm to `run`. `engine-api/src/needs.rs`: an arm in `needs`, which says what the
//!    confined engine may use.
//! 4. `cli/src/generate/porch_light.rs` (new): the arguments of `aerie generate porch-light`, and how they become a request.
//!    `cli/src/generate.rs`: `mod` it, and add an arm to `command`.
//! 5. Run `UPDATE_SCHEMAS=1 cargo test -p aerie-api` and review the change in `schemas/openapi.json`; a test compares them.
//!    Add the kind to `README.md`, `docs/` and `CHANGELOG.md`. A price in `config.default.toml` is optional.

pub mod drone_footage;
pub mod image_enhance;
pub mod markup;
pub mod markup_video;
pub mod video_clip;
pub mod virtual_staging;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ValidationError;
use crate::kind::{Kind, Speed};

/// Declares the kinds: each one's variant of [`JobType`] and [`JobInput`], the module that defines it, whose name is the kind's name,
/// and its request.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $module:ident::$request:ident,)*) => {
        /// What a job makes; `job_type` in the API and in the store.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum JobType {
            $($(#[$doc])* $variant,)*
        }

        impl JobType {
            /// Every kind.
            pub const ALL: [JobType; [$(JobType::$variant),*].len()] = [$(JobType::$variant),*];

            /// The name in the API, in the store and in the configuration.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(JobType::$variant => stringify!($module),)*
                }
            }

            /// Everything else about the kind.
            #[must_use]
            pub const fn kind(self) -> &'static Kind {
                match self {
                    $(JobType::$variant => &$module::KIND,)*
                }
            }
        }

        /// The request of a job, whatever its kind: what it is from the router to the engine.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum JobInput {
            $($(#[$doc])* $variant($module::$request),)*
        }

        impl JobInput {
            /// Its kind.
            #[must_use]
            pub const fn job_type(&self) -> JobType {
                match self {
                    $(Self::$variant(_) => JobType::$variant,)*
                }
            }

            /// Reads the body of a request. Of a kind with a parent, what that gives is to be added.
            ///
            /// # Errors
            /// When a field is missing or invalid.
            pub fn from_body(job_type: JobType, body: &Value) -> Result<Self, ValidationError> {
                Ok(match job_type {
                    $(JobType::$variant => Self::$variant($module::$request::from_body(body)?),)*
                })
            }

            /// Reads the `input` of a stored job.
            ///
            /// # Errors
            /// When it is not a request of the kind.
            pub fn read(job_type: JobType, stored: &Value) -> Result<Self, BadInput> {
                Ok(match job_type {
                    $(JobType::$variant => Self::$variant(Deserialize::deserialize(stored)?),)*
                })
            }

            /// The `input` of its job: the known fields, without defaults. Members are sorted, so that equal requests are equal texts.
            #[must_use]
            pub fn to_stored(&self) -> Value {
                let stored = match self {
                    $(Self::$variant(request) => serde_json::to_value(request),)*
                };
                let mut stored = stored.expect("a request holds nothing but JSON values");
                stored.sort_all_objects();
                stored
            }
        }
    };
}

kinds! {
    /// Aerial footage of an address.
    DroneFootage = drone_footage::DroneFootageRequest,
    /// Enhancement of a photo.
    ImageEnhance = image_enhance::ImageEnhanceRequest,
    /// Furniture for the photo of an empty room.
    VirtualStaging = virtual_staging::VirtualStagingRequest,
    /// A clip from one photo, or a film from several.
    VideoClip = video_clip::VideoClipRequest,
    /// Top-down pictures of a property to mark its boundary on.
    Markup = markup::MarkupRequest,
    /// A flight that shows the marked boundary.
    MarkupVideo = markup_video::MarkupVideoInput,
}

/// A stored input that is not a request of its kind: another version has stored it, which knows other values.
#[derive(Debug, thiserror::Error)]
#[error("the stored input is not a request: {0}")]
pub struct BadInput(#[from] serde_json::Error);

impl JobType {
    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether a job takes seconds, and so must not wait behind a video.
    #[must_use]
    pub fn is_quick(self) -> bool {
        self.kind().speed == Speed::Quick
    }

    /// `event_type` of its usage events.
    #[must_use]
    pub const fn event_type(self) -> &'static str {
        self.kind().event_type
    }
}

impl std::fmt::Display for JobType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_the_same_in_json_and_read_back() {
        for kind in JobType::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(JobType::from_name(kind.as_str()), Some(kind));
        }
        assert_eq!(JobType::from_name("drone"), None);
    }

    #[test]
    fn paths_and_event_types_are_unique() {
        let unique = |of: fn(JobType) -> &'static str| JobType::ALL.map(of).into_iter().collect::<BTreeSet<_>>().len();
        assert_eq!(unique(|kind| kind.kind().endpoint.path), JobType::ALL.len());
        assert_eq!(unique(JobType::event_type), JobType::ALL.len());
    }

    #[test]
    fn a_kind_has_a_parent_exactly_where_its_path_names_a_job() {
        for kind in JobType::ALL {
            let spec = kind.kind();
            assert_eq!(spec.parent.is_some(), spec.endpoint.path.contains("{jobId}"), "{kind}");
            assert!(spec.parent.is_none_or(|parent| JobType::from_name(parent).is_some()), "{kind}");
        }
    }
}
