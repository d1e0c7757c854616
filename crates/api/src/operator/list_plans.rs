//! `GET /operator/api/plans`: plans, prices and disclosure profiles, which are in the configuration.

use std::sync::Arc;

use aerie_domain::JobType;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::console::OperatorConsole;
use crate::envelope::success;
use crate::error::ApiError;

#[derive(Debug, Serialize)]
struct PlansView {
    /// The file that the server was started with; `null`: the defaults.
    configuration: Option<String>,
    plans: Vec<PlanView>,
    prices: Vec<PriceView>,
    disclosure_profiles: Vec<String>,
}

/// Limits of a plan; `null`: no limit.
#[derive(Debug, Serialize)]
struct PlanView {
    name: String,
    requests_per_minute: u32,
    requests_per_day: u32,
    queued_jobs: Option<u32>,
    failed_per_day: Option<u32>,
    previews_per_day: u32,
    uploads_per_minute: u32,
    upload_bytes_per_month: Option<u64>,
    weight: u32,
}

#[derive(Debug, Serialize)]
struct PriceView {
    kind: &'static str,
    cents: i64,
}

pub(super) async fn list_plans(State(console): State<Arc<OperatorConsole>>) -> Result<Response, ApiError> {
    let state = &console.state;
    let plans = state.plans.names().map(|name| {
        let plan = state.plans.limits(name);
        PlanView {
            name: name.to_owned(),
            requests_per_minute: plan.rates.per_minute,
            requests_per_day: plan.rates.per_day,
            queued_jobs: plan.jobs.queued_jobs,
            failed_per_day: plan.jobs.failed_per_day,
            previews_per_day: plan.previews.per_day,
            uploads_per_minute: plan.uploads.rates.per_minute,
            upload_bytes_per_month: plan.uploads.bytes_per_month,
            weight: plan.weight,
        }
    });
    let view = PlansView {
        configuration: console.configuration.as_ref().map(|file| file.display().to_string()),
        plans: plans.collect(),
        prices: JobType::ALL
            .map(|kind| PriceView { kind: kind.as_str(), cents: state.prices.cents(kind) })
            .into_iter()
            .collect(),
        disclosure_profiles: state.profiles.iter().map(|profile| profile.name.clone()).collect(),
    };
    Ok(success(StatusCode::OK, view))
}
