//! `GET /v1/disclosure-profiles`

use std::sync::Arc;

use aerie_disclosure::{Profile, Source};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::auth::Caller;
use crate::envelope::{Envelope, success};

/// A set of rules about disclosure.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DisclosureProfile)]
pub(crate) struct DisclosureProfileView {
    /// Its name in `options.disclosure_profile`.
    #[schema(example = "california-ab-723")]
    name: String,
    /// Its title.
    title: String,
    /// Whether it applies to jobs of the organization that name none.
    is_default: bool,
    /// What the rules ask for, shortened.
    rule: String,
    /// Whether altered pictures carry a label: `required`, `allowed` or `forbidden`.
    label: RuleView,
    /// Whether a text is published beside altered pictures. In the text, `{what}` stands for what the picture is, `{changes}` for what was
    /// changed and `{url}` for the address of the truth page.
    caption: RuleView,
    /// Whether altered pictures have a truth page: `required`, `allowed` or `forbidden`.
    #[schema(example = "required")]
    truth_page: &'static str,
    /// What the names of altered files end with in archives, before the extension.
    #[schema(required)]
    file_suffix: Option<String>,
    /// Where the rules are written.
    sources: Vec<SourceView>,
}

/// What a profile says about a means of disclosure.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DisclosureRule)]
pub(crate) struct RuleView {
    /// `required`, `allowed` or `forbidden`.
    #[serde(rename = "use")]
    #[schema(example = "required")]
    rule: &'static str,
    /// Its text in staged photos.
    #[schema(required)]
    staged: Option<String>,
    /// Its text in photos that were altered otherwise.
    #[schema(required)]
    altered: Option<String>,
    /// The text that these are a part of.
    #[schema(required)]
    text: Option<String>,
}

/// Where rules are written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DisclosureSource)]
pub(crate) struct SourceView {
    /// Its title.
    title: String,
    /// Its address.
    #[schema(format = "uri")]
    url: String,
    /// The day on which it was read.
    #[schema(example = "2026-11-27")]
    seen: String,
    /// What it says, in its own words or shortened.
    says: String,
}

impl DisclosureProfileView {
    fn of(profile: &Profile, default: Option<&str>) -> Self {
        let source = |source: &Source| SourceView {
            title: source.title.clone(),
            url: source.url.clone(),
            seen: source.seen.clone(),
            says: source.says.clone(),
        };
        let (label, caption) = (&profile.label, &profile.caption);
        Self {
            name: profile.name.clone(),
            title: profile.title.clone(),
            is_default: default == Some(profile.name.as_str()),
            rule: profile.rule.clone(),
            label: RuleView {
                rule: label.rule.as_str(),
                staged: label.staged.clone(),
                altered: label.altered.clone(),
                text: None,
            },
            caption: RuleView {
                rule: caption.rule.as_str(),
                staged: caption.staged.clone(),
                altered: caption.altered.clone(),
                text: caption.text.clone(),
            },
            truth_page: profile.truth_page.as_str(),
            file_suffix: profile.file_suffix.clone(),
            sources: profile.sources.iter().map(source).collect(),
        }
    }
}

/// List disclosure profiles
///
/// Aerie extension. Lists the disclosure profiles of this service by name, with their texts and their sources. A profile is data, not
/// legal advice: check the rules that apply to you. Needs a key with the scope `read`.
#[utoipa::path(
    get,
    path = "/v1/disclosure-profiles",
    operation_id = "list_disclosure_profiles",
    tag = "Truth pages",
    security(("api_key" = [])),
    responses(
        (status = 200, description = "The profiles", body = Envelope<Vec<DisclosureProfileView>>),
    )
)]
pub(crate) async fn list_disclosure_profiles(
    State(state): State<Arc<ApiState>>,
    Extension(caller): Extension<Caller>,
) -> Response {
    let default = caller.credentials.org.disclosure_profile.as_deref();
    let profiles: Vec<_> = state.profiles.iter().map(|profile| DisclosureProfileView::of(profile, default)).collect();
    success(StatusCode::OK, profiles)
}
