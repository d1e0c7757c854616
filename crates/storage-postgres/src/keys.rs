//! API keys.

use aerie_domain::{ApiKey, KeyHash, KeyId, KeyRecord, OrgId, Scopes};
use aerie_storage::Credentials;
use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::admission::lock;
use crate::error::Result;
use crate::organizations::{self, organization};
use crate::pool::{execute, row, rows};
use crate::rows::{number, parsed, time, time_or_none};

const COLUMNS: &str = "api_keys.id, org_id, hint, scopes, api_keys.created_at, expires_at, revoked_at";

fn key(row: &Row) -> Result<KeyRecord> {
    Ok(KeyRecord {
        id: KeyId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        hint: row.try_get(2)?,
        scopes: parsed(row, 3)?,
        created_at: time(row, 4)?,
        expires_at: time_or_none(row, 5)?,
        revoked_at: time_or_none(row, 6)?,
    })
}

pub(crate) async fn create(
    db: &impl GenericClient,
    org_id: OrgId,
    key: &ApiKey,
    (scopes, expires_at): (Scopes, Option<Timestamp>),
    now: Timestamp,
) -> Result<KeyRecord> {
    let (hint, hash) = (key.hint(), key.hash());
    let created =
        KeyRecord { id: KeyId::new(now), org_id, hint, scopes, created_at: now, expires_at, revoked_at: None };
    let statement = "INSERT INTO api_keys (id, org_id, hash, hint, scopes, created_at, expires_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let hash: &[u8] = &hash.0;
    let expires_at = expires_at.map(Timestamp::as_millisecond);
    let (scopes, now) = (scopes.to_string(), now.as_millisecond());
    execute(db, statement, &[&created.id.0, &org_id.0, &hash, &created.hint, &scopes, &now, &expires_at]).await?;
    Ok(created)
}

/// Creates a key unless there are `limit` active ones, one after the other under a lock of the organization's row.
pub(crate) async fn create_within(
    db: &Transaction<'_>,
    org_id: OrgId,
    key: &ApiKey,
    terms: (Scopes, Option<Timestamp>),
    (limit, given): (u32, Option<i64>),
) -> Result<Option<KeyRecord>> {
    let now = time(&lock(db, org_id, given).await?, 2)?;
    let statement = "SELECT count(*) FROM api_keys
                     WHERE org_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    let active = row(db, statement, &[&org_id.0, &now.as_millisecond()]).await?;
    if active.map_or(Ok(0), |row| number::<u32>(&row, 0))? >= limit {
        return Ok(None);
    }
    create(db, org_id, key, terms, now).await.map(Some)
}

pub(crate) async fn list(db: &impl GenericClient, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>> {
    let statement =
        format!("SELECT {COLUMNS} FROM api_keys WHERE $1::uuid IS NULL OR org_id = $1 ORDER BY created_at, id");
    let found = rows(db, &statement, &[&org_id.map(|id| id.0)]).await?;
    found.iter().map(key).collect()
}

pub(crate) async fn revoke(db: &impl GenericClient, id: KeyId, given: Option<i64>) -> Result<bool> {
    let statement = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, now_ms($2)) WHERE id = $1";
    Ok(execute(db, statement, &[&id.0, &given]).await? > 0)
}

pub(crate) async fn expire(db: &impl GenericClient, id: KeyId, at: Timestamp) -> Result<bool> {
    let statement = "UPDATE api_keys SET expires_at = $2 WHERE id = $1";
    Ok(execute(db, statement, &[&id.0, &at.as_millisecond()]).await? > 0)
}

pub(crate) async fn find(db: &impl GenericClient, hash: KeyHash, given: Option<i64>) -> Result<Option<Credentials>> {
    let orgs = organizations::COLUMNS;
    let statement = format!(
        "SELECT {COLUMNS}, {orgs} FROM api_keys JOIN organizations ON organizations.id = org_id
         WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now_ms($2))"
    );
    let hash: &[u8] = &hash.0;
    let found = row(db, &statement, &[&hash, &given]).await?;
    found.map(|row| Ok(Credentials { key: key(&row)?, org: organization(&row, 7)? })).transpose()
}
