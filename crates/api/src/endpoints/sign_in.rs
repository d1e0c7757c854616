//! `POST /console/api/session`: exchanges an API key for a session of the console.

use std::sync::Arc;

use aerie_domain::ApiKey;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::console::SessionView;
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::sessions::{CLIENTS, SignIn};

pub(crate) async fn sign_in(State(state): State<Arc<ApiState>>, request: Request) -> Result<Response, ApiError> {
    let attempt = SignIn::read(&state, request).await?;
    let hash = ApiKey::parse(&attempt.key).ok().map(|key| key.hash());
    let found = match hash {
        Some(hash) => state.store.key_find(hash).await?.map(|credentials| (hash, credentials)),
        None => None,
    };
    let Some((hash, credentials)) = found else {
        let message = "`key` is not a valid API key: check that all of it was copied, and that it was not revoked";
        return Err(ApiError::with_message(ApiErrorCode::Unauthorized, message));
    };
    let token = CLIENTS.start(&*state.store, &attempt, hash).await?;
    tracing::info!(organization = %credentials.org.id, key = %credentials.key.id, "signed in to the console");
    let mut response = success(StatusCode::CREATED, SessionView::of(&state, &token, &credentials).await?);
    CLIENTS.keep(&mut response, &attempt, &token);
    Ok(response)
}
