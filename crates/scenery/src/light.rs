//! Position of the sun: one that occurs at the latitude, chosen to light what a flight shows of the property.

use aerie_geodata::place::Place;
use aerie_render::scene::{Camera, Light};
use glam::{DVec2, DVec3, Vec3, vec3};

use crate::obstacles::Obstacles;
use crate::sampling::sampled;
use crate::shape;

/// Solar declinations to choose from, radians: late May or July, late April or August, and around the equinox, when trees are
/// in leaf. Negated south of the equator.
const DECLINATIONS: [f64; 3] = [0.36, 0.21, 0.03];
/// Distance from the property up to which obstacles shade or hide it, meters.
const REACH: f64 = 110.0;
/// Every how many cameras of a flight the property is looked at.
const STEP: usize = 20;
/// Cosine of the incidence from which a wall counts as fully lit.
const FULLY_LIT: f64 = 0.45;
/// Worth of a degree away from the best height, and from light that grazes the front, as a share of the property.
const PER_DEGREE: f64 = 0.0015;

/// A piece of the property's walls or roof.
struct Piece {
    at: DVec3,
    normal: DVec3,
    /// How much of the flight's frames it fills, unhidden.
    shown: f64,
}

/// Light for a flight over a place, and the share of the property's visible surface that is lit, over the whole flight.
///
/// Samples the sun's path on each day (elevation and azimuth from hour angle, declination and latitude; Meeus, Astronomical
/// Algorithms, ch. 13) and picks the hour that lights most of what is shown; among equal ones, one neither low nor steep that
/// lights the front obliquely.
pub(crate) fn light_for(place: &Place, cameras: &[Camera]) -> (Light, f64) {
    let obstacles = Obstacles::new(place, REACH + 20.0, true);
    let pieces = pieces(place, &obstacles, cameras);
    let total: f64 = pieces.iter().map(|piece| piece.shown).sum();
    let phi = place.origin.lat.to_radians();
    let mut best = (f64::NEG_INFINITY, 0.0, DVec3::Z);
    for declination in DECLINATIONS.map(|d| if place.origin.lat >= 0.0 { d } else { -d }) {
        for step in -40..=40 {
            let hour = f64::from(step) * (6.5 / 40.0) * 15f64.to_radians();
            let altitude = (phi.sin() * declination.sin() + phi.cos() * declination.cos() * hour.cos()).asin();
            let azimuth =
                hour.sin().atan2(hour.cos() * phi.sin() - declination.tan() * phi.cos()) + std::f64::consts::PI;
            let sun = (shape::bearing_vector(azimuth) * altitude.cos()).extend(altitude.sin());
            let degrees = altitude.to_degrees();
            let off_height = if degrees < 31.0 { (31.0 - degrees) * 6.0 } else { (degrees - 42.0).max(0.0) * 3.0 };
            let off_front = (angle_between(azimuth, place.property.front_bearing).to_degrees() - 42.0).abs();
            let cost = PER_DEGREE * (off_height + off_front);
            // No sun can do better than to light everything.
            if 1.0 - cost <= best.0 {
                continue;
            }
            let lit: f64 = pieces
                .iter()
                .filter(|piece| piece.normal.dot(sun) > 0.0 && is_open(&obstacles, piece.at, sun, REACH))
                .map(|piece| piece.shown * (piece.normal.dot(sun) / FULLY_LIT).min(1.0))
                .sum();
            let share = lit / total.max(1e-9);
            if share - cost > best.0 {
                best = (share - cost, share, sun);
            }
        }
    }
    let (_, share, sun) = best;
    let direction = vec3(sun.x as f32, sun.y as f32, sun.z as f32).normalize_or(Vec3::Z);
    (Light { sun_direction: direction, ..Light::default() }, share)
}

/// Pieces of the property's walls and roof, and how much of the frames of a flight each fills.
fn pieces(place: &Place, obstacles: &Obstacles, cameras: &[Camera]) -> Vec<Piece> {
    let ring = &place.property.footprint.outer;
    let center = shape::centroid(ring);
    let ground = place.terrain.height(center.to_array());
    let (eaves, ridge) = match place.property.building.map(|index| &place.buildings[index]) {
        Some(building) => (building.eaves, building.ridge),
        None => (3.0, 3.0),
    };
    let mut pieces = Vec::new();
    for i in 0..ring.len() {
        let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
        let outwards = -(b - a).normalize_or_zero().perp();
        for (along, up) in [(0.25, 0.3), (0.75, 0.3), (0.25, 0.8), (0.75, 0.8)] {
            let at = (a.lerp(b, along) + outwards * 0.3).extend(ground + eaves * up);
            let area = a.distance(b) * eaves * 0.25;
            pieces.push(Piece { at, normal: outwards.extend(0.0), shown: area });
        }
    }
    let roof = shape::area(ring).abs();
    pieces.push(Piece { at: center.extend(ground + ridge + 0.3), normal: DVec3::Z, shown: roof });
    for piece in &mut pieces {
        let seen = sampled(cameras, STEP).map(|camera| {
            let to = camera.eye.as_dvec3() - piece.at;
            let distance = to.length().max(1.0);
            let facing = piece.normal.dot(to) / distance;
            let open = facing > 0.0 && is_open(obstacles, piece.at, to / distance, distance);
            if open { facing / (distance * distance) } else { 0.0 }
        });
        piece.shown *= seen.sum::<f64>();
    }
    pieces
}

/// Whether nothing stands on the way from a point into a direction, for `distance` meters.
fn is_open(obstacles: &Obstacles, from: DVec3, direction: DVec3, distance: f64) -> bool {
    let level: DVec2 = direction.truncate();
    let run = level.length();
    if run < 1e-3 {
        return true;
    }
    let reach = (distance * run).min(REACH);
    let mut along = 2.5;
    while along < reach {
        if obstacles.highest(from.truncate() + level / run * along, 0.0) > from.z + direction.z / run * along {
            return false;
        }
        along += 2.0;
    }
    true
}

/// The smaller angle between two bearings, radians.
fn angle_between(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(std::f64::consts::TAU);
    d.min(std::f64::consts::TAU - d)
}

#[cfg(test)]
mod tests {
    use aerie_geodata::place::BuildingKind;

    use super::*;
    use crate::fixtures::{building, empty_place};

    fn house(front_bearing: f64) -> Place {
        let mut place = empty_place(None);
        let ring = vec![[-6.0, -5.0], [6.0, -5.0], [6.0, 5.0], [-6.0, 5.0]];
        place.buildings = vec![building("way/1", BuildingKind::House, ring.clone())];
        place.property.building = Some(0);
        place.property.footprint.outer = ring;
        place.property.front_bearing = front_bearing;
        place
    }

    /// A camera at a bearing from the house.
    fn from(bearing: f64) -> Camera {
        let eye = (shape::bearing_vector(bearing) * 60.0).extend(25.0).as_vec3();
        Camera { eye, target: Vec3::ZERO, up: Vec3::Z, field: 0.5 }
    }

    #[test]
    fn the_sun_stands_in_the_south_at_noon_in_the_north_and_lights_a_south_front() {
        let south = std::f64::consts::PI;
        let (light, share) = light_for(&house(south), &[from(south)]);
        assert!(light.sun_direction.y < 0.0 && share > 0.8, "{share}");
        assert!((0.45..0.75).contains(&light.sun_direction.z), "{}", light.sun_direction.z);
    }

    #[test]
    fn a_view_from_the_east_is_lit_in_the_morning_whatever_the_front() {
        let east = std::f64::consts::FRAC_PI_2;
        for front in [east, 3.0 * east, 2.0 * east] {
            let (light, share) = light_for(&house(front), &[from(east)]);
            assert!(light.sun_direction.x > 0.3 && share > 0.6, "{front}: {:?}, {share}", light.sun_direction);
        }
    }

    #[test]
    fn a_sun_behind_a_tower_is_avoided() {
        let south = std::f64::consts::PI;
        let mut place = house(south);
        let free = light_for(&place, &[from(south)]).0.sun_direction;
        let toward = DVec2::new(f64::from(free.x), f64::from(free.y)).normalize() * 28.0;
        let ring = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(|(x, y)| [toward.x + x, toward.y + y]);
        let mut tower = building("way/2", BuildingKind::Office, ring.to_vec());
        (tower.eaves, tower.ridge) = (60.0, 60.0);
        place.buildings.push(tower);
        let shaded = light_for(&place, &[from(south)]).0.sun_direction;
        assert!(free.angle_between(shaded) > 0.15, "{free} {shaded}");
    }
}
