//! Drone footage of an address: geocode, gather the place, build the scene, fly, encode.

mod highlight;
mod preview;
mod texts;

use aerie_engine_api::kinds::drone_footage::DroneFootageRequest;
use aerie_engine_api::{EngineContext, EngineError, Produced};
use aerie_render::marking::MarkingState;
use aerie_scenery::Flight;

use self::highlight::Highlight;
use self::texts::{Texts, warn};
use crate::footage::{self, Footage, path_of, thumbnail_frame};
use crate::location::{self, RADIUS, find};
use crate::pin::Pin;
use crate::timing::Timing;
use crate::{overlay, report};

/// Makes the video and its thumbnail; for a preview, a still of each direction.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`, [`EngineError::Retry`] when the device or the
/// encoder failed, [`EngineError::Canceled`].
pub fn run(request: &DroneFootageRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    if request.preview {
        return preview::run(request, context);
    }
    let (direction, film) = (request.direction(), request.film());
    context.report("finding the address", 0, 0);
    let mut place = find(context, &request.address, RADIUS)?;
    context.stop_if_canceled()?;
    context.report("building the scene", 0, 0);
    let flight = Flight::plan(&place, path_of(direction), footage::take(film));
    let mut overlay = overlay::scene(&mut place, &flight, &location::map(context)?, context.sources)?;
    let count = flight.cameras.len() as u32;
    let timing = Timing::of(count);
    let mut texts = Texts { about: overlay.report, notice: overlay.notice.to_owned() };
    let highlight = request.highlight().then(|| texts.highlight(&place));
    overlay.scene.marking = highlight.as_ref().and_then(Highlight::marking);
    let pin = match request.label() {
        true => Some(Pin::new(&place, &flight, film.size()).map_err(footage::retry)?),
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
        report: format!("{}{}", texts.about, report::film(&place, direction.as_str())),
        notice: texts.notice,
        has_imagery: overlay.has_imagery,
    };
    let drawn = |frame| highlight.as_ref().map_or(MarkingState::HIDDEN, |highlight| highlight.drawn(timing, frame));
    let mut produced = footage.shoot(context, drawn, |frame, picture, nv12| {
        if let Some(highlight) = &highlight {
            highlight.blend(&flight.cameras[frame as usize], frame, picture, nv12);
        }
        if let Some(pin) = &pin {
            pin.blend(frame, picture, nv12);
        }
    })?;
    warn(&place, &mut produced);
    Ok(produced)
}
