//! Pages of jobs, and notes of a listing's photos.

use aerie_domain::{Job, JobStatus, JobType, OrgId};
use aerie_storage::{JobFilter, JobPage};
use deadpool_postgres::{GenericClient, Transaction};
use serde_json::{Map, Value};

use crate::error::Result;
use crate::job_rows::{COLUMNS, job};
use crate::pool::{row, rows};
use crate::rows::{json, number};

/// A page and the total, from the snapshot of the transaction. Jobs of kinds that this version does not know, which newer nodes may
/// have submitted during an upgrade, are left out.
pub(crate) async fn list(db: &Transaction<'_>, filter: &JobFilter) -> Result<JobPage> {
    let org_id = filter.org_id.map(|id| id.0);
    let status = filter.status.map(JobStatus::as_str);
    let kinds: Vec<&str> = kinds(filter).iter().map(|kind| kind.as_str()).collect();
    let total = "SELECT coalesce(sum(jobs), 0)::bigint FROM job_counts
                 WHERE ($1::uuid IS NULL OR org_id = $1) AND ($2::text IS NULL OR status = $2)
                     AND job_type = ANY ($3::text[])";
    let total = row(db, total, &[&org_id, &status, &kinds]).await?.map_or(Ok(0), |row| number(&row, 0))?;
    let (limit, offset) = (i64::from(filter.limit), i64::try_from(filter.offset).unwrap_or(i64::MAX));
    let statement = page(filter);
    let found = match org_id {
        Some(org_id) => rows(db, &statement, &[&limit, &offset, &org_id]).await?,
        None => rows(db, &statement, &[&limit, &offset]).await?,
    };
    Ok(JobPage { jobs: found.iter().map(job).collect::<Result<Vec<Job>>>()?, total })
}

fn kinds(filter: &JobFilter) -> Vec<JobType> {
    filter.job_type.map_or_else(|| JobType::ALL.to_vec(), |kind| vec![kind])
}

/// The statement for a page. One organization's jobs of a state are merged from an index that has each kind and status in
/// order, so that no other jobs are read, however rare these are.
fn page(filter: &JobFilter) -> String {
    let kinds = kinds(filter);
    let statuses = filter.status.map_or_else(|| JobStatus::ALL.to_vec(), |status| vec![status]);
    let newest = "ORDER BY created_at DESC, id DESC";
    let named = |names: Vec<String>| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    let known = named(kinds.iter().map(ToString::to_string).collect());
    match (filter.org_id, filter.job_type.is_some() || filter.status.is_some()) {
        (Some(_), false) => format!(
            "SELECT {COLUMNS} FROM jobs WHERE org_id = $3 AND job_type IN ({known}) {newest} LIMIT $1 OFFSET $2"
        ),
        (Some(_), true) => {
            let one = |kind: &JobType, status: &JobStatus| {
                format!(
                    "SELECT created_at, id FROM jobs WHERE org_id = $3 AND job_type = '{kind}' AND status = '{status}'"
                )
            };
            let each: Vec<String> =
                kinds.iter().flat_map(|kind| statuses.iter().map(move |status| one(kind, status))).collect();
            let merged = format!("{} {newest} LIMIT $1 OFFSET $2", each.join(" UNION ALL "));
            format!("SELECT {COLUMNS} FROM jobs WHERE id IN (SELECT id FROM ({merged}) AS page) {newest}")
        }
        (None, _) => {
            let statuses = named(statuses.iter().map(ToString::to_string).collect());
            format!(
                "SELECT {COLUMNS} FROM jobs WHERE job_type IN ({known}) AND status IN ({statuses})
                 {newest} LIMIT $1 OFFSET $2"
            )
        }
    }
}

pub(crate) async fn notes(
    db: &impl GenericClient,
    org_id: OrgId,
    kind: JobType,
    listing: &str,
    limit: u32,
) -> Result<Vec<Map<String, Value>>> {
    let statement = "SELECT notes FROM jobs
                     WHERE org_id = $1 AND listing = $2 AND job_type = $3 AND status = 'completed'
                     ORDER BY created_at, id LIMIT $4";
    let listing = Value::from(listing).to_string();
    let found = rows(db, statement, &[&org_id.0, &listing, &kind.as_str(), &i64::from(limit)]).await?;
    found.iter().map(|row| json(row, 0)).collect()
}
