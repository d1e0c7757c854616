//! Webhooks and their deliveries.

use std::time::Duration;

use aerie_domain::{DeliveryId, JobId, JobType, OrgId, WebhookId};
use aerie_storage::backend::milliseconds;
use aerie_storage::{
    Attempt, Delivery, DeliveryState, DueDelivery, FAILING_AT_MOST, NewWebhook, OLD_SECRET, Settled, StoreError,
    TEST_EVENT, Webhook, WebhookChanges, WebhookSecret, WebhookStore,
};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::admission::lock;
use crate::error::Result;
use crate::pool::{execute, row, rows};
use crate::rows::{json, json_or_none, named, number, number_or_none, time, time_or_none};
use crate::{PostgresStore, in_transaction, with_client};

const COLUMNS: &str = "id, org_id, url, events, description, created_at, disabled_at, disabled_because, failing_since, \
                       old_secret_until";

const DELIVERY: &str = "id, webhook_id, event, job_id, job_type, at, next_at, delivered, attempts, last_at, last_status, \
                        last_error, last_took, last_gone, review";

#[async_trait]
impl WebhookStore for PostgresStore {
    async fn webhook_create(&self, new: NewWebhook, limit: u32) -> Result<Option<Webhook>, StoreError> {
        in_transaction!(self, db => create(db, &new, limit, self.time.given()))
    }

    async fn webhook_get(&self, org_id: OrgId, id: WebhookId) -> Result<Option<Webhook>, StoreError> {
        with_client!(self, db => get(db, org_id, id))
    }

    async fn webhook_list(&self, org_id: OrgId) -> Result<Vec<Webhook>, StoreError> {
        with_client!(self, db => list(db, org_id))
    }

    async fn webhook_change(
        &self,
        org_id: OrgId,
        id: WebhookId,
        changes: WebhookChanges,
    ) -> Result<Option<Webhook>, StoreError> {
        in_transaction!(self, db => async {
            let now = self.time.now(db).await?.as_millisecond();
            change(db, org_id, id, &changes, now).await
        })
    }

    async fn webhook_rotate(
        &self,
        org_id: OrgId,
        id: WebhookId,
        secret: WebhookSecret,
    ) -> Result<Option<Webhook>, StoreError> {
        with_client!(self, db => rotate(db, org_id, id, &secret, self.time.given()))
    }

    async fn webhook_delete(&self, org_id: OrgId, id: WebhookId) -> Result<bool, StoreError> {
        with_client!(self, db => delete(db, org_id, id))
    }

    async fn webhook_test(&self, org_id: OrgId, id: WebhookId) -> Result<Option<Delivery>, StoreError> {
        with_client!(self, db => async {
            let now = self.time.now(db).await?;
            test(db, org_id, id, DeliveryId::new(now), now.as_millisecond()).await
        })
    }

    async fn delivery_list(
        &self,
        org_id: OrgId,
        id: WebhookId,
        limit: u32,
        offset: u64,
    ) -> Result<(Vec<Delivery>, u64), StoreError> {
        with_client!(self, db => deliveries(db, org_id, id, (limit, offset)))
    }

    async fn delivery_replay(
        &self,
        org_id: OrgId,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> Result<Option<Delivery>, StoreError> {
        with_client!(self, db => replay(db, org_id, webhook, id, self.time.given()))
    }

    async fn delivery_claim(
        &self,
        limits: (u32, u32),
        busy: &[WebhookId],
        lease: Duration,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        with_client!(self, db => claim(db, limits, busy, (self.time.given(), milliseconds(lease))))
    }

    async fn delivery_settle(
        &self,
        id: DeliveryId,
        attempt: Attempt,
        again: Option<Duration>,
    ) -> Result<Option<Settled>, StoreError> {
        in_transaction!(self, db => async {
            let now = self.time.now(db).await?.as_millisecond();
            settle(db, id, &attempt, again.map(milliseconds), now).await
        })
    }

    async fn delivery_expire(&self, keep: Duration, limit: u32) -> Result<usize, StoreError> {
        with_client!(self, db => expire(db, milliseconds(keep), limit, self.time.given()))
    }
}

async fn create(db: &Transaction<'_>, new: &NewWebhook, limit: u32, given: Option<i64>) -> Result<Option<Webhook>> {
    // One after the other, so that no more are added than the limit says.
    let now = time(&lock(db, new.org_id, given).await?, 2)?.as_millisecond();
    let there = row(db, "SELECT count(*) FROM webhooks WHERE org_id = $1", &[&new.org_id.0]).await?;
    if there.map_or(Ok(0), |row| number::<u32>(&row, 0))? >= limit {
        return Ok(None);
    }
    let statement = format!(
        "INSERT INTO webhooks (id, org_id, url, events, description, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING {COLUMNS}"
    );
    let (events, secret) = (serde_json::to_string(&new.events)?, new.secret.0.as_slice());
    let created =
        row(db, &statement, &[&new.id.0, &new.org_id.0, &new.url, &events, &new.description, &secret, &now]).await?;
    created.map(|row| webhook(&row)).transpose()
}

async fn get(db: &impl GenericClient, org_id: OrgId, id: WebhookId) -> Result<Option<Webhook>> {
    let statement = format!("SELECT {COLUMNS} FROM webhooks WHERE id = $1 AND org_id = $2");
    row(db, &statement, &[&id.0, &org_id.0]).await?.map(|row| webhook(&row)).transpose()
}

async fn list(db: &impl GenericClient, org_id: OrgId) -> Result<Vec<Webhook>> {
    let statement = format!("SELECT {COLUMNS} FROM webhooks WHERE org_id = $1 ORDER BY id");
    rows(db, &statement, &[&org_id.0]).await?.iter().map(webhook).collect()
}

async fn change(
    db: &Transaction<'_>,
    org_id: OrgId,
    id: WebhookId,
    changes: &WebhookChanges,
    now: i64,
) -> Result<Option<Webhook>> {
    let statement = format!("SELECT {COLUMNS} FROM webhooks WHERE id = $1 AND org_id = $2 FOR UPDATE");
    let Some(found) = row(db, &statement, &[&id.0, &org_id.0]).await? else { return Ok(None) };
    let changed = changes.apply(webhook(&found)?, now);
    let (disabled_at, because) = changed.disabled.as_ref().map(|(at, why)| (at.as_millisecond(), why)).unzip();
    let statement =
        "UPDATE webhooks SET url = $2, events = $3, description = $4, disabled_at = $5, disabled_because = $6,
                         failing_since = $7
                     WHERE id = $1";
    let (events, failing) =
        (serde_json::to_string(&changed.events)?, changed.failing_since.map(|at| at.as_millisecond()));
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 7] =
        [&id.0, &changed.url, &events, &changed.description, &disabled_at, &because, &failing];
    execute(db, statement, &values).await?;
    Ok(Some(changed))
}

async fn rotate(
    db: &impl GenericClient,
    org_id: OrgId,
    id: WebhookId,
    secret: &WebhookSecret,
    given: Option<i64>,
) -> Result<Option<Webhook>> {
    let statement = format!(
        "UPDATE webhooks SET old_secret = secret, old_secret_until = now_ms($4) + $5, secret = $3
         WHERE id = $1 AND org_id = $2 RETURNING {COLUMNS}"
    );
    let values = (secret.0.as_slice(), milliseconds(OLD_SECRET));
    let rotated = row(db, &statement, &[&id.0, &org_id.0, &values.0, &given, &values.1]).await?;
    rotated.map(|row| webhook(&row)).transpose()
}

async fn delete(db: &impl GenericClient, org_id: OrgId, id: WebhookId) -> Result<bool> {
    Ok(execute(db, "DELETE FROM webhooks WHERE id = $1 AND org_id = $2", &[&id.0, &org_id.0]).await? > 0)
}

async fn test(
    db: &impl GenericClient,
    org_id: OrgId,
    webhook: WebhookId,
    id: DeliveryId,
    now: i64,
) -> Result<Option<Delivery>> {
    let statement = format!(
        "INSERT INTO webhook_deliveries (id, webhook_id, event, at, next_at)
             SELECT $1::uuid, id, '{TEST_EVENT}', $4::bigint, $4::bigint FROM webhooks WHERE id = $2 AND org_id = $3
         RETURNING {DELIVERY}"
    );
    let added = row(db, &statement, &[&id.0, &webhook.0, &org_id.0, &now]).await?;
    added.map(|row| delivery(&row)).transpose()
}

async fn deliveries(
    db: &impl GenericClient,
    org_id: OrgId,
    id: WebhookId,
    (limit, offset): (u32, u64),
) -> Result<(Vec<Delivery>, u64)> {
    if get(db, org_id, id).await?.is_none() {
        return Ok((Vec::new(), 0));
    }
    let total = row(db, "SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1", &[&id.0]).await?;
    let statement = format!(
        "SELECT {DELIVERY} FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY at DESC, id DESC LIMIT $2 OFFSET $3"
    );
    let (limit, offset) = (i64::from(limit), i64::try_from(offset).unwrap_or(i64::MAX));
    let found = rows(db, &statement, &[&id.0, &limit, &offset]).await?;
    let total = total.map_or(Ok(0), |row| number(&row, 0))?;
    Ok((found.iter().map(delivery).collect::<Result<_>>()?, total))
}

async fn replay(
    db: &impl GenericClient,
    org_id: OrgId,
    webhook: WebhookId,
    id: DeliveryId,
    given: Option<i64>,
) -> Result<Option<Delivery>> {
    let statement = format!(
        "UPDATE webhook_deliveries SET next_at = now_ms($4), delivered = false, attempts = 0
         WHERE id = $1 AND webhook_id = (SELECT id FROM webhooks WHERE id = $2 AND org_id = $3) RETURNING {DELIVERY}"
    );
    let again = row(db, &statement, &[&id.0, &webhook.0, &org_id.0, &given]).await?;
    again.map(|row| delivery(&row)).transpose()
}

async fn claim(
    db: &impl GenericClient,
    (limit, each): (u32, u32),
    busy: &[WebhookId],
    (given, lease): (Option<i64>, i64),
) -> Result<Vec<DueDelivery>> {
    let columns = DELIVERY.split(", ").map(|column| format!("claimed.{column}")).collect::<Vec<_>>().join(", ");
    let statement = format!(
        "WITH due AS (
             SELECT first.id FROM webhooks, LATERAL (
                 SELECT id, next_at FROM webhook_deliveries
                 WHERE webhook_id = webhooks.id AND next_at <= now_ms($1) ORDER BY next_at LIMIT $2) AS first
             WHERE disabled_at IS NULL AND webhooks.id <> ALL ($3) ORDER BY first.next_at LIMIT $4),
         free AS (
             SELECT id FROM webhook_deliveries
             WHERE id IN (SELECT id FROM due) AND next_at <= now_ms($1) FOR UPDATE SKIP LOCKED)
         UPDATE webhook_deliveries AS claimed SET next_at = now_ms($1) + $5
         FROM webhooks WHERE claimed.id IN (SELECT id FROM free) AND webhooks.id = claimed.webhook_id
         RETURNING {columns}, webhooks.url, webhooks.secret,
             CASE WHEN webhooks.old_secret_until > now_ms($1) THEN webhooks.old_secret END"
    );
    let busy: Vec<Uuid> = busy.iter().map(|id| id.0).collect();
    let (each, limit) = (i64::from(each), i64::from(limit));
    let found = rows(db, &statement, &[&given, &each, &busy, &limit, &lease]).await?;
    let due = |row: &Row| {
        let secrets: [Option<&[u8]>; 2] = [Some(row.try_get(16)?), row.try_get(17)?];
        let secrets = secrets.into_iter().flatten().filter_map(|secret| secret.try_into().ok().map(WebhookSecret));
        Ok(DueDelivery { delivery: delivery(row)?, url: row.try_get(15)?, secrets: secrets.collect() })
    };
    found.iter().map(due).collect()
}

async fn settle(
    db: &Transaction<'_>,
    id: DeliveryId,
    attempt: &Attempt,
    again: Option<i64>,
    now: i64,
) -> Result<Option<Settled>> {
    let is_delivered = attempt.error.is_none();
    let next = again.filter(|_| !is_delivered).map(|wait| now + wait);
    let statement = "UPDATE webhook_deliveries SET next_at = $2, delivered = $3, attempts = attempts + 1, last_at = $4,
                         last_status = $5, last_error = $6, last_took = $7, last_gone = $8
                     WHERE id = $1 RETURNING webhook_id";
    let (status, took) = (attempt.status.map(i64::from), i64::from(attempt.milliseconds));
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 8] =
        [&id.0, &next, &is_delivered, &now, &status, &attempt.error, &took, &attempt.is_gone];
    let Some(found) = row(db, statement, &values).await? else { return Ok(None) };
    let webhook: Uuid = found.try_get(0)?;
    if is_delivered {
        let recovered = "UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL";
        execute(db, recovered, &[&webhook]).await?;
        return Ok(Some(Settled { disabled: false }));
    }
    let failing = "UPDATE webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL";
    execute(db, failing, &[&webhook, &now]).await?;
    let disable = "UPDATE webhooks SET disabled_at = $2, disabled_because = $3
                   WHERE id = $1 AND disabled_at IS NULL AND ($4 OR failing_since <= $5)";
    let failed_since = now - milliseconds(FAILING_AT_MOST);
    let disabled =
        execute(db, disable, &[&webhook, &now, &attempt.disables(), &attempt.is_gone, &failed_since]).await?;
    Ok(Some(Settled { disabled: disabled > 0 }))
}

async fn expire(db: &impl GenericClient, keep: i64, limit: u32, given: Option<i64>) -> Result<usize> {
    let statement = "DELETE FROM webhook_deliveries WHERE id IN
                         (SELECT id FROM webhook_deliveries WHERE at < now_ms($1) - $2 ORDER BY at LIMIT $3)";
    let removed = execute(db, statement, &[&given, &keep, &i64::from(limit)]).await?;
    Ok(usize::try_from(removed).unwrap_or(usize::MAX))
}

fn webhook(row: &Row) -> Result<Webhook> {
    Ok(Webhook {
        id: WebhookId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        url: row.try_get(2)?,
        events: json(row, 3)?,
        description: row.try_get(4)?,
        created_at: time(row, 5)?,
        disabled: time_or_none(row, 6)?.zip(row.try_get(7)?),
        failing_since: time_or_none(row, 8)?,
        old_secret_until: time_or_none(row, 9)?,
    })
}

fn delivery(row: &Row) -> Result<Delivery> {
    let job = match row.try_get::<_, Option<Uuid>>(3)? {
        Some(id) => Some((JobId(id), named(row, 4, JobType::from_name)?)),
        None => None,
    };
    let state = match time_or_none(row, 6)? {
        Some(next) => DeliveryState::Pending(next),
        None if row.try_get(7)? => DeliveryState::Delivered,
        None => DeliveryState::Failed,
    };
    let last = match time_or_none(row, 9)? {
        Some(at) => {
            let (status, error) = (number_or_none(row, 10)?, row.try_get(11)?);
            Some((at, Attempt { status, error, milliseconds: number(row, 12)?, is_gone: row.try_get(13)? }))
        }
        None => None,
    };
    Ok(Delivery {
        id: DeliveryId(row.try_get(0)?),
        webhook_id: WebhookId(row.try_get(1)?),
        event: row.try_get(2)?,
        job,
        review: json_or_none(row, 14)?,
        at: time(row, 5)?,
        state,
        attempts: number(row, 8)?,
        last,
    })
}
