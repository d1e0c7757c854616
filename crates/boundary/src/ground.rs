//! Converts pixels of a top-down picture to local meters and WGS 84.

use aerie_geodata::LocalFrame;
use aerie_geodata::place::GeoPoint;
use serde::{Deserialize, Serialize};

use crate::Affine;

/// Georeferences an orthographic top-down picture: pixels to meters in the plane tangent to the ellipsoid at an origin,
/// and from there to longitude and latitude.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundTransform {
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Origin of local meters.
    pub origin: GeoPoint,
    /// `east = p[0] x + p[1] y + p[2]`, `north = p[3] x + p[4] y + p[5]` in meters, from pixels `x`, `y`. The first
    /// pixel covers 0 to 1.
    pub to_local: [f64; 6],
}

impl GroundTransform {
    /// The transform for the same picture at another size.
    #[must_use]
    pub fn sized(&self, width: u32, height: u32) -> Self {
        let shrink = Affine::scaling(
            f64::from(self.width) / f64::from(width),
            f64::from(self.height) / f64::from(height),
            0.0,
            0.0,
        );
        Self { width, height, to_local: Affine(self.to_local).after(&shrink).0, ..*self }
    }

    /// Converts pixels to local meters, east and north.
    #[must_use]
    pub fn local(&self, pixel: [f64; 2]) -> [f64; 2] {
        Affine(self.to_local).map(pixel)
    }

    /// Converts pixels to longitude and latitude in degrees.
    #[must_use]
    pub fn geographic(&self, pixel: [f64; 2]) -> [f64; 2] {
        LocalFrame::new(self.origin).geographic(self.local(pixel))
    }

    /// Converts local meters to pixels. `None` if the transform is singular.
    #[must_use]
    pub fn pixel(&self, local: [f64; 2]) -> Option<[f64; 2]> {
        Affine(self.to_local).inverse().map(|back| back.map(local))
    }

    /// Meters per pixel.
    #[must_use]
    pub fn scale(&self) -> f64 {
        Affine(self.to_local).scale()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_convert_to_the_ground_and_back_at_any_size() {
        let origin = GeoPoint { lat: 47.1, lon: 9.52 };
        let ground =
            GroundTransform { width: 2048, height: 1536, origin, to_local: [0.05, 0.0, -51.2, 0.0, -0.05, 38.4] };
        let [east, north] = ground.local([1024.0, 768.0]);
        assert!(east.abs() < 1e-9 && north.abs() < 1e-9, "{east} {north}");
        let [lon, lat] = ground.geographic([1024.0, 768.0]);
        assert!((lon - 9.52).abs() < 1e-12 && (lat - 47.1).abs() < 1e-12);
        let half = ground.sized(1024, 768);
        let (a, b) = (ground.local([300.0, 500.0]), half.local([150.0, 250.0]));
        assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9);
        let back = half.pixel(a).expect("an invertible transform");
        assert!((back[0] - 150.0).abs() < 1e-9 && (back[1] - 250.0).abs() < 1e-9);
        // North is up.
        assert!(ground.geographic([1024.0, 700.0])[1] > 47.1);
    }
}
