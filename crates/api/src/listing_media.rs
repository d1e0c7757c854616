//! Media for a whole listing: all of its jobs are submitted in one transaction, or none.

use std::collections::BTreeMap;

use aerie_domain::{JobId, JobInput, JobStatus, JobType, Listing, ListingId, PictureLink};
use aerie_storage::{BatchRefusal, ListingBatch, NewJob, SubmitRefusal, retention};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::future::{join_all, try_join_all};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::{self, Caller};
use crate::envelope::{ErrorDetail, success};
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::idempotency::Turn;
use crate::listings::{self, refused_for};
use crate::pictures::{AT_ONCE, Source, copy_picture, forget_pictures, keep_layers, keep_source, source};
use crate::requests::listing_media::{GenerateRequest, PlanRefusal, PlannedJob};
use crate::{ApiState, context, disclosures, submit};

/// What is made for a listing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListingGenerated {
    /// Identifier of the listing.
    #[schema(format = "uuid")]
    listing_id: String,
    /// Whether nothing was submitted.
    dry_run: bool,
    /// The jobs, those of each photo in the order of the listing, then the flight and the clip.
    jobs: Vec<GeneratedJob>,
    /// Price of all jobs in cents, billed as each completes.
    #[schema(minimum = 0)]
    total_price_cents: i64,
}

/// A job that is made for a listing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GeneratedJob {
    /// Identifier of the new job; `null` in a dry run.
    #[schema(format = "uuid", required)]
    job_id: Option<String>,
    /// What the job makes.
    #[schema(example = "image_enhance")]
    job_type: &'static str,
    /// Identifier of the photo that it is made from; `null` for a flight.
    #[schema(required)]
    photo_id: Option<String>,
    /// `queued` at creation; `null` in a dry run.
    #[schema(required)]
    status: Option<JobStatus>,
    /// Price in cents.
    #[schema(minimum = 0)]
    price_cents: i64,
}

/// Jobs to be submitted, and where their pictures go.
struct Batch<'a> {
    listing: &'a Listing,
    jobs: Vec<(JobId, PlannedJob)>,
    org: String,
}

/// Refuses a request for kinds that the organization does not have.
pub(crate) fn check_kinds(caller: &Caller, request: &GenerateRequest) -> Result<(), ApiError> {
    request.kinds().try_for_each(|kind| auth::check_enabled(caller, kind))
}

/// Says what would be made, and submits nothing.
pub(crate) async fn estimate(
    state: &ApiState,
    caller: &Caller,
    id: ListingId,
    request: &GenerateRequest,
) -> Result<Response, ApiError> {
    let listing = listings::find(state, caller.org_id, id).await?;
    let jobs = planned(state, caller, &listing, request)?;
    check_quota(state, caller, jobs.len()).await?;
    let jobs = jobs.iter().map(|job| (None, job));
    Ok(success(StatusCode::OK, generated(state, caller, id, jobs)))
}

/// Fetches the pictures, stores the jobs and answers with their ids.
pub(crate) async fn generate(
    state: &ApiState,
    caller: &Caller,
    id: ListingId,
    request: &GenerateRequest,
    turn: &Turn,
) -> Result<Response, ApiError> {
    let listing = listings::find(state, caller.org_id, id).await?;
    let jobs = planned(state, caller, &listing, request)?;
    state.capacity.check_submit()?;
    // Before a hundred photos are fetched in vain; the transaction decides.
    check_quota(state, caller, jobs.len()).await?;
    let jobs = jobs.into_iter().map(|job| (JobId::new(state.clock.now()), job)).collect();
    let batch = Batch { listing: &listing, jobs, org: caller.org_id.to_string() };
    let kept = match batch.keep_pictures(state, caller).await {
        Ok(kept) => kept,
        Err(error) => {
            batch.forget_pictures(state).await;
            return Err(error);
        }
    };
    let answer = generated(state, caller, id, batch.jobs.iter().map(|(job, planned)| (Some(*job), planned)));
    let answer = serde_json::to_value(answer).map_err(ApiError::internal)?;
    let submitted = state.store.listing_submit(batch.submission(state, caller, (kept, turn, answer.clone()))).await;
    let have_no_rows = match &submitted {
        Ok(submitted) => submitted.is_err(),
        Err(error) => !error.may_have_taken_effect(),
    };
    if have_no_rows {
        batch.forget_pictures(state).await;
    }
    if let Err(refusal) = submitted? {
        return batch.refused(state, caller, refusal).await;
    }
    (state.submitted)();
    tracing::info!(listing = %id, jobs = batch.jobs.len(), "submitted the jobs of a listing");
    Ok(success(StatusCode::ACCEPTED, answer))
}

fn planned(
    state: &ApiState,
    caller: &Caller,
    listing: &Listing,
    request: &GenerateRequest,
) -> Result<Vec<PlannedJob>, ApiError> {
    let code = ApiErrorCode::ValidationError;
    let detail = |PlanRefusal { photo_id, error }| ErrorDetail {
        photo_id,
        field: error.path,
        code: code.as_str(),
        message: error.message,
    };
    let planned = request.plan(listing);
    let mut jobs = planned.map_err(|refusals| refused_for(code, refusals.into_iter().map(detail).collect()))?;
    jobs.iter_mut().try_for_each(|job| disclosures::apply(state, caller, &mut job.input))?;
    Ok(jobs)
}

/// Refuses more jobs than the month's quota has room for.
async fn check_quota(state: &ApiState, caller: &Caller, jobs: usize) -> Result<(), ApiError> {
    let Some(quota) = caller.credentials.org.monthly_quota else { return Ok(()) };
    let used = state.store.quota_used(caller.org_id, state.clock.now()).await?;
    let left = u64::from(quota).saturating_sub(used);
    if u64::try_from(jobs).is_ok_and(|jobs| jobs <= left) { Ok(()) } else { Err(over_quota(quota, left, jobs)) }
}

fn over_quota(quota: u32, left: u64, jobs: usize) -> ApiError {
    let message = format!(
        "The organization's quota of {quota} jobs a month (UTC) has room for {left} more, and these are {jobs}: select \
         fewer photos with `photos`"
    );
    ApiError::with_message(ApiErrorCode::InsufficientQuota, message)
}

fn generated<'a>(
    state: &ApiState,
    caller: &Caller,
    id: ListingId,
    jobs: impl Iterator<Item = (Option<JobId>, &'a PlannedJob)>,
) -> ListingGenerated {
    let price = |kind: JobType| caller.credentials.org.price_cents(kind, &state.prices);
    let jobs: Vec<GeneratedJob> = jobs
        .map(|(job_id, job)| GeneratedJob {
            job_id: job_id.map(|id| id.to_string()),
            job_type: job.input.job_type().as_str(),
            photo_id: job.photo_id.clone(),
            status: job_id.map(|_| JobStatus::Queued),
            price_cents: price(job.input.job_type()),
        })
        .collect();
    ListingGenerated {
        listing_id: id.to_string(),
        dry_run: jobs.iter().all(|job| job.job_id.is_none()),
        total_price_cents: jobs.iter().map(|job| job.price_cents).sum(),
        jobs,
    }
}

/// A job's fields for pictures: the place of the job in its batch, and the link.
type Uses = Vec<(usize, PictureLink)>;

/// Media keys of each job by JSON Pointers to its fields.
type Kept = Vec<BTreeMap<String, String>>;

impl Batch<'_> {
    fn prefix(&self, job: usize) -> String {
        format!("{}/{}/input", self.org, self.jobs[job].0)
    }

    /// The fields that link to pictures, by URL: a picture that several jobs use is fetched once.
    fn links(&self) -> Vec<Uses> {
        let mut by_url: BTreeMap<String, Uses> = BTreeMap::new();
        for (at, (_, job)) in self.jobs.iter().enumerate() {
            for link in job.input.request().pictures() {
                by_url.entry(link.url.clone()).or_default().push((at, link));
            }
        }
        let mut links: Vec<Uses> = by_url.into_values().collect();
        links.sort_by_key(|uses| uses.first().map(|(job, _)| *job));
        links
    }

    /// Fetches the pictures of all jobs, all or none, and stores them beside each job. Reports every picture that is refused.
    async fn keep_pictures(&self, state: &ApiState, caller: &Caller) -> Result<Kept, ApiError> {
        let links = self.links();
        let mut kept = vec![BTreeMap::new(); self.jobs.len()];
        if links.is_empty() {
            return Ok(kept);
        }
        if state.media.is_remote() {
            // Before the files: if this process is killed before the jobs have their rows, they are found by these notes.
            for jobs in self.jobs.chunks(AT_ONCE) {
                let expect =
                    |(id, _): &(JobId, PlannedJob)| state.store.leftovers_expect(caller.org_id, *id, retention::GRACE);
                try_join_all(jobs.iter().map(expect)).await?;
            }
        }
        let _permit = state.fetching.acquire(caller.org_id, links.len().min(AT_ONCE))?;
        let mut refused = Vec::new();
        for links in links.chunks(AT_ONCE) {
            let sources = links.iter().filter_map(|uses| uses.first());
            let sources = join_all(sources.map(|(_, link)| source(state, caller, link))).await;
            for (uses, source) in links.iter().zip(sources) {
                match source {
                    Ok(source) if refused.is_empty() => {
                        self.keep_picture(state, caller, (uses, source), &mut kept).await?;
                    }
                    // Nothing will be made, but the other pictures are looked at, too.
                    Ok(_) => {}
                    Err(error) if error.code() == ApiErrorCode::InvalidUrl => refused.extend(self.detail(uses, &error)),
                    Err(error) => return Err(error),
                }
            }
        }
        if refused.is_empty() { Ok(kept) } else { Err(refused_for(ApiErrorCode::InvalidUrl, refused)) }
    }

    /// Stores a picture for each of its uses.
    async fn keep_picture(
        &self,
        state: &ApiState,
        caller: &Caller,
        (uses, source): (&Uses, Source),
        kept: &mut Kept,
    ) -> Result<(), ApiError> {
        let Some(((job, link), others)) = uses.split_first() else { return Ok(()) };
        let stored = keep_source(state, &self.prefix(*job), link, source).await?;
        for (job, link) in others {
            let copied = copy_picture(state, &stored, &self.prefix(*job), link).await?;
            kept[*job].insert(format!("/{}", link.input()), copied);
        }
        kept[*job].insert(format!("/{}", link.input()), stored);
        for (job, link) in uses {
            if self.jobs[*job].1.input.job_type().kind().accepts_layers {
                kept[*job].extend(keep_layers(state, caller, &self.prefix(*job), link).await?);
            }
        }
        Ok(())
    }

    /// Why a picture is refused, under the names of the request and of the listing.
    fn detail(&self, uses: &Uses, error: &ApiError) -> Option<ErrorDetail> {
        let (job, link) = uses.first()?;
        let job = &self.jobs[*job].1;
        let path = link.path();
        let (photo_id, field) = match path.as_str() {
            "image_url" => {
                let of_photo = |photo: &aerie_domain::ListingPhoto| Some(photo.id()) == job.photo_id.as_deref();
                let at = self.listing.photos.iter().position(of_photo).unwrap_or_default();
                (job.photo_id.clone(), format!("photos[{at}].image_url"))
            }
            _ => {
                let task = if matches!(job.input, JobInput::VideoClip(_)) { "clip" } else { "stage" };
                (None, format!("{task}.{path}"))
            }
        };
        let message = error.message();
        let message = message.strip_prefix(&format!("`{path}` ")).unwrap_or(message).to_owned();
        Some(ErrorDetail { photo_id, field, code: error.code().as_str(), message })
    }

    async fn forget_pictures(&self, state: &ApiState) {
        for (at, (_, job)) in self.jobs.iter().enumerate() {
            if !job.input.request().pictures().is_empty() {
                forget_pictures(state, &self.prefix(at)).await;
            }
        }
    }

    fn submission(
        &self,
        state: &ApiState,
        caller: &Caller,
        (kept, turn, answer): (Kept, &Turn, serde_json::Value),
    ) -> ListingBatch {
        let (request_id, _) = context::current();
        let limits = state.plans.limits(&caller.credentials.org.plan).jobs;
        let new = |((id, job), input_media): (&(JobId, PlannedJob), BTreeMap<String, String>)| {
            let new = NewJob {
                id: *id,
                org_id: caller.org_id,
                input: job.input.clone(),
                input_media,
                parent_id: None,
                unit_price_cents: caller.credentials.org.price_cents(job.input.job_type(), &state.prices),
                request_id,
                idempotency_key: None,
                limits,
            };
            (new, job.photo_id.clone())
        };
        ListingBatch {
            org_id: caller.org_id,
            listing_id: self.listing.id,
            jobs: self.jobs.iter().zip(kept).map(new).collect(),
            limits,
            idempotency_key: turn.key().cloned(),
            answer,
        }
    }

    async fn refused(&self, state: &ApiState, caller: &Caller, refusal: BatchRefusal) -> Result<Response, ApiError> {
        match refusal {
            BatchRefusal::NotFound => Err(listings::unknown()),
            BatchRefusal::Duplicates(duplicates) => {
                let code = ApiErrorCode::JobInProgress;
                let detail = |(at, active): (usize, JobId)| ErrorDetail {
                    photo_id: self.jobs[at].1.photo_id.clone(),
                    field: self.jobs[at].1.input.job_type().as_str().to_owned(),
                    code: code.as_str(),
                    message: format!("equals the job {active}, which is queued or running already"),
                };
                Err(refused_for(code, duplicates.into_iter().map(detail).collect()))
            }
            BatchRefusal::Refused(SubmitRefusal::QuotaExhausted { quota }) => {
                let used = state.store.quota_used(caller.org_id, state.clock.now()).await?;
                Err(over_quota(quota, u64::from(quota).saturating_sub(used), self.jobs.len()))
            }
            BatchRefusal::Refused(SubmitRefusal::QueueFull { limit }) => {
                let message = format!(
                    "The organization's plan allows {limit} queued jobs, which leaves no room for these {}; try again when some \
                     have run, or select fewer photos with `photos`",
                    self.jobs.len()
                );
                let error = ApiError::with_message(ApiErrorCode::RateLimited, message);
                Err(error.retry_after(submit::QUEUE_FULL_RETRY))
            }
            BatchRefusal::Refused(refusal) => submit::refused(refusal, state.clock.now()),
        }
    }
}
