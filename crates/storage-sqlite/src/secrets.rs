//! Secrets that all processes share.

use aerie_storage::{LinkSecret, StoreError};
use rusqlite::{Connection, params};

use crate::error::Result;

pub(crate) const TABLE: &str = "secrets";

/// The name of the secret that signs links.
pub(crate) const LINKS: &str = "media_links";

pub(crate) fn has_link_secret(db: &Connection) -> Result<bool> {
    Ok(db.query_row("SELECT EXISTS (SELECT 1 FROM secrets WHERE name = ?1)", [LINKS], |row| row.get(0))?)
}

pub(crate) fn init_link_secret(db: &Connection, proposed: &LinkSecret, now: i64) -> Result<LinkSecret> {
    db.prepare_cached("INSERT INTO secrets (name, value, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![LINKS, proposed.reveal(), now])?;
    let secret: Vec<u8> =
        db.prepare_cached("SELECT value FROM secrets WHERE name = ?1")?.query_row([LINKS], |row| row.get(0))?;
    let malformed = |_| StoreError::Backend("the secret that signs links does not have 32 bytes".to_owned());
    Ok(LinkSecret::new(secret.try_into().map_err(malformed)?))
}
