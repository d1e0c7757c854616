//! Video clip: reconstruct what the photo shows, plan a camera path, film it. Several photos become a film, shot by shot.

mod alteration;
mod files;
mod film;
mod motion;
pub mod take;

use aerie_engine_api::kinds::video_clip::VideoClipRequest;
use aerie_engine_api::{EngineContext, EngineError, Produced};
use aerie_render::encode::{Encoder, Encoding};
use aerie_render::{Gpu, RenderError, still};
use serde_json::json;

use crate::footage::retry;
use crate::photos;
use alteration::Alteration;
use files::{IMAGE, produced, read_layers, unreadable};
use take::RATE;
pub use take::Take;

/// Films the photo at `image_url`, and those in `options.photos`. Makes `video_url` and `thumbnail_url`, and the fields `duration`
/// (seconds), `motion` (what the camera does, which parts of the prompt were recognized, what limited the motion) and `disclosure`.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE`, [`EngineError::Retry`] when the device or the encoder failed,
/// [`EngineError::Canceled`].
pub fn run(request: &VideoClipRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    if request.further_photos().is_empty() { clip(request, context) } else { film::run(request, context) }
}

fn clip(request: &VideoClipRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    context.enter("reading the photo")?;
    let photo = aerie_photo::decode_file(context.input(IMAGE)?).map_err(|e| unreadable(e.to_string()))?;
    if let Some(message) = photos::not_flat(&photo) {
        return Err(unreadable(message));
    }
    let layers = read_layers(context, IMAGE)?;
    let alteration = Alteration::of(context.input(IMAGE)?, layers.is_some())?;
    context.enter("understanding the photo")?;
    let take = Take::of(request, photo, layers).map_err(|e| unreadable(e.to_string()))?;
    let report = motion::report(&take, alteration);
    let video = context.out_dir.join("video.mp4");
    let thumbnail = context.out_dir.join("thumbnail.jpg");
    let count = RATE * u32::try_from(request.duration()).unwrap_or(5);
    let encoding = Encoding {
        rate: RATE,
        quality: 16,
        preset: "veryfast",
        title: "A clip from one photo".into(),
        comment: report.disclosure.clone(),
    };
    let gpu = Gpu::open().map_err(retry)?;
    let picture = take.picture();
    let renderer = take.renderer(&gpu).map_err(retry)?;
    let label = alteration.label(request.options.as_ref()).map(|text| alteration::label(picture, text));
    let label = label.transpose().map_err(retry)?;
    let mut encoder = Encoder::start(&video, picture, &encoding).map_err(retry)?;
    let photo_frame = if take.course.is_photo(0.0) { 0 } else { count - 1 };
    let drawn = renderer.render(
        count,
        |number| take.shot(f64::from(number) / f64::from(count - 1), count),
        |number, nv12| {
            let mut nv12 = nv12.to_vec();
            if let Some(label) = &label {
                label.blend(picture, &mut nv12, 1.0);
            }
            if number == photo_frame {
                still::write_jpeg(&thumbnail, picture, &nv12, 88, Some(&encoding.comment))?;
            }
            encoder.write(nv12)?;
            context.report("drawing", u64::from(number) + 1, u64::from(count));
            context.stop_if_canceled().map_err(|_| RenderError::Canceled)
        },
    );
    drawn.map_err(retry)?;
    context.enter("finishing the clip")?;
    encoder.finish().map_err(retry)?;
    let disclosure = json!({
        "text": report.disclosure,
        "digital_source_type": motion::source_type(alteration != Alteration::Unaltered),
        "altered": alteration != Alteration::Unaltered,
        "staged": alteration == Alteration::Staged,
        "synthesized_percent": motion::percent(take.synthesized),
    });
    Ok(produced([video, thumbnail], request.duration(), report.motion, disclosure))
}
