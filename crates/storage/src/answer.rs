//! Requests that are to take effect once, however often they are sent.

use aerie_domain::JobId;
use serde_json::Value;

/// How long an answer is kept.
pub const KEPT_FOR: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);

/// What a client has marked with an `Idempotency-Key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Once {
    /// Method and path.
    pub route: String,
    /// The key that the client chose.
    pub key: String,
    /// SHA-256 of what was asked for.
    pub digest: [u8; 32],
}

/// What a request was answered with.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// It submitted this job.
    Submitted(JobId),
    /// Another success.
    Data {
        /// HTTP status.
        status: u16,
        /// The payload.
        data: Value,
    },
}

/// What is known of a request that has come before.
#[derive(Debug, Clone, PartialEq)]
pub enum Earlier {
    /// It was answered so.
    Answered(Answer),
    /// The key came with something else.
    OtherRequest,
}

/// Why a job is not taken on, though the store works.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The organization has submitted as many jobs this month as it may.
    QuotaUsedUp {
        /// So many.
        quota: u32,
    },
    /// The organization wants no duplicates, and this job is like the new one and has not ended.
    Duplicate(JobId),
    /// The request has been answered meanwhile.
    CameBefore(Earlier),
}
