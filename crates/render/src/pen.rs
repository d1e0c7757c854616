//! Draws a boundary over an image, in the style of a [`Marking`](crate::marking::Marking) on the ground.

use crate::marking::MarkingState;
use crate::pan::Window;

/// An outline on a sheet, with its precomputed distance field.
#[derive(Debug, Clone)]
pub struct Outline {
    width: usize,
    height: usize,
    /// At the center of each pixel of the sheet: signed distance to the outline, positive inside, and the share of the ring's
    /// length at the nearest point.
    field: Vec<[f32; 2]>,
    /// Corners, each with its share of the ring's length.
    corners: Vec<([f64; 2], f32)>,
    rings: Vec<Vec<[f64; 2]>>,
}

/// Style of an outline, in pixels of the frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pen {
    /// Color, sRGB from 0 to 255.
    pub color: [f32; 3],
    /// Width of the line.
    pub width: f32,
}

/// Corners that turn by less than this, radians, get no marker.
const BEND: f64 = 0.3;
/// Outlines with more corners than this get no markers.
const MAX_CORNERS: usize = 60;

impl Outline {
    /// Builds the outline of closed rings (even-odd) on a sheet of `width` by `height` pixels.
    #[must_use]
    pub fn new(rings: Vec<Vec<[f64; 2]>>, width: usize, height: usize) -> Self {
        let mut edges = Vec::new();
        let mut corners = Vec::new();
        for ring in &rings {
            let count = ring.len();
            let length = |i: usize| distance(ring[i], ring[(i + 1) % count]);
            let total: f64 = (0..count).map(length).sum();
            let mut along = 0.0;
            for i in 0..count {
                let (before, a, b) = (ring[(i + count - 1) % count], ring[i], ring[(i + 1) % count]);
                let turn =
                    glam::dvec2(a[0] - before[0], a[1] - before[1]).angle_to(glam::dvec2(b[0] - a[0], b[1] - a[1]));
                if turn.abs() > BEND {
                    corners.push((a, (along / total) as f32));
                }
                edges.push((a, b, along / total, (along + length(i)) / total));
                along += length(i);
            }
        }
        if corners.len() > MAX_CORNERS {
            corners.clear();
        }
        let mut field = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let p = [x as f64 + 0.5, y as f64 + 0.5];
                let (mut near, mut share, mut inside) = (f64::INFINITY, 0.0, false);
                for (a, b, from, to) in &edges {
                    let d = [b[0] - a[0], b[1] - a[1]];
                    let t = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]).max(1e-12);
                    let t = t.clamp(0.0, 1.0);
                    let off = (p[0] - a[0] - t * d[0]).powi(2) + (p[1] - a[1] - t * d[1]).powi(2);
                    if off < near {
                        (near, share) = (off, from + (to - from) * t);
                    }
                    inside ^= (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (p[1] - a[1]) / (b[1] - a[1]) * d[0] + a[0];
                }
                let near = near.sqrt() as f32;
                field.push([if inside { near } else { -near }, share as f32]);
            }
        }
        Self { width, height, field, corners, rings }
    }

    /// Draws the outline, as far as `drawn` says, onto a frame that shows `window` of the sheet.
    pub fn draw(&self, frame: &mut [[f32; 3]], width: u32, height: u32, window: Window, pen: Pen, drawn: MarkingState) {
        if drawn == MarkingState::HIDDEN {
            return;
        }
        let scale = (f64::from(width) / window.width) as f32;
        let half = 0.5 * pen.width;
        let room = f64::from(4.0 * pen.width + 4.0);
        let place = |p: [f64; 2]| window.place(p, width, height);
        let placed: Vec<[f64; 2]> = self.rings.iter().flatten().map(|p| place(*p)).collect();
        let span = |c: usize, end: u32| {
            let low = placed.iter().map(|p| p[c]).fold(f64::INFINITY, f64::min) - room;
            let high = placed.iter().map(|p| p[c]).fold(f64::NEG_INFINITY, f64::max) + room;
            (low.clamp(0.0, f64::from(end)) as usize)..(high.ceil().clamp(0.0, f64::from(end)) as usize)
        };
        let tips = self.tips(drawn.line).map(place);
        let tips: Vec<[f64; 2]> = tips.collect();
        let corners: Vec<([f64; 2], f32)> = self
            .corners
            .iter()
            .map(|(p, share)| (place(*p), grown(drawn.line - share)))
            .filter(|c| c.1 > 0.0)
            .collect();
        for y in span(1, height) {
            for x in span(0, width) {
                let p = [x as f64 + 0.5, y as f64 + 0.5];
                let [signed, share] = self.at(window, p, width, height);
                let signed = signed * scale;
                let pixel = &mut frame[y * width as usize + x];
                if signed > 0.0 {
                    mix(pixel, pen.color, drawn.fill * (0.55 + 0.9 * (-signed / (6.0 * pen.width)).exp()));
                }
                let mut away = if share <= drawn.line { signed.abs() } else { f32::INFINITY };
                if drawn.line < 1.0 {
                    away = tips.iter().map(|tip| distance(*tip, p) as f32).fold(away, f32::min);
                }
                mix(pixel, [8.0; 3], 0.38 * cover(away, half * 1.5 + 0.5, 1.6));
                mix(pixel, pen.color, cover(away, half, 1.0));
                for (corner, grown) in &corners {
                    let (away, size) = (distance(*corner, p) as f32, half * 2.3 * grown);
                    if away < size * 1.3 + 1.5 {
                        mix(pixel, [8.0; 3], 0.38 * cover(away, size * 1.22, 1.6));
                        mix(pixel, pen.color, cover(away, size, 1.0));
                        mix(pixel, [250.0; 3], cover(away, size * 0.62, 1.0));
                    }
                }
            }
        }
    }

    /// Current position of the pen on each ring.
    fn tips(&self, drawn: f32) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.rings.iter().map(move |ring| {
            let edges = || (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]));
            let mut left = edges().map(|(a, b)| distance(a, b)).sum::<f64>() * f64::from(drawn);
            for (a, b) in edges() {
                let length = distance(a, b);
                if left <= length && length > 0.0 {
                    return [a[0] + (b[0] - a[0]) * left / length, a[1] + (b[1] - a[1]) * left / length];
                }
                left -= length;
            }
            ring[0]
        })
    }

    /// Samples the field: interpolated distance, and the share of the nearest pixel.
    fn at(&self, window: Window, p: [f64; 2], width: u32, height: u32) -> [f32; 2] {
        let step = window.width / f64::from(width);
        let x = (p[0] - 0.5 * f64::from(width)) * step + window.center[0] - 0.5;
        let y = (p[1] - 0.5 * f64::from(height)) * step + window.center[1] - 0.5;
        let inside = |v: f64, count: usize| v.clamp(0.0, count as f64 - 1.001);
        let (x, y) = (inside(x, self.width), inside(y, self.height));
        let (i, j) = (x as usize, y as usize);
        let (u, v) = ((x - i as f64) as f32, (y - j as f64) as f32);
        let at = |di: usize, dj: usize| self.field[(j + dj) * self.width + i + di];
        let upper = at(0, 0)[0] * (1.0 - u) + at(1, 0)[0] * u;
        let lower = at(0, 1)[0] * (1.0 - u) + at(1, 1)[0] * u;
        [upper * (1.0 - v) + lower * v, at(usize::from(u > 0.5), usize::from(v > 0.5))[1]]
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn grown(age: f32) -> f32 {
    let t = (age / 0.025).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn cover(distance: f32, half: f32, soft: f32) -> f32 {
    ((half - distance) / soft + 0.5).clamp(0.0, 1.0)
}

fn mix(pixel: &mut [f32; 3], with: [f32; 3], share: f32) {
    if share > 0.0 {
        for (value, with) in pixel.iter_mut().zip(with) {
            *value += (with - *value) * share;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { center: [100.0, 60.0], width: 160.0 };
    const PEN: Pen = Pen { color: [255.0, 0.0, 0.0], width: 4.0 };

    fn drawn(drawn: MarkingState) -> Vec<[f32; 3]> {
        let ring = vec![[60.0, 30.0], [140.0, 30.0], [140.0, 90.0], [60.0, 90.0]];
        let mut frame = vec![[100.0; 3]; 320 * 180];
        Outline::new(vec![ring], 200, 120).draw(&mut frame, 320, 180, WINDOW, PEN, drawn);
        frame
    }

    #[test]
    fn nothing_is_drawn_outside_and_the_line_is_where_the_window_maps_it() {
        let all = drawn(MarkingState { line: 1.0, fill: 0.2 });
        let [left, top] = WINDOW.place([60.0, 30.0], 320, 180);
        let [right, bottom] = WINDOW.place([140.0, 90.0], 320, 180);
        for (i, pixel) in all.iter().enumerate() {
            let p = [(i % 320) as f64 + 0.5, (i / 320) as f64 + 0.5];
            let outside = (left - p[0]).max(p[0] - right).max(top - p[1]).max(p[1] - bottom);
            if outside > 8.0 {
                assert_eq!(*pixel, [100.0; 3], "{p:?}");
            }
        }
        let middle = all[((top + bottom) / 2.0) as usize * 320 + left as usize];
        assert!(middle[0] > 250.0 && middle[1] < 5.0, "{middle:?}");
    }

    #[test]
    fn a_half_drawn_line_is_half_drawn() {
        let red = |frame: &[[f32; 3]]| frame.iter().filter(|p| p[0] > 250.0 && p[1] < 5.0).count();
        let (half, all) =
            (red(&drawn(MarkingState { line: 0.5, fill: 0.0 })), red(&drawn(MarkingState { line: 1.0, fill: 0.0 })));
        assert!((half as f64 / all as f64 - 0.5).abs() < 0.05, "{half} of {all}");
        assert!(drawn(MarkingState::HIDDEN).iter().all(|p| *p == [100.0; 3]));
    }
}
