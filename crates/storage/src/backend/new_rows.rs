//! Rows as they are when they are inserted.

use aerie_domain::{Job, JobStatus, OrgId, Organization, Prices};
use jiff::Timestamp;

use crate::NewJob;

/// A job that has just been submitted.
#[must_use]
pub fn queued_job(new: &NewJob, now: Timestamp) -> Job {
    Job {
        id: new.id,
        org_id: new.org_id,
        job_type: new.input.job_type(),
        status: JobStatus::Queued,
        input: new.input.to_stored(),
        input_media: new.input_media.clone(),
        parent_id: new.parent_id,
        annotation: None,
        notes: serde_json::Map::new(),
        output: serde_json::Map::new(),
        media: std::collections::BTreeMap::new(),
        unit_price_cents: new.unit_price_cents,
        request_id: new.request_id,
        attempt: 0,
        created_at: now,
        updated_at: now,
        completed_at: None,
        expired_at: None,
        pack: None,
    }
}

/// An organization with every kind enabled, no quota and the configured prices.
#[must_use]
pub fn new_organization(name: &str, plan: &str, now: Timestamp) -> Organization {
    Organization {
        id: OrgId::new(now),
        name: name.to_owned(),
        plan: plan.to_owned(),
        disabled: Default::default(),
        monthly_quota: None,
        prices: Prices::default(),
        reject_duplicates: false,
        keep_days: None,
        disclosure_profile: None,
        truth_pages: false,
        created_at: now,
    }
}
