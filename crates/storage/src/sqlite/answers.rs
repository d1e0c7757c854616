//! Answers that are kept for a day, for requests that are to take effect once.

use aerie_domain::OrgId;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::milliseconds;
use super::rows::{json, parsed};
use crate::answer::KEPT_FOR;
use crate::{Answer, Earlier, Once, StoreError};

fn oldest(now: Timestamp) -> i64 {
    now.as_millisecond() - milliseconds(KEPT_FOR)
}

pub(super) fn find(db: &Connection, org_id: OrgId, once: &Once, now: Timestamp) -> Result<Option<Earlier>, StoreError> {
    let found = db
        .prepare_cached(
            "SELECT digest, job_id, status, data FROM answers
             WHERE org_id = ?1 AND route = ?2 AND key = ?3 AND created_at > ?4",
        )?
        .query_row(params![org_id.to_string(), once.route, once.key, oldest(now)], |row| {
            if row.get_ref(0)?.as_blob()? != once.digest {
                return Ok(Earlier::OtherRequest);
            }
            let submitted = row.get_ref(1)?.as_str_or_null()?.is_some();
            let answer = if submitted {
                Answer::Submitted(parsed(row, 1)?)
            } else {
                Answer::Data { status: row.get(2)?, data: json(row, 3)? }
            };
            Ok(Earlier::Answered(answer))
        })
        .optional()?;
    Ok(found)
}

/// Keeps an answer; one that is there already stays.
pub(super) fn keep(
    db: &Connection,
    org_id: OrgId,
    once: &Once,
    answer: &Answer,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Also the old one of this very key. Each time a little more than is added, so that the table stays small.
    db.prepare_cached(
        "DELETE FROM answers WHERE (org_id, route, key) IN
             (SELECT org_id, route, key FROM answers WHERE created_at <= ?1 ORDER BY created_at LIMIT 8)
         OR (org_id = ?2 AND route = ?3 AND key = ?4 AND created_at <= ?1)",
    )?
    .execute(params![oldest(now), org_id.to_string(), once.route, once.key])?;
    let (job_id, status, data) = match answer {
        Answer::Submitted(job_id) => (Some(job_id.to_string()), None, None),
        Answer::Data { status, data } => (None, Some(*status), Some(data.to_string())),
    };
    db.prepare_cached(
        "INSERT INTO answers (org_id, route, key, digest, job_id, status, data, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
    )?
    .execute(params![
        org_id.to_string(),
        once.route,
        once.key,
        once.digest,
        job_id,
        status,
        data,
        now.as_millisecond(),
    ])?;
    Ok(())
}
