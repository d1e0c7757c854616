//! Jobs that count against quotas, by organization and UTC month.

use aerie_domain::OrgId;
use aerie_storage::backend::utc_month;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;

use crate::error::Result;
use crate::pool::{execute, row};
use crate::rows::number;

/// Counts new jobs.
pub(crate) async fn reserve(db: &impl GenericClient, org_id: OrgId, jobs: usize, now: Timestamp) -> Result<()> {
    let statement = "INSERT INTO quota_use AS used (org_id, month, jobs) VALUES ($1, $2, $3)
                     ON CONFLICT (org_id, month) DO UPDATE SET jobs = used.jobs + excluded.jobs";
    let jobs = i64::try_from(jobs).unwrap_or(i64::MAX);
    execute(db, statement, &[&org_id.0, &utc_month(now), &jobs]).await?;
    Ok(())
}

pub(crate) async fn used(db: &impl GenericClient, org_id: OrgId, at: Timestamp) -> Result<u64> {
    let found =
        row(db, "SELECT jobs FROM quota_use WHERE org_id = $1 AND month = $2", &[&org_id.0, &utc_month(at)]).await?;
    found.map_or(Ok(0), |row| number(&row, 0))
}

/// Stops counting a job that failed or was deleted before it ended, in the month it was submitted in.
pub(crate) async fn release(db: &impl GenericClient, org_id: OrgId, created_at: Timestamp) -> Result<()> {
    let statement = "UPDATE quota_use SET jobs = jobs - 1 WHERE org_id = $1 AND month = $2 AND jobs > 0";
    execute(db, statement, &[&org_id.0, &utc_month(created_at)]).await?;
    Ok(())
}
