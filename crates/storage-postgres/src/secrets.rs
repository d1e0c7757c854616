//! Secrets that all processes share.

use aerie_storage::{LinkSecret, StoreError};
use deadpool_postgres::GenericClient;

use crate::error::{Error, Result};
use crate::pool::{execute, row};

const LINKS: &str = "media_links";

pub(crate) async fn init_link_secret(
    db: &impl GenericClient,
    proposed: &LinkSecret,
    given: Option<i64>,
) -> Result<LinkSecret> {
    let statement = "INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, now_ms($3)) ON CONFLICT DO NOTHING";
    let value: &[u8] = proposed.reveal();
    execute(db, statement, &[&LINKS, &value, &given]).await?;
    let malformed = || Error(StoreError::Backend("the secret that signs links does not have 32 bytes".to_owned()));
    let found = row(db, "SELECT value FROM secrets WHERE name = $1", &[&LINKS]).await?.ok_or_else(malformed)?;
    let secret: &[u8] = found.try_get(0)?;
    Ok(LinkSecret::new(secret.try_into().map_err(|_| malformed())?))
}
