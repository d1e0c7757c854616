//! Local meters: what geometry is cleaned in.

use crate::crs::Axes;

/// Half axes of the ellipsoid, meters; those in use differ by less than 1 in 10,000.
const HALF_AXES: [f64; 2] = [6_378_137.0, 6_356_752.3];
/// Largest coordinate, meters.
const FAR: f64 = 1e9;
/// Largest extent of a building from its first corner, meters.
const MAX_EXTENT: f64 = 20_000.0;

/// A local frame: an origin and a scale per axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    origin: [f64; 3],
    scale: [f64; 2],
    axes: Axes,
}

impl Frame {
    /// The frame of a building with a corner, as the file has it.
    pub(crate) fn at(corner: [f64; 3], axes: Axes) -> Result<Self, &'static str> {
        let [x, y, z] = swap(corner, axes);
        if !(x.abs() < FAR && y.abs() < FAR && z.abs() < FAR) {
            return Err("coordinate out of range");
        }
        if axes == Axes::Projected {
            // Whole meters, so that the way back gives the coordinates of the file.
            return Ok(Self { origin: [x.floor(), y.floor(), 0.0], scale: [1.0, 1.0], axes });
        }
        if x.abs() > 180.0 || y.abs() > 89.9 {
            return Err("longitude or latitude out of range");
        }
        let [a, b] = HALF_AXES;
        let (sin, cos) = y.to_radians().sin_cos();
        let w = (a * cos).hypot(b * sin);
        let meridian = a * a * b * b / (w * w * w);
        let across = a * a / w * cos;
        Ok(Self { origin: [x, y, 0.0], scale: [across.to_radians(), meridian.to_radians()], axes })
    }

    /// Local meters of a corner of the file.
    pub(crate) fn local(&self, corner: [f64; 3]) -> Result<[f64; 3], &'static str> {
        let [x, y, z] = swap(corner, self.axes);
        let local = [(x - self.origin[0]) * self.scale[0], (y - self.origin[1]) * self.scale[1], z];
        if !local.iter().all(|value| value.is_finite()) {
            return Err("coordinate is not a number");
        }
        if local[0].abs() > MAX_EXTENT || local[1].abs() > MAX_EXTENT {
            return Err("building larger than 20 km");
        }
        if local[2].abs() > FAR {
            return Err("coordinate out of range");
        }
        Ok(local)
    }

    /// East and north, in the unit of the file, of local meters.
    pub(crate) fn global(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x / self.scale[0] + self.origin[0], y / self.scale[1] + self.origin[1]]
    }
}

fn swap([a, b, z]: [f64; 3], axes: Axes) -> [f64; 3] {
    if axes == Axes::LatitudeFirst { [b, a, z] } else { [a, b, z] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_is_as_long_as_it_is_at_its_latitude() {
        let frame = Frame::at([35.0, 139.0, 5.0], Axes::LatitudeFirst).unwrap();
        let [x, y, z] = frame.local([35.001, 139.001, 6.0]).unwrap();
        assert!((x - 91.29).abs() < 0.05 && (y - 110.94).abs() < 0.05 && z == 6.0, "{x} {y}");
        let [lon, lat] = frame.global([x, y]);
        assert!((lon - 139.001).abs() < 1e-12 && (lat - 35.001).abs() < 1e-12);
    }

    #[test]
    fn coordinates_that_are_out_of_range_are_refused() {
        assert!(Frame::at([f64::NAN, 0.0, 0.0], Axes::Projected).is_err());
        assert!(Frame::at([139.0, 35.0, 0.0], Axes::LatitudeFirst).is_err());
        let frame = Frame::at([85000.4, 447000.2, 0.0], Axes::Projected).unwrap();
        assert!(frame.local([85000.0, f64::INFINITY, 0.0]).is_err());
        assert!(frame.local([0.0, 447000.0, 0.0]).is_err());
        assert_eq!(frame.global([0.25, 0.5]), [85000.25, 447000.5]);
    }
}
