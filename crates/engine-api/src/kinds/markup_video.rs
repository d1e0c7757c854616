//! Markup video: a flight that shows the marked boundary. The job's payload is the request with what it takes from the markup.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::kind::{JobRequest, Kind, Medium, Speed};
#[cfg(feature = "openapi")]
use crate::openapi::{Endpoint, Presence, RequestSchema};
use crate::{Direction, Fields, FilmOptions, Needs, ValidationError};

/// Yellow, which stands out on grass, paving and roofs.
const COLOR: [u8; 3] = [255, 212, 0];

/// The field of a markup's output with the picture that a boundary in pixels refers to.
pub const CLEAN_PICTURE: &str = "clean_image_url";

#[cfg(feature = "openapi")]
// As it is documented; [`MarkupVideoInput`] is what is read.
/// `POST /v1/markup/jobs/{jobId}/video`.
#[derive(Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkupVideoRequest {
    /// Additional options, kept as sent. At most 8 KiB.
    pub options: Option<MarkupVideoOptions>,
}

/// Input of a markup video job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkupVideoInput {
    /// The markup. `None` where the boundary comes from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markup_job_id: Option<Uuid>,
    /// The markup's address.
    pub address: String,
    /// Options as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
}

/// Known options of a markup video. Others are kept and ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkupVideoOptions {
    /// Camera path. Defaults to `original`. Over a still image, `topdown_zoomout` zooms out and all others zoom in.
    pub direction: Option<Direction>,
    /// Duration in seconds. Defaults to 10.
    #[cfg_attr(feature = "openapi", schema(minimum = 6, maximum = 20))]
    pub duration: Option<i64>,
    /// Pixels of the shorter side. Defaults to `1080p`.
    #[cfg_attr(feature = "openapi", schema(inline))]
    pub resolution: Option<crate::Resolution>,
    /// Aspect ratio. Defaults to `16:9`.
    pub aspect_ratio: Option<crate::AspectRatio>,
    /// Color of the boundary: `#` and six hexadecimal digits (sRGB). Defaults to `#FFD400`.
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<String>, pattern = "^#[0-9A-Fa-f]{6}$", example = "#FFD400")
    )]
    pub color: Option<[u8; 3]>,
    /// Whether to label the boundary with its area and the lengths of its edges. Defaults to `true`.
    pub labels: Option<bool>,
}

/// The kind.
pub(super) const KIND: Kind = Kind {
    event_type: "markup.video",
    default_price_cents: 1500,
    speed: Speed::Long,
    medium: Medium::Video,
    has_preview: false,
    accepts_layers: false,
    asks_for_input: false,
    needs: Needs { maps: true, graphics: true, encoder: true, ..Needs::NOTHING },
    #[cfg(feature = "openapi")]
    endpoint: Endpoint {
        path: "/v1/markup/jobs/{jobId}/video",
        tag: "Markup",
        summary: "Submit a markup video",
        description: "Makes a flight that shows the marked boundary on the ground. Where the clean image was not one of the \
                      job's own, the video shows that image with the boundary over it; where no boundary was found, it shows \
                      the flight without one. The body may be omitted.",
        body: Presence::Optional,
        schema: RequestSchema::of::<MarkupVideoRequest>(),
    },
    parent: Some("markup"),
};

impl JobRequest for MarkupVideoInput {
    fn address(&self) -> Option<&str> {
        Some(&self.address)
    }

    fn listing_id(&self) -> Option<&str> {
        self.options.as_ref()?.get("listing_id")?.as_str()
    }
}

impl MarkupVideoInput {
    /// Reads a request body: a [`MarkupVideoRequest`]. Markup and address are to be added.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let options = fields.kept_object("options")?.cloned();
        fields.options(MarkupVideoOptions::read)?;
        Ok(Self { markup_job_id: None, address: String::new(), options })
    }

    /// The known options. They were checked when the job was submitted.
    #[must_use]
    pub fn known_options(&self) -> MarkupVideoOptions {
        let options = self.options.as_ref().map(Fields::of_options);
        options.and_then(|options| MarkupVideoOptions::read(&options).ok()).unwrap_or_default()
    }
}

impl MarkupVideoOptions {
    fn read(options: &Fields<'_>) -> Result<Self, ValidationError> {
        let film = FilmOptions::read(options)?;
        Ok(Self {
            direction: Direction::read(options)?,
            duration: film.duration,
            resolution: film.resolution,
            aspect_ratio: film.aspect_ratio,
            color: options.color("color")?,
            labels: options.boolean("labels")?,
        })
    }

    /// Camera path.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction.unwrap_or_default()
    }

    /// Resolution, aspect ratio and duration.
    #[must_use]
    pub const fn film(&self) -> FilmOptions {
        FilmOptions { duration: self.duration, resolution: self.resolution, aspect_ratio: self.aspect_ratio }
    }

    /// Color of the boundary, sRGB.
    #[must_use]
    pub fn color(&self) -> [u8; 3] {
        self.color.unwrap_or(COLOR)
    }

    /// Whether to label the boundary with its area and lengths.
    #[must_use]
    pub fn labels(&self) -> bool {
        self.labels.unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn known(options: Value) -> Result<MarkupVideoOptions, String> {
        let input = MarkupVideoInput::from_body(&json!({ "options": options })).map_err(|e| e.to_string())?;
        Ok(input.known_options())
    }

    #[test]
    fn options_are_kept_as_sent_and_known_ones_are_read() {
        let options = json!({"color": "#00ff80", "labels": false, "duration": 6.0, "other": {"a": null}});
        let input = MarkupVideoInput::from_body(&json!({"options": options})).unwrap();
        assert_eq!(input.options.map(Value::Object), Some(options.clone()));
        let read = known(options).unwrap();
        assert_eq!((read.color(), read.labels(), read.film().seconds()), ([0, 255, 128], false, 6));
        let plain = known(json!({})).unwrap();
        assert_eq!((plain.color(), plain.labels(), plain.direction()), (COLOR, true, Direction::Original));
        assert_eq!(MarkupVideoInput::from_body(&json!({})).unwrap().options, None);
    }

    #[test]
    fn an_error_names_the_field_and_what_is_allowed() {
        for (options, said) in [
            (json!({"color": "red"}), "`options.color` must be a color as `#` and six hexadecimal digits"),
            (json!({"labels": "yes"}), "`options.labels` must be true or false"),
            (json!({"direction": "up"}), "`options.direction` must be one of original, north"),
            (json!({"duration": 3}), "`options.duration` must be an integer from 6 to 20"),
            (json!({"aspect_ratio": "4:3"}), "`options.aspect_ratio` must be one of 16:9, 9:16, 1:1"),
            (json!({"k": "x".repeat(8185)}), "`options` must be at most 8192 bytes of JSON"),
            (json!(1), "`options` must be an object"),
        ] {
            let message = known(options).unwrap_err();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
