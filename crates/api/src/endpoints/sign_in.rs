//! `POST /console/api/session`: exchanges an API key for a session of the console.

use std::sync::Arc;

use aerie_domain::kind::Presence;
use aerie_domain::{ApiErrorCode, ApiKey, Fields};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::console::SessionView;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::read_json;
use crate::transport::{Channel, ClientAddress};
use crate::{ApiState, bad_keys, sessions};

/// More characters than any key has.
const MAX_KEY: usize = 200;

pub(crate) async fn sign_in(State(state): State<Arc<ApiState>>, request: Request) -> Result<Response, ApiError> {
    sessions::check_site(request.headers())?;
    let address = request.extensions().get::<ClientAddress>().copied();
    let channel = request.extensions().get::<Channel>().copied().unwrap_or(Channel::Loopback);
    let before = request.headers().clone();
    let key = read_json(request, Presence::Required, |body| {
        Ok(Fields::of_body(body)?.required_text("key", MAX_KEY)?.trim().to_owned())
    })
    .await?;
    if let Some(seconds) = bad_keys::sign_in_again_in(&state.bad_keys, &*state.limiter, address).await {
        let message = "Too many attempts to sign in from this address; try again in a moment";
        return Err(ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(seconds));
    }
    let hash = ApiKey::parse(&key).ok().map(|key| key.hash());
    let found = match hash {
        Some(hash) => state.store.key_find(hash).await?.map(|credentials| (hash, credentials)),
        None => None,
    };
    let Some((hash, credentials)) = found else {
        let message = "`key` is not a valid API key: check that all of it was copied, and that it was not revoked";
        return Err(ApiError::with_message(ApiErrorCode::Unauthorized, message));
    };
    let token = sessions::start(&state, &before, hash).await?;
    tracing::info!(organization = %credentials.org.id, key = %credentials.key.id, "signed in to the console");
    let mut response = success(StatusCode::CREATED, SessionView::of(&state, &token, &credentials).await?);
    sessions::keep(&mut response, &token, channel);
    Ok(response)
}
