//! Sessions of the console and of that for operators.

use std::time::Duration;

use aerie_domain::{KeyHash, SessionHash};
use aerie_storage::backend::milliseconds;
use aerie_storage::sessions::REMOVED_AT_ONCE;
use aerie_storage::{Audience, Session, SessionLimits, SessionStore, StoreError};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};

use crate::SqliteStore;
use crate::error::Result;

#[async_trait]
impl SessionStore for SqliteStore {
    async fn session_start(
        &self,
        of: Audience,
        id: SessionHash,
        key: KeyHash,
        limits: SessionLimits,
    ) -> Result<(), StoreError> {
        let now = self.now();
        self.writer.write(move |db| start(db, of.table(), (id, key), limits, now)).await
    }

    async fn session_find(
        &self,
        of: Audience,
        id: SessionHash,
        limits: SessionLimits,
    ) -> Result<Option<Session>, StoreError> {
        let now = self.now();
        self.readers.look_up(move |db| find(db, of.table(), id, limits, now)).await
    }

    async fn session_touch(&self, of: Audience, id: SessionHash) -> Result<(), StoreError> {
        let now = self.now();
        self.writer.write(move |db| touch(db, of.table(), id, now)).await
    }

    async fn session_end(&self, of: Audience, id: SessionHash) -> Result<bool, StoreError> {
        self.writer.write(move |db| end(db, of.table(), id)).await
    }
}

fn start(
    db: &Connection,
    table: &str,
    (id, key): (SessionHash, KeyHash),
    limits: SessionLimits,
    now: i64,
) -> Result<()> {
    db.prepare_cached(&format!(
        "DELETE FROM {table} WHERE id IN
             (SELECT id FROM {table} WHERE used_at <= ?1 OR started_at <= ?2 ORDER BY used_at LIMIT ?3)"
    ))?
    .execute(params![now - milliseconds(limits.idle), now - milliseconds(limits.longest), REMOVED_AT_ONCE])?;
    db.prepare_cached(&format!("INSERT INTO {table} (id, key_hash, started_at, used_at) VALUES (?1, ?2, ?3, ?3)"))?
        .execute(params![id.0, key.0, now])?;
    Ok(())
}

fn find(db: &Connection, table: &str, id: SessionHash, limits: SessionLimits, now: i64) -> Result<Option<Session>> {
    let found = db
        .prepare_cached(&format!(
            "SELECT key_hash, ?2 - used_at FROM {table} WHERE id = ?1 AND used_at > ?2 - ?3 AND started_at > ?2 - ?4"
        ))?
        .query_row(params![id.0, now, milliseconds(limits.idle), milliseconds(limits.longest)], |row| {
            let idle = Duration::from_millis(row.get::<_, i64>(1)?.try_into().unwrap_or(0));
            Ok(Session { key: KeyHash(row.get(0)?), idle })
        })
        .optional()?;
    Ok(found)
}

fn touch(db: &Connection, table: &str, id: SessionHash, now: i64) -> Result<()> {
    db.prepare_cached(&format!("UPDATE {table} SET used_at = ?2 WHERE id = ?1"))?.execute(params![id.0, now])?;
    Ok(())
}

fn end(db: &Connection, table: &str, id: SessionHash) -> Result<bool> {
    Ok(db.prepare_cached(&format!("DELETE FROM {table} WHERE id = ?1"))?.execute([id.0])? > 0)
}
