//! Keys of operators.

use aerie_domain::{KeyHash, OperatorKey, OperatorKeyId, OperatorKeyRecord};
use aerie_storage::{OperatorStore, StoreError};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::error::Result;
use crate::pool::{execute, row, rows};
use crate::rows::{time, time_or_none};
use crate::{PostgresStore, with_client};

#[async_trait]
impl OperatorStore for PostgresStore {
    async fn operator_key_create(
        &self,
        key: &OperatorKey,
        name: &str,
        expires_at: Option<Timestamp>,
    ) -> Result<OperatorKeyRecord, StoreError> {
        with_client!(self, db => async { create(db, key, name, expires_at, self.time.now(db).await?).await })
    }

    async fn operator_key_list(&self) -> Result<Vec<OperatorKeyRecord>, StoreError> {
        with_client!(self, db => list(db))
    }

    async fn operator_key_revoke(&self, id: OperatorKeyId) -> Result<bool, StoreError> {
        with_client!(self, db => revoke(db, id, self.time.given()))
    }

    async fn operator_key_find(&self, hash: KeyHash) -> Result<Option<OperatorKeyRecord>, StoreError> {
        with_client!(self, db => find(db, hash, self.time.given()))
    }
}

const COLUMNS: &str = "id, name, hint, created_at, expires_at, revoked_at";

fn key(row: &Row) -> Result<OperatorKeyRecord> {
    Ok(OperatorKeyRecord {
        id: OperatorKeyId(row.try_get(0)?),
        name: row.try_get(1)?,
        hint: row.try_get(2)?,
        created_at: time(row, 3)?,
        expires_at: time_or_none(row, 4)?,
        revoked_at: time_or_none(row, 5)?,
    })
}

async fn create(
    db: &impl GenericClient,
    key: &OperatorKey,
    name: &str,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<OperatorKeyRecord> {
    let (id, name, hint) = (OperatorKeyId::new(now), name.to_owned(), key.hint());
    let created = OperatorKeyRecord { id, name, hint, created_at: now, expires_at, revoked_at: None };
    let statement = "INSERT INTO operator_keys (id, hash, name, hint, created_at, expires_at)
                     VALUES ($1, $2, $3, $4, $5, $6)";
    let hash = key.hash();
    let hash: &[u8] = &hash.0;
    let (now, expires_at) = (now.as_millisecond(), expires_at.map(Timestamp::as_millisecond));
    execute(db, statement, &[&id.0, &hash, &created.name, &created.hint, &now, &expires_at]).await?;
    Ok(created)
}

async fn list(db: &impl GenericClient) -> Result<Vec<OperatorKeyRecord>> {
    let statement = format!("SELECT {COLUMNS} FROM operator_keys ORDER BY created_at, id");
    rows(db, &statement, &[]).await?.iter().map(key).collect()
}

async fn revoke(db: &impl GenericClient, id: OperatorKeyId, given: Option<i64>) -> Result<bool> {
    let statement = "UPDATE operator_keys SET revoked_at = coalesce(revoked_at, now_ms($2)) WHERE id = $1";
    Ok(execute(db, statement, &[&id.0, &given]).await? > 0)
}

async fn find(db: &impl GenericClient, hash: KeyHash, given: Option<i64>) -> Result<Option<OperatorKeyRecord>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM operator_keys
         WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now_ms($2))"
    );
    let hash: &[u8] = &hash.0;
    row(db, &statement, &[&hash, &given]).await?.as_ref().map(key).transpose()
}
