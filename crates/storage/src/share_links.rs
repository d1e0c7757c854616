//! Share links of listings, and what their viewers say.

use aerie_domain::{
    ListingId, OrgId, Review, ReviewContent, ReviewId, ShareLink, ShareLinkId, SharePermissions, ShareTokenHash,
};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// Keeps share links and reviews. Every method is atomic and durable when it returns. Both are removed with their listing.
#[async_trait]
pub trait ShareStore: Send + Sync {
    /// Adds a link. Of a listing with `limit` links, the oldest that does not work any more is removed with its reviews.
    async fn share_link_create(
        &self,
        new: NewShareLink,
        limit: u32,
    ) -> Result<Result<ShareLink, ShareLinkRefusal>, StoreError>;

    /// The links of the organization's listing, newest first.
    async fn share_link_list(&self, org_id: OrgId, listing: ListingId) -> Result<Vec<ShareLink>, StoreError>;

    /// Revokes a link of the organization's listing; `false` when there is none. A link stays revoked since the first time.
    async fn share_link_revoke(&self, org_id: OrgId, listing: ListingId, id: ShareLinkId) -> Result<bool, StoreError>;

    /// The link with this token, of whichever organization, also if it does not work any more.
    async fn share_link_find(&self, token: ShareTokenHash) -> Result<Option<ShareLink>, StoreError>;

    /// Adds what a viewer says through a link that works. A decision replaces an earlier one on the photo through the same link;
    /// other reviews are added while the link has fewer than `limit`.
    async fn review_add(&self, new: NewReview, limit: u32) -> Result<Result<Review, ReviewRefusal>, StoreError>;

    /// A page of reviews and their total number, from one snapshot.
    async fn review_list(&self, filter: ReviewFilter) -> Result<ReviewPage, StoreError>;
}

/// A link to be added.
#[derive(Debug, Clone)]
pub struct NewShareLink {
    /// Its id.
    pub id: ShareLinkId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// The listing that it shows.
    pub listing_id: ListingId,
    /// Hash of its token.
    pub token: ShareTokenHash,
    /// The organization's name of it.
    pub name: Option<String>,
    /// What its viewers may see and do.
    pub permissions: SharePermissions,
    /// Milliseconds until it expires.
    pub lifetime: i64,
}

impl NewShareLink {
    /// When the link expires that is added now.
    #[must_use]
    pub fn expires_at(&self, now: Timestamp) -> i64 {
        now.as_millisecond().saturating_add(self.lifetime)
    }
}

/// Why a link is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShareLinkRefusal {
    /// The organization has no such listing.
    ListingNotFound,
    /// The listing has as many links that work as it may.
    TooMany {
        /// The limit.
        limit: u32,
    },
}

/// A review to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// Its id.
    pub id: ReviewId,
    /// The link.
    pub share_link_id: ShareLinkId,
    /// The photo.
    pub photo_id: Option<String>,
    /// What it says.
    pub content: ReviewContent,
    /// The name that the viewer gave.
    pub name: Option<String>,
}

impl NewReview {
    /// The review, as it is added.
    #[must_use]
    pub fn review(self, now: Timestamp) -> Review {
        let Self { id, share_link_id, photo_id, content, name } = self;
        Review { id, share_link_id, photo_id, content, name, created_at: now }
    }
}

/// Why a review is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewRefusal {
    /// The link does not work any more.
    Gone,
    /// The link has as many reviews as it may.
    TooMany {
        /// The limit.
        limit: u32,
    },
}

/// Selects reviews to list.
#[derive(Debug, Clone, Copy)]
pub struct ReviewFilter {
    /// The organization.
    pub org_id: OrgId,
    /// The listing.
    pub listing_id: ListingId,
    /// Those through this link; `None` for all.
    pub share_link_id: Option<ShareLinkId>,
    /// Maximum number of rows.
    pub limit: u32,
    /// Number of rows to skip.
    pub offset: u64,
}

/// A page of reviews, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewPage {
    /// The reviews.
    pub reviews: Vec<Review>,
    /// Number of reviews that match the filter, from the same snapshot.
    pub total: u64,
}
