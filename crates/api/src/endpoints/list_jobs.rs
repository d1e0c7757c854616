//! `GET /v1/jobs`

use std::sync::Arc;

use aerie_domain::{Clock, JobStatus, JobType, ValidationError};
use aerie_storage::{JobFilter, JobPage};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use tokio::sync::Semaphore;

use crate::auth::Caller;
use crate::envelope::{ListEnvelope, Meta, Pagination, page};
use crate::error::ApiError;
use crate::extract::{ApiQuery, Parameters, RequestQuery};
use crate::job_view::JobView;
use crate::{ApiState, off_runtime};

/// Jobs of a page up to which the response is built where the request was received.
const SHORT: usize = 10;

/// Pages that are read and built at once. Each takes several times its size in memory, and others wait without any.
static TURNS: Semaphore = Semaphore::const_new(4);

/// The requested page.
pub(crate) struct ListJobs {
    limit: u32,
    offset: u64,
    status: Option<JobStatus>,
    job_type: Option<String>,
}

impl RequestQuery for ListJobs {
    fn from_query(parameters: &Parameters, _: &dyn Clock) -> Result<Self, ValidationError> {
        let (limit, offset) = parameters.page()?;
        let status = match parameters.text("status")? {
            None => None,
            Some(name) => Some(JobStatus::from_name(name).ok_or_else(|| {
                let names = JobStatus::ALL.map(JobStatus::as_str).join(", ");
                ValidationError::new("status", format!("must be one of {names}"))
            })?),
        };
        let job_type = parameters.text("job_type")?.map(str::to_owned);
        Ok(Self { limit, offset, status, job_type })
    }
}

/// List jobs
///
/// Lists the organization's jobs, newest first.
#[utoipa::path(
    get,
    path = "/v1/jobs",
    operation_id = "list_jobs",
    tag = "Jobs",
    security(("api_key" = [])),
    params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "Page size. Defaults to 50"),
        ("offset" = Option<u64>, Query, minimum = 0, description = "Number of jobs to skip. Defaults to 0"),
        ("status" = Option<JobStatus>, Query, description = "Only jobs in this status"),
        ("job_type" = Option<String>, Query, description = "Only jobs of this type"),
    ),
    responses(
        (status = 200, description = "A page of jobs", body = ListEnvelope<JobView>),
    )
)]
pub(crate) async fn list_jobs(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
    ApiQuery(query): ApiQuery<ListJobs>,
) -> Result<Response, ApiError> {
    let (limit, offset) = (query.limit, query.offset);
    let job_type = query.job_type.as_deref().map(JobType::from_name);
    // An unknown type has no jobs.
    if let Some(None) = job_type {
        return Ok(page(
            Vec::<JobView>::new(),
            Pagination { total: 0, limit, offset, has_more: false },
            Meta::current(),
        ));
    }
    let filter =
        JobFilter { org_id: Some(caller.org_id), status: query.status, job_type: job_type.flatten(), limit, offset };
    let _turn = TURNS.acquire().await.map_err(ApiError::internal)?;
    let JobPage { jobs, total } = state.store.job_list(filter).await?;
    let has_more = offset.saturating_add(jobs.len() as u64) < total;
    let (pagination, meta) = (Pagination { total, limit, offset, has_more }, Meta::current());
    let is_long = jobs.len() > SHORT;
    let respond = move || {
        let jobs: Vec<JobView> = jobs.into_iter().map(|job| JobView::in_list(job, &state)).collect();
        page(jobs, pagination, meta)
    };
    if is_long { off_runtime::run(respond).await } else { Ok(respond()) }
}
