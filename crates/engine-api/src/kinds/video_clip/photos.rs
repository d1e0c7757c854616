//! The further photos of a film.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::{Fields, ValidationError};

/// Greatest number of photos after the first.
pub const MAX_FURTHER_PHOTOS: usize = 39;
/// Maximum length of a caption, characters: what fits across a portrait film.
pub const MAX_CAPTION: usize = 40;
/// Allowed durations of a film, seconds.
pub(super) const FILM_SECONDS: RangeInclusive<i64> = 15..=60;
/// Usual time for a photo, seconds.
const USUAL_SECONDS: i64 = 4;

/// A further photo of a film.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FilmPhoto {
    /// Publicly accessible HTTP or HTTPS image URL.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 2048,
            pattern = r"\S",
            format = "uri",
            example = "https://example.com/kitchen.jpg"
        )
    )]
    pub image_url: String,
    /// Text over the part of the film that shows this photo, such as the name of the room. Defaults to none.
    #[cfg_attr(feature = "openapi", schema(max_length = 40, example = "Kitchen"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
}

/// Usual duration of a film of that many photos, seconds.
pub(super) fn usual_seconds(photos: usize) -> i64 {
    let seconds = i64::try_from(photos).unwrap_or(i64::MAX).saturating_mul(USUAL_SECONDS);
    seconds.clamp(*FILM_SECONDS.start(), *FILM_SECONDS.end())
}

/// Reads the further photos, if the clip is a film.
pub(super) fn read(options: &Fields<'_>) -> Result<Option<Vec<FilmPhoto>>, ValidationError> {
    let Some(entries) = options.objects("photos", 1..=MAX_FURTHER_PHOTOS)? else { return Ok(None) };
    let photo = |entry: &Fields<'_>| {
        Ok(FilmPhoto {
            image_url: entry.required_url("image_url")?.to_owned(),
            caption: entry.text("caption", MAX_CAPTION)?.map(str::to_owned),
        })
    };
    entries.iter().map(photo).collect::<Result<_, _>>().map(Some)
}

/// Reads the caption of the first photo.
pub(super) fn caption(options: &Fields<'_>, is_film: bool) -> Result<Option<String>, ValidationError> {
    match options.text("caption", MAX_CAPTION)? {
        Some(_) if !is_film => Err(options.wrong("caption", "is for films: a clip from one photo has no captions")),
        caption => Ok(caption.map(str::to_owned)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::VideoClipRequest;

    fn read(options: &Value) -> Result<VideoClipRequest, String> {
        VideoClipRequest::from_body(&json!({"image_url": "u", "options": options})).map_err(|error| error.to_string())
    }

    fn photos(count: usize) -> Value {
        (0..count).map(|number| json!({"image_url": number.to_string()})).collect()
    }

    #[test]
    fn photos_are_kept_with_their_captions_in_order() {
        let options = json!({"photos": [{"image_url": "a", "caption": "Kitchen", "x": 1}, {"image_url": "b"}], "caption": "Hall"});
        let kept = json!({"photos": [{"image_url": "a", "caption": "Kitchen"}, {"image_url": "b"}], "caption": "Hall"});
        assert_eq!(serde_json::to_value(read(&options).unwrap()).unwrap()["options"], kept);
        assert!(read(&json!({"photos": null})).unwrap().further_photos().is_empty());
    }

    #[test]
    fn a_wrong_photo_is_named_by_its_index() {
        let entry =
            |third: Value| read(&json!({"photos": [{"image_url": "a"}, {"image_url": "b"}, third]})).unwrap_err();
        assert_eq!(entry(json!("c")), "`options.photos[2]` must be an object");
        assert!(entry(json!({"caption": "c"})).starts_with("`options.photos[2].image_url` is required"));
        let long = entry(json!({"image_url": "c", "caption": "c".repeat(41)}));
        assert_eq!(long, "`options.photos[2].caption` must be at most 40 characters long");
        for wrong in [json!([]), json!({}), json!("a"), photos(40)] {
            let message = read(&json!({"photos": wrong})).unwrap_err();
            assert_eq!(message, "`options.photos` must be an array of 1 to 39 objects");
        }
        assert!(read(&json!({"photos": photos(39)})).is_ok());
    }

    #[test]
    fn a_film_lasts_15_to_60_seconds_and_usually_4_for_each_photo() {
        let film = |count: usize, duration: Value| read(&json!({"photos": photos(count), "duration": duration}));
        for (count, seconds) in [(1, 15), (3, 16), (9, 40), (39, 60)] {
            assert_eq!(film(count, Value::Null).unwrap().duration(), seconds);
        }
        assert_eq!(film(1, json!(60)).unwrap().duration(), 60);
        for wrong in [5, 14, 61] {
            let message = film(2, json!(wrong)).unwrap_err();
            assert_eq!(message, "`options.duration` must be an integer from 15 to 60");
        }
    }

    #[test]
    fn a_film_is_wide_unless_another_shape_is_asked_for() {
        assert_eq!(read(&json!({"photos": photos(1)})).unwrap().size([3, 4]), [1920, 1080]);
        let tall = json!({"photos": photos(1), "aspect_ratio": "9:16", "resolution": "720p"});
        assert_eq!(read(&tall).unwrap().size([4, 3]), [720, 1280]);
    }

    #[test]
    fn a_caption_without_further_photos_is_refused() {
        let message = read(&json!({"caption": "Kitchen"})).unwrap_err();
        assert_eq!(message, "`options.caption` is for films: a clip from one photo has no captions");
        assert!(read(&json!({"caption": " "})).is_ok());
    }
}
