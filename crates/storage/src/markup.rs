//! The steps of a markup that its owner takes.

use aerie_domain::{Job, JobId, OrgId};
use async_trait::async_trait;
use serde_json::Value;

use crate::{JobOutput, StoreError};

/// Takes the owner's steps of a markup. Every method is atomic and durable when it returns.
#[async_trait]
pub trait MarkupStore: Send + Sync {
    /// Selects one of a markup's variants and returns the updated job. `None` when the organization has no such markup,
    /// [`StoreError::MarkupRefused`] when the step is not allowed now.
    async fn markup_select(&self, org_id: OrgId, id: JobId, orientation: &str) -> Result<Option<Job>, StoreError>;

    /// Completes a markup with its annotation and returns the updated job; repeating the same annotation changes nothing.
    /// `None` and errors as in [`MarkupStore::markup_select`].
    async fn markup_annotate(
        &self,
        org_id: OrgId,
        id: JobId,
        annotation: Annotation,
    ) -> Result<Option<Job>, StoreError>;
}

/// The annotation of a markup, with its pictures stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The request body, known fields only. The same body again gets the first answer.
    pub body: Value,
    /// Fields that it adds to the output, and the media that they link to.
    pub output: JobOutput,
}
