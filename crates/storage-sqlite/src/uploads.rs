//! Photos that clients upload.

use std::time::Duration;

use aerie_domain::{OrgId, UploadId};
use aerie_storage::backend::{milliseconds, utc_month};
use aerie_storage::{
    NewUpload, StoreError, Upload, UploadLimits, UploadPart, UploadRefusal, UploadStore, UploadedPhoto,
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::rows::{json, parsed, time};
use crate::{SqliteStore, leftovers};

#[async_trait]
impl UploadStore for SqliteStore {
    async fn upload_create(
        &self,
        new: NewUpload,
        limits: UploadLimits,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        let times = (self.clock.now(), milliseconds(keep));
        self.writer.write(move |db| create(db, &new, limits, times)).await
    }

    async fn upload_get(&self, org_id: OrgId, id: UploadId) -> Result<Option<Upload>, StoreError> {
        let now = self.now();
        self.readers.read(move |db| get(db, org_id, id, now)).await
    }

    async fn upload_append(
        &self,
        org_id: OrgId,
        id: UploadId,
        part: UploadPart,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| append(db, org_id, id, part, times)).await
    }

    async fn upload_complete(
        &self,
        org_id: OrgId,
        id: UploadId,
        photo: UploadedPhoto,
        keep: Duration,
    ) -> Result<Option<Upload>, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| complete(db, org_id, id, &photo, times)).await
    }

    async fn upload_use(&self, org_id: OrgId, id: UploadId, keep: Duration) -> Result<Option<Upload>, StoreError> {
        let times = (self.now(), milliseconds(keep));
        self.writer.write(move |db| renew(db, org_id, id, times)).await
    }

    async fn upload_delete(&self, org_id: OrgId, id: UploadId) -> Result<bool, StoreError> {
        let now = self.now();
        self.writer.write(move |db| delete(db, org_id, id, now)).await
    }

    async fn upload_expire(&self, limit: u32) -> Result<usize, StoreError> {
        let now = self.now();
        self.writer.write(move |db| expire(db, limit, now)).await
    }

    async fn upload_files(&self, org_id: OrgId, id: UploadId) -> Result<Vec<String>, StoreError> {
        self.readers.read(move |db| files(db, org_id, id)).await
    }

    async fn upload_bytes_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        self.readers.read(move |db| bytes_used(db, org_id, at)).await
    }
}

const COLUMNS: &str =
    "id, org_id, size, name, parts, stored_as, sha256, extension, width, height, created_at, expires_at";

fn create(
    db: &Connection,
    new: &NewUpload,
    limits: UploadLimits,
    (now, keep): (Timestamp, i64),
) -> Result<Result<Upload, UploadRefusal>> {
    let (org, at) = (new.org_id.to_string(), now.as_millisecond());
    let incomplete: u32 = db
        .prepare_cached("SELECT count(*) FROM uploads WHERE org_id = ?1 AND sha256 IS NULL AND expires_at > ?2")?
        .query_row(params![org, at], |row| row.get(0))?;
    if incomplete >= limits.incomplete {
        return Ok(Err(UploadRefusal::TooManyIncomplete { limit: limits.incomplete }));
    }
    let used = bytes_used(db, new.org_id, now)?;
    if let Some(limit) = limits.bytes_per_month.filter(|limit| used + new.size > *limit) {
        return Ok(Err(UploadRefusal::MonthFull { limit, used }));
    }
    db.prepare_cached(
        "INSERT INTO upload_use (org_id, month, bytes) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes",
    )?
    .execute(params![org, utc_month(now), number(new.size)])?;
    let created = db
        .prepare_cached(&format!(
            "INSERT INTO uploads (id, org_id, size, name, stored_as, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?1, ?5, ?5 + ?6) RETURNING {COLUMNS}"
        ))?
        .query_row(params![new.id.to_string(), org, number(new.size), new.name, at, keep], upload)?;
    Ok(Ok(created))
}

fn get(db: &Connection, org_id: OrgId, id: UploadId, now: i64) -> Result<Option<Upload>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM uploads WHERE id = ?1 AND org_id = ?2 AND expires_at > ?3"))?
        .query_row(params![id.to_string(), org_id.to_string(), now], upload)
        .optional()?;
    Ok(found)
}

fn append(
    db: &Connection,
    org_id: OrgId,
    id: UploadId,
    part: UploadPart,
    (now, keep): (i64, i64),
) -> Result<Result<Upload, UploadRefusal>> {
    let Some(mut found) = get(db, org_id, id, now)? else { return Ok(Err(UploadRefusal::NotFound)) };
    if let Err(refusal) = found.add(part) {
        return Ok(Err(refusal));
    }
    let parts = serde_json::to_string(&found.parts)?;
    let changed = db
        .prepare_cached(&format!("UPDATE uploads SET parts = ?2, expires_at = ?3 WHERE id = ?1 RETURNING {COLUMNS}"))?
        .query_row(params![id.to_string(), parts, now + keep], upload)?;
    Ok(Ok(changed))
}

fn complete(
    db: &Connection,
    org_id: OrgId,
    id: UploadId,
    photo: &UploadedPhoto,
    (now, keep): (i64, i64),
) -> Result<Option<Upload>> {
    let Some(found) = get(db, org_id, id, now)? else { return Ok(None) };
    if found.photo.is_some() {
        return Ok(Some(found));
    }
    let equal: Option<UploadId> = db
        .prepare_cached(
            "SELECT stored_as FROM uploads
             WHERE org_id = ?1 AND sha256 = ?2 AND extension = ?3 AND expires_at > ?4 LIMIT 1",
        )?
        .query_row(params![org_id.to_string(), photo.sha256, photo.extension, now], |row| parsed(row, 0))
        .optional()?;
    // Its parts, and its file if there is an equal one, are not needed any more.
    leftovers::ended(db, &org_id.to_string(), &id.to_string(), now)?;
    let changed = db
        .prepare_cached(&format!(
            "UPDATE uploads SET parts = '[]', stored_as = ?2, sha256 = ?3, extension = ?4, width = ?5, height = ?6,
                 expires_at = ?7
             WHERE id = ?1 RETURNING {COLUMNS}"
        ))?
        .query_row(
            params![
                id.to_string(),
                equal.unwrap_or(id).to_string(),
                photo.sha256,
                photo.extension,
                photo.width,
                photo.height,
                now + keep,
            ],
            upload,
        )?;
    Ok(Some(changed))
}

fn renew(db: &Connection, org_id: OrgId, id: UploadId, (now, keep): (i64, i64)) -> Result<Option<Upload>> {
    let found = db
        .prepare_cached(&format!(
            "UPDATE uploads SET expires_at = max(expires_at, ?4)
             WHERE id = ?1 AND org_id = ?2 AND expires_at > ?3 AND sha256 IS NOT NULL RETURNING {COLUMNS}"
        ))?
        .query_row(params![id.to_string(), org_id.to_string(), now, now + keep], upload)
        .optional()?;
    Ok(found)
}

fn delete(db: &Connection, org_id: OrgId, id: UploadId, now: i64) -> Result<bool> {
    let found = get(db, org_id, id, now)?;
    found.as_ref().map(|upload| remove(db, upload, now)).transpose()?;
    Ok(found.is_some())
}

fn expire(db: &Connection, limit: u32, now: i64) -> Result<usize> {
    let expired: Vec<Upload> = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM uploads WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2"))?
        .query_map(params![now, limit], upload)?
        .collect::<rusqlite::Result<_>>()?;
    for upload in &expired {
        remove(db, upload, now)?;
    }
    Ok(expired.len())
}

/// Removes the row, notes its files, and gives back the bytes that were never received.
fn remove(db: &Connection, upload: &Upload, now: i64) -> Result<()> {
    let org = upload.org_id.to_string();
    db.prepare_cached("DELETE FROM uploads WHERE id = ?1")?.execute([upload.id.to_string()])?;
    leftovers::ended(db, &org, &upload.id.to_string(), now)?;
    if upload.stored_as != upload.id {
        leftovers::ended(db, &org, &upload.stored_as.to_string(), now)?;
    }
    db.prepare_cached("UPDATE upload_use SET bytes = max(bytes - ?3, 0) WHERE org_id = ?1 AND month = ?2")?
        .execute(params![org, utc_month(upload.created_at), number(upload.size - upload.received())])?;
    Ok(())
}

fn files(db: &Connection, org_id: OrgId, id: UploadId) -> Result<Vec<String>> {
    let found: Vec<Upload> = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM uploads WHERE stored_as = ?1 AND org_id = ?2"))?
        .query_map(params![id.to_string(), org_id.to_string()], upload)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found.iter().flat_map(Upload::files).collect())
}

fn bytes_used(db: &Connection, org_id: OrgId, at: Timestamp) -> Result<u64> {
    let used = db
        .prepare_cached("SELECT bytes FROM upload_use WHERE org_id = ?1 AND month = ?2")?
        .query_row(params![org_id.to_string(), utc_month(at)], |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(used.map_or(0, |used| u64::try_from(used).unwrap_or(0)))
}

fn number(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn upload(row: &Row<'_>) -> rusqlite::Result<Upload> {
    let sha256: Option<[u8; 32]> = row.get(6)?;
    let photo = sha256.map(|sha256| {
        Ok::<_, rusqlite::Error>(UploadedPhoto {
            sha256,
            extension: row.get(7)?,
            width: row.get(8)?,
            height: row.get(9)?,
        })
    });
    Ok(Upload {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        size: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
        name: row.get(3)?,
        parts: json(row, 4)?,
        photo: photo.transpose()?,
        stored_as: parsed(row, 5)?,
        created_at: time(row, 10)?,
        expires_at: time(row, 11)?,
    })
}
