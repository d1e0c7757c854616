//! Share links: who has one sees the finished media of a listing, and may approve photos and comment on them.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::api_key::{self, NoRandomness};
use crate::listing::{PHOTO_ID, is_photo_id};
use crate::{Fields, ListingId, OrgId, PhotoId, ReviewId, ShareLinkId, ValidationError};

/// Maximum length of a name, characters.
pub const MAX_NAME: usize = 100;
/// Maximum length of a comment, characters.
pub const MAX_TEXT: usize = 2000;
/// How long a link is valid by default, and at most, days.
const DEFAULT_DAYS: u16 = 30;
const MAX_DAYS: u16 = 365;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(example = "approved")]
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

const DECISIONS: [(&str, Decision); 2] = [("approved", Decision::Approved), ("rejected", Decision::Rejected)];

/// `POST /v1/listings/{listingId}/share-links`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareLinkRequest {
    /// Days until the link expires. Defaults to 30.
    #[schema(minimum = 1, maximum = 365, value_type = Option<u16>)]
    pub expires_in_days: u16,
    /// Your name of the link. Its viewers do not see it.
    #[schema(max_length = 100, example = "The sellers")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether viewers see the address of the listing. Defaults to true.
    #[schema(value_type = Option<bool>)]
    pub show_address: bool,
    /// Whether viewers may approve and reject photos. Defaults to true.
    #[schema(value_type = Option<bool>)]
    pub allow_approval: bool,
    /// Whether viewers may comment. Defaults to true.
    #[schema(value_type = Option<bool>)]
    pub allow_comments: bool,
}

impl ShareLinkRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let days = fields.integer("expires_in_days", 1..=i64::from(MAX_DAYS))?;
        Ok(Self {
            expires_in_days: days.and_then(|days| days.try_into().ok()).unwrap_or(DEFAULT_DAYS),
            name: fields.text("name", MAX_NAME)?.map(str::to_owned),
            show_address: fields.boolean("show_address")?.unwrap_or(true),
            allow_approval: fields.boolean("allow_approval")?.unwrap_or(true),
            allow_comments: fields.boolean("allow_comments")?.unwrap_or(true),
        })
    }

    /// What the link lets its viewers see and do.
    #[must_use]
    pub fn permissions(&self) -> SharePermissions {
        SharePermissions {
            show_address: self.show_address,
            allow_approval: self.allow_approval,
            allow_comments: self.allow_comments,
        }
    }
}

/// `POST /v1/shared/{token}/approvals`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApprovalRequest {
    /// Identifier of the photo.
    pub photo_id: PhotoId,
    /// The decision. It replaces an earlier one on the photo through the same link.
    pub decision: Decision,
    /// Name of the viewer.
    #[schema(max_length = 100, example = "Maria Miller")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl ApprovalRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let decision = fields.choice("decision", &DECISIONS)?;
        Ok(Self {
            photo_id: photo_id(&fields)?.ok_or_else(|| fields.missing("photo_id", PHOTO_ID))?,
            decision: decision.ok_or_else(|| fields.missing("decision", "approved or rejected"))?,
            name: fields.text("name", MAX_NAME)?.map(str::to_owned),
        })
    }
}

/// `POST /v1/shared/{token}/comments`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommentRequest {
    /// Identifier of the photo. Left out, the comment is on the whole listing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo_id: Option<PhotoId>,
    /// The comment: plain text, which may have line breaks.
    #[schema(min_length = 1, max_length = 2000, pattern = r"\S", example = "Please brighten the kitchen a little.")]
    pub text: String,
    /// Name of the viewer.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S", example = "Maria Miller")]
    pub name: String,
}

impl CommentRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let text = fields.prompt("text", MAX_TEXT)?;
        Ok(Self {
            photo_id: photo_id(&fields)?,
            text: text
                .ok_or_else(|| fields.missing("text", "a string of 1 to 2000 characters that is not blank"))?
                .to_owned(),
            name: fields.required_text("name", MAX_NAME)?.to_owned(),
        })
    }
}

fn photo_id(fields: &Fields<'_>) -> Result<Option<PhotoId>, ValidationError> {
    Ok(fields.formed("photo_id", is_photo_id, PHOTO_ID)?.map(|id| PhotoId(id.to_owned())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
    fn a_link_is_valid_for_30_days_and_allows_everything_by_default() {
        let read = |body: Value| ShareLinkRequest::from_body(&body);
        let request = read(json!({})).unwrap();
        assert_eq!((request.expires_in_days, request.name.as_deref()), (30, None));
        let all = SharePermissions { show_address: true, allow_approval: true, allow_comments: true };
        assert_eq!(request.permissions(), all);
        let none = json!({"show_address": false, "allow_approval": false, "allow_comments": false});
        assert!(!read(none).unwrap().permissions().show_address);
        for days in [json!(0), json!(366), json!("1"), json!(1.5)] {
            let error = read(json!({"expires_in_days": days})).unwrap_err().to_string();
            assert!(error.starts_with("`expires_in_days` must be an integer"), "{error}");
        }
    }

    #[test]
    fn a_link_expires_at_its_moment_and_a_revoked_one_is_revoked() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(ShareStatus::at(at(9), at(10), None), ShareStatus::Active);
        assert_eq!(ShareStatus::at(at(10), at(10), None), ShareStatus::Expired);
        assert_eq!(ShareStatus::at(at(20), at(10), Some(at(5))), ShareStatus::Revoked);
    }

    #[test]
    fn approvals_and_comments_name_what_is_wrong() {
        let approval = |body: Value| ApprovalRequest::from_body(&body).unwrap_err().to_string();
        assert!(approval(json!({"decision": "approved"})).starts_with("`photo_id` is required"));
        assert!(approval(json!({"photo_id": "a"})).starts_with("`decision` is required"));
        let wrong = approval(json!({"photo_id": "a", "decision": "maybe"}));
        assert_eq!(wrong, "`decision` must be one of approved, rejected");
        let comment = |body: Value| CommentRequest::from_body(&body);
        assert!(comment(json!({"text": "a\nb", "name": "M"})).is_ok());
        for (body, why) in [
            (json!({"name": "M"}), "`text` is required"),
            (json!({"name": "M", "text": " \n"}), "`text` is required"),
            (json!({"text": "a"}), "`name` is required"),
            (json!({"text": "a\u{1b}", "name": "M"}), "`text` must not contain control characters"),
            (json!({"text": "a", "name": "a\nb"}), "`name` must be one line"),
            (json!({"text": "a".repeat(2001), "name": "M"}), "`text` must"),
            (json!({"text": "a", "name": "M", "photo_id": "a b"}), "`photo_id` must be"),
        ] {
            let error = comment(body).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
