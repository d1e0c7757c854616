//! A clip out of one photo: the request, which is also the job's payload.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::image_enhance::MAX_PROMPT;
use crate::{Fields, ValidationError};

/// `POST /v1/video-clip/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VideoClipRequest {
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
    pub options: Option<VideoClipOptions>,
}

/// Options of a video clip.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VideoClipOptions {
    /// Motion or style prompt.
    #[schema(max_length = 2000, example = "slow push in")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// How far the camera may go; `medium` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creativity_level: Option<CreativityLevel>,
    /// Which frame the image is; `first` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_mode: Option<FrameMode>,
    /// Seconds; 5 when absent.
    #[schema(minimum = 3, maximum = 10)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<i64>,
}

/// How far the camera may go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CreativityLevel {
    /// A restrained move.
    Low,
    /// The usual.
    #[default]
    Medium,
    /// A wide move.
    High,
}

/// Which frame of the clip the image is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameMode {
    /// The clip starts from the image.
    #[default]
    First,
    /// The clip ends in the image.
    Last,
}

const CREATIVITY_LEVELS: [(&str, CreativityLevel); 3] =
    [("low", CreativityLevel::Low), ("medium", CreativityLevel::Medium), ("high", CreativityLevel::High)];
const FRAME_MODES: [(&str, FrameMode); 2] = [("first", FrameMode::First), ("last", FrameMode::Last)];

impl VideoClipRequest {
    /// Reads a request's body.
    ///
    /// # Errors
    /// When a field is missing or not as it has to be.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let image_url = fields.required_url("image_url")?.to_owned();
        let options = fields.options(|options| {
            Ok(VideoClipOptions {
                prompt: options.text("prompt", MAX_PROMPT)?.map(str::to_owned),
                creativity_level: options.choice("creativity_level", &CREATIVITY_LEVELS)?,
                frame_mode: options.choice("frame_mode", &FRAME_MODES)?,
                duration: options.integer("duration", 3..=10)?,
            })
        })?;
        Ok(Self { image_url, options })
    }

    /// Length in seconds.
    #[must_use]
    pub fn duration(&self) -> i64 {
        self.options.as_ref().and_then(|options| options.duration).unwrap_or(5)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn input(options: &Value) -> Result<Value, String> {
        let body = json!({"image_url": "u", "options": options});
        let request = VideoClipRequest::from_body(&body).map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(request).unwrap()["options"].take())
    }

    #[test]
    fn options_are_kept_with_no_default_filled_in() {
        assert_eq!(input(&json!({})), Ok(json!({})));
        let all = json!({"prompt": "orbit", "creativity_level": "high", "frame_mode": "last", "duration": 10});
        assert_eq!(input(&all), Ok(all));
        assert_eq!(VideoClipRequest::from_body(&json!({"image_url": "u"})).unwrap().duration(), 5);
    }

    #[test]
    fn a_duration_is_three_to_ten_whole_seconds() {
        for good in [json!(3), json!(10), json!(5.0)] {
            assert!(input(&json!({"duration": good})).is_ok(), "{good}");
        }
        for wrong in [json!(2), json!(11), json!(5.5), json!("5"), json!(-3), json!(true)] {
            let message = input(&json!({"duration": wrong})).unwrap_err();
            assert_eq!(message, "`options.duration` must be an integer from 3 to 10", "{wrong}");
        }
    }

    #[test]
    fn an_unknown_choice_is_refused_with_the_allowed_ones() {
        let message = input(&json!({"creativity_level": "wild"})).unwrap_err();
        assert_eq!(message, "`options.creativity_level` must be one of low, medium, high");
        let message = input(&json!({"frame_mode": "middle"})).unwrap_err();
        assert_eq!(message, "`options.frame_mode` must be one of first, last");
    }
}
