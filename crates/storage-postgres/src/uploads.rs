//! Photos that clients upload.

use std::time::Duration;

use aerie_domain::{OrgId, UploadId};
use aerie_storage::backend::{milliseconds, utc_month};
use aerie_storage::{
    NewUpload, StoreError, Upload, UploadLimits, UploadPart, UploadRefusal, UploadStore, UploadedPhoto,
};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::admission::lock;
use crate::error::{Error, Result};
use crate::pool::{execute, row, rows};
use crate::rows::{json, number, time};
use crate::{PostgresStore, in_transaction, leftovers, with_client};

#[async_trait]
impl UploadStore for PostgresStore {
    async fn upload_create(
        &self,
        new: NewUpload,
        limits: UploadLimits,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => create(db, &new, limits, times))
    }

    async fn upload_get(&self, org_id: OrgId, id: UploadId) -> Result<Option<Upload>, StoreError> {
        with_client!(self, db => get(db, org_id, id, self.time.given()))
    }

    async fn upload_append(
        &self,
        org_id: OrgId,
        id: UploadId,
        part: UploadPart,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError> {
        in_transaction!(self, db => async {
            let times = (self.time.now(db).await?.as_millisecond(), milliseconds(keep));
            append(db, org_id, id, part, times).await
        })
    }

    async fn upload_complete(
        &self,
        org_id: OrgId,
        id: UploadId,
        photo: UploadedPhoto,
        keep: Duration,
    ) -> Result<Option<Upload>, StoreError> {
        let times = (self.time.given(), milliseconds(keep));
        in_transaction!(self, db => complete(db, org_id, id, &photo, times))
    }

    async fn upload_use(&self, org_id: OrgId, id: UploadId, keep: Duration) -> Result<Option<Upload>, StoreError> {
        with_client!(self, db => renew(db, org_id, id, (self.time.given(), milliseconds(keep))))
    }

    async fn upload_delete(&self, org_id: OrgId, id: UploadId) -> Result<bool, StoreError> {
        in_transaction!(self, db => async {
            delete(db, org_id, id, self.time.now(db).await?.as_millisecond()).await
        })
    }

    async fn upload_expire(&self, limit: u32) -> Result<usize, StoreError> {
        in_transaction!(self, db => async {
            expire(db, limit, self.time.now(db).await?.as_millisecond()).await
        })
    }

    async fn upload_files(&self, org_id: OrgId, id: UploadId) -> Result<Vec<String>, StoreError> {
        with_client!(self, db => files(db, org_id, id))
    }

    async fn upload_bytes_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        with_client!(self, db => bytes_used(db, org_id, at))
    }
}

const COLUMNS: &str =
    "id, org_id, size, name, parts, stored_as, sha256, extension, width, height, created_at, expires_at";

async fn create(
    db: &Transaction<'_>,
    new: &NewUpload,
    limits: UploadLimits,
    (given, keep): (Option<i64>, i64),
) -> Result<Result<Upload, UploadRefusal>> {
    let now = time(&lock(db, new.org_id, given).await?, 2)?;
    let at = now.as_millisecond();
    let statement = "SELECT count(*) FROM uploads WHERE org_id = $1 AND sha256 IS NULL AND expires_at > $2";
    let incomplete = row(db, statement, &[&new.org_id.0, &at]).await?;
    if incomplete.map_or(Ok(0), |row| number::<u32>(&row, 0))? >= limits.incomplete {
        return Ok(Err(UploadRefusal::TooManyIncomplete { limit: limits.incomplete }));
    }
    let used = bytes_used(db, new.org_id, now).await?;
    if let Some(limit) = limits.bytes_per_month.filter(|limit| used + new.size > *limit) {
        return Ok(Err(UploadRefusal::MonthFull { limit, used }));
    }
    let size = signed(new.size);
    let counted = "INSERT INTO upload_use AS used (org_id, month, bytes) VALUES ($1, $2, $3)
                   ON CONFLICT (org_id, month) DO UPDATE SET bytes = used.bytes + excluded.bytes";
    execute(db, counted, &[&new.org_id.0, &utc_month(now), &size]).await?;
    let statement = format!(
        "INSERT INTO uploads (id, org_id, size, name, parts, stored_as, created_at, expires_at)
         VALUES ($1, $2, $3, $4, '[]', $1, $5::bigint, $5::bigint + $6::bigint) RETURNING {COLUMNS}"
    );
    let created = row(db, &statement, &[&new.id.0, &new.org_id.0, &size, &new.name, &at, &keep]).await?;
    Ok(Ok(upload(&only(created)?)?))
}

async fn get(db: &impl GenericClient, org_id: OrgId, id: UploadId, given: Option<i64>) -> Result<Option<Upload>> {
    let statement = format!("SELECT {COLUMNS} FROM uploads WHERE id = $1 AND org_id = $2 AND expires_at > now_ms($3)");
    row(db, &statement, &[&id.0, &org_id.0, &given]).await?.map(|row| upload(&row)).transpose()
}

/// As [`get`], with the row locked until the transaction ends.
async fn get_locked(db: &Transaction<'_>, org_id: OrgId, id: UploadId, now: i64) -> Result<Option<Upload>> {
    let statement =
        format!("SELECT {COLUMNS} FROM uploads WHERE id = $1 AND org_id = $2 AND expires_at > $3 FOR UPDATE");
    row(db, &statement, &[&id.0, &org_id.0, &now]).await?.map(|row| upload(&row)).transpose()
}

async fn append(
    db: &Transaction<'_>,
    org_id: OrgId,
    id: UploadId,
    part: UploadPart,
    (now, keep): (i64, i64),
) -> Result<Result<Upload, UploadRefusal>> {
    let Some(mut found) = get_locked(db, org_id, id, now).await? else { return Ok(Err(UploadRefusal::NotFound)) };
    if let Err(refusal) = found.add(part) {
        return Ok(Err(refusal));
    }
    let parts = serde_json::to_string(&found.parts)?;
    let statement = format!("UPDATE uploads SET parts = $2, expires_at = $3 WHERE id = $1 RETURNING {COLUMNS}");
    let changed = row(db, &statement, &[&id.0, &parts, &(now + keep)]).await?;
    Ok(Ok(upload(&only(changed)?)?))
}

/// The organization is locked, so that of two equal uploads the later one names the file of the other.
async fn complete(
    db: &Transaction<'_>,
    org_id: OrgId,
    id: UploadId,
    photo: &UploadedPhoto,
    (given, keep): (Option<i64>, i64),
) -> Result<Option<Upload>> {
    let now = time(&lock(db, org_id, given).await?, 2)?.as_millisecond();
    let Some(found) = get_locked(db, org_id, id, now).await? else { return Ok(None) };
    if found.photo.is_some() {
        return Ok(Some(found));
    }
    let sha256 = photo.sha256.as_slice();
    let equal = "SELECT stored_as FROM uploads
                 WHERE org_id = $1 AND sha256 = $2 AND extension = $3 AND expires_at > $4 LIMIT 1";
    let equal = row(db, equal, &[&org_id.0, &sha256, &photo.extension, &now]).await?;
    let stored_as = equal.map_or(Ok(id.0), |row| row.try_get(0))?;
    // Its parts, and its file if there is an equal one, are not needed any more.
    leftovers::ended(db, org_id, aerie_domain::JobId(id.0), now).await?;
    let statement = format!(
        "UPDATE uploads SET parts = '[]', stored_as = $2, sha256 = $3, extension = $4, width = $5, height = $6,
             expires_at = $7
         WHERE id = $1 RETURNING {COLUMNS}"
    );
    let (width, height) = (i64::from(photo.width), i64::from(photo.height));
    let changed =
        row(db, &statement, &[&id.0, &stored_as, &sha256, &photo.extension, &width, &height, &(now + keep)]).await?;
    Ok(Some(upload(&only(changed)?)?))
}

async fn renew(
    db: &impl GenericClient,
    org_id: OrgId,
    id: UploadId,
    (given, keep): (Option<i64>, i64),
) -> Result<Option<Upload>> {
    let statement = format!(
        "UPDATE uploads SET expires_at = greatest(expires_at, now_ms($3) + $4)
         WHERE id = $1 AND org_id = $2 AND expires_at > now_ms($3) AND sha256 IS NOT NULL RETURNING {COLUMNS}"
    );
    row(db, &statement, &[&id.0, &org_id.0, &given, &keep]).await?.map(|row| upload(&row)).transpose()
}

async fn delete(db: &Transaction<'_>, org_id: OrgId, id: UploadId, now: i64) -> Result<bool> {
    let found = get_locked(db, org_id, id, now).await?;
    if let Some(upload) = &found {
        remove(db, upload, now).await?;
    }
    Ok(found.is_some())
}

async fn expire(db: &Transaction<'_>, limit: u32, now: i64) -> Result<usize> {
    let statement = format!(
        "SELECT {COLUMNS} FROM uploads WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED"
    );
    let expired = rows(db, &statement, &[&now, &i64::from(limit)]).await?;
    for row in &expired {
        remove(db, &upload(row)?, now).await?;
    }
    Ok(expired.len())
}

/// Removes the row, notes its files, and gives back the bytes that were never received.
async fn remove(db: &Transaction<'_>, upload: &Upload, now: i64) -> Result<()> {
    execute(db, "DELETE FROM uploads WHERE id = $1", &[&upload.id.0]).await?;
    leftovers::ended(db, upload.org_id, aerie_domain::JobId(upload.id.0), now).await?;
    if upload.stored_as != upload.id {
        leftovers::ended(db, upload.org_id, aerie_domain::JobId(upload.stored_as.0), now).await?;
    }
    let missing = signed(upload.size - upload.received());
    if missing > 0 {
        let statement = "UPDATE upload_use SET bytes = greatest(bytes - $3, 0) WHERE org_id = $1 AND month = $2";
        execute(db, statement, &[&upload.org_id.0, &utc_month(upload.created_at), &missing]).await?;
    }
    Ok(())
}

async fn files(db: &impl GenericClient, org_id: OrgId, id: UploadId) -> Result<Vec<String>> {
    let statement = format!("SELECT {COLUMNS} FROM uploads WHERE stored_as = $1 AND org_id = $2");
    let found = rows(db, &statement, &[&id.0, &org_id.0]).await?;
    let found = found.iter().map(upload).collect::<Result<Vec<Upload>>>()?;
    Ok(found.iter().flat_map(Upload::files).collect())
}

async fn bytes_used(db: &impl GenericClient, org_id: OrgId, at: Timestamp) -> Result<u64> {
    let statement = "SELECT bytes FROM upload_use WHERE org_id = $1 AND month = $2";
    let found = row(db, statement, &[&org_id.0, &utc_month(at)]).await?;
    found.map_or(Ok(0), |row| number(&row, 0))
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn only(row: Option<Row>) -> Result<Row> {
    row.ok_or_else(|| Error(StoreError::Backend("a statement that returns a row returned none".into())))
}

fn upload(row: &Row) -> Result<Upload> {
    let sha256: Option<&[u8]> = row.try_get(6)?;
    let photo = sha256.map(|sha256| {
        let unexpected = || Error(StoreError::Backend("unexpected length of a SHA-256".into()));
        Ok::<_, Error>(UploadedPhoto {
            sha256: sha256.try_into().map_err(|_| unexpected())?,
            extension: row.try_get(7)?,
            width: number(row, 8)?,
            height: number(row, 9)?,
        })
    });
    Ok(Upload {
        id: UploadId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        size: number(row, 2)?,
        name: row.try_get(3)?,
        parts: json(row, 4)?,
        photo: photo.transpose()?,
        stored_as: UploadId(row.try_get(5)?),
        created_at: time(row, 10)?,
        expires_at: time(row, 11)?,
    })
}
