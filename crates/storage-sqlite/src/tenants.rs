//! Organizations, their API keys, and what they were billed.

use aerie_domain::{
    ApiKey, KeyHash, KeyId, KeyRecord, OrgChanges, OrgId, Organization, Scopes, UsageEvent, UsageRange,
};
use aerie_storage::backend::new_organization;
use aerie_storage::{Credentials, StoreError, TenantStore, UsageCursor, UsageSum};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;
use crate::rows::{parsed, time};
use crate::tenant_rows::{KEY_COLUMNS, ORG_COLUMNS, key, key_find, organization};
use crate::{SqliteStore, quota};

#[async_trait]
impl TenantStore for SqliteStore {
    async fn org_create(&self, name: &str, plan: &str) -> Result<Organization, StoreError> {
        let (name, plan, now) = (name.to_owned(), plan.to_owned(), self.clock.now());
        self.writer.write(move |db| org_create(db, &name, &plan, now)).await
    }

    async fn org_change(&self, id: OrgId, changes: OrgChanges) -> Result<Option<Organization>, StoreError> {
        self.writer.write(move |db| org_change(db, id, &changes)).await
    }

    async fn org_get(&self, id: OrgId) -> Result<Option<Organization>, StoreError> {
        self.readers.look_up(move |db| org_get(db, id)).await
    }

    async fn org_list(&self) -> Result<Vec<Organization>, StoreError> {
        self.readers.read(org_list).await
    }

    async fn quota_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        self.readers.look_up(move |db| quota::used(db, org_id, at)).await
    }

    async fn key_create(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        scopes: Scopes,
        expires_at: Option<Timestamp>,
    ) -> Result<KeyRecord, StoreError> {
        let (hash, hint, now) = (key.hash(), key.hint(), self.clock.now());
        let terms = (scopes, expires_at);
        self.writer.write(move |db| key_create(db, org_id, hash, &hint, terms, now)).await
    }

    async fn key_create_within(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        terms: (Scopes, Option<Timestamp>),
        limit: u32,
    ) -> Result<Option<KeyRecord>, StoreError> {
        let (hash, hint, now) = (key.hash(), key.hint(), self.clock.now());
        self.writer
            .write(move |db| {
                let has_room = active_keys(db, org_id, now)? < limit;
                has_room.then(|| key_create(db, org_id, hash, &hint, terms, now)).transpose()
            })
            .await
    }

    async fn key_list(&self, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>, StoreError> {
        self.readers.read(move |db| key_list(db, org_id)).await
    }

    async fn key_revoke(&self, id: KeyId) -> Result<bool, StoreError> {
        let now = self.now();
        self.writer.write(move |db| key_revoke(db, id, now)).await
    }

    async fn key_expire(&self, id: KeyId, at: Timestamp) -> Result<bool, StoreError> {
        self.writer.write(move |db| key_expire(db, id, at.as_millisecond())).await
    }

    async fn key_find(&self, hash: KeyHash) -> Result<Option<Credentials>, StoreError> {
        let now = self.now();
        match self.keys.find(hash, now) {
            Some(found) => Ok(found),
            None => self.readers.look_up(move |db| key_find(db, hash, now)).await,
        }
    }

    async fn usage_list(
        &self,
        org_id: OrgId,
        range: UsageRange,
        after: Option<UsageCursor>,
        limit: u32,
    ) -> Result<Vec<UsageEvent>, StoreError> {
        self.readers.read(move |db| usage_list(db, org_id, range, after, limit)).await
    }

    async fn usage_sums(&self, range: UsageRange) -> Result<Vec<UsageSum>, StoreError> {
        self.readers.read(move |db| usage_sums(db, range)).await
    }
}

fn org_create(db: &Connection, name: &str, plan: &str, now: Timestamp) -> Result<Organization> {
    let created = new_organization(name, plan, now);
    db.prepare_cached("INSERT INTO organizations (id, name, plan, created_at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![created.id.to_string(), name, plan, now.as_millisecond()])?;
    Ok(created)
}

fn org_change(db: &Connection, id: OrgId, changes: &OrgChanges) -> Result<Option<Organization>> {
    let Some(mut org) = org_get(db, id)? else { return Ok(None) };
    org.change(changes);
    db.prepare_cached(
        "UPDATE organizations SET plan = ?2, disabled = ?3, monthly_quota = ?4, prices = ?5, reject_duplicates = ?6,
             keep_days = ?7, disclosure_profile = ?8, truth_pages = ?9
         WHERE id = ?1",
    )?
    .execute(params![
        id.to_string(),
        org.plan,
        serde_json::to_string(&org.disabled)?,
        org.monthly_quota,
        serde_json::to_string(&org.prices)?,
        org.reject_duplicates,
        org.keep_days,
        org.disclosure_profile,
        org.truth_pages,
    ])?;
    Ok(Some(org))
}

fn org_get(db: &Connection, id: OrgId) -> Result<Option<Organization>> {
    let found = db
        .prepare_cached(&format!("SELECT {ORG_COLUMNS} FROM organizations WHERE id = ?1"))?
        .query_row([id.to_string()], organization)
        .optional()?;
    Ok(found)
}

fn org_list(db: &Connection) -> Result<Vec<Organization>> {
    let found = db
        .prepare_cached(&format!("SELECT {ORG_COLUMNS} FROM organizations ORDER BY created_at, id"))?
        .query_map([], organization)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn key_create(
    db: &Connection,
    org_id: OrgId,
    hash: KeyHash,
    hint: &str,
    (scopes, expires_at): (Scopes, Option<Timestamp>),
    now: Timestamp,
) -> Result<KeyRecord> {
    let hint = hint.to_owned();
    let created =
        KeyRecord { id: KeyId::new(now), org_id, hint, scopes, created_at: now, expires_at, revoked_at: None };
    db.prepare_cached(
        "INSERT INTO api_keys (id, org_id, hash, hint, scopes, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        created.id.to_string(),
        org_id.to_string(),
        hash.0,
        created.hint,
        scopes.to_string(),
        now.as_millisecond(),
        expires_at.map(Timestamp::as_millisecond),
    ])?;
    Ok(created)
}

/// Number of keys that are neither revoked nor expired.
fn active_keys(db: &Connection, org_id: OrgId, now: Timestamp) -> Result<u32> {
    let count = db
        .prepare_cached(
            "SELECT count(*) FROM api_keys
             WHERE org_id = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)",
        )?
        .query_row(params![org_id.to_string(), now.as_millisecond()], |row| row.get(0))?;
    Ok(count)
}

fn key_list(db: &Connection, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>> {
    let found = db
        .prepare_cached(&format!(
            "SELECT {KEY_COLUMNS} FROM api_keys WHERE ?1 IS NULL OR org_id = ?1 ORDER BY created_at, id"
        ))?
        .query_map([org_id.map(|id| id.to_string())], key)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn key_revoke(db: &Connection, id: KeyId, now: i64) -> Result<bool> {
    let changed = db
        .prepare_cached("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1")?
        .execute(params![id.to_string(), now])?;
    Ok(changed > 0)
}

fn key_expire(db: &Connection, id: KeyId, at: i64) -> Result<bool> {
    let changed =
        db.prepare_cached("UPDATE api_keys SET expires_at = ?2 WHERE id = ?1")?.execute(params![id.to_string(), at])?;
    Ok(changed > 0)
}

fn usage_list(
    db: &Connection,
    org_id: OrgId,
    range: UsageRange,
    after: Option<UsageCursor>,
    limit: u32,
) -> Result<Vec<UsageEvent>> {
    let (start, end) = range.milliseconds();
    // No id sorts before the empty one: the first page begins with the last event before the range's end.
    let (before, id) = after.map_or((end, String::new()), |(time, id)| (time.as_millisecond(), id.to_string()));
    let events = db
        .prepare_cached(
            "SELECT id, job_id, event_type, unit_price_cents, created_at FROM usage_events
             WHERE org_id = ?1 AND created_at >= ?2 AND (created_at, id) < (?3, ?4)
             ORDER BY created_at DESC, id DESC LIMIT ?5",
        )?
        .query_map(params![org_id.to_string(), start, before, id, limit], |row| {
            Ok(UsageEvent {
                id: parsed(row, 0)?,
                job_id: parsed(row, 1)?,
                event_type: row.get(2)?,
                unit_price_cents: row.get(3)?,
                created_at: time(row, 4)?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(events)
}

fn usage_sums(db: &Connection, range: UsageRange) -> Result<Vec<UsageSum>> {
    let (start, end) = range.milliseconds();
    // By organization, because that is what the index begins with.
    let sums = db
        .prepare_cached(
            "SELECT org_id, event_type, count(*), sum(unit_price_cents) FROM usage_events
             WHERE org_id IN (SELECT id FROM organizations) AND created_at >= ?1 AND created_at < ?2
             GROUP BY org_id, event_type ORDER BY org_id, event_type",
        )?
        .query_map([start, end], |row| {
            let events = u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0);
            Ok(UsageSum { org_id: parsed(row, 0)?, event_type: row.get(1)?, events, cents: row.get(3)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(sums)
}
