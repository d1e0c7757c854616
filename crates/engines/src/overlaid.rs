//! The scene of a flight, over imagery of its ground where there is some.

use std::path::Path;

use aerie_geodata::place::Place;
use aerie_geodata::{Grid, Pack, Sources, WorldError};
use aerie_render::scene::Scene;
use aerie_scenery::{Flight, aerial};

use crate::engine::EngineError;

/// Coarsest imagery that is laid over the ground near the property, meters a pixel: with less, a painting shows more.
const COARSEST: f64 = 2.5;
/// Share of the nearest window that imagery must show for the notice to say that it does.
const MOSTLY: f64 = 0.9;

/// A scene, and what it is told to be.
pub struct Overlaid {
    /// What is filmed.
    pub scene: Scene,
    /// Stands in the picture throughout.
    pub notice: &'static str,
    /// For the metadata; empty without imagery.
    pub account: String,
}

/// Builds the scene. Where imported imagery, or an online source that is switched on, shows the ground, it lies over it, and
/// its credits are added to the place's. A source that does not answer is done without, and the account says so.
///
/// # Errors
/// [`EngineError::Retry`] where the pack cannot be read.
pub fn scene(place: &mut Place, flight: &Flight, data_dir: &Path, online: &Sources) -> Result<Overlaid, EngineError> {
    let retry = |e: WorldError| EngineError::Retry(e.to_string());
    let pack = Pack::open(data_dir).map_err(retry)?;
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
        if let Err(WorldError::Source { name, why }) = &photo {
            missed = format!("The imagery source \"{name}\" was not to be had: {why}. ");
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
    let account = match (pictures.is_empty(), share > MOSTLY) {
        (true, _) => "",
        (false, true) => {
            "The ground shows aerial imagery, balanced in tone, and roofs have their color from it; when it was taken is \
             for its source to say. "
        }
        (false, false) => {
            "A part of the ground shows aerial imagery, balanced in tone, and roofs there have their color from it; when \
             it was taken is for its source to say. "
        }
    };
    let notice = if share > MOSTLY { "Aerial imagery and map data" } else { "Map-based aerial visual" };
    let scene = aerie_scenery::scene_with_imagery(place, flight, pictures);
    Ok(Overlaid { scene, notice, account: format!("{account}{missed}") })
}
