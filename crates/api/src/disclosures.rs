//! Disclosure profiles: what follows from them for a request, and for a finished picture or clip.

use std::collections::BTreeSet;

use aerie_disclosure::{Disclosed, Profile, Use};
use aerie_domain::{Job, JobId, JobInput, JobStatus, JobType, ValidationError};
use aerie_engine_api::Labels;
use aerie_storage::TruthPage;
use serde_json::{Map, Value, json};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::{ApiState, pictures};

/// The field of `output` that says what a profile asks for.
pub(crate) const FIELD: &str = "disclosure_profile";

/// Kinds whose pictures have truth pages: those that alter a photo.
pub(crate) fn has_page(kind: JobType) -> bool {
    matches!(kind, JobType::ImageEnhance | JobType::VirtualStaging)
}

/// Kinds whose media have profiles: those that alter a photo, or show photos that may be altered.
fn has_profile(kind: JobType) -> bool {
    has_page(kind) || kind == JobType::VideoClip
}

/// Sets the profile of a request, that of the organization if it names none, and the labels that the profile asks for.
///
/// # Errors
/// When the profile is not known, or forbids the label of the request.
pub(crate) fn apply(state: &ApiState, caller: &Caller, input: &mut JobInput) -> Result<(), ApiError> {
    if !has_profile(input.job_type()) {
        return Ok(());
    }
    let default = caller.credentials.org.disclosure_profile.as_deref();
    let Some(name) = input.request().disclosure_profile().or(default) else { return Ok(()) };
    let Some(profile) = state.profiles.get(name) else {
        let known = state.profiles.names();
        return Err(ValidationError::new("options.disclosure_profile", format!("must be one of {known}")).into());
    };
    if input.request().label().is_some() && profile.label.rule == Use::Forbidden {
        let why = format!("must not be given with the disclosure profile {name}, which forbids marks in pictures");
        return Err(ValidationError::new("options.label", why).into());
    }
    let label = |is_staged| profile.required_label(is_staged).map(str::to_owned);
    let labels = Labels { profile: name.to_owned(), if_staged: label(true), if_altered: label(false) };
    input.request_mut().follow_profile(labels);
    Ok(())
}

/// The profile of a job, if it has one that is still known. Lists need it of every job, so the rest of the request is not read.
pub(crate) fn profile<'a>(state: &'a ApiState, input: &Value) -> Option<&'a Profile> {
    state.profiles.get(input["options"]["disclosure_profile"].as_str()?)
}

/// What follows from the profile of a finished job, with the address of its truth page if it has one.
pub(crate) async fn with_page(state: &ApiState, job: &Job) -> Result<Option<Disclosed>, ApiError> {
    if !has_profile(job.job_type) {
        return Ok(None);
    }
    let Some(profile) = profile(state, &job.input) else { return Ok(None) };
    let altering = match profile.has_page() {
        true => altering(state, job).await?,
        false => BTreeSet::new(),
    };
    let mut urls = Vec::new();
    for id in &altering {
        let page = state.store.truth_page_of_job(job.org_id, *id).await?;
        urls.extend(page.filter(TruthPage::is_public).map(|page| state.truth_pages.url(&page.code)));
    }
    let url = (!urls.is_empty()).then(|| urls.join(", "));
    let mut disclosed = profile.disclose(job.job_type, &job.output, url.as_deref());
    disclosed.lacks_page |= disclosed.is_altered && profile.truth_page == Use::Required && urls.len() < altering.len();
    Ok(Some(disclosed))
}

/// The jobs whose truth pages show what was altered: the job itself, or for a clip those of its organization that altered its photos.
async fn altering(state: &ApiState, job: &Job) -> Result<BTreeSet<JobId>, ApiError> {
    if has_page(job.job_type) {
        return Ok(BTreeSet::from([job.id]));
    }
    let org = format!("{}/", job.org_id);
    let links = job.request().map(|input| input.request().pictures()).unwrap_or_default();
    let keys = links.iter().filter_map(|link| pictures::own_key(state, &link.url)?.strip_prefix(&org));
    let made_by: BTreeSet<JobId> = keys.filter_map(|key| key.split('/').next()?.parse().ok().map(JobId)).collect();
    let mut altering = BTreeSet::new();
    for id in made_by {
        let made_by = state.store.job_get(Some(job.org_id), id).await?;
        let is_altering = |made_by: Job| made_by.output.get("disclosure").is_some_and(|it| it["altered"] == true);
        if made_by.is_some_and(is_altering) {
            altering.insert(id);
        }
    }
    Ok(altering)
}

/// What a job's profile asks for, once the job is completed.
pub(crate) fn of(job: &Job, output: &Map<String, Value>, state: &ApiState) -> Option<Value> {
    if job.status != JobStatus::Completed || !has_profile(job.job_type) {
        return None;
    }
    let profile = profile(state, &job.input)?;
    let disclosed = profile.disclose(job.job_type, output, None);
    Some(json!({
        "name": profile.name,
        "altered": disclosed.is_altered,
        "caption": disclosed.caption,
        "truth_page": profile.truth_page.as_str(),
        "needs_truth_page": disclosed.lacks_page,
        "file_suffix": disclosed.file_suffix,
    }))
}
