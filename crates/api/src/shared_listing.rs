//! A listing as viewers of a share link see it.

use std::collections::HashMap;
use std::time::Duration;

use aerie_domain::{Decision, Job, Listing, Review, ReviewContent, ReviewId, ShareLink};
use aerie_storage::{NewReview, ReviewFilter, ReviewRefusal};
use serde::Serialize;
use utoipa::ToSchema;

use crate::archive::{self, MediaFile, Size, files_of};
use crate::envelope::iso;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::{ApiState, disclosures, share_links, viewers};

/// How long links to media are valid: shorter than those of jobs, because a share link can be revoked.
const LINK_LIFETIME: Duration = Duration::from_secs(3600);

/// A listing as viewers of a share link see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SharedListing {
    /// Address of the property, if the link shows it.
    #[schema(required)]
    pub(crate) address: Option<String>,
    /// Whether photos can be approved and rejected.
    pub(crate) allow_approval: bool,
    /// Whether comments can be made.
    pub(crate) allow_comments: bool,
    /// When the link expires. ISO 8601, UTC.
    #[schema(format = "date-time")]
    pub(crate) expires_at: String,
    /// The photos, in the order of the listing.
    pub(crate) photos: Vec<SharedPhoto>,
    /// Videos of the property as a whole.
    pub(crate) videos: Vec<SharedMedia>,
    /// Comments through this link, oldest first.
    pub(crate) comments: Vec<SharedComment>,
}

/// A photo of a shared listing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SharedPhoto {
    /// Identifier of the photo.
    pub(crate) photo_id: String,
    /// Title of the photo.
    #[schema(required)]
    pub(crate) title: Option<String>,
    /// Type of the room that the photo shows.
    #[schema(required)]
    pub(crate) room_type: Option<String>,
    /// The newest finished media that were made from the photo, one of each kind.
    pub(crate) media: Vec<SharedMedia>,
    /// The last decision on the photo through this link.
    #[schema(required)]
    pub(crate) approval: Option<SharedApproval>,
}

/// A finished picture or video.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SharedMedia {
    /// What was made.
    #[schema(example = "image_enhance")]
    pub(crate) job_type: &'static str,
    /// Where the file is, for an hour.
    #[schema(format = "uri")]
    pub(crate) url: String,
    /// Where a picture of the video is, for an hour; `null` for a picture.
    #[schema(format = "uri", required)]
    pub(crate) poster_url: Option<String>,
    /// Width, pixels.
    #[schema(required, minimum = 0)]
    pub(crate) width: Option<u64>,
    /// Height, pixels.
    #[schema(required, minimum = 0)]
    pub(crate) height: Option<u64>,
    /// How it was made.
    pub(crate) disclosure: String,
}

/// A decision on a photo.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SharedApproval {
    /// Identifier of the photo.
    pub(crate) photo_id: String,
    /// The decision.
    pub(crate) decision: Decision,
    /// The name that the viewer gave.
    #[schema(required)]
    pub(crate) name: Option<String>,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    pub(crate) created_at: String,
}

/// A comment.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SharedComment {
    /// Identifier of the photo; `null` for a comment on the whole listing.
    #[schema(required)]
    pub(crate) photo_id: Option<String>,
    /// The comment: plain text.
    pub(crate) text: String,
    /// The name that the viewer gave.
    pub(crate) name: String,
    /// ISO 8601, UTC.
    #[schema(format = "date-time")]
    pub(crate) created_at: String,
}

/// What a link shows. Links to media begin with `base`.
pub(crate) async fn view(state: &ApiState, link: &ShareLink, base: &str) -> Result<SharedListing, ApiError> {
    let listing = listing_of(state, link).await?;
    let filter = ReviewFilter {
        org_id: link.org_id,
        listing_id: link.listing_id,
        share_link_id: Some(link.id),
        limit: share_links::MAX_REVIEWS,
        offset: 0,
    };
    let reviews = state.store.review_list(filter).await?.reviews;
    let (mut approvals, mut comments) = (HashMap::new(), Vec::new());
    for review in reviews.into_iter().rev() {
        match said(review) {
            Said::Approval(approval) => {
                approvals.insert(approval.photo_id.clone(), approval);
            }
            Said::Comment(comment) => comments.push(comment),
        }
    }
    let (mut media, mut videos) = (HashMap::<String, Vec<SharedMedia>>::new(), Vec::new());
    for (at, photo, job) in archive::newest(state, &listing).await? {
        let disclosed = disclosures::with_page(state, &job).await?;
        let Some(file) = files_of(&job, at.zip(photo), disclosed, Size::Mls) else { continue };
        let made = media_of(state, &job, file, base);
        match photo {
            Some(photo) => media.entry(photo.id().to_owned()).or_default().push(made),
            None => videos.push(made),
        }
    }
    let photos = listing.photos.iter().map(|photo| SharedPhoto {
        photo_id: photo.id().to_owned(),
        title: photo.title.clone(),
        room_type: photo.room_type.clone(),
        media: media.remove(photo.id()).unwrap_or_default(),
        approval: approvals.remove(photo.id()),
    });
    Ok(SharedListing {
        photos: photos.collect(),
        address: listing.address.filter(|_| link.permissions.show_address),
        allow_approval: link.permissions.allow_approval,
        allow_comments: link.permissions.allow_comments,
        expires_at: iso(link.expires_at),
        videos,
        comments,
    })
}

/// The listing of a link; one that is being deleted has no links any more.
async fn listing_of(state: &ApiState, link: &ShareLink) -> Result<Listing, ApiError> {
    state.store.listing_get(link.org_id, link.listing_id).await?.ok_or_else(share_links::unknown)
}

fn media_of(state: &ApiState, job: &Job, file: MediaFile, base: &str) -> SharedMedia {
    let signed = |key: &str| format!("{base}{}", state.links.sign_for(key, state.clock.now(), LINK_LIFETIME));
    SharedMedia {
        job_type: job.job_type.as_str(),
        poster_url: job.media.get("/thumbnail_url").filter(|_| file.is_video()).map(|key| signed(key)),
        url: signed(&file.key),
        width: file.pixels.map(|pixels| pixels.0),
        height: file.pixels.map(|pixels| pixels.1),
        disclosure: file.disclosure,
    }
}

/// What a viewer said.
pub(crate) enum Said {
    Approval(SharedApproval),
    Comment(SharedComment),
}

fn said(review: Review) -> Said {
    let created_at = iso(review.created_at);
    match review.content {
        ReviewContent::Decision(decision) => {
            let photo_id = review.photo_id.unwrap_or_default();
            Said::Approval(SharedApproval { photo_id, decision, name: review.name, created_at })
        }
        ReviewContent::Comment(text) => {
            let name = review.name.unwrap_or_default();
            Said::Comment(SharedComment { photo_id: review.photo_id, text, name, created_at })
        }
    }
}

/// Adds what a viewer says, if the link allows it.
pub(crate) async fn review(
    state: &ApiState,
    link: &ShareLink,
    photo_id: Option<String>,
    content: ReviewContent,
    name: Option<String>,
) -> Result<Said, ApiError> {
    let (is_allowed, what) = match content {
        ReviewContent::Decision(_) => (link.permissions.allow_approval, "approvals"),
        ReviewContent::Comment(_) => (link.permissions.allow_comments, "comments"),
    };
    if !is_allowed {
        let message = format!("This link does not allow {what}; ask for one that does");
        return Err(ApiError::with_message(ApiErrorCode::Forbidden, message));
    }
    viewers::count_review(state, link.id).await?;
    if let Some(photo_id) = &photo_id {
        let listing = listing_of(state, link).await?;
        if !listing.photos.iter().any(|photo| photo.id() == photo_id) {
            let message = "`photo_id` must be that of a photo of the listing";
            return Err(ApiError::with_message(ApiErrorCode::ValidationError, message));
        }
    }
    let new = NewReview { id: ReviewId::new(state.clock.now()), share_link_id: link.id, photo_id, content, name };
    match state.store.review_add(new, share_links::MAX_REVIEWS).await? {
        Ok(review) => {
            tracing::info!(link = %link.id, listing = %link.listing_id, "a viewer reviewed a listing");
            Ok(said(review))
        }
        Err(ReviewRefusal::Gone) => Err(ApiError::new(ApiErrorCode::ShareLinkGone)),
        Err(ReviewRefusal::TooMany { limit }) => {
            let message =
                format!("The link has {limit} comments and decisions, the most that are possible; ask for a new link");
            Err(ApiError::with_message(ApiErrorCode::InsufficientQuota, message))
        }
    }
}
