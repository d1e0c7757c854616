//! A silent film of several photos: each moves as a clip of one photo does, and goes over into the next while the camera moves on.
//!
//! All photos are read first, to report a bad one before any is filmed and to compare each with the next. Then they are filmed one
//! after the other, and no more than one is in memory.

mod joins;
mod moves;
mod reel;
mod report;
mod timeline;

use std::ops::Range;

use aerie_clip::prompt::CameraMove;
use aerie_clip::two_view::Drift;
use aerie_clip::{CameraRequest, Pace};
use aerie_engine_api::kinds::video_clip::VideoClipRequest;
use aerie_engine_api::{EngineContext, EngineError, Produced};
use aerie_photo::Photo;
use aerie_render::encode::{Encoder, Encoding};
use aerie_render::{Gpu, Picture, still};

use self::joins::PlannedJoin;
use self::moves::Family;
use self::reel::{Reel, ShotOnFilm};
use self::timeline::Timeline;
use super::alteration::{self, Alteration};
use super::files::{IMAGE, produced, read_layers, unreadable};
use super::take::{self, RATE, Take};
use crate::footage::retry;
use crate::photos;

/// A photo of a film.
struct FilmedPhoto<'a> {
    /// Its name among the inputs.
    input: String,
    /// Its field in the request.
    path: String,
    caption: Option<&'a str>,
}

/// Films the photos in their order.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE`, [`EngineError::Retry`] when the device or the encoder failed,
/// [`EngineError::Canceled`].
pub(super) fn run(request: &VideoClipRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let photos = photos_of(request);
    let [width, height] = request.size([16, 9]);
    let mut alterations = Vec::new();
    let mut joins: Vec<PlannedJoin> = Vec::new();
    let mut before = None;
    for number in 0..photos.len() {
        context.report("reading the photos", number as u64, photos.len() as u64);
        context.stop_if_canceled()?;
        let photo = read(&photos, number, context)?;
        let input = &photos[number].input;
        alterations.push(Alteration::of(context.input(input)?, read_layers(context, input)?.is_some())?);
        let features = joins::features(&photo, [width, height]);
        joins.extend(before.map(|before| joins::plan(&before, &features)));
        before = Some(features);
    }
    let timeline = Timeline::of(request.duration(), &joins.iter().map(|join| join.join).collect::<Vec<_>>());
    let mut report = report::FilmReport::of(request, &alterations, &joins);
    let [video, thumbnail] = ["video.mp4", "thumbnail.jpg"].map(|name| context.out_dir.join(name));
    let picture = Picture { width: width as u32, height: height as u32, supersampling: 1.0, vignette: 0.0 };
    let encoding = Encoding {
        rate: RATE,
        quality: 17,
        preset: "veryfast",
        title: format!("A film from {} photos", photos.len()),
        comment: report.summary(),
    };
    let gpu = Gpu::open().map_err(retry)?;
    let encoder = Encoder::start(&video, picture, &encoding).map_err(retry)?;
    let label =
        |altered: &Alteration| altered.label(request.options.as_ref()).map(|text| alteration::label(picture, text));
    let labels = alterations.iter().map(|altered| label(altered).transpose()).collect::<Result<_, _>>();
    let mut reel = Reel::new(encoder, picture, (&timeline, labels.map_err(retry)?), context);
    let mut last = None;
    for (number, frames) in timeline.shots.iter().enumerate() {
        context.enter("understanding the photo")?;
        let along = drift_around(&joins, number).map(joins::along);
        let take = understood(request, &photos, (number, frames), (last, along), context)?;
        last = Family::of(&take.course.verbs);
        report.add(&take, photos[number].caption, frames);
        let speed = take.motion.displacement / frames.len() as f64;
        let shot = ShotOnFilm::new(number, photos[number].caption, speed, picture).map_err(retry)?;
        let renderer = take.renderer(&gpu).map_err(retry)?;
        let count = frames.len() as u32;
        let drawn = renderer.render(
            count,
            |frame| take.shot(f64::from(frame) / f64::from(count - 1), count),
            |frame, nv12| {
                if number == 0 && frame == 0 {
                    let mut nv12 = nv12.to_vec();
                    reel.blend_label(0, &mut nv12);
                    still::write_jpeg(&thumbnail, picture, &nv12, 88, Some(&encoding.comment))?;
                }
                reel.add(&shot, frame, nv12.to_vec())
            },
        );
        drawn.map_err(retry)?;
    }
    context.enter("finishing the film")?;
    let ways = reel.finish().map_err(retry)?;
    let (motion, disclosure) = report.finished(&timeline, &ways);
    Ok(produced([video, thumbnail], request.duration(), motion, disclosure))
}

/// How the camera moves on the way from a photo, or else on the way to it.
fn drift_around(joins: &[PlannedJoin], number: usize) -> Option<Drift> {
    let drift = |at: usize| joins.get(at).and_then(|join| join.drift);
    drift(number).or_else(|| number.checked_sub(1).and_then(drift))
}

fn photos_of(request: &VideoClipRequest) -> Vec<FilmedPhoto<'_>> {
    let first = request.options.as_ref().and_then(|options| options.caption.as_deref());
    let first = FilmedPhoto { input: IMAGE.to_owned(), path: IMAGE.to_owned(), caption: first };
    let further = request.further_photos().iter().enumerate().map(|(at, photo)| FilmedPhoto {
        input: format!("options/photos/{at}/{IMAGE}"),
        path: format!("options.photos[{at}]"),
        caption: photo.caption.as_deref(),
    });
    std::iter::once(first).chain(further).collect()
}

/// Decodes a photo; an error names it.
fn read(photos: &[FilmedPhoto<'_>], number: usize, context: &EngineContext<'_>) -> Result<Photo, EngineError> {
    let photo = aerie_photo::decode_file(context.input(&photos[number].input)?);
    let photo = photo.map_err(|error| unreadable(about(photos, number, &error)))?;
    match photos::not_flat(&photo) {
        Some(why) => Err(unreadable(about(photos, number, &why))),
        None => Ok(photo),
    }
}

fn about(photos: &[FilmedPhoto<'_>], number: usize, error: &dyn std::fmt::Display) -> String {
    format!("photo {} of {}, `{}`: {error}", number + 1, photos.len(), photos[number].path)
}

/// A photo with its path, which takes the time of its frames.
fn understood(
    request: &VideoClipRequest,
    photos: &[FilmedPhoto<'_>],
    (number, frames): (usize, &Range<u32>),
    (last, along): (Option<Family>, Option<CameraMove>),
    context: &EngineContext<'_>,
) -> Result<Take, EngineError> {
    let layers = read_layers(context, &photos[number].input)?;
    let photo = read(photos, number, context)?;
    let seconds = frames.len() as f64 / f64::from(RATE);
    let take = Take::choose(request, photo, layers, |model, photo| {
        let wanted = CameraRequest { seconds, ..take::wanted(request, photo) };
        moves::candidates(&model.proxy, &wanted, last, along)
    });
    let mut take = take.map_err(|error| unreadable(about(photos, number, &error)))?;
    take.course.pace = Pace { starts_at_rest: number == 0, ends_at_rest: number + 1 == photos.len() };
    Ok(take)
}
