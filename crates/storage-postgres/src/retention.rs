//! Expiry of jobs, and duties.

use aerie_domain::{JobId, OrgId};
use deadpool_postgres::{GenericClient, Transaction};

use crate::admission::lock;
use crate::error::Result;
use crate::pool::{execute, rows};

/// Acquires a duty that nobody holds or whose holder has not renewed it. One that ends later than any can was acquired
/// before the clock was set back.
pub(crate) async fn duty_acquire(
    db: &impl GenericClient,
    name: &str,
    holder: &str,
    given: Option<i64>,
    lasts: i64,
) -> Result<bool> {
    let statement = "INSERT INTO duties AS held (name, holder, expires_at) VALUES ($1, $2, now_ms($3) + $4)
                     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                         WHERE held.holder = $2 OR held.expires_at <= now_ms($3) OR held.expires_at > now_ms($3) + $4";
    Ok(execute(db, statement, &[&name, &holder, &given, &lasts]).await? > 0)
}

/// Marks jobs that ended, or began to wait for their owner, more than `keep` milliseconds ago; not those with an active video. The organization
/// is locked, so that no video is submitted meanwhile.
pub(crate) async fn expire(
    db: &Transaction<'_>,
    org_id: OrgId,
    keep: i64,
    limit: u32,
    given: Option<i64>,
) -> Result<Vec<JobId>> {
    lock(db, org_id, given).await?;
    let statement = "WITH expired AS (
                     UPDATE jobs SET expired_at = now_ms($4) WHERE id IN (
                         SELECT id FROM jobs AS old
                         WHERE org_id = $1 AND expired_at IS NULL
                             AND status IN ('awaiting_input', 'completed', 'failed') AND updated_at < now_ms($4) - $2
                             AND NOT EXISTS (
                                 SELECT 1 FROM jobs AS video
                                 WHERE video.parent_id = old.id AND video.status IN ('queued', 'running'))
                         ORDER BY updated_at LIMIT $3 FOR UPDATE OF old SKIP LOCKED)
                     RETURNING id),
                     noted AS (
                         INSERT INTO leftovers AS noted (job_id, org_id, due_at) SELECT id, $1, now_ms($4) FROM expired
                         ON CONFLICT (job_id) DO UPDATE SET due_at = least(noted.due_at, excluded.due_at))
                     SELECT id FROM expired";
    let expired = rows(db, statement, &[&org_id.0, &keep, &i64::from(limit), &given]).await?;
    expired.iter().map(|row| Ok(JobId(row.try_get(0)?))).collect()
}
