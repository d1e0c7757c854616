//! Jobs whose media are to be looked at, because some may not be needed.

use aerie_domain::{JobId, OrgId};
use aerie_storage::backend::{LEFTOVERS_WAIT, milliseconds};
use deadpool_postgres::GenericClient;

use crate::error::Result;
use crate::pool::execute;

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
