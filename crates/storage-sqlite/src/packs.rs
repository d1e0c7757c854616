//! Published packs.

use aerie_domain::ContentHash;
use aerie_storage::{Lease, Pack, PackRefusal, PackStore, StoreError};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, named_params, params};

use crate::SqliteStore;
use crate::error::Result;
use crate::job_rows::HELD;
use crate::rows::{parsed, time, time_or_none};

#[async_trait]
impl PackStore for SqliteStore {
    async fn pack_add(&self, id: ContentHash, manifest: &str) -> Result<Result<(), PackRefusal>, StoreError> {
        let (manifest, now) = (manifest.to_owned(), self.now());
        self.writer.write(move |db| add(db, id, &manifest, now)).await
    }

    async fn pack_publish(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| publish(db, id, now)).await
    }

    async fn pack_use(&self, id: Option<ContentHash>) -> Result<Result<(), PackRefusal>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| set_current(db, id, now)).await
    }

    async fn pack_current(&self) -> Result<Option<ContentHash>, StoreError> {
        self.readers.look_up(current).await
    }

    async fn pack_list(&self) -> Result<Vec<Pack>, StoreError> {
        self.readers.read(list).await
    }

    async fn pack_remove(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| remove(db, id, now)).await
    }

    async fn pack_forget(&self, id: ContentHash) -> Result<(), StoreError> {
        self.writer.write(move |db| forget(db, id)).await
    }

    async fn job_pack_set(&self, held: &Lease, pack: Option<ContentHash>) -> Result<(), StoreError> {
        let held = held.clone();
        self.writer.write(move |db| set_pack(db, &held, pack)).await
    }
}

fn add(db: &Connection, id: ContentHash, manifest: &str, now: i64) -> Result<Result<(), PackRefusal>> {
    let removing = db
        .prepare_cached(
            "SELECT sha256 FROM packs WHERE removed_at IS NOT NULL ORDER BY sha256 = ?1 DESC, sha256 LIMIT 1",
        )?
        .query_row([id.to_string()], |row| parsed(row, 0))
        .optional()?;
    if let Some(removing) = removing {
        return Ok(Err(PackRefusal::Removing(removing)));
    }
    db.prepare_cached("INSERT INTO packs (sha256, manifest, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![id.to_string(), manifest, now])?;
    Ok(Ok(()))
}

fn publish(db: &Connection, id: ContentHash, now: i64) -> Result<Result<(), PackRefusal>> {
    match find(db, id)? {
        Err(refusal) => return Ok(Err(refusal)),
        Ok(Found { is_current: true, .. }) => return Ok(Ok(())),
        Ok(_) => {}
    }
    db.prepare_cached("UPDATE packs SET published_at = coalesce(published_at, ?2) WHERE sha256 = ?1")?
        .execute(params![id.to_string(), now])?;
    switch(db, Some(id), now)?;
    Ok(Ok(()))
}

fn set_current(db: &Connection, id: Option<ContentHash>, now: i64) -> Result<Result<(), PackRefusal>> {
    if let Some(id) = id {
        match find(db, id)? {
            Err(refusal) => return Ok(Err(refusal)),
            Ok(Found { is_current: true, .. }) => return Ok(Ok(())),
            Ok(Found { is_published: false, .. }) => return Ok(Err(PackRefusal::Incomplete)),
            Ok(_) => {}
        }
    }
    switch(db, id, now)?;
    Ok(Ok(()))
}

fn current(db: &Connection) -> Result<Option<ContentHash>> {
    let found = db
        .prepare_cached("SELECT sha256 FROM packs WHERE current_since IS NOT NULL")?
        .query_row([], |row| parsed(row, 0))
        .optional()?;
    Ok(found)
}

fn list(db: &Connection) -> Result<Vec<Pack>> {
    let found = db
        .prepare_cached(
            "SELECT sha256, manifest, created_at, published_at, current_since, removed_at IS NOT NULL FROM packs
             ORDER BY created_at DESC, sha256",
        )?
        .query_map([], |row| {
            Ok(Pack {
                id: parsed(row, 0)?,
                manifest: row.get(1)?,
                created_at: time(row, 2)?,
                published_at: time_or_none(row, 3)?,
                current_since: time_or_none(row, 4)?,
                is_removed: row.get(5)?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn remove(db: &Connection, id: ContentHash, now: i64) -> Result<Result<(), PackRefusal>> {
    match find(db, id)? {
        Err(refusal @ PackRefusal::NotFound) => return Ok(Err(refusal)),
        Ok(Found { is_current: true, .. }) => return Ok(Err(PackRefusal::Current)),
        _ => {}
    }
    db.prepare_cached("UPDATE packs SET removed_at = coalesce(removed_at, ?2) WHERE sha256 = ?1")?
        .execute(params![id.to_string(), now])?;
    Ok(Ok(()))
}

fn forget(db: &Connection, id: ContentHash) -> Result<()> {
    db.prepare_cached("DELETE FROM packs WHERE sha256 = ?1 AND removed_at IS NOT NULL")?.execute([id.to_string()])?;
    Ok(())
}

/// What is known about a pack that is not being removed.
struct Found {
    is_published: bool,
    is_current: bool,
}

fn find(db: &Connection, id: ContentHash) -> Result<Result<Found, PackRefusal>> {
    let found = db
        .prepare_cached(
            "SELECT removed_at IS NOT NULL, published_at IS NOT NULL, current_since IS NOT NULL FROM packs
             WHERE sha256 = ?1",
        )?
        .query_row([id.to_string()], |row| {
            let found = Found { is_published: row.get(1)?, is_current: row.get(2)? };
            Ok(if row.get(0)? { Err(PackRefusal::Removing(id)) } else { Ok(found) })
        })
        .optional()?;
    Ok(found.unwrap_or(Err(PackRefusal::NotFound)))
}

fn switch(db: &Connection, id: Option<ContentHash>, now: i64) -> Result<()> {
    db.prepare_cached("UPDATE packs SET current_since = NULL WHERE current_since IS NOT NULL")?.execute([])?;
    if let Some(id) = id {
        db.prepare_cached("UPDATE packs SET current_since = ?2 WHERE sha256 = ?1")?
            .execute(params![id.to_string(), now])?;
    }
    Ok(())
}

/// Records which published pack the run reads.
fn set_pack(db: &Connection, held: &Lease, pack: Option<ContentHash>) -> Result<()> {
    let changed = db.prepare_cached(&format!("UPDATE jobs SET pack = :pack WHERE {HELD}"))?.execute(named_params! {
        ":id": held.job_id.to_string(), ":worker": held.worker, ":attempt": held.attempt,
        ":pack": pack.map(|pack| pack.to_string()),
    })?;
    if changed == 0 { Err(StoreError::LeaseLost.into()) } else { Ok(()) }
}
