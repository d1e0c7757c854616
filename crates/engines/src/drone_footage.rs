//! Aerial drone footage of an address: geocode, gather the place, build the scene, fly, encode.

use aerie_domain::{Direction, DroneFootageRequest, FailureCode};
use aerie_geodata::place::Place;
use aerie_geodata::{GeocodeError, Pack, Precision, WorldError, locate};
use aerie_render::marking::{Marking, MarkingState};
use aerie_scenery::{Flight, Side};

use crate::engine::{EngineContext, EngineError, Produced, Progress};
use crate::flown::{self, Flown};
use crate::markup_video::timing::Timing;
use crate::pinned::Pin;
use crate::{overlaid, told};

/// How far round the property buildings, roads and trees are shown, meters.
pub(crate) const RADIUS: f64 = 1200.0;

/// Makes the film and its thumbnail.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`, [`EngineError::Retry`] when the device or the
/// encoder failed, [`EngineError::Canceled`].
pub fn run(request: &DroneFootageRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let (direction, film) = (request.direction(), request.film());
    let told = |stage, done, total| (context.progress)(Progress { stage, done, total });
    told("finding the address", 0, 0);
    let mut place = find(context, &request.address, RADIUS)?;
    stop_if_canceled(context)?;
    told("building the scene", 0, 0);
    let flight = Flight::plan(&place, path_of(direction), flown::take(film));
    let mut overlaid = overlaid::scene(&mut place, &flight, context.data_dir, context.sources)?;
    let count = flight.cameras.len() as u32;
    let timing = Timing::of(count);
    let mut says = overlaid.account;
    let mut notice = overlaid.notice.to_owned();
    if request.highlight() {
        let (outline, of) = outline(&place);
        says.push_str(&format!("The outline on the ground is {of}; it is approximate and no survey. "));
        notice.push_str("  ·  Boundaries are approximate");
        overlaid.scene.marking = Some(Marking { rings: outline, color: OUTLINE, width: 0.42 });
    }
    let pin = match request.label() {
        true => Some(Pin::new(&place, &flight, film).map_err(flown::retry)?),
        false => None,
    };
    let mut thumbnail = thumbnail_frame(direction, count);
    if request.highlight() {
        thumbnail = thumbnail.max(timing.complete());
    }
    let flown = Flown {
        place: &place,
        flight: &flight,
        scene: overlaid.scene,
        film,
        thumbnail,
        account: format!("{says}{}", told::account(&place, direction.as_str())),
        notice,
    };
    let drawn = |frame| if request.highlight() { timing.drawn(frame) } else { MarkingState::HIDDEN };
    flown.shoot(context, drawn, |frame, picture, nv12| {
        if let Some(pin) = &pin {
            pin.blend(frame, picture, nv12);
        }
    })
}

/// Color of the outline, sRGB: seen on grass, paving and roofs alike.
const OUTLINE: [f32; 3] = [1.0, 0.83, 0.0];
/// How far a building's own outline is drawn outside its walls, meters, so that its eaves do not hide it.
const OUTSIDE: f64 = 1.1;

/// The rings that `highlight` draws, and what they are. A plot that nobody has drawn is not guessed.
fn outline(place: &Place) -> (Vec<Vec<glam::Vec2>>, &'static str) {
    let ring = |ring: &[aerie_geodata::place::Point]| -> Vec<glam::Vec2> {
        ring.iter().map(|p| glam::Vec2::new(p[0] as f32, p[1] as f32)).collect()
    };
    match &place.property.parcel {
        Some(parcel) => (vec![ring(&parcel.outer)], "that of the imported parcel"),
        None => {
            let around = aerie_scenery::outset(&place.property.footprint.outer, OUTSIDE);
            let of = if place.property.building.is_some() {
                "that of the building, as no parcel is imported"
            } else {
                "a square of 18 m round the address, as neither parcel nor building is mapped"
            };
            (vec![ring(&around)], of)
        }
    }
}

pub(crate) fn stop_if_canceled(context: &EngineContext<'_>) -> Result<(), EngineError> {
    if context.cancel.is_canceled() { Err(EngineError::Canceled) } else { Ok(()) }
}

/// The place at an address, with what stands within `radius` meters: out of what is imported, or of the online sources that are
/// switched on.
pub(crate) fn find(context: &EngineContext<'_>, address: &str, radius: f64) -> Result<Place, EngineError> {
    let world = |e: WorldError| EngineError::Retry(e.to_string());
    let not_found = |why: &str| {
        let pack = Pack::open(context.data_dir).map_err(world)?;
        let message = format!("{why}. {}", map_data(&pack));
        Err(EngineError::Fail { code: FailureCode::AddressNotFound, message })
    };
    match locate(context.data_dir, context.sources, address) {
        Ok(located) if located.found.precision == Precision::Interpolated => not_found(&format!(
            "{} is only reckoned between its neighbors: which house it is, no source says, and no other house is shown in its \
             stead",
            located.found.matched
        )),
        Ok(located) => located.place(radius, context.sources).map_err(world),
        Err(GeocodeError::World(error)) => Err(world(error)),
        Err(error @ GeocodeError::Ambiguous { .. }) => {
            Err(EngineError::Fail { code: FailureCode::AddressAmbiguous, message: error.to_string() })
        }
        Err(error) => not_found(&error.to_string()),
    }
}

/// What map data there is, how to add more, and an address that works.
fn map_data(pack: &Pack) -> String {
    let summary = pack.summary();
    let loaded = if summary.is_sample {
        "No map data is imported, only the sample town is there".to_owned()
    } else {
        format!("Map data: {} ({} house numbers)", summary.files.join(", "), summary.addresses)
    };
    format!("{loaded}; the operator adds more with `aerie import`. An address that works: {}", summary.example_address)
}

/// The flight of a direction.
#[must_use]
pub fn path_of(direction: Direction) -> aerie_scenery::Path {
    use aerie_scenery::Path;
    match direction {
        Direction::Original => Path::Original,
        Direction::North => Path::From(Side::North),
        Direction::South => Path::From(Side::South),
        Direction::East => Path::From(Side::East),
        Direction::West => Path::From(Side::West),
        Direction::TopdownZoomout => Path::TopdownRising,
        Direction::TopdownZoomin => Path::TopdownSinking,
    }
}

/// The frame that shows most: close, and from the side that is lit.
pub(crate) fn thumbnail_frame(direction: Direction, count: u32) -> u32 {
    match direction {
        Direction::Original => count * 45 / 100,
        Direction::TopdownZoomout => count * 35 / 100,
        Direction::TopdownZoomin => count * 65 / 100,
        _ => count * 80 / 100,
    }
}
