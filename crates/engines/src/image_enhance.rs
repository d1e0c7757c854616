//! Image enhancement: decode, merge exposures, enhance, encode, and report what was done.

mod exposures;

use aerie_engine_api::kinds::image_enhance::{EnhancePreset, ImageEnhanceRequest};
use aerie_engine_api::{EngineContext, EngineError, Notes, Produced, ProducedFile};
use aerie_photo::{EnhanceOptions, Enhanced, ListingLooks, Look, OutputOptions, Preset};
use serde_json::{Value, json};

use crate::photos;

/// The note that holds a photo's [`Look`] for the other photos of its listing.
const INTENT: &str = "intent";

/// Enhances the photo at `image_url`. Makes `image_url` in the requested format, `thumbnail_url` (JPEG), and the
/// fields `width`, `height`, `adjustments` (an [`aerie_photo::Report`]) and `disclosure` (an
/// [`aerie_photo::Disclosure`]); with `mls` also `mls_url`, and with `exposures`, which are merged into the photo before, also
/// `exposures` (an [`aerie_photo::bracket::MergeReport`]). `original_url` is the photo as supplied. Notes the photo's settings for the other photos of its
/// listing, and follows the settings of those before it.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE` or `EXPOSURE_MISMATCH`, [`EngineError::Retry`] when the disk failed,
/// [`EngineError::Canceled`].
pub fn run(request: &ImageEnhanceRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let options = request.options.clone().unwrap_or_default();
    context.enter("reading the photo")?;
    let (photo, merged) = match request.further_exposures() {
        0 => (photos::read(context)?, None),
        further => exposures::merge(further, context).map(|(photo, merged)| (photo, Some(merged)))?,
    };
    context.enter("enhancing")?;
    let (exif, panorama) = (photo.exif.clone(), photo.panorama.clone());
    let enhancement = EnhanceOptions::new(preset(options.preset.unwrap_or_default()), options.prompt.as_deref());
    let shared = shared(context.listing);
    let Enhanced { picture, report, look } = aerie_photo::enhance(photo, &enhancement, Some(&shared));
    context.enter("writing the photo")?;
    let disclosure = report.disclosure();
    let finish = OutputOptions {
        format: photos::format(options.format.unwrap_or_default()),
        max_size: options.max_size.and_then(|side| u32::try_from(side).ok()),
        label: options.label.or_else(|| options.label_if_altered.filter(|_| disclosure.altered)),
        panorama,
    };
    let written = aerie_photo::encode(&picture, &finish, &disclosure, &report.steps(), exif.as_deref());
    let written = written.map_err(photos::unwritable)?;
    let small = aerie_photo::thumbnail(&picture, &finish, &disclosure).map_err(photos::unwritable)?;
    let image = photos::keep(context.out_dir, &format!("image.{}", finish.format.extension()), &written.bytes)?;
    let thumbnail = photos::keep(context.out_dir, "thumbnail.jpg", &small)?;
    let mut files = vec![
        ProducedFile::new("image_url", image, finish.format.media_type()),
        ProducedFile::new("thumbnail_url", thumbnail, "image/jpeg"),
    ];
    let mut fields = vec![
        ("width", json!(written.width)),
        ("height", json!(written.height)),
        ("adjustments", as_json(&report)?),
        ("disclosure", json!(disclosure)),
    ];
    if let Some(merged) = merged {
        fields.push(("exposures", as_json(&merged)?));
    }
    if options.mls == Some(true) {
        let metadata = (&report.steps()[..], exif.as_deref());
        let (file, [width, height]) = photos::keep_for_mls(context.out_dir, &picture, &finish, &disclosure, metadata)?;
        files.push(file);
        fields.extend([("mls_width", json!(width)), ("mls_height", json!(height))]);
    }
    Ok(Produced {
        files,
        originals: vec![("original_url".into(), "image_url".into())],
        notes: Notes::from_iter([(INTENT.to_owned(), as_json(&look)?)]),
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        origin: None,
    })
}

/// As JSON by way of text, in which an `f32` of 1.6 stays 1.6 instead of the nearest `f64`.
fn as_json(what: &impl serde::Serialize) -> Result<Value, EngineError> {
    serde_json::to_string(what)
        .and_then(|text| serde_json::from_str(&text))
        .map_err(|e| EngineError::Retry(format!("cannot write the report: {e}")))
}

/// Settings of the earlier photos of the listing. Unreadable notes of another version are skipped.
fn shared(listing: &[Notes]) -> ListingLooks {
    let read = |notes: &Notes| serde_json::from_value::<Look>(notes.get(INTENT)?.clone()).ok();
    ListingLooks { photos: listing.iter().filter_map(read).collect() }
}

fn preset(preset: EnhancePreset) -> Preset {
    match preset {
        EnhancePreset::Natural => Preset::Natural,
        EnhancePreset::Bright => Preset::Bright,
        EnhancePreset::Warm => Preset::Warm,
        EnhancePreset::BlueSky => Preset::BlueSky,
    }
}
