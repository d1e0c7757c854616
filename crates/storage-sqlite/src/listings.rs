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
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::admission::{active_like, no_room, terms};
use crate::error::Result;
use crate::job_rows::to_json;
use crate::rows::{json, named, parsed, time};
use crate::{SqliteStore, idempotency, job_rows, leftovers, quota};

#[async_trait]
impl ListingStore for SqliteStore {
    async fn listing_create(&self, new: NewListing, limit: u32) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| create(db, &new, limit, now)).await
    }

    async fn listing_get(&self, org_id: OrgId, id: ListingId) -> Result<Option<Listing>, StoreError> {
        self.readers.look_up(move |db| get(db, org_id, id)).await
    }

    async fn listing_list(&self, filter: ListingFilter) -> Result<ListingPage, StoreError> {
        self.readers.read(move |db| list(db, &filter)).await
    }

    async fn listing_change(
        &self,
        org_id: OrgId,
        id: ListingId,
        changes: ListingChanges,
        keep: Duration,
    ) -> Result<Result<Listing, ListingRefusal>, StoreError> {
        let times = (self.clock.now(), milliseconds(keep));
        self.writer.write(move |db| change(db, org_id, id, changes, times)).await
    }

    async fn listing_delete(&self, org_id: OrgId, id: ListingId, keep: Duration) -> Result<bool, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| delete(db, org_id, id, times)).await
    }

    async fn listing_jobs(&self, org_id: OrgId, id: ListingId, limit: u32) -> Result<Vec<ListingJob>, StoreError> {
        self.readers.read(move |db| jobs(db, org_id, id, limit)).await
    }

    async fn listing_submit(&self, batch: ListingBatch) -> Result<Result<Vec<Job>, BatchRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| submit(db, &batch, now)).await
    }
}

const COLUMNS: &str = "id, org_id, reference, address, style_prompt, photos, created_at, updated_at";

fn create(db: &Connection, new: &NewListing, limit: u32, now: Timestamp) -> Result<Result<Listing, ListingRefusal>> {
    let org = new.org_id.to_string();
    let count: i64 =
        db.prepare_cached("SELECT count(*) FROM listings WHERE org_id = ?1")?.query_row([&org], |row| row.get(0))?;
    if count >= i64::from(limit) {
        return Ok(Err(ListingRefusal::TooMany { limit }));
    }
    let listing = new.listing(now);
    if let Some(refusal) = check(db, &listing, &uploads_of(&listing.photos), now.as_millisecond())? {
        return Ok(Err(refusal));
    }
    db.prepare_cached(
        "INSERT INTO listings (id, org_id, created_at, updated_at, reference, address, style_prompt, photos, photo_count)
         VALUES (?1, ?2, ?3, ?3, NULL, NULL, NULL, '[]', 0)",
    )?
    .execute(params![listing.id.to_string(), org, now.as_millisecond()])?;
    write(db, &listing)?;
    keep_uploads(db, &listing)?;
    Ok(Ok(listing))
}

/// Why the listing cannot be as it is; `added`: uploads that it names now.
fn check(db: &Connection, listing: &Listing, added: &BTreeSet<UploadId>, now: i64) -> Result<Option<ListingRefusal>> {
    let org = listing.org_id.to_string();
    if let Some(reference) = &listing.reference {
        let other: Option<ListingId> = db
            .prepare_cached("SELECT id FROM listings WHERE org_id = ?1 AND reference = ?2")?
            .query_row(params![org, reference], |row| parsed(row, 0))
            .optional()?;
        if let Some(other) = other.filter(|other| *other != listing.id) {
            return Ok(Some(ListingRefusal::Reference(other)));
        }
    }
    let mut exists = db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM uploads
             WHERE id = ?1 AND org_id = ?2 AND expires_at > ?3 AND sha256 IS NOT NULL)",
    )?;
    let mut unknown = Vec::new();
    for upload in added {
        if !exists.query_row(params![upload.to_string(), org, now], |row| row.get::<_, bool>(0))? {
            unknown.push(*upload);
        }
    }
    Ok(if unknown.is_empty() { None } else { Some(ListingRefusal::Uploads(unknown)) })
}

/// Writes the members of a listing that has its row.
fn write(db: &Connection, listing: &Listing) -> Result<()> {
    db.prepare_cached(
        "UPDATE listings SET reference = ?2, address = ?3, style_prompt = ?4, photos = ?5, photo_count = ?6, updated_at = ?7
         WHERE id = ?1",
    )?
    .execute(params![
        listing.id.to_string(),
        listing.reference,
        listing.address,
        listing.style_prompt,
        to_json(&listing.photos)?,
        i64::try_from(listing.photos.len()).unwrap_or(i64::MAX),
        listing.updated_at.as_millisecond(),
    ])?;
    Ok(())
}

/// Keeps the uploads that the listing names from expiring.
fn keep_uploads(db: &Connection, listing: &Listing) -> Result<()> {
    for upload in uploads_of(&listing.photos) {
        db.prepare_cached(
            "INSERT INTO listing_uploads (upload_id, listing_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        )?
        .execute(params![upload.to_string(), listing.id.to_string()])?;
        db.prepare_cached("UPDATE uploads SET expires_at = ?2 WHERE id = ?1")?
            .execute(params![upload.to_string(), NEVER])?;
    }
    Ok(())
}

/// Lets uploads that the listing named expire, unless others name them.
fn release_uploads(db: &Connection, id: ListingId, released: &BTreeSet<UploadId>, expires_at: i64) -> Result<()> {
    for upload in released {
        db.prepare_cached("DELETE FROM listing_uploads WHERE upload_id = ?1 AND listing_id = ?2")?
            .execute(params![upload.to_string(), id.to_string()])?;
        db.prepare_cached(
            "UPDATE uploads SET expires_at = ?2
             WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM listing_uploads WHERE upload_id = ?1)",
        )?
        .execute(params![upload.to_string(), expires_at])?;
    }
    Ok(())
}

pub(crate) fn get(db: &Connection, org_id: OrgId, id: ListingId) -> Result<Option<Listing>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM listings WHERE id = ?1 AND org_id = ?2"))?
        .query_row(params![id.to_string(), org_id.to_string()], listing)
        .optional()?;
    Ok(found)
}

fn list(db: &Connection, filter: &ListingFilter) -> Result<ListingPage> {
    let org = filter.org_id.to_string();
    let condition = match filter.reference {
        Some(_) => "org_id = ?1 AND reference = ?2",
        None => "org_id = ?1 AND ?2 IS NULL",
    };
    let total: i64 = db
        .prepare_cached(&format!("SELECT count(*) FROM listings WHERE {condition}"))?
        .query_row(params![org, filter.reference], |row| row.get(0))?;
    let offset = i64::try_from(filter.offset).unwrap_or(i64::MAX);
    let listings = db
        .prepare_cached(&format!(
            "SELECT id, reference, address, photo_count, created_at, updated_at FROM listings WHERE {condition}
             ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?4"
        ))?
        .query_map(params![org, filter.reference, filter.limit, offset], |row| {
            Ok(ListingSummary {
                id: parsed(row, 0)?,
                reference: row.get(1)?,
                address: row.get(2)?,
                photos: row.get(3)?,
                created_at: time(row, 4)?,
                updated_at: time(row, 5)?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(ListingPage { listings, total: u64::try_from(total).unwrap_or(0) })
}

fn change(
    db: &Connection,
    org_id: OrgId,
    id: ListingId,
    changes: ListingChanges,
    (now, keep): (Timestamp, i64),
) -> Result<Result<Listing, ListingRefusal>> {
    let Some(mut listing) = get(db, org_id, id)? else { return Ok(Err(ListingRefusal::NotFound)) };
    let before = uploads_of(&listing.photos);
    changed(&mut listing, changes, now);
    let (after, at) = (uploads_of(&listing.photos), now.as_millisecond());
    if let Some(refusal) = check(db, &listing, &(&after - &before), at)? {
        return Ok(Err(refusal));
    }
    write(db, &listing)?;
    keep_uploads(db, &listing)?;
    release_uploads(db, id, &(&before - &after), at + keep)?;
    Ok(Ok(listing))
}

fn delete(db: &Connection, org_id: OrgId, id: ListingId, (now, keep): (i64, i64)) -> Result<bool> {
    let Some(listing) = get(db, org_id, id)? else { return Ok(false) };
    release_uploads(db, id, &uploads_of(&listing.photos), now + keep)?;
    for statement in [
        "DELETE FROM share_links WHERE listing_id = ?1",
        "DELETE FROM reviews WHERE listing_id = ?1",
        "DELETE FROM listing_jobs WHERE listing_id = ?1",
        "DELETE FROM listings WHERE id = ?1",
    ] {
        db.prepare_cached(statement)?.execute([id.to_string()])?;
    }
    Ok(true)
}

/// Records that a job belongs to a listing.
fn add_job(db: &Connection, id: ListingId, job: JobId, photo_id: Option<&str>) -> Result<()> {
    db.prepare_cached("INSERT INTO listing_jobs (job_id, listing_id, photo_id) VALUES (?1, ?2, ?3)")?
        .execute(params![job.to_string(), id.to_string(), photo_id])?;
    Ok(())
}

fn jobs(db: &Connection, org_id: OrgId, id: ListingId, limit: u32) -> Result<Vec<ListingJob>> {
    let found = db
        .prepare_cached(
            "SELECT jobs.id, job_type, photo_id, status, created_at FROM listing_jobs
             JOIN jobs ON jobs.id = listing_jobs.job_id
             WHERE listing_id = ?1 AND org_id = ?2 ORDER BY listing_jobs.job_id DESC LIMIT ?3",
        )?
        .query_map(params![id.to_string(), org_id.to_string(), limit], |row| {
            Ok(ListingJob {
                job_id: parsed(row, 0)?,
                job_type: named(row, 1, JobType::from_name)?,
                photo_id: row.get(2)?,
                status: named(row, 3, JobStatus::from_name)?,
                created_at: time(row, 4)?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn listing(row: &Row<'_>) -> rusqlite::Result<Listing> {
    Ok(Listing {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        reference: row.get(2)?,
        address: row.get(3)?,
        style_prompt: row.get(4)?,
        photos: json(row, 5)?,
        created_at: time(row, 6)?,
        updated_at: time(row, 7)?,
    })
}

/// Submits all jobs of a listing, or none.
fn submit(db: &Connection, batch: &ListingBatch, now: Timestamp) -> Result<Result<Vec<Job>, BatchRefusal>> {
    let org_id = batch.org_id;
    if let Some(key) = &batch.idempotency_key
        && let Some(replay) = idempotency::find(db, org_id, key, now)?
    {
        return Ok(Err(BatchRefusal::Refused(SubmitRefusal::Replay(replay))));
    }
    if get(db, org_id, batch.listing_id)?.is_none() {
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
        inserted.push(job_rows::insert(db, new, now)?);
        add_job(db, batch.listing_id, new.id, photo_id.as_deref())?;
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
