//! What the service means, independent of HTTP, SQL and media: jobs and their states, kinds and their requests,
//! organizations, keys, prices, usage and error codes.
//!
//! To add a generation kind, start at [`kinds`].
//!
//! # Invariants
//!
//! - A terminal status never changes. Test: `every_transition_is_as_the_table_says`.
//! - Texts of requests and names have no control characters. `text.rs` has the rule. Test:
//!   `exactly_the_characters_of_the_documented_class_are_refused`.
//! - A key is not shown by `Debug`; only its SHA-256 is stored. Test: `a_key_is_not_shown_by_debug`.

pub mod api_key;
pub mod clock;
pub mod content_hash;
pub mod direction;
pub mod error_code;
pub mod event_message;
pub mod expiry;
pub mod failure;
pub mod fields;
pub mod film;
pub mod ids;
pub mod job;
pub mod job_input;
pub mod job_status;
pub mod kind;
pub mod kinds;
pub mod layers;
pub mod listing;
pub mod listing_media;
pub mod markup_job;
pub mod markup_steps;
pub mod operator_key;
pub mod organization;
pub mod photo;
pub mod picture_link;
pub mod plan;
pub mod price;
pub mod scope;
pub mod session_token;
pub mod share_link;
pub mod text;
pub mod truth_page_request;
pub mod usage;
pub mod webhook_requests;

pub use api_key::{ApiKey, KeyHash};
pub use clock::{Clock, ManualClock, SystemClock};
pub use content_hash::ContentHash;
pub use direction::Direction;
pub use error_code::ApiErrorCode;
pub use event_message::{EVENTS, JOB_EVENTS, REVIEW_EVENT, ReviewIds, event_message, job_data};
pub use failure::{AddressCandidate, AddressPosition, Failure, FailureCode};
pub use fields::{Fields, ValidationError};
pub use film::{AspectRatio, FilmOptions, Resolution};
pub use ids::{
    DeliveryId, EventId, JobId, KeyId, ListingId, OperatorKeyId, OrgId, RequestId, ReviewId, ShareLinkId, TruthPageId,
    UploadId, WebhookId,
};
pub use job::{Job, PREVIEW, is_preview};
pub use job_status::{JobEvent, JobStatus, MAX_RUNS};
pub use kind::{Kind, Medium, Speed};
pub use kinds::{BadInput, JobInput, JobType};
pub use listing::{Listing, ListingChanges, ListingPhoto, ListingRequest, PhotoId};
pub use listing_media::{GenerateRequest, PlanRefusal, PlannedJob};
pub use markup_job::{continue_markup, variant_keys};
pub use markup_steps::{MarkupEffect, MarkupRefusal, MarkupStage, MarkupStep};
pub use operator_key::{OperatorKey, OperatorKeyRecord};
pub use organization::{KeyRecord, OrgChanges, Organization};
pub use photo::PhotoFormat;
pub use picture_link::{PictureLink, UPLOAD};
pub use plan::{JobLimits, Plan, Plans, RateLimits, UploadPlan};
pub use price::Prices;
pub use scope::{Scope, Scopes};
pub use session_token::{SessionHash, SessionToken};
pub use share_link::{
    ApprovalRequest, CommentRequest, Decision, Review, ReviewContent, ShareLink, ShareLinkRequest, SharePermissions,
    ShareStatus, ShareToken, ShareTokenHash,
};
pub use text::{BadCharacter, Layout};
pub use truth_page_request::TruthPageRequest;
pub use usage::{UsageEvent, UsageRange};
pub use webhook_requests::{EventType, WebhookChange, WebhookRequest};
