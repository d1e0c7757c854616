//! Markup: top-down pictures of a property to mark its boundary on, and the requests of the steps that follow.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fields::MAX_ADDRESS;
use crate::kind::{JobRequest, Kind, Medium, Speed};
#[cfg(feature = "openapi")]
use crate::openapi::{Endpoint, Presence, RequestSchema};
use crate::{Fields, Needs, ValidationError};

/// Maximum length of an orientation key, characters. Every variant's key is shorter.
const MAX_ORIENTATION: usize = 64;

/// Corners of a polygon.
const CORNERS: std::ops::RangeInclusive<usize> = 3..=200;

/// Keys of the orientation variants, in the order of the output: the edge of the picture at which the street front lies.
pub const ORIENTATIONS: [&str; 4] = ["bottom", "left", "top", "right"];

/// `POST /v1/markup/generate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkupRequest {
    /// Full property address.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 500, pattern = r"\S", example = "Dorfstrasse 24, 9495 Triesen")
    )]
    pub address: String,
    /// Additional options, kept as sent. At most 8 KiB.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<MarkupOptions>))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
}

/// `POST /v1/markup/jobs/{jobId}/select`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SelectRequest {
    /// The key of one of the job's orientation variants.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 64, pattern = r"\S", example = "bottom"))]
    pub orientation: String,
}

/// `POST /v1/markup/jobs/{jobId}/annotate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnnotateRequest {
    /// Boundary-annotated image.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 2048,
            pattern = r"\S",
            format = "uri",
            example = "https://example.com/marked.png"
        )
    )]
    pub annotated_image_url: String,
    /// Unannotated image.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 2048,
            pattern = r"\S",
            format = "uri",
            example = "https://example.com/clean.png"
        )
    )]
    pub clean_image_url: String,
    /// The boundary itself, where a program has drawn it: 3 to 200 corners `[x, y]` in pixels of the clean image, in the order of a walk around
    /// the area. It is measured as it is, in place of what is drawn on the annotated image. An Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_items = 3, max_items = 200, example = json!([[680, 700], [1380, 700], [1380, 1300], [680, 1300]]))
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotated_polygon: Option<Vec<[f64; 2]>>,
}

/// The kind.
pub(super) const KIND: Kind = Kind {
    event_type: "markup.generate",
    default_price_cents: 1000,
    speed: Speed::Long,
    medium: Medium::Still,
    has_preview: false,
    accepts_layers: false,
    asks_for_input: true,
    needs: Needs { maps: true, graphics: true, ..Needs::NOTHING },
    #[cfg(feature = "openapi")]
    endpoint: Endpoint {
        path: "/v1/markup/generate",
        tag: "Markup",
        summary: "Submit a markup",
        description: "Makes top-down pictures of a property in four orientations: select one and draw the boundary on it. Poll \
                      until `awaiting_input`.",
        body: Presence::Required,
        schema: RequestSchema::of::<MarkupRequest>(),
    },
    parent: None,
};

impl JobRequest for MarkupRequest {
    fn address(&self) -> Option<&str> {
        Some(&self.address)
    }

    fn listing_id(&self) -> Option<&str> {
        self.options.as_ref()?.get("listing_id")?.as_str()
    }
}

impl MarkupRequest {
    /// Reads a request body. The address is kept as it was sent.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let address = fields.required_text("address", MAX_ADDRESS)?.to_owned();
        let options = fields.kept_object("options")?.cloned();
        fields.options(MarkupOptions::read)?;
        Ok(Self { address, options })
    }

    /// The known options.
    #[must_use]
    pub fn known_options(&self) -> MarkupOptions {
        let options = self.options.as_ref().map(Fields::of_options);
        options.and_then(|options| MarkupOptions::read(&options).ok()).unwrap_or_default()
    }
}

/// Known options of a markup. Others are kept and ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(default))]
pub struct MarkupOptions {
    /// Whether to draw a north arrow. Defaults to `false`.
    pub north_arrow: Option<bool>,
    /// Whether to draw a scale bar. Defaults to `false`.
    pub scale_bar: Option<bool>,
}

impl MarkupOptions {
    fn read(options: &Fields<'_>) -> Result<Self, ValidationError> {
        Ok(Self { north_arrow: options.boolean("north_arrow")?, scale_bar: options.boolean("scale_bar")? })
    }
}

impl SelectRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let orientation = Fields::of_body(body)?.required_text("orientation", MAX_ORIENTATION)?.to_owned();
        Ok(Self { orientation })
    }
}

impl AnnotateRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let annotated_image_url = fields.required_url("annotated_image_url")?.to_owned();
        let clean_image_url = fields.required_url("clean_image_url")?.to_owned();
        let annotated_polygon = fields.points("annotated_polygon", CORNERS)?;
        Ok(Self { annotated_image_url, clean_image_url, annotated_polygon })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_are_kept_as_sent_up_to_eight_kibibytes() {
        let options = json!({"zoom": null, "nested": {"a": [1, 2.50, "x"]}, "speed": 5.0});
        let body = json!({"address": "a", "options": options, "other": 1});
        let request = MarkupRequest::from_body(&body).unwrap();
        assert_eq!(serde_json::to_value(&request).unwrap(), json!({"address": "a", "options": options}));

        // {"k":"…"} is eight bytes and the text.
        let sized = |size: usize| json!({"options": {"k": "x".repeat(size - 8)}, "address": "a"});
        assert!(MarkupRequest::from_body(&sized(8192)).is_ok());
        let error = MarkupRequest::from_body(&sized(8193)).unwrap_err();
        assert_eq!(error.to_string(), "`options` must be at most 8192 bytes of JSON");
    }

    #[test]
    fn known_options_are_read_and_checked_and_others_are_kept() {
        let body = json!({"address": "a", "options": {"north_arrow": true, "scale_bar": null, "north": 7}});
        let known = MarkupRequest::from_body(&body).unwrap().known_options();
        assert_eq!(known, MarkupOptions { north_arrow: Some(true), scale_bar: None });
        let wrong = json!({"address": "a", "options": {"scale_bar": "yes"}});
        assert_eq!(
            MarkupRequest::from_body(&wrong).unwrap_err().to_string(),
            "`options.scale_bar` must be true or false"
        );
    }

    #[test]
    fn an_error_names_the_missing_or_invalid_field() {
        for (message, part) in [
            (MarkupRequest::from_body(&json!({})).unwrap_err(), "`address` is required"),
            (MarkupRequest::from_body(&json!({"address": "a", "options": []})).unwrap_err(), "`options` must be an"),
            (SelectRequest::from_body(&json!({"orientation": " "})).unwrap_err(), "`orientation` is required"),
            (SelectRequest::from_body(&json!({"orientation": 1})).unwrap_err(), "`orientation` must be a string"),
            (AnnotateRequest::from_body(&json!({"clean_image_url": "u"})).unwrap_err(), "`annotated_image_url` is"),
            (AnnotateRequest::from_body(&json!({"annotated_image_url": "u"})).unwrap_err(), "`clean_image_url` is"),
        ] {
            assert!(message.to_string().starts_with(part), "{message}");
        }
    }
}
