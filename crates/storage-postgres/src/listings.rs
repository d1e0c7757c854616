//! Listings, their jobs, which are admitted together, and the uploads that they keep.

use std::collections::BTreeSet;
use std::time::Duration;

use aerie_domain::{Job, JobId, JobStatus, JobType, Listing, ListingChanges, ListingId, OrgId, UploadId};
use aerie_storage::backend::milliseconds;
use aerie_storage::listings::{change as changed, repeated, uploads_of};
use aerie_storage::uploads::NEVER;
use aerie_storage::{
    BatchRefusal, ListingBatch, ListingFilter, ListingJob, ListingPage, ListingRefusal, ListingStore, ListingSummary,
    NewListing, RecordedAnswer, StoreError, SubmitRefusal,
};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::admission::{Terms, active_like, lock, no_room};
use crate::error::Result;
use crate::pool::{execute, row, rows};
use crate::rows::{json, named, number, time};
use crate::{PostgresStore, idempotency, in_transaction, job_rows, leftovers, quota, snapshot, with_client};

#[async_trait]
impl ListingStore for PostgresStore {
    async fn listing_create(&self, new: NewListing, limit: u32) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        in_transaction!(self, db => create(db, &new, limit, self.time.given()))
    }

    async fn listing_get(&self, org_id: OrgId, id: ListingId) -> Result<Option<Listing>, StoreError> {
        with_client!(self, db => get(db, org_id, id))
    }

    async fn listing_list(&self, filter: ListingFilter) -> Result<ListingPage, StoreError> {
        let mut client = self.client().await?;
        self.noting(async { list(&snapshot(&mut client).await?, &filter).await }.await)
    }

    async fn listing_change(
        &self,
        org_id: OrgId,
        id: ListingId,
        changes: ListingChanges,
        keep: Duration,
    ) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => change(db, (org_id, id), changes, times))
    }

    async fn listing_delete(&self, org_id: OrgId, id: ListingId, keep: Duration) -> Result<bool, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => delete(db, (org_id, id), times))
    }

    async fn listing_jobs(&self, org_id: OrgId, id: ListingId, limit: u32) -> Result<Vec<ListingJob>, StoreError> {
        with_client!(self, db => jobs(db, org_id, id, limit))
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

const COLUMNS: &str = "id, org_id, reference, address, style_prompt, photos, created_at, updated_at";

async fn create(
    db: &Transaction<'_>,
    new: &NewListing,
    limit: u32,
    given: Option<i64>,
) -> Result<Result<Listing, ListingRefusal>> {
    let now = time(&lock(db, new.org_id, given).await?, 2)?;
    let count = row(db, "SELECT count(*) FROM listings WHERE org_id = $1", &[&new.org_id.0]).await?;
    if count.map_or(Ok(0), |row| number::<u32>(&row, 0))? >= limit {
        return Ok(Err(ListingRefusal::TooMany { limit }));
    }
    let listing = new.listing(now);
    if let Some(refusal) = check(db, &listing, &uploads_of(&listing.photos), now.as_millisecond()).await? {
        return Ok(Err(refusal));
    }
    let statement = "INSERT INTO listings (id, org_id, photos, photo_count, created_at, updated_at)
                     VALUES ($1, $2, '[]', 0, $3, $3)";
    execute(db, statement, &[&listing.id.0, &listing.org_id.0, &now.as_millisecond()]).await?;
    write(db, &listing).await?;
    keep_uploads(db, &listing).await?;
    Ok(Ok(listing))
}

/// Why the listing cannot be as it is; `added`: uploads that it names now. Their rows are locked, so that none expires meanwhile.
async fn check(
    db: &Transaction<'_>,
    listing: &Listing,
    added: &BTreeSet<UploadId>,
    now: i64,
) -> Result<Option<ListingRefusal>> {
    let statement = "SELECT id FROM listings WHERE org_id = $1 AND reference = $2 AND id <> $3";
    if let Some(other) = row(db, statement, &[&listing.org_id.0, &listing.reference, &listing.id.0]).await? {
        return Ok(Some(ListingRefusal::Reference(ListingId(other.try_get(0)?))));
    }
    let statement = "SELECT id FROM uploads
                     WHERE id = ANY ($1::uuid[]) AND org_id = $2 AND expires_at > $3 AND sha256 IS NOT NULL
                     ORDER BY id FOR UPDATE";
    let known = rows(db, statement, &[&uuids(added), &listing.org_id.0, &now]).await?;
    let known = known.iter().map(|row| Ok(UploadId(row.try_get(0)?))).collect::<Result<BTreeSet<_>>>()?;
    let unknown: Vec<UploadId> = added.difference(&known).copied().collect();
    Ok(if unknown.is_empty() { None } else { Some(ListingRefusal::Uploads(unknown)) })
}

fn uuids(uploads: &BTreeSet<UploadId>) -> Vec<Uuid> {
    uploads.iter().map(|upload| upload.0).collect()
}

/// Writes the members of a listing that has its row.
async fn write(db: &Transaction<'_>, listing: &Listing) -> Result<()> {
    let statement =
        "UPDATE listings SET reference = $2, address = $3, style_prompt = $4, photos = $5, photo_count = $6,
                         updated_at = $7
                     WHERE id = $1";
    let count = i64::try_from(listing.photos.len()).unwrap_or(i64::MAX);
    let (photos, updated_at) = (serde_json::to_string(&listing.photos)?, listing.updated_at.as_millisecond());
    let members = [&listing.reference, &listing.address, &listing.style_prompt];
    execute(db, statement, &[&listing.id.0, members[0], members[1], members[2], &photos, &count, &updated_at]).await?;
    Ok(())
}

/// Keeps the uploads that the listing names from expiring.
async fn keep_uploads(db: &Transaction<'_>, listing: &Listing) -> Result<()> {
    let uploads = uuids(&uploads_of(&listing.photos));
    let statement = "INSERT INTO listing_uploads (upload_id, listing_id) SELECT unnest($1::uuid[]), $2::uuid
                     ON CONFLICT DO NOTHING";
    execute(db, statement, &[&uploads, &listing.id.0]).await?;
    execute(db, "UPDATE uploads SET expires_at = $2 WHERE id = ANY ($1::uuid[])", &[&uploads, &NEVER]).await?;
    Ok(())
}

/// Lets uploads that the listing named expire, unless others name them.
async fn release_uploads(
    db: &Transaction<'_>,
    id: ListingId,
    released: &BTreeSet<UploadId>,
    expires_at: i64,
) -> Result<()> {
    let uploads = uuids(released);
    let statement = "DELETE FROM listing_uploads WHERE upload_id = ANY ($1::uuid[]) AND listing_id = $2";
    execute(db, statement, &[&uploads, &id.0]).await?;
    let statement = "UPDATE uploads SET expires_at = $2 WHERE id = ANY ($1::uuid[])
                         AND NOT EXISTS (SELECT FROM listing_uploads WHERE upload_id = uploads.id)";
    execute(db, statement, &[&uploads, &expires_at]).await?;
    Ok(())
}

pub(crate) async fn get(db: &impl GenericClient, org_id: OrgId, id: ListingId) -> Result<Option<Listing>> {
    let statement = format!("SELECT {COLUMNS} FROM listings WHERE id = $1 AND org_id = $2");
    row(db, &statement, &[&id.0, &org_id.0]).await?.map(|row| listing(&row)).transpose()
}

async fn list(db: &impl GenericClient, filter: &ListingFilter) -> Result<ListingPage> {
    let condition = match filter.reference {
        Some(_) => "org_id = $1 AND reference = $2",
        None => "org_id = $1 AND $2::text IS NULL",
    };
    let total = format!("SELECT count(*) FROM listings WHERE {condition}");
    let total = row(db, &total, &[&filter.org_id.0, &filter.reference]).await?;
    let statement = format!(
        "SELECT id, reference, address, photo_count, created_at, updated_at FROM listings WHERE {condition}
         ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4"
    );
    let (limit, offset) = (i64::from(filter.limit), i64::try_from(filter.offset).unwrap_or(i64::MAX));
    let found = rows(db, &statement, &[&filter.org_id.0, &filter.reference, &limit, &offset]).await?;
    let summary = |row: &Row| {
        Ok(ListingSummary {
            id: ListingId(row.try_get(0)?),
            reference: row.try_get(1)?,
            address: row.try_get(2)?,
            photos: number(row, 3)?,
            created_at: time(row, 4)?,
            updated_at: time(row, 5)?,
        })
    };
    let listings = found.iter().map(summary).collect::<Result<_>>()?;
    Ok(ListingPage { listings, total: total.map_or(Ok(0), |row| number(&row, 0))? })
}

async fn change(
    db: &Transaction<'_>,
    (org_id, id): (OrgId, ListingId),
    changes: ListingChanges,
    (given, keep): (Option<i64>, i64),
) -> Result<Result<Listing, ListingRefusal>> {
    let now = time(&lock(db, org_id, given).await?, 2)?;
    let Some(mut listing) = get(db, org_id, id).await? else { return Ok(Err(ListingRefusal::NotFound)) };
    let before = uploads_of(&listing.photos);
    changed(&mut listing, changes, now);
    let (after, at) = (uploads_of(&listing.photos), now.as_millisecond());
    if let Some(refusal) = check(db, &listing, &(&after - &before), at).await? {
        return Ok(Err(refusal));
    }
    write(db, &listing).await?;
    keep_uploads(db, &listing).await?;
    release_uploads(db, id, &(&before - &after), at + keep).await?;
    Ok(Ok(listing))
}

async fn delete(
    db: &Transaction<'_>,
    (org_id, id): (OrgId, ListingId),
    (given, keep): (Option<i64>, i64),
) -> Result<bool> {
    let now = time(&lock(db, org_id, given).await?, 2)?.as_millisecond();
    let Some(listing) = get(db, org_id, id).await? else { return Ok(false) };
    release_uploads(db, id, &uploads_of(&listing.photos), now + keep).await?;
    for statement in [
        // A review that is being added holds its link.
        "DELETE FROM share_links WHERE listing_id = $1",
        "DELETE FROM reviews WHERE listing_id = $1",
        "DELETE FROM listing_jobs WHERE listing_id = $1",
        "DELETE FROM listings WHERE id = $1",
    ] {
        execute(db, statement, &[&id.0]).await?;
    }
    Ok(true)
}

/// Records that a job belongs to a listing.
async fn add_job(db: &impl GenericClient, id: ListingId, job: JobId, photo_id: Option<&str>) -> Result<()> {
    let statement = "INSERT INTO listing_jobs (job_id, listing_id, photo_id) VALUES ($1, $2, $3)";
    execute(db, statement, &[&job.0, &id.0, &photo_id]).await?;
    Ok(())
}

async fn jobs(db: &impl GenericClient, org_id: OrgId, id: ListingId, limit: u32) -> Result<Vec<ListingJob>> {
    let statement = "SELECT jobs.id, job_type, photo_id, status, created_at FROM listing_jobs
                     JOIN jobs ON jobs.id = listing_jobs.job_id
                     WHERE listing_id = $1 AND org_id = $2 ORDER BY listing_jobs.job_id DESC LIMIT $3";
    let found = rows(db, statement, &[&id.0, &org_id.0, &i64::from(limit)]).await?;
    let job = |row: &Row| {
        Ok(ListingJob {
            job_id: JobId(row.try_get(0)?),
            job_type: named(row, 1, JobType::from_name)?,
            photo_id: row.try_get(2)?,
            status: named(row, 3, JobStatus::from_name)?,
            created_at: time(row, 4)?,
        })
    };
    found.iter().map(job).collect()
}

fn listing(row: &Row) -> Result<Listing> {
    Ok(Listing {
        id: ListingId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        reference: row.try_get(2)?,
        address: row.try_get(3)?,
        style_prompt: row.try_get(4)?,
        photos: json(row, 5)?,
        created_at: time(row, 6)?,
        updated_at: time(row, 7)?,
    })
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
    if get(db, org_id, batch.listing_id).await?.is_none() {
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
        inserted.push(job_rows::insert(db, new, terms.now).await?);
        add_job(db, batch.listing_id, new.id, photo_id.as_deref()).await?;
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
