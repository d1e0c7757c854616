//! Turns a [`Place`] into a [`Scene`] and a [`Flight`] over it.
//!
//! # Invariants
//!
//! - A flight touches nothing, keeps the property in view, and moves smoothly. Tests: `no_flight_enters_ground_roof_or_tree`,
//!   `the_whole_property_is_in_view_in_every_frame`, `motion_starts_and_ends_still_and_has_no_jerk`, `the_seven_flights_differ`,
//!   `flights_over_random_addresses_hit_nothing_and_show_the_property`.
//! - The same place gives the same frame, byte for byte: random numbers are seeded by identities. Test:
//!   `the_same_place_gives_the_same_frame_byte_for_byte`.
//! - No two faces overlap (no z-fighting). Test: `no_two_faces_of_the_sample_town_fight_for_a_place`.
//! - A boundary lies on the ground and is hidden by objects in front of it. Test:
//!   `a_boundary_lies_on_the_ground_behind_what_stands_before_it_and_nowhere_else`.
//! - Imagery covers the ground where it was taken. Coarser ground looks the same where no camera comes near. Tests:
//!   `imagery_lies_over_the_ground_where_it_was_taken_and_nowhere_else`,
//!   `ground_painted_coarser_where_no_camera_comes_near_looks_the_same`.

pub mod aerial;
mod albedo;
mod bridges;
mod buildings;
mod canopy;
mod cars;
mod crossings;
mod curbs;
mod doors;
mod driveways;
mod facade;
mod fences;
mod fields;
#[cfg(test)]
mod fixtures;
mod flight;
mod foliage;
mod ground;
mod grounds;
mod hedges;
mod light;
mod line_of_sight;
mod materials;
mod measured;
mod mesh;
mod obstacles;
mod painter;
mod plants;
mod plots;
mod property;
mod property_plot;
mod region;
mod roads;
mod roofs;
mod rooftops;
mod sampling;
mod shape;
mod skeleton;
mod tracks;
mod tunnels;
mod vines;
mod visibility;
mod wings;

pub use flight::{FRAME_RATE, Flight, Path, Side, VideoFormat};
pub use line_of_sight::LineOfSight;

use aerie_geodata::place::{Place, Point, Terrain};
use aerie_render::scene::{GroundLevel, HeightField, Light, Scene};
use glam::{Mat4, Vec2, Vec3, vec3};

/// What [`scene`] guesses about the property's land, as parts of a sentence ("the lawn of its plot"); nothing where imagery
/// shows it.
#[must_use]
pub fn guesses_about_plot(place: &Place) -> Vec<&'static str> {
    let lawn = property_plot::lawn(place).map(|_| "the lawn of its plot");
    let path = property_plot::front_path(place).map(|_| "the path from its front to the street");
    lawn.into_iter().chain(path).collect()
}

/// Walls and roofs of buildings as triangles: first of the property's own, none where no building is known; then of its neighbors
/// up to `reach` meters around.
#[must_use]
pub fn building_triangles(place: &Place, reach: f64) -> [Vec<[Vec3; 3]>; 2] {
    let focus = shape::centroid(&place.property.footprint.outer);
    let is_near = |index: usize| shape::distance_to_ring(focus, &place.buildings[index].footprint.outer) < reach;
    let of = |is_own: bool| {
        let mut solids = mesh::Builder::default();
        buildings::add_where(
            place,
            &measured::FaceColors::default(),
            |index| property::is_property(place, index) == is_own && (is_own || is_near(index)),
            &mut solids,
        );
        let solids = solids.finish();
        // Walls reach into the ground, which hides that part.
        let corner = |index: u32| {
            let [x, y, z] = solids.vertices[index as usize].position;
            let ground = place.terrain.height([f64::from(x), f64::from(y)]) as f32;
            vec3(x, y, z.max(ground))
        };
        solids.indices.chunks_exact(3).map(|t| [corner(t[0]), corner(t[1]), corner(t[2])]).collect()
    };
    [of(true), of(false)]
}

/// Builds the scene of a place for a flight over it.
#[must_use]
pub fn scene(place: &Place, flight: &Flight) -> Scene {
    build(place, flight, aerial::Aerial::none())
}

/// Builds the scene of a place with aerial imagery on its ground: images for [`aerial::WINDOWS`], finest first.
#[must_use]
pub fn scene_with_imagery(place: &Place, flight: &Flight, images: Vec<aerial::AerialImage>) -> Scene {
    if images.is_empty() {
        return scene(place, flight);
    }
    let aerial = aerial::Aerial::new(place, images);
    let mut place = place.clone();
    aerial.apply_to(&mut place);
    build(&place, flight, aerial)
}

/// Every how many cameras of a flight visibility is tested.
const VIEW_STEP: usize = 5;
/// Largest aspect ratio that a scene is rendered in.
const MAX_ASPECT: f32 = 2.0;

fn build(place: &Place, flight: &Flight, aerial: aerial::Aerial) -> Scene {
    let terrain = &place.terrain;
    let focus = shape::centroid(&place.property.footprint.outer);
    let mut solids = mesh::Builder::default();
    // Where there is imagery, it shows the real gardens and cars.
    let open = |at: glam::DVec2| !aerial.covers(at);
    let mut plots = plots::Plots::of(place, &open);
    let own = open(focus);
    plots.plots.extend(property_plot::lawn(place).filter(|_| own));
    buildings::add(place, &aerial.face_colors(place), &mut solids);
    bridges::add(place, &mut solids);
    tunnels::add(place, &mut solids);
    cars::add(place, &open, &mut solids);
    let sampled = sampling::sampled(&flight.cameras, VIEW_STEP);
    let views: Vec<Mat4> = sampled.map(|camera| camera.view_projection(MAX_ASPECT)).collect();
    let (light, _) = light::light_for(place, &flight.cameras);
    let visibility = visibility::Visibility::new(&views, terrain, light.sun_direction);
    let (plants, paint) = std::thread::scope(|threads| {
        let paint = threads.spawn(|| ground::paint(place, &plots.plots, own));
        let plants = plants::add(place, flight, &visibility, &plots, &mut solids);
        (plants, paint.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let reach = terrain.spacing * (terrain.columns.max(terrain.rows) - 1) as f64 * 0.5;
    let level = |half_extent: f32, texels| GroundLevel { center: focus.as_vec2(), half_extent, texels };
    Scene {
        light: if flight::extent(place).is_some() { misty(light) } else { light },
        terrain: height_field(terrain),
        paint,
        ground_levels: vec![
            level(230.0, 4096),
            level(720.0, 4096),
            GroundLevel { center: Vec2::ZERO, half_extent: (reach as f32).max(1500.0), texels: 2048 },
        ],
        solids: solids.finish(),
        plants,
        focus: vec3(focus.x as f32, focus.y as f32, terrain.height(focus.to_array()) as f32),
        known: place.covered.map(|corners| corners.map(|[x, y]| Vec2::new(x as f32, y as f32))),
        marking: None,
        orthophotos: aerial.orthophotos,
        views,
    }
}

/// Light in which the near edge of the map dissolves: a paler haze, and a sky of the same tone above it.
fn misty(light: Light) -> Light {
    Light { haze: vec3(0.80, 0.845, 0.89), horizon: vec3(0.76, 0.82, 0.89), ..light }
}

/// The terrain for the renderer, with its finer part where that is sound.
fn height_field(terrain: &Terrain) -> HeightField {
    let near = terrain.near.as_ref().filter(|near| {
        let is_grid = near.columns > 1 && near.rows > 1 && near.heights.len() == near.columns * near.rows;
        is_grid && near.spacing > 0.0
    });
    let min = |[x, y]: Point| Vec2::new(x as f32, y as f32);
    HeightField {
        min: min(terrain.min),
        spacing: terrain.spacing as f32,
        columns: terrain.columns,
        rows: terrain.rows,
        heights: terrain.heights.clone(),
        near: near.map(|near| {
            Box::new(HeightField {
                min: min(near.min),
                spacing: near.spacing as f32,
                columns: near.columns,
                rows: near.rows,
                heights: near.heights.clone(),
                near: None,
            })
        }),
    }
}
