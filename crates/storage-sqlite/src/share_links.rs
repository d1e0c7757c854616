//! Share links of listings, and what their viewers say.

use aerie_domain::{
    Decision, ListingId, OrgId, Review, ReviewContent, ReviewId, ShareLink, ShareLinkId, SharePermissions, ShareStatus,
    ShareTokenHash,
};
use aerie_storage::{
    NewReview, NewShareLink, ReviewFilter, ReviewPage, ReviewRefusal, ShareLinkRefusal, ShareStore, StoreError,
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::error::Result;
use crate::rows::{named, parsed, time, time_or_none};
use crate::{SqliteStore, listings};

#[async_trait]
impl ShareStore for SqliteStore {
    async fn share_link_create(
        &self,
        new: NewShareLink,
        limit: u32,
    ) -> Result<Result<ShareLink, ShareLinkRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| create(db, &new, limit, now)).await
    }

    async fn share_link_list(&self, org_id: OrgId, listing: ListingId) -> Result<Vec<ShareLink>, StoreError> {
        let now = self.clock.now();
        self.readers.read(move |db| list(db, org_id, listing, now)).await
    }

    async fn share_link_revoke(&self, org_id: OrgId, listing: ListingId, id: ShareLinkId) -> Result<bool, StoreError> {
        let now = self.now();
        self.writer.write(move |db| revoke(db, org_id, listing, id, now)).await
    }

    async fn share_link_find(&self, token: ShareTokenHash) -> Result<Option<ShareLink>, StoreError> {
        let now = self.clock.now();
        self.readers.look_up(move |db| find(db, "token_hash = ?1", &token.0[..], now)).await
    }

    async fn review_add(&self, new: NewReview, limit: u32) -> Result<Result<Review, ReviewRefusal>, StoreError> {
        let now = self.clock.now();
        self.writer.write(move |db| add_review(db, new, limit, now)).await
    }

    async fn review_list(&self, filter: ReviewFilter) -> Result<ReviewPage, StoreError> {
        self.readers.read(move |db| reviews(db, filter)).await
    }
}

const COLUMNS: &str =
    "id, org_id, listing_id, name, show_address, allow_approval, allow_comments, created_at, expires_at, revoked_at";

fn create(
    db: &Connection,
    new: &NewShareLink,
    limit: u32,
    now: Timestamp,
) -> Result<Result<ShareLink, ShareLinkRefusal>> {
    if listings::get(db, new.org_id, new.listing_id)?.is_none() {
        return Ok(Err(ShareLinkRefusal::ListingNotFound));
    }
    let listing = new.listing_id.to_string();
    let count: i64 = db
        .prepare_cached("SELECT count(*) FROM share_links WHERE listing_id = ?1")?
        .query_row([&listing], |row| row.get(0))?;
    if count >= i64::from(limit) && !remove_oldest_gone(db, &listing, now.as_millisecond())? {
        return Ok(Err(ShareLinkRefusal::TooMany { limit }));
    }
    let id = new.id.to_string();
    let SharePermissions { show_address, allow_approval, allow_comments } = new.permissions;
    db.prepare_cached(
        "INSERT INTO share_links (id, org_id, listing_id, token_hash, name, show_address, allow_approval, allow_comments,
             created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        id,
        new.org_id.to_string(),
        listing,
        &new.token.0[..],
        new.name,
        show_address,
        allow_approval,
        allow_comments,
        now.as_millisecond(),
        new.expires_at(now),
    ])?;
    let created = find(db, "id = ?1", &id, now)?;
    Ok(created.ok_or(ShareLinkRefusal::ListingNotFound))
}

/// Removes the oldest link of a listing that does not work any more; `false` if all work.
fn remove_oldest_gone(db: &Connection, listing: &str, now: i64) -> Result<bool> {
    let gone: Option<String> = db
        .prepare_cached(
            "SELECT id FROM share_links WHERE listing_id = ?1 AND (revoked_at IS NOT NULL OR expires_at <= ?2)
             ORDER BY id LIMIT 1",
        )?
        .query_row(params![listing, now], |row| row.get(0))
        .optional()?;
    let Some(gone) = gone else { return Ok(false) };
    for statement in ["DELETE FROM reviews WHERE share_link_id = ?1", "DELETE FROM share_links WHERE id = ?1"] {
        db.prepare_cached(statement)?.execute([&gone])?;
    }
    Ok(true)
}

fn list(db: &Connection, org_id: OrgId, listing: ListingId, now: Timestamp) -> Result<Vec<ShareLink>> {
    let found = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM share_links WHERE listing_id = ?1 AND org_id = ?2 ORDER BY id DESC"
        ))?
        .query_map([listing.to_string(), org_id.to_string()], |row| link(row, now))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(found)
}

fn revoke(db: &Connection, org_id: OrgId, listing: ListingId, id: ShareLinkId, now: i64) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE share_links SET revoked_at = coalesce(revoked_at, ?4)
             WHERE id = ?1 AND listing_id = ?2 AND org_id = ?3",
        )?
        .execute(params![id.to_string(), listing.to_string(), org_id.to_string(), now])?;
    Ok(changed > 0)
}

fn find(db: &Connection, condition: &str, value: impl rusqlite::ToSql, now: Timestamp) -> Result<Option<ShareLink>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM share_links WHERE {condition}"))?
        .query_row([value], |row| link(row, now))
        .optional()?;
    Ok(found)
}

fn add_review(db: &Connection, new: NewReview, limit: u32, now: Timestamp) -> Result<Result<Review, ReviewRefusal>> {
    let id = new.share_link_id.to_string();
    let link = find(db, "id = ?1", &id, now)?.filter(|link| link.status == ShareStatus::Active);
    let Some(link) = link else { return Ok(Err(ReviewRefusal::Gone)) };
    let (decision, comment) = match &new.content {
        ReviewContent::Decision(decision) => (Some(decision.as_str()), None),
        ReviewContent::Comment(text) => (None, Some(text.as_str())),
    };
    if decision.is_some() {
        db.prepare_cached("DELETE FROM reviews WHERE share_link_id = ?1 AND photo_id IS ?2 AND decision IS NOT NULL")?
            .execute(params![id, new.photo_id])?;
    }
    let count: i64 = db
        .prepare_cached("SELECT count(*) FROM reviews WHERE share_link_id = ?1")?
        .query_row([&id], |row| row.get(0))?;
    if count >= i64::from(limit) {
        return Ok(Err(ReviewRefusal::TooMany { limit }));
    }
    db.prepare_cached(
        "INSERT INTO reviews (id, share_link_id, listing_id, photo_id, decision, comment, name, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        new.id.to_string(),
        id,
        link.listing_id.to_string(),
        new.photo_id,
        decision,
        comment,
        new.name,
        now.as_millisecond(),
    ])?;
    Ok(Ok(new.review(now)))
}

fn reviews(db: &Connection, filter: ReviewFilter) -> Result<ReviewPage> {
    // The listing, not the review, says whose it is.
    let condition = match filter.share_link_id {
        Some(_) => "share_link_id = ?3 AND listing_id = ?1",
        None => "listing_id = ?1 AND ?3 IS NULL",
    };
    let condition = format!("{condition} AND EXISTS (SELECT 1 FROM listings WHERE listings.id = ?1 AND org_id = ?2)");
    let (listing, org) = (filter.listing_id.to_string(), filter.org_id.to_string());
    let link = filter.share_link_id.map(|id| id.to_string());
    let total: i64 = db
        .prepare_cached(&format!("SELECT count(*) FROM reviews WHERE {condition}"))?
        .query_row(params![listing, org, link], |row| row.get(0))?;
    let offset = i64::try_from(filter.offset).unwrap_or(i64::MAX);
    let reviews = db
        .prepare_cached(&format!(
            "SELECT id, share_link_id, photo_id, decision, comment, name, created_at FROM reviews WHERE {condition}
             ORDER BY id DESC LIMIT ?4 OFFSET ?5"
        ))?
        .query_map(params![listing, org, link, filter.limit, offset], review)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(ReviewPage { reviews, total: u64::try_from(total).unwrap_or(0) })
}

fn link(row: &Row<'_>, now: Timestamp) -> rusqlite::Result<ShareLink> {
    let (expires_at, revoked_at) = (time(row, 8)?, time_or_none(row, 9)?);
    Ok(ShareLink {
        id: parsed(row, 0)?,
        org_id: parsed(row, 1)?,
        listing_id: parsed(row, 2)?,
        name: row.get(3)?,
        permissions: SharePermissions {
            show_address: row.get(4)?,
            allow_approval: row.get(5)?,
            allow_comments: row.get(6)?,
        },
        status: ShareStatus::at(now, expires_at, revoked_at),
        created_at: time(row, 7)?,
        expires_at,
        revoked_at,
    })
}

fn review(row: &Row<'_>) -> rusqlite::Result<Review> {
    let comment: Option<String> = row.get(4)?;
    Ok(Review {
        id: parsed::<ReviewId>(row, 0)?,
        share_link_id: parsed(row, 1)?,
        photo_id: row.get(2)?,
        content: match comment {
            Some(text) => ReviewContent::Comment(text),
            None => ReviewContent::Decision(named(row, 3, Decision::from_name)?),
        },
        name: row.get(5)?,
        created_at: time(row, 6)?,
    })
}
