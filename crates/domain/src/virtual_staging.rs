//! Furnishing of an empty room: the request, which is also the job's payload.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::image_enhance::MAX_PROMPT;
use crate::{Fields, ValidationError};

/// Longest room type, in characters.
pub const MAX_ROOM_TYPE: usize = 64;

/// `POST /v1/virtual-staging/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VirtualStagingRequest {
    /// Publicly accessible HTTP or HTTPS image of an empty room.
    #[schema(
        min_length = 1,
        max_length = 2048,
        pattern = r"\S",
        format = "uri",
        example = "https://example.com/room.jpg"
    )]
    pub image_url: String,
    /// Room type: `living_room`, `bedroom`, `kitchen`, `bathroom`, `dining_room`, or another name of that form.
    #[schema(min_length = 1, max_length = 64, pattern = "^[a-z0-9_]{1,64}$", example = "living_room")]
    pub room_type: String,
    /// Options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<VirtualStagingOptions>,
}

/// Options of virtual staging.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VirtualStagingOptions {
    /// Custom style prompt.
    #[schema(max_length = 2000, example = "Scandinavian, light oak")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style_prompt: Option<String>,
    /// How many furnishings of the room to make, 1 when absent; an addition of ours.
    #[schema(minimum = 1, maximum = 4)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variations: Option<i64>,
}

impl VirtualStagingRequest {
    /// Reads a request's body.
    ///
    /// # Errors
    /// When a field is missing or not as it has to be.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let image_url = fields.required_url("image_url")?.to_owned();
        let room_type = fields.required_text("room_type", MAX_ROOM_TYPE)?;
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if !room_type.bytes().all(plain) {
            let message = "must be lower-case letters, digits and underscores alone, such as living_room";
            return Err(ValidationError::new("room_type", message));
        }
        let options = fields.options(|options| {
            Ok(VirtualStagingOptions {
                style_prompt: options.text("style_prompt", MAX_PROMPT)?.map(str::to_owned),
                variations: options.integer("variations", 1..=4)?,
            })
        })?;
        Ok(Self { image_url, room_type: room_type.to_owned(), options })
    }
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
            assert!(input(&body(json!(wrong))).unwrap_err().starts_with("`room_type` must be lower-case"), "{wrong}");
        }
        assert!(input(&body(json!("a".repeat(65)))).unwrap_err().contains("at most 64 characters"));
        for missing in [json!(null), json!("  ")] {
            assert!(input(&body(missing)).unwrap_err().starts_with("`room_type` is required"));
        }
        assert!(input(&body(json!(3))).unwrap_err().starts_with("`room_type` must be a string"));
    }

    #[test]
    fn variations_are_one_to_four() {
        for (variations, good) in [(json!(1), true), (json!(4), true), (json!(0), false), (json!(5), false)] {
            let body = json!({"image_url": "u", "room_type": "bedroom", "options": {"variations": variations}});
            assert_eq!(input(&body).is_ok(), good, "{body}");
        }
    }
}
