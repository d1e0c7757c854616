//! Sessions of the console.

use std::time::Duration;

use aerie_domain::{KeyHash, SessionHash};
use aerie_storage::backend::milliseconds;
use aerie_storage::sessions::REMOVED_AT_ONCE;
use aerie_storage::{Session, SessionLimits, SessionStore, StoreError};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;

use crate::error::{Error, Result};
use crate::pool::{execute, row};
use crate::rows::number;
use crate::{PostgresStore, in_transaction, with_client};

#[async_trait]
impl SessionStore for PostgresStore {
    async fn session_start(&self, id: SessionHash, key: KeyHash, limits: SessionLimits) -> Result<(), StoreError> {
        in_transaction!(self, db => start(db, id, key, limits, self.time.given()))
    }

    async fn session_find(&self, id: SessionHash, limits: SessionLimits) -> Result<Option<Session>, StoreError> {
        with_client!(self, db => find(db, id, limits, self.time.given()))
    }

    async fn session_touch(&self, id: SessionHash) -> Result<(), StoreError> {
        with_client!(self, db => touch(db, id, self.time.given()))
    }

    async fn session_end(&self, id: SessionHash) -> Result<bool, StoreError> {
        with_client!(self, db => end(db, id))
    }
}

async fn start(
    db: &impl GenericClient,
    id: SessionHash,
    key: KeyHash,
    limits: SessionLimits,
    given: Option<i64>,
) -> Result<()> {
    let (idle, longest) = (milliseconds(limits.idle), milliseconds(limits.longest));
    let over = "DELETE FROM sessions WHERE id IN
                    (SELECT id FROM sessions WHERE used_at <= now_ms($1) - $2 OR started_at <= now_ms($1) - $3
                     ORDER BY used_at LIMIT $4 FOR UPDATE SKIP LOCKED)";
    execute(db, over, &[&given, &idle, &longest, &i64::from(REMOVED_AT_ONCE)]).await?;
    let insert = "INSERT INTO sessions (id, key_hash, started_at, used_at) VALUES ($1, $2, now_ms($3), now_ms($3))";
    let (id, key): (&[u8], &[u8]) = (&id.0, &key.0);
    execute(db, insert, &[&id, &key, &given]).await?;
    Ok(())
}

async fn find(
    db: &impl GenericClient,
    id: SessionHash,
    limits: SessionLimits,
    given: Option<i64>,
) -> Result<Option<Session>> {
    let statement = "SELECT key_hash, greatest(now_ms($2) - used_at, 0) FROM sessions
                     WHERE id = $1 AND used_at > now_ms($2) - $3 AND started_at > now_ms($2) - $4";
    let id: &[u8] = &id.0;
    let (idle, longest) = (milliseconds(limits.idle), milliseconds(limits.longest));
    let Some(row) = row(db, statement, &[&id, &given, &idle, &longest]).await? else { return Ok(None) };
    let malformed = |_| Error(StoreError::Backend("the hash of a session's key does not have 32 bytes".to_owned()));
    let key: [u8; 32] = row.try_get::<_, &[u8]>(0)?.try_into().map_err(malformed)?;
    Ok(Some(Session { key: KeyHash(key), idle: Duration::from_millis(number(&row, 1)?) }))
}

async fn touch(db: &impl GenericClient, id: SessionHash, given: Option<i64>) -> Result<()> {
    let id: &[u8] = &id.0;
    execute(db, "UPDATE sessions SET used_at = now_ms($2) WHERE id = $1", &[&id, &given]).await?;
    Ok(())
}

async fn end(db: &impl GenericClient, id: SessionHash) -> Result<bool> {
    let id: &[u8] = &id.0;
    Ok(execute(db, "DELETE FROM sessions WHERE id = $1", &[&id]).await? > 0)
}
