//! Pages of jobs, and notes of a listing's photos.

use aerie_domain::{JobStatus, JobType, OrgId};
use aerie_storage::{JobFilter, JobPage};
use rusqlite::{Connection, params};
use serde_json::{Map, Value};

use crate::error::Result;
use crate::job_rows::{COLUMNS, job};
use crate::rows::json;

pub(crate) fn list(db: &Connection, filter: &JobFilter) -> Result<JobPage> {
    let org_id = filter.org_id.map(|id| id.to_string());
    let status = filter.status.map(JobStatus::as_str);
    let job_type = filter.job_type.map(JobType::as_str);
    let mut values: Vec<&dyn rusqlite::ToSql> = Vec::new();
    let mut conditions = Vec::new();
    for (column, value) in [("status", &status), ("job_type", &job_type)] {
        if let Some(value) = value {
            conditions.push(format!("{column} = ?"));
            values.push(value);
        }
    }
    if let Some(org_id) = &org_id {
        conditions.push("org_id = ?".to_owned());
        values.push(org_id);
    }
    let condition = if conditions.is_empty() { "TRUE".to_owned() } else { conditions.join(" AND ") };
    let total: i64 = db
        .prepare_cached(&format!("SELECT coalesce(sum(jobs), 0) FROM job_counts WHERE {condition}"))?
        .query_row(values.as_slice(), |row| row.get(0))?;
    let offset = i64::try_from(filter.offset).unwrap_or(i64::MAX);
    let mut values: Vec<&dyn rusqlite::ToSql> = org_id.iter().map(|id| id as &dyn rusqlite::ToSql).collect();
    values.extend([&filter.limit as &dyn rusqlite::ToSql, &offset]);
    let jobs = db.prepare_cached(&page(filter))?.query_map(values.as_slice(), job)?.collect::<rusqlite::Result<_>>()?;
    Ok(JobPage { jobs, total: u64::try_from(total).unwrap_or(0) })
}

/// The statement for a page. Conditions are text, because SQLite plans a statement before it knows the parameters. One
/// organization's jobs of a state are merged from an index that has each kind and status in order, so that no other jobs
/// are read, however rare these are.
fn page(filter: &JobFilter) -> String {
    let kinds = filter.job_type.map_or_else(|| JobType::ALL.to_vec(), |kind| vec![kind]);
    let statuses = filter.status.map_or_else(|| JobStatus::ALL.to_vec(), |status| vec![status]);
    let newest = "ORDER BY created_at DESC, id DESC";
    match (filter.org_id, filter.job_type.is_some() || filter.status.is_some()) {
        (Some(_), false) => format!("SELECT {COLUMNS} FROM jobs WHERE org_id = ? {newest} LIMIT ? OFFSET ?"),
        (Some(_), true) => {
            let one = |kind: &JobType, status: &JobStatus| {
                format!(
                    "SELECT created_at, id FROM jobs WHERE org_id = ?1 AND job_type = '{kind}' AND status = '{status}'"
                )
            };
            let each: Vec<String> =
                kinds.iter().flat_map(|kind| statuses.iter().map(move |status| one(kind, status))).collect();
            let merged = format!("{} {newest} LIMIT ?2 OFFSET ?3", each.join(" UNION ALL "));
            format!("SELECT {COLUMNS} FROM jobs WHERE id IN (SELECT id FROM ({merged})) {newest}")
        }
        (None, _) => {
            let named =
                |names: Vec<String>| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
            let kinds = named(kinds.iter().map(ToString::to_string).collect());
            let statuses = named(statuses.iter().map(ToString::to_string).collect());
            // The unary plus keeps SQLite from using an index whose rows it would have to sort. Failed jobs have an index of their own.
            let state = match filter.status {
                Some(JobStatus::Failed) => "status = 'failed'".to_owned(),
                _ => format!("+status IN ({statuses})"),
            };
            format!("SELECT {COLUMNS} FROM jobs WHERE +job_type IN ({kinds}) AND {state} {newest} LIMIT ? OFFSET ?")
        }
    }
}

pub(crate) fn notes(
    db: &Connection,
    org_id: OrgId,
    kind: JobType,
    listing: &str,
    limit: u32,
) -> Result<Vec<Map<String, Value>>> {
    let notes = db
        .prepare_cached(
            "SELECT notes FROM jobs WHERE org_id = ?1 AND listing = ?2 AND job_type = ?3 AND status = 'completed'
             ORDER BY created_at, id LIMIT ?4",
        )?
        .query_map(params![org_id.to_string(), listing, kind.as_str(), limit], |row| json(row, 0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(db: &Connection, statement: &str) -> String {
        let mut explained = db.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
        let parameters = rusqlite::params_from_iter(vec![1; explained.parameter_count()]);
        let lines = explained.query_map(parameters, |row| row.get::<_, String>(3)).unwrap();
        lines.collect::<rusqlite::Result<Vec<_>>>().unwrap().join("\n")
    }

    #[test]
    fn no_page_of_an_organization_sorts_all_its_jobs() {
        let mut db = Connection::open_in_memory().unwrap();
        crate::migrations::migrate(&mut db, "test").unwrap();
        let org_id = Some(OrgId::new(jiff::Timestamp::UNIX_EPOCH));
        let by_state = "USING COVERING INDEX jobs_newest_of_state (org_id=? AND job_type=? AND status=?)";
        for (status, job_type, index, sorts) in [
            (None, None, "USING INDEX jobs_newest_of_organization (org_id=?)", 0),
            // Only the page itself is sorted.
            (Some(JobStatus::Failed), None, by_state, 1),
            (None, Some(JobType::Markup), by_state, 1),
            (Some(JobStatus::Failed), Some(JobType::Markup), by_state, 1),
        ] {
            let plan = plan(&db, &page(&JobFilter { org_id, status, job_type, limit: 10, offset: 0 }));
            assert!(plan.contains(index) && !plan.contains("SCAN jobs"), "{plan}");
            assert_eq!(plan.matches("USE TEMP B-TREE FOR ORDER BY").count(), sorts, "{plan}");
        }
        let all = JobFilter { org_id: None, status: None, job_type: None, limit: 10, offset: 0 };
        assert_eq!(plan(&db, &page(&all)), "SCAN jobs USING INDEX jobs_newest");
        for job_type in [None, Some(JobType::Markup)] {
            let failed = JobFilter { status: Some(JobStatus::Failed), job_type, ..all.clone() };
            assert_eq!(plan(&db, &page(&failed)), "SCAN jobs USING INDEX jobs_failed");
        }
    }
}
