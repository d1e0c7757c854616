//! Preview of drone footage: a still of each direction, much like the thumbnail of its film.

use aerie_engine_api::Direction;
use aerie_engine_api::kinds::drone_footage::DroneFootageRequest;
use aerie_engine_api::{EngineContext, EngineError, Produced, ProducedFile};
use aerie_render::marking::MarkingState;
use aerie_render::{Gpu, Picture, RenderError, SceneRenderer, bloom, still};
use aerie_scenery::Flight;
use serde_json::json;

use super::highlight::Highlight;
use super::texts::{Texts, warn};
use crate::footage::{self, Captions, path_of, thumbnail_frame};
use crate::location::{self, RADIUS, find};
use crate::pin::Pin;
use crate::timing::Timing;
use crate::{overlay, report};

/// Longer side of a still, pixels.
const LONGER: u32 = 640;

/// Makes the stills, each linked from `previews/N/image_url`. One scene serves all of them, so they have one position of the sun;
/// the film of one direction has that which suits it best.
pub(super) fn run(request: &DroneFootageRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    context.report("finding the address", 0, 0);
    let mut place = find(context, &request.address, RADIUS)?;
    context.enter("building the scene")?;
    let take = footage::take(request.film());
    let still_of = |direction| {
        let flight = Flight::plan(&place, path_of(direction), take);
        flight.cameras[thumbnail_frame(direction, flight.cameras.len() as u32) as usize]
    };
    let stills = Flight { cameras: Direction::ALL.map(still_of).to_vec() };
    let mut overlay = overlay::scene(&mut place, &stills, &location::map(context)?, context.sources)?;
    let mut texts = Texts { about: overlay.report, notice: format!("Preview  ·  {}", overlay.notice) };
    let highlight = request.highlight().then(|| texts.highlight(&place));
    overlay.scene.marking = highlight.as_ref().and_then(Highlight::marking);
    let drawn = if overlay.scene.marking.is_some() { Timing::COMPLETE } else { MarkingState::HIDDEN };
    context.enter("lighting the scene")?;
    let gpu = Gpu::open().map_err(footage::retry)?;
    let [width, height] = size(request.film().size());
    let picture = Picture { width, height, supersampling: 2.0, vignette: 0.16 };
    let pin = match request.label() {
        true => Some(Pin::new(&place, &stills, [width, height]).map_err(footage::retry)?),
        false => None,
    };
    let captions = Captions::new(picture, &place, &texts.notice).map_err(footage::retry)?;
    let renderer = SceneRenderer::new(&gpu, &overlay.scene, picture).map_err(footage::retry)?;
    let (mut files, mut previews) = (Vec::new(), Vec::new());
    let count = stills.cameras.len() as u32;
    let shot = renderer.render_marked(
        count,
        |frame| (stills.cameras[frame as usize], drawn),
        |frame, nv12| {
            if context.cancel.is_canceled() {
                return Err(RenderError::Canceled);
            }
            let direction = Direction::ALL[frame as usize].as_str();
            let mut nv12 = nv12.to_vec();
            bloom(picture, &mut nv12);
            if let Some(highlight) = &highlight {
                highlight.draw(&stills.cameras[frame as usize], 1.0, picture, &mut nv12);
            }
            if let Some(pin) = &pin {
                pin.draw(frame, 1.0, picture, &mut nv12);
            }
            captions.blend_all(picture, &mut nv12);
            let path = context.out_dir.join(format!("{direction}.jpg"));
            let about = format!("{}{}", texts.about, report::film(&place, direction));
            still::write_jpeg(&path, picture, &nv12, 85, Some(&about))?;
            files.push(ProducedFile::new(format!("previews/{frame}/image_url"), path, "image/jpeg"));
            previews.push(json!({"direction": direction}));
            context.report("drawing", u64::from(frame) + 1, u64::from(count));
            Ok(())
        },
    );
    shot.map_err(footage::retry)?;
    let about = format!("{}{}", texts.about, report::film(&place, "one picture of each direction"));
    let origin = Some(Box::new(report::drawn(&place, &about, overlay.has_imagery)));
    let mut produced = Produced { files, origin, ..Produced::default() };
    produced.fields.insert("previews".into(), previews.into());
    warn(&place, &mut produced);
    Ok(produced)
}

/// The size of a still of a film of this size: even numbers, as frames need.
fn size(film: [u32; 2]) -> [u32; 2] {
    let longer = film[0].max(film[1]);
    film.map(|side| side * LONGER / longer / 2 * 2)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_still_has_the_aspect_ratio_of_the_film() {
        assert_eq!(super::size([1920, 1080]), [640, 360]);
        assert_eq!(super::size([2160, 3840]), [360, 640]);
        assert_eq!(super::size([1080, 1080]), [640, 640]);
    }
}
