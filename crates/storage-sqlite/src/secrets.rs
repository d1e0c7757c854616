//! Secrets that all processes share.

use aerie_storage::{AuthoritySecret, LinkSecret, StoreError};
use rusqlite::{Connection, params};

use crate::error::Result;

/// The name of the secret that signs links.
const LINKS: &str = "media_links";
const AUTHORITY: &str = "credentials_authority";

pub(crate) fn init_link_secret(db: &Connection, proposed: &LinkSecret, now: i64) -> Result<LinkSecret> {
    let secret = init(db, LINKS, proposed.reveal(), now)?;
    let malformed = |_| StoreError::Backend("the secret that signs links does not have 32 bytes".to_owned());
    Ok(LinkSecret::new(secret.try_into().map_err(malformed)?))
}

pub(crate) fn init_authority(db: &Connection, proposed: &AuthoritySecret, now: i64) -> Result<AuthoritySecret> {
    let pem = init(db, AUTHORITY, proposed.reveal().as_bytes(), now)?;
    let malformed = |_| StoreError::Backend("the stored certificate authority is damaged".to_owned());
    Ok(AuthoritySecret::new(String::from_utf8(pem).map_err(malformed)?))
}

/// Stores a secret, unless there is one of that name; returns the stored one.
fn init(db: &Connection, name: &str, proposed: &[u8], now: i64) -> Result<Vec<u8>> {
    db.prepare_cached("INSERT INTO secrets (name, value, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![name, proposed, now])?;
    Ok(db.prepare_cached("SELECT value FROM secrets WHERE name = ?1")?.query_row([name], |row| row.get(0))?)
}
