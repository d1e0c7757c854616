//! `aerie admin org`

use aerie_domain::organization::check_name;
use aerie_domain::{JobType, OrgChanges, Organization};
use anyhow::{anyhow, ensure};
use serde_json::{Value, json};

use super::lookup::organization;
use crate::arguments::{AdminOrg, AdminOrgSet, Global};
use crate::config::Config;
use crate::data::Data;
use crate::print;
use crate::table::table;

pub(super) async fn run(config: &Config, data: &Data, global: &Global, options: &AdminOrg) -> anyhow::Result<()> {
    match options {
        AdminOrg::Create { name, plan } => {
            let name = check_name(name).map_err(|bad| anyhow!("the name of an organization {bad}"))?;
            check_plan(config, plan)?;
            let created = data.store.org_create(name, plan).await?;
            if global.json {
                return print::json(&json!({"org_id": created.id}));
            }
            print::line(&format!("Created organization {} ({}), plan {plan}", created.id, created.name));
            print::line(&format!("Next: aerie admin key create --org {}", created.id));
        }
        AdminOrg::Set(options) => {
            let id = organization(&*data.store, &options.org).await?.id;
            if let Some(plan) = &options.plan {
                check_plan(config, plan)?;
            }
            if let Some(name) = options.disclosure_profile.as_deref().filter(|name| *name != NO_PROFILE) {
                check_profile(config, name)?;
            }
            let changed = data.store.org_change(id, changes(options)).await?;
            show(data, global, changed.as_slice()).await?;
        }
        AdminOrg::List => {
            let found = data.store.org_list().await?;
            if !global.json {
                return show(data, global, &found).await;
            }
            let mut rows = Vec::new();
            for org in &found {
                rows.push(terms(data, org).await?);
            }
            print::json(&rows)?;
        }
    }
    Ok(())
}

fn check_plan(config: &Config, plan: &str) -> anyhow::Result<()> {
    let names: Vec<&str> = config.plans.names().collect();
    ensure!(names.contains(&plan), "no plan is named `{plan}`; configured plans: {}", names.join(", "));
    Ok(())
}

/// Removes the default disclosure profile; `none` is a profile.
const NO_PROFILE: &str = "unset";

fn check_profile(config: &Config, name: &str) -> anyhow::Result<()> {
    let profiles = config.truth_pages.profiles()?;
    let known = profiles.names();
    ensure!(profiles.get(name).is_some(), "no disclosure profile is named `{name}`; known profiles: {known}");
    Ok(())
}

fn changes(options: &AdminOrgSet) -> OrgChanges {
    OrgChanges {
        plan: options.plan.clone(),
        enable: options.enable.clone(),
        disable: options.disable.clone(),
        monthly_quota: options.monthly_quota.map(|quota| quota.0),
        prices: options.price.clone(),
        keep_days: options.keep_days.map(|days| days.0),
        disclosure_profile: options
            .disclosure_profile
            .as_ref()
            .map(|name| Some(name.clone()).filter(|name| name != NO_PROFILE)),
        truth_pages: options.truth_pages.as_deref().map(|text| text == "on"),
        reject_duplicates: options.reject_duplicates.as_deref().map(|text| text == "on"),
    }
}

/// Prints one organization as JSON with `--json`, else a table.
async fn show(data: &Data, global: &Global, found: &[Organization]) -> anyhow::Result<()> {
    if let ([org], true) = (found, global.json) {
        return print::json(&terms(data, org).await?);
    }
    let mut rows = Vec::new();
    for org in found {
        let used = data.store.quota_used(org.id, data.clock.now()).await?;
        let quota = org.monthly_quota.map_or_else(|| "none".to_owned(), |quota| quota.to_string());
        rows.push(vec![
            org.id.to_string(),
            org.name.clone(),
            org.plan.clone(),
            format!("{used} of {quota}"),
            list(org.disabled.iter().map(ToString::to_string)),
            list(org.prices.iter().map(|(kind, cents)| format!("{kind}={cents}"))),
            if org.reject_duplicates { "rejected" } else { "accepted" }.to_owned(),
            org.keep_days.map_or_else(|| "forever".to_owned(), |days| format!("{days} days")),
            org.disclosure_profile.clone().unwrap_or_else(|| "-".to_owned()),
            if org.truth_pages { "on" } else { "by profile" }.to_owned(),
            print::time(org.created_at),
        ]);
    }
    let headings = [
        "ORG",
        "NAME",
        "PLAN",
        "JOBS THIS MONTH",
        "DISABLED",
        "PRICES (CENTS)",
        "DUPLICATES",
        "MEDIA KEPT",
        "DISCLOSURE",
        "TRUTH PAGES",
        "CREATED",
    ];
    print::line(&table(&headings, &rows));
    Ok(())
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "-".to_owned() } else { items.join(",") }
}

async fn terms(data: &Data, org: &Organization) -> anyhow::Result<Value> {
    let enabled: Vec<JobType> = JobType::ALL.into_iter().filter(|kind| !org.disabled.contains(kind)).collect();
    Ok(json!({
        "org_id": org.id, "name": org.name, "plan": org.plan, "enabled": enabled, "disabled": org.disabled,
        "monthly_quota": org.monthly_quota, "jobs_this_month": data.store.quota_used(org.id, data.clock.now()).await?,
        "prices": org.prices, "reject_duplicates": org.reject_duplicates, "keep_days": org.keep_days,
        "disclosure_profile": org.disclosure_profile, "truth_pages": org.truth_pages, "created_at": print::time(org.created_at),
    }))
}
