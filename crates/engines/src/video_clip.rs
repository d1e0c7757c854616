//! Video clip: reconstruct what the photo shows, plan a camera path, film it. Several photos become a film, shot by shot.

mod film;
mod motion;
pub mod take;

use std::path::{Path, PathBuf};

use aerie_domain::kinds::video_clip::VideoClipRequest;
use aerie_domain::{FailureCode, layers};
use aerie_photo::Layers;
use aerie_render::encode::{Encoder, Encoding};
use aerie_render::{Gpu, RenderError, still};
use serde_json::{Value, json};

use crate::engine::{EngineContext, EngineError, Produced, ProducedFile};
use crate::footage::retry;
use crate::photos;
use take::RATE;
pub use take::Take;

/// The first photo among the inputs.
const IMAGE: &str = "image_url";

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
    let layers = read_layers(context, IMAGE)?;
    context.enter("understanding the photo")?;
    let take = Take::of(request, photo, layers).map_err(|e| unreadable(e.to_string()))?;
    let report = motion::report(&take);
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
    let mut encoder = Encoder::start(&video, picture, &encoding).map_err(retry)?;
    let photo_frame = if take.course.is_photo(0.0) { 0 } else { count - 1 };
    let drawn = renderer.render(
        count,
        |number| take.shot(f64::from(number) / f64::from(count - 1), count),
        |number, nv12| {
            if number == photo_frame {
                still::write_jpeg(&thumbnail, picture, nv12, 88, Some(&encoding.comment))?;
            }
            encoder.write(nv12.to_vec())?;
            context.report("drawing", u64::from(number) + 1, u64::from(count));
            context.stop_if_canceled().map_err(|_| RenderError::Canceled)
        },
    );
    drawn.map_err(retry)?;
    context.enter("finishing the clip")?;
    encoder.finish().map_err(retry)?;
    let disclosure = json!({
        "text": report.disclosure,
        "digital_source_type": motion::source_type(take.is_staged),
        "synthesised_percent": motion::percent(take.synthesized),
    });
    Ok(produced([video, thumbnail], request.duration(), report.motion, disclosure))
}

/// The output: video and thumbnail, duration in seconds, motion and disclosure.
fn produced([video, thumbnail]: [PathBuf; 2], seconds: i64, motion: Value, disclosure: Value) -> Produced {
    let fields = [("duration", json!(seconds)), ("motion", motion), ("disclosure", disclosure)];
    Produced {
        files: vec![
            ProducedFile::new("video_url", video, "video/mp4"),
            ProducedFile::new("thumbnail_url", thumbnail, "image/jpeg"),
        ],
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        ..Produced::default()
    }
}

/// The photo itself is at fault, so that another attempt would fail, too.
fn unreadable(message: String) -> EngineError {
    EngineError::Fail { code: FailureCode::ImageUnreadable, message }
}

/// The layers of a staged picture, if they came with it; `picture` is its name among the inputs. Layers of another picture are
/// ignored.
fn read_layers(context: &EngineContext<'_>, picture: &str) -> Result<Option<Layers>, EngineError> {
    let Some(path) = context.inputs.get(&layers::input_of(picture)) else { return Ok(None) };
    let read = |path: &Path| std::fs::read(path).map_err(|e| EngineError::Retry(format!("cannot read the photo: {e}")));
    let picture = photos::identity(&read(context.input(picture)?)?);
    // Untrusted: unreadable layers are ignored.
    Ok(Layers::read(&read(path)?).ok().filter(|layers| layers.picture == picture))
}
