//! Answers under idempotency keys.

use aerie_domain::{JobId, OrgId};
use aerie_storage::backend::milliseconds;
use aerie_storage::idempotency::ANSWER_LIFETIME;
use aerie_storage::{IdempotencyKey, IdempotencyStore, RecordedAnswer, Replay, StoreError};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;
use uuid::Uuid;

use crate::error::Result;
use crate::pool::{execute, row};
use crate::rows::{json, number};
use crate::{PostgresStore, in_transaction, with_client};

#[async_trait]
impl IdempotencyStore for PostgresStore {
    async fn answer_find(&self, org_id: OrgId, key: &IdempotencyKey) -> Result<Option<Replay>, StoreError> {
        with_client!(self, db => find(db, org_id, key, self.time.given()))
    }

    async fn answer_record(
        &self,
        org_id: OrgId,
        key: &IdempotencyKey,
        answer: RecordedAnswer,
    ) -> Result<(), StoreError> {
        in_transaction!(self, db => async {
            record(db, org_id, key, &answer, self.time.now(db).await?).await
        })
    }
}

/// The answer, by the time `now`, which is that of the database when it is `None`.
pub(crate) async fn find(
    db: &impl GenericClient,
    org_id: OrgId,
    key: &IdempotencyKey,
    now: Option<i64>,
) -> Result<Option<Replay>> {
    let statement = "SELECT digest, job_id, status, data FROM answers
                     WHERE org_id = $1 AND route = $2 AND key = $3 AND created_at > now_ms($4) - $5";
    let lifetime = milliseconds(ANSWER_LIFETIME);
    let Some(row) = row(db, statement, &[&org_id.0, &key.route, &key.key, &now, &lifetime]).await? else {
        return Ok(None);
    };
    if row.try_get::<_, &[u8]>(0)? != key.digest {
        return Ok(Some(Replay::BodyMismatch));
    }
    let answer = match row.try_get::<_, Option<Uuid>>(1)? {
        Some(job_id) => RecordedAnswer::Submitted(JobId(job_id)),
        None => RecordedAnswer::Data { status: number(&row, 2)?, data: json(&row, 3)? },
    };
    Ok(Some(Replay::Answered(answer)))
}

/// Records an answer, unless there is one.
pub(crate) async fn record(
    db: &impl GenericClient,
    org_id: OrgId,
    key: &IdempotencyKey,
    answer: &RecordedAnswer,
    now: Timestamp,
) -> Result<()> {
    let now = now.as_millisecond();
    let oldest = now - milliseconds(ANSWER_LIFETIME);
    // Deletes a few expired answers: more than are added, so that the table stays small.
    let expired = "DELETE FROM answers WHERE (org_id, route, key) IN
                       (SELECT org_id, route, key FROM answers WHERE created_at <= $1 ORDER BY created_at LIMIT 8
                        FOR UPDATE SKIP LOCKED)";
    execute(db, expired, &[&oldest]).await?;
    let (job_id, status, data) = match answer {
        RecordedAnswer::Submitted(job_id) => (Some(job_id.0), None, None),
        RecordedAnswer::Data { status, data } => (None, Some(i64::from(*status)), Some(data.to_string())),
    };
    let digest: &[u8] = &key.digest;
    let insert = "INSERT INTO answers AS known (org_id, route, key, digest, job_id, status, data, created_at)
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                  ON CONFLICT (org_id, route, key) DO UPDATE SET digest = excluded.digest, job_id = excluded.job_id,
                      status = excluded.status, data = excluded.data, created_at = excluded.created_at
                      WHERE known.created_at <= $9";
    execute(db, insert, &[&org_id.0, &key.route, &key.key, &digest, &job_id, &status, &data, &now, &oldest]).await?;
    Ok(())
}
