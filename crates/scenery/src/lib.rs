//! A Place in, a scene and a flight over it out.

pub mod aerial;
mod bridges;
mod buildings;
mod canopy;
mod cars;
mod crossings;
mod curbs;
mod drives;
mod fields;
mod flight;
mod ground;
mod hedges;
mod light;
mod looks;
mod mesh;
mod obstacles;
mod plants;
mod plots;
mod rails;
mod region;
mod roads;
mod roofs;
mod rooftops;
mod seed;
mod seen;
mod shape;
mod sight;
mod skeleton;
mod tunnels;
mod vines;
mod wings;

pub use flight::{Flight, Path, RATE, Side, Take};
pub use sight::Sight;

use aerie_geodata::place::{Place, Point, Ring};
use aerie_render::scene::{GroundLevel, HeightField, Scene};
use glam::{Mat4, Vec2, vec3};

/// A ring moved outwards by `by` meters; the ring itself where that cannot be done.
#[must_use]
pub fn widened(ring: &[Point], by: f64) -> Ring {
    shape::inset(ring, -by).unwrap_or_else(|| ring.to_vec())
}

/// Builds the scene of a place as it will be seen on a flight.
#[must_use]
pub fn scene(place: &Place, flight: &Flight) -> Scene {
    build(place, flight, aerial::Aerial::none())
}

/// The same with pictures from above over its ground, finest first, each as [`aerial::WINDOWS`] asks for.
#[must_use]
pub fn scene_over(place: &Place, flight: &Flight, pictures: Vec<aerial::Picture>) -> Scene {
    if pictures.is_empty() {
        return scene(place, flight);
    }
    let aerial = aerial::Aerial::new(place, pictures);
    let mut place = place.clone();
    aerial.teach(&mut place);
    build(&place, flight, aerial)
}

/// Every so many cameras of a flight are asked what they see.
const LOOKS: usize = 5;
/// Widest picture that a scene is seen in, width to height.
const WIDEST: f32 = 2.0;

fn build(place: &Place, flight: &Flight, aerial: aerial::Aerial) -> Scene {
    let terrain = &place.terrain;
    let focus = shape::centroid(&place.property.footprint.outer);
    let mut solids = mesh::Builder::default();
    // Imagery shows gardens and cars as they are.
    let open = |at: glam::DVec2| !aerial.shows(at);
    let plots = plots::Plots::of(place, &open);
    buildings::add(place, &mut solids);
    bridges::add(place, &mut solids);
    tunnels::add(place, &mut solids);
    cars::add(place, &open, &mut solids);
    let last = flight.cameras.len().saturating_sub(1);
    let looks = flight.cameras.iter().enumerate().filter(|(i, _)| i % LOOKS == 0 || *i == last);
    let views: Vec<Mat4> = looks.map(|(_, camera)| camera.view_projection(WIDEST)).collect();
    let light = light::light_for(place.origin.lat, place.property.front_bearing);
    let seen = seen::Seen::new(&views, terrain, light.sun_direction);
    let (plants, paint) = std::thread::scope(|threads| {
        let paint = threads.spawn(|| ground::paint(place, &plots.plots));
        let plants = plants::add(place, flight, &seen, &plots, &mut solids);
        (plants, paint.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let reach = terrain.spacing * (terrain.columns.max(terrain.rows) - 1) as f64 * 0.5;
    let level = |half_extent: f32, texels| GroundLevel { center: focus.as_vec2(), half_extent, texels };
    Scene {
        light,
        terrain: HeightField {
            min: Vec2::new(terrain.min[0] as f32, terrain.min[1] as f32),
            spacing: terrain.spacing as f32,
            columns: terrain.columns,
            rows: terrain.rows,
            heights: terrain.heights.clone(),
        },
        paint,
        ground_levels: vec![
            level(230.0, 4096),
            level(720.0, 4096),
            GroundLevel { center: Vec2::ZERO, half_extent: (reach as f32).max(1500.0), texels: 2048 },
        ],
        solids: solids.finish(),
        plants,
        focus: vec3(focus.x as f32, focus.y as f32, terrain.height(focus.to_array()) as f32),
        marking: None,
        drapes: aerial.drapes,
        views,
    }
}
