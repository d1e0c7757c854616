//! Sessions of the console and of that for operators.

use std::time::Duration;

use aerie_domain::{KeyHash, SessionHash};
use aerie_storage::backend::milliseconds;
use aerie_storage::sessions::REMOVED_AT_ONCE;
use aerie_storage::{Audience, Session, SessionLimits, SessionStore, StoreError};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;

use crate::error::{Error, Result};
use crate::pool::{execute, row};
use crate::rows::number;
use crate::{PostgresStore, in_transaction, with_client};

#[async_trait]
impl SessionStore for PostgresStore {
    async fn session_start(
        &self,
        of: Audience,
        id: SessionHash,
        key: KeyHash,
        limits: SessionLimits,
    ) -> Result<(), StoreError> {
        in_transaction!(self, db => start(db, of.table(), (id, key), limits, self.time.given()))
    }

    async fn session_find(
        &self,
        of: Audience,
        id: SessionHash,
        limits: SessionLimits,
    ) -> Result<Option<Session>, StoreError> {
        with_client!(self, db => find(db, of.table(), id, limits, self.time.given()))
    }

    async fn session_touch(&self, of: Audience, id: SessionHash) -> Result<(), StoreError> {
        with_client!(self, db => touch(db, of.table(), id, self.time.given()))
    }

    async fn session_end(&self, of: Audience, id: SessionHash) -> Result<bool, StoreError> {
        with_client!(self, db => end(db, of.table(), id))
    }
}

async fn start(
    db: &impl GenericClient,
    table: &str,
    (id, key): (SessionHash, KeyHash),
    limits: SessionLimits,
    given: Option<i64>,
) -> Result<()> {
    let (idle, longest) = (milliseconds(limits.idle), milliseconds(limits.longest));
    let over = format!(
        "DELETE FROM {table} WHERE id IN
             (SELECT id FROM {table} WHERE used_at <= now_ms($1) - $2 OR started_at <= now_ms($1) - $3
              ORDER BY used_at LIMIT $4 FOR UPDATE SKIP LOCKED)"
    );
    execute(db, &over, &[&given, &idle, &longest, &i64::from(REMOVED_AT_ONCE)]).await?;
    let insert =
        format!("INSERT INTO {table} (id, key_hash, started_at, used_at) VALUES ($1, $2, now_ms($3), now_ms($3))");
    let (id, key): (&[u8], &[u8]) = (&id.0, &key.0);
    execute(db, &insert, &[&id, &key, &given]).await?;
    Ok(())
}

async fn find(
    db: &impl GenericClient,
    table: &str,
    id: SessionHash,
    limits: SessionLimits,
    given: Option<i64>,
) -> Result<Option<Session>> {
    let statement = format!(
        "SELECT key_hash, greatest(now_ms($2) - used_at, 0) FROM {table}
         WHERE id = $1 AND used_at > now_ms($2) - $3 AND started_at > now_ms($2) - $4"
    );
    let id: &[u8] = &id.0;
    let (idle, longest) = (milliseconds(limits.idle), milliseconds(limits.longest));
    let Some(row) = row(db, &statement, &[&id, &given, &idle, &longest]).await? else { return Ok(None) };
    let malformed = |_| Error(StoreError::Backend("the hash of a session's key does not have 32 bytes".to_owned()));
    let key: [u8; 32] = row.try_get::<_, &[u8]>(0)?.try_into().map_err(malformed)?;
    Ok(Some(Session { key: KeyHash(key), idle: Duration::from_millis(number(&row, 1)?) }))
}

async fn touch(db: &impl GenericClient, table: &str, id: SessionHash, given: Option<i64>) -> Result<()> {
    let id: &[u8] = &id.0;
    let statement = format!("UPDATE {table} SET used_at = now_ms($2) WHERE id = $1");
    execute(db, &statement, &[&id, &given]).await?;
    Ok(())
}

async fn end(db: &impl GenericClient, table: &str, id: SessionHash) -> Result<bool> {
    let id: &[u8] = &id.0;
    Ok(execute(db, &format!("DELETE FROM {table} WHERE id = $1"), &[&id]).await? > 0)
}
