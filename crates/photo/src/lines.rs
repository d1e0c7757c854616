//! Line segment detection: LSD (Grompone von Gioi, Jakubowicz, Morel and Randall 2012) by `lsdetect`, after a downscaling that
//! preserves subpixel positions.
//!
//! Coordinates are pixels of the original photo, from the top left corner of its top left pixel; x to the right, y down.
mod merge;
mod reduce;

use crate::Photo;

pub use merge::{longer, merged};

/// Longer side of the image that is searched, pixels. Finer detail is texture, not structure.
pub const WORKING_SIDE: usize = 1200;

/// A straight edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Start. The darker side lies on the same hand of all segments, so that the direction encodes polarity.
    pub a: [f64; 2],
    /// End.
    pub b: [f64; 2],
}

impl Segment {
    /// Segment between two points.
    #[must_use]
    pub fn new(a: [f64; 2], b: [f64; 2]) -> Self {
        Self { a, b }
    }

    /// Length, pixels.
    #[must_use]
    pub fn length(&self) -> f64 {
        (self.b[0] - self.a[0]).hypot(self.b[1] - self.a[1])
    }

    /// Midpoint.
    #[must_use]
    pub fn middle(&self) -> [f64; 2] {
        [(self.a[0] + self.b[0]) / 2.0, (self.a[1] + self.b[1]) / 2.0]
    }

    /// Unit direction from `a` to `b`; along x if the length is 0.
    #[must_use]
    pub fn direction(&self) -> [f64; 2] {
        let length = self.length();
        if length > 0.0 { [(self.b[0] - self.a[0]) / length, (self.b[1] - self.a[1]) / length] } else { [1.0, 0.0] }
    }
}

/// Detects the segments of a photo, longest first. The result does not depend on the number of threads.
#[must_use]
pub fn segments(photo: &Photo) -> Vec<Segment> {
    segments_at(photo, WORKING_SIDE)
}

/// The same in the photo reduced to a longer side of `side` pixels.
pub(crate) fn segments_at(photo: &Photo, side: usize) -> Vec<Segment> {
    let gray = reduce::gray(photo, side);
    let found = lsdetect::detect(&gray.values, gray.width, gray.height, 1.0).unwrap_or_default();
    // The detector places the origin at the center of the first pixel.
    let place = |x: f64, y: f64| [(x + 0.5) * gray.step[0], (y + 0.5) * gray.step[1]];
    let mut segments: Vec<Segment> = found.iter().map(|s| Segment::new(place(s.x1, s.y1), place(s.x2, s.y2))).collect();
    segments.sort_by(|s, t| {
        let order = t.length().total_cmp(&s.length());
        order.then_with(|| s.a[0].total_cmp(&t.a[0])).then_with(|| s.a[1].total_cmp(&t.a[1]))
    });
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Light above a slanted edge, dark below.
    fn slanted(width: usize, height: usize, at: f64, slope: f64) -> Photo {
        let pixels = (0..width * height).map(|i| {
            let (x, y) = ((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
            let cover = (at + slope * x - y + 0.5).clamp(0.0, 1.0);
            [(12_000.0 + 36_000.0 * cover) as u16; 3]
        });
        Photo::new(width, height, pixels.collect())
    }

    #[test]
    fn an_edge_is_located_to_a_fifth_of_a_pixel_at_any_image_size() {
        for (width, height) in [(300, 220), (1500, 1001), (3011, 2000)] {
            let (at, slope) = (height as f64 * 0.4, 0.11);
            let found = segments(&slanted(width, height, at, slope));
            let longest = found.first().expect("an edge");
            assert!(longest.length() > width as f64 * 0.9, "{width}: {longest:?}");
            for [x, y] in [longest.a, longest.b, longest.middle()] {
                let off = (at + slope * x - y).abs();
                let step = (width as f64 / WORKING_SIDE as f64).max(1.0);
                assert!(off < 0.2 * step, "{width}: {off} pixels off at {x}, {y}");
            }
        }
    }

    #[test]
    fn a_uniform_image_has_no_segments() {
        assert!(segments(&Photo::new(400, 300, vec![[30_000; 3]; 120_000])).is_empty());
    }

    #[test]
    fn noise_alone_has_almost_no_segments() {
        let mut state = 7_u64;
        let pixels = (0..400 * 300).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [20_000 + (state >> 52) as u16 * 4; 3]
        });
        let found = segments(&Photo::new(400, 300, pixels.collect()));
        assert!(found.iter().all(|s| s.length() < 40.0), "{:?}", found.first());
    }
}
