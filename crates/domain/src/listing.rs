//! Listings: properties with their photos, as clients describe them.

use std::collections::BTreeMap;

use aerie_engine_api::fields::MAX_ADDRESS;
use aerie_engine_api::kinds::virtual_staging::is_room_type;
use aerie_engine_api::photo::MAX_PROMPT;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Fields, ListingId, OrgId, UPLOAD, UploadId, ValidationError};

/// Greatest number of photos of a listing.
pub const MAX_PHOTOS: usize = 100;

/// Maximum length of a client's identifier of a listing, characters.
const MAX_REFERENCE: usize = 128;

/// Maximum length of a title, characters.
const MAX_TITLE: usize = 200;

/// What a photo's identifier is.
pub const PHOTO_ID: &str = "1 to 64 letters, digits, hyphens or underscores";

/// What a room type is.
const ROOM_TYPE: &str = "1 to 64 lower-case letters, digits and underscores, such as living_room";

/// A property with its photos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Identity.
    pub id: ListingId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// The client's own identifier.
    pub reference: Option<String>,
    /// Address of the property.
    pub address: Option<String>,
    /// Style in which its rooms are staged.
    pub style_prompt: Option<String>,
    /// Its photos, in order. Each has an `id`.
    pub photos: Vec<ListingPhoto>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// `POST /v1/listings`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListingRequest {
    /// Your own identifier of the listing, such as the `ListingKey` of RESO. Unique within your organization.
    #[cfg_attr(feature = "openapi", schema(max_length = 128, example = "RX-4711"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Full property address. Flights need it.
    #[cfg_attr(feature = "openapi", schema(max_length = 500, example = "Dorfstrasse 24, 9495 Triesen"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Style in which all rooms of the listing are staged.
    #[cfg_attr(feature = "openapi", schema(max_length = 2000, example = "Scandinavian, light oak"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style_prompt: Option<String>,
    /// The photos, in the order of the listing.
    #[cfg_attr(feature = "openapi", schema(max_items = 100, value_type = Option<Vec<ListingPhoto>>))]
    #[serde(default)]
    pub photos: Vec<ListingPhoto>,
}

/// A photo of a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListingPhoto {
    /// Identifier of the photo within the listing. Made by Aerie if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<PhotoId>,
    /// Publicly accessible HTTP or HTTPS image URL, or `aerie:upload/ID` of a complete upload, which is then kept as long as the
    /// listing names it.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 2048,
            pattern = r"\S",
            format = "uri",
            example = "https://example.com/kitchen.jpg"
        )
    )]
    pub image_url: String,
    /// Type of the room that the photo shows, as for virtual staging.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 64, pattern = "^[a-z0-9_]{1,64}$", example = "kitchen")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_type: Option<String>,
    /// Whether the room is empty: photos with `room_type` and `"empty": true` are staged.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub empty: bool,
    /// Title of the photo.
    #[cfg_attr(feature = "openapi", schema(max_length = 200, example = "Kitchen with a view of the garden"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Identifier of a photo within its listing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
#[cfg_attr(feature = "openapi", schema(pattern = "^[a-zA-Z0-9_-]{1,64}$", example = "photo-1"))]
pub struct PhotoId(pub String);

/// `PATCH /v1/listings/{listingId}`: members to replace. `None` leaves a member unchanged, `Some(None)` removes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListingChanges {
    /// See [`ListingRequest::reference`].
    pub reference: Option<Option<String>>,
    /// See [`ListingRequest::address`].
    pub address: Option<Option<String>>,
    /// See [`ListingRequest::style_prompt`].
    pub style_prompt: Option<Option<String>>,
    /// All photos.
    pub photos: Option<Vec<ListingPhoto>>,
}

impl ListingRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let changes = ListingChanges::from_body(body)?;
        Ok(Self {
            reference: changes.reference.flatten(),
            address: changes.address.flatten(),
            style_prompt: changes.style_prompt.flatten(),
            photos: changes.photos.unwrap_or_default(),
        })
    }
}

impl ListingChanges {
    /// Reads a request body. `null` removes a member.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let member = |name: &str, text: Option<&str>| match text {
            Some(text) => Some(Some(text.to_owned())),
            None => fields.is_null(name).then_some(None),
        };
        let none = fields.is_null("photos").then(Vec::new);
        Ok(Self {
            reference: member("reference", fields.text("reference", MAX_REFERENCE)?),
            address: member("address", fields.text("address", MAX_ADDRESS)?),
            style_prompt: member("style_prompt", fields.prompt("style_prompt", MAX_PROMPT)?),
            photos: photos(&fields)?.or(none),
        })
    }
}

fn photos(fields: &Fields<'_>) -> Result<Option<Vec<ListingPhoto>>, ValidationError> {
    let Some(entries) = fields.objects("photos", 0..=MAX_PHOTOS)? else { return Ok(None) };
    let mut known = BTreeMap::new();
    let mut photos = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let photo = photo(entry)?;
        if let Some(earlier) = photo.id.clone().and_then(|id| known.insert(id, at)) {
            return Err(entry.wrong("id", &format!("must not be that of `photos[{earlier}]`, too")));
        }
        photos.push(photo);
    }
    Ok(Some(photos))
}

fn photo(entry: &Fields<'_>) -> Result<ListingPhoto, ValidationError> {
    let image_url = entry.required_url("image_url")?;
    let is_link = ["http://", "https://"].iter().any(|scheme| starts_with(image_url.trim(), scheme));
    if !is_link && upload_of(image_url).is_none() {
        let what = format!("must be an HTTP or HTTPS URL, or {UPLOAD}ID of an upload");
        return Err(entry.wrong("image_url", &what));
    }
    Ok(ListingPhoto {
        id: entry.formed("id", is_photo_id, PHOTO_ID)?.map(|id| PhotoId(id.to_owned())),
        image_url: image_url.to_owned(),
        room_type: entry.formed("room_type", is_room_type, ROOM_TYPE)?.map(str::to_owned),
        empty: entry.boolean("empty")?.unwrap_or(false),
        title: entry.text("title", MAX_TITLE)?.map(str::to_owned),
    })
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

/// Returns true if a text is the identifier of a photo.
#[must_use]
pub fn is_photo_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(plain)
}

/// The upload that a link names.
fn upload_of(url: &str) -> Option<UploadId> {
    url.trim().strip_prefix(UPLOAD)?.parse().ok()
}

impl ListingPhoto {
    /// The upload that the photo is, if it is one.
    #[must_use]
    pub fn upload(&self) -> Option<UploadId> {
        upload_of(&self.image_url)
    }

    /// Its identifier; empty before it has one.
    #[must_use]
    pub fn id(&self) -> &str {
        self.id.as_ref().map_or("", |id| &id.0)
    }

    /// Whether it is to be staged: the photo of an empty room whose type is known.
    #[must_use]
    pub fn is_stageable(&self) -> bool {
        self.empty && self.room_type.is_some()
    }
}

/// Gives identifiers to the photos that have none.
pub fn identify(photos: &mut [ListingPhoto], now: Timestamp) {
    for photo in photos {
        photo.id.get_or_insert_with(|| PhotoId::new(now));
    }
}

impl PhotoId {
    fn new(now: Timestamp) -> Self {
        Self(ListingId::new(now).to_string())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(body: &Value) -> String {
        ListingRequest::from_body(body).unwrap_err().to_string()
    }

    #[test]
    fn a_listing_has_its_known_fields_and_may_be_empty() {
        let all = json!({
            "reference": "RX-1", "address": "1 Main St", "style_prompt": "oak,\nlight",
            "photos": [
                {"id": "a", "image_url": "https://example.com/a.jpg", "room_type": "kitchen", "empty": true, "title": "K"},
                {"image_url": "aerie:upload/01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27", "x": 1},
            ],
        });
        let request = ListingRequest::from_body(&all).unwrap();
        assert_eq!((request.photos.len(), request.photos[0].id(), request.photos[1].id()), (2, "a", ""));
        assert!(request.photos[0].is_stageable() && !request.photos[1].is_stageable());
        assert!(request.photos[0].upload().is_none() && request.photos[1].upload().is_some());
        assert_eq!(ListingRequest::from_body(&json!({"address": null})), Ok(ListingRequest::default()));
        let mut photos = request.photos;
        identify(&mut photos, Timestamp::UNIX_EPOCH);
        assert_eq!((photos[0].id(), photos[1].id().len()), ("a", 36));
    }

    #[test]
    fn a_change_replaces_the_members_that_it_names_and_null_removes_one() {
        let changes = ListingChanges::from_body(&json!({"address": null, "reference": "b", "photos": []})).unwrap();
        let expected = ListingChanges {
            address: Some(None),
            reference: Some(Some("b".into())),
            photos: Some(Vec::new()),
            ..ListingChanges::default()
        };
        assert_eq!(changes, expected);
        assert_eq!(ListingChanges::from_body(&json!({"photos": null})).unwrap().photos, Some(Vec::new()));
        assert_eq!(ListingChanges::from_body(&json!({"address": " "})), Ok(ListingChanges::default()));
    }

    #[test]
    fn a_wrong_photo_is_named_by_its_index() {
        let second = |photo: Value| wrong(&json!({"photos": [{"id": "a", "image_url": "https://a/1"}, photo]}));
        assert!(second(json!({})).starts_with("`photos[1].image_url` is required"));
        for url in ["ftp://a/b", "aerie:upload/", "aerie:upload/x", "a.jpg", "ä"] {
            let message = second(json!({"image_url": url}));
            assert!(
                message.starts_with("`photos[1].image_url` must be an HTTP or HTTPS URL, or aerie:upload/ID"),
                "{message}"
            );
        }
        let with = |name: &str, value: Value| second(json!({"image_url": "HTTPS://a/1", name: value}));
        assert_eq!(with("id", json!("a")), "`photos[1].id` must not be that of `photos[0]`, too");
        for id in [json!(""), json!("a b"), json!(1), json!("a".repeat(65))] {
            assert_eq!(with("id", id), "`photos[1].id` must be 1 to 64 letters, digits, hyphens or underscores");
        }
        for wrong in [json!("Kitchen"), json!("")] {
            assert!(with("room_type", wrong).starts_with("`photos[1].room_type` must be 1 to 64 lower-case letters"));
        }
        assert_eq!(with("empty", json!("yes")), "`photos[1].empty` must be true or false");
        let many: Value = (0..101).map(|_| json!({"image_url": "https://a/1"})).collect();
        assert_eq!(wrong(&json!({"photos": many})), "`photos` must be an array of 0 to 100 objects");
    }
}
