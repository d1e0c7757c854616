//! Secrets that all processes share.

use aerie_storage::{AuthoritySecret, LinkSecret, StoreError};
use deadpool_postgres::GenericClient;

use crate::error::{Error, Result};
use crate::pool::{execute, row};

const LINKS: &str = "media_links";
const AUTHORITY: &str = "credentials_authority";

pub(crate) async fn init_link_secret(
    db: &impl GenericClient,
    proposed: &LinkSecret,
    given: Option<i64>,
) -> Result<LinkSecret> {
    let malformed = || Error(StoreError::Backend("the secret that signs links does not have 32 bytes".to_owned()));
    let secret = init(db, LINKS, proposed.reveal(), given).await?.ok_or_else(malformed)?;
    Ok(LinkSecret::new(secret.try_into().map_err(|_| malformed())?))
}

pub(crate) async fn init_authority(
    db: &impl GenericClient,
    proposed: &AuthoritySecret,
    given: Option<i64>,
) -> Result<AuthoritySecret> {
    let malformed = || Error(StoreError::Backend("the stored certificate authority is damaged".to_owned()));
    let pem = init(db, AUTHORITY, proposed.reveal().as_bytes(), given).await?.ok_or_else(malformed)?;
    Ok(AuthoritySecret::new(String::from_utf8(pem).map_err(|_| malformed())?))
}

/// Stores a secret, unless there is one of that name; returns the stored one.
async fn init(db: &impl GenericClient, name: &str, proposed: &[u8], given: Option<i64>) -> Result<Option<Vec<u8>>> {
    let statement = "INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, now_ms($3)) ON CONFLICT DO NOTHING";
    execute(db, statement, &[&name, &proposed, &given]).await?;
    let found = row(db, "SELECT value FROM secrets WHERE name = $1", &[&name]).await?;
    Ok(found.map(|found| found.try_get(0)).transpose()?)
}
