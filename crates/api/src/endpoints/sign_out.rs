//! `DELETE /console/api/session`: ends the session of the browser.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::ApiState;
use crate::error::ApiError;
use crate::sessions::CLIENTS;
use crate::transport::Channel;

pub(crate) async fn sign_out(
    State(state): State<Arc<ApiState>>,
    channel: Option<Extension<Channel>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    CLIENTS.sign_out(&*state.store, &headers, channel.map(|Extension(channel)| channel)).await
}
