//! Video clip: camera motion in one photo, or a film of several. The request is also the job's payload.

mod photos;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kind::{JobRequest, Kind, Labels, Medium, Speed};
#[cfg(feature = "openapi")]
use crate::openapi::{Endpoint, Presence, RequestSchema};
use crate::photo::{MAX_PROFILE, MAX_PROMPT, label};
use crate::{AspectRatio, Fields, Needs, PictureLink, Resolution, ValidationError};
pub use photos::{FilmPhoto, MAX_CAPTION, MAX_FURTHER_PHOTOS};

/// Allowed durations of a clip from one photo, seconds.
const CLIP_SECONDS: std::ops::RangeInclusive<i64> = 3..=10;

/// `POST /v1/video-clip/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VideoClipRequest {
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
    pub options: Option<VideoClipOptions>,
}

/// Options of a video clip.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VideoClipOptions {
    /// Motion or style prompt.
    #[cfg_attr(feature = "openapi", schema(max_length = 2000, example = "slow push in"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// How far the camera may move. Defaults to `medium`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creativity_level: Option<CreativityLevel>,
    /// Which frame the image is. Defaults to `first`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_mode: Option<FrameMode>,
    /// Duration in seconds: 3 to 10, and 15 to 60 with `photos` (Aerie extension). Defaults to 5; with `photos`, to 4 for each photo
    /// within these bounds.
    #[cfg_attr(feature = "openapi", schema(minimum = 3, maximum = 60))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<i64>,
    /// Resolution: the longer side has 1280, 1920, 2560 or 3840 pixels. Defaults to `1080p` (1920 pixels). Aerie
    /// extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    /// Aspect ratio; the photo is cropped to it. Defaults to that of the photo; with `photos`, to `16:9`. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aspect_ratio: Option<AspectRatio>,
    /// Color grade of the whole clip, including the frame that is the photo. Defaults to none. Aerie extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<ClipGrade>,
    /// Further photos: the clip becomes a silent film that shows `image_url` first and then these, in this order. Aerie
    /// extension.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 39))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photos: Option<Vec<FilmPhoto>>,
    /// Text over the part of the film that shows `image_url`, such as the name of the room. Only with `photos`. Defaults to
    /// none. Aerie extension.
    #[cfg_attr(feature = "openapi", schema(max_length = 40, example = "Living room"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// One line of text at the top of every frame. May contain Latin, Greek and Cyrillic letters, digits and punctuation. Defaults to
    /// none. Aerie extension.
    #[cfg_attr(feature = "openapi", schema(max_length = 80, example = "Digitally altered"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Name of the disclosure profile to follow (`GET /v1/disclosure-profiles`): label, caption text and file names follow from it.
    /// Defaults to that of the organization. Aerie extension.
    #[cfg_attr(
        feature = "openapi",
        schema(min_length = 1, max_length = 64, pattern = r"\S", example = "california-ab-723")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disclosure_profile: Option<String>,
    /// The label that the profile asks for where a staged photo is seen; set by the service.
    #[cfg_attr(feature = "openapi", schema(ignore))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_if_staged: Option<String>,
    /// The label that the profile asks for where a photo is seen that was altered otherwise; set by the service.
    #[cfg_attr(feature = "openapi", schema(ignore))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_if_altered: Option<String>,
}

/// Color grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClipGrade {
    /// Warmer, as in low sunlight.
    Warm,
    /// Cooler, as under an open sky.
    Cool,
    /// More contrast and saturation.
    Vivid,
    /// Less contrast, lifted shadows.
    Soft,
}

/// How far the camera may move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CreativityLevel {
    /// A restrained move.
    Low,
    /// A usual move.
    #[default]
    Medium,
    /// A wide move.
    High,
}

/// Which frame of the clip the image is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FrameMode {
    /// The clip starts with the image.
    #[default]
    First,
    /// The clip ends with the image.
    Last,
}

/// The kind.
pub(super) const KIND: Kind = Kind {
    event_type: "video_clip.generate",
    default_price_cents: 500,
    speed: Speed::Long,
    medium: Medium::Video,
    has_preview: false,
    accepts_layers: true,
    asks_for_input: false,
    needs: Needs { graphics: true, encoder: true, ..Needs::NOTHING },
    #[cfg(feature = "openapi")]
    endpoint: Endpoint {
        path: "/v1/video-clip/generate",
        tag: "Video clip",
        summary: "Submit a video clip",
        description: "Makes a short clip from one image, or with `options.photos` a silent film from several. The images are fetched \
                      before the response; their URLs may expire afterwards.",
        body: Presence::Required,
        schema: RequestSchema::of::<VideoClipRequest>(),
    },
    parent: None,
};

impl CreativityLevel {
    /// Every level with its name.
    pub const ALL: [(&str, CreativityLevel); 3] =
        [("low", CreativityLevel::Low), ("medium", CreativityLevel::Medium), ("high", CreativityLevel::High)];
}

impl ClipGrade {
    /// Every grade with its name.
    pub const ALL: [(&str, ClipGrade); 4] =
        [("warm", ClipGrade::Warm), ("cool", ClipGrade::Cool), ("vivid", ClipGrade::Vivid), ("soft", ClipGrade::Soft)];
}

impl FrameMode {
    /// Every mode with its name.
    pub const ALL: [(&str, FrameMode); 2] = [("first", FrameMode::First), ("last", FrameMode::Last)];
}

impl JobRequest for VideoClipRequest {
    fn pictures(&self) -> Vec<PictureLink> {
        let further = self.further_photos().iter().enumerate();
        let further =
            further.map(|(at, photo)| PictureLink::new(format!("options/photos/{at}/image_url"), &photo.image_url));
        std::iter::once(PictureLink::new("image_url", &self.image_url)).chain(further).collect()
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
        options.label_if_staged = labels.if_staged.filter(|_| options.label.is_none());
        options.label_if_altered = labels.if_altered.filter(|_| options.label.is_none());
    }
}

impl VideoClipRequest {
    /// Reads a request body.
    ///
    /// # Errors
    /// When a field is missing or invalid.
    pub fn from_body(body: &Value) -> Result<Self, ValidationError> {
        let fields = Fields::of_body(body)?;
        let image_url = fields.required_url("image_url")?.to_owned();
        Ok(Self { image_url, options: fields.options(VideoClipOptions::read)? })
    }

    /// The further photos of a film; none for a clip from one photo.
    #[must_use]
    pub fn further_photos(&self) -> &[FilmPhoto] {
        self.options.as_ref().and_then(|options| options.photos.as_deref()).unwrap_or_default()
    }

    /// Width and height of the clip in pixels for a photo of the given size: multiples of 4.
    #[must_use]
    pub fn size(&self, photo: [usize; 2]) -> [usize; 2] {
        let options = self.options.as_ref();
        let long = options.and_then(|o| o.resolution).unwrap_or_default().short_side() as usize * 16 / 9;
        let usual = (!self.further_photos().is_empty()).then_some(AspectRatio::Wide);
        let [width, height] = match options.and_then(|o| o.aspect_ratio).or(usual) {
            None => photo,
            Some(AspectRatio::Wide) => [16, 9],
            Some(AspectRatio::Tall) => [9, 16],
            // Its side is the shorter side of a 16:9 video of the same resolution.
            Some(AspectRatio::Square) => return [long * 9 / 16 / 4 * 4; 2],
        };
        let other = |side: usize, by: usize| (long * side).div_ceil(4 * by.max(1)).max(16) * 4;
        if width >= height { [long, other(height, width).min(long)] } else { [other(width, height).min(long), long] }
    }

    /// Duration in seconds.
    #[must_use]
    pub fn duration(&self) -> i64 {
        let usual = match self.further_photos().len() {
            0 => 5,
            further => photos::usual_seconds(1 + further),
        };
        self.options.as_ref().and_then(|options| options.duration).unwrap_or(usual)
    }
}

impl VideoClipOptions {
    /// Reads the object `options` of a request body.
    ///
    /// # Errors
    /// When a field is invalid.
    pub fn read(options: &Fields<'_>) -> Result<Self, ValidationError> {
        let photos = photos::read(options)?;
        let seconds = if photos.is_some() { photos::FILM_SECONDS } else { CLIP_SECONDS };
        Ok(Self {
            prompt: options.prompt("prompt", MAX_PROMPT)?.map(str::to_owned),
            creativity_level: options.choice("creativity_level", &CreativityLevel::ALL)?,
            frame_mode: options.choice("frame_mode", &FrameMode::ALL)?,
            duration: options.integer("duration", seconds)?,
            resolution: options.choice("resolution", &Resolution::ALL)?,
            aspect_ratio: options.choice("aspect_ratio", &AspectRatio::ALL)?,
            grade: options.choice("grade", &ClipGrade::ALL)?,
            caption: photos::caption(options, photos.is_some())?,
            photos,
            label: label(options)?,
            disclosure_profile: options.text("disclosure_profile", MAX_PROFILE)?.map(str::to_owned),
            label_if_staged: None,
            label_if_altered: None,
        })
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
        let all = json!({"prompt": "orbit", "creativity_level": "high", "frame_mode": "last", "duration": 10,
            "resolution": "720p", "aspect_ratio": "9:16", "grade": "warm", "label": "Virtually staged",
            "disclosure_profile": "none"});
        assert_eq!(input(&all), Ok(all));
        assert_eq!(VideoClipRequest::from_body(&json!({"image_url": "u"})).unwrap().duration(), 5);
    }

    #[test]
    fn a_clip_has_the_photos_aspect_ratio_or_the_requested_one() {
        let size = |options: Value, photo: [usize; 2]| {
            VideoClipRequest::from_body(&json!({"image_url": "u", "options": options})).unwrap().size(photo)
        };
        assert_eq!(size(json!({}), [6000, 4000]), [1920, 1280]);
        assert_eq!(size(json!({}), [1067, 1600]), [1284, 1920]);
        assert_eq!(size(json!({"resolution": "720p"}), [4, 3]), [1280, 960]);
        assert_eq!(size(json!({"aspect_ratio": "16:9"}), [4, 3]), [1920, 1080]);
        assert_eq!(size(json!({"aspect_ratio": "9:16", "resolution": "2160p"}), [4, 3]), [2160, 3840]);
        assert_eq!(size(json!({"aspect_ratio": "1:1"}), [4, 3]), [1080, 1080]);
        assert_eq!(size(json!({}), [8000, 100]), [1920, 64]);
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
        let message = input(&json!({"grade": "noir"})).unwrap_err();
        assert_eq!(message, "`options.grade` must be one of warm, cool, vivid, soft");
        let message = input(&json!({"aspect_ratio": "4:3"})).unwrap_err();
        assert_eq!(message, "`options.aspect_ratio` must be one of 16:9, 9:16, 1:1");
    }
}
