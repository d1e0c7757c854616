//! The console for operators, on the admin listener: its page, its sessions, and its requests.
//!
//! It is never on the listener for clients, and has keys of its own, which are made on the command line. To add a request, write a
//! file for it below `operator/` and list it in [`routes`]: `by_operator` then requires a session for it.
mod authentication;
mod change_organization;
mod console;
mod create_key;
mod create_organization;
mod doctor_runs;
mod get_disk;
mod get_organization;
mod get_queue;
mod get_usage;
mod list_failures;
mod list_nodes;
mod list_organizations;
mod list_plans;
mod organization_view;
mod page;
mod redaction;
mod revoke_key;
mod run_doctor;
mod session;
mod terms;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{delete, get, post};

pub use console::OperatorConsole;
pub use doctor_runs::{Doctor, Finding};

use authentication::{by_operator, from_this_machine};

/// All routes of the console.
pub(crate) fn routes(console: Arc<OperatorConsole>) -> Router {
    let api = Router::new()
        .route("/operator/api/session", get(session::show))
        .route(
            "/operator/api/organizations",
            get(list_organizations::list_organizations).post(create_organization::create_organization),
        )
        .route(
            "/operator/api/organizations/{organizationId}",
            get(get_organization::get_organization).patch(change_organization::change_organization),
        )
        .route("/operator/api/organizations/{organizationId}/keys", post(create_key::create_key))
        .route("/operator/api/organizations/{organizationId}/keys/{keyId}", delete(revoke_key::revoke_key))
        .route("/operator/api/usage", get(get_usage::get_usage))
        .route("/operator/api/plans", get(list_plans::list_plans))
        .route("/operator/api/queue", get(get_queue::get_queue))
        .route("/operator/api/nodes", get(list_nodes::list_nodes))
        .route("/operator/api/failures", get(list_failures::list_failures))
        .route("/operator/api/disk", get(get_disk::get_disk))
        .route("/operator/api/doctor", get(run_doctor::get_doctor).post(run_doctor::run_doctor))
        .route_layer(from_fn_with_state(Arc::clone(&console), by_operator));
    Router::new()
        .route("/", get(page::redirect))
        .route("/operator", get(page::redirect))
        .route("/operator/", get(page::show))
        .route("/operator/{file}", get(page::show_file))
        .route("/operator/api/session", post(session::start).delete(session::end))
        .merge(api)
        .route_layer(from_fn(from_this_machine))
        .with_state(console)
}
