//! `GET /console/api/session`: the session of the browser.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;

use crate::console::SessionView;
use crate::envelope::success;
use crate::error::ApiError;
use crate::{ApiState, sessions};

pub(crate) async fn get_session(State(state): State<Arc<ApiState>>, headers: HeaderMap) -> Result<Response, ApiError> {
    let session = sessions::require(&state, &Method::GET, &headers).await?;
    Ok(success(StatusCode::OK, SessionView::of(&state, &session.token, &session.credentials).await?))
}
