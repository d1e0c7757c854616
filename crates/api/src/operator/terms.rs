//! Changes to the terms of an organization.

use aerie_domain::{Fields, JobType, OrgChanges, ValidationError};
use serde_json::Value;

use super::console::OperatorConsole;

const MAX_TEXT: usize = 100;

/// Largest number of jobs, days or cents.
const MAX_NUMBER: i64 = u32::MAX as i64;

/// Reads changes: what is missing stays as it is; `null` removes a quota, a number of days, a profile, or a price.
///
/// # Errors
/// When a field has another type, or names an unknown kind of job.
pub(super) fn changes(body: &Value) -> Result<OrgChanges, ValidationError> {
    let fields = Fields::of_body(body)?;
    let disabled = disabled(&fields)?;
    let is_disabled = |kind: &JobType| disabled.as_ref().map(|disabled| disabled.contains(kind));
    let kinds = |wanted: bool| JobType::ALL.into_iter().filter(|kind| is_disabled(kind) == Some(wanted)).collect();
    let profile = fields.text("disclosure_profile", MAX_TEXT)?.map(|name| Some(name.to_owned()));
    Ok(OrgChanges {
        plan: fields.text("plan", MAX_TEXT)?.map(str::to_owned),
        enable: kinds(false),
        disable: kinds(true),
        monthly_quota: number_or_none(&fields, "monthly_quota", 0)?,
        prices: prices(&fields)?,
        reject_duplicates: fields.boolean("reject_duplicates")?,
        keep_days: number_or_none(&fields, "keep_days", 1)?,
        disclosure_profile: profile.or_else(|| fields.is_null("disclosure_profile").then_some(None)),
        truth_pages: fields.boolean("truth_pages")?,
    })
}

/// All kinds that are to be disabled; the others are enabled.
fn disabled(fields: &Fields<'_>) -> Result<Option<Vec<JobType>>, ValidationError> {
    let known = JobType::ALL.map(JobType::as_str).join(", ");
    let names = fields.formed_list(
        "disabled",
        0..=JobType::ALL.len(),
        |name| JobType::from_name(name).is_some(),
        &format!("one of {known}"),
    )?;
    Ok(names.map(|names| names.into_iter().filter_map(JobType::from_name).collect()))
}

fn number_or_none(fields: &Fields<'_>, name: &str, least: i64) -> Result<Option<Option<u32>>, ValidationError> {
    if fields.is_null(name) {
        return Ok(Some(None));
    }
    let number = fields.integer(name, least..=MAX_NUMBER)?;
    Ok(number.map(|number| Some(u32::try_from(number).unwrap_or(u32::MAX))))
}

fn prices(fields: &Fields<'_>) -> Result<Vec<(JobType, Option<u32>)>, ValidationError> {
    let Some(given) = fields.object("prices")? else { return Ok(Vec::new()) };
    let named = fields.value("prices").and_then(Value::as_object);
    if let Some(unknown) = named.and_then(|members| members.keys().find(|name| JobType::from_name(name).is_none())) {
        let known = JobType::ALL.map(JobType::as_str).join(", ");
        return Err(ValidationError::new(
            format!("prices.{unknown}"),
            format!("is no kind of job; known kinds: {known}"),
        ));
    }
    let mut prices = Vec::new();
    for kind in JobType::ALL {
        prices.extend(number_or_none(&given, kind.as_str(), 0)?.map(|cents| (kind, cents)));
    }
    Ok(prices)
}

/// Refuses a plan that the configuration does not have.
pub(super) fn check_plan(console: &OperatorConsole, plan: &str) -> Result<(), ValidationError> {
    let plans = &console.state.plans;
    match plans.get(plan) {
        Some(_) => Ok(()),
        None => {
            let known = plans.names().collect::<Vec<_>>().join(", ");
            Err(ValidationError::new("plan", format!("must be a plan of the configuration: {known}")))
        }
    }
}

/// Refuses a disclosure profile that is not known.
pub(super) fn check_profile(console: &OperatorConsole, name: &str) -> Result<(), ValidationError> {
    let profiles = &console.state.profiles;
    match profiles.get(name) {
        Some(_) => Ok(()),
        None => Err(ValidationError::new("disclosure_profile", format!("must be one of {}", profiles.names()))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_missing_stays_and_null_removes() {
        let none = changes(&json!({})).unwrap();
        assert!(none.plan.is_none() && none.enable.is_empty() && none.disable.is_empty() && none.prices.is_empty());
        assert_eq!((none.monthly_quota, none.keep_days, none.disclosure_profile), (None, None, None));
        let removed = changes(
            &json!({"monthly_quota": null, "keep_days": null, "disclosure_profile": null, "prices": {"markup": null}}),
        );
        let removed = removed.unwrap();
        assert_eq!((removed.monthly_quota, removed.keep_days), (Some(None), Some(None)));
        assert_eq!((removed.disclosure_profile, removed.prices), (Some(None), vec![(JobType::Markup, None)]));
    }

    #[test]
    fn the_kinds_that_are_not_disabled_are_enabled() {
        let changed =
            changes(&json!({"disabled": ["video_clip"], "monthly_quota": 5, "prices": {"markup": 700}})).unwrap();
        assert_eq!(changed.disable, [JobType::VideoClip]);
        assert_eq!(changed.enable.len(), JobType::ALL.len() - 1);
        assert_eq!((changed.monthly_quota, changed.prices), (Some(Some(5)), vec![(JobType::Markup, Some(700))]));
        let all = changes(&json!({"disabled": []})).unwrap();
        assert_eq!((all.enable.len(), all.disable.len()), (JobType::ALL.len(), 0));
    }

    #[test]
    fn errors_name_the_field() {
        for (body, path) in [
            (json!([]), ""),
            (json!({"disabled": ["films"]}), "disabled[0]"),
            (json!({"disabled": "markup"}), "disabled"),
            (json!({"monthly_quota": -1}), "monthly_quota"),
            (json!({"monthly_quota": "many"}), "monthly_quota"),
            (json!({"keep_days": 0}), "keep_days"),
            (json!({"prices": {"films": 1}}), "prices.films"),
            (json!({"prices": {"markup": -1}}), "prices.markup"),
            (json!({"truth_pages": "on"}), "truth_pages"),
            (json!({"plan": 7}), "plan"),
        ] {
            assert_eq!(changes(&body).unwrap_err().path, path, "{body}");
        }
    }
}
