//! Share links and reviews as an organization sees them.

use aerie_domain::{Decision, Review, ReviewContent, ShareLink, ShareStatus, ShareToken};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::envelope::iso;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;

/// Greatest number of links of a listing.
pub(crate) const MAX_LINKS: u32 = 100;
/// Greatest number of decisions and comments through a link.
pub(crate) const MAX_REVIEWS: u32 = 500;

/// A share link.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShareLink)]
pub(crate) struct ShareLinkView {
    /// Identifier of the link.
    #[schema(format = "uuid")]
    share_link_id: String,
    /// Identifier of the listing.
    #[schema(format = "uuid")]
    listing_id: String,
    /// Your name of the link.
    #[schema(required)]
    name: Option<String>,
    /// Whether viewers see the address of the listing.
    show_address: bool,
    /// Whether viewers may approve and reject photos.
    allow_approval: bool,
    /// Whether viewers may comment.
    allow_comments: bool,
    /// Whether it works.
    status: ShareStatus,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    created_at: String,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    expires_at: String,
    /// ISO 8601, UTC. `null` unless it was revoked.
    #[schema(format = "date-time", required)]
    revoked_at: Option<String>,
}

/// A share link with its token, which is shown only once.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShareLinkWithToken)]
pub(crate) struct WithToken {
    #[serde(flatten)]
    link: ShareLinkView,
    /// The token. Whoever has it has the link. It is not shown again.
    #[schema(example = "Yb2wQxT0m4Vd8kRnC6sLf1JpZ9uHeG3a")]
    token: String,
    /// The web page of the link.
    #[schema(format = "uri")]
    url: String,
}

/// What a viewer of a link said: a decision on a photo, or a comment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Review)]
pub(crate) struct ReviewView {
    /// Identifier of the review.
    #[schema(format = "uuid")]
    review_id: String,
    /// The link.
    #[schema(format = "uuid")]
    share_link_id: String,
    /// The photo; `null` for a comment on the whole listing.
    #[schema(required)]
    photo_id: Option<String>,
    /// The decision; `null` for a comment.
    #[schema(required)]
    decision: Option<Decision>,
    /// The comment; `null` for a decision.
    #[schema(required)]
    text: Option<String>,
    /// The name that the viewer gave. It is not verified.
    #[schema(required)]
    name: Option<String>,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    created_at: String,
}

impl ShareLinkView {
    pub(crate) fn of(link: ShareLink) -> Self {
        Self {
            share_link_id: link.id.to_string(),
            listing_id: link.listing_id.to_string(),
            name: link.name,
            show_address: link.permissions.show_address,
            allow_approval: link.permissions.allow_approval,
            allow_comments: link.permissions.allow_comments,
            status: link.status,
            created_at: iso(link.created_at),
            expires_at: iso(link.expires_at),
            revoked_at: link.revoked_at.map(iso),
        }
    }
}

impl WithToken {
    pub(crate) fn of(state: &ApiState, link: ShareLink, token: &ShareToken) -> Self {
        let token = token.reveal().to_owned();
        Self { link: ShareLinkView::of(link), url: format!("{}/s/{token}", state.base_url), token }
    }
}

impl ReviewView {
    pub(crate) fn of(review: Review) -> Self {
        let (decision, text) = match review.content {
            ReviewContent::Decision(decision) => (Some(decision), None),
            ReviewContent::Comment(text) => (None, Some(text)),
        };
        Self {
            review_id: review.id.to_string(),
            share_link_id: review.share_link_id.to_string(),
            photo_id: review.photo_id,
            decision,
            text,
            name: review.name,
            created_at: iso(review.created_at),
        }
    }
}

pub(crate) fn unknown() -> ApiError {
    ApiError::new(ApiErrorCode::ShareLinkNotFound)
}
