//! Failed jobs by organization and UTC day.

use aerie_domain::OrgId;
use aerie_storage::backend::utc_day;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;

use crate::error::Result;
use crate::pool::{execute, row};
use crate::quota;
use crate::rows::number;

/// Records that a job that was submitted at `created_at` has failed: it no longer counts against the quota, but against the
/// failed jobs of the day.
pub(crate) async fn record(
    db: &impl GenericClient,
    org_id: OrgId,
    created_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    quota::release(db, org_id, created_at).await?;
    let statement = "INSERT INTO failed_jobs AS failed (org_id, day, jobs) VALUES ($1, $2, 1)
                     ON CONFLICT (org_id) DO UPDATE SET day = excluded.day,
                         jobs = CASE WHEN failed.day = excluded.day THEN failed.jobs + 1 ELSE 1 END";
    execute(db, statement, &[&org_id.0, &utc_day(now)]).await?;
    Ok(())
}

/// The organization's jobs that have failed in the UTC day of `now`.
pub(crate) async fn today(db: &impl GenericClient, org_id: OrgId, now: Timestamp) -> Result<u64> {
    let found =
        row(db, "SELECT jobs FROM failed_jobs WHERE org_id = $1 AND day = $2", &[&org_id.0, &utc_day(now)]).await?;
    found.map_or(Ok(0), |row| number(&row, 0))
}
