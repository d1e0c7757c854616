//! Whether the files of a page are still those that were published.

use aerie_storage::{MediaError, TruthPageFile};
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::truth_pages::FileCheck;
use crate::{ApiState, CredentialsCheck};

/// Files that are checked at once.
static CHECKING: Semaphore = Semaphore::const_new(4);

/// Checks a file.
pub(super) async fn check(
    state: &ApiState,
    file: &TruthPageFile,
    has_credentials: bool,
) -> Result<FileCheck, ApiError> {
    let found = match state.media.media_head(&file.key).await {
        Ok(found) => found,
        Err(MediaError::NotFound) => {
            return Ok(FileCheck { is_unchanged: None, credentials: CredentialsCheck::Unknown });
        }
        Err(error) => return Err(error.into()),
    };
    let version = (file.key.clone(), found.etag);
    if let Some(known) = state.truth_pages.checked.recall(&version) {
        return Ok(known);
    }
    let _turn = CHECKING.acquire().await.map_err(ApiError::internal)?;
    let is_unchanged = match hash(state, &file.key).await {
        Ok(hash) => hash == file.sha256,
        // A store that keeps checksums of its own has found the change.
        Err(MediaError::Damaged(_)) => false,
        Err(error) => return Err(error.into()),
    };
    let credentials = match has_credentials {
        true => state.truth_pages.verifying.verify(&file.key).await,
        false => CredentialsCheck::None,
    };
    let check = FileCheck { is_unchanged: Some(is_unchanged), credentials };
    state.truth_pages.checked.note(version, check.clone());
    Ok(check)
}

/// SHA-256 of stored media, hexadecimal.
async fn hash(state: &ApiState, key: &str) -> Result<String, MediaError> {
    let mut media = state.media.media_get(key, None).await?;
    let mut digest = Sha256::new();
    while let Some(bytes) = media.content.try_next().await? {
        digest.update(&bytes);
    }
    Ok(hex(&digest.finalize()))
}

/// Bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
