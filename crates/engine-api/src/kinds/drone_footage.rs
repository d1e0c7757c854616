//! Drone footage: aerial video of an address. The request is also the job's payload.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fields::MAX_ADDRESS;
use crate::kind::{JobRequest, Kind, Medium, Speed};
#[cfg(feature = "openapi")]
use crate::openapi::{Endpoint, Presence, RequestSchema};
use crate::{Direction, Fields, FilmOptions, Needs, ValidationError};

/// `POST /v1/drone-footage/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DroneFootageRequest {
    /// Full property address.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 500, pattern = r"\S", example = "Dorfstrasse 24, 9495 Triesen")
    )]
    pub address: String,
    /// Options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<DroneFootageOptions>,
    /// Whether it is a preview. Not a field of the body: the query has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub preview: bool,
}

/// Options of drone footage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DroneFootageOptions {
    /// Camera path. Defaults to `original`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Resolution, aspect ratio and duration.
    #[serde(flatten)]
    pub film: FilmOptions,
    /// Whether to outline the property: the imported parcel, on the ground, or, without one, what the camera sees of the building.
    /// Defaults to `true`. The outline of a parcel is approximate and not a survey.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight: Option<bool>,
    /// Whether to show the address on a pin over the property. Defaults to `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<bool>,
}

/// The kind.
pub(super) const KIND: Kind = Kind {
    event_type: "drone_footage.generate",
    default_price_cents: 1500,
    speed: Speed::Long,
    medium: Medium::Video,
    has_preview: true,
    accepts_layers: false,
    asks_for_input: false,
    needs: Needs { maps: true, graphics: true, encoder: true, ..Needs::NOTHING },
    #[cfg(feature = "openapi")]
    endpoint: Endpoint {
        path: "/v1/drone-footage/generate",
        tag: "Drone footage",
        summary: "Submit drone footage",
        description: "Makes aerial footage of a property from map data. Returns a job to poll.",
        body: Presence::Required,
        schema: RequestSchema::of::<DroneFootageRequest>(),
    },
    parent: None,
};

impl JobRequest for DroneFootageRequest {
    fn is_preview(&self) -> bool {
        self.preview
    }

    fn make_preview(&mut self) {
        self.preview = true;
    }

    fn address(&self) -> Option<&str> {
        Some(&self.address)
    }
}

impl DroneFootageRequest {
    /// Reads a request body. The address is kept as it was sent, because the job's `input` echoes it.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let address = fields.required_text("address", MAX_ADDRESS)?.to_owned();
        Ok(Self { address, options: fields.options(DroneFootageOptions::read)?, preview: false })
    }

    /// Resolution, aspect ratio and duration.
    #[must_use]
    pub fn film(&self) -> FilmOptions {
        self.options.as_ref().map(|options| options.film).unwrap_or_default()
    }

    /// Whether to draw the outline of the plot on the ground.
    #[must_use]
    pub fn highlight(&self) -> bool {
        self.options.as_ref().and_then(|options| options.highlight).unwrap_or(true)
    }

    /// Whether to show the address on a pin over the property.
    #[must_use]
    pub fn label(&self) -> bool {
        self.options.as_ref().and_then(|options| options.label).unwrap_or(true)
    }

    /// Camera path.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.options.as_ref().and_then(|options| options.direction).unwrap_or_default()
    }
}

impl DroneFootageOptions {
    /// Reads the object `options` of a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn read(options: &Fields<'_>) -> Result<Self, ValidationError> {
        Ok(Self {
            direction: Direction::read(options)?,
            film: FilmOptions::read(options)?,
            highlight: options.boolean("highlight")?,
            label: options.boolean("label")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn input(body: &Value) -> Result<Value, String> {
        let request = DroneFootageRequest::from_body(body).map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(request).unwrap())
    }

    #[test]
    fn a_request_becomes_its_known_fields_with_no_default_filled_in() {
        let cases = [
            (json!({"address": "1 Main St"}), json!({"address": "1 Main St"})),
            (json!({"address": " 1 Main St "}), json!({"address": " 1 Main St "})),
            (json!({"address": "a", "colour": 3, "options": null}), json!({"address": "a"})),
            (json!({"address": "a", "options": {}}), json!({"address": "a", "options": {}})),
            (json!({"address": "a", "options": {"direction": null, "x": 1}}), json!({"address": "a", "options": {}})),
            (
                json!({"address": "a", "options": {"duration": 8.0, "aspect_ratio": "9:16", "resolution": "720p"}}),
                json!({"address": "a", "options": {"duration": 8, "aspect_ratio": "9:16", "resolution": "720p"}}),
            ),
            (
                json!({"address": "a", "options": {"direction": "topdown_zoomin"}}),
                json!({"address": "a", "options": {"direction": "topdown_zoomin"}}),
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(input(&body), Ok(expected));
        }
    }

    #[test]
    fn a_missing_or_blank_address_is_refused_by_name() {
        for body in [json!({}), json!({"address": null}), json!({"address": ""}), json!({"address": "  "})] {
            assert!(input(&body).unwrap_err().starts_with("`address` is required"), "{body}");
        }
        assert!(input(&json!({"address": " \t\n"})).unwrap_err().contains("control characters"));
        assert!(input(&json!({"address": 7})).unwrap_err().starts_with("`address` must be a string"));
        assert!(input(&json!({"address": "a".repeat(501)})).unwrap_err().contains("at most 500 characters"));
        assert!(input(&json!({"address": "é".repeat(500)})).is_ok());
    }

    #[test]
    fn an_unknown_direction_is_refused_with_the_allowed_ones() {
        for direction in [json!("up"), json!("North"), json!(""), json!(1), json!([])] {
            let message = input(&json!({"address": "a", "options": {"direction": direction}})).unwrap_err();
            let allowed = "original, north, south, east, west, topdown_zoomout, topdown_zoomin";
            assert_eq!(message, format!("`options.direction` must be one of {allowed}"));
        }
        assert!(input(&json!({"address": "a", "options": []})).unwrap_err().starts_with("`options` must be an object"));
    }

    #[test]
    fn highlight_and_label_are_kept_as_asked_and_on_when_absent() {
        let body = json!({"address": "a", "options": {"highlight": true, "label": false}});
        assert_eq!(input(&body), Ok(body.clone()));
        let request = DroneFootageRequest::from_body(&body).unwrap();
        assert!(request.highlight() && !request.label());
        let plain = DroneFootageRequest::from_body(&json!({"address": "a"})).unwrap();
        assert!(plain.highlight() && plain.label());
        let off = DroneFootageRequest::from_body(&json!({"address": "a", "options": {"highlight": false}})).unwrap();
        assert!(!off.highlight() && off.label());
        let message = input(&json!({"address": "a", "options": {"highlight": "yes"}})).unwrap_err();
        assert!(message.starts_with("`options.highlight` must be"), "{message}");
    }

    #[test]
    fn direction_names_are_the_same_in_json_and_read_back() {
        for direction in Direction::ALL {
            assert_eq!(serde_json::to_value(direction).unwrap(), direction.as_str());
            assert_eq!(Direction::from_name(direction.as_str()), Some(direction));
        }
    }
}
