//! Share links: who has one sees the finished media of a listing, and may approve photos and comment on them.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::api_key::{self, NoRandomness};
use crate::{ListingId, OrgId, ReviewId, ShareLinkId};

/// Number of characters of a token.
const TOKEN_LENGTH: usize = 32;

/// The secret of a link: 32 random base62 characters (190 bits). `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct ShareToken(String);

/// SHA-256 of a token, which is all that is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShareTokenHash(pub [u8; 32]);

/// The text is not a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the token of a share link")]
pub struct NotAShareToken;

impl ShareToken {
    /// Generates a token.
    ///
    /// # Errors
    /// When the operating system's random number generator fails.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut token = String::with_capacity(TOKEN_LENGTH);
        api_key::push_random(&mut token, TOKEN_LENGTH)?;
        Ok(Self(token))
    }

    /// Parses a token that a viewer sent.
    ///
    /// # Errors
    /// When it has another form.
    pub fn parse(text: &str) -> Result<Self, NotAShareToken> {
        let is_token = text.len() == TOKEN_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_token { Ok(Self(text.to_owned())) } else { Err(NotAShareToken) }
    }

    /// The token itself, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash to store and to look up.
    #[must_use]
    pub fn hash(&self) -> ShareTokenHash {
        ShareTokenHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for ShareToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShareToken(…)")
    }
}

/// What a link lets its viewers see and do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharePermissions {
    /// Whether they see the address.
    pub show_address: bool,
    /// Whether they approve and reject photos.
    pub allow_approval: bool,
    /// Whether they comment.
    pub allow_comments: bool,
}

/// A share link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareLink {
    /// Identity.
    pub id: ShareLinkId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// The listing that it shows.
    pub listing_id: ListingId,
    /// The organization's name of it.
    pub name: Option<String>,
    /// What its viewers may see and do.
    pub permissions: SharePermissions,
    /// Whether it still works.
    pub status: ShareStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Whether a share link still works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ShareStatus {
    /// It works.
    Active,
    /// It has expired.
    Expired,
    /// It was revoked.
    Revoked,
}

impl ShareStatus {
    /// The status of a link at `now`.
    #[must_use]
    pub fn at(now: Timestamp, expires_at: Timestamp, revoked_at: Option<Timestamp>) -> Self {
        match revoked_at {
            Some(_) => Self::Revoked,
            None if expires_at <= now => Self::Expired,
            None => Self::Active,
        }
    }
}

/// A decision on a photo, or a comment, by a viewer of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Identity.
    pub id: ReviewId,
    /// The link.
    pub share_link_id: ShareLinkId,
    /// The photo. A comment may be on the whole listing.
    pub photo_id: Option<String>,
    /// What it says.
    pub content: ReviewContent,
    /// The name that the viewer gave.
    pub name: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a review says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewContent {
    /// A decision on a photo, of which each link has at most one: the newest.
    Decision(Decision),
    /// A comment.
    Comment(String),
}

/// A decision on a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schema(example = "approved"))]
pub enum Decision {
    /// It may be used.
    Approved,
    /// It may not.
    Rejected,
}

impl Decision {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }

    /// The decision of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        DECISIONS.into_iter().find(|(known, _)| *known == name).map(|(_, decision)| decision)
    }
}

/// Every decision with its name.
pub const DECISIONS: [(&str, Decision); 2] = [("approved", Decision::Approved), ("rejected", Decision::Rejected)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_32_random_characters_and_hidden() {
        let [one, other] = [(); 2].map(|()| ShareToken::generate().unwrap());
        assert_ne!(one, other);
        assert_eq!(ShareToken::parse(one.reveal()), Ok(one.clone()));
        assert_eq!(format!("{one:?}"), "ShareToken(…)");
        assert_ne!(one.hash(), other.hash());
        for text in ["", "a", &"a".repeat(31), &"a".repeat(33), &"/".repeat(32), &"é".repeat(16)] {
            assert_eq!(ShareToken::parse(text), Err(NotAShareToken), "{text}");
        }
    }

    #[test]
    fn a_link_expires_at_its_moment_and_a_revoked_one_is_revoked() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(ShareStatus::at(at(9), at(10), None), ShareStatus::Active);
        assert_eq!(ShareStatus::at(at(10), at(10), None), ShareStatus::Expired);
        assert_eq!(ShareStatus::at(at(20), at(10), Some(at(5))), ShareStatus::Revoked);
    }
}
