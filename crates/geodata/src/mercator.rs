//! The projection of web maps (EPSG:3857).

use std::f64::consts::PI;

/// Circumference of the sphere of web Mercator, meters.
pub const CIRCUMFERENCE: f64 = 2.0 * PI * 6_378_137.0;

/// Position on the web Mercator map, 0 to 1 from the north-west.
pub(crate) fn mercator([lon, lat]: [f64; 2]) -> [f64; 2] {
    let lat = lat.clamp(-85.05, 85.05).to_radians();
    [(lon + 180.0) / 360.0, 0.5 - lat.tan().asinh() / (2.0 * PI)]
}
