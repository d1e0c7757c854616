//! Bodies of requests for share links, and of their viewers.

use aerie_domain::listing::{PHOTO_ID, is_photo_id};
use aerie_domain::share_link::DECISIONS;
use aerie_domain::{Decision, Fields, PhotoId, SharePermissions, ValidationError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Maximum length of a name, characters.
pub(crate) const MAX_NAME: usize = 100;
/// Maximum length of a comment, characters.
pub(crate) const MAX_TEXT: usize = 2000;
/// Default lifetime of a link, days.
const DEFAULT_DAYS: u16 = 30;
/// Maximum lifetime of a link, days.
const MAX_DAYS: u16 = 365;

/// `POST /v1/listings/{listingId}/share-links`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ShareLinkRequest {
    /// Days until the link expires. Defaults to 30.
    #[schema(minimum = 1, maximum = 365, value_type = Option<u16>)]
    pub(crate) expires_in_days: u16,
    /// Your name of the link. Its viewers do not see it.
    #[schema(max_length = 100, example = "The sellers")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// If true, viewers see the address of the listing. Defaults to true.
    #[schema(value_type = Option<bool>)]
    pub(crate) show_address: bool,
    /// If true, viewers may approve and reject photos. Defaults to true.
    #[schema(value_type = Option<bool>)]
    pub(crate) allow_approval: bool,
    /// If true, viewers may comment. Defaults to true.
    #[schema(value_type = Option<bool>)]
    pub(crate) allow_comments: bool,
}

impl ShareLinkRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub(crate) fn from_body(body: &Value) -> Result<Self, ValidationError> {
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

    /// The permissions of the viewers of the link.
    #[must_use]
    pub(crate) fn permissions(&self) -> SharePermissions {
        SharePermissions {
            show_address: self.show_address,
            allow_approval: self.allow_approval,
            allow_comments: self.allow_comments,
        }
    }
}

/// `POST /v1/shared/{token}/approvals`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ApprovalRequest {
    /// Identifier of the photo.
    pub(crate) photo_id: PhotoId,
    /// The decision. It replaces an earlier one on the photo through the same link.
    pub(crate) decision: Decision,
    /// Name of the viewer.
    #[schema(max_length = 100, example = "Maria Miller")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
}

impl ApprovalRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub(crate) fn from_body(body: &Value) -> Result<Self, ValidationError> {
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
pub(crate) struct CommentRequest {
    /// Identifier of the photo. Left out, the comment is on the whole listing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) photo_id: Option<PhotoId>,
    /// The comment: plain text, which may have line breaks.
    #[schema(min_length = 1, max_length = 2000, pattern = r"\S", example = "Please brighten the kitchen a little.")]
    pub(crate) text: String,
    /// Name of the viewer.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S", example = "Maria Miller")]
    pub(crate) name: String,
}

impl CommentRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub(crate) fn from_body(body: &Value) -> Result<Self, ValidationError> {
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
