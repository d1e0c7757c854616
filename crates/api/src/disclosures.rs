//! Disclosure profiles: what follows from them for a request, and for a finished picture.

use aerie_disclosure::{Disclosed, Profile, Use};
use aerie_domain::{Job, JobStatus, JobType, ValidationError};
use aerie_storage::TruthPage;
use serde_json::{Map, Value, json};

use crate::ApiState;
use crate::auth::Caller;
use crate::error::ApiError;

/// The field of `output` that says what a profile asks for.
pub(crate) const FIELD: &str = "disclosure_profile";

/// The option that names a profile.
const OPTION: &str = "disclosure_profile";

/// Kinds whose pictures have profiles and truth pages: those that alter a photo.
pub(crate) fn has_profile(kind: JobType) -> bool {
    matches!(kind, JobType::ImageEnhance | JobType::VirtualStaging)
}

/// Writes the profile of a request into its `input`, that of the organization if it names none, and the label that the profile asks for.
///
/// # Errors
/// When the profile is not known, or forbids the label of the request.
pub(crate) fn apply(state: &ApiState, caller: &Caller, kind: JobType, input: &mut Value) -> Result<(), ApiError> {
    if !has_profile(kind) {
        return Ok(());
    }
    let option = |name: &str| input["options"][name].as_str().map(str::to_owned);
    let default = &caller.credentials.org.disclosure_profile;
    let Some(name) = option(OPTION).or_else(|| default.clone()) else { return Ok(()) };
    let Some(profile) = state.profiles.get(&name) else {
        let known = state.profiles.names();
        return Err(ValidationError::new("options.disclosure_profile", format!("must be one of {known}")).into());
    };
    let has_label = option("label").is_some();
    if has_label && profile.label.rule == Use::Forbidden {
        let why = format!("must not be given with the disclosure profile {name}, which forbids marks in pictures");
        return Err(ValidationError::new("options.label", why).into());
    }
    let label = profile.required_label(kind).filter(|_| !has_label).map(str::to_owned);
    let Some(members) = input.as_object_mut() else { return Ok(()) };
    let options = members.entry("options").or_insert_with(|| json!({}));
    options[OPTION] = name.into();
    if let Some(label) = label {
        // A staged photo is altered in any case; of an enhanced one, the engine finds out.
        let field = if kind == JobType::VirtualStaging { "label" } else { "label_if_altered" };
        options[field] = label.into();
    }
    Ok(())
}

/// The profile of a job, if it has one that is still known.
pub(crate) fn profile<'a>(state: &'a ApiState, input: &Value) -> Option<&'a Profile> {
    state.profiles.get(input["options"][OPTION].as_str()?)
}

/// What follows from the profile of a finished job, with the address of its truth page if it has one.
pub(crate) async fn with_page(state: &ApiState, job: &Job) -> Result<Option<Disclosed>, ApiError> {
    if !has_profile(job.job_type) {
        return Ok(None);
    }
    let Some(profile) = profile(state, &job.input) else { return Ok(None) };
    let page = match profile.has_page() {
        true => state.store.truth_page_of_job(job.org_id, job.id).await?,
        false => None,
    };
    let url = page.filter(TruthPage::is_public).map(|page| state.truth_pages.url(&page.code));
    Ok(Some(profile.disclose(job.job_type, &job.output, url.as_deref())))
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
