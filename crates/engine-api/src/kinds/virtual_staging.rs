//! Virtual staging: furniture for the photo of an empty room. The request is also the job's payload.

pub mod arrangement;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::arrangement::PlacedPiece;
use crate::kind::{JobRequest, Kind, Labels, Medium, Speed};
#[cfg(feature = "openapi")]
use crate::openapi::{Endpoint, Presence, RequestSchema};
use crate::photo::{MAX_PROFILE, MAX_PROMPT, label};
use crate::{Fields, Needs, PhotoFormat, PictureLink, ValidationError};

/// Maximum length of a room type, characters.
pub const MAX_ROOM_TYPE: usize = 64;
/// Maximum length of a client's name for a room, characters.
pub const MAX_ROOM_ID: usize = 64;

/// Output fields of each variation's files: picture, mask, layers.
pub const VARIATIONS: [[&str; 3]; 4] = [
    ["variations/0/image_url", "variations/0/mask_url", "variations/0/layers_url"],
    ["variations/1/image_url", "variations/1/mask_url", "variations/1/layers_url"],
    ["variations/2/image_url", "variations/2/mask_url", "variations/2/layers_url"],
    ["variations/3/image_url", "variations/3/mask_url", "variations/3/layers_url"],
];

/// `POST /v1/virtual-staging/generate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VirtualStagingRequest {
    /// Publicly accessible HTTP or HTTPS image of an empty room.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 2048,
            pattern = r"\S",
            format = "uri",
            example = "https://example.com/room.jpg"
        )
    )]
    pub image_url: String,
    /// Room type: `living_room`, `bedroom`, `kitchen`, `bathroom`, `dining_room`, or another name of that form.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 64, pattern = "^[a-z0-9_]{1,64}$", example = "living_room")
    )]
    pub room_type: String,
    /// Options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<VirtualStagingOptions>,
}

/// Options of virtual staging.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VirtualStagingOptions {
    /// Custom style prompt.
    #[cfg_attr(feature = "openapi", schema(max_length = 2000, example = "Scandinavian, light oak"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style_prompt: Option<String>,
    /// Number of different furnishings to make. Defaults to 1. Aerie extension.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 4))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variations: Option<i64>,
    /// Random seed: the same seed gives the same furnishing. Defaults to 1. Aerie extension.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 4_294_967_295_i64))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Effort spent on the picture. Defaults to `final`. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<StagingQuality>,
    /// File format. Defaults to `jpeg`. In `png`, every pixel outside the mask equals the photo's. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<PhotoFormat>,
    /// One line of text in a strip at the bottom of the picture. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 80, pattern = r"\S", example = "Virtually staged")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Name of the disclosure profile to follow (`GET /v1/disclosure-profiles`): label, caption text, truth page and file names follow from
    /// it. Defaults to that of the organization. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 64, pattern = r"\S", example = "california-ab-723")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disclosure_profile: Option<String>,
    /// Outline of the bare floor, `[x, y]` in pixels of the photo, for rooms that are not recognized. Aerie extension.
    #[cfg_attr(feature = "openapi", schema(min_items = 3, max_items = 16))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_polygon: Option<Vec<[f64; 2]>>,
    /// The points where walls meet the floor, from left to right, `[x, y]` in pixels of the photo, in place of `floor_polygon`. Aerie
    /// extension.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 16))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_corners: Option<Vec<[f64; 2]>>,
    /// Whether the room is known to be empty: doubtful objects do not stop the job then, clear furniture does. Recorded in
    /// `disclosure`. Defaults to false. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_is_empty: Option<bool>,
    /// A known length on the floor, which sets the scale of the furniture. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_length: Option<KnownLength>,
    /// The furniture and its places, in place of an arrangement of Aerie's own: `furniture` of a job's output, with pieces moved,
    /// swapped, recolored, added or removed. For the same picture otherwise, give `style_prompt` and `seed` of that job, too. Aerie
    /// extension.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 60))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrangement: Option<Vec<PlacedPiece>>,
    /// Your name for the room, for several photos of it; returned as `view.room_id`. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 64, pattern = r"\S", example = "flat-12-living-room")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_id: Option<String>,
    /// Photo of the same room that was furnished before with the same options: its furniture is shown at the same places, if the photos
    /// can be registered. `view` returns whether they were. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 2048,
            pattern = r"\S",
            format = "uri",
            example = "https://example.com/room-from-the-door.jpg"
        )
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_view_url: Option<String>,
    /// Whether to make `mls_url`, too: a JPEG whose longer side has at most 2048 pixels, the size for listing services (MLS); with
    /// several variations, of the first. Defaults to false. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mls: Option<bool>,
}

/// Two points on the floor and the distance between them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KnownLength {
    /// `[x, y]` in pixels of the photo.
    pub from: [f64; 2],
    /// `[x, y]` in pixels of the photo.
    pub to: [f64; 2],
    /// Distance in meters.
    #[cfg_attr(feature = "openapi", schema(minimum = 0.1, maximum = 30))]
    pub meters: f64,
}

/// The kind.
pub(super) const KIND: Kind = Kind {
    event_type: "virtual_staging.generate",
    default_price_cents: 800,
    speed: Speed::Quick,
    medium: Medium::Still,
    has_preview: false,
    accepts_layers: false,
    asks_for_input: false,
    needs: Needs { furniture: true, ..Needs::NOTHING },
    #[cfg(feature = "openapi")]
    endpoint: Endpoint {
        path: "/v1/virtual-staging/generate",
        tag: "Virtual staging",
        summary: "Submit a virtual staging",
        description: "Furnishes the photo of an empty room. The image is fetched before the response; its URL may expire afterwards.",
        body: Presence::Required,
        schema: RequestSchema::of::<VirtualStagingRequest>(),
    },
    parent: None,
};

/// Effort spent on a staged picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StagingQuality {
    /// A preview, in seconds.
    Draft,
    /// For publication.
    #[default]
    Final,
}

impl StagingQuality {
    /// Every quality with its name in the API and on the command line.
    pub const ALL: [(&str, StagingQuality); 2] = [("draft", StagingQuality::Draft), ("final", StagingQuality::Final)];
}

impl VirtualStagingRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let image_url = fields.required_url("image_url")?.to_owned();
        let room_type = fields.required_text("room_type", MAX_ROOM_TYPE)?;
        if !is_room_type(room_type) {
            let message = "must consist of lower-case letters, digits and underscores, such as living_room";
            return Err(ValidationError::new("room_type", message));
        }
        let options = fields.options(VirtualStagingOptions::read)?;
        Ok(Self { image_url, room_type: room_type.to_owned(), options })
    }
}

impl JobRequest for VirtualStagingRequest {
    fn pictures(&self) -> Vec<PictureLink> {
        let first_view = self.options.as_ref().and_then(|options| options.first_view_url.as_deref());
        let first_view = first_view.map(|url| PictureLink::new("options/first_view_url", url));
        std::iter::once(PictureLink::new("image_url", &self.image_url)).chain(first_view).collect()
    }

    fn label(&self) -> Option<&str> {
        self.options.as_ref()?.label.as_deref()
    }

    fn disclosure_profile(&self) -> Option<&str> {
        self.options.as_ref()?.disclosure_profile.as_deref()
    }

    fn follow_profile(&mut self, labels: Labels) {
        let options = self.options.get_or_insert_default();
        options.disclosure_profile = Some(labels.profile);
        options.label = options.label.take().or(labels.if_staged);
    }
}

impl VirtualStagingOptions {
    /// Reads the object `options` of a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn read(options: &Fields<'_>) -> Result<Self, ValidationError> {
        let arrangement = arrangement::arrangement(options)?;
        if arrangement.is_some() && options.integer("variations", 1..=4)?.is_some_and(|count| count > 1) {
            let message = "must be 1 together with `options.arrangement`, which leaves nothing to vary";
            return Err(options.wrong("variations", message));
        }
        Ok(Self {
            style_prompt: options.prompt("style_prompt", MAX_PROMPT)?.map(str::to_owned),
            variations: options.integer("variations", 1..=4)?,
            seed: options.integer("seed", 0..=i64::from(u32::MAX))?,
            quality: options.choice("quality", &StagingQuality::ALL)?,
            format: options.choice("format", &PhotoFormat::ALL)?,
            label: label(options)?,
            disclosure_profile: options.text("disclosure_profile", MAX_PROFILE)?.map(str::to_owned),
            floor_polygon: options.points("floor_polygon", 3..=16)?,
            room_corners: room_corners(options)?,
            room_is_empty: options.boolean("room_is_empty")?,
            known_length: options.object("known_length")?.as_ref().map(known_length).transpose()?,
            arrangement,
            room_id: options.text("room_id", MAX_ROOM_ID)?.map(str::to_owned),
            first_view_url: options.url("first_view_url")?.map(str::to_owned),
            mls: options.boolean("mls")?,
        })
    }
}

/// Returns true if a text is a room type.
#[must_use]
pub fn is_room_type(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=MAX_ROOM_TYPE).contains(&text.len()) && text.bytes().all(plain)
}

/// Allowed lengths, meters.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.1..=30.0;

/// Reads `room_corners`, which says the same as `floor_polygon` and excludes it.
fn room_corners(options: &Fields<'_>) -> Result<Option<Vec<[f64; 2]>>, ValidationError> {
    let corners = options.points("room_corners", 2..=16)?;
    if corners.is_some() && options.points("floor_polygon", 3..=16)?.is_some() {
        let message = "must not be given together with `options.floor_polygon`: one of them describes the floor";
        return Err(options.wrong("room_corners", message));
    }
    Ok(corners)
}

fn known_length(fields: &Fields<'_>) -> Result<KnownLength, ValidationError> {
    let point =
        |name: &str| fields.point(name)?.ok_or_else(|| fields.missing(name, "a point [x, y] in pixels of the photo"));
    // `metres` is the name of earlier builds.
    let meters = match fields.number("meters", LENGTHS)? {
        None => fields.number("metres", LENGTHS)?,
        meters => meters,
    };
    let meters = meters.ok_or_else(|| fields.missing("meters", "a number from 0.1 to 30"))?;
    Ok(KnownLength { from: point("from")?, to: point("to")?, meters })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn input(body: &Value) -> Result<Value, String> {
        let request = VirtualStagingRequest::from_body(body).map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(request).unwrap())
    }

    #[test]
    fn a_request_becomes_its_known_fields_with_no_default_filled_in() {
        let body = json!({"image_url": "u", "room_type": "attic_2", "z": 1, "options": {"variations": 2.0, "z": 1}});
        let expected = json!({"image_url": "u", "room_type": "attic_2", "options": {"variations": 2}});
        assert_eq!(input(&body), Ok(expected));
    }

    #[test]
    fn room_types_are_an_open_set_of_plain_names() {
        let body = |room_type: Value| json!({"image_url": "u", "room_type": room_type});
        for good in ["living_room", "wine_cellar", "0", &"a".repeat(64)] {
            assert!(input(&body(json!(good))).is_ok(), "{good}");
        }
        for wrong in ["Bedroom", "living room", "küche", "a-b", "bedroom "] {
            assert!(
                input(&body(json!(wrong))).unwrap_err().starts_with("`room_type` must consist of lower-case"),
                "{wrong}"
            );
        }
        assert!(input(&body(json!("a".repeat(65)))).unwrap_err().contains("at most 64 characters"));
        for missing in [json!(null), json!("  ")] {
            assert!(input(&body(missing)).unwrap_err().starts_with("`room_type` is required"));
        }
        assert!(input(&body(json!(3))).unwrap_err().starts_with("`room_type` must be a string"));
    }

    #[test]
    fn hints_about_the_room_are_kept_and_errors_name_their_path() {
        let body = |options: Value| json!({"image_url": "u", "room_type": "bedroom", "options": options});
        let good = json!({
            "seed": 7, "quality": "draft", "format": "png", "label": "Virtually staged",
            "floor_polygon": [[0.5, 600.0], [400.0, 380.0], [900.0, 610.0]],
            "known_length": {"from": [10.0, 500.0], "to": [300.0, 520.0], "meters": 2.4},
        });
        assert_eq!(input(&body(good.clone())), Ok(body(good)));
        let wrong = |options: Value| input(&body(options)).unwrap_err();
        assert!(
            wrong(json!({"floor_polygon": [[1, 2], [3, 4]]}))
                .starts_with("`options.floor_polygon` must be a list of 3 to 16")
        );
        assert!(wrong(json!({"floor_polygon": [[1, 2], [3, 4], [5]]})).starts_with("`options.floor_polygon` must be"));
        assert!(
            wrong(json!({"known_length": {"from": [1, 2], "meters": 2}}))
                .starts_with("`options.known_length.to` is required")
        );
        let error = wrong(json!({"known_length": {"from": [1, 2], "to": [3, 4], "meters": 0}}));
        assert_eq!(error, "`options.known_length.meters` must be a number from 0.1 to 30");
        let earlier = json!({"known_length": {"from": [1.0, 2.0], "to": [3.0, 4.0], "metres": 2.4}});
        let now = json!({"known_length": {"from": [1.0, 2.0], "to": [3.0, 4.0], "meters": 2.4}});
        assert_eq!(input(&body(earlier)), Ok(body(now)));
        assert_eq!(wrong(json!({"quality": "best"})), "`options.quality` must be one of draft, final");
        assert_eq!(wrong(json!({"format": "gif"})), "`options.format` must be one of jpeg, png, webp");
        let corners = json!({"room_corners": [[0.0, 500.0], [300.0, 400.0]], "room_is_empty": true});
        assert_eq!(input(&body(corners.clone())), Ok(body(corners)));
        assert!(
            wrong(json!({"room_corners": [[1, 2]]})).starts_with("`options.room_corners` must be a list of 2 to 16")
        );
        assert!(wrong(json!({"room_is_empty": "yes"})).starts_with("`options.room_is_empty` must be"));
        let both = json!({"room_corners": [[1, 2], [3, 4]], "floor_polygon": [[1, 2], [3, 4], [5, 6]]});
        assert!(wrong(both).starts_with("`options.room_corners` must not be given together"));
        assert!(wrong(json!({"seed": -1})).starts_with("`options.seed` must be an integer from 0"));
    }

    #[test]
    fn variations_are_one_to_four() {
        for (variations, good) in [(json!(1), true), (json!(4), true), (json!(0), false), (json!(5), false)] {
            let body = json!({"image_url": "u", "room_type": "bedroom", "options": {"variations": variations}});
            assert_eq!(input(&body).is_ok(), good, "{body}");
        }
    }
}
