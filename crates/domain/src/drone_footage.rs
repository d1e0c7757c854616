//! Aerial drone footage: the request, which is also the job's payload.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{Fields, FilmOptions, ValidationError};

/// Longest address, in characters.
pub const MAX_ADDRESS: usize = 500;

/// `POST /v1/drone-footage/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DroneFootageRequest {
    /// Full property address.
    #[schema(min_length = 1, max_length = 500, pattern = r"\S", example = "Dorfstrasse 24, 9495 Triesen")]
    pub address: String,
    /// Options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<DroneFootageOptions>,
}

/// Options of drone footage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DroneFootageOptions {
    /// Which path to fly; `original` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Size, shape and length.
    #[serde(flatten)]
    pub film: FilmOptions,
    /// Whether the plot's outline is drawn on the ground: the imported parcel, or where there is none the building's own
    /// outline; no, when absent. It is approximate and no survey.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight: Option<bool>,
    /// Whether the address stands over the property on a pin; no, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<bool>,
}

/// The flights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Approach to the street front, then an orbit.
    #[default]
    Original,
    /// Approach seen from the north.
    North,
    /// Approach seen from the south.
    South,
    /// Approach seen from the east.
    East,
    /// Approach seen from the west.
    West,
    /// Straight down, rising.
    TopdownZoomout,
    /// Straight down, sinking.
    TopdownZoomin,
}

impl Direction {
    /// Every direction, in the order of the specification.
    pub const ALL: [Direction; 7] = [
        Direction::Original,
        Direction::North,
        Direction::South,
        Direction::East,
        Direction::West,
        Direction::TopdownZoomout,
        Direction::TopdownZoomin,
    ];

    /// The name in the contract and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Direction::Original => "original",
            Direction::North => "north",
            Direction::South => "south",
            Direction::East => "east",
            Direction::West => "west",
            Direction::TopdownZoomout => "topdown_zoomout",
            Direction::TopdownZoomin => "topdown_zoomin",
        }
    }

    /// Reads the option of a request.
    ///
    /// # Errors
    /// When it is not one of those allowed.
    pub fn read(options: &Fields<'_>) -> Result<Option<Self>, ValidationError> {
        options.choice("direction", &Self::ALL.map(|direction| (direction.as_str(), direction)))
    }

    /// The direction of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.as_str() == name)
    }
}

impl DroneFootageRequest {
    /// Reads a request's body. The address is kept as it was sent, for the job's `input` echoes it.
    ///
    /// # Errors
    /// When a field is missing or not as it has to be.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let address = fields.required_text("address", MAX_ADDRESS)?.to_owned();
        let options = fields.options(|options| {
            Ok(DroneFootageOptions {
                direction: Direction::read(options)?,
                film: FilmOptions::read(options)?,
                highlight: options.boolean("highlight")?,
                label: options.boolean("label")?,
            })
        })?;
        Ok(Self { address, options })
    }

    /// Size, shape and length of the film.
    #[must_use]
    pub fn film(&self) -> FilmOptions {
        self.options.as_ref().map(|options| options.film).unwrap_or_default()
    }

    /// Whether the plot's outline is drawn on the ground.
    #[must_use]
    pub fn highlight(&self) -> bool {
        self.options.as_ref().and_then(|options| options.highlight).unwrap_or(false)
    }

    /// Whether the address stands over the property.
    #[must_use]
    pub fn label(&self) -> bool {
        self.options.as_ref().and_then(|options| options.label).unwrap_or(false)
    }

    /// Which path to fly.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.options.as_ref().and_then(|options| options.direction).unwrap_or_default()
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
        for body in [json!({}), json!({"address": null}), json!({"address": ""}), json!({"address": " \t\n"})] {
            assert!(input(&body).unwrap_err().starts_with("`address` is required"), "{body}");
        }
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
    fn highlight_and_label_are_kept_as_asked_and_off_when_absent() {
        let body = json!({"address": "a", "options": {"highlight": true, "label": false}});
        assert_eq!(input(&body), Ok(body.clone()));
        let request = DroneFootageRequest::from_body(&body).unwrap();
        assert!(request.highlight() && !request.label());
        let plain = DroneFootageRequest::from_body(&json!({"address": "a"})).unwrap();
        assert!(!plain.highlight() && !plain.label());
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
