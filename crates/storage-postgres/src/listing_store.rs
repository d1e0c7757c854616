//! Listings in the database, and the admission of all jobs of a listing at once.

use std::collections::BTreeSet;
use std::time::Duration;

use aerie_domain::{Job, JobType, Listing, ListingChanges, ListingId, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::listings::repeated;
use aerie_storage::{
    BatchRefusal, ListingBatch, ListingFilter, ListingJob, ListingPage, ListingRefusal, ListingStore, NewListing,
    RecordedAnswer, StoreError, SubmitRefusal,
};
use async_trait::async_trait;
use deadpool_postgres::Transaction;

use crate::admission::{Terms, active_like, no_room};
use crate::error::Result;
use crate::{PostgresStore, idempotency, in_transaction, jobs, leftovers, listings, quota, snapshot, with_client};

#[async_trait]
impl ListingStore for PostgresStore {
    async fn listing_create(&self, new: NewListing, limit: u32) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        in_transaction!(self, db => listings::create(db, &new, limit, self.time.given()))
    }

    async fn listing_get(&self, org_id: OrgId, id: ListingId) -> Result<Option<Listing>, StoreError> {
        with_client!(self, db => listings::get(db, org_id, id))
    }

    async fn listing_list(&self, filter: ListingFilter) -> Result<ListingPage, StoreError> {
        let mut client = self.client().await?;
        self.noting(async { listings::list(&snapshot(&mut client).await?, &filter).await }.await)
    }

    async fn listing_change(
        &self,
        org_id: OrgId,
        id: ListingId,
        changes: ListingChanges,
        keep: Duration,
    ) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => listings::change(db, (org_id, id), changes, times))
    }

    async fn listing_delete(&self, org_id: OrgId, id: ListingId, keep: Duration) -> Result<bool, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => listings::delete(db, (org_id, id), times))
    }

    async fn listing_jobs(&self, org_id: OrgId, id: ListingId, limit: u32) -> Result<Vec<ListingJob>, StoreError> {
        with_client!(self, db => listings::jobs(db, org_id, id, limit))
    }

    async fn listing_submit(&self, batch: ListingBatch) -> Result<Result<Vec<Job>, BatchRefusal>, StoreError> {
        let submitted = in_transaction!(self, db => submit(db, &batch, self.time.given()));
        if let Ok(Ok(jobs)) = &submitted {
            let kinds: BTreeSet<JobType> = jobs.iter().map(|job| job.job_type).collect();
            kinds.into_iter().for_each(|kind| self.announcer.announce(Some(kind)));
        }
        submitted
    }
}

/// Submits all jobs of a listing, or none.
async fn submit(
    db: &Transaction<'_>,
    batch: &ListingBatch,
    given: Option<i64>,
) -> Result<Result<Vec<Job>, BatchRefusal>> {
    let org_id = batch.org_id;
    let terms = Terms::locked(db, org_id, given).await?;
    if let Some(key) = &batch.idempotency_key
        && let Some(replay) = idempotency::find(db, org_id, key, Some(terms.now.as_millisecond())).await?
    {
        return Ok(Err(BatchRefusal::Refused(SubmitRefusal::Replay(replay))));
    }
    if listings::get(db, org_id, batch.listing_id).await?.is_none() {
        return Ok(Err(BatchRefusal::NotFound));
    }
    if terms.reject_duplicates {
        let mut duplicates = repeated(batch);
        for (at, (new, _)) in batch.jobs.iter().enumerate() {
            duplicates.extend(active_like(db, new).await?.map(|active| (at, active)));
        }
        if !duplicates.is_empty() {
            return Ok(Err(BatchRefusal::Duplicates(duplicates)));
        }
    }
    if let Some(refusal) = no_room(db, org_id, (batch.jobs.len(), batch.limits), &terms).await? {
        return Ok(Err(BatchRefusal::Refused(refusal)));
    }
    // In the order of kinds, in which claims lock the organization's counts, too; and all before the quota.
    let mut jobs: Vec<_> = batch.jobs.iter().collect();
    jobs.sort_by_key(|(new, _)| new.input.job_type().as_str());
    let mut inserted = Vec::with_capacity(jobs.len());
    for (new, photo_id) in jobs {
        inserted.push(jobs::insert(db, new, terms.now).await?);
        listings::add_job(db, batch.listing_id, new.id, photo_id.as_deref()).await?;
        if !new.input_media.is_empty() {
            leftovers::submitted(db, new.id).await?;
        }
    }
    quota::reserve(db, org_id, batch.jobs.len(), terms.now).await?;
    if let Some(key) = &batch.idempotency_key {
        let answer = RecordedAnswer::Data { status: 202, data: batch.answer.clone() };
        idempotency::record(db, org_id, key, &answer, terms.now).await?;
    }
    inserted.sort_by_key(|job| job.id);
    Ok(Ok(inserted))
}
