//! Whether the role may do what the store does.

use aerie_storage::StoreError;
use deadpool_postgres::Client;

use crate::error::{Error, Result};
use crate::url::PostgresUrl;

/// Fails if the server is a standby, or the role may only read.
pub(crate) async fn check(client: &Client, url: &PostgresUrl) -> Result<()> {
    let row = client
        .query_one(
            "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on',
                 has_table_privilege('aerie.jobs', 'SELECT') AND has_table_privilege('aerie.jobs', 'INSERT')
                     AND has_table_privilege('aerie.jobs', 'UPDATE') AND has_table_privilege('aerie.jobs', 'DELETE')",
            &[],
        )
        .await?;
    let (is_standby, is_read_only, may_write): (bool, bool, bool) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let (server, role) = (url.server(), url.role());
    let why = match (is_standby, is_read_only, may_write) {
        (true, ..) => format!("{server} is a standby, which cannot be written to: name the primary"),
        (_, true, _) => format!(
            "transactions of the role `{role}` are read-only on {server}: use another role, or reset its setting \
             default_transaction_read_only"
        ),
        (.., false) => return Err(denied(url)),
        _ => return Ok(()),
    };
    Err(StoreError::Unusable(format!("[store] url: {why}")).into())
}

fn denied(url: &PostgresUrl) -> Error {
    let (role, database) = (url.role(), url.database());
    StoreError::Unusable(format!(
        "[store] url: the role `{role}` may not write to the database `{database}`: use the role that owns the schema \
         `aerie`, or let it create the schema (GRANT CREATE ON DATABASE \"{database}\" TO \"{role}\")"
    ))
    .into()
}
