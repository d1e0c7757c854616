//! Public pages that show altered pictures beside their originals.

use aerie_domain::{JobId, OrgId, TruthPageId};
use aerie_storage::backend::milliseconds;
use aerie_storage::{NewTruthPage, StoreError, TruthPage, TruthPageHeld, TruthPageStore};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::error::{Error, Result};
use crate::pool::{execute, row, rows};
use crate::rows::{json, number, time, time_or_none};
use crate::{PostgresStore, in_transaction, with_client};

#[async_trait]
impl TruthPageStore for PostgresStore {
    async fn truth_page_create(&self, new: NewTruthPage) -> Result<TruthPage, StoreError> {
        in_transaction!(self, db => create(db, &new, self.time.given()))
    }

    async fn truth_page_of_job(&self, org_id: OrgId, job_id: JobId) -> Result<Option<TruthPage>, StoreError> {
        with_client!(self, db => one(db, OF_JOB, &[&org_id.0, &job_id.0]))
    }

    async fn truth_page_find(&self, code: &str) -> Result<Option<TruthPage>, StoreError> {
        with_client!(self, db => one(db, "code = $1", &[&code]))
    }

    async fn truth_page_revoke(
        &self,
        org_id: OrgId,
        job_id: JobId,
        erases: bool,
    ) -> Result<Option<Result<TruthPage, TruthPageHeld>>, StoreError> {
        in_transaction!(self, db => async {
            revoke(db, (org_id, job_id), erases, self.time.now(db).await?.as_millisecond()).await
        })
    }

    async fn truth_page_hold(&self, code: &str, is_held: bool) -> Result<Option<TruthPage>, StoreError> {
        with_client!(self, db => hold(db, code, is_held, self.time.given()))
    }

    async fn truth_page_list(&self, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>, StoreError> {
        with_client!(self, db => list(db, org_id, limit))
    }

    async fn truth_page_erase_all(&self, org_id: OrgId) -> Result<Vec<TruthPage>, StoreError> {
        in_transaction!(self, db => async {
            let now = self.time.now(db).await?.as_millisecond();
            erase_where(db, "org_id = $1 AND erased_at IS NULL AND held_at IS NULL", &[&org_id.0], now).await
        })
    }

    async fn truth_page_expire(&self, limit: u32) -> Result<usize, StoreError> {
        in_transaction!(self, db => async {
            let now = self.time.now(db).await?.as_millisecond();
            let condition = "expires_at <= $1 AND erased_at IS NULL AND held_at IS NULL ORDER BY expires_at LIMIT $2";
            erase_where(db, condition, &[&now, &i64::from(limit)], now).await.map(|erased| erased.len())
        })
    }

    async fn truth_page_files(&self, org_id: OrgId, id: TruthPageId) -> Result<Vec<String>, StoreError> {
        let found = with_client!(self, db => one(db, "org_id = $1 AND id = $2", &[&org_id.0, &id.0]))?;
        Ok(found.into_iter().flat_map(|page| page.files).map(|file| file.key).collect())
    }

    async fn truth_page_bytes(&self, org_id: Option<OrgId>) -> Result<u64, StoreError> {
        with_client!(self, db => bytes(db, org_id))
    }
}

const COLUMNS: &str = "id, org_id, job_id, code, facts, files, bytes, indexable, created_at, expires_at, revoked_at, \
                       erased_at, held_at";

/// Of all pages of a job, that which is shown, or else the newest.
const OF_JOB: &str = "org_id = $1 AND job_id = $2 ORDER BY revoked_at IS NOT NULL, created_at DESC, id DESC LIMIT 1";

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

async fn create(db: &Transaction<'_>, new: &NewTruthPage, given: Option<i64>) -> Result<TruthPage> {
    let bytes: u64 = new.files.iter().map(|file| file.size).sum();
    let statement = format!(
        "INSERT INTO truth_pages (id, org_id, job_id, code, facts, files, bytes, indexable, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now_ms($9), now_ms($9) + $10::bigint)
         ON CONFLICT (job_id) WHERE revoked_at IS NULL DO NOTHING RETURNING {COLUMNS}"
    );
    let (facts, files) = (new.facts.to_string(), serde_json::to_string(&new.files)?);
    let (bytes, keep) = (i64::try_from(bytes).unwrap_or(i64::MAX), new.keep.map(milliseconds));
    let values: Values<'_> =
        &[&new.id.0, &new.org_id.0, &new.job_id.0, &new.code, &facts, &files, &bytes, &new.indexable, &given, &keep];
    if let Some(created) = row(db, &statement, values).await? {
        return page(&created);
    }
    let shown = one(db, "org_id = $1 AND job_id = $2 AND revoked_at IS NULL", &[&new.org_id.0, &new.job_id.0]).await?;
    // It was revoked between the two statements: the client tries again.
    shown.ok_or(Error(StoreError::Busy))
}

async fn one(db: &impl GenericClient, condition: &str, values: Values<'_>) -> Result<Option<TruthPage>> {
    let found = row(db, &format!("SELECT {COLUMNS} FROM truth_pages WHERE {condition}"), values).await?;
    found.map(|row| page(&row)).transpose()
}

async fn revoke(
    db: &Transaction<'_>,
    (org_id, job_id): (OrgId, JobId),
    erases: bool,
    now: i64,
) -> Result<Option<Result<TruthPage, TruthPageHeld>>> {
    let Some(found) = one(db, OF_JOB, &[&org_id.0, &job_id.0]).await? else { return Ok(None) };
    let statement =
        format!("UPDATE truth_pages SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING {COLUMNS}");
    let Some(revoked) = row(db, &statement, &[&found.id.0, &now]).await? else { return Ok(None) };
    let revoked = page(&revoked)?;
    Ok(Some(match erases {
        true if revoked.held_at.is_some() => Err(TruthPageHeld(revoked)),
        true if revoked.erased_at.is_none() => Ok(erase(db, &revoked, now).await?),
        _ => Ok(revoked),
    }))
}

/// Erases the pages of a job that are not held.
pub(crate) async fn erase_of_job(db: &Transaction<'_>, job_id: JobId, now: i64) -> Result<()> {
    erase_where(db, "job_id = $1 AND erased_at IS NULL AND held_at IS NULL", &[&job_id.0], now).await?;
    Ok(())
}

async fn erase_where(db: &Transaction<'_>, condition: &str, values: Values<'_>, now: i64) -> Result<Vec<TruthPage>> {
    let statement = format!("SELECT {COLUMNS} FROM truth_pages WHERE {condition} FOR UPDATE SKIP LOCKED");
    let mut erased = Vec::new();
    for found in rows(db, &statement, values).await? {
        erased.push(erase(db, &page(&found)?, now).await?);
    }
    Ok(erased)
}

/// Removes what a page shows, and notes its files.
async fn erase(db: &Transaction<'_>, erased: &TruthPage, now: i64) -> Result<TruthPage> {
    let noted = "INSERT INTO leftovers AS noted (job_id, org_id, due_at) VALUES ($1, $2, $3)
                 ON CONFLICT (job_id) DO UPDATE SET due_at = least(noted.due_at, excluded.due_at)";
    execute(db, noted, &[&erased.id.0, &erased.org_id.0, &now]).await?;
    let statement = format!(
        "UPDATE truth_pages SET facts = 'null', files = '[]', bytes = 0, erased_at = $2,
             revoked_at = coalesce(revoked_at, $2)
         WHERE id = $1 RETURNING {COLUMNS}"
    );
    let row = row(db, &statement, &[&erased.id.0, &now]).await?;
    row.map_or(Ok(erased.clone()), |row| page(&row))
}

async fn hold(db: &impl GenericClient, code: &str, is_held: bool, given: Option<i64>) -> Result<Option<TruthPage>> {
    let statement = format!(
        "UPDATE truth_pages SET held_at = CASE WHEN $2 THEN coalesce(held_at, now_ms($3)) END WHERE code = $1
         RETURNING {COLUMNS}"
    );
    row(db, &statement, &[&code, &is_held, &given]).await?.map(|row| page(&row)).transpose()
}

async fn list(db: &impl GenericClient, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM truth_pages WHERE $1::uuid IS NULL OR org_id = $1
         ORDER BY created_at DESC, id DESC LIMIT $2"
    );
    let found = rows(db, &statement, &[&org_id.map(|id| id.0), &i64::from(limit)]).await?;
    found.iter().map(page).collect()
}

async fn bytes(db: &impl GenericClient, org_id: Option<OrgId>) -> Result<u64> {
    let statement = "SELECT coalesce(sum(bytes), 0)::bigint FROM truth_pages WHERE $1::uuid IS NULL OR org_id = $1";
    row(db, statement, &[&org_id.map(|id| id.0)]).await?.map_or(Ok(0), |row| number(&row, 0))
}

fn page(row: &Row) -> Result<TruthPage> {
    Ok(TruthPage {
        id: TruthPageId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        job_id: JobId(row.try_get(2)?),
        code: row.try_get(3)?,
        facts: json(row, 4)?,
        files: json(row, 5)?,
        bytes: number(row, 6)?,
        indexable: row.try_get(7)?,
        created_at: time(row, 8)?,
        expires_at: time_or_none(row, 9)?,
        revoked_at: time_or_none(row, 10)?,
        erased_at: time_or_none(row, 11)?,
        held_at: time_or_none(row, 12)?,
    })
}
