//! Idempotency keys: a repeated request takes effect once and gets the first answer again.

use std::time::Duration;

use aerie_domain::{JobId, OrgId};
use async_trait::async_trait;
use serde_json::Value;

use crate::StoreError;

/// How long an answer is kept.
pub const ANSWER_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Keeps answers under idempotency keys. Every method is atomic and durable when it returns.
#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// What was recorded under the key within [`ANSWER_LIFETIME`].
    async fn answer_find(&self, org_id: OrgId, key: &IdempotencyKey) -> Result<Option<Replay>, StoreError>;

    /// Records the answer to a request that submitted no job, unless one is recorded. A submitted job records its own:
    /// see [`NewJob::idempotency_key`](crate::NewJob::idempotency_key).
    async fn answer_record(
        &self,
        org_id: OrgId,
        key: &IdempotencyKey,
        answer: RecordedAnswer,
    ) -> Result<(), StoreError>;
}

/// An `Idempotency-Key` and the request that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Method and path.
    pub route: String,
    /// The key that the client chose.
    pub key: String,
    /// SHA-256 of the request body.
    pub digest: [u8; 32],
}

/// The recorded answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordedAnswer {
    /// The request submitted this job.
    Submitted(JobId),
    /// Any other success.
    Data {
        /// HTTP status.
        status: u16,
        /// The payload.
        data: Value,
    },
}

/// What is known about a key that was used before.
#[derive(Debug, Clone, PartialEq)]
pub enum Replay {
    /// The same request; this was its answer.
    Answered(RecordedAnswer),
    /// The key belongs to a request with another body.
    BodyMismatch,
}
