//! `GET /operator/api/queue`: jobs that wait and run, by kind, and what the server lacks.

use std::sync::Arc;

use aerie_domain::{JobStatus, JobType};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::console::OperatorConsole;
use crate::Check;
use crate::envelope::{iso, success};
use crate::error::ApiError;

#[derive(Debug, Serialize)]
struct QueueView {
    kinds: Vec<KindView>,
    /// Readiness checks that failed last, as `/readyz` lists them.
    lacking: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct KindView {
    kind: &'static str,
    queued: u64,
    running: u64,
    awaiting_input: u64,
    completed: u64,
    failed: u64,
    /// When the oldest queued job was submitted.
    oldest_queued_at: Option<String>,
    /// Workers that are running and claim the kind.
    workers: usize,
}

pub(super) async fn get_queue(State(console): State<Arc<OperatorConsole>>) -> Result<Response, ApiError> {
    let state = &console.state;
    let (stats, nodes) = (state.store.queue_stats().await?, state.store.node_list().await?);
    let kinds = JobType::ALL.map(|kind| {
        let count = |status| {
            let counted = stats.jobs.iter().find(|(of, with, _)| (*of, *with) == (kind, status));
            counted.map_or(0, |(_, _, jobs)| *jobs)
        };
        let oldest = stats.oldest_queued.iter().find(|(of, _)| *of == kind);
        KindView {
            kind: kind.as_str(),
            queued: count(JobStatus::Queued),
            running: count(JobStatus::Running),
            awaiting_input: count(JobStatus::AwaitingInput),
            completed: count(JobStatus::Completed),
            failed: count(JobStatus::Failed),
            oldest_queued_at: oldest.map(|(_, at)| iso(*at)),
            workers: nodes.iter().filter(|seen| seen.is_live && seen.node.kinds.contains(&kind)).count(),
        }
    });
    let lacking = Check::ALL.into_iter().filter(|check| state.readiness.is_lacking(*check)).map(Check::as_str);
    Ok(success(StatusCode::OK, QueueView { kinds: kinds.into_iter().collect(), lacking: lacking.collect() }))
}
