//! Drone footage of an address: geocode, gather the place, build the scene, fly, encode.

use aerie_domain::kinds::drone_footage::DroneFootageRequest;
use aerie_geodata::place::Place;
use aerie_render::marking::{Marking, MarkingState};
use aerie_scenery::Flight;

use crate::engine::{EngineContext, EngineError, Produced};
use crate::footage::{self, Footage, path_of, thumbnail_frame};
use crate::location::{RADIUS, find};
use crate::pin::Pin;
use crate::timing::Timing;
use crate::{overlay, report, warnings};

/// Makes the video and its thumbnail.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`, [`EngineError::Retry`] when the device or the
/// encoder failed, [`EngineError::Canceled`].
pub fn run(request: &DroneFootageRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let (direction, film) = (request.direction(), request.film());
    context.report("finding the address", 0, 0);
    let mut place = find(context, &request.address, RADIUS)?;
    context.stop_if_canceled()?;
    context.report("building the scene", 0, 0);
    let flight = Flight::plan(&place, path_of(direction), footage::take(film));
    let mut overlay = overlay::scene(&mut place, &flight, &context.map()?, context.sources)?;
    let count = flight.cameras.len() as u32;
    let timing = Timing::of(count);
    let mut about = overlay.report;
    let mut notice = overlay.notice.to_owned();
    if request.highlight() {
        let (outline, of) = outline(&place);
        about.push_str(&format!("The outline on the ground is {of}; it is approximate and not a survey. "));
        notice.push_str("  ·  Boundaries are approximate");
        overlay.scene.marking = Some(Marking { rings: outline, color: OUTLINE, width: 0.42 });
    }
    let pin = match request.label() {
        true => Some(Pin::new(&place, &flight, film).map_err(footage::retry)?),
        false => None,
    };
    let mut thumbnail = thumbnail_frame(direction, count);
    if request.highlight() {
        thumbnail = thumbnail.max(timing.complete());
    }
    let footage = Footage {
        place: &place,
        flight: &flight,
        scene: overlay.scene,
        film,
        thumbnail,
        report: format!("{about}{}", report::film(&place, direction.as_str())),
        notice,
    };
    let drawn = |frame| if request.highlight() { timing.drawn(frame) } else { MarkingState::HIDDEN };
    let mut produced = footage.shoot(context, drawn, |frame, picture, nv12| {
        if let Some(pin) = &pin {
            pin.blend(frame, picture, nv12);
        }
    })?;
    let warnings = warnings::about(&place);
    if !warnings.is_empty() {
        produced.fields.insert("warnings".into(), warnings.into());
    }
    Ok(produced)
}

/// Color of the outline, sRGB. Yellow stands out on grass, paving and roofs.
const OUTLINE: [f32; 3] = [1.0, 0.83, 0.0];
/// Distance between a building's walls and its outline, meters, so that its eaves do not hide the outline.
const OUTSIDE: f64 = 1.1;

/// The rings that `highlight` draws, and what they represent. Without a parcel the plot is not guessed.
fn outline(place: &Place) -> (Vec<Vec<glam::Vec2>>, &'static str) {
    let ring = |ring: &[aerie_geodata::place::Point]| -> Vec<glam::Vec2> {
        ring.iter().map(|p| glam::Vec2::new(p[0] as f32, p[1] as f32)).collect()
    };
    match &place.property.parcel {
        Some(parcel) => (vec![ring(&parcel.outer)], "that of the imported parcel"),
        None => {
            let around = aerie_scenery::outset(&place.property.footprint.outer, OUTSIDE);
            let of = if place.property.building.is_some() {
                "that of the building, because no parcel is imported"
            } else {
                "a square of 18 m around the address, because neither parcel nor building is mapped"
            };
            (vec![ring(&around)], of)
        }
    }
}
