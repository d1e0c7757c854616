//! `GET /v1/events`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::ApiState;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::event_stream;
use crate::transport::Stopping;

/// Follow events
///
/// Aerie extension. Streams the events of the organization's jobs and listings as server-sent events, without the envelope. The first event is
/// `ready`. `job.queued`, `job.running`, `job.awaiting_input`, `job.completed` and `job.failed` follow, each with an `id`, and
/// `job.progress`, without one. `data` is JSON: `type`, `timestamp`, and `data` with `job_id`, `job_type` and `status`;
/// `job.progress` adds `stage` and `percent`, the progress within that stage. `listing.reviewed`, what a viewer of a share link says, has
/// `listing_id`, `share_link_id`, `review_id` and `photo_id`. To resume, send the last `id` as `Last-Event-ID`. Events are
/// kept for 7 days; `events.missed` reports a gap. An organization can have 10 open streams. A stream counts as one request.
/// Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/events",
    operation_id = "stream_events",
    tag = "Events",
    security(("api_key" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "`id` of the last event that was received")),
    responses(
        (status = 200, description = "Events, until the client disconnects or the service restarts", body = String, content_type = "text/event-stream"),
    )
)]
pub(crate) async fn stream_events(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    stopping: Option<Extension<Stopping>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let after = match headers.get("last-event-id").map(|value| value.to_str().ok().and_then(|text| text.parse().ok())) {
        Some(None) => {
            let message = "`Last-Event-ID` must be the `id` of an event; leave it out to begin now";
            return Err(ApiError::with_message(ApiErrorCode::ValidationError, message));
        }
        given => given.flatten(),
    };
    event_stream::respond(state, &caller, after, stopping.map(|Extension(stopping)| stopping)).await
}
