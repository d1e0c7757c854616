//! The local frame of a place: meters east and north of an origin on the WGS 84 ellipsoid.
//!
//! Points are carried through earth-centered coordinates into the tangent plane at the origin, so the only error is the
//! plane's own (0.1 mm at 3 km), not that of a map projection.

use crate::place::{GeoPoint, Point};

/// Semi-major axis of WGS 84, meters.
const A: f64 = 6_378_137.0;
/// First eccentricity squared of WGS 84.
const E2: f64 = 6.694_379_990_141_316e-3;

/// Tangent plane at an origin.
#[derive(Debug, Clone, Copy)]
pub struct LocalFrame {
    origin: GeoPoint,
    center: [f64; 3],
    sin_lat: f64,
    cos_lat: f64,
    sin_lon: f64,
    cos_lon: f64,
}

impl LocalFrame {
    /// The plane that touches the ellipsoid at `origin`.
    #[must_use]
    pub fn new(origin: GeoPoint) -> Self {
        let (sin_lat, cos_lat) = origin.lat.to_radians().sin_cos();
        let (sin_lon, cos_lon) = origin.lon.to_radians().sin_cos();
        Self { origin, center: earth_centered(origin.lon, origin.lat), sin_lat, cos_lat, sin_lon, cos_lon }
    }

    /// Local meters of a longitude and latitude in degrees.
    #[must_use]
    pub fn local(&self, lon: f64, lat: f64) -> Point {
        let p = earth_centered(lon, lat);
        let d = [p[0] - self.center[0], p[1] - self.center[1], p[2] - self.center[2]];
        let east = -self.sin_lon * d[0] + self.cos_lon * d[1];
        let north = -self.sin_lat * self.cos_lon * d[0] - self.sin_lat * self.sin_lon * d[1] + self.cos_lat * d[2];
        [east, north]
    }

    /// Longitude and latitude in degrees of a local point: Newton's method on [`Self::local`], accurate to a
    /// millimeter.
    #[must_use]
    pub fn geographic(&self, [x, y]: Point) -> [f64; 2] {
        let w = (1.0 - E2 * self.sin_lat * self.sin_lat).sqrt();
        let per_lat = A * (1.0 - E2) / (w * w * w) * std::f64::consts::PI / 180.0;
        let per_lon = A / w * self.cos_lat.max(1e-6) * std::f64::consts::PI / 180.0;
        let (mut lon, mut lat) = (self.origin.lon + x / per_lon, self.origin.lat + y / per_lat);
        for _ in 0..3 {
            let [ex, ey] = self.local(lon, lat);
            lon += (x - ex) / per_lon;
            lat += (y - ey) / per_lat;
        }
        [lon, lat]
    }
}

fn earth_centered(lon: f64, lat: f64) -> [f64; 3] {
    let (sin_lat, cos_lat) = lat.to_radians().sin_cos();
    let (sin_lon, cos_lon) = lon.to_radians().sin_cos();
    let n = A / (1.0 - E2 * sin_lat * sin_lat).sqrt();
    [n * cos_lat * cos_lon, n * cos_lat * sin_lon, n * (1.0 - E2) * sin_lat]
}

/// Distance in meters between two points in degrees, accurate for distances up to a few kilometers.
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let mid = ((a[1] + b[1]) / 2.0).to_radians();
    let w2 = 1.0 - E2 * mid.sin() * mid.sin();
    let north = (b[1] - a[1]).to_radians() * A * (1.0 - E2) / (w2 * w2.sqrt());
    let east = (b[0] - a[0]).to_radians() * A / w2.sqrt() * mid.cos();
    north.hypot(east)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_and_geographic_undo_each_other_within_a_millimeter() {
        let frame = LocalFrame::new(GeoPoint { lat: 47.1, lon: 9.52 });
        for p in [[0.0, 0.0], [1200.0, -700.0], [-3000.0, 3000.0]] {
            let [lon, lat] = frame.geographic(p);
            let q = frame.local(lon, lat);
            assert!((p[0] - q[0]).hypot(p[1] - q[1]) < 1e-3, "{p:?} came back as {q:?}");
        }
    }

    #[test]
    fn a_minute_of_latitude_is_a_nautical_mile_at_mid_latitudes() {
        let meters = distance([9.0, 45.0], [9.0, 45.0 + 1.0 / 60.0]);
        assert!((meters - 1852.2).abs() < 1.0, "{meters}");
        let frame = LocalFrame::new(GeoPoint { lat: 45.0, lon: 9.0 });
        assert!((frame.local(9.0, 45.0 + 1.0 / 60.0)[1] - meters).abs() < 0.5);
    }
}
