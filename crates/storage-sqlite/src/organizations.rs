//! Organizations and their keys.

use aerie_domain::{KeyHash, KeyId, KeyRecord, OrgChanges, OrgId, Organization, Scopes};
use aerie_storage::Credentials;
use aerie_storage::backend::new_organization;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::rows::{json, parsed, time, time_or_none};

const ORG_COLUMNS: &str = "organizations.id, name, plan, disabled, monthly_quota, prices, reject_duplicates, \
                           organizations.created_at, keep_days, disclosure_profile, truth_pages";

fn organization(row: &Row<'_>) -> rusqlite::Result<Organization> {
    organization_from(row, 0)
}

fn organization_from(row: &Row<'_>, first: usize) -> rusqlite::Result<Organization> {
    Ok(Organization {
        id: parsed(row, first)?,
        name: row.get(first + 1)?,
        plan: row.get(first + 2)?,
        disabled: json(row, first + 3)?,
        monthly_quota: row.get(first + 4)?,
        prices: json(row, first + 5)?,
        reject_duplicates: row.get(first + 6)?,
        created_at: time(row, first + 7)?,
        keep_days: row.get(first + 8)?,
        disclosure_profile: row.get(first + 9)?,
        truth_pages: row.get(first + 10)?,
    })
}

pub(crate) fn create(db: &Connection, name: &str, plan: &str, now: Timestamp) -> Result<Organization> {
    let created = new_organization(name, plan, now);
    db.prepare_cached("INSERT INTO organizations (id, name, plan, created_at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![created.id.to_string(), name, plan, now.as_millisecond()])?;
    Ok(created)
}

pub(crate) fn change(db: &Connection, id: OrgId, changes: &OrgChanges) -> Result<Option<Organization>> {
    let Some(mut org) = get(db, id)? else { return Ok(None) };
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

pub(crate) fn get(db: &Connection, id: OrgId) -> Result<Option<Organization>> {
    let found = db
        .prepare_cached(&format!("SELECT {ORG_COLUMNS} FROM organizations WHERE id = ?1"))?
        .query_row([id.to_string()], organization)
        .optional()?;
    Ok(found)
}

pub(crate) fn list(db: &Connection) -> Result<Vec<Organization>> {
    let found = db
        .prepare_cached(&format!("SELECT {ORG_COLUMNS} FROM organizations ORDER BY created_at, id"))?
        .query_map([], organization)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

const KEY_COLUMNS: &str = "api_keys.id, org_id, hint, scopes, api_keys.created_at, expires_at, revoked_at";

fn key(row: &Row<'_>) -> rusqlite::Result<KeyRecord> {
    Ok(KeyRecord {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        hint: row.get(2)?,
        scopes: parsed(row, 3)?,
        created_at: time(row, 4)?,
        expires_at: time_or_none(row, 5)?,
        revoked_at: time_or_none(row, 6)?,
    })
}

pub(crate) fn key_create(
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
pub(crate) fn active_keys(db: &Connection, org_id: OrgId, now: Timestamp) -> Result<u32> {
    let count = db
        .prepare_cached(
            "SELECT count(*) FROM api_keys
             WHERE org_id = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)",
        )?
        .query_row(params![org_id.to_string(), now.as_millisecond()], |row| row.get(0))?;
    Ok(count)
}

pub(crate) fn key_list(db: &Connection, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>> {
    let found = db
        .prepare_cached(&format!(
            "SELECT {KEY_COLUMNS} FROM api_keys WHERE ?1 IS NULL OR org_id = ?1 ORDER BY created_at, id"
        ))?
        .query_map([org_id.map(|id| id.to_string())], key)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

pub(crate) fn key_revoke(db: &Connection, id: KeyId, now: i64) -> Result<bool> {
    let changed = db
        .prepare_cached("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1")?
        .execute(params![id.to_string(), now])?;
    Ok(changed > 0)
}

pub(crate) fn key_expire(db: &Connection, id: KeyId, at: i64) -> Result<bool> {
    let changed =
        db.prepare_cached("UPDATE api_keys SET expires_at = ?2 WHERE id = ?1")?.execute(params![id.to_string(), at])?;
    Ok(changed > 0)
}

pub(crate) fn key_find(db: &Connection, hash: KeyHash, now: i64) -> Result<Option<Credentials>> {
    let found = db
        .prepare_cached(&format!(
            "SELECT {KEY_COLUMNS}, {ORG_COLUMNS} FROM api_keys JOIN organizations ON organizations.id = org_id
             WHERE hash = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)"
        ))?
        .query_row(params![hash.0, now], |row| Ok(Credentials { key: key(row)?, org: organization_from(row, 7)? }))
        .optional()?;
    Ok(found)
}
