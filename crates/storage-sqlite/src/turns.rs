//! Which job is claimed next: organizations take turns, so that one with thousands of queued jobs delays no other.
//!
//! Each claim has a number. The rows of `job_counts` with the status `queued` record the organization's position in the line
//! (`served`; [`aerie_storage::backend::turns`] has the rule) and the number of its last claim of the kind (`kind_served`).
//! Numbers, not times, because clocks are set back.

use std::collections::BTreeMap;

use aerie_domain::JobType;
use aerie_storage::backend::MAX_LOST;
use aerie_storage::backend::turns::{STEP, next_position};
use rusqlite::{Connection, OptionalExtension, named_params, params};

use crate::error::Result;

/// Condition on jobs whose lease has expired. No lease lasts an hour: one that ends later was granted before the clock was
/// set back, and its holder, if alive, renews it within seconds.
pub(crate) const LOST: &str = "status = 'running' AND (lease_expires_at <= :now OR lease_expires_at > :now + 3600000)";

/// Condition on kinds. As text, because a list cannot be bound; there are few different lists.
fn of_kinds(kinds: &[JobType]) -> String {
    let kinds: Vec<_> = kinds.iter().map(|kind| format!("'{kind}'")).collect();
    format!("job_type IN ({})", kinds.join(", "))
}

/// Expired leases of any kind count: the next claim fails jobs that have used up their runs.
pub(crate) fn anything_to_claim(db: &Connection, kinds: &[JobType], now: i64) -> Result<bool> {
    let kinds = of_kinds(kinds);
    let found = db
        .prepare_cached(&format!(
            "SELECT EXISTS (SELECT 1 FROM job_counts WHERE status = 'queued' AND jobs > 0 AND {kinds})
                 OR EXISTS (SELECT 1 FROM jobs WHERE {LOST})"
        ))?
        .query_row(named_params! {":now": now}, |row| row.get(0))?;
    Ok(found)
}

/// Id of the job that is next: the oldest queued job of the organization and kind whose turn it is, or one whose lease has
/// expired if its organization's turn is earlier.
pub(crate) fn next(db: &Connection, kinds: &[JobType], now: i64) -> Result<Option<String>> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let found = db.prepare_cached(&statement(kinds))?.query_row(named_params! {":now": now}, |row| row.get(0));
    Ok(found.optional()?)
}

fn statement(kinds: &[JobType]) -> String {
    let first = |kind: &JobType| {
        format!(
            "SELECT * FROM (SELECT served, kind_served, org_id, job_type FROM job_counts
                 WHERE status = 'queued' AND jobs > 0 AND job_type = '{kind}' ORDER BY served, kind_served, org_id LIMIT 1)"
        )
    };
    let queues = kinds.iter().map(first).collect::<Vec<_>>().join(" UNION ALL ");
    let kinds = of_kinds(kinds);
    format!(
        "WITH queue AS (SELECT * FROM ({queues}) ORDER BY served, kind_served LIMIT 1),
         lost AS (SELECT id, org_id, job_type, created_at FROM jobs WHERE {LOST} AND {kinds}
             ORDER BY lease_expires_at LIMIT {MAX_LOST})
         SELECT id FROM (
             SELECT served, kind_served, created_at, id FROM queue JOIN jobs ON id =
                 (SELECT id FROM jobs WHERE org_id = queue.org_id AND job_type = queue.job_type AND status = 'queued'
                  ORDER BY created_at, id LIMIT 1)
             UNION ALL
             SELECT coalesce(served, 0), coalesce(kind_served, 0), created_at, id FROM lost LEFT JOIN job_counts
                 ON job_counts.org_id = lost.org_id AND job_counts.job_type = lost.job_type AND status = 'queued')
         ORDER BY served, kind_served, created_at, id LIMIT 1"
    )
}

/// Records that the organization has had its turn with a job of this kind. Only its queues of `kinds`, those that the claimant
/// runs, move in their lines: those that other workers serve have had no turn.
pub(crate) fn took(
    db: &Connection,
    org_id: &str,
    (kind, kinds): (JobType, &[JobType]),
    weights: &BTreeMap<String, u32>,
) -> Result<()> {
    let claim: i64 = db
        .prepare_cached("UPDATE turns SET claims = claims + ?1 RETURNING claims")?
        .query_row([STEP], |row| row.get(0))?;
    let found: Option<(i64, String)> = db
        .prepare_cached(
            "SELECT served, plan FROM job_counts JOIN organizations ON organizations.id = org_id
             WHERE org_id = ?1 AND job_type = ?2 AND status = 'queued'",
        )?
        .query_row([org_id, kind.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    // A job that an early version ran has no row there.
    let Some((served, plan)) = found else { return Ok(()) };
    let place = next_position(served, claim, weights.get(&plan).copied().unwrap_or(1));
    db.prepare_cached(&format!(
        "UPDATE job_counts SET served = max(served, ?4), kind_served = iif(job_type = ?2, ?3, kind_served)
         WHERE org_id = ?1 AND status = 'queued' AND {}",
        of_kinds(kinds)
    ))?
    .execute(params![org_id, kind.as_str(), claim, place])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_queued_job_is_read_but_the_next() {
        let mut db = Connection::open_in_memory().unwrap();
        crate::migrations::migrate(&mut db, "test").unwrap();
        let statement = format!("EXPLAIN QUERY PLAN {}", statement(&JobType::ALL));
        let mut explained = db.prepare(&statement).unwrap();
        let lines = explained.query_map(named_params! {":now": 0}, |row| row.get::<_, String>(3)).unwrap();
        let plan = lines.collect::<rusqlite::Result<Vec<_>>>().unwrap().join("\n");
        let turns = "SEARCH job_counts USING INDEX job_counts_waiting (job_type=?)";
        assert_eq!(plan.matches(turns).count(), JobType::ALL.len(), "{plan}");
        let head = "SEARCH jobs USING COVERING INDEX jobs_newest_of_state (org_id=? AND job_type=? AND status=?)";
        // Jobs that run are few: no more than workers.
        let others = plan.replace("SCAN jobs USING INDEX jobs_leased", "");
        assert!(plan.contains(head) && !others.contains("SCAN jobs"), "{plan}");
    }
}
