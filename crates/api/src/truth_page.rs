//! Public pages that show an altered picture beside its original, without a key.
//!
//! A page has copies of the files that it shows, so that it stays when the media of its job expire. What it says is fixed when it is
//! published; whether the files are still those that were published is checked when it is shown.
mod check;
mod html;
mod publish;
mod view;

use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{KeyId, RateLimits};
use async_trait::async_trait;
use sha2::{Digest, Sha256};

use crate::ApiState;
use crate::error::ApiError;
use crate::transport::{ClientAddress, client_network};

use check::Checked;
pub(crate) use html::{Shown, gone, page, too_many, unknown};
pub(crate) use publish::publish;
pub(crate) use view::TruthPageView;

/// Settings of the pages, and what is known about their files.
pub struct TruthPages {
    /// Scheme and authority of their addresses, without a trailing slash.
    pub public_url: String,
    /// How long a page is kept; `None`: until it is erased.
    pub keep: Option<Duration>,
    /// Requests for pages and their files in any 60 seconds from one client address.
    pub requests_per_minute: u32,
    /// Checks Content Credentials.
    pub verifying: Arc<dyn Verifying>,
    /// What was found out about files a moment ago.
    pub(crate) checked: Checked,
}

impl TruthPages {
    /// Pages at this address.
    #[must_use]
    pub fn new(
        public_url: String,
        keep: Option<Duration>,
        requests_per_minute: u32,
        verifying: Arc<dyn Verifying>,
    ) -> Self {
        Self { public_url, keep, requests_per_minute, verifying, checked: Checked::default() }
    }

    /// The address of the page with this code.
    pub(crate) fn url(&self, code: &str) -> String {
        format!("{}/t/{code}", self.public_url)
    }
}

/// Checks the Content Credentials of stored media. It runs outside this process, which parses no manifests of untrusted files.
#[async_trait]
pub trait Verifying: Send + Sync {
    /// Returns, within seconds, what the Content Credentials of the media under `key` are worth.
    async fn verify(&self, key: &str) -> CredentialsCheck;
}

/// What Content Credentials are worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CredentialsCheck {
    /// The file has none.
    None,
    /// The file is as it was signed, by a signer of this service or another one who is trusted.
    Trusted(Option<String>),
    /// The file is as it was signed, by a signer who is not known here.
    Valid(Option<String>),
    /// The file was changed after it was signed.
    Changed,
    /// They are malformed or expired.
    Invalid,
    /// They could not be checked.
    Unknown,
}

/// Counts a request of a client; `Err` with the seconds to wait if it made too many.
pub(crate) async fn admit(state: &ApiState, client: Option<ClientAddress>) -> Result<Result<(), u32>, ApiError> {
    let Some(ClientAddress(address)) = client else { return Ok(Ok(())) };
    let digest = Sha256::digest(format!("truth pages {}", client_network(address)));
    let (id, _) = digest.split_at(16);
    // An id that no key has.
    let counted = KeyId(uuid::Uuid::from_slice(id).map_err(ApiError::internal)?);
    let per_minute = state.truth_pages.requests_per_minute;
    let rates = RateLimits { per_minute, per_day: per_minute.saturating_mul(24 * 60) };
    let verdict = state.limiter.request_admit(counted, rates).await?;
    Ok(verdict.retry_after.map_or(Ok(()), Err))
}
