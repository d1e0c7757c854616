//! `GET /v1/webhooks/{webhookId}/deliveries`

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use crate::auth::Caller;
use crate::envelope::{ListEnvelope, Meta, Pagination, page};
use crate::error::ApiError;
use crate::extract::{ApiQuery, PageOf, WebhookPath};
use crate::webhooks::DeliveryView;
use crate::{ApiState, webhooks};

/// List deliveries
///
/// Aerie extension. Lists the deliveries of a webhook, newest first. Deliveries are kept for 7 days. Needs a key with the scope
/// `read`.
#[utoipa::path(
    get,
    path = "/v1/webhooks/{webhookId}/deliveries",
    operation_id = "list_deliveries",
    tag = "Webhooks",
    security(("api_key" = [])),
    params(
        ("webhookId" = String, Path, format = "uuid", description = "Webhook identifier"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "Page size. Defaults to 50"),
        ("offset" = Option<u64>, Query, minimum = 0, description = "Number of deliveries to skip. Defaults to 0"),
    ),
    responses(
        (status = 200, description = "A page of deliveries", body = ListEnvelope<DeliveryView>),
    )
)]
pub(crate) async fn list_deliveries(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    WebhookPath(id): WebhookPath,
    ApiQuery(query): ApiQuery<PageOf>,
) -> Result<Response, ApiError> {
    webhooks::find(&state, caller.org_id, id).await?;
    let PageOf { limit, offset } = query;
    let (found, total) = state.store.delivery_list(caller.org_id, id, limit, offset).await?;
    let has_more = offset.saturating_add(found.len() as u64) < total;
    let views: Vec<DeliveryView> = found.into_iter().map(DeliveryView::of).collect();
    Ok(page(views, Pagination { total, limit, offset, has_more }, Meta::current()))
}
