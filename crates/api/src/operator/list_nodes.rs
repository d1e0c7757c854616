//! `GET /operator/api/nodes`: servers and workers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::console::OperatorConsole;
use crate::envelope::{iso, success};
use crate::error::ApiError;

#[derive(Debug, Serialize)]
struct NodesView {
    /// The published pack that workers use; `null`: the maps of their data folders.
    current_pack: Option<String>,
    nodes: Vec<NodeView>,
}

#[derive(Debug, Serialize)]
struct NodeView {
    name: String,
    role: &'static str,
    is_live: bool,
    version: String,
    host: String,
    /// The kinds of job that it claims.
    kinds: Vec<&'static str>,
    started_at: String,
    seen_at: String,
    /// The published pack that it used last.
    pack: Option<String>,
    job_id: Option<String>,
}

pub(super) async fn list_nodes(State(console): State<Arc<OperatorConsole>>) -> Result<Response, ApiError> {
    let store = &console.state.store;
    let nodes = store.node_list().await?.into_iter().map(|seen| NodeView {
        role: seen.node.role.as_str(),
        is_live: seen.is_live,
        kinds: seen.node.kinds.iter().map(|kind| kind.as_str()).collect(),
        started_at: iso(seen.started_at),
        seen_at: iso(seen.seen_at),
        pack: seen.node.pack.map(|pack| pack.to_string()),
        job_id: seen.job.map(|job| job.to_string()),
        name: seen.node.name,
        version: seen.node.version,
        host: seen.node.host,
    });
    let nodes = nodes.collect();
    let current_pack = store.pack_current().await?.map(|pack| pack.to_string());
    Ok(success(StatusCode::OK, NodesView { current_pack, nodes }))
}
