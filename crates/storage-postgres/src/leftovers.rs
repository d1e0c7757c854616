//! Jobs whose media are to be looked at, because some may not be needed.

use aerie_domain::{JobId, OrgId};
use aerie_storage::Leftovers;
use aerie_storage::backend::{LEFTOVERS_WAIT, milliseconds};
use deadpool_postgres::GenericClient;
use uuid::Uuid;

use crate::error::Result;
use crate::pool::{execute, rows};
use crate::rows::time;

/// Notes a job, to be looked at in `wait` milliseconds; the later of two times counts.
pub(crate) async fn expect(
    db: &impl GenericClient,
    (org_id, job_id): (OrgId, JobId),
    given: Option<i64>,
    wait: i64,
) -> Result<()> {
    let statement = "INSERT INTO leftovers AS noted (job_id, org_id, due_at) VALUES ($1, $2, now_ms($3) + $4)
                     ON CONFLICT (job_id) DO UPDATE SET due_at = greatest(noted.due_at, excluded.due_at)";
    execute(db, statement, &[&job_id.0, &org_id.0, &given, &wait]).await?;
    Ok(())
}

/// Notes a job that ended with files that nobody may need.
pub(crate) async fn ended(db: &impl GenericClient, org_id: OrgId, job_id: JobId, now: i64) -> Result<()> {
    expect(db, (org_id, job_id), Some(now), milliseconds(LEFTOVERS_WAIT)).await
}

/// Forgets a job that has its row now.
pub(crate) async fn submitted(db: &impl GenericClient, job_id: JobId) -> Result<()> {
    execute(db, "DELETE FROM leftovers WHERE job_id = $1", &[&job_id.0]).await?;
    Ok(())
}

pub(crate) async fn due(db: &impl GenericClient, given: Option<i64>, limit: u32) -> Result<Vec<Leftovers>> {
    let statement = "SELECT org_id, job_id, due_at FROM leftovers WHERE due_at <= now_ms($1) ORDER BY due_at LIMIT $2";
    let found = rows(db, statement, &[&given, &i64::from(limit)]).await?;
    let leftovers = |row: &tokio_postgres::Row| {
        Ok(Leftovers { org_id: OrgId(row.try_get(0)?), job_id: JobId(row.try_get(1)?), due_at: time(row, 2)? })
    };
    found.iter().map(leftovers).collect()
}

pub(crate) async fn clear(db: &impl GenericClient, cleared: &[Leftovers]) -> Result<()> {
    let jobs: Vec<Uuid> = cleared.iter().map(|leftovers| leftovers.job_id.0).collect();
    let times: Vec<i64> = cleared.iter().map(|leftovers| leftovers.due_at.as_millisecond()).collect();
    let statement = "DELETE FROM leftovers USING unnest($1::uuid[], $2::bigint[]) AS cleared (job_id, due_at)
                     WHERE leftovers.job_id = cleared.job_id AND leftovers.due_at = cleared.due_at";
    execute(db, statement, &[&jobs, &times]).await?;
    Ok(())
}
