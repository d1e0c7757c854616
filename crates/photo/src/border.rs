//! Plain strips along a photo's edges that are no part of what was photographed: frames, bars of another shape of
//! screen, the edge of a scan. They lean when the photo is made to stand, and their light says nothing of the room's.

use crate::Photo;

/// Share of a line that has the strip's color; the rest may be a mark written into it.
const LEAST_PLAIN: f32 = 0.8;
/// Share of the next line that may: where more has it, the strip ends nowhere sharply, as a blown sky or a wall does.
const MOST_BEYOND: f32 = 0.45;
/// Share of the photo's lines on which a strip may end, and how many they are at least: scaling and JPEG mix its edge
/// with the picture.
const ENDS_WITHIN: f32 = 0.0125;
const ENDS_WITHIN_LEAST: usize = 3;
/// A strip is at most this share of the photo.
const MOST_DEEP: f32 = 0.18;
/// What is thinner than this share of the photo is an edge to be cut off, not a frame.
const LEAST_FRAME: f32 = 0.01;
/// Steps of 255 by which a strip's pixels may differ: JPEG's rims are in it.
const ALIKE: i32 = 9;
/// Pixels of a line that are looked at.
const SAMPLES: usize = 400;

/// Pixels at each side that are strips.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Strips {
    /// At the left.
    pub left: usize,
    /// At the top.
    pub top: usize,
    /// At the right.
    pub right: usize,
    /// At the bottom.
    pub bottom: usize,
}

impl Strips {
    /// The strips of a photo.
    #[must_use]
    pub fn of(photo: &Photo) -> Self {
        let (width, height) = (photo.width, photo.height);
        let row = |y: usize| move |x: usize| photo.pixels[y * width + x];
        let column = |x: usize| move |y: usize| photo.pixels[y * width + x];
        Self {
            left: depth(width, height, column),
            top: depth(height, width, row),
            right: depth(width, height, |i| column(width - 1 - i)),
            bottom: depth(height, width, |i| row(height - 1 - i)),
        }
    }

    /// Whether one of them is a frame's: broad enough to be meant.
    #[must_use]
    pub fn is_frame(&self, photo: &Photo) -> bool {
        let is_broad = |strip: usize, of: usize| strip as f32 >= (LEAST_FRAME * of as f32).max(3.0);
        is_broad(self.left.max(self.right), photo.width) || is_broad(self.top.max(self.bottom), photo.height)
    }

    /// Whether there are none.
    #[must_use]
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }
}

/// How many of the outermost lines are a strip; `line` counts them inwards.
fn depth<P: Fn(usize) -> [u16; 3]>(lines: usize, length: usize, line: impl Fn(usize) -> P) -> usize {
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
    let most = (lines as f32 * MOST_DEEP) as usize;
    let Some(end) = (0..most).find(|at| plain(*at) < LEAST_PLAIN) else { return 0 };
    let edge = ((lines as f32 * ENDS_WITHIN) as usize).max(ENDS_WITHIN_LEAST);
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
    fn a_white_foot_with_a_mark_in_it_is_a_frame() {
        let framed = photo(400, 300, |x, y| {
            if y < 285 {
                textured(x, y)
            } else if (340..380).contains(&x) && (288..296).contains(&y) {
                120
            } else {
                252 + (x % 3) as u16
            }
        });
        let strips = Strips::of(&framed);
        assert_eq!(strips, Strips { bottom: 15, ..Strips::default() });
        assert!(strips.is_frame(&framed));
    }

    #[test]
    fn a_dark_line_at_the_edge_of_a_scan_is_a_strip_and_no_frame() {
        let scanned = photo(400, 300, |x, y| if x < 2 { 3 } else { textured(x, y) });
        let strips = Strips::of(&scanned);
        assert_eq!(strips, Strips { left: 2, ..Strips::default() });
        assert!(!strips.is_frame(&scanned));
    }

    #[test]
    fn a_blown_sky_over_roofs_and_a_plain_wall_are_no_strips() {
        let sky = photo(400, 300, |x, y| if y < 20 + x / 5 { 255 } else { textured(x, y) });
        let wall = photo(400, 300, |x, y| if x < 50 + y / 20 { 180 } else { textured(x, y) });
        for plain in [sky, wall, photo(400, 300, |_, _| 255)] {
            assert!(Strips::of(&plain).are_none(), "{:?}", Strips::of(&plain));
        }
    }
}
