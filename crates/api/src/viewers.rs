//! Requests of viewers of a share link, who have no key: which link they have, and how many requests they may make.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{ShareLink, ShareLinkId, ShareStatus, ShareToken};
use aerie_storage::Debtor;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;

use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::transport::{ClientAddress, client_network};
use crate::{ApiState, share_links};

/// Requests in a minute from one network, and through one link.
const FROM_ONE_NETWORK: u32 = 120;
const THROUGH_ONE_LINK: u32 = 600;
/// Decisions and comments in a minute through one link.
const REVIEWS: u32 = 60;

/// Each request costs its share of a minute. A debt of more than a minute refuses requests until it has shrunk.
const CREDIT: Duration = Duration::from_secs(60);
const MAX_DEBT: Duration = Duration::from_secs(62);

/// A viewer whose request is counted against their network.
pub(crate) struct Viewer;

impl FromRequestParts<Arc<ApiState>> for Viewer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<ApiState>) -> Result<Self, ApiError> {
        if let Some(ClientAddress(address)) = parts.extensions.get() {
            count(state, Debtor::Viewers(client_network(*address)), FROM_ONE_NETWORK).await?;
        }
        Ok(Self)
    }
}

/// The token in the path; `None` if it has another form.
pub(crate) struct TokenPath(Option<ShareToken>);

impl<S: Send + Sync> FromRequestParts<S> for TokenPath {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let parameters = RawPathParams::from_request_parts(parts, state).await.ok();
        let token = parameters.as_ref().and_then(|all| all.iter().find(|(name, _)| *name == "token"));
        Ok(Self(token.and_then(|(_, token)| ShareToken::parse(token).ok())))
    }
}

impl TokenPath {
    /// The token; empty if it has another form.
    pub(crate) fn text(&self) -> String {
        self.0.as_ref().map(|token| token.reveal().to_owned()).unwrap_or_default()
    }

    /// The link, if it works.
    pub(crate) async fn link(self, state: &ApiState) -> Result<ShareLink, ApiError> {
        let token = self.0.ok_or_else(share_links::unknown)?;
        let link = state.store.share_link_find(token.hash()).await?.ok_or_else(share_links::unknown)?;
        count(state, Debtor::ShareLink(link.id), THROUGH_ONE_LINK).await?;
        match link.status {
            ShareStatus::Active => Ok(link),
            ShareStatus::Expired | ShareStatus::Revoked => Err(ApiError::new(ApiErrorCode::ShareLinkGone)),
        }
    }
}

/// Counts a decision or a comment.
pub(crate) async fn count_review(state: &ApiState, link: ShareLinkId) -> Result<(), ApiError> {
    count(state, Debtor::Reviews(link), REVIEWS).await
}

/// Counts a request, or refuses it. All nodes count together.
async fn count(state: &ApiState, debtor: Debtor, per_minute: u32) -> Result<(), ApiError> {
    let debt = state.limiter.debt_add(debtor, CREDIT / per_minute, MAX_DEBT).await?;
    let wait = debt.saturating_sub(CREDIT);
    if wait.is_zero() {
        return Ok(());
    }
    let seconds = u32::try_from(wait.as_secs()).unwrap_or(1) + 1;
    let message = format!("There may be {per_minute} such requests in a minute; try again in {seconds} s");
    Err(ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(seconds))
}
