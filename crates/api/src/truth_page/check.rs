//! Whether the files of a page are still those that were published.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use aerie_storage::{MediaError, TruthPageFile};
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::CredentialsCheck;
use crate::ApiState;
use crate::error::ApiError;

/// How long a check counts: many requests for one page share it.
const COUNTS: Duration = Duration::from_secs(60);
/// Maximum number of checks that are remembered.
const MAX_REMEMBERED: usize = 10_000;
/// Files that are checked at once.
static CHECKING: Semaphore = Semaphore::const_new(4);

/// What was found out about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileCheck {
    /// Whether it has the SHA-256 that was recorded when it was published; `None` if it is missing.
    pub(crate) is_unchanged: Option<bool>,
    /// Its Content Credentials.
    pub(crate) credentials: CredentialsCheck,
}

/// What was found out about files a moment ago, by key and entity tag.
#[derive(Default)]
pub(crate) struct Checked(Mutex<HashMap<(String, String), (Instant, FileCheck)>>);

/// Checks a file.
pub(crate) async fn check(
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
    let known_as = (file.key.clone(), found.etag);
    if let Some(known) = recall(&state.truth_pages.checked, &known_as) {
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
    let mut checked = lock(&state.truth_pages.checked);
    if checked.len() >= MAX_REMEMBERED {
        checked.clear();
    }
    checked.insert(known_as, (Instant::now(), check.clone()));
    Ok(check)
}

fn recall(checked: &Checked, known_as: &(String, String)) -> Option<FileCheck> {
    let checked = lock(checked);
    let (at, check) = checked.get(known_as)?;
    (at.elapsed() < COUNTS).then(|| check.clone())
}

fn lock(checked: &Checked) -> std::sync::MutexGuard<'_, HashMap<(String, String), (Instant, FileCheck)>> {
    checked.0.lock().unwrap_or_else(PoisonError::into_inner)
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
