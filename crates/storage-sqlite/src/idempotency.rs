//! Answers under idempotency keys.

use aerie_domain::OrgId;
use aerie_storage::backend::milliseconds;
use aerie_storage::idempotency::ANSWER_LIFETIME;
use aerie_storage::{IdempotencyKey, IdempotencyStore, RecordedAnswer, Replay, StoreError};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::SqliteStore;
use crate::error::Result;
use crate::rows::{json, parsed};

#[async_trait]
impl IdempotencyStore for SqliteStore {
    async fn answer_find(&self, org_id: OrgId, key: &IdempotencyKey) -> Result<Option<Replay>, StoreError> {
        let (key, now) = (key.clone(), self.clock.now());
        self.readers.look_up(move |db| find(db, org_id, &key, now)).await
    }

    async fn answer_record(
        &self,
        org_id: OrgId,
        key: &IdempotencyKey,
        answer: RecordedAnswer,
    ) -> Result<(), StoreError> {
        let (key, now) = (key.clone(), self.clock.now());
        self.writer.write(move |db| record(db, org_id, &key, &answer, now)).await
    }
}

fn oldest(now: Timestamp) -> i64 {
    now.as_millisecond() - milliseconds(ANSWER_LIFETIME)
}

pub(crate) fn find(db: &Connection, org_id: OrgId, key: &IdempotencyKey, now: Timestamp) -> Result<Option<Replay>> {
    let found = db
        .prepare_cached(
            "SELECT digest, job_id, status, data FROM answers
             WHERE org_id = ?1 AND route = ?2 AND key = ?3 AND created_at > ?4",
        )?
        .query_row(params![org_id.to_string(), key.route, key.key, oldest(now)], |row| {
            if row.get_ref(0)?.as_blob()? != key.digest {
                return Ok(Replay::BodyMismatch);
            }
            let submitted = row.get_ref(1)?.as_str_or_null()?.is_some();
            let answer = if submitted {
                RecordedAnswer::Submitted(parsed(row, 1)?)
            } else {
                RecordedAnswer::Data { status: row.get(2)?, data: json(row, 3)? }
            };
            Ok(Replay::Answered(answer))
        })
        .optional()?;
    Ok(found)
}

/// Records an answer, unless there is one.
pub(crate) fn record(
    db: &Connection,
    org_id: OrgId,
    key: &IdempotencyKey,
    answer: &RecordedAnswer,
    now: Timestamp,
) -> Result<()> {
    // Deletes this key's expired answer, and a few others: more than are added, so that the table stays small.
    db.prepare_cached(
        "DELETE FROM answers WHERE (org_id, route, key) IN
             (SELECT org_id, route, key FROM answers WHERE created_at <= ?1 ORDER BY created_at LIMIT 8)
         OR (org_id = ?2 AND route = ?3 AND key = ?4 AND created_at <= ?1)",
    )?
    .execute(params![oldest(now), org_id.to_string(), key.route, key.key])?;
    let (job_id, status, data) = match answer {
        RecordedAnswer::Submitted(job_id) => (Some(job_id.to_string()), None, None),
        RecordedAnswer::Data { status, data } => (None, Some(*status), Some(data.to_string())),
    };
    db.prepare_cached(
        "INSERT INTO answers (org_id, route, key, digest, job_id, status, data, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
    )?
    .execute(params![
        org_id.to_string(),
        key.route,
        key.key,
        key.digest,
        job_id,
        status,
        data,
        now.as_millisecond(),
    ])?;
    Ok(())
}
