//! Keys of operators.

use aerie_domain::{KeyHash, OperatorKey, OperatorKeyId, OperatorKeyRecord};
use aerie_storage::{OperatorStore, StoreError};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::SqliteStore;
use crate::error::Result;
use crate::rows::{parsed, time, time_or_none};

#[async_trait]
impl OperatorStore for SqliteStore {
    async fn operator_key_create(
        &self,
        key: &OperatorKey,
        name: &str,
        expires_at: Option<Timestamp>,
    ) -> Result<OperatorKeyRecord, StoreError> {
        let (hash, now) = (key.hash(), self.clock.now());
        let (id, name, hint) = (OperatorKeyId::new(now), name.to_owned(), key.hint());
        let created = OperatorKeyRecord { id, name, hint, created_at: now, expires_at, revoked_at: None };
        self.writer.write(move |db| create(db, hash, created)).await
    }

    async fn operator_key_list(&self) -> Result<Vec<OperatorKeyRecord>, StoreError> {
        self.readers.read(list).await
    }

    async fn operator_key_revoke(&self, id: OperatorKeyId) -> Result<bool, StoreError> {
        let now = self.now();
        self.writer.write(move |db| revoke(db, id, now)).await
    }

    async fn operator_key_find(&self, hash: KeyHash) -> Result<Option<OperatorKeyRecord>, StoreError> {
        let now = self.now();
        self.readers.look_up(move |db| find(db, hash, now)).await
    }
}

const COLUMNS: &str = "id, name, hint, created_at, expires_at, revoked_at";

fn key(row: &Row<'_>) -> rusqlite::Result<OperatorKeyRecord> {
    Ok(OperatorKeyRecord {
        id: parsed(row, 0)?,
        name: row.get(1)?,
        hint: row.get(2)?,
        created_at: time(row, 3)?,
        expires_at: time_or_none(row, 4)?,
        revoked_at: time_or_none(row, 5)?,
    })
}

fn create(db: &Connection, hash: KeyHash, created: OperatorKeyRecord) -> Result<OperatorKeyRecord> {
    db.prepare_cached(
        "INSERT INTO operator_keys (id, hash, name, hint, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        created.id.to_string(),
        hash.0,
        created.name,
        created.hint,
        created.created_at.as_millisecond(),
        created.expires_at.map(Timestamp::as_millisecond),
    ])?;
    Ok(created)
}

fn list(db: &Connection) -> Result<Vec<OperatorKeyRecord>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM operator_keys ORDER BY created_at, id"))?
        .query_map([], key)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn revoke(db: &Connection, id: OperatorKeyId, now: i64) -> Result<bool> {
    let changed = db
        .prepare_cached("UPDATE operator_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1")?
        .execute(params![id.to_string(), now])?;
    Ok(changed > 0)
}

fn find(db: &Connection, hash: KeyHash, now: i64) -> Result<Option<OperatorKeyRecord>> {
    let found = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM operator_keys
             WHERE hash = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)"
        ))?
        .query_row(params![hash.0, now], key)
        .optional()?;
    Ok(found)
}
