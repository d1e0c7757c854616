//! Resolution, aspect ratio and duration of a film.

use serde::{Deserialize, Serialize};

use crate::{Fields, ValidationError};

/// Allowed durations of a flight, seconds.
const DURATION: std::ops::RangeInclusive<i64> = 6..=20;

/// Options of a flight's film. Aerie extensions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FilmOptions {
    /// Duration in seconds. Defaults to 10.
    #[cfg_attr(feature = "openapi", schema(minimum = 6, maximum = 20))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<i64>,
    /// Pixels of the shorter side. Defaults to `1080p`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    /// Aspect ratio; the flight is composed for it. Defaults to `16:9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aspect_ratio: Option<AspectRatio>,
}

/// Pixels of the shorter side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Resolution {
    /// 720.
    #[serde(rename = "720p")]
    P720,
    /// 1080.
    #[default]
    #[serde(rename = "1080p")]
    P1080,
    /// 1440.
    #[serde(rename = "1440p")]
    P1440,
    /// 2160, known as 4K.
    #[serde(rename = "2160p")]
    P2160,
}

/// Aspect ratio, width to height.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AspectRatio {
    /// Landscape.
    #[default]
    #[serde(rename = "16:9")]
    Wide,
    /// Portrait.
    #[serde(rename = "9:16")]
    Tall,
    /// Square.
    #[serde(rename = "1:1")]
    Square,
}

impl Resolution {
    /// Every resolution with its name.
    pub const ALL: [(&str, Resolution); 4] = [
        ("720p", Resolution::P720),
        ("1080p", Resolution::P1080),
        ("1440p", Resolution::P1440),
        ("2160p", Resolution::P2160),
    ];

    /// Pixels of the shorter side.
    #[must_use]
    pub const fn short_side(self) -> u32 {
        match self {
            Resolution::P720 => 720,
            Resolution::P1080 => 1080,
            Resolution::P1440 => 1440,
            Resolution::P2160 => 2160,
        }
    }
}

impl AspectRatio {
    /// Every aspect ratio with its name.
    pub const ALL: [(&str, AspectRatio); 3] =
        [("16:9", AspectRatio::Wide), ("9:16", AspectRatio::Tall), ("1:1", AspectRatio::Square)];
}

impl FilmOptions {
    /// Reads the options of a request.
    ///
    /// # Errors
    /// When one is invalid.
    pub fn read(options: &Fields<'_>) -> Result<Self, ValidationError> {
        Ok(Self {
            duration: options.integer("duration", DURATION)?,
            resolution: options.choice("resolution", &Resolution::ALL)?,
            aspect_ratio: options.choice("aspect_ratio", &AspectRatio::ALL)?,
        })
    }

    /// Duration in seconds.
    #[must_use]
    pub fn seconds(&self) -> u32 {
        self.duration.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(10)
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        let short = self.resolution.unwrap_or_default().short_side();
        match self.aspect_ratio.unwrap_or_default() {
            AspectRatio::Wide => [short * 16 / 9, short],
            AspectRatio::Tall => [short, short * 16 / 9],
            AspectRatio::Square => [short, short],
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(options: serde_json::Value) -> Result<FilmOptions, String> {
        let body = json!({ "options": options });
        let read = Fields::of_body(&body).and_then(|fields| fields.options(FilmOptions::read));
        read.map(Option::unwrap_or_default).map_err(|error| error.to_string())
    }

    #[test]
    fn sizes_have_the_requested_aspect_ratio_and_shorter_side() {
        let size = |options| read(options).unwrap().size();
        assert_eq!(size(json!({})), [1920, 1080]);
        assert_eq!(size(json!({"resolution": "720p"})), [1280, 720]);
        assert_eq!(size(json!({"resolution": "1440p", "aspect_ratio": "9:16"})), [1440, 2560]);
        assert_eq!(size(json!({"resolution": "2160p"})), [3840, 2160]);
        assert_eq!(size(json!({"aspect_ratio": "1:1"})), [1080, 1080]);
    }

    #[test]
    fn names_are_the_same_in_json_and_unknown_ones_are_refused_with_those_allowed() {
        for (name, resolution) in Resolution::ALL {
            assert_eq!(serde_json::to_value(resolution).unwrap(), name);
        }
        for (name, shape) in AspectRatio::ALL {
            assert_eq!(serde_json::to_value(shape).unwrap(), name);
        }
        assert_eq!(read(json!({"duration": 6})).unwrap().seconds(), 6);
        assert_eq!(read(json!({"duration": 5})).unwrap_err(), "`options.duration` must be an integer from 6 to 20");
        let message = read(json!({"resolution": "4K"})).unwrap_err();
        assert_eq!(message, "`options.resolution` must be one of 720p, 1080p, 1440p, 2160p");
        let message = read(json!({"aspect_ratio": "4:3"})).unwrap_err();
        assert_eq!(message, "`options.aspect_ratio` must be one of 16:9, 9:16, 1:1");
    }
}
