//! Listings in the database, and the admission of all jobs of a listing at once.

use std::time::Duration;

use aerie_domain::{Job, Listing, ListingChanges, ListingId, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::listings::repeated;
use aerie_storage::{
    BatchRefusal, ListingBatch, ListingFilter, ListingJob, ListingPage, ListingRefusal, ListingStore, NewListing,
    RecordedAnswer, StoreError, SubmitRefusal,
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::Connection;

use crate::admission::{active_like, no_room, terms};
use crate::error::Result;
use crate::{SqliteStore, idempotency, jobs, leftovers, listings, quota};

#[async_trait]
impl ListingStore for SqliteStore {
    async fn listing_create(&self, new: NewListing, limit: u32) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| listings::create(db, &new, limit, now)).await
    }

    async fn listing_get(&self, org_id: OrgId, id: ListingId) -> Result<Option<Listing>, StoreError> {
        self.readers.look_up(move |db| listings::get(db, org_id, id)).await
    }

    async fn listing_list(&self, filter: ListingFilter) -> Result<ListingPage, StoreError> {
        self.readers.read(move |db| listings::list(db, &filter)).await
    }

    async fn listing_change(
        &self,
        org_id: OrgId,
        id: ListingId,
        changes: ListingChanges,
        keep: Duration,
    ) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        let times = (self.clock.now(), milliseconds(keep));
        self.writer.write(move |db| listings::change(db, org_id, id, changes, times)).await
    }

    async fn listing_delete(&self, org_id: OrgId, id: ListingId, keep: Duration) -> Result<bool, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| listings::delete(db, org_id, id, times)).await
    }

    async fn listing_jobs(&self, org_id: OrgId, id: ListingId, limit: u32) -> Result<Vec<ListingJob>, StoreError> {
        self.readers.read(move |db| listings::jobs(db, org_id, id, limit)).await
    }

    async fn listing_submit(&self, batch: ListingBatch) -> Result<Result<Vec<Job>, BatchRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| submit(db, &batch, now)).await
    }
}

/// Submits all jobs of a listing, or none.
fn submit(db: &Connection, batch: &ListingBatch, now: Timestamp) -> Result<Result<Vec<Job>, BatchRefusal>> {
    let org_id = batch.org_id;
    if let Some(key) = &batch.idempotency_key
        && let Some(replay) = idempotency::find(db, org_id, key, now)?
    {
        return Ok(Err(BatchRefusal::Refused(SubmitRefusal::Replay(replay))));
    }
    if listings::get(db, org_id, batch.listing_id)?.is_none() {
        return Ok(Err(BatchRefusal::NotFound));
    }
    let (quota, reject_duplicates) = terms(db, org_id)?;
    if reject_duplicates {
        let mut duplicates = repeated(batch);
        for (at, (new, _)) in batch.jobs.iter().enumerate() {
            duplicates.extend(active_like(db, new)?.map(|active| (at, active)));
        }
        if !duplicates.is_empty() {
            return Ok(Err(BatchRefusal::Duplicates(duplicates)));
        }
    }
    if let Some(refusal) = no_room(db, org_id, (batch.jobs.len(), quota, batch.limits), now)? {
        return Ok(Err(BatchRefusal::Refused(refusal)));
    }
    let mut inserted = Vec::with_capacity(batch.jobs.len());
    for (new, photo_id) in &batch.jobs {
        inserted.push(jobs::insert(db, new, now)?);
        listings::add_job(db, batch.listing_id, new.id, photo_id.as_deref())?;
        if !new.input_media.is_empty() {
            leftovers::submitted(db, new.id)?;
        }
    }
    quota::reserve(db, org_id, batch.jobs.len(), now)?;
    if let Some(key) = &batch.idempotency_key {
        let answer = RecordedAnswer::Data { status: 202, data: batch.answer.clone() };
        idempotency::record(db, org_id, key, &answer, now)?;
    }
    Ok(Ok(inserted))
}
