//! Transparent layers over finished frames: shapes, lines and text are drawn into them, and they are blended into NV12.

use tiny_skia::{BlendMode, Color, FillRule, LineCap, LineJoin, Paint, Pixmap, Shader, Stroke, StrokeDash, Transform};
pub use tiny_skia::{Path, PathBuilder, Rect};

use crate::picture::Picture;

/// Color of text and shapes, sRGB.
pub(crate) const LIGHT: [u8; 3] = [251; 3];
/// Color of plates, halos and casings, sRGB.
pub(crate) const DARK: [u8; 3] = [9; 3];

/// A layer over a part of a frame. Positions and widths are in pixels of the frame.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Left and top edge in the frame.
    origin: [f32; 2],
    /// Samples along each side of a pixel.
    samples: usize,
    pixmap: Pixmap,
}

impl Layer {
    /// Samples along each side of a pixel, so that what drifts slowly does not move in visible steps.
    pub const FINE: usize = 2;

    /// Creates a layer over the whole pixels of a rectangle, with `samples` along each side of a pixel, 1 or 2; `None` where it
    /// is empty.
    #[must_use]
    pub fn new(bounds: Rect, samples: usize) -> Option<Self> {
        let origin = [bounds.left().floor(), bounds.top().floor()];
        let [width, height] = [bounds.right().ceil() - origin[0], bounds.bottom().ceil() - origin[1]]
            .map(|pixels| pixels as u32 * samples as u32);
        Some(Self { origin, samples, pixmap: Pixmap::new(width, height)? })
    }

    /// Creates a layer over what a frame shows of a path with this margin around it; `None` where it shows nothing.
    #[must_use]
    pub fn around(path: &Path, margin: f32, picture: Picture, samples: usize) -> Option<Self> {
        let frame = Rect::from_xywh(0.0, 0.0, picture.width as f32, picture.height as f32)?;
        Self::new(path.bounds().outset(margin, margin)?.intersect(&frame)?, samples)
    }

    /// Fills a path by the nonzero rule.
    pub fn fill(&mut self, path: &Path, color: [u8; 3], opacity: f32) {
        self.pixmap.fill_path(path, &paint(color, opacity), FillRule::Winding, self.to_samples(), None);
    }

    /// Fills a path with light color, over a dark halo of this opacity that fades within `radius`.
    pub fn light(&mut self, path: &Path, opacity: f32, halo: f32, radius: f32) {
        const BANDS: u8 = 12;
        let shares = (1..=BANDS).map(|band| f32::from(band) / f32::from(BANDS));
        self.glow(path, DARK, shares.map(|share| (2.0 * radius * (1.04 - share), halo * share)));
        self.fill(path, LIGHT, opacity);
    }

    /// Strokes a path with bands of a width and an opacity, the widest first. Each replaces what is under it.
    pub(crate) fn glow(&mut self, path: &Path, color: [u8; 3], bands: impl Iterator<Item = (f32, f32)>) {
        for (width, opacity) in bands {
            let paint = Paint { blend_mode: BlendMode::Source, anti_alias: false, ..paint(color, opacity) };
            self.pixmap.stroke_path(path, &paint, &round(width), self.to_samples(), None);
        }
    }

    /// Fills the inside of a path (even-odd) with an opacity, and with bands along its edge as in [`Layer::glow`].
    pub(crate) fn glow_inside(
        &mut self,
        path: &Path,
        color: [u8; 3],
        opacity: f32,
        bands: impl Iterator<Item = (f32, f32)>,
    ) {
        self.pixmap.fill(shade(color, opacity));
        self.glow(path, color, bands);
        let mut outside = PathBuilder::new();
        outside.push_path(path);
        path.bounds().outset(1e3, 1e3).into_iter().for_each(|beyond| outside.push_rect(beyond));
        if let Some(outside) = outside.finish() {
            let clear = Paint { blend_mode: BlendMode::Clear, anti_alias: false, ..Paint::default() };
            self.pixmap.fill_path(&outside, &clear, FillRule::EvenOdd, self.to_samples(), None);
        }
    }

    /// Draws a line in a dark casing along a path; from its start up to `length`, or all of it where that is infinite.
    pub fn line(&mut self, path: &Path, color: [u8; 3], width: f32, length: f32) {
        for (color, opacity, width) in [(DARK, 0.42, 1.8 * width), (color, 1.0, width)] {
            let stroke = Stroke { dash: StrokeDash::new(vec![length, f32::MAX], 0.0), ..round(width) };
            self.pixmap.stroke_path(path, &paint(color, opacity), &stroke, self.to_samples(), None);
        }
    }

    /// From pixels of the frame to samples.
    fn to_samples(&self) -> Transform {
        let samples = self.samples as f32;
        Transform::from_translate(-self.origin[0], -self.origin[1]).post_scale(samples, samples)
    }

    /// Blends the layer into a frame with an opacity of `strength`, 0 to 1.
    pub fn blend(&self, picture: Picture, nv12: &mut [u8], strength: f32) {
        self.blend_at([0.0; 2], picture, nv12, strength);
    }

    /// Blends the layer, moved by any offset and clipped to the frame. BT.709, limited range.
    pub(crate) fn blend_at(&self, offset: [f32; 2], picture: Picture, nv12: &mut [u8], strength: f32) {
        let [left, top] = [0, 1].map(|c| self.origin[c] + offset[c]);
        let [stride, height] = [picture.width, picture.height].map(|v| v as usize);
        let (luma, chroma) = nv12.split_at_mut(stride * height);
        // Pairs of pixels share their color.
        let pairs = |from: f32, samples: u32, end: usize| {
            let last = (from + (samples as usize / self.samples) as f32).ceil();
            let [first, last] = [from, last].map(|v| v.clamp(0.0, end as f32) as usize);
            (first & !1)..last
        };
        let scale = strength / (255 * self.samples * self.samples) as f32;
        let columns = pairs(left, self.pixmap.width(), stride);
        let across = taps(columns.start as f32 - left, self.samples);
        for y in pairs(top, self.pixmap.height(), height).step_by(2) {
            let rows = [0, 1].map(|j| self.row((y + j) as f32 - top));
            for x in columns.clone().step_by(2) {
                let mut shared = [0.0; 3];
                for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let [red, green, blue, alpha] =
                        self.pixel(&rows[j], &across, x + i - columns.start).map(|sum| sum * scale);
                    if alpha == 0.0 {
                        continue;
                    }
                    let gray = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
                    mix(&mut luma[(y + j) * stride + x + i], alpha, 16.0 * alpha + 219.0 * gray);
                    shared[0] += 0.25 * (blue - gray) / 1.8556;
                    shared[1] += 0.25 * (red - gray) / 1.5748;
                    shared[2] += 0.25 * alpha;
                }
                for c in [0, 1].into_iter().filter(|_| shared[2] > 0.0) {
                    mix(&mut chroma[y / 2 * stride + x + c], shared[2], 128.0 * shared[2] + 224.0 * shared[c]);
                }
            }
        }
    }

    /// Sums of the samples over the height of a pixel at this distance from the top, RGBA, between transparent ones.
    fn row(&self, top: f32) -> Vec<f32> {
        let length = self.pixmap.width() as usize * 4;
        let mut sums = vec![0.0; length + 8 * MARGIN];
        for (row, weight) in taps(top, self.samples) {
            let first = usize::try_from(row).unwrap_or(usize::MAX).saturating_mul(length);
            let samples = self.pixmap.data().get(first..first.saturating_add(length)).unwrap_or_default();
            for (sum, value) in sums[4 * MARGIN..].iter_mut().zip(samples) {
                *sum += weight * f32::from(*value);
            }
        }
        sums
    }

    /// Sums of the samples of the pixel so many pixels after that of `taps`, RGBA.
    fn pixel(&self, row: &[f32], taps: &[(isize, f32)], pixels: usize) -> [f32; 4] {
        let mut sums = [0.0; 4];
        for (column, weight) in taps {
            let from = ((column + MARGIN as isize) as usize + pixels * self.samples) * 4;
            for (sum, value) in sums.iter_mut().zip(&row[from..from + 4]) {
                *sum += weight * value;
            }
        }
        sums
    }
}

/// Transparent samples on either side of a row.
const MARGIN: usize = 8;

/// The samples that a pixel at this position overlaps, and the shares of them that it covers.
fn taps(pixel: f32, samples: usize) -> Vec<(isize, f32)> {
    let first = (pixel * samples as f32).floor();
    let share = pixel * samples as f32 - first;
    let weight = |i| match i {
        0 => 1.0 - share,
        _ if i == samples => share,
        _ => 1.0,
    };
    (0..=samples).map(|i| (first as isize + i as isize, weight(i))).filter(|(_, weight)| *weight > 0.0).collect()
}

/// Blends a premultiplied value over another.
fn mix(under: &mut u8, alpha: f32, value: f32) {
    *under = (f32::from(*under) * (1.0 - alpha) + value + 0.5) as u8;
}

/// Closed rings as a path; `None` without points.
pub fn polygon<R: IntoIterator<Item = [f64; 2]>>(rings: impl IntoIterator<Item = R>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for ring in rings {
        for (i, [x, y]) in ring.into_iter().map(|p| p.map(|v| v as f32)).enumerate() {
            if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.close();
    }
    path.finish()
}

fn shade([red, green, blue]: [u8; 3], opacity: f32) -> Color {
    Color::from_rgba8(red, green, blue, (255.0 * opacity).round() as u8)
}

fn paint(color: [u8; 3], opacity: f32) -> Paint<'static> {
    Paint { shader: Shader::SolidColor(shade(color, opacity)), ..Paint::default() }
}

/// A stroke with round caps and joins.
fn round(width: f32) -> Stroke {
    Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() }
}
