//! Organizations, their API keys, and what they were billed.

use aerie_domain::{
    ApiKey, EventId, JobId, KeyHash, KeyId, KeyRecord, OrgChanges, OrgId, Organization, Scopes, UsageEvent, UsageRange,
};
use aerie_storage::backend::new_organization;
use aerie_storage::{Credentials, StoreError, TenantStore, UsageCursor, UsageSum};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::admission::lock;
use crate::error::Result;
use crate::pool::{execute, row, rows};
use crate::rows::{json, number, number_or_none, parsed, time, time_or_none};
use crate::{PostgresStore, in_transaction, quota, with_client};

#[async_trait]
impl TenantStore for PostgresStore {
    async fn org_create(&self, name: &str, plan: &str) -> Result<Organization, StoreError> {
        with_client!(self, db => async { org_create(db, name, plan, self.time.now(db).await?).await })
    }

    async fn org_change(&self, id: OrgId, changes: OrgChanges) -> Result<Option<Organization>, StoreError> {
        in_transaction!(self, db => org_change(db, id, &changes))
    }

    async fn org_get(&self, id: OrgId) -> Result<Option<Organization>, StoreError> {
        with_client!(self, db => org_get(db, id))
    }

    async fn org_list(&self) -> Result<Vec<Organization>, StoreError> {
        with_client!(self, db => org_list(db))
    }

    async fn quota_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError> {
        with_client!(self, db => quota::used(db, org_id, at))
    }

    async fn key_create(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        scopes: Scopes,
        expires_at: Option<Timestamp>,
    ) -> Result<KeyRecord, StoreError> {
        with_client!(self, db => async {
            key_create(db, org_id, key, (scopes, expires_at), self.time.now(db).await?).await
        })
    }

    async fn key_create_within(
        &self,
        org_id: OrgId,
        key: &ApiKey,
        terms: (Scopes, Option<Timestamp>),
        limit: u32,
    ) -> Result<Option<KeyRecord>, StoreError> {
        in_transaction!(self, db => key_create_within(db, org_id, key, terms, (limit, self.time.given())))
    }

    async fn key_list(&self, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>, StoreError> {
        with_client!(self, db => key_list(db, org_id))
    }

    async fn key_revoke(&self, id: KeyId) -> Result<bool, StoreError> {
        with_client!(self, db => key_revoke(db, id, self.time.given()))
    }

    async fn key_expire(&self, id: KeyId, at: Timestamp) -> Result<bool, StoreError> {
        with_client!(self, db => key_expire(db, id, at))
    }

    async fn key_find(&self, hash: KeyHash) -> Result<Option<Credentials>, StoreError> {
        with_client!(self, db => key_find(db, hash, self.time.given()))
    }

    async fn usage_list(
        &self,
        org_id: OrgId,
        range: UsageRange,
        after: Option<UsageCursor>,
        limit: u32,
    ) -> Result<Vec<UsageEvent>, StoreError> {
        with_client!(self, db => usage_list(db, org_id, range, after, limit))
    }

    async fn usage_sums(&self, range: UsageRange) -> Result<Vec<UsageSum>, StoreError> {
        with_client!(self, db => usage_sums(db, range))
    }
}

/// The columns that [`organization`] reads.
const ORG_COLUMNS: &str = "organizations.id, name, plan, disabled, monthly_quota, prices, reject_duplicates, \
                                  organizations.created_at, keep_days, disclosure_profile, truth_pages";

/// An organization, from columns that begin with `first`.
fn organization(row: &Row, first: usize) -> Result<Organization> {
    Ok(Organization {
        id: OrgId(row.try_get(first)?),
        name: row.try_get(first + 1)?,
        plan: row.try_get(first + 2)?,
        disabled: json(row, first + 3)?,
        monthly_quota: number_or_none(row, first + 4)?,
        prices: json(row, first + 5)?,
        reject_duplicates: row.try_get(first + 6)?,
        created_at: time(row, first + 7)?,
        keep_days: number_or_none(row, first + 8)?,
        disclosure_profile: row.try_get(first + 9)?,
        truth_pages: row.try_get(first + 10)?,
    })
}

async fn org_create(db: &impl GenericClient, name: &str, plan: &str, now: Timestamp) -> Result<Organization> {
    let created = new_organization(name, plan, now);
    let statement = "INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)";
    execute(db, statement, &[&created.id.0, &name, &plan, &now.as_millisecond()]).await?;
    Ok(created)
}

async fn org_change(db: &Transaction<'_>, id: OrgId, changes: &OrgChanges) -> Result<Option<Organization>> {
    let statement = format!("SELECT {ORG_COLUMNS} FROM organizations WHERE id = $1 FOR NO KEY UPDATE");
    let Some(found) = row(db, &statement, &[&id.0]).await? else { return Ok(None) };
    let mut org = organization(&found, 0)?;
    org.change(changes);
    let statement = "UPDATE organizations SET plan = $2, disabled = $3, monthly_quota = $4, prices = $5,
                         reject_duplicates = $6, keep_days = $7, disclosure_profile = $8,
                         truth_pages = $9
                     WHERE id = $1";
    execute(
        db,
        statement,
        &[
            &id.0,
            &org.plan,
            &serde_json::to_string(&org.disabled)?,
            &org.monthly_quota.map(i64::from),
            &serde_json::to_string(&org.prices)?,
            &org.reject_duplicates,
            &org.keep_days.map(i64::from),
            &org.disclosure_profile,
            &org.truth_pages,
        ],
    )
    .await?;
    Ok(Some(org))
}

async fn org_get(db: &impl GenericClient, id: OrgId) -> Result<Option<Organization>> {
    let found = row(db, &format!("SELECT {ORG_COLUMNS} FROM organizations WHERE id = $1"), &[&id.0]).await?;
    found.map(|row| organization(&row, 0)).transpose()
}

async fn org_list(db: &impl GenericClient) -> Result<Vec<Organization>> {
    let found = rows(db, &format!("SELECT {ORG_COLUMNS} FROM organizations ORDER BY created_at, id"), &[]).await?;
    found.iter().map(|row| organization(row, 0)).collect()
}

const KEY_COLUMNS: &str = "api_keys.id, org_id, hint, scopes, api_keys.created_at, expires_at, revoked_at";

fn key(row: &Row) -> Result<KeyRecord> {
    Ok(KeyRecord {
        id: KeyId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        hint: row.try_get(2)?,
        scopes: parsed(row, 3)?,
        created_at: time(row, 4)?,
        expires_at: time_or_none(row, 5)?,
        revoked_at: time_or_none(row, 6)?,
    })
}

async fn key_create(
    db: &impl GenericClient,
    org_id: OrgId,
    key: &ApiKey,
    (scopes, expires_at): (Scopes, Option<Timestamp>),
    now: Timestamp,
) -> Result<KeyRecord> {
    let (hint, hash) = (key.hint(), key.hash());
    let created =
        KeyRecord { id: KeyId::new(now), org_id, hint, scopes, created_at: now, expires_at, revoked_at: None };
    let statement = "INSERT INTO api_keys (id, org_id, hash, hint, scopes, created_at, expires_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let hash: &[u8] = &hash.0;
    let expires_at = expires_at.map(Timestamp::as_millisecond);
    let (scopes, now) = (scopes.to_string(), now.as_millisecond());
    execute(db, statement, &[&created.id.0, &org_id.0, &hash, &created.hint, &scopes, &now, &expires_at]).await?;
    Ok(created)
}

/// Creates a key unless there are `limit` active ones, one after the other under a lock of the organization's row.
async fn key_create_within(
    db: &Transaction<'_>,
    org_id: OrgId,
    key: &ApiKey,
    terms: (Scopes, Option<Timestamp>),
    (limit, given): (u32, Option<i64>),
) -> Result<Option<KeyRecord>> {
    let now = time(&lock(db, org_id, given).await?, 2)?;
    let statement = "SELECT count(*) FROM api_keys
                     WHERE org_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    let active = row(db, statement, &[&org_id.0, &now.as_millisecond()]).await?;
    if active.map_or(Ok(0), |row| number::<u32>(&row, 0))? >= limit {
        return Ok(None);
    }
    key_create(db, org_id, key, terms, now).await.map(Some)
}

async fn key_list(db: &impl GenericClient, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>> {
    let statement =
        format!("SELECT {KEY_COLUMNS} FROM api_keys WHERE $1::uuid IS NULL OR org_id = $1 ORDER BY created_at, id");
    let found = rows(db, &statement, &[&org_id.map(|id| id.0)]).await?;
    found.iter().map(key).collect()
}

async fn key_revoke(db: &impl GenericClient, id: KeyId, given: Option<i64>) -> Result<bool> {
    let statement = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, now_ms($2)) WHERE id = $1";
    Ok(execute(db, statement, &[&id.0, &given]).await? > 0)
}

async fn key_expire(db: &impl GenericClient, id: KeyId, at: Timestamp) -> Result<bool> {
    let statement = "UPDATE api_keys SET expires_at = $2 WHERE id = $1";
    Ok(execute(db, statement, &[&id.0, &at.as_millisecond()]).await? > 0)
}

async fn key_find(db: &impl GenericClient, hash: KeyHash, given: Option<i64>) -> Result<Option<Credentials>> {
    let orgs = ORG_COLUMNS;
    let statement = format!(
        "SELECT {KEY_COLUMNS}, {orgs} FROM api_keys JOIN organizations ON organizations.id = org_id
         WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now_ms($2))"
    );
    let hash: &[u8] = &hash.0;
    let found = row(db, &statement, &[&hash, &given]).await?;
    found.map(|row| Ok(Credentials { key: key(&row)?, org: organization(&row, 7)? })).transpose()
}

async fn usage_list(
    db: &impl GenericClient,
    org_id: OrgId,
    range: UsageRange,
    after: Option<UsageCursor>,
    limit: u32,
) -> Result<Vec<UsageEvent>> {
    let (start, end) = range.milliseconds();
    // No id sorts before the nil one: the first page begins with the last event before the range's end.
    let (before, id) = after.map_or((end, Uuid::nil()), |(time, id)| (time.as_millisecond(), id.0));
    let statement = "SELECT id, job_id, event_type, unit_price_cents, created_at FROM usage_events
                     WHERE org_id = $1 AND created_at >= $2 AND (created_at, id) < ($3, $4)
                     ORDER BY created_at DESC, id DESC LIMIT $5";
    let found = rows(db, statement, &[&org_id.0, &start, &before, &id, &i64::from(limit)]).await?;
    found
        .iter()
        .map(|row| {
            Ok(UsageEvent {
                id: EventId(row.try_get(0)?),
                job_id: JobId(row.try_get(1)?),
                event_type: row.try_get(2)?,
                unit_price_cents: row.try_get(3)?,
                created_at: time(row, 4)?,
            })
        })
        .collect()
}

async fn usage_sums(db: &impl GenericClient, range: UsageRange) -> Result<Vec<UsageSum>> {
    let (start, end) = range.milliseconds();
    // By organization, because that is what the index begins with.
    let statement = "SELECT organizations.id, summed.* FROM organizations, LATERAL (
                         SELECT event_type, count(*), sum(unit_price_cents)::bigint FROM usage_events
                         WHERE org_id = organizations.id AND created_at >= $1 AND created_at < $2
                         GROUP BY event_type) AS summed
                     ORDER BY organizations.id, event_type";
    let found = rows(db, statement, &[&start, &end]).await?;
    let sum = |row: &tokio_postgres::Row| {
        let (org_id, events) = (OrgId(row.try_get(0)?), number(row, 2)?);
        Ok(UsageSum { org_id, event_type: row.try_get(1)?, events, cents: row.try_get(3)? })
    };
    found.iter().map(sum).collect()
}
