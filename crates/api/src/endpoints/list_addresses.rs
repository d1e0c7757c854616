//! `GET /v1/addresses`

use std::sync::Arc;

use aerie_domain::{Clock, ValidationError};
use aerie_engine_api::fields::MAX_ADDRESS;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::ApiState;
use crate::addresses::{NoSuggestions, Suggestions, TypedAddress};
use crate::envelope::{Envelope, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::extract::{ApiQuery, Parameters, RequestQuery};

/// Default number of suggestions.
const DEFAULT_LIMIT: u64 = 10;
/// `Retry-After` when too many requests wait, seconds.
const RETRY_AFTER: u32 = 1;

/// The text that is being typed.
pub(crate) struct ListAddresses(TypedAddress);

impl RequestQuery for ListAddresses {
    fn from_query(parameters: &Parameters, _: &dyn Clock) -> Result<Self, ValidationError> {
        let text = parameters.text("q")?.ok_or_else(|| {
            ValidationError::new("q", "is required: the beginning of an address, such as `Dorfstrasse 2`")
        })?;
        if text.chars().count() > MAX_ADDRESS {
            return Err(ValidationError::new("q", format!("must have at most {MAX_ADDRESS} characters")));
        }
        let limit = parameters.integer("limit", 1..=20)?.unwrap_or(DEFAULT_LIMIT);
        Ok(Self(TypedAddress {
            text: text.to_owned(),
            limit: usize::try_from(limit).unwrap_or(20),
            with_plans: parameters.boolean("plan")?,
        }))
    }
}

/// Suggest addresses
///
/// Aerie extension. Suggests addresses of the imported map while one is typed: streets for the beginning of a name, houses once there
/// is a number. Typos and missing accents are tolerated. A suggested house can be submitted as `address`. These requests have a limit of
/// their own (`addresses_per_minute` of the plan) and do not count in the other limits of the key. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/addresses",
    operation_id = "list_addresses",
    tag = "Addresses",
    security(("api_key" = [])),
    params(
        ("q" = String, Query, max_length = 500, description = "The beginning of an address", example = "Dorfstrasse 2"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 20, description = "Maximum number of addresses. Defaults to 10"),
        ("plan" = Option<bool>, Query, description = "Whether each house comes with outlines of what stands around it, for a small \
                                                      picture. Defaults to false"),
    ),
    responses(
        (status = 200, description = "Addresses, the best first", body = Envelope<Suggestions>),
    )
)]
pub(crate) async fn list_addresses(
    State(state): State<Arc<ApiState>>,
    ApiQuery(ListAddresses(typed)): ApiQuery<ListAddresses>,
) -> Result<Response, ApiError> {
    match state.addresses.suggest(typed).await {
        Ok(found) => Ok(success(StatusCode::OK, found)),
        Err(NoSuggestions::Busy) => {
            let message = "Too many addresses are being looked up; try again later";
            Err(ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(RETRY_AFTER))
        }
        Err(NoSuggestions::Failed(why)) => Err(ApiError::internal(why)),
    }
}
