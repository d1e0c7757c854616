//! Markup video: a flight over the place with the marked boundary on the ground. Where the boundary is known only in pixels of
//! a picture, the video shows that picture with the boundary over it; where none was found, the flight without one.
mod area;
mod labels;
mod over_still;
mod plot;
mod stand;
mod view;

use aerie_boundary::geojson;
use aerie_engine_api::FailureCode;
use aerie_engine_api::kinds::markup_video::{CLEAN_PICTURE, MarkupVideoInput, MarkupVideoOptions};
use aerie_engine_api::{EngineContext, EngineError, Produced};
use aerie_render::marking::{Marking, MarkingState};
use aerie_scenery::Flight;
use serde_json::{Value, json};

use crate::footage::{self, Footage, path_of, thumbnail_frame};
use crate::location::{self, RADIUS, find};
use crate::overlay::Overlay;
use crate::timing::Timing;
use crate::{overlay, report};
use labels::Labels;
use plot::Plot;

/// Width of the line on the ground around a plot of usual size, meters. Larger plots get wider lines.
const WIDTH: f64 = 0.42;
/// Appended to the caption of every frame.
const APPROXIMATE: &str = "  ·  Boundaries are approximate";

/// Makes the video and its thumbnail from the parent job: its `boundary` (GeoJSON) and, where that is in pixels, its picture
/// `clean_image_url`. Further fields of the output: `boundary_shown`, and `boundary_reason` where it is
/// false.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`, with `IMAGE_UNREADABLE`, or with `ENGINE_ERROR`
/// where the markup was deleted or its boundary is invalid; [`EngineError::Retry`] when device, encoder or disk failed;
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
            let boundary = geojson::parse(boundary).map_err(|error| failed(&error.to_string()))?;
            let mut produced = match boundary.image {
                None => fly(&input.address, &options, Some(&boundary), context)?,
                Some(size) => {
                    let picture = parent.pictures.get(CLEAN_PICTURE);
                    let picture = picture
                        .ok_or_else(|| failed("The picture with the boundary was deleted; mark the boundary again"))?;
                    over_still::film(picture, &boundary, size, &input.address, &options, context)?
                }
            };
            produced.fields.insert("boundary_shown".into(), json!(true));
            Ok(produced)
        }
    }
}

fn failed(message: &str) -> EngineError {
    EngineError::fail(FailureCode::EngineError, message.to_owned())
}

/// Films the flight over the place, with the boundary on the ground if there is one.
fn fly(
    address: &str,
    options: &MarkupVideoOptions,
    boundary: Option<&geojson::ParsedBoundary>,
    context: &EngineContext<'_>,
) -> Result<Produced, EngineError> {
    let (direction, film) = (options.direction(), options.film());
    context.report("finding the address", 0, 0);
    let mut place = find(context, address, RADIUS)?;
    context.stop_if_canceled()?;
    context.report("building the scene", 0, 0);
    let plot = boundary.map(|boundary| Plot::of(boundary, place.origin));
    if plot.as_ref().is_some_and(|plot| plot.reach() > place.radius) {
        return Err(failed("The boundary is too far from the address; draw it on a picture of the property"));
    }
    let corners = plot.as_ref().map(Plot::corners).unwrap_or_default();
    let flight = Flight::plan_with_plot(&place, path_of(direction), footage::take(film), &corners);
    let Overlay { mut scene, notice, has_imagery, report: about_overlay } =
        overlay::scene(&mut place, &flight, &location::map(context)?, context.sources)?;
    let count = flight.cameras.len() as u32;
    let timing = Timing::of(count);
    let about_boundary = if let Some(plot) = &plot {
        scene.marking = Some(Marking {
            rings: plot.rings(),
            color: options.color().map(|v| f32::from(v) / 255.0),
            width: (WIDTH * (plot.extent() / 40.0).clamp(0.8, 8.0)) as f32,
        });
        "The boundary is shown on the ground as it was marked; it is approximate and not a survey."
    } else {
        "No boundary was found in the markup, so none is shown."
    };
    let labels = match &plot {
        Some(plot) if options.labels() => {
            Some(Labels::place(&place, plot, &flight, timing, film).map_err(footage::retry)?)
        }
        _ => None,
    };
    let footage = Footage {
        place: &place,
        flight: &flight,
        scene,
        film,
        thumbnail: thumbnail_frame(direction, count).max(timing.complete()),
        report: format!("{about_boundary} {about_overlay}{}", report::film(&place, direction.as_str())),
        notice: if plot.is_some() { format!("{notice}{APPROXIMATE}") } else { notice.to_owned() },
        has_imagery,
    };
    let drawn = |frame| if plot.is_some() { timing.drawn(frame) } else { MarkingState::HIDDEN };
    footage.shoot(context, drawn, |frame, picture, nv12| {
        if let Some(labels) = &labels {
            labels.blend(frame, picture, nv12);
        }
    })
}
