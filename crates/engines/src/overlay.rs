//! The scene of a flight, with aerial imagery laid over the ground where available.

use aerie_engine_api::EngineError;
use aerie_geodata::place::Place;
use aerie_geodata::{GeodataError, Grid, Pack, Sources};
use aerie_render::scene::Scene;
use aerie_scenery::{Flight, aerial};

/// Coarsest imagery to use near the property, meters per pixel. Painted ground shows more than coarser imagery.
const COARSEST: f64 = 2.5;
/// Share of the nearest window that imagery must cover for the notice to mention it.
const MOSTLY: f64 = 0.9;
/// Distance over which imagery fades out before its edge, with a margin, meters.
const FADE: f32 = 16.0;

/// A scene and the texts about it.
pub struct Overlay {
    /// The scene.
    pub scene: Scene,
    /// Caption of every frame.
    pub notice: &'static str,
    /// Whether imagery lies on the ground.
    pub has_imagery: bool,
    /// Description in the metadata: the imagery, and what is guessed on the property.
    pub report: String,
}

/// Builds the scene. Imagery of the pack, or imagery of an enabled online source, is laid over the ground, and its credits are
/// added to the place's. A source that does not respond is skipped, and the report says so.
///
/// # Errors
/// [`EngineError::Retry`] where the pack cannot be read.
pub fn scene(place: &mut Place, flight: &Flight, pack: &Pack, online: &Sources) -> Result<Overlay, EngineError> {
    let retry = |e: GeodataError| EngineError::Retry(e.to_string());
    let [x, y] = aerial::center(place);
    let (mut pictures, mut share) = (Vec::new(), 0.0);
    let (mut online, nothing) = (online, Sources::default());
    let mut missed = String::new();
    for (index, (half, side)) in aerial::WINDOWS.into_iter().enumerate() {
        let (half, pixels) = (f64::from(half), side as usize);
        let step = 2.0 * half / pixels as f64;
        let grid = Grid {
            origin: place.origin,
            to_local: [step, 0.0, x - half, 0.0, -step, y + half],
            width: pixels,
            height: pixels,
        };
        let mut photo = pack.imagery(&grid, online);
        if let Err(GeodataError::Source { name, why }) = &photo {
            missed = format!("The imagery source \"{name}\" was not available: {why}. ");
            online = &nothing;
            photo = pack.imagery(&grid, online);
        }
        let photo = photo.map_err(retry)?;
        let Some(photo) = photo.filter(|p| p.resolution <= COARSEST.max(step)) else { break };
        if index == 0 {
            share = photo.known();
        }
        for credit in photo.attributions {
            if !place.attributions.contains(&credit) {
                place.attributions.insert(0, credit);
            }
        }
        pictures.push(aerial::AerialImage { half_extent: half as f32, side, rgba: photo.rgba });
    }
    let shown = match (pictures.is_empty(), share > MOSTLY) {
        (true, _) => None,
        (false, true) => Some(("The ground", "")),
        (false, false) => Some(("Part of the ground", "there ")),
    };
    let about = shown.map_or(String::new(), |(what, there)| {
        format!(
            "{what} shows aerial imagery, balanced in tone, with its shadows near buildings and trees lightened and the ground under \
             mapped or measured trees colored like that beside them; roofs {there}take their color from it. Its source knows when it \
             was taken. "
        )
    });
    let notice = if share > MOSTLY { "Aerial imagery and map data" } else { "Map-based aerial visual" };
    let guesses = aerie_scenery::guesses_about_plot(place);
    let guessed = if guesses.is_empty() || pictures.iter().any(shows_the_middle) {
        String::new()
    } else {
        format!("Guessed on the property: {}. ", guesses.join(" and "))
    };
    let has_imagery = !pictures.is_empty();
    let scene = aerie_scenery::scene_with_imagery(place, flight, pictures);
    Ok(Overlay { scene, notice, has_imagery, report: format!("{about}{guessed}{missed}") })
}

/// Whether an image shows the ground in its middle, up to where it would fade out.
fn shows_the_middle(image: &aerial::AerialImage) -> bool {
    let reach = (FADE / (2.0 * image.half_extent) * image.side as f32) as i64;
    let known = |(x, y): (i64, i64)| {
        let [x, y] = [x, y].map(|v| i64::from(image.side / 2) + v * reach);
        let alpha = usize::try_from((y * i64::from(image.side) + x) * 4 + 3).ok().and_then(|at| image.rgba.get(at));
        alpha.is_some_and(|alpha| *alpha > 0)
    };
    [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().all(known)
}
