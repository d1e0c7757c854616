//! Framing of the top-down pictures: the property with some ground around it, and the way to its street.

use aerie_geodata::place::{Place, Point};
use aerie_render::Picture;
use aerie_render::scene::Camera;

/// Side of an enhanced picture, pixels. A preview has half.
pub(super) const SIDE: u32 = 2048;
/// An enhanced picture.
pub(super) const PICTURE: Picture = Picture { width: SIDE, height: SIDE, supersampling: 1.0, vignette: 0.0 };
/// Height of the camera, meters: high enough that perspective moves nothing by a pixel.
pub(super) const FAR: f64 = 40_000.0;
/// Ground shown around the building, meters.
const ROUND: f64 = 16.0;
/// Ground shown beyond the center line of the street, meters.
const BEYOND: f64 = 7.0;
/// Maximum distance of a street that is shown, meters.
const REACH: f64 = 60.0;
/// Minimum and maximum of half the side, meters.
const HALF: [f64; 2] = [27.0, 220.0];

/// A square of ground.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Center, local meters.
    pub(super) center: Point,
    /// Half its side, meters.
    pub(super) half: f64,
    /// Bearing of the picture's up direction with the street front at the bottom, radians clockwise from north.
    up: f64,
}

impl Frame {
    /// The square that holds a property and the way to its street.
    pub(super) fn around(place: &Place) -> Self {
        let property = &place.property;
        let up = property.front_bearing + std::f64::consts::PI;
        let (right, upward) = axes(up);
        let along = |p: Point, axis: Point| p[0] * axis[0] + p[1] * axis[1];
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        let mut hold = |p: Point, margin: f64| {
            for (i, axis) in [right, upward].into_iter().enumerate() {
                let v = along(p, axis);
                low[i] = low[i].min(v - margin);
                high[i] = high[i].max(v + margin);
            }
        };
        property.footprint.outer.iter().for_each(|p| hold(*p, ROUND));
        hold(property.point, ROUND * 0.5);
        for corner in property.parcel.iter().flat_map(|p| &p.outer) {
            hold(*corner, ROUND * 0.25);
        }
        if let Some(street) = property.street {
            let near = nearest(&place.ways[street].line, property.point);
            if (near[0] - property.point[0]).hypot(near[1] - property.point[1]) < REACH {
                hold(near, BEYOND);
            }
        }
        let half = (0.5 * (high[0] - low[0]).max(high[1] - low[1])).clamp(HALF[0], HALF[1]);
        let (x, y) = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]));
        let center = [x * right[0] + y * upward[0], x * right[1] + y * upward[1]];
        Self { center, half, up }
    }

    /// The same center with another half side.
    pub(super) fn of_half(self, half: f64) -> Self {
        Self { half, ..self }
    }

    /// The camera that looks straight down from `height` meters and sees the square, street front at the bottom.
    pub(super) fn camera(&self, place: &Place, height: f64) -> Camera {
        self.camera_over(place.terrain.height(self.center), height)
    }

    fn camera_over(&self, ground: f64, height: f64) -> Camera {
        let at = |z: f64| glam::dvec3(self.center[0], self.center[1], ground + z).as_vec3();
        let (_, upward) = axes(self.up);
        Camera {
            eye: at(height),
            target: at(0.0),
            up: glam::dvec3(upward[0], upward[1], 0.0).as_vec3(),
            field: (2.0 * (self.half / height).atan()) as f32,
        }
    }

    /// Pixels of a picture of `side` pixels to local meters, after `turns` quarter turns clockwise.
    pub(super) fn to_local(self, side: u32, turns: usize) -> [f64; 6] {
        let up = self.up_after(turns);
        let (right, upward) = axes(up);
        let scale = 2.0 * self.half / f64::from(side);
        // From the upper left corner: x runs right, y against up.
        [
            right[0] * scale,
            -upward[0] * scale,
            self.center[0] - right[0] * self.half + upward[0] * self.half,
            right[1] * scale,
            -upward[1] * scale,
            self.center[1] - right[1] * self.half + upward[1] * self.half,
        ]
    }

    /// Bearing of the up direction after quarter turns clockwise, radians clockwise from north.
    pub(super) fn up_after(&self, turns: usize) -> f64 {
        self.up - turns as f64 * std::f64::consts::FRAC_PI_2
    }
}

/// Unit vectors to the right and up in a picture whose up has this bearing.
fn axes(up: f64) -> (Point, Point) {
    ([up.cos(), -up.sin()], [up.sin(), up.cos()])
}

fn nearest(line: &[Point], to: Point) -> Point {
    let mut best = (f64::INFINITY, to);
    for pair in line.windows(2) {
        let (dx, dy) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
        let t = ((to[0] - pair[0][0]) * dx + (to[1] - pair[0][1]) * dy) / (dx * dx + dy * dy).max(1e-9);
        let t = t.clamp(0.0, 1.0);
        let p = [pair[0][0] + t * dx, pair[0][1] + t * dy];
        let d = (p[0] - to[0]).hypot(p[1] - to[1]);
        if d < best.0 {
            best = (d, p);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_sees_what_the_transform_says_within_half_a_pixel_on_hills() {
        let frame = Frame { center: [12.0, -7.0], half: 40.0, up: 0.7 };
        let to_local = frame.to_local(2048, 0);
        for (x, y, z) in [(0.0, 0.0, 0.0), (2048.0, 0.0, 12.0), (300.0, 1700.0, -9.0), (1024.0, 1024.0, 8.0)] {
            let east = to_local[0] * x + to_local[1] * y + to_local[2];
            let north = to_local[3] * x + to_local[4] * y + to_local[5];
            let view = frame.camera_over(3.0, FAR).view_projection(1.0);
            let clip = view * glam::vec4(east as f32, north as f32, 3.0 + z, 1.0);
            let seen = [(clip.x / clip.w + 1.0) * 1024.0, (1.0 - clip.y / clip.w) * 1024.0];
            let off = (f64::from(seen[0]) - x).hypot(f64::from(seen[1]) - y);
            assert!(off < 0.5, "{x} {y} at {z} m is seen at {seen:?}");
        }
    }

    #[test]
    fn a_quarter_turn_clockwise_moves_the_bottom_to_the_left() {
        // Up is north: the street lies in the south, at the bottom.
        let frame = Frame { center: [0.0, 0.0], half: 50.0, up: 0.0 };
        let at = |turns: usize, x: f64, y: f64| {
            let m = frame.to_local(100, turns);
            [m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]]
        };
        for (turns, x, y) in [(0, 50.0, 90.0), (1, 10.0, 50.0), (2, 50.0, 10.0), (3, 90.0, 50.0)] {
            let [east, north] = at(turns, x, y);
            assert!(east.abs() < 1e-9 && (north + 40.0).abs() < 1e-9, "{turns}: {east} {north}");
        }
    }
}
