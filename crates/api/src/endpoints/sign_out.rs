//! `DELETE /console/api/session`: ends the session of the browser.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::transport::Channel;
use crate::{ApiState, sessions};

pub(crate) async fn sign_out(
    State(state): State<Arc<ApiState>>,
    channel: Option<Extension<Channel>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // Without a session, there is nothing that another site could end.
    if let Some(session) = sessions::find(&state, &headers).await? {
        sessions::check_proof(&session.token, &headers)?;
    }
    sessions::end(&state, &headers).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    sessions::forget(&mut response, channel.map_or(Channel::Loopback, |Extension(channel)| channel));
    Ok(response)
}
