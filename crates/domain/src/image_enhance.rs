//! Enhancement of a photo: the request, which is also the job's payload.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{Fields, ValidationError};

/// Longest prompt, in characters.
pub const MAX_PROMPT: usize = 2000;

/// Longest name of a listing, in characters.
const MAX_LISTING: usize = 128;

/// `POST /v1/image-enhance/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImageEnhanceRequest {
    /// Publicly accessible HTTP or HTTPS image URL.
    #[schema(
        min_length = 1,
        max_length = 2048,
        pattern = r"\S",
        format = "uri",
        example = "https://example.com/photo.jpg"
    )]
    pub image_url: String,
    /// Options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<ImageEnhanceOptions>,
}

/// Options of image enhancement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImageEnhanceOptions {
    /// Custom enhancement prompt.
    #[schema(max_length = 2000, example = "brighter, straight verticals")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Look to start from, `natural` when absent; an addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<EnhancePreset>,
    /// The listing that the photo belongs to, by any name of the client's: its photos get a common white balance and
    /// exposure, as far as each allows; an addition of ours.
    #[schema(min_length = 1, max_length = 128, pattern = r"\S", example = "listing-4711")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listing_id: Option<String>,
}

/// Looks to start from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnhancePreset {
    /// What was there, well exposed.
    #[default]
    Natural,
    /// A third of a stop lighter.
    Bright,
    /// White kept a little warm.
    Warm,
}

impl EnhancePreset {
    /// Every preset, with its name in the contract and on the command line.
    pub const ALL: [(&str, EnhancePreset); 3] =
        [("natural", EnhancePreset::Natural), ("bright", EnhancePreset::Bright), ("warm", EnhancePreset::Warm)];
}

impl ImageEnhanceRequest {
    /// Reads a request's body.
    ///
    /// # Errors
    /// When a field is missing or not as it has to be.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let image_url = fields.required_url("image_url")?.to_owned();
        let options = fields.options(|options| {
            Ok(ImageEnhanceOptions {
                prompt: options.text("prompt", MAX_PROMPT)?.map(str::to_owned),
                preset: options.choice("preset", &EnhancePreset::ALL)?,
                listing_id: options.text("listing_id", MAX_LISTING)?.map(str::to_owned),
            })
        })?;
        Ok(Self { image_url, options })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn input(body: &Value) -> Result<Value, String> {
        let request = ImageEnhanceRequest::from_body(body).map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(request).unwrap())
    }

    #[test]
    fn a_request_becomes_its_known_fields_with_no_default_filled_in() {
        let cases = [
            (json!({"image_url": "u", "x": 1}), json!({"image_url": "u"})),
            (json!({"image_url": "u", "options": {"prompt": " "}}), json!({"image_url": "u", "options": {}})),
            (
                json!({"image_url": "u", "options": {"prompt": "warm", "y": 2}}),
                json!({"image_url": "u", "options": {"prompt": "warm"}}),
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(input(&body), Ok(expected));
        }
    }

    #[test]
    fn a_url_that_is_missing_blank_too_long_or_no_text_is_refused_by_name() {
        for body in [json!({}), json!({"image_url": null}), json!({"image_url": " "})] {
            assert!(input(&body).unwrap_err().starts_with("`image_url` is required"), "{body}");
        }
        assert!(input(&json!({"image_url": ["u"]})).unwrap_err().starts_with("`image_url` must be a string"));
        assert!(input(&json!({"image_url": "u".repeat(2048)})).is_ok());
        let error = input(&json!({"image_url": "u".repeat(2049)})).unwrap_err();
        assert_eq!(error, "`image_url` must be at most 2048 characters long");
    }

    #[test]
    fn a_preset_is_one_of_those_that_are_named() {
        let body = |preset: &str| json!({"image_url": "u", "options": {"preset": preset}});
        for (name, preset) in EnhancePreset::ALL {
            assert_eq!(input(&body(name)), Ok(body(name)));
            assert_eq!(serde_json::to_value(preset).unwrap(), name);
        }
        assert_eq!(input(&body("hdr")).unwrap_err(), "`options.preset` must be one of natural, bright, warm");
    }

    #[test]
    fn a_prompt_is_at_most_two_thousand_characters() {
        let body = |length: usize| json!({"image_url": "u", "options": {"prompt": "é".repeat(length)}});
        assert!(input(&body(2000)).is_ok());
        assert_eq!(input(&body(2001)).unwrap_err(), "`options.prompt` must be at most 2000 characters long");
    }
}
