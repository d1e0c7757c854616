//! Organizations.

use aerie_domain::{OrgChanges, OrgId, Organization};
use aerie_storage::backend::new_organization;
use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::error::Result;
use crate::pool::{execute, row, rows};
use crate::rows::{json, number_or_none, time};

/// The columns that [`organization`] reads.
pub(crate) const COLUMNS: &str = "organizations.id, name, plan, disabled, monthly_quota, prices, reject_duplicates, \
                                  organizations.created_at, keep_days, disclosure_profile, truth_pages";

/// An organization, from columns that begin with `first`.
pub(crate) fn organization(row: &Row, first: usize) -> Result<Organization> {
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

pub(crate) async fn create(db: &impl GenericClient, name: &str, plan: &str, now: Timestamp) -> Result<Organization> {
    let created = new_organization(name, plan, now);
    let statement = "INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)";
    execute(db, statement, &[&created.id.0, &name, &plan, &now.as_millisecond()]).await?;
    Ok(created)
}

pub(crate) async fn change(db: &Transaction<'_>, id: OrgId, changes: &OrgChanges) -> Result<Option<Organization>> {
    let statement = format!("SELECT {COLUMNS} FROM organizations WHERE id = $1 FOR NO KEY UPDATE");
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

pub(crate) async fn get(db: &impl GenericClient, id: OrgId) -> Result<Option<Organization>> {
    let found = row(db, &format!("SELECT {COLUMNS} FROM organizations WHERE id = $1"), &[&id.0]).await?;
    found.map(|row| organization(&row, 0)).transpose()
}

pub(crate) async fn list(db: &impl GenericClient) -> Result<Vec<Organization>> {
    let found = rows(db, &format!("SELECT {COLUMNS} FROM organizations ORDER BY created_at, id"), &[]).await?;
    found.iter().map(|row| organization(row, 0)).collect()
}
