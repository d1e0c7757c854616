//! Listings: properties with their photos, and the jobs that make media for them.
//!
//! An upload that a listing names does not expire: its `expires_at` is [`NEVER`](crate::uploads::NEVER) until no listing names it any more.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use aerie_domain::{
    Job, JobId, JobLimits, JobStatus, JobType, Listing, ListingChanges, ListingId, ListingPhoto, ListingRequest, OrgId,
    UploadId,
};
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;

use crate::{IdempotencyKey, NewJob, StoreError, SubmitRefusal};

/// Keeps listings. Every method is atomic and durable when it returns. No method shows or changes another organization's listing.
#[async_trait]
pub trait ListingStore: Send + Sync {
    /// Adds a listing, unless the organization has `limit` listings.
    async fn listing_create(&self, new: NewListing, limit: u32) -> Result<Result<Listing, ListingRefusal>, StoreError>;

    /// The listing with this id.
    async fn listing_get(&self, org_id: OrgId, id: ListingId) -> Result<Option<Listing>, StoreError>;

    /// A page of listings and their total number, from one snapshot.
    async fn listing_list(&self, filter: ListingFilter) -> Result<ListingPage, StoreError>;

    /// Replaces members of a listing. Uploads that no listing names any more expire after `keep`.
    async fn listing_change(
        &self,
        org_id: OrgId,
        id: ListingId,
        changes: ListingChanges,
        keep: Duration,
    ) -> Result<Result<Listing, ListingRefusal>, StoreError>;

    /// Removes a listing, but not its jobs; `false` when there is none. Uploads that no listing names any more expire after `keep`.
    async fn listing_delete(&self, org_id: OrgId, id: ListingId, keep: Duration) -> Result<bool, StoreError>;

    /// Jobs of a listing, newest first, `limit` at most. Jobs that were deleted are not among them.
    async fn listing_jobs(&self, org_id: OrgId, id: ListingId, limit: u32) -> Result<Vec<ListingJob>, StoreError>;

    /// Inserts the jobs of a request as [`JobQueue::job_submit`](crate::JobQueue::job_submit) does, records which listing and photos
    /// they belong to, and the answer under the idempotency key, all in one transaction; or refuses all.
    async fn listing_submit(&self, batch: ListingBatch) -> Result<Result<Vec<Job>, BatchRefusal>, StoreError>;
}

/// A listing to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewListing {
    /// Its id.
    pub id: ListingId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// What it is. Each photo has an `id`.
    pub request: ListingRequest,
}

impl NewListing {
    /// The listing, as it is added.
    #[must_use]
    pub fn listing(&self, now: Timestamp) -> Listing {
        let ListingRequest { reference, address, style_prompt, photos } = self.request.clone();
        let (id, org_id) = (self.id, self.org_id);
        Listing { id, org_id, reference, address, style_prompt, photos, created_at: now, updated_at: now }
    }
}

/// Replaces the members that `changes` names.
pub fn change(listing: &mut Listing, changes: ListingChanges, now: Timestamp) {
    listing.reference = changes.reference.unwrap_or_else(|| listing.reference.take());
    listing.address = changes.address.unwrap_or_else(|| listing.address.take());
    listing.style_prompt = changes.style_prompt.unwrap_or_else(|| listing.style_prompt.take());
    listing.photos = changes.photos.unwrap_or_else(|| std::mem::take(&mut listing.photos));
    listing.updated_at = now;
}

/// The uploads that photos are.
#[must_use]
pub fn uploads_of(photos: &[ListingPhoto]) -> BTreeSet<UploadId> {
    photos.iter().filter_map(ListingPhoto::upload).collect()
}

/// Selects listings to list.
#[derive(Debug, Clone)]
pub struct ListingFilter {
    /// The organization.
    pub org_id: OrgId,
    /// The one with this reference; `None` for all.
    pub reference: Option<String>,
    /// Maximum number of rows.
    pub limit: u32,
    /// Number of rows to skip.
    pub offset: u64,
}

/// A page of listings, newest first (`created_at`, then `id`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingPage {
    /// The listings.
    pub listings: Vec<ListingSummary>,
    /// Number of listings that match the filter, from the same snapshot.
    pub total: u64,
}

/// A listing in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingSummary {
    /// Its id.
    pub id: ListingId,
    /// The client's own identifier.
    pub reference: Option<String>,
    /// Address of the property.
    pub address: Option<String>,
    /// Number of its photos.
    pub photos: u32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A job of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingJob {
    /// The job.
    pub job_id: JobId,
    /// Its kind.
    pub job_type: JobType,
    /// The photo that it is made from.
    pub photo_id: Option<String>,
    /// Its status.
    pub status: JobStatus,
    /// When it was submitted.
    pub created_at: Timestamp,
}

/// Why a listing is not added or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingRefusal {
    /// There is none with this id.
    NotFound,
    /// Another listing of the organization has the reference.
    Reference(ListingId),
    /// Photos are uploads that the organization does not have, or that are not complete.
    Uploads(Vec<UploadId>),
    /// The organization has as many listings as it may.
    TooMany {
        /// The limit.
        limit: u32,
    },
}

/// Jobs of a listing to be submitted together.
#[derive(Debug, Clone)]
pub struct ListingBatch {
    /// The organization that submits them.
    pub org_id: OrgId,
    /// The listing.
    pub listing_id: ListingId,
    /// The jobs, which have no idempotency keys of their own, and the photos that they are made from.
    pub jobs: Vec<(NewJob, Option<String>)>,
    /// Limits of the organization's plan.
    pub limits: JobLimits,
    /// The request's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Payload of the answer, with the status 202.
    pub answer: Value,
}

/// Why jobs of a listing are refused although the store works.
#[derive(Debug, Clone, PartialEq)]
pub enum BatchRefusal {
    /// The listing was deleted.
    NotFound,
    /// As for one job: the key was used before, or a limit has no room for all of the jobs.
    Refused(SubmitRefusal),
    /// The organization rejects duplicates, and active jobs have the same input as these, by their places among the jobs.
    Duplicates(Vec<(usize, JobId)>),
}

/// Jobs of a batch that equal an earlier one of it: their places, and the earlier job.
#[must_use]
pub fn repeated(batch: &ListingBatch) -> Vec<(usize, JobId)> {
    let mut known = HashMap::new();
    let jobs = batch.jobs.iter().enumerate();
    jobs.filter_map(|(at, (job, _))| {
        let earlier = *known.entry((job.input.job_type(), job.input.to_stored().to_string())).or_insert(job.id);
        (earlier != job.id).then_some((at, earlier))
    })
    .collect()
}
