//! Expiry of jobs, and duties.

use aerie_domain::{JobId, OrgId};
use rusqlite::{Connection, params};

use crate::error::Result;
use crate::leftovers;
use crate::rows::parsed;

/// Acquires a duty that nobody holds or whose holder has not renewed it. One that ends later than any can was acquired
/// before the clock was set back.
pub(crate) fn duty_acquire(db: &Connection, name: &str, holder: &str, now: i64, lasts: i64) -> Result<bool> {
    let taken = db
        .prepare_cached(
            "INSERT INTO duties (name, holder, expires_at) VALUES (?1, ?2, ?3 + ?4)
             ON CONFLICT DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                 WHERE holder = ?2 OR expires_at <= ?3 OR expires_at > ?3 + ?4",
        )?
        .execute(params![name, holder, now, lasts])?;
    Ok(taken > 0)
}

/// Marks jobs that ended, or began to wait for their owner, before a time; not those with an active video.
pub(crate) fn expire(db: &Connection, org_id: OrgId, before: i64, limit: u32, now: i64) -> Result<Vec<JobId>> {
    let expired = db
        .prepare_cached(
            "UPDATE jobs SET expired_at = ?4 WHERE id IN (
                 SELECT id FROM jobs AS old
                 WHERE org_id = ?1 AND expired_at IS NULL AND status IN ('awaiting_input', 'completed', 'failed')
                     AND updated_at < ?2
                     AND NOT EXISTS (
                         SELECT 1 FROM jobs AS video
                         WHERE video.parent_id = old.id AND video.status IN ('queued', 'running'))
                 ORDER BY updated_at LIMIT ?3)
             RETURNING id",
        )?
        .query_map(params![org_id.to_string(), before, limit, now], |row| parsed(row, 0))?
        .collect::<rusqlite::Result<Vec<JobId>>>()?;
    for job_id in &expired {
        leftovers::expired(db, &org_id.to_string(), &job_id.to_string(), now)?;
    }
    Ok(expired)
}
