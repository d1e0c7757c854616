//! Public pages that show altered pictures beside their originals.

use aerie_domain::{JobId, OrgId, TruthPageId};
use aerie_storage::backend::milliseconds;
use aerie_storage::{NewTruthPage, StoreError, TruthPage, TruthPageFile, TruthPageHeld, TruthPageStore};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};

use crate::error::Result;
use crate::rows::{json, parsed, time, time_or_none};
use crate::{SqliteStore, leftovers};

#[async_trait]
impl TruthPageStore for SqliteStore {
    async fn truth_page_create(&self, new: NewTruthPage) -> Result<TruthPage, StoreError> {
        let now = self.now();
        self.writer.write(move |db| create(db, &new, now)).await
    }

    async fn truth_page_of_job(&self, org_id: OrgId, job_id: JobId) -> Result<Option<TruthPage>, StoreError> {
        self.readers.read(move |db| of_job(db, org_id, job_id)).await
    }

    async fn truth_page_find(&self, code: &str) -> Result<Option<TruthPage>, StoreError> {
        let code = code.to_owned();
        self.readers.look_up(move |db| one(db, "code = ?1", &[&code])).await
    }

    async fn truth_page_revoke(
        &self,
        org_id: OrgId,
        job_id: JobId,
        erases: bool,
    ) -> Result<Option<Result<TruthPage, TruthPageHeld>>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| revoke(db, (org_id, job_id), erases, now)).await
    }

    async fn truth_page_hold(&self, code: &str, is_held: bool) -> Result<Option<TruthPage>, StoreError> {
        let (code, now) = (code.to_owned(), self.now());
        self.writer.write(move |db| hold(db, &code, is_held.then_some(now))).await
    }

    async fn truth_page_list(&self, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>, StoreError> {
        self.readers.read(move |db| list(db, org_id, limit)).await
    }

    async fn truth_page_erase_all(&self, org_id: OrgId) -> Result<Vec<TruthPage>, StoreError> {
        let now = self.now();
        let condition = "org_id = ?1 AND erased_at IS NULL AND held_at IS NULL";
        self.writer.write(move |db| erase_where(db, condition, &[&org_id.to_string()], now)).await
    }

    async fn truth_page_expire(&self, limit: u32) -> Result<usize, StoreError> {
        let now = self.now();
        self.writer
            .write(move |db| {
                let condition =
                    "expires_at <= ?1 AND erased_at IS NULL AND held_at IS NULL ORDER BY expires_at LIMIT ?2";
                Ok(erase_where(db, condition, &[&now, &limit], now)?.len())
            })
            .await
    }

    async fn truth_page_files(&self, org_id: OrgId, id: TruthPageId) -> Result<Vec<String>, StoreError> {
        self.readers
            .read(move |db| {
                let found = one(db, "org_id = ?1 AND id = ?2", &[&org_id.to_string(), &id.to_string()])?;
                Ok(found.into_iter().flat_map(|page| page.files).map(|file| file.key).collect())
            })
            .await
    }

    async fn truth_page_bytes(&self, org_id: Option<OrgId>) -> Result<u64, StoreError> {
        self.readers.read(move |db| bytes(db, org_id)).await
    }
}

const COLUMNS: &str = "id, org_id, job_id, code, facts, files, bytes, indexable, created_at, expires_at, revoked_at, \
                       erased_at, held_at";

/// Of all pages of a job, that which is shown, or else the newest.
const OF_JOB: &str = "org_id = ?1 AND job_id = ?2 ORDER BY revoked_at IS NOT NULL, created_at DESC, id DESC LIMIT 1";

fn create(db: &Connection, new: &NewTruthPage, now: i64) -> Result<TruthPage> {
    if let Some(page) = of_job(db, new.org_id, new.job_id)?.filter(TruthPage::is_public) {
        return Ok(page);
    }
    let bytes: u64 = new.files.iter().map(|file| file.size).sum();
    let created = db
        .prepare_cached(&format!(
            "INSERT INTO truth_pages (id, org_id, job_id, code, facts, files, bytes, indexable, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9 + ?10) RETURNING {COLUMNS}"
        ))?
        .query_row(
            params![
                new.id.to_string(),
                new.org_id.to_string(),
                new.job_id.to_string(),
                new.code,
                new.facts.to_string(),
                serde_json::to_string(&new.files)?,
                i64::try_from(bytes).unwrap_or(i64::MAX),
                new.indexable,
                now,
                new.keep.map(milliseconds),
            ],
            page,
        )?;
    Ok(created)
}

fn of_job(db: &Connection, org_id: OrgId, job_id: JobId) -> Result<Option<TruthPage>> {
    one(db, OF_JOB, &[&org_id.to_string(), &job_id.to_string()])
}

fn one(db: &Connection, condition: &str, values: &[&dyn ToSql]) -> Result<Option<TruthPage>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM truth_pages WHERE {condition}"))?
        .query_row(values, page)
        .optional()?;
    Ok(found)
}

fn revoke(
    db: &Connection,
    (org_id, job_id): (OrgId, JobId),
    erases: bool,
    now: i64,
) -> Result<Option<Result<TruthPage, TruthPageHeld>>> {
    let Some(found) = of_job(db, org_id, job_id)? else { return Ok(None) };
    let revoked = db
        .prepare_cached(&format!(
            "UPDATE truth_pages SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING {COLUMNS}"
        ))?
        .query_row(params![found.id.to_string(), now], page)?;
    Ok(Some(match erases {
        true if revoked.held_at.is_some() => Err(TruthPageHeld(revoked)),
        true if revoked.erased_at.is_none() => Ok(erase(db, &revoked, now)?),
        _ => Ok(revoked),
    }))
}

/// Erases the pages of a job that are not held.
pub(crate) fn erase_of_job(db: &Connection, job_id: JobId, now: i64) -> Result<()> {
    erase_where(db, "job_id = ?1 AND erased_at IS NULL AND held_at IS NULL", &[&job_id.to_string()], now)?;
    Ok(())
}

fn erase_where(db: &Connection, condition: &str, values: &[&dyn ToSql], now: i64) -> Result<Vec<TruthPage>> {
    let found: Vec<TruthPage> = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM truth_pages WHERE {condition}"))?
        .query_map(values, page)?
        .collect::<rusqlite::Result<_>>()?;
    found.iter().map(|page| erase(db, page, now)).collect()
}

/// Removes what a page shows, and notes its files.
fn erase(db: &Connection, erased: &TruthPage, now: i64) -> Result<TruthPage> {
    leftovers::expired(db, &erased.org_id.to_string(), &erased.id.to_string(), now)?;
    let erased = db
        .prepare_cached(&format!(
            "UPDATE truth_pages SET facts = 'null', files = '[]', bytes = 0, erased_at = ?2,
                 revoked_at = coalesce(revoked_at, ?2)
             WHERE id = ?1 RETURNING {COLUMNS}"
        ))?
        .query_row(params![erased.id.to_string(), now], page)?;
    Ok(erased)
}

fn hold(db: &Connection, code: &str, at: Option<i64>) -> Result<Option<TruthPage>> {
    let found = db
        .prepare_cached(&format!(
            "UPDATE truth_pages SET held_at = iif(?2 IS NULL, NULL, coalesce(held_at, ?2)) WHERE code = ?1
             RETURNING {COLUMNS}"
        ))?
        .query_row(params![code, at], page)
        .optional()?;
    Ok(found)
}

fn list(db: &Connection, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>> {
    let condition = if org_id.is_some() { "org_id = ?1" } else { "?1 IS NULL" };
    let found = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM truth_pages WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT ?2"
        ))?
        .query_map(params![org_id.map(|id| id.to_string()), limit], page)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn bytes(db: &Connection, org_id: Option<OrgId>) -> Result<u64> {
    let bytes: i64 = db
        .prepare_cached("SELECT coalesce(sum(bytes), 0) FROM truth_pages WHERE ?1 IS NULL OR org_id = ?1")?
        .query_row([org_id.map(|id| id.to_string())], |row| row.get(0))?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

fn page(row: &Row<'_>) -> rusqlite::Result<TruthPage> {
    let files: Vec<TruthPageFile> = json(row, 5)?;
    Ok(TruthPage {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        job_id: parsed(row, 2)?,
        code: row.get(3)?,
        facts: json(row, 4)?,
        files,
        bytes: u64::try_from(row.get::<_, i64>(6)?).unwrap_or(0),
        indexable: row.get(7)?,
        created_at: time(row, 8)?,
        expires_at: time_or_none(row, 9)?,
        revoked_at: time_or_none(row, 10)?,
        erased_at: time_or_none(row, 11)?,
        held_at: time_or_none(row, 12)?,
    })
}
