//! `GET /v1/usage`

use std::sync::Arc;

use aerie_domain::{Clock, UsageEvent, UsageRange, ValidationError};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, ErrorEnvelope, iso, success};
use crate::error::ApiError;
use crate::extract::{ApiQuery, Parameters, RequestQuery};

impl RequestQuery for UsageRange {
    fn from_query(parameters: &Parameters, clock: &dyn Clock) -> Result<Self, ValidationError> {
        UsageRange::parse(parameters.text("from")?, parameters.text("to")?, clock.now())
    }
}

/// What was billed in a range of days.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Usage {
    /// Newest first.
    events: Vec<UsageEventView>,
    summary: UsageSummary,
}

/// One billed job.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UsageEvent)]
pub(crate) struct UsageEventView {
    /// Event identifier.
    #[schema(format = "uuid")]
    id: String,
    /// `<kind>.<action>`.
    #[schema(example = "drone_footage.generate")]
    event_type: String,
    /// Price in cents.
    #[schema(minimum = 0)]
    unit_price_cents: i64,
    /// Status of the billed operation.
    #[schema(example = "completed")]
    status: &'static str,
    /// ISO 8601 timestamp.
    #[schema(format = "date-time")]
    created_at: String,
}

/// What a range of days comes to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsageSummary {
    /// Count of events in range.
    #[schema(minimum = 0)]
    total_events: usize,
    /// Cost in cents.
    #[schema(minimum = 0)]
    total_cost_cents: i64,
    /// Start of range applied.
    #[schema(format = "date")]
    from: String,
    /// End of range applied.
    #[schema(format = "date")]
    to: String,
}

/// Get usage
///
/// Lists the events billed in a range of UTC days, both ends included, with their sum.
#[utoipa::path(
    get,
    path = "/v1/usage",
    operation_id = "get_usage",
    tag = "Usage",
    security(("api_key" = [])),
    params(
        ("from" = Option<String>, Query, format = "date", description = "First day; by default the month's first"),
        ("to" = Option<String>, Query, format = "date", description = "Last day; today by default"),
    ),
    responses(
        (status = 200, description = "The usage", body = Envelope<Usage>),
        (status = 400, description = "A parameter is not valid", body = ErrorEnvelope),
        (status = 401, description = "Invalid or missing API key", body = ErrorEnvelope),
        (status = 429, description = "Too many requests", body = ErrorEnvelope, headers(("Retry-After" = u32))),
        (status = 500, description = "Unexpected server error", body = ErrorEnvelope),
    )
)]
pub(crate) async fn get_usage(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiQuery(range): ApiQuery<UsageRange>,
) -> Result<Response, ApiError> {
    let events = state.store.usage_list(caller.org_id, range).await?;
    let summary = UsageSummary {
        total_events: events.len(),
        total_cost_cents: events.iter().map(|event| event.unit_price_cents).sum(),
        from: range.from.to_string(),
        to: range.to.to_string(),
    };
    let events = events.into_iter().map(view).collect();
    Ok(success(StatusCode::OK, Usage { events, summary }))
}

fn view(event: UsageEvent) -> UsageEventView {
    UsageEventView {
        id: event.id.to_string(),
        event_type: event.event_type,
        unit_price_cents: event.unit_price_cents,
        // Events are written when a job is completed, and never otherwise.
        status: "completed",
        created_at: iso(event.created_at),
    }
}
