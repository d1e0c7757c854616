//! Rows of organizations and of their keys.

use aerie_domain::{KeyHash, KeyRecord, Organization};
use aerie_storage::Credentials;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::rows::{json, parsed, time, time_or_none};

pub(crate) const ORG_COLUMNS: &str = "organizations.id, name, plan, disabled, monthly_quota, prices, reject_duplicates, \
                           organizations.created_at, keep_days, disclosure_profile, truth_pages";

pub(crate) fn organization(row: &Row<'_>) -> rusqlite::Result<Organization> {
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

pub(crate) const KEY_COLUMNS: &str = "api_keys.id, org_id, hint, scopes, api_keys.created_at, expires_at, revoked_at";

pub(crate) fn key(row: &Row<'_>) -> rusqlite::Result<KeyRecord> {
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
