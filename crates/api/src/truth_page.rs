//! Public pages that show an altered picture beside its original, without a key.
//!
//! A page has copies of the files that it shows, so that it stays when the media of its job expire. What it says is fixed when it is
//! published; whether the files are still those that were published is checked when it is shown.
mod check;
mod html;
mod publish;
mod view;

use aerie_domain::RateLimits;
use aerie_storage::Counted;

use crate::ApiState;
use crate::error::ApiError;
use crate::transport::{ClientAddress, client_network};

pub(crate) use html::{gone, page, too_many, unknown};
pub(crate) use publish::publish;
pub(crate) use view::TruthPageView;

/// Counts a request of a client; `Err` with the seconds to wait if it made too many.
pub(crate) async fn admit(state: &ApiState, client: Option<ClientAddress>) -> Result<Result<(), u32>, ApiError> {
    let Some(ClientAddress(address)) = client else { return Ok(Ok(())) };
    let counted = Counted::TruthPages(client_network(address));
    let per_minute = state.truth_pages.requests_per_minute;
    let rates = RateLimits { per_minute, per_day: per_minute.saturating_mul(24 * 60) };
    let verdict = state.limiter.request_admit(counted, rates).await?;
    Ok(verdict.retry_after.map_or(Ok(()), Err))
}
