//! Position of the sun: one that occurs at the latitude, chosen to light the street front.

use aerie_render::scene::Light;
use glam::{Vec3, vec3};

/// Solar declinations to choose from, radians: late May or July, late April or August, and around the equinox, when trees are
/// in leaf. Negated south of the equator.
const DECLINATIONS: [f64; 3] = [0.36, 0.21, 0.03];

/// Light for a property at `latitude` (degrees) whose front faces `front_bearing` (radians from north).
///
/// Samples the sun's path on each day (elevation and azimuth from hour angle, declination and latitude; Meeus, Astronomical
/// Algorithms, ch. 13) and picks the hour that lights the front obliquely, neither low nor steep.
pub(crate) fn light_for(latitude: f64, front_bearing: f64) -> Light {
    let phi = latitude.to_radians();
    let mut best = (f64::INFINITY, 0.0, 0.65);
    for declination in DECLINATIONS.map(|d| if latitude >= 0.0 { d } else { -d }) {
        for step in -80..=80 {
            let hour = f64::from(step) * (6.5 / 80.0) * 15f64.to_radians();
            let altitude = (phi.sin() * declination.sin() + phi.cos() * declination.cos() * hour.cos()).asin();
            let azimuth =
                hour.sin().atan2(hour.cos() * phi.sin() - declination.tan() * phi.cos()) + std::f64::consts::PI;
            let degrees = altitude.to_degrees();
            let off_height = if degrees < 31.0 { (31.0 - degrees) * 6.0 } else { (degrees - 42.0).max(0.0) * 3.0 };
            let off_front = angle_between(azimuth, front_bearing).to_degrees();
            let cost = off_height + (off_front - 42.0).abs();
            if cost < best.0 {
                best = (cost, azimuth, altitude);
            }
        }
    }
    let (_, azimuth, altitude) = best;
    let direction =
        vec3((azimuth.sin() * altitude.cos()) as f32, (azimuth.cos() * altitude.cos()) as f32, altitude.sin() as f32);
    Light { sun_direction: direction.normalize_or(Vec3::Z), ..Light::default() }
}

/// The smaller angle between two bearings, radians.
pub(crate) fn angle_between(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(std::f64::consts::TAU);
    d.min(std::f64::consts::TAU - d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sun_stands_in_the_south_at_noon_in_the_north_and_lights_a_south_front() {
        let light = light_for(47.1, std::f64::consts::PI);
        assert!(light.sun_direction.y < 0.0);
        assert!((0.45..0.75).contains(&light.sun_direction.z), "{}", light.sun_direction.z);
    }

    #[test]
    fn an_east_front_is_lit_in_the_morning() {
        let light = light_for(47.1, std::f64::consts::FRAC_PI_2);
        assert!(light.sun_direction.x > 0.3);
    }
}
