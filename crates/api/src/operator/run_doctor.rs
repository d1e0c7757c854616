//! `GET` and `POST /operator/api/doctor`: what `aerie doctor` checks, in the background.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::console::OperatorConsole;
use crate::envelope::success;
use crate::error::ApiError;

/// The last run of the checks; `null` if there was none since the start of the server.
pub(super) async fn get_doctor(State(console): State<Arc<OperatorConsole>>) -> Response {
    success(StatusCode::OK, console.doctor.last())
}

/// Starts a run, unless one is in progress.
pub(super) async fn run_doctor(State(console): State<Arc<OperatorConsole>>) -> Result<Response, ApiError> {
    console.doctor.start(console.state.clock.now()).map_err(ApiError::internal)?;
    Ok(success(StatusCode::ACCEPTED, console.doctor.last()))
}
