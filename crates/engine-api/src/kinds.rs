//! The registry of generation kinds.
//!
//! # Adding a kind
//!
//! A kind `porch_light` takes three new files and one line or two in four existing ones. The compiler reports whichever is
//! forgotten.
//!
//! 1. `engine-api/src/kinds/porch_light.rs` (new): the request, and `KIND`, which fills in a [`Kind`]. The request is also the
//!    job's payload; its `from_body` reads it through [`crate::Fields`], so that every error names its field in the same
//!    words. `impl JobRequest` says whether it has an address, links to pictures, or a label. Copy the file of the kind that is most
//!    like it.
//! 2. `engine-api/src/kinds.rs` (this file): `mod` the file, and add a line to the table below. The API's route, its submit
//!    handler, the job view, the default price, the worker and the OpenAPI document follow from `KIND`.
//! 3. `engines/src/porch_light.rs` (new): `run(&PorchLightRequest, &EngineContext) -> Result<Produced, EngineError>`.
//!    `engines/src/lib.rs`: `mod` it, and add an arm to `run`.
//! 4. `cli/src/generate/porch_light.rs` (new): the arguments of `aerie generate porch-light`, and how they become a request.
//!    `cli/src/generate.rs`: `mod` it, and add an arm to `command`.
//! 5. `credentials/src/job.rs`: in `statement`, what its Content Credentials say.
//! 6. Run `UPDATE_SCHEMAS=1 cargo test -p aerie-api` and review the change in `schemas/openapi.json`; a test compares them.
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
use crate::kind::{JobRequest, Kind, Speed};

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

            /// Its request.
            #[must_use]
            pub fn request(&self) -> &dyn JobRequest {
                match self {
                    $(Self::$variant(request) => request,)*
                }
            }

            /// Its request, to change it.
            pub fn request_mut(&mut self) -> &mut dyn JobRequest {
                match self {
                    $(Self::$variant(request) => request,)*
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

    use serde_json::json;

    use super::*;
    use crate::kind::Labels;

    #[test]
    fn names_are_the_same_in_json_and_read_back() {
        for kind in JobType::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(JobType::from_name(kind.as_str()), Some(kind));
        }
        assert_eq!(JobType::from_name("drone"), None);
    }

    #[cfg(feature = "openapi")]
    #[test]
    fn paths_and_event_types_are_unique() {
        let unique = |of: fn(JobType) -> &'static str| JobType::ALL.map(of).into_iter().collect::<BTreeSet<_>>().len();
        assert_eq!(unique(|kind| kind.kind().endpoint.path), JobType::ALL.len());
        assert_eq!(unique(JobType::event_type), JobType::ALL.len());
    }

    #[cfg(feature = "openapi")]
    #[test]
    fn a_kind_has_a_parent_exactly_where_its_path_names_a_job() {
        for kind in JobType::ALL {
            let spec = kind.kind();
            assert_eq!(spec.parent.is_some(), spec.endpoint.path.contains("{jobId}"), "{kind}");
            assert!(spec.parent.is_none_or(|parent| JobType::from_name(parent).is_some()), "{kind}");
        }
    }

    fn read(kind: JobType, body: &Value) -> JobInput {
        JobInput::from_body(kind, body).unwrap()
    }

    fn labels(if_altered: Option<&str>) -> Labels {
        let own = |text: &str| text.to_owned();
        Labels { profile: own("strict"), if_staged: Some(own("Staged")), if_altered: if_altered.map(own) }
    }

    /// Requests of each kind, together with every known field, and the texts that are stored for them.
    fn examples() -> Vec<(JobInput, &'static str)> {
        let photo = "https://example.com/b.jpg?x=1";
        let mut preview = read(JobType::DroneFootage, &json!({"address": "1 Main St", "options": null, "preview": 1}));
        preview.request_mut().make_preview();
        let mut followed = read(JobType::ImageEnhance, &json!({"image_url": photo}));
        followed.request_mut().follow_profile(labels(Some("Altered")));
        let mut staged = read(JobType::VirtualStaging, &json!({"room_type": "kitchen", "image_url": photo}));
        staged.request_mut().follow_profile(labels(Some("Altered")));
        let mut clip = read(JobType::VideoClip, &json!({"image_url": photo, "options": {}}));
        clip.request_mut().follow_profile(labels(Some("Altered")));
        let mut labeled = read(JobType::VideoClip, &json!({"image_url": photo, "options": {"label": "Own"}}));
        labeled.request_mut().follow_profile(labels(None));
        vec![
            (
                read(
                    JobType::DroneFootage,
                    &json!({"options": {
                        "resolution": "720p", "label": false, "highlight": true, "duration": 8.0, "direction": "south",
                        "aspect_ratio": "9:16", "other": 1,
                    }, "address": " é \"1\" ", "other": {}}),
                ),
                r#"{"address":" é \"1\" ","options":{"aspect_ratio":"9:16","direction":"south","duration":8,"highlight":true,"label":false,"resolution":"720p"}}"#,
            ),
            (preview, r#"{"address":"1 Main St","preview":true}"#),
            (
                read(
                    JobType::ImageEnhance,
                    &json!({"options": {
                        "prompt": "warm\nand bright", "preset": "blue_sky", "mls": false, "max_size": 64, "listing_id": "l",
                        "label": "Own", "format": "png", "exposures": ["b", "a"], "disclosure_profile": "none",
                    }, "image_url": photo}),
                ),
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"none","exposures":["b","a"],"format":"png","label":"Own","listing_id":"l","max_size":64,"mls":false,"preset":"blue_sky","prompt":"warm\nand bright"}}"#,
            ),
            (
                followed,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label_if_altered":"Altered"}}"#,
            ),
            (
                read(
                    JobType::VirtualStaging,
                    &json!({"room_type": "bedroom", "image_url": photo, "options": {
                        "style_prompt": "light oak", "seed": 4_294_967_295_i64, "room_id": "r", "room_is_empty": true,
                        "quality": "draft", "mls": true, "known_length": {"to": [3, 4.5], "meters": 2, "from": [0.1, 2]},
                        "floor_polygon": [[1, 2], [3, 4], [0.1, 1e3]], "first_view_url": "f", "label": "Own",
                        "format": "webp", "disclosure_profile": "none", "arrangement": [{
                            "turn": 90, "position": [0.1, 2, 3], "piece": "rug", "elevation": 0,
                            "colors": {"wood": "#C8a070", "metal": "#000000"},
                        }],
                    }}),
                ),
                r##"{"image_url":"https://example.com/b.jpg?x=1","options":{"arrangement":[{"colors":{"metal":"#000000","wood":"#c8a070"},"elevation":0.0,"piece":"rug","position":[0.1,2.0,3.0],"turn":90.0}],"disclosure_profile":"none","first_view_url":"f","floor_polygon":[[1.0,2.0],[3.0,4.0],[0.1,1000.0]],"format":"webp","known_length":{"from":[0.1,2.0],"meters":2.0,"to":[3.0,4.5]},"label":"Own","mls":true,"quality":"draft","room_id":"r","room_is_empty":true,"seed":4294967295,"style_prompt":"light oak"},"room_type":"bedroom"}"##,
            ),
            (
                read(
                    JobType::VirtualStaging,
                    &json!({"room_type": "bedroom", "image_url": photo, "options": {
                        "variations": 3, "room_corners": [[0, 500], [300, 400.5]],
                    }}),
                ),
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"room_corners":[[0.0,500.0],[300.0,400.5]],"variations":3},"room_type":"bedroom"}"#,
            ),
            (
                staged,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label":"Staged"},"room_type":"kitchen"}"#,
            ),
            (
                read(
                    JobType::VideoClip,
                    &json!({"image_url": "a", "options": {
                        "resolution": "2160p", "prompt": "orbit", "photos": [{"image_url": "b", "caption": "Hall"}, {"image_url": "c"}],
                        "label": "Own", "grade": "warm", "frame_mode": "last", "duration": 15, "creativity_level": "high",
                        "caption": "Bath", "aspect_ratio": "1:1", "disclosure_profile": "none",
                    }}),
                ),
                r#"{"image_url":"a","options":{"aspect_ratio":"1:1","caption":"Bath","creativity_level":"high","disclosure_profile":"none","duration":15,"frame_mode":"last","grade":"warm","label":"Own","photos":[{"caption":"Hall","image_url":"b"},{"image_url":"c"}],"prompt":"orbit","resolution":"2160p"}}"#,
            ),
            (
                clip,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label_if_altered":"Altered","label_if_staged":"Staged"}}"#,
            ),
            (
                labeled,
                r#"{"image_url":"https://example.com/b.jpg?x=1","options":{"disclosure_profile":"strict","label":"Own"}}"#,
            ),
            (
                read(
                    JobType::Markup,
                    &json!({"options": {"z": {"b": [null, 2.50], "a": 1}, "scale_bar": true, "north_arrow": null}, "address": "a"}),
                ),
                r#"{"address":"a","options":{"north_arrow":null,"scale_bar":true,"z":{"a":1,"b":[null,2.5]}}}"#,
            ),
            (
                read(JobType::MarkupVideo, &json!({"options": {"labels": false, "color": "#FFD400", "b": {}}})),
                r##"{"address":"","options":{"b":{},"color":"#FFD400","labels":false}}"##,
            ),
        ]
    }

    #[test]
    fn what_is_stored_is_sorted_and_reads_as_the_same_request() {
        for (input, stored) in examples() {
            let kind = input.job_type();
            assert_eq!(input.to_stored().to_string(), stored, "{kind}");
            let read = JobInput::read(kind, &serde_json::from_str(stored).unwrap()).unwrap();
            assert_eq!((read.to_stored().to_string(), read), (stored.to_owned(), input), "{kind}");
        }
        for kind in JobType::ALL {
            assert!(examples().iter().any(|(input, _)| input.job_type() == kind), "{kind}");
        }
    }

    #[test]
    fn a_photo_and_a_markup_name_their_listing() {
        let body = json!({"image_url": "u", "room_type": "kitchen", "address": "1", "options": {"listing_id": "l"}});
        let named = JobType::ALL.into_iter().filter(|kind| read(*kind, &body).request().listing_id() == Some("l"));
        assert!(named.eq([JobType::ImageEnhance, JobType::Markup, JobType::MarkupVideo]));
    }

    #[test]
    fn a_request_is_sent_to_the_engine_under_the_name_of_its_kind() {
        for (input, _) in examples() {
            let sent = serde_json::to_string(&input).unwrap();
            assert!(sent.starts_with(&format!("{{\"{}\":", input.job_type())), "{sent}");
            assert_eq!(serde_json::from_str::<JobInput>(&sent).unwrap(), input);
        }
    }

    #[test]
    fn an_input_with_a_value_that_another_version_knows_is_refused_with_the_reason() {
        let stored = json!({"image_url": "u", "options": {"preset": "twilight"}});
        let error = JobInput::read(JobType::ImageEnhance, &stored).unwrap_err().to_string();
        assert!(error.starts_with("the stored input is not a request: unknown variant `twilight`"), "{error}");
    }
}
