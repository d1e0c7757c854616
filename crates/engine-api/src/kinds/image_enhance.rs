//! Image enhancement: a photo in better light. The request is also the job's payload.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kind::{JobRequest, Kind, Labels, Medium, Speed};
#[cfg(feature = "openapi")]
use crate::openapi::{Endpoint, Presence, RequestSchema};
use crate::photo::{MAX_PROFILE, MAX_PROMPT, label};
use crate::{Fields, Needs, PhotoFormat, PictureLink, ValidationError};

/// Maximum length of a listing's identifier, characters.
const MAX_LISTING: usize = 128;

/// Allowed limits of the longer side, pixels. WebP allows no more.
const MAX_SIZE: RangeInclusive<i64> = 64..=16_383;

/// Allowed number of further exposures.
const EXPOSURES: RangeInclusive<usize> = 1..=8;

/// A preset of earlier versions, and why it was withdrawn.
const WITHDRAWN: &str = "twilight";
const WHY_WITHDRAWN: &str = "can no longer be twilight: turning day into dusk did not give results that were good enough to \
                             publish. Use a photo that was taken at dusk, or one of natural, bright, warm, blue_sky";

/// `POST /v1/image-enhance/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImageEnhanceRequest {
    /// Publicly accessible HTTP or HTTPS image URL.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 2048,
            pattern = r"\S",
            format = "uri",
            example = "https://example.com/photo.jpg"
        )
    )]
    pub image_url: String,
    /// Options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<ImageEnhanceOptions>,
}

/// Options of image enhancement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImageEnhanceOptions {
    /// Custom enhancement prompt.
    #[cfg_attr(feature = "openapi", schema(max_length = 2000, example = "brighter, straight verticals"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Look to start from. Defaults to `natural`. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<EnhancePreset>,
    /// Your identifier of the listing that the photo belongs to. Photos of one listing get a common white balance and
    /// exposure as far as each photo allows. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 128, pattern = r"\S", example = "listing-4711")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listing_id: Option<String>,
    /// File format. Defaults to `jpeg`. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<PhotoFormat>,
    /// Maximum length of the longer side, pixels. A larger photo is scaled down, a smaller one is never scaled up.
    /// Defaults to the size of the photo. Aerie extension.
    #[cfg_attr(feature = "openapi", schema(minimum = 64, maximum = 16_383))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_size: Option<i64>,
    /// One line of text in a strip at the bottom of the photo, as some listing services require. May contain Latin, Greek
    /// and Cyrillic letters, digits and punctuation. Defaults to none. Aerie extension.
    #[cfg_attr(feature = "openapi", schema(max_length = 80, example = "Digitally altered"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether to make `mls_url`, too: a JPEG whose longer side has at most 2048 pixels, the size for listing services (MLS). Defaults
    /// to false. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mls: Option<bool>,
    /// Name of the disclosure profile to follow (`GET /v1/disclosure-profiles`): label, caption text, truth page and file names follow from
    /// it. Defaults to that of the organization. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 64, pattern = r"\S", example = "california-ab-723")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disclosure_profile: Option<String>,
    /// The label that the profile asks for in photos that were altered; set by the service.
    #[cfg_attr(feature = "openapi", schema(ignore))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_if_altered: Option<String>,
    /// Publicly accessible HTTP or HTTPS URLs of further exposures of the same view, darker or lighter than `image_url`. They are
    /// aligned with it and merged into one photo before it is enhanced, so that windows and shadows keep their detail; what moved
    /// between the shots is taken from `image_url`. `exposures` in the output returns what was merged. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_items = 1, max_items = 8, example = json!(["https://example.com/darker.jpg", "https://example.com/lighter.jpg"]))
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposures: Option<Vec<ExposureUrl>>,
}

/// Publicly accessible HTTP or HTTPS URL of a further exposure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
#[cfg_attr(
    feature = "openapi",
    schema(
        min_length = 1,
        max_length = 2048,
        pattern = r"\S",
        format = "uri",
        example = "https://example.com/darker.jpg"
    )
)]
pub struct ExposureUrl(pub String);

/// Look to start from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EnhancePreset {
    /// The scene as it was, well exposed.
    #[default]
    Natural,
    /// A third of a stop lighter.
    Bright,
    /// Slightly warm white balance.
    Warm,
    /// A clear sky in place of the photo's; disclosed as an alteration.
    BlueSky,
}

/// The kind.
pub(super) const KIND: Kind = Kind {
    event_type: "image_enhance.generate",
    default_price_cents: 100,
    speed: Speed::Quick,
    medium: Medium::Still,
    has_preview: false,
    accepts_layers: false,
    asks_for_input: false,
    needs: Needs::NOTHING,
    #[cfg(feature = "openapi")]
    endpoint: Endpoint {
        path: "/v1/image-enhance/generate",
        tag: "Image enhancement",
        summary: "Submit an image enhancement",
        description: "Enhances a property photo, or with `options.exposures` one that is merged from several exposures. The images are \
                      fetched before the response; their URLs may expire afterwards.",
        body: Presence::Required,
        schema: RequestSchema::of::<ImageEnhanceRequest>(),
    },
    parent: None,
};

impl EnhancePreset {
    /// Every preset with its name in the API and on the command line.
    pub const ALL: [(&str, EnhancePreset); 4] = [
        ("natural", EnhancePreset::Natural),
        ("bright", EnhancePreset::Bright),
        ("warm", EnhancePreset::Warm),
        ("blue_sky", EnhancePreset::BlueSky),
    ];

    fn read(options: &Fields<'_>) -> Result<Option<Self>, ValidationError> {
        let is_withdrawn = options.text("preset", WITHDRAWN.len()).is_ok_and(|name| name == Some(WITHDRAWN));
        options
            .choice("preset", &Self::ALL)
            .map_err(|error| if is_withdrawn { options.wrong("preset", WHY_WITHDRAWN) } else { error })
    }
}

impl JobRequest for ImageEnhanceRequest {
    fn listing_id(&self) -> Option<&str> {
        self.options.as_ref()?.listing_id.as_deref()
    }

    fn pictures(&self) -> Vec<PictureLink> {
        let exposures = self.options.iter().flat_map(|options| &options.exposures).flatten().enumerate();
        let exposures = exposures.map(|(at, url)| PictureLink::new(format!("options/exposures/{at}"), &url.0));
        std::iter::once(PictureLink::new("image_url", &self.image_url)).chain(exposures).collect()
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
        options.label_if_altered = labels.if_altered.filter(|_| options.label.is_none());
    }
}

impl ImageEnhanceRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let image_url = fields.required_url("image_url")?.to_owned();
        Ok(Self { image_url, options: fields.options(ImageEnhanceOptions::read)? })
    }

    /// Number of exposures beside `image_url`.
    #[must_use]
    pub fn further_exposures(&self) -> usize {
        self.options.as_ref().and_then(|options| options.exposures.as_ref()).map_or(0, Vec::len)
    }
}

impl ImageEnhanceOptions {
    /// Reads the object `options` of a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn read(options: &Fields<'_>) -> Result<Self, ValidationError> {
        Ok(Self {
            prompt: options.prompt("prompt", MAX_PROMPT)?.map(str::to_owned),
            preset: EnhancePreset::read(options)?,
            listing_id: options.text("listing_id", MAX_LISTING)?.map(str::to_owned),
            format: options.choice("format", &PhotoFormat::ALL)?,
            max_size: options.integer("max_size", MAX_SIZE)?,
            label: label(options)?,
            mls: options.boolean("mls")?,
            disclosure_profile: options.text("disclosure_profile", MAX_PROFILE)?.map(str::to_owned),
            label_if_altered: None,
            exposures: options
                .urls("exposures", EXPOSURES)?
                .map(|urls| urls.into_iter().map(|url| ExposureUrl(url.to_owned())).collect()),
        })
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
        assert_eq!(input(&body("hdr")).unwrap_err(), "`options.preset` must be one of natural, bright, warm, blue_sky");
    }

    #[test]
    fn the_withdrawn_preset_is_refused_with_the_reason_and_the_presets_that_are_left() {
        let error = input(&json!({"image_url": "u", "options": {"preset": "twilight"}})).unwrap_err();
        assert!(error.starts_with("`options.preset` can no longer be twilight: "), "{error}");
        assert!(EnhancePreset::ALL.iter().all(|(name, _)| error.contains(name)), "{error}");
    }

    #[test]
    fn exposures_are_kept_in_order_and_a_wrong_one_is_named_by_its_index() {
        let body = |exposures: Value| json!({"image_url": "u", "options": {"exposures": exposures}});
        assert_eq!(input(&body(json!(["a", "b"]))), Ok(body(json!(["a", "b"]))));
        assert_eq!(input(&body(Value::Null)), Ok(json!({"image_url": "u", "options": {}})));
        for wrong in [json!([]), json!("a"), json!({}), json!(vec!["a"; 9])] {
            assert_eq!(input(&body(wrong)).unwrap_err(), "`options.exposures` must be an array of 1 to 8 URLs");
        }
        assert!(input(&body(json!(vec!["a"; 8]))).is_ok());
        let third = |third: Value| input(&body(json!(["a", "b", third]))).unwrap_err();
        assert_eq!(third(json!(1)), "`options.exposures[2]` must be a string");
        assert_eq!(third(Value::Null), "`options.exposures[2]` must be a string");
        assert!(third(json!(" ")).starts_with("`options.exposures[2]` is required: an HTTP or HTTPS URL"));
        assert!(
            third(json!("a\nb")).starts_with("`options.exposures[2]` must be one line"),
            "{}",
            third(json!("a\nb"))
        );
        assert_eq!(third(json!("u".repeat(2049))), "`options.exposures[2]` must be at most 2048 characters long");
    }

    #[test]
    fn a_prompt_is_at_most_two_thousand_characters() {
        let body = |length: usize| json!({"image_url": "u", "options": {"prompt": "é".repeat(length)}});
        assert!(input(&body(2000)).is_ok());
        assert_eq!(input(&body(2001)).unwrap_err(), "`options.prompt` must be at most 2000 characters long");
    }

    #[test]
    fn the_file_is_made_as_asked_for_or_the_option_is_named() {
        let body = |options: Value| json!({"image_url": "u", "options": options});
        let good = json!({"format": "webp", "max_size": 2048, "label": "Digitally altered – 2026"});
        assert_eq!(input(&body(good.clone())), Ok(body(good)));
        assert_eq!(input(&body(json!({"max_size": 64.0, "label": " "}))), Ok(body(json!({"max_size": 64}))));
        let refused = [
            (json!({"format": "gif"}), "`options.format` must be one of jpeg, png, webp"),
            (json!({"max_size": 63}), "`options.max_size` must be an integer from 64 to 16383"),
            (json!({"max_size": "2048"}), "`options.max_size` must be an integer from 64 to 16383"),
            (json!({"label": true}), "`options.label` must be a string"),
            (json!({"label": "é".repeat(81)}), "`options.label` must be at most 80 characters long"),
        ];
        for (options, message) in refused {
            assert_eq!(input(&body(options)).unwrap_err(), message);
        }
        for (label, must_be) in [
            ("假", "one line of Latin"),
            ("🏠", "one line of Latin"),
            ("two\nlines", "one line without control characters"),
            ("a\u{202e}b", "one line without control characters"),
        ] {
            let error = input(&body(json!({"label": label}))).unwrap_err();
            assert!(error.starts_with(&format!("`options.label` must be {must_be}")), "{error}");
        }
    }
}
