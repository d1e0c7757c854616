//! The film of a marked boundary: the flight over the place with the boundary lying on the ground. Where the boundary is
//! known in a picture alone, that picture with the boundary over it; where none was found, the flight without one.
mod labels;
mod over_still;
mod plot;
pub(crate) mod timing;

use aerie_boundary::geojson;
use aerie_domain::{FailureCode, MarkupVideoInput, MarkupVideoOptions};
use aerie_render::marking::{Marking, MarkingState};
use aerie_scenery::Flight;
use serde_json::{Value, json};

use crate::drone_footage::{self, path_of, thumbnail_frame};
use crate::engine::{EngineContext, EngineError, Parent, Produced, Progress};
use crate::flown::{self, Flown};
use crate::{overlaid, told};
use labels::Labels;
use plot::Plot;
use timing::Timing;

/// Width of the line on the ground, meters, around a plot of usual size; larger plots have wider ones.
const WIDTH: f64 = 0.42;
/// Stands in the picture throughout, after what it is drawn from.
const APPROXIMATE: &str = "  ·  Boundaries are approximate";

/// Makes the film and its thumbnail from the job that it goes on from: its `boundary` (GeoJSON) and, where that is in
/// pixels, its picture `clean_image_url`. Further fields of the output: `boundary_shown`, and `boundary_reason` where it is
/// false.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`, with `IMAGE_UNREADABLE`, or with `ENGINE_ERROR`
/// where the markup is gone or its boundary is none; [`EngineError::Retry`] when device, encoder or disk failed;
/// [`EngineError::Canceled`].
pub fn run(input: &MarkupVideoInput, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let Some(parent) = context.parent else {
        return Err(failed("The markup of this video was deleted; mark the boundary again"));
    };
    let options = input.known_options();
    match parent.output.get("boundary") {
        None | Some(Value::Null) => {
            let mut produced = fly(&input.address, &options, None, context)?;
            produced.fields.insert("boundary_shown".into(), json!(false));
            let reason = parent.output.get("boundary_reason").cloned().unwrap_or_else(|| json!("not_measured"));
            produced.fields.insert("boundary_reason".into(), reason);
            Ok(produced)
        }
        Some(boundary) => {
            let boundary = geojson::told(boundary).map_err(|error| failed(&error.to_string()))?;
            let mut produced = match boundary.image {
                None => fly(&input.address, &options, Some(&boundary), context)?,
                Some(size) => {
                    let picture = parent.pictures.get("clean_image_url");
                    let picture = picture.ok_or_else(|| failed("The picture that the boundary lies on is gone"))?;
                    over_still::film(picture, &boundary, size, &input.address, &options, context)?
                }
            };
            produced.fields.insert("boundary_shown".into(), json!(true));
            Ok(produced)
        }
    }
}

fn failed(message: &str) -> EngineError {
    EngineError::Fail { code: FailureCode::EngineError, message: message.to_owned() }
}

/// The flight over the place, with the boundary on the ground where there is one.
fn fly(
    address: &str,
    options: &MarkupVideoOptions,
    boundary: Option<&geojson::Told>,
    context: &EngineContext<'_>,
) -> Result<Produced, EngineError> {
    let (direction, film) = (options.direction(), options.film());
    let told = |stage| (context.progress)(Progress { stage, done: 0, total: 0 });
    told("finding the address");
    let mut place = drone_footage::find(context, address, drone_footage::RADIUS)?;
    drone_footage::stop_if_canceled(context)?;
    told("building the scene");
    let plot = boundary.map(|boundary| Plot::of(boundary, place.origin));
    if plot.as_ref().is_some_and(|plot| plot.reach() > place.radius) {
        return Err(failed("The boundary does not lie at the address; draw it on a picture of the property"));
    }
    let corners = plot.as_ref().map(Plot::corners).unwrap_or_default();
    let flight = Flight::plan_with_plot(&place, path_of(direction), flown::take(film), &corners);
    let overlaid::Overlaid { mut scene, notice, account } =
        overlaid::scene(&mut place, &flight, context.data_dir, context.sources)?;
    let count = flight.cameras.len() as u32;
    let timing = Timing::of(count);
    let says = if let Some(plot) = &plot {
        scene.marking = Some(Marking {
            rings: plot.rings(),
            color: options.color().map(|v| f32::from(v) / 255.0),
            width: (WIDTH * (plot.extent() / 40.0).clamp(0.8, 8.0)) as f32,
        });
        "The boundary is as it was marked, laid on the ground; it is approximate and no survey."
    } else {
        "No boundary was found in the markup; none is shown."
    };
    let labels = match &plot {
        Some(plot) if options.labels() => {
            Some(Labels::place(&place, plot, &flight, timing, film).map_err(flown::retry)?)
        }
        _ => None,
    };
    let flown = Flown {
        place: &place,
        flight: &flight,
        scene,
        film,
        thumbnail: thumbnail_frame(direction, count).max(timing.complete()),
        account: format!("{says} {account}{}", told::account(&place, direction.as_str())),
        notice: if plot.is_some() { format!("{notice}{APPROXIMATE}") } else { notice.to_owned() },
    };
    let drawn = |frame| if plot.is_some() { timing.drawn(frame) } else { MarkingState::HIDDEN };
    flown.shoot(context, drawn, |frame, picture, nv12| {
        if let Some(labels) = &labels {
            labels.blend(frame, picture, nv12);
        }
    })
}

/// Whether a boundary lies on a picture alone, rather than on the ground.
///
/// # Errors
/// Why it is none.
pub fn is_in_pixels(boundary: &Value) -> Result<bool, geojson::NotABoundary> {
    Ok(geojson::told(boundary)?.image.is_some())
}

/// What a video is made of where there is no job to go on from: a boundary, and the picture that it lies on where it is in
/// pixels.
#[must_use]
pub fn from_files(boundary: Value, picture: Option<std::path::PathBuf>) -> Parent {
    let mut parent = Parent::default();
    parent.output.insert("boundary".into(), boundary);
    parent.pictures.extend(picture.map(|path| ("clean_image_url".to_owned(), path)));
    parent
}
