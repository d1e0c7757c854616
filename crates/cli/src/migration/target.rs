//! Errors of the database to migrate to.

use aerie_storage::StoreError;

/// An error of the target, with the option to correct instead of the configuration's key.
pub(crate) fn of_target(error: StoreError) -> anyhow::Error {
    anyhow::anyhow!("{}", error.to_string().replace("[store] url", "--to"))
}
