//! Public pages that show altered pictures beside their originals.

use aerie_domain::{JobId, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::{NewTruthPage, TruthPage, TruthPageFile, TruthPageHeld};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};

use crate::error::Result;
use crate::leftovers;
use crate::rows::{json, parsed, time, time_or_none};

const COLUMNS: &str = "id, org_id, job_id, code, facts, files, bytes, indexable, created_at, expires_at, revoked_at, \
                       erased_at, held_at";

/// Of all pages of a job, that which is shown, or else the newest.
pub(crate) const OF_JOB: &str =
    "org_id = ?1 AND job_id = ?2 ORDER BY revoked_at IS NOT NULL, created_at DESC, id DESC LIMIT 1";

pub(crate) fn create(db: &Connection, new: &NewTruthPage, now: i64) -> Result<TruthPage> {
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

pub(crate) fn of_job(db: &Connection, org_id: OrgId, job_id: JobId) -> Result<Option<TruthPage>> {
    one(db, OF_JOB, &[&org_id.to_string(), &job_id.to_string()])
}

pub(crate) fn one(db: &Connection, condition: &str, values: &[&dyn ToSql]) -> Result<Option<TruthPage>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM truth_pages WHERE {condition}"))?
        .query_row(values, page)
        .optional()?;
    Ok(found)
}

pub(crate) fn revoke(
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

pub(crate) fn erase_where(db: &Connection, condition: &str, values: &[&dyn ToSql], now: i64) -> Result<Vec<TruthPage>> {
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

pub(crate) fn hold(db: &Connection, code: &str, at: Option<i64>) -> Result<Option<TruthPage>> {
    let found = db
        .prepare_cached(&format!(
            "UPDATE truth_pages SET held_at = iif(?2 IS NULL, NULL, coalesce(held_at, ?2)) WHERE code = ?1
             RETURNING {COLUMNS}"
        ))?
        .query_row(params![code, at], page)
        .optional()?;
    Ok(found)
}

pub(crate) fn list(db: &Connection, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>> {
    let condition = if org_id.is_some() { "org_id = ?1" } else { "?1 IS NULL" };
    let found = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM truth_pages WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT ?2"
        ))?
        .query_map(params![org_id.map(|id| id.to_string()), limit], page)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

pub(crate) fn bytes(db: &Connection, org_id: Option<OrgId>) -> Result<u64> {
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
