//! Share links of listings, and what their viewers say.
//!
//! A link is added under a lock of its organization's row, a review under a lock of its link's row, so that none is over a limit.

use aerie_domain::{
    Decision, ListingId, OrgId, Review, ReviewContent, ReviewId, ShareLink, ShareLinkId, SharePermissions, ShareStatus,
    ShareTokenHash,
};
use aerie_storage::{
    NewReview, NewShareLink, ReviewFilter, ReviewPage, ReviewRefusal, ShareLinkRefusal, ShareStore, StoreError,
};
use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::admission::lock;
use crate::error::Result;
use crate::pool::{execute, row, rows};
use crate::rows::{named, number, time, time_or_none};
use crate::{PostgresStore, in_transaction, listings, snapshot, with_client};

#[async_trait]
impl ShareStore for PostgresStore {
    async fn share_link_create(
        &self,
        new: NewShareLink,
        limit: u32,
    ) -> Result<Result<ShareLink, ShareLinkRefusal>, StoreError> {
        in_transaction!(self, db => create(db, &new, limit, self.time.given()))
    }

    async fn share_link_list(&self, org_id: OrgId, listing: ListingId) -> Result<Vec<ShareLink>, StoreError> {
        with_client!(self, db => list(db, org_id, listing, self.time.given()))
    }

    async fn share_link_revoke(&self, org_id: OrgId, listing: ListingId, id: ShareLinkId) -> Result<bool, StoreError> {
        with_client!(self, db => revoke(db, org_id, (listing, id), self.time.given()))
    }

    async fn share_link_find(&self, token: ShareTokenHash) -> Result<Option<ShareLink>, StoreError> {
        with_client!(self, db => find(db, "token_hash = $1", &token.0.to_vec(), self.time.given()))
    }

    async fn review_add(&self, new: NewReview, limit: u32) -> Result<Result<Review, ReviewRefusal>, StoreError> {
        in_transaction!(self, db => add_review(db, new, limit, self.time.given()))
    }

    async fn review_list(&self, filter: ReviewFilter) -> Result<ReviewPage, StoreError> {
        let mut client = self.client().await?;
        self.noting(async { reviews(&snapshot(&mut client).await?, filter).await }.await)
    }
}

const COLUMNS: &str =
    "id, org_id, listing_id, name, show_address, allow_approval, allow_comments, created_at, expires_at, revoked_at";

async fn create(
    db: &Transaction<'_>,
    new: &NewShareLink,
    limit: u32,
    given: Option<i64>,
) -> Result<Result<ShareLink, ShareLinkRefusal>> {
    let now = time(&lock(db, new.org_id, given).await?, 2)?;
    if listings::get(db, new.org_id, new.listing_id).await?.is_none() {
        return Ok(Err(ShareLinkRefusal::ListingNotFound));
    }
    let count = row(db, "SELECT count(*) FROM share_links WHERE listing_id = $1", &[&new.listing_id.0]).await?;
    if count.map_or(Ok(0), |row| number::<u32>(&row, 0))? >= limit
        && !remove_oldest_gone(db, new.listing_id, now.as_millisecond()).await?
    {
        return Ok(Err(ShareLinkRefusal::TooMany { limit }));
    }
    let SharePermissions { show_address, allow_approval, allow_comments } = new.permissions;
    let statement = "INSERT INTO share_links (id, org_id, listing_id, token_hash, name, show_address, allow_approval,
                         allow_comments, created_at, expires_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let values: [&(dyn ToSql + Sync); 10] = [
        &new.id.0,
        &new.org_id.0,
        &new.listing_id.0,
        &new.token.0.to_vec(),
        &new.name,
        &show_address,
        &allow_approval,
        &allow_comments,
        &now.as_millisecond(),
        &new.expires_at(now),
    ];
    execute(db, statement, &values).await?;
    let created = find(db, "id = $1", &new.id.0, Some(now.as_millisecond())).await?;
    Ok(created.ok_or(ShareLinkRefusal::ListingNotFound))
}

/// Removes the oldest link of a listing that does not work any more; `false` if all work.
async fn remove_oldest_gone(db: &Transaction<'_>, listing: ListingId, now: i64) -> Result<bool> {
    let statement = "DELETE FROM share_links WHERE id = (
                         SELECT id FROM share_links WHERE listing_id = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2)
                         ORDER BY id LIMIT 1) RETURNING id";
    let Some(gone) = row(db, statement, &[&listing.0, &now]).await? else { return Ok(false) };
    let id: uuid::Uuid = gone.try_get(0)?;
    execute(db, "DELETE FROM reviews WHERE share_link_id = $1", &[&id]).await?;
    Ok(true)
}

async fn list(
    db: &impl GenericClient,
    org_id: OrgId,
    listing: ListingId,
    given: Option<i64>,
) -> Result<Vec<ShareLink>> {
    let statement =
        format!("SELECT {COLUMNS}, now_ms($3) FROM share_links WHERE listing_id = $1 AND org_id = $2 ORDER BY id DESC");
    rows(db, &statement, &[&listing.0, &org_id.0, &given]).await?.iter().map(link).collect()
}

async fn revoke(
    db: &impl GenericClient,
    org_id: OrgId,
    (listing, id): (ListingId, ShareLinkId),
    given: Option<i64>,
) -> Result<bool> {
    let statement = "UPDATE share_links SET revoked_at = coalesce(revoked_at, now_ms($4))
                     WHERE id = $1 AND listing_id = $2 AND org_id = $3";
    Ok(execute(db, statement, &[&id.0, &listing.0, &org_id.0, &given]).await? > 0)
}

async fn find(
    db: &impl GenericClient,
    condition: &str,
    value: &(dyn ToSql + Sync),
    given: Option<i64>,
) -> Result<Option<ShareLink>> {
    let statement = format!("SELECT {COLUMNS}, now_ms($2) FROM share_links WHERE {condition}");
    row(db, &statement, &[value, &given]).await?.map(|row| link(&row)).transpose()
}

async fn add_review(
    db: &Transaction<'_>,
    new: NewReview,
    limit: u32,
    given: Option<i64>,
) -> Result<Result<Review, ReviewRefusal>> {
    let link = &new.share_link_id.0;
    let statement = "SELECT listing_id, now_ms($2) FROM share_links
                     WHERE id = $1 AND revoked_at IS NULL AND expires_at > now_ms($2) FOR UPDATE";
    let Some(found) = row(db, statement, &[link, &given]).await? else { return Ok(Err(ReviewRefusal::Gone)) };
    let (listing, now): (uuid::Uuid, _) = (found.try_get(0)?, time(&found, 1)?);
    let (decision, comment) = match &new.content {
        ReviewContent::Decision(decision) => (Some(decision.as_str()), None),
        ReviewContent::Comment(text) => (None, Some(text.as_str())),
    };
    if decision.is_some() {
        let statement = "DELETE FROM reviews
                         WHERE share_link_id = $1 AND photo_id IS NOT DISTINCT FROM $2 AND decision IS NOT NULL";
        execute(db, statement, &[link, &new.photo_id]).await?;
    }
    let count = row(db, "SELECT count(*) FROM reviews WHERE share_link_id = $1", &[link]).await?;
    if count.map_or(Ok(0), |row| number::<u32>(&row, 0))? >= limit {
        return Ok(Err(ReviewRefusal::TooMany { limit }));
    }
    let statement = "INSERT INTO reviews (id, share_link_id, listing_id, photo_id, decision, comment, name, created_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let at = now.as_millisecond();
    let values: [&(dyn ToSql + Sync); 8] =
        [&new.id.0, link, &listing, &new.photo_id, &decision, &comment, &new.name, &at];
    execute(db, statement, &values).await?;
    Ok(Ok(new.review(now)))
}

async fn reviews(db: &impl GenericClient, filter: ReviewFilter) -> Result<ReviewPage> {
    // The listing, not the review, says whose it is.
    let condition = match filter.share_link_id {
        Some(_) => "share_link_id = $3 AND listing_id = $1",
        None => "listing_id = $1 AND $3::uuid IS NULL",
    };
    let condition = format!("{condition} AND EXISTS (SELECT FROM listings WHERE listings.id = $1 AND org_id = $2)");
    let (listing, org, link) = (filter.listing_id.0, filter.org_id.0, filter.share_link_id.map(|id| id.0));
    let total = format!("SELECT count(*) FROM reviews WHERE {condition}");
    let total = row(db, &total, &[&listing, &org, &link]).await?;
    let statement = format!(
        "SELECT id, share_link_id, photo_id, decision, comment, name, created_at FROM reviews WHERE {condition}
         ORDER BY id DESC LIMIT $4 OFFSET $5"
    );
    let (limit, offset) = (i64::from(filter.limit), i64::try_from(filter.offset).unwrap_or(i64::MAX));
    let found = rows(db, &statement, &[&listing, &org, &link, &limit, &offset]).await?;
    let reviews = found.iter().map(review).collect::<Result<_>>()?;
    Ok(ReviewPage { reviews, total: total.map_or(Ok(0), |row| number(&row, 0))? })
}

/// A link from its columns and the time.
fn link(row: &Row) -> Result<ShareLink> {
    let (expires_at, revoked_at) = (time(row, 8)?, time_or_none(row, 9)?);
    Ok(ShareLink {
        id: ShareLinkId(row.try_get(0)?),
        org_id: OrgId(row.try_get(1)?),
        listing_id: ListingId(row.try_get(2)?),
        name: row.try_get(3)?,
        permissions: SharePermissions {
            show_address: row.try_get(4)?,
            allow_approval: row.try_get(5)?,
            allow_comments: row.try_get(6)?,
        },
        status: ShareStatus::at(time(row, 10)?, expires_at, revoked_at),
        created_at: time(row, 7)?,
        expires_at,
        revoked_at,
    })
}

fn review(row: &Row) -> Result<Review> {
    let comment: Option<String> = row.try_get(4)?;
    Ok(Review {
        id: ReviewId(row.try_get(0)?),
        share_link_id: ShareLinkId(row.try_get(1)?),
        photo_id: row.try_get(2)?,
        content: match comment {
            Some(text) => ReviewContent::Comment(text),
            None => ReviewContent::Decision(named(row, 3, Decision::from_name)?),
        },
        name: row.try_get(5)?,
        created_at: time(row, 6)?,
    })
}
