//! `GET /operator/api/disk`: how much space is free, and what uses it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::console::OperatorConsole;
use crate::envelope::success;
use crate::error::ApiError;

/// Sizes in bytes.
#[derive(Debug, Serialize)]
struct DiskView {
    /// Of the local disk with the least free space.
    free: Option<u64>,
    total: Option<u64>,
    /// Why new jobs are refused, if they are.
    refuses_jobs: Option<String>,
    /// `folder` or `bucket`.
    media_in: &'static str,
    /// Media with uploads; `null` while not measured, and in a bucket.
    media: Option<u64>,
    uploads: u64,
    database: u64,
}

pub(super) async fn get_disk(State(console): State<Arc<OperatorConsole>>) -> Result<Response, ApiError> {
    let state = &console.state;
    let disk = state.capacity.disk().unwrap_or_else(|error| {
        tracing::warn!(%error, "free disk space is unknown");
        None
    });
    let size = console.size().await?;
    let view = DiskView {
        free: disk.map(|disk| disk.free),
        total: disk.map(|disk| disk.total),
        refuses_jobs: state.capacity.check_submit().err().map(|reason| reason.to_string()),
        media_in: if state.media.is_remote() { "bucket" } else { "folder" },
        media: state.capacity.media_size(),
        uploads: size.uploads,
        database: size.database,
    };
    Ok(success(StatusCode::OK, view))
}
