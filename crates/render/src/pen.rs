//! Draws a boundary over frames of a still picture, in the style of a [`Marking`](crate::marking::Marking) on the ground.

use glam::DVec2;
use tiny_skia::Transform;

use crate::layer::{DARK, LIGHT, Layer, Path, PathBuilder, polygon};
use crate::marking::MarkingState;
use crate::pan::Window;
use crate::picture::Picture;

/// An outline on a sheet, in its pixels.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Closed rings, each with its length.
    rings: Vec<(Path, f32)>,
    /// Corners, each with its share of the ring's length.
    corners: Vec<([f64; 2], f32)>,
}

/// Style of an outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pen {
    /// Color, sRGB.
    pub color: [u8; 3],
    /// Width of the line, pixels of the frame.
    pub width: f32,
}

/// Corners that turn by less than this, radians, get no marker.
const BEND: f64 = 0.3;
/// Outlines with more corners than this get no markers.
const MAX_CORNERS: usize = 60;
/// Opacity of the fill far from the line and what is added at the line, relative to that of [`MarkingState`].
const FILL: (f32, f32) = (0.55, 0.9);
/// Distance over which the fill fades by a factor of e, relative to the width of the line.
const FADE: f32 = 6.0;

impl Outline {
    /// Builds the outline of closed rings.
    #[must_use]
    pub fn new(rings: &[Vec<[f64; 2]>]) -> Self {
        let (mut paths, mut corners) = (Vec::new(), Vec::new());
        for ring in rings {
            let count = ring.len();
            let edge = |i: usize| DVec2::from(ring[(i + 1) % count]) - DVec2::from(ring[i % count]);
            let total: f64 = (0..count).map(|i| edge(i).length()).sum();
            let mut along = 0.0;
            for (i, corner) in ring.iter().enumerate() {
                if edge(i + count - 1).angle_to(edge(i)).abs() > BEND {
                    corners.push((*corner, (along / total) as f32));
                }
                along += edge(i).length();
            }
            paths.extend(polygon([ring.iter().copied()]).map(|path| (path, total as f32)));
        }
        if corners.len() > MAX_CORNERS {
            corners.clear();
        }
        Self { rings: paths, corners }
    }

    /// Draws the outline, as far as `drawn` says, into an NV12 frame that shows `window` of the sheet.
    pub fn blend(&self, picture: Picture, nv12: &mut [u8], window: Window, pen: Pen, drawn: MarkingState) {
        let place = |p: [f64; 2]| window.place(p, picture.width, picture.height).map(|v| v as f32);
        let (scale, [x, y]) = (picture.width as f32 / window.width as f32, place([0.0; 2]));
        let placed = |(path, length): &(Path, f32)| {
            let path = path.clone().transform(Transform::from_row(scale, 0.0, 0.0, scale, x, y));
            path.map(|path| (path, length * scale))
        };
        let rings: Vec<(Path, f32)> = self.rings.iter().filter_map(placed).collect();
        let mut area = PathBuilder::new();
        rings.iter().for_each(|(ring, _)| area.push_path(ring));
        let Some(area) = area.finish().filter(|_| drawn != MarkingState::HIDDEN) else { return };
        let Some(mut layer) = Layer::around(&area, 4.0 * pen.width + 4.0, picture, 1) else { return };
        if drawn.fill > 0.0 {
            // Bands of equal steps of opacity, too small to be seen.
            const BANDS: u8 = 24;
            let opacity = |share: f32| drawn.fill * (FILL.0 + FILL.1 * share);
            let bands = (1..BANDS).map(|band| {
                let [share, middle] = [0.0, 0.5].map(|more| (f32::from(band) + more) / f32::from(BANDS));
                (-2.0 * FADE * pen.width * share.ln(), opacity(middle))
            });
            layer.glow_inside(&area, pen.color, opacity(0.5 / f32::from(BANDS)), bands);
        }
        for (ring, length) in &rings {
            layer.line(ring, pen.color, pen.width, if drawn.line < 1.0 { length * drawn.line } else { f32::INFINITY });
        }
        for (corner, share) in &self.corners {
            let [x, y] = place(*corner);
            let size = 1.15 * pen.width * grown(drawn.line - share);
            for (color, opacity, radius) in [(DARK, 0.38, 1.22), (pen.color, 1.0, 1.0), (LIGHT, 1.0, 0.62)] {
                if let Some(dot) = PathBuilder::from_circle(x, y, radius * size).filter(|_| size > 0.0) {
                    layer.fill(&dot, color, opacity);
                }
            }
        }
        layer.blend(picture, nv12, 1.0);
    }
}

/// Size of a corner's marker by the share of the ring that was drawn since it.
fn grown(age: f32) -> f32 {
    let t = (age / 0.025).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { center: [100.0, 60.0], width: 160.0 };
    const PEN: Pen = Pen { color: [255, 0, 0], width: 4.0 };

    const PICTURE: Picture = Picture { width: 320, height: 180, supersampling: 1.0, vignette: 0.0 };

    /// The pixels of a gray frame with an outline.
    fn drawn(drawn: MarkingState) -> Vec<[u8; 3]> {
        let ring = vec![[60.0, 30.0], [140.0, 30.0], [140.0, 90.0], [60.0, 90.0]];
        let mut nv12 = vec![100; 320 * 180];
        nv12.extend([128; 320 * 90]);
        Outline::new(&[ring]).blend(PICTURE, &mut nv12, WINDOW, PEN, drawn);
        let rgb = crate::still::rgb_from_nv12(PICTURE, &nv12);
        rgb.as_chunks().0.to_vec()
    }

    #[test]
    fn nothing_is_drawn_outside_and_the_line_is_where_the_window_maps_it() {
        let untouched = drawn(MarkingState::HIDDEN)[0];
        let all = drawn(MarkingState { line: 1.0, fill: 0.2 });
        let [left, top] = WINDOW.place([60.0, 30.0], 320, 180);
        let [right, bottom] = WINDOW.place([140.0, 90.0], 320, 180);
        for (i, pixel) in all.iter().enumerate() {
            let p = [(i % 320) as f64 + 0.5, (i / 320) as f64 + 0.5];
            let outside = (left - p[0]).max(p[0] - right).max(top - p[1]).max(p[1] - bottom);
            if outside > 8.0 {
                assert_eq!(*pixel, untouched, "{p:?}");
            }
        }
        let middle = all[((top + bottom) / 2.0) as usize * 320 + left as usize];
        assert!(middle[0] > 250 && middle[1] < 5, "{middle:?}");
    }

    #[test]
    fn a_half_drawn_line_is_half_drawn() {
        let red = |frame: &[[u8; 3]]| frame.iter().filter(|p| p[0] > 245 && p[1] < 10).count();
        let (half, all) =
            (red(&drawn(MarkingState { line: 0.5, fill: 0.0 })), red(&drawn(MarkingState { line: 1.0, fill: 0.0 })));
        assert!((half as f64 / all as f64 - 0.5).abs() < 0.05, "{half} of {all}");
        let hidden = drawn(MarkingState::HIDDEN);
        assert!(hidden.iter().all(|pixel| *pixel == hidden[0]));
    }
}
