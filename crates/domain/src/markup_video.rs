//! The film of a marked boundary: the request, and the job's payload.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{Direction, Fields, FilmOptions, JobId, ValidationError};

/// Yellow: seen on grass, paving and roofs alike.
const COLOR: [u8; 3] = [255, 212, 0];

/// `POST /v1/markup/jobs/{jobId}/video`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MarkupVideoRequest {
    /// Additional options, kept as sent; at most 8 KiB.
    #[schema(value_type = Option<MarkupVideoOptions>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
}

/// Input of a markup video job: the request, and what it is a video of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkupVideoInput {
    /// The markup; none where the boundary comes from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markup_job_id: Option<JobId>,
    /// The markup's address.
    pub address: String,
    /// Options as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
}

/// Options of a markup's video that we know; others are kept and mean nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, ToSchema)]
pub struct MarkupVideoOptions {
    /// Which path to fly; `original` when absent. Over a still, `topdown_zoomout` draws back, and all others close in.
    pub direction: Option<Direction>,
    /// Seconds; 10 when absent.
    #[schema(minimum = 6, maximum = 20)]
    pub duration: Option<i64>,
    /// Pixels of the shorter side; `1080p` when absent.
    #[schema(inline)]
    pub resolution: Option<crate::Resolution>,
    /// Width to height; `16:9` when absent.
    pub aspect_ratio: Option<crate::AspectRatio>,
    /// Color of the boundary, `#` and six hexadecimal digits of sRGB; `#FFD400` when absent.
    #[schema(value_type = Option<String>, pattern = "^#[0-9A-Fa-f]{6}$", example = "#FFD400")]
    pub color: Option<[u8; 3]>,
    /// Whether area and lengths of the edges are written beside the boundary; yes, when absent.
    pub labels: Option<bool>,
}

impl MarkupVideoRequest {
    /// Reads a request's body.
    ///
    /// # Errors
    /// When a field is not as it has to be.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let options = fields.kept_object("options")?.cloned();
        fields.options(MarkupVideoOptions::read)?;
        Ok(Self { options })
    }
}

impl MarkupVideoInput {
    /// The options that we know. They have been checked when the job was submitted.
    #[must_use]
    pub fn known_options(&self) -> MarkupVideoOptions {
        let body = serde_json::json!({ "options": self.options });
        let read = Fields::of_body(&body).and_then(|fields| fields.options(MarkupVideoOptions::read));
        read.ok().flatten().unwrap_or_default()
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

    /// Which path to fly.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction.unwrap_or_default()
    }

    /// Size, shape and length of the film.
    #[must_use]
    pub const fn film(&self) -> FilmOptions {
        FilmOptions { duration: self.duration, resolution: self.resolution, aspect_ratio: self.aspect_ratio }
    }

    /// Color of the boundary, sRGB.
    #[must_use]
    pub fn color(&self) -> [u8; 3] {
        self.color.unwrap_or(COLOR)
    }

    /// Whether area and lengths are written.
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
        let request = MarkupVideoRequest::from_body(&json!({ "options": options })).map_err(|e| e.to_string())?;
        let input = MarkupVideoInput { markup_job_id: None, address: "a".into(), options: request.options };
        Ok(input.known_options())
    }

    #[test]
    fn options_are_kept_as_sent_and_those_that_we_know_are_read() {
        let options = json!({"color": "#00ff80", "labels": false, "duration": 6.0, "other": {"a": null}});
        let request = MarkupVideoRequest::from_body(&json!({"options": options})).unwrap();
        assert_eq!(serde_json::to_value(request).unwrap(), json!({"options": options}));
        let read = known(options).unwrap();
        assert_eq!((read.color(), read.labels(), read.film().seconds()), ([0, 255, 128], false, 6));
        let plain = known(json!({})).unwrap();
        assert_eq!((plain.color(), plain.labels(), plain.direction()), (COLOR, true, Direction::Original));
        assert_eq!(MarkupVideoRequest::from_body(&json!({})), Ok(MarkupVideoRequest::default()));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
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
