//! Webhooks and their deliveries.

use std::time::Duration;

use aerie_domain::{DeliveryId, JobType, OrgId, WebhookId};
use aerie_storage::backend::milliseconds;
use aerie_storage::{
    Attempt, Delivery, DeliveryState, DueDelivery, FAILING_AT_MOST, NewWebhook, OLD_SECRET, Settled, StoreError,
    TEST_EVENT, Webhook, WebhookChanges, WebhookSecret, WebhookStore,
};
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::SqliteStore;
use crate::error::Result;
use crate::rows::{json, json_or_none, named, parsed, parsed_or_none, time, time_or_none};

#[async_trait]
impl WebhookStore for SqliteStore {
    async fn webhook_create(&self, new: NewWebhook, limit: u32) -> Result<Option<Webhook>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| create(db, &new, limit, now)).await
    }

    async fn webhook_get(&self, org_id: OrgId, id: WebhookId) -> Result<Option<Webhook>, StoreError> {
        self.readers.read(move |db| get(db, org_id, id)).await
    }

    async fn webhook_list(&self, org_id: OrgId) -> Result<Vec<Webhook>, StoreError> {
        self.readers.read(move |db| list(db, org_id)).await
    }

    async fn webhook_change(
        &self,
        org_id: OrgId,
        id: WebhookId,
        changes: WebhookChanges,
    ) -> Result<Option<Webhook>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| change(db, org_id, id, &changes, now)).await
    }

    async fn webhook_rotate(
        &self,
        org_id: OrgId,
        id: WebhookId,
        secret: WebhookSecret,
    ) -> Result<Option<Webhook>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| rotate(db, org_id, id, &secret, now)).await
    }

    async fn webhook_delete(&self, org_id: OrgId, id: WebhookId) -> Result<bool, StoreError> {
        self.writer.write(move |db| delete(db, org_id, id)).await
    }

    async fn webhook_test(&self, org_id: OrgId, id: WebhookId) -> Result<Option<Delivery>, StoreError> {
        let now = self.clock.now();
        let delivery = DeliveryId::new(now);
        self.writer.write(move |db| test(db, org_id, id, delivery, now.as_millisecond())).await
    }

    async fn delivery_list(
        &self,
        org_id: OrgId,
        id: WebhookId,
        limit: u32,
        offset: u64,
    ) -> Result<(Vec<Delivery>, u64), StoreError> {
        self.readers.read(move |db| deliveries(db, org_id, id, (limit, offset))).await
    }

    async fn delivery_replay(
        &self,
        org_id: OrgId,
        webhook: WebhookId,
        id: DeliveryId,
    ) -> Result<Option<Delivery>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| replay(db, org_id, webhook, id, now)).await
    }

    async fn delivery_claim(
        &self,
        limits: (u32, u32),
        busy: &[WebhookId],
        lease: Duration,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        let (now, busy) = (self.now(), busy.to_vec());
        if !self.readers.read(move |db| anything_due(db, now)).await? {
            return Ok(Vec::new());
        }
        self.writer.write(move |db| claim(db, limits, &busy, (now, milliseconds(lease)))).await
    }

    async fn delivery_settle(
        &self,
        id: DeliveryId,
        attempt: Attempt,
        again: Option<Duration>,
    ) -> Result<Option<Settled>, StoreError> {
        let (now, again) = (self.now(), again.map(milliseconds));
        self.writer.write(move |db| settle(db, id, &attempt, again, now)).await
    }

    async fn delivery_expire(&self, keep: Duration, limit: u32) -> Result<usize, StoreError> {
        let before = self.now() - milliseconds(keep);
        self.writer.write(move |db| expire(db, before, limit)).await
    }
}

const COLUMNS: &str = "id, org_id, url, events, description, created_at, disabled_at, disabled_because, failing_since, \
                       old_secret_until";

const DELIVERY: &str = "id, webhook_id, event, job_id, job_type, at, next_at, delivered, attempts, last_at, last_status, \
                        last_error, last_took, last_gone, review";

fn create(db: &Connection, new: &NewWebhook, limit: u32, now: i64) -> Result<Option<Webhook>> {
    let there: u32 = db
        .prepare_cached("SELECT count(*) FROM webhooks WHERE org_id = ?1")?
        .query_row([new.org_id.to_string()], |row| row.get(0))?;
    if there >= limit {
        return Ok(None);
    }
    let created = db
        .prepare_cached(&format!(
            "INSERT INTO webhooks (id, org_id, url, events, description, secret, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING {COLUMNS}"
        ))?
        .query_row(
            params![
                new.id.to_string(),
                new.org_id.to_string(),
                new.url,
                serde_json::to_string(&new.events)?,
                new.description,
                new.secret.0,
                now
            ],
            webhook,
        )?;
    Ok(Some(created))
}

fn get(db: &Connection, org_id: OrgId, id: WebhookId) -> Result<Option<Webhook>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM webhooks WHERE id = ?1 AND org_id = ?2"))?
        .query_row(params![id.to_string(), org_id.to_string()], webhook)
        .optional()?;
    Ok(found)
}

fn list(db: &Connection, org_id: OrgId) -> Result<Vec<Webhook>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM webhooks WHERE org_id = ?1 ORDER BY id"))?
        .query_map([org_id.to_string()], webhook)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn change(
    db: &Connection,
    org_id: OrgId,
    id: WebhookId,
    changes: &WebhookChanges,
    now: i64,
) -> Result<Option<Webhook>> {
    let Some(found) = get(db, org_id, id)? else { return Ok(None) };
    let changed = changes.apply(found, now);
    let (disabled_at, because) = changed.disabled.as_ref().map(|(at, why)| (at.as_millisecond(), why)).unzip();
    db.prepare_cached(
        "UPDATE webhooks SET url = ?2, events = ?3, description = ?4, disabled_at = ?5, disabled_because = ?6,
             failing_since = ?7
         WHERE id = ?1",
    )?
    .execute(params![
        id.to_string(),
        changed.url,
        serde_json::to_string(&changed.events)?,
        changed.description,
        disabled_at,
        because,
        changed.failing_since.map(|at| at.as_millisecond()),
    ])?;
    Ok(Some(changed))
}

fn rotate(db: &Connection, org_id: OrgId, id: WebhookId, secret: &WebhookSecret, now: i64) -> Result<Option<Webhook>> {
    let rotated = db
        .prepare_cached(&format!(
            "UPDATE webhooks SET old_secret = secret, old_secret_until = ?4, secret = ?3
             WHERE id = ?1 AND org_id = ?2 RETURNING {COLUMNS}"
        ))?
        .query_row(params![id.to_string(), org_id.to_string(), secret.0, now + milliseconds(OLD_SECRET)], webhook)
        .optional()?;
    Ok(rotated)
}

fn delete(db: &Connection, org_id: OrgId, id: WebhookId) -> Result<bool> {
    let deleted = db
        .prepare_cached("DELETE FROM webhooks WHERE id = ?1 AND org_id = ?2")?
        .execute(params![id.to_string(), org_id.to_string()])?;
    Ok(deleted > 0)
}

fn test(db: &Connection, org_id: OrgId, webhook: WebhookId, id: DeliveryId, now: i64) -> Result<Option<Delivery>> {
    if get(db, org_id, webhook)?.is_none() {
        return Ok(None);
    }
    let added = db
        .prepare_cached(&format!(
            "INSERT INTO webhook_deliveries (id, webhook_id, event, at, next_at)
             VALUES (?1, ?2, '{TEST_EVENT}', ?3, ?3) RETURNING {DELIVERY}"
        ))?
        .query_row(params![id.to_string(), webhook.to_string(), now], delivery)?;
    Ok(Some(added))
}

fn deliveries(
    db: &Connection,
    org_id: OrgId,
    id: WebhookId,
    (limit, offset): (u32, u64),
) -> Result<(Vec<Delivery>, u64)> {
    if get(db, org_id, id)?.is_none() {
        return Ok((Vec::new(), 0));
    }
    let total: i64 = db
        .prepare_cached("SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ?1")?
        .query_row([id.to_string()], |row| row.get(0))?;
    let found = db
        .prepare_cached(&format!(
            "SELECT {DELIVERY} FROM webhook_deliveries WHERE webhook_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2 OFFSET ?3"
        ))?
        .query_map(params![id.to_string(), limit, i64::try_from(offset).unwrap_or(i64::MAX)], delivery)?
        .collect::<rusqlite::Result<_>>()?;
    Ok((found, u64::try_from(total).unwrap_or(0)))
}

fn replay(db: &Connection, org_id: OrgId, webhook: WebhookId, id: DeliveryId, now: i64) -> Result<Option<Delivery>> {
    let again = db
        .prepare_cached(&format!(
            "UPDATE webhook_deliveries SET next_at = ?4, delivered = 0, attempts = 0
             WHERE id = ?1 AND webhook_id = (SELECT id FROM webhooks WHERE id = ?2 AND org_id = ?3)
             RETURNING {DELIVERY}"
        ))?
        .query_row(params![id.to_string(), webhook.to_string(), org_id.to_string(), now], delivery)
        .optional()?;
    Ok(again)
}

/// Whether any delivery is due: an idle sender asks once a second and must not take the write lock each time.
fn anything_due(db: &Connection, now: i64) -> Result<bool> {
    let found = db
        .prepare_cached(
            "SELECT 1 FROM webhooks
             WHERE disabled_at IS NULL AND EXISTS
                 (SELECT 1 FROM webhook_deliveries WHERE webhook_id = webhooks.id AND next_at <= ?1)
             LIMIT 1",
        )?
        .query_row([now], |_| Ok(()))
        .optional()?;
    Ok(found.is_some())
}

fn claim(
    db: &Connection,
    (limit, each): (u32, u32),
    busy: &[WebhookId],
    (now, lease): (i64, i64),
) -> Result<Vec<DueDelivery>> {
    let busy = serde_json::to_string(busy)?;
    let claimed: Vec<Delivery> = db
        .prepare_cached(&format!(
            "UPDATE webhook_deliveries SET next_at = ?3 + ?4 WHERE id IN (
                 SELECT due.id FROM webhooks JOIN webhook_deliveries AS due ON due.id IN (
                     SELECT id FROM webhook_deliveries WHERE webhook_id = webhooks.id AND next_at <= ?3
                     ORDER BY next_at LIMIT ?2)
                 WHERE disabled_at IS NULL AND webhooks.id NOT IN (SELECT value FROM json_each(?5))
                 ORDER BY due.next_at LIMIT ?1)
             RETURNING {DELIVERY}"
        ))?
        .query_map(params![limit, each, now, lease, busy], delivery)?
        .collect::<rusqlite::Result<_>>()?;
    claimed
        .into_iter()
        .map(|delivery| {
            let (url, secrets) = db
                .prepare_cached(
                    "SELECT url, secret, iif(old_secret_until > ?2, old_secret, NULL) FROM webhooks WHERE id = ?1",
                )?
                .query_row(params![delivery.webhook_id.to_string(), now], |row| {
                    let (secret, old): (_, Option<[u8; 32]>) = (row.get(1)?, row.get(2)?);
                    Ok((row.get(0)?, [Some(secret), old].into_iter().flatten().map(WebhookSecret).collect()))
                })?;
            Ok(DueDelivery { delivery, url, secrets })
        })
        .collect()
}

fn settle(db: &Connection, id: DeliveryId, attempt: &Attempt, again: Option<i64>, now: i64) -> Result<Option<Settled>> {
    let is_delivered = attempt.error.is_none();
    let webhook: Option<String> = db
        .prepare_cached(
            "UPDATE webhook_deliveries SET next_at = ?2, delivered = ?3, attempts = attempts + 1, last_at = ?4,
                 last_status = ?5, last_error = ?6, last_took = ?7, last_gone = ?8
             WHERE id = ?1 RETURNING webhook_id",
        )?
        .query_row(
            params![
                id.to_string(),
                again.filter(|_| !is_delivered).map(|wait| now + wait),
                is_delivered,
                now,
                attempt.status,
                attempt.error,
                attempt.milliseconds,
                attempt.is_gone,
            ],
            |row| row.get(0),
        )
        .optional()?;
    let Some(webhook) = webhook else { return Ok(None) };
    if is_delivered {
        db.prepare_cached("UPDATE webhooks SET failing_since = NULL WHERE id = ?1 AND failing_since IS NOT NULL")?
            .execute([webhook])?;
        return Ok(Some(Settled { disabled: false }));
    }
    db.prepare_cached("UPDATE webhooks SET failing_since = ?2 WHERE id = ?1 AND failing_since IS NULL")?
        .execute(params![webhook, now])?;
    let disabled = db
        .prepare_cached(
            "UPDATE webhooks SET disabled_at = ?2, disabled_because = ?3
             WHERE id = ?1 AND disabled_at IS NULL AND (?4 OR failing_since <= ?5)",
        )?
        .execute(params![webhook, now, attempt.disables(), attempt.is_gone, now - milliseconds(FAILING_AT_MOST),])?;
    Ok(Some(Settled { disabled: disabled > 0 }))
}

fn expire(db: &Connection, before: i64, limit: u32) -> Result<usize> {
    let removed = db
        .prepare_cached(
            "DELETE FROM webhook_deliveries WHERE id IN
                 (SELECT id FROM webhook_deliveries WHERE at < ?1 ORDER BY at LIMIT ?2)",
        )?
        .execute(params![before, limit])?;
    Ok(removed)
}

fn webhook(row: &Row<'_>) -> rusqlite::Result<Webhook> {
    Ok(Webhook {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        url: row.get(2)?,
        events: json(row, 3)?,
        description: row.get(4)?,
        created_at: time(row, 5)?,
        disabled: time_or_none(row, 6)?.zip(row.get(7)?),
        failing_since: time_or_none(row, 8)?,
        old_secret_until: time_or_none(row, 9)?,
    })
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
    let job_id = parsed_or_none(row, 3)?;
    let job = job_id.map(|id| Ok::<_, rusqlite::Error>((id, named(row, 4, JobType::from_name)?))).transpose()?;
    let state = match time_or_none(row, 6)? {
        Some(next) => DeliveryState::Pending(next),
        None if row.get(7)? => DeliveryState::Delivered,
        None => DeliveryState::Failed,
    };
    let last = match time_or_none(row, 9)? {
        Some(at) => {
            let (status, error) = (row.get(10)?, row.get(11)?);
            Some((at, Attempt { status, error, milliseconds: row.get(12)?, is_gone: row.get(13)? }))
        }
        None => None,
    };
    Ok(Delivery {
        id: parsed(row, 0)?,
        webhook_id: parsed(row, 1)?,
        event: row.get(2)?,
        job,
        review: json_or_none(row, 14)?,
        at: time(row, 5)?,
        state,
        attempts: row.get(8)?,
        last,
    })
}
