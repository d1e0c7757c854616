//! What the service means, free of HTTP, SQL and media.
//!
//! # Adding a generation kind
//!
//! 1. Add the kind to [`JobType`]; the compiler then asks for its name, its event and its default price.
//! 2. Write its request beside [`drone_footage`]: a struct that is payload and request at once, with a `from_body` that
//!    reads it through [`Fields`], so that every complaint names its field in the same words.
//! 3. Add the engine in `engines`, and an endpoint in `api` (its `router` says how).
pub mod api_key;
pub mod clock;
pub mod drone_footage;
pub mod error_code;
pub mod failure;
pub mod fields;
pub mod film;
pub mod ids;
pub mod image_enhance;
pub mod job;
pub mod job_type;
pub mod markup;
pub mod markup_steps;
pub mod markup_video;
pub mod organization;
pub mod plan;
pub mod price;
pub mod scope;
pub mod usage;
pub mod video_clip;
pub mod virtual_staging;

pub use api_key::{ApiKey, KeyHash};
pub use clock::{Clock, ManualClock, SystemClock};
pub use drone_footage::{Direction, DroneFootageRequest};
pub use error_code::ApiErrorCode;
pub use failure::{Failure, FailureCode};
pub use fields::{Fields, ValidationError};
pub use film::{AspectRatio, FilmOptions, Resolution};
pub use ids::{EventId, JobId, KeyId, OrgId, RequestId};
pub use image_enhance::{EnhancePreset, ImageEnhanceRequest, PhotoFormat};
pub use job::{Job, JobEvent, JobStatus, MAX_RUNS};
pub use job_type::JobType;
pub use markup::{AnnotateRequest, MarkupOptions, MarkupRequest, SelectRequest};
pub use markup_steps::{MarkupEffect, MarkupRefusal, MarkupStage, MarkupStep, variant_keys};
pub use markup_video::{MarkupVideoInput, MarkupVideoOptions, MarkupVideoRequest};
pub use organization::{KeyRecord, OrgChanges, Organization};
pub use plan::{Plans, RateLimits};
pub use price::Prices;
pub use scope::{Scope, Scopes};
pub use usage::{UsageEvent, UsageRange};
pub use video_clip::VideoClipRequest;
pub use virtual_staging::{KnownLength, StagingQuality, VirtualStagingRequest};
