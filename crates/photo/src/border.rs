//! Plain borders of a photo that are not part of the scene: frames, letterbox bars, edges of scans. They would tilt with a
//! perspective correction, and bias the white balance.

use crate::Photo;

/// Least share of a row or column of a border that has the border's color; the rest may be a watermark.
const LEAST_PLAIN: f32 = 0.8;
/// Greatest share of the border's color beyond its edge: more means that the edge is not sharp, as with a blown-out sky or a wall.
const MOST_BEYOND: f32 = 0.45;
/// Width of the transition at the edge of a border, as a share of the photo and at least in pixels: scaling and JPEG blur it.
const TRANSITION: f32 = 0.0125;
const LEAST_TRANSITION: usize = 3;
/// Greatest width of a border, as a share of the photo.
const MOST_WIDTH: f32 = 0.18;
/// Least width of a frame, as a share of the photo; thinner borders are scan edges, to be cropped.
const LEAST_FRAME: f32 = 0.01;
/// Tolerance of the border's color in 8-bit steps, which covers JPEG ringing.
const ALIKE: i32 = 9;
/// Most pixels sampled in a row or column.
const SAMPLES: usize = 400;

/// Widths of the borders, pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Borders {
    /// At the left.
    pub left: usize,
    /// At the top.
    pub top: usize,
    /// At the right.
    pub right: usize,
    /// At the bottom.
    pub bottom: usize,
}

impl Borders {
    /// Detects the borders of a photo.
    #[must_use]
    pub fn detect(photo: &Photo) -> Self {
        let (width, height) = (photo.width, photo.height);
        let row = |y: usize| move |x: usize| photo.pixels[y * width + x];
        let column = |x: usize| move |y: usize| photo.pixels[y * width + x];
        Self {
            left: width_of(width, height, column),
            top: width_of(height, width, row),
            right: width_of(width, height, |i| column(width - 1 - i)),
            bottom: width_of(height, width, |i| row(height - 1 - i)),
        }
    }

    /// Whether one of them is wide enough to be a deliberate frame.
    #[must_use]
    pub fn is_frame(&self, photo: &Photo) -> bool {
        let is_wide = |border: usize, of: usize| border as f32 >= (LEAST_FRAME * of as f32).max(3.0);
        is_wide(self.left.max(self.right), photo.width) || is_wide(self.top.max(self.bottom), photo.height)
    }
}

/// Width of the border on one side; `line` gives rows or columns from the edge inward.
fn width_of<P: Fn(usize) -> [u16; 3]>(lines: usize, length: usize, line: impl Fn(usize) -> P) -> usize {
    let step = length.div_ceil(SAMPLES);
    let sampled = |at: usize| {
        let pixel = line(at);
        (0..length).step_by(step).map(move |i| pixel(i).map(|v| i32::from(v / 257)))
    };
    let outermost: Vec<[i32; 3]> = sampled(0).collect();
    let color = [0, 1, 2].map(|c| {
        let mut values: Vec<i32> = outermost.iter().map(|p| p[c]).collect();
        values.sort_unstable();
        values[values.len() / 2]
    });
    let plain = |at: usize| {
        let (mut alike, mut all) = (0_usize, 0_usize);
        for pixel in sampled(at) {
            all += 1;
            alike += usize::from((0..3).all(|c| (pixel[c] - color[c]).abs() <= ALIKE));
        }
        alike as f32 / all as f32
    };
    let most = (lines as f32 * MOST_WIDTH) as usize;
    let Some(end) = (0..most).find(|at| plain(*at) < LEAST_PLAIN) else { return 0 };
    let edge = ((lines as f32 * TRANSITION) as usize).max(LEAST_TRANSITION);
    let is_sharp = (end..(end + edge).min(lines)).any(|at| plain(at) <= MOST_BEYOND);
    if end > 0 && is_sharp { end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn photo(width: usize, height: usize, pixel: impl Fn(usize, usize) -> u16) -> Photo {
        Photo::new(width, height, (0..width * height).map(|i| [pixel(i % width, i / width) * 257; 3]).collect())
    }

    fn textured(x: usize, y: usize) -> u16 {
        40 + ((x * 37 + y * 91) % 150) as u16
    }

    #[test]
    fn a_white_footer_with_a_watermark_is_a_frame() {
        let framed = photo(400, 300, |x, y| {
            if y < 285 {
                textured(x, y)
            } else if (340..380).contains(&x) && (288..296).contains(&y) {
                120
            } else {
                252 + (x % 3) as u16
            }
        });
        let borders = Borders::detect(&framed);
        assert_eq!(borders, Borders { bottom: 15, ..Borders::default() });
        assert!(borders.is_frame(&framed));
    }

    #[test]
    fn a_dark_scan_edge_is_a_border_but_not_a_frame() {
        let scanned = photo(400, 300, |x, y| if x < 2 { 3 } else { textured(x, y) });
        let borders = Borders::detect(&scanned);
        assert_eq!(borders, Borders { left: 2, ..Borders::default() });
        assert!(!borders.is_frame(&scanned));
    }

    #[test]
    fn blown_out_skies_and_plain_walls_are_not_borders() {
        let sky = photo(400, 300, |x, y| if y < 20 + x / 5 { 255 } else { textured(x, y) });
        let wall = photo(400, 300, |x, y| if x < 50 + y / 20 { 180 } else { textured(x, y) });
        for plain in [sky, wall, photo(400, 300, |_, _| 255)] {
            assert_eq!(Borders::detect(&plain), Borders::default());
        }
    }
}
