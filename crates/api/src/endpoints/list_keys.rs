//! `GET /console/api/keys`: the keys of the session's organization.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::console::KeyView;
use crate::envelope::success;
use crate::error::ApiError;

pub(crate) async fn list_keys(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let keys = state.store.key_list(Some(caller.org_id)).await?;
    let current = caller.credentials.key.id;
    let keys: Vec<KeyView> = keys.iter().map(|key| KeyView::of(key, key.id == current)).collect();
    Ok(success(StatusCode::OK, keys))
}
