//! Published packs. Changes wait for each other: they are few, and made by hand.

use aerie_domain::ContentHash;
use aerie_storage::{Lease, Pack, PackRefusal, PackStore, StoreError};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use crate::error::{Error, Result};
use crate::job_rows::HELD;
use crate::pool::{execute, row, rows};
use crate::rows::{parsed, time, time_or_none};
use crate::{PostgresStore, in_transaction, with_client};

#[async_trait]
impl PackStore for PostgresStore {
    async fn pack_add(&self, id: ContentHash, manifest: &str) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => add(db, id, manifest, self.time.given()))
    }

    async fn pack_publish(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => publish(db, id, self.time.given()))
    }

    async fn pack_use(&self, id: Option<ContentHash>) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => set_current(db, id, self.time.given()))
    }

    async fn pack_current(&self) -> Result<Option<ContentHash>, StoreError> {
        with_client!(self, db => current(db))
    }

    async fn pack_list(&self) -> Result<Vec<Pack>, StoreError> {
        with_client!(self, db => list(db))
    }

    async fn pack_remove(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError> {
        in_transaction!(self, db => remove(db, id, self.time.given()))
    }

    async fn pack_forget(&self, id: ContentHash) -> Result<(), StoreError> {
        with_client!(self, db => forget(db, id))
    }

    async fn job_pack_set(&self, held: &Lease, pack: Option<ContentHash>) -> Result<(), StoreError> {
        with_client!(self, db => set_pack(db, held, pack))
    }
}

async fn add(
    db: &Transaction<'_>,
    id: ContentHash,
    manifest: &str,
    given: Option<i64>,
) -> Result<Result<(), PackRefusal>> {
    lock(db).await?;
    let removing = "SELECT sha256 FROM packs WHERE removed_at IS NOT NULL ORDER BY sha256 = $1 DESC, sha256 LIMIT 1";
    if let Some(removing) = row(db, removing, &[&id.to_string()]).await? {
        return Ok(Err(PackRefusal::Removing(parsed(&removing, 0)?)));
    }
    let insert = "INSERT INTO packs (sha256, manifest, created_at) VALUES ($1, $2, now_ms($3)) ON CONFLICT DO NOTHING";
    execute(db, insert, &[&id.to_string(), &manifest, &given]).await?;
    Ok(Ok(()))
}

async fn publish(db: &Transaction<'_>, id: ContentHash, given: Option<i64>) -> Result<Result<(), PackRefusal>> {
    lock(db).await?;
    match find(db, id).await? {
        Err(refusal) => return Ok(Err(refusal)),
        Ok(Found { is_current: true, .. }) => return Ok(Ok(())),
        Ok(_) => {}
    }
    let publish = "UPDATE packs SET published_at = coalesce(published_at, now_ms($2)) WHERE sha256 = $1";
    execute(db, publish, &[&id.to_string(), &given]).await?;
    switch(db, Some(id), given).await?;
    Ok(Ok(()))
}

async fn set_current(
    db: &Transaction<'_>,
    id: Option<ContentHash>,
    given: Option<i64>,
) -> Result<Result<(), PackRefusal>> {
    lock(db).await?;
    if let Some(id) = id {
        match find(db, id).await? {
            Err(refusal) => return Ok(Err(refusal)),
            Ok(Found { is_current: true, .. }) => return Ok(Ok(())),
            Ok(Found { is_published: false, .. }) => return Ok(Err(PackRefusal::Incomplete)),
            Ok(_) => {}
        }
    }
    switch(db, id, given).await?;
    Ok(Ok(()))
}

async fn current(db: &impl GenericClient) -> Result<Option<ContentHash>> {
    let found = row(db, "SELECT sha256 FROM packs WHERE current_since IS NOT NULL", &[]).await?;
    found.map(|row| parsed(&row, 0)).transpose()
}

async fn list(db: &impl GenericClient) -> Result<Vec<Pack>> {
    let statement =
        "SELECT sha256, manifest, created_at, published_at, current_since, removed_at IS NOT NULL FROM packs
                     ORDER BY created_at DESC, sha256";
    let found = rows(db, statement, &[]).await?;
    let pack = |row: &Row| {
        Ok::<_, Error>(Pack {
            id: parsed(row, 0)?,
            manifest: row.try_get(1)?,
            created_at: time(row, 2)?,
            published_at: time_or_none(row, 3)?,
            current_since: time_or_none(row, 4)?,
            is_removed: row.try_get(5)?,
        })
    };
    found.iter().map(pack).collect()
}

async fn remove(db: &Transaction<'_>, id: ContentHash, given: Option<i64>) -> Result<Result<(), PackRefusal>> {
    lock(db).await?;
    match find(db, id).await? {
        Err(refusal @ PackRefusal::NotFound) => return Ok(Err(refusal)),
        Ok(Found { is_current: true, .. }) => return Ok(Err(PackRefusal::Current)),
        _ => {}
    }
    let remove = "UPDATE packs SET removed_at = coalesce(removed_at, now_ms($2)) WHERE sha256 = $1";
    execute(db, remove, &[&id.to_string(), &given]).await?;
    Ok(Ok(()))
}

async fn forget(db: &impl GenericClient, id: ContentHash) -> Result<()> {
    execute(db, "DELETE FROM packs WHERE sha256 = $1 AND removed_at IS NOT NULL", &[&id.to_string()]).await?;
    Ok(())
}

/// Lets readers go on, and other changes wait.
async fn lock(db: &Transaction<'_>) -> Result<()> {
    Ok(db.batch_execute("LOCK TABLE packs IN SHARE ROW EXCLUSIVE MODE").await?)
}

/// What is known about a pack that is not being removed.
struct Found {
    is_published: bool,
    is_current: bool,
}

async fn find(db: &Transaction<'_>, id: ContentHash) -> Result<Result<Found, PackRefusal>> {
    let statement = "SELECT removed_at IS NOT NULL, published_at IS NOT NULL, current_since IS NOT NULL FROM packs
                     WHERE sha256 = $1";
    let Some(found) = row(db, statement, &[&id.to_string()]).await? else { return Ok(Err(PackRefusal::NotFound)) };
    if found.try_get(0)? {
        return Ok(Err(PackRefusal::Removing(id)));
    }
    Ok(Ok(Found { is_published: found.try_get(1)?, is_current: found.try_get(2)? }))
}

async fn switch(db: &Transaction<'_>, id: Option<ContentHash>, given: Option<i64>) -> Result<()> {
    execute(db, "UPDATE packs SET current_since = NULL WHERE current_since IS NOT NULL", &[]).await?;
    if let Some(id) = id {
        let switch = "UPDATE packs SET current_since = now_ms($2) WHERE sha256 = $1";
        execute(db, switch, &[&id.to_string(), &given]).await?;
    }
    Ok(())
}

/// Records which published pack the run reads.
async fn set_pack(db: &impl GenericClient, held: &Lease, pack: Option<ContentHash>) -> Result<()> {
    let statement = format!("UPDATE jobs SET pack = $4 WHERE {HELD}");
    let (attempt, pack) = (i64::from(held.attempt), pack.map(|pack| pack.to_string()));
    let changed = execute(db, &statement, &[&held.job_id.0, &held.worker, &attempt, &pack]).await?;
    if changed == 0 { Err(StoreError::LeaseLost.into()) } else { Ok(()) }
}
