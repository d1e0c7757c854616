//! What the service means, independent of HTTP, SQL and media: jobs and their states, listings, organizations, keys, prices and usage.
//!
//! The kinds of jobs and their requests, which engines know, too, are in `engine-api`; what the types of this crate are made of is
//! exported here.
//!
//! # Invariants
//!
//! - A terminal status never changes. Test: `every_transition_is_as_the_table_says`.
//! - A key is not shown by `Debug`; only its SHA-256 is stored. Test: `a_key_is_not_shown_by_debug`.

pub mod api_key;
pub mod clock;
pub mod content_hash;
pub mod event_message;
pub mod expiry;
pub mod ids;
pub mod job;
pub mod job_status;
pub mod listing;
pub mod markup_job;
pub mod markup_steps;
pub mod operator_key;
pub mod organization;
pub mod plan;
pub mod price;
pub mod scope;
pub mod session_token;
pub mod share_link;
pub mod usage;

pub use aerie_engine_api::{
    BadCharacter, BadInput, Failure, FailureCode, Fields, JobInput, JobType, Layout, PictureLink, UPLOAD,
    ValidationError,
};
pub use api_key::{ApiKey, KeyHash};
pub use clock::{Clock, ManualClock, SystemClock};
pub use content_hash::ContentHash;
pub use event_message::{EVENTS, JOB_EVENTS, REVIEW_EVENT, ReviewIds, event_message, job_data};
pub use ids::{
    DeliveryId, EventId, JobId, KeyId, ListingId, OperatorKeyId, OrgId, RequestId, ReviewId, ShareLinkId, TruthPageId,
    UploadId, WebhookId,
};
pub use job::{Job, PREVIEW, is_preview};
pub use job_status::{JobEvent, JobStatus, MAX_RUNS};
pub use listing::{Listing, ListingChanges, ListingPhoto, ListingRequest, PhotoId};
pub use markup_job::{continue_markup, variant_keys};
pub use markup_steps::{MarkupEffect, MarkupRefusal, MarkupStage, MarkupStep};
pub use operator_key::{OperatorKey, OperatorKeyRecord};
pub use organization::{KeyRecord, OrgChanges, Organization};
pub use plan::{JobLimits, Plan, Plans, RateLimits, UploadPlan};
pub use price::Prices;
pub use scope::{Scope, Scopes};
pub use session_token::{SessionHash, SessionToken};
pub use share_link::{
    Decision, Review, ReviewContent, ShareLink, SharePermissions, ShareStatus, ShareToken, ShareTokenHash,
};
pub use usage::{UsageEvent, UsageRange};
