//! Organisations and their keys.

use aerie_domain::{KeyHash, KeyId, KeyRecord, OrgId, Organisation};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::rows::{parsed, time, time_or_none};
use crate::StoreError;

fn organisation(row: &Row<'_>) -> rusqlite::Result<Organisation> {
    Ok(Organisation { id: parsed(row, 0)?, name: row.get(1)?, created_at: time(row, 2)? })
}

pub(super) fn create(db: &Connection, name: &str, now: Timestamp) -> Result<Organisation, StoreError> {
    let created = Organisation { id: OrgId::new(now), name: name.to_owned(), created_at: now };
    db.prepare_cached("INSERT INTO organisations (id, name, created_at) VALUES (?1, ?2, ?3)")?.execute(params![
        created.id.to_string(),
        name,
        now.as_millisecond()
    ])?;
    Ok(created)
}

pub(super) fn get(db: &Connection, id: OrgId) -> Result<Option<Organisation>, StoreError> {
    let found = db
        .prepare_cached("SELECT id, name, created_at FROM organisations WHERE id = ?1")?
        .query_row([id.to_string()], organisation)
        .optional()?;
    Ok(found)
}

pub(super) fn list(db: &Connection) -> Result<Vec<Organisation>, StoreError> {
    let found = db
        .prepare_cached("SELECT id, name, created_at FROM organisations ORDER BY created_at, id")?
        .query_map([], organisation)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn key(row: &Row<'_>) -> rusqlite::Result<KeyRecord> {
    Ok(KeyRecord {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        hint: row.get(2)?,
        created_at: time(row, 3)?,
        revoked_at: time_or_none(row, 4)?,
    })
}

const KEY_COLUMNS: &str = "id, org_id, hint, created_at, revoked_at";

pub(super) fn key_create(
    db: &Connection,
    org_id: OrgId,
    hash: KeyHash,
    hint: &str,
    now: Timestamp,
) -> Result<KeyRecord, StoreError> {
    let created = KeyRecord { id: KeyId::new(now), org_id, hint: hint.to_owned(), created_at: now, revoked_at: None };
    db.prepare_cached("INSERT INTO api_keys (id, org_id, hash, hint, created_at) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![created.id.to_string(), org_id.to_string(), hash.0, hint, now.as_millisecond()])?;
    Ok(created)
}

pub(super) fn key_list(db: &Connection, org_id: Option<OrgId>) -> Result<Vec<KeyRecord>, StoreError> {
    let found = db
        .prepare_cached(&format!(
            "SELECT {KEY_COLUMNS} FROM api_keys WHERE ?1 IS NULL OR org_id = ?1 ORDER BY created_at, id"
        ))?
        .query_map([org_id.map(|id| id.to_string())], key)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

pub(super) fn key_revoke(db: &Connection, id: KeyId, now: i64) -> Result<bool, StoreError> {
    let changed = db
        .prepare_cached("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1")?
        .execute(params![id.to_string(), now])?;
    Ok(changed > 0)
}

pub(super) fn key_find(db: &Connection, hash: KeyHash) -> Result<Option<KeyRecord>, StoreError> {
    let found = db
        .prepare_cached(&format!("SELECT {KEY_COLUMNS} FROM api_keys WHERE hash = ?1 AND revoked_at IS NULL"))?
        .query_row([hash.0], key)
        .optional()?;
    Ok(found)
}
