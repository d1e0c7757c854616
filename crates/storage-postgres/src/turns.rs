//! Which job is claimed next: organizations take turns, so that one with thousands of queued jobs delays no other.
//!
//! Each claim has a number. The rows of `job_counts` with the status `queued` record the organization's position in the line
//! (`served`; [`aerie_storage::backend::turns`] has the rule) and the number of its last claim of the kind (`kind_served`).
//! Numbers, not times, because clocks are set back.
//!
//! A claim reads whose turns are next, then claims a job of the first with `FOR UPDATE SKIP LOCKED`, in one statement, so
//! that a process that is frozen meanwhile holds no lock. Claims that coincide never wait for each other's jobs, and none is
//! claimed twice. An organization whose turn is being taken is passed over, because its rows of `job_counts` are locked
//! until that claim is on disk; only where no other organization waits, claims wait for each other.
//!
//! # Invariants
//!
//! - A claim waits for no other claim while another organization has a queued job. Tests:
//!   `a_claim_finds_a_job_behind_those_that_claims_in_progress_hold`,
//!   `a_claim_does_not_wait_for_another_that_takes_the_next_turn_but_takes_the_one_after_it`,
//!   `ten_thousand_queued_jobs_of_one_organization_delay_anothers_job_by_no_more_than_the_claims_that_coincide`.
//! - Each job is claimed once, and no claim reads more than the next job of an organization. Tests:
//!   `several_nodes_claim_each_job_once_while_others_are_submitted`,
//!   `a_claim_reads_the_next_job_only_also_after_a_backlog_that_the_statistics_still_show`.

use std::collections::BTreeMap;

use aerie_domain::{JobId, JobType, MAX_RUNS, OrgId};
use aerie_storage::backend::turns::MAX_LAG;
use aerie_storage::backend::{MAX_LEASE, MAX_LOST, lost_failure, milliseconds};
use aerie_storage::{Claim, Lease};
use deadpool_postgres::{Client, GenericClient};
use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::error::Result;
use crate::job_rows::{COLUMNS, job};
use crate::pool::{row, rows};
use crate::rows::{number, time};
use crate::time::TimeSource;
use crate::{failures, leftovers};

/// Organizations of one kind whose turns are compared, at each look: when other claims have taken the jobs of those that are
/// next, a claim looks further, so that it finds a job as long as fewer claims coincide.
const LOOKS: [i64; 4] = [8, 8, 64, 512];

/// Whose turn it may be.
struct Turn {
    org_id: Uuid,
    kind: String,
    /// A job whose lease has expired; `None` for the oldest queued one.
    lost: Option<Uuid>,
    /// Whether the lost job has used up its runs.
    exhausted: bool,
}

/// Weights by the names of plans, as arrays of SQL.
#[derive(Debug, Clone, Default)]
pub(crate) struct Weights {
    plans: Vec<String>,
    weights: Vec<i64>,
}

impl From<BTreeMap<String, u32>> for Weights {
    fn from(weights: BTreeMap<String, u32>) -> Self {
        let (plans, weights) = weights.into_iter().map(|(plan, weight)| (plan, i64::from(weight))).unzip();
        Self { plans, weights }
    }
}

/// Who claims, and how.
pub(crate) struct Claimant<'a> {
    pub(crate) worker: &'a str,
    pub(crate) kinds: &'a [JobType],
    /// Milliseconds.
    pub(crate) lease: i64,
    pub(crate) weights: &'a Weights,
}

/// Claims a job for `lease` milliseconds, and fails lost jobs that have used up their runs.
pub(crate) async fn claim(client: &mut Client, claimant: &Claimant<'_>, source: &TimeSource) -> Result<Option<Claim>> {
    let kinds: Vec<&str> = claimant.kinds.iter().map(|kind| kind.as_str()).collect();
    for (look, most) in LOOKS.into_iter().enumerate() {
        let (exhausted, turns): (Vec<_>, Vec<_>) =
            turns(&*client, &kinds, source.given(), most).await?.into_iter().partition(|turn| turn.exhausted);
        for job in exhausted.into_iter().filter_map(|turn| turn.lost) {
            give_up(client, job, source).await?;
        }
        let queues = turns.iter().filter(|turn| turn.lost.is_none()).count();
        for turn in turns {
            if let Some(row) = take(&*client, &turn, (claimant, &kinds), source.given(), look > 0).await? {
                return Ok(Some(claimed(&row, claimant.worker)?));
            }
        }
        // No kind has further queues: others have claimed all jobs. The first look passes over turns that are being taken, so
        // that a second one has to wait for these.
        let is_last = look > 0 && i64::try_from(queues).is_ok_and(|queues| queues < most);
        if queues == 0 || is_last {
            return Ok(None);
        }
    }
    Ok(None)
}

fn claimed(row: &Row, worker: &str) -> Result<Claim> {
    let (job, run) = (job(row)?, number(row, 19)?);
    let lease = Lease { job_id: job.id, worker: worker.to_owned(), attempt: job.attempt };
    Ok(Claim { job, lease, run })
}

/// Condition on jobs whose lease has expired at `$1`, and longest lease `$2`.
const LOST: &str = "jobs.status = 'running' AND (lease_expires_at <= now_ms($1) OR lease_expires_at > now_ms($1) + $2)";

/// The turns that are next, in their order. Lost jobs of any kind that have used up their runs are among them.
async fn turns(db: &impl GenericClient, kinds: &[&str], given: Option<i64>, most: i64) -> Result<Vec<Turn>> {
    let (longest, runs) = (milliseconds(MAX_LEASE), i64::from(MAX_RUNS));
    let found = rows(db, &turns_statement(), &[&given, &longest, &kinds, &runs, &most]).await?;
    let turn = |row: &Row| {
        Ok(Turn { org_id: row.try_get(0)?, kind: row.try_get(1)?, lost: row.try_get(2)?, exhausted: row.try_get(3)? })
    };
    found.iter().map(turn).collect()
}

fn turns_statement() -> String {
    format!(
        "SELECT org_id, job_type, lost, exhausted FROM (
             SELECT next.served, next.kind_served, next.org_id, next.job_type, NULL::uuid AS lost, false AS exhausted
             FROM unnest($3::text[]) AS kind, LATERAL (
                 SELECT served, kind_served, org_id, job_type FROM job_counts WHERE waiting AND job_type = kind
                 ORDER BY served, kind_served, org_id LIMIT $5) AS next
             UNION ALL
             SELECT coalesce(served, 0), coalesce(kind_served, 0), lost.org_id, lost.job_type, lost.id, lost.runs >= $4
             FROM (SELECT id, org_id, job_type, runs FROM jobs
                   WHERE {LOST} AND (job_type = ANY ($3::text[]) OR runs >= $4)
                   ORDER BY lease_expires_at LIMIT {MAX_LOST}) AS lost
             LEFT JOIN job_counts ON job_counts.org_id = lost.org_id AND job_counts.job_type = lost.job_type
                 AND job_counts.status = 'queued') AS turns
         ORDER BY served, kind_served, lost NULLS LAST, org_id"
    )
}

/// Claims the job of a turn, unless others have claimed it, and records that the organization has had its turn. `waits`: for
/// another claim of the organization's turn, too.
async fn take(
    db: &impl GenericClient,
    turn: &Turn,
    (claimant, kinds): (&Claimant<'_>, &[&str]),
    given: Option<i64>,
    waits: bool,
) -> Result<Option<Row>> {
    let longest = milliseconds(MAX_LEASE);
    let Claimant { worker, lease, weights: Weights { plans, weights }, .. } = claimant;
    match turn.lost {
        None => {
            let statement = take_statement(FREE, QUEUED);
            row(
                db,
                &statement,
                &[&given, &longest, &turn.org_id, &turn.kind, worker, lease, plans, weights, &kinds, &waits],
            )
            .await
        }
        Some(lost) => {
            let next = format!("{LOST} AND jobs.id = $10");
            row(
                db,
                &take_statement("true", &next),
                &[&given, &longest, &turn.org_id, &turn.kind, worker, lease, plans, weights, &kinds, &lost],
            )
            .await
        }
    }
}

/// Whether the turn is free: no other claim is taking it, or `$10` says to wait for that one.
const FREE: &str = "CASE WHEN $10 THEN true ELSE pg_try_advisory_xact_lock(uuid_hash_extended($3, 1)) END";

/// Condition on the queue of a turn; `$2` is there because a statement must use all its values.
const QUEUED: &str = "$2::bigint > 0 AND org_id = $3 AND job_type = $4 AND status = 'queued'";

/// Between two runs, clients see the job as `running` and unchanged. Only the queues of kinds that the claimant runs (`$9`) move
/// in their lines: those that other workers serve have had no turn. The rows of an organization are locked in the order of
/// kinds, so that two claims of it cannot wait for each other. Claims that coincide may be recorded in another order than
/// their numbers; the highest number stays.
fn take_statement(free: &str, next: &str) -> String {
    format!(
        "WITH free AS MATERIALIZED (SELECT {free} AS is_free),
         next AS MATERIALIZED (
             SELECT id FROM jobs WHERE (SELECT is_free FROM free) AND {next}
             ORDER BY created_at NULLS FIRST, id NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED),
         turn AS MATERIALIZED (
             SELECT nextval('claims') AS claim, coalesce((
                 SELECT known.weight FROM organizations JOIN unnest($7::text[], $8::bigint[]) AS known (plan, weight)
                     ON known.plan = organizations.plan
                 WHERE organizations.id = $3), 1) AS weight
             FROM next),
         queues AS MATERIALIZED (
             SELECT job_type, served FROM job_counts WHERE org_id = $3 AND status = 'queued' AND job_type = ANY ($9::text[])
                 AND EXISTS (SELECT FROM turn)
             ORDER BY job_type FOR NO KEY UPDATE),
         place AS MATERIALIZED (
             SELECT greatest(served, claim - {MAX_LAG}) AS place FROM queues, turn WHERE job_type = $4),
         took AS (
             UPDATE job_counts SET served = greatest(job_counts.served, place + (turn.claim - place) / turn.weight),
                 kind_served = CASE WHEN job_counts.job_type = $4 THEN greatest(kind_served, turn.claim)
                     ELSE kind_served END
             FROM queues, turn, place
             WHERE job_counts.org_id = $3 AND job_counts.job_type = queues.job_type AND job_counts.status = 'queued')
         UPDATE jobs SET status = 'running', attempt = attempt + 1, runs = runs + 1, worker = $5,
             lease_expires_at = now_ms($1) + $6,
             updated_at = CASE WHEN status = 'queued' THEN now_ms($1) ELSE updated_at END
         FROM next WHERE jobs.id = next.id RETURNING {COLUMNS}, runs"
    )
}

/// Fails a job whose lease expired in its last run.
async fn give_up(client: &mut Client, id: Uuid, source: &TimeSource) -> Result<()> {
    let transaction = client.transaction().await?;
    let now = source.now(&transaction).await?;
    let output = Value::Object(lost_failure().output()).to_string();
    let statement = format!(
        "UPDATE jobs SET status = 'failed', output = $3, worker = NULL, lease_expires_at = NULL, updated_at = $1
         WHERE id = $4 AND {LOST} AND runs >= $5 RETURNING org_id, created_at"
    );
    let (now_ms, longest, runs) = (now.as_millisecond(), milliseconds(MAX_LEASE), i64::from(MAX_RUNS));
    if let Some(failed) = row(&transaction, &statement, &[&now_ms, &longest, &output, &id, &runs]).await? {
        let org_id = OrgId(failed.try_get(0)?);
        failures::record(&transaction, org_id, time(&failed, 1)?, now).await?;
        leftovers::ended(&transaction, org_id, JobId(id), now_ms).await?;
        tracing::warn!(job = %id, "failed: every run was lost");
    }
    Ok(transaction.commit().await?)
}
