//! `GET /v1/usage`

use std::sync::Arc;

use aerie_domain::{Clock, OrgId, UsageEvent, UsageRange, ValidationError};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, Meta, iso};
use crate::error::ApiError;
use crate::extract::{ApiQuery, Parameters, RequestQuery};

impl RequestQuery for UsageRange {
    fn from_query(parameters: &Parameters, clock: &dyn Clock) -> Result<Self, ValidationError> {
        UsageRange::parse(parameters.text("from")?, parameters.text("to")?, clock.now())
    }
}

/// Billed jobs in a range of days.
#[derive(ToSchema)]
#[expect(dead_code, reason = "documents what is streamed event by event")]
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

/// Totals of a range of days.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsageSummary {
    /// Count of events in range.
    #[schema(minimum = 0)]
    total_events: u64,
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
/// Lists the usage events in a range of UTC days, both ends included, with their total.
#[utoipa::path(
    get,
    path = "/v1/usage",
    operation_id = "get_usage",
    tag = "Usage",
    security(("api_key" = [])),
    params(
        ("from" = Option<String>, Query, format = "date", description = "First day. Defaults to the first day of the current month"),
        ("to" = Option<String>, Query, format = "date", description = "Last day. Defaults to today"),
    ),
    responses(
        (status = 200, description = "The usage", body = Envelope<Usage>),
    )
)]
pub(crate) async fn get_usage(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiQuery(range): ApiQuery<UsageRange>,
) -> Result<Response, ApiError> {
    // The first page is read before the first byte is sent, so that an error gets its proper status.
    let page = state.store.usage_list(caller.org_id, range, None, PAGE).await?;
    let meta = serde_json::to_string(&Meta::current()).map_err(ApiError::internal)?;
    let reading = Reading { state, org_id: caller.org_id, range, meta, page, events: 0, cents: 0, ended: false };
    let body = Body::from_stream(stream::try_unfold(reading, Reading::next));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// Events per read and per chunk of the response. Two pages are in memory at once, for as long as the client reads.
const PAGE: u32 = 100;

/// A response that is being streamed. New events are newer than those already read, so that the pages together show the events
/// at the time of the request.
struct Reading {
    state: Arc<ApiState>,
    org_id: OrgId,
    range: UsageRange,
    meta: String,
    page: Vec<UsageEvent>,
    events: u64,
    cents: i64,
    ended: bool,
}

impl Reading {
    async fn next(mut self) -> std::io::Result<Option<(Vec<u8>, Self)>> {
        if self.ended {
            return Ok(None);
        }
        let mut chunk = Vec::with_capacity(self.page.len() * 192 + 256);
        if self.events == 0 {
            chunk.extend_from_slice(b"{\"data\":{\"events\":[");
        }
        let last = self.page.last().map(|event| (event.created_at, event.id));
        let is_whole = self.page.len() == PAGE as usize;
        for event in std::mem::take(&mut self.page) {
            if self.events > 0 {
                chunk.push(b',');
            }
            self.events += 1;
            self.cents += event.unit_price_cents;
            serde_json::to_writer(&mut chunk, &view(event))?;
        }
        if is_whole {
            let next = self.state.store.usage_list(self.org_id, self.range, last, PAGE).await;
            // Too late for an error response: the connection is aborted, so that a client notices the truncation.
            self.page = next.map_err(|error| {
                tracing::error!(%error, "cannot read the rest of the usage");
                std::io::Error::other(error)
            })?;
        } else {
            let summary = UsageSummary {
                total_events: self.events,
                total_cost_cents: self.cents,
                from: self.range.from.to_string(),
                to: self.range.to.to_string(),
            };
            chunk.extend_from_slice(b"],\"summary\":");
            serde_json::to_writer(&mut chunk, &summary)?;
            chunk.extend_from_slice(b"},\"meta\":");
            chunk.extend_from_slice(self.meta.as_bytes());
            chunk.push(b'}');
            self.ended = true;
        }
        Ok(Some((chunk, self)))
    }
}

fn view(event: UsageEvent) -> UsageEventView {
    UsageEventView {
        id: event.id.to_string(),
        event_type: event.event_type,
        unit_price_cents: event.unit_price_cents,
        // Events are written only when a job is completed.
        status: "completed",
        created_at: iso(event.created_at),
    }
}
