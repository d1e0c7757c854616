//! Draws as people do and measures against ground truth. Independent of the code under test.

use std::ffi::OsStr;
use std::fmt;

use aerie_boundary::{Boundary, Picture};

use aerie_math::Rng;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Outline,
    Filled,
    FillOnly,
    Dashed,
    NearlyClosed,
    Open,
}

/// A pen with its style.
#[derive(Debug, Clone)]
pub(crate) struct Pen {
    pub(crate) style: Style,
    color: [f64; 3],
    width: f64,
    /// Opacity of the line and of the fill.
    opacity: [f64; 2],
    fill: [f64; 3],
    smooth: bool,
    wobble: f64,
}

pub(crate) const COLORS: [[f64; 3]; 10] = [
    [255.0, 0.0, 0.0],
    [255.0, 255.0, 0.0],
    [255.0, 255.0, 255.0],
    [0.0, 0.0, 0.0],
    [0.0, 255.0, 255.0],
    [255.0, 0.0, 255.0],
    [0.0, 60.0, 255.0],
    [255.0, 140.0, 0.0],
    [50.0, 230.0, 50.0],
    [230.0, 30.0, 60.0],
];

impl Pen {
    pub(crate) fn random(rng: &mut Rng, scale: f64) -> Self {
        use Style::{Dashed, FillOnly, Filled, NearlyClosed, Outline};
        let styles = [Outline, Outline, Outline, Outline, Filled, Filled, Filled, FillOnly, Dashed, NearlyClosed];
        let style = styles[rng.below(styles.len())];
        let color = match rng.below(4) {
            0 => [(); 3].map(|()| rng.range_f64(0.0, 255.0)),
            _ => COLORS[rng.below(COLORS.len())],
        };
        let line = if rng.below(5) == 0 { rng.range_f64(0.55, 0.9) } else { 1.0 };
        Self {
            style,
            // A bare fill in a color of the ground would be invisible.
            color: if style == FillOnly { COLORS[[0, 1, 4, 5, 6, 7][rng.below(6)]] } else { color },
            width: rng.range_f64(2.5, 13.0) * scale,
            opacity: [line, rng.range_f64(0.18, 0.5)],
            fill: if rng.below(3) == 0 { COLORS[rng.below(COLORS.len())] } else { color },
            smooth: rng.below(4) != 0,
            wobble: if rng.below(4) == 0 { 0.8 * scale } else { 0.0 },
        }
    }
}

impl Pen {
    /// A pen for lines of this width in pixels.
    pub(crate) fn plain(color: [f64; 3], width: f64) -> Self {
        let (opacity, smooth) = ([1.0, 0.0], true);
        Self { style: Style::Open, color, width, opacity, fill: color, smooth, wobble: 0.0 }
    }

    pub(crate) fn with_style(self, style: Style) -> Self {
        Self { style, ..self }
    }
}

impl fmt::Display for Pen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.color;
        write!(f, "{:?} {:.1} px ({r:.0},{g:.0},{b:.0})", self.style, self.width)?;
        write!(f, " {:.2}/{:.2}{}", self.opacity[0], self.opacity[1], if self.wobble > 0.0 { " wobbly" } else { "" })
    }
}

/// A random ring of 3 to 12 corners, possibly concave, inside the picture.
pub(crate) fn polygon(rng: &mut Rng, width: f64, height: f64) -> Vec<[f64; 2]> {
    let short = width.min(height);
    loop {
        let count = 3 + rng.below(10);
        let radius = rng.range_f64(0.17, 0.44) * short;
        let center =
            [rng.range_f64(radius + 20.0, width - radius - 20.0), rng.range_f64(radius + 20.0, height - radius - 20.0)];
        let step = std::f64::consts::TAU / count as f64;
        let turn = rng.range_f64(0.0, step);
        let ring: Vec<[f64; 2]> = (0..count)
            .map(|k| {
                let angle = turn + step * (k as f64 + rng.range_f64(-0.32, 0.32));
                let r = radius * rng.range_f64(0.45, 1.0);
                [center[0] + r * angle.cos(), center[1] + r * angle.sin()]
            })
            .collect();
        // Reject slivers.
        if aerie_boundary::polygon::signed_area(&ring).abs() > 0.012 * width * height {
            return ring;
        }
    }
}

/// Where to draw marks other than boundaries.
pub(crate) enum Marks<'a> {
    Anywhere,
    Outside(&'a [[f64; 2]]),
}

pub(crate) struct Canvas {
    width: usize,
    height: usize,
    values: Vec<[f64; 3]>,
}

impl Canvas {
    pub(crate) fn new(clean: &Picture) -> Self {
        let values = clean.pixels.iter().map(|p| p.map(f64::from)).collect();
        Self { width: clean.width, height: clean.height, values }
    }

    pub(crate) fn picture(&self) -> Picture {
        let pixels = self.values.iter().map(|p| p.map(|v| v.clamp(0.0, 255.0).round() as u8)).collect();
        Picture::new(self.width, self.height, pixels)
    }

    pub(crate) fn draw(&mut self, ring: &[[f64; 2]], pen: &Pen) {
        let n = ring.len();
        if matches!(pen.style, Style::Filled | Style::FillOnly) {
            let inside = coverage(ring, self.width, self.height);
            let color = if pen.style == Style::FillOnly { pen.color } else { pen.fill };
            self.blend(&inside, color, pen.opacity[1]);
        }
        let edges = (0..n).map(|i| [ring[i], ring[(i + 1) % n]]);
        let mut lines: Vec<[[f64; 2]; 2]> = match pen.style {
            Style::FillOnly => return,
            Style::Open => edges.take(n - 1).collect(),
            Style::Dashed => edges.flat_map(|edge| dashes(edge, 3.0 * pen.width, 2.0 * pen.width)).collect(),
            Style::NearlyClosed => {
                let mut edges: Vec<_> = edges.collect();
                let [a, b] = edges[n - 1];
                let gap = 1.8 * pen.width + 6.0;
                let t = (1.0 - gap / (a[0] - b[0]).hypot(a[1] - b[1])).max(0.5);
                edges[n - 1] = [a, [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]];
                edges
            }
            _ => edges.collect(),
        };
        if pen.wobble > 0.0 {
            lines = lines.into_iter().flat_map(|line| wobbled(line, pen.wobble)).collect();
        }
        self.stroke(&lines, pen.width, pen.color, pen.opacity[0], pen.smooth);
    }

    /// Draws along points.
    pub(crate) fn follow(&mut self, points: &[[f64; 2]], pen: &Pen) {
        let lines: Vec<[[f64; 2]; 2]> = points.windows(2).map(|w| [w[0], w[1]]).collect();
        self.stroke(&lines, pen.width, pen.color, pen.opacity[0], pen.smooth);
    }

    fn blend(&mut self, coverage: &[f64], color: [f64; 3], opacity: f64) {
        for (v, share) in self.values.iter_mut().zip(coverage) {
            let a = share * opacity;
            (0..3).for_each(|c| v[c] = v[c] * (1.0 - a) + color[c] * a);
        }
    }

    fn stroke(&mut self, lines: &[[[f64; 2]; 2]], width: f64, color: [f64; 3], opacity: f64, smooth: bool) {
        let mut covered = vec![0.0_f64; self.values.len()];
        for [a, b] in lines {
            let reach = 0.5 * width + 1.0;
            let span = |c: usize, limit: usize| {
                let low = (a[c].min(b[c]) - reach).floor().max(0.0) as usize;
                let high = (a[c].max(b[c]) + reach).ceil().clamp(0.0, limit as f64) as usize;
                low.min(limit)..high
            };
            for y in span(1, self.height) {
                for x in span(0, self.width) {
                    let d = distance_to_segment([x as f64 + 0.5, y as f64 + 0.5], *a, *b);
                    let share = (0.5 * width + 0.5 - d).clamp(0.0, 1.0);
                    let share = if smooth { share } else { share.round() };
                    let old = &mut covered[y * self.width + x];
                    *old = old.max(share);
                }
            }
        }
        self.blend(&covered, color, opacity);
    }

    /// Draws a pin, an arrow and a word.
    pub(crate) fn marks(&mut self, rng: &mut Rng, place: Marks<'_>, pen: &Pen) {
        let (w, h) = (self.width as f64, self.height as f64);
        let unit = w.max(h) / 1024.0;
        let size = 150.0 * unit;
        for kind in 0..3 {
            for _ in 0..60 {
                let at = [rng.range_f64(10.0, w - size - 10.0), rng.range_f64(10.0, h - size - 10.0)];
                let far = |ring: &[[f64; 2]]| {
                    let corners = [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size], [0.5 * size, 0.5 * size]];
                    let away = |p: [f64; 2]| {
                        (0..ring.len())
                            .all(|i| distance_to_segment(p, ring[i], ring[(i + 1) % ring.len()]) > 0.6 * size)
                    };
                    corners.iter().all(|c| away([at[0] + c[0], at[1] + c[1]]))
                };
                if let Marks::Outside(ring) = place
                    && !far(ring)
                {
                    continue;
                }
                match kind {
                    0 => self.pin(at, unit, pen),
                    1 => self.arrow(at, unit, pen),
                    _ => self.word(at, unit, pen),
                }
                break;
            }
        }
    }

    fn pin(&mut self, [x, y]: [f64; 2], unit: f64, pen: &Pen) {
        let r = 16.0 * unit;
        let drop: Vec<[f64; 2]> = (0..40)
            .map(|k| {
                let angle = f64::from(k) / 40.0 * std::f64::consts::TAU;
                let long =
                    if angle > 1.0 && angle < 2.14 { 1.0 + 1.2 * (1.0 - (angle - 1.57).abs() / 0.57) } else { 1.0 };
                [x + 40.0 * unit + r * long * angle.cos(), y + 40.0 * unit + r * long * angle.sin()]
            })
            .collect();
        let inside = coverage(&drop, self.width, self.height);
        self.blend(&inside, pen.color, 1.0);
        let middle: Vec<[f64; 2]> = (0..20)
            .map(|k| f64::from(k) / 20.0 * std::f64::consts::TAU)
            .map(|t| [x + 40.0 * unit + 0.4 * r * t.cos(), y + 40.0 * unit + 0.4 * r * t.sin()])
            .collect();
        let inside = coverage(&middle, self.width, self.height);
        self.blend(&inside, [255.0; 3], 1.0);
    }

    fn arrow(&mut self, [x, y]: [f64; 2], unit: f64, pen: &Pen) {
        let (a, b) = ([x + 10.0 * unit, y + 10.0 * unit], [x + 120.0 * unit, y + 90.0 * unit]);
        self.stroke(&[[a, b]], 5.0 * unit, pen.color, 1.0, true);
        let (dx, dy) = ((b[0] - a[0]) / 136.0, (b[1] - a[1]) / 136.0);
        let head = [
            [b[0] + 8.0 * dx, b[1] + 8.0 * dy],
            [b[0] - 20.0 * dx - 11.0 * dy, b[1] - 20.0 * dy + 11.0 * dx],
            [b[0] - 20.0 * dx + 11.0 * dy, b[1] - 20.0 * dy - 11.0 * dx],
        ];
        let inside = coverage(&head, self.width, self.height);
        self.blend(&inside, pen.color, 1.0);
    }

    /// Writes "LOT B8".
    fn word(&mut self, [x, y]: [f64; 2], unit: f64, pen: &Pen) {
        let glyphs: [&[[f64; 4]]; 6] = [
            &[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.6, 1.0]],
            &[[0.0, 0.0, 0.6, 0.0], [0.6, 0.0, 0.6, 1.0], [0.6, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]],
            &[[0.0, 0.0, 0.7, 0.0], [0.35, 0.0, 0.35, 1.0]],
            &[],
            &[
                [0.0, 0.0, 0.5, 0.0],
                [0.5, 0.0, 0.5, 0.5],
                [0.0, 0.5, 0.6, 0.5],
                [0.6, 0.5, 0.6, 1.0],
                [0.6, 1.0, 0.0, 1.0],
                [0.0, 0.0, 0.0, 1.0],
            ],
            &[
                [0.0, 0.0, 0.6, 0.0],
                [0.6, 0.0, 0.6, 1.0],
                [0.6, 1.0, 0.0, 1.0],
                [0.0, 1.0, 0.0, 0.0],
                [0.0, 0.5, 0.6, 0.5],
            ],
        ];
        let size = 26.0 * unit;
        let lines: Vec<[[f64; 2]; 2]> = glyphs
            .iter()
            .enumerate()
            .flat_map(|(k, glyph)| {
                let left = x + 8.0 + k as f64 * 0.9 * size;
                glyph.iter().map(move |[a, b, c, d]| {
                    [[left + a * size, y + 20.0 + b * size], [left + c * size, y + 20.0 + d * size]]
                })
            })
            .collect();
        self.stroke(&lines, 4.0 * unit, pen.color, 1.0, true);
    }
}

fn dashes([a, b]: [[f64; 2]; 2], on: f64, off: f64) -> Vec<[[f64; 2]; 2]> {
    let length = (a[0] - b[0]).hypot(a[1] - b[1]);
    let at = |t: f64| [a[0] + (b[0] - a[0]) * t / length, a[1] + (b[1] - a[1]) * t / length];
    let count = (length / (on + off)).ceil() as usize;
    (0..count).map(|k| k as f64 * (on + off)).map(|t| [at(t), at((t + on).min(length))]).collect()
}

/// A straight line drawn by an unsteady hand.
fn wobbled([a, b]: [[f64; 2]; 2], size: f64) -> Vec<[[f64; 2]; 2]> {
    let length = (a[0] - b[0]).hypot(a[1] - b[1]).max(1.0);
    let count = (length / 12.0).ceil() as usize;
    let normal = [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
    let at = |k: usize| {
        let t = k as f64 / count as f64;
        let off = size * (t * length * 0.07 + a[0]).sin() * (1.0 - (2.0 * t - 1.0).powi(6));
        [a[0] + (b[0] - a[0]) * t + normal[0] * off, a[1] + (b[1] - a[1]) * t + normal[1] * off]
    };
    (0..count).map(|k| [at(k), at(k + 1)]).collect()
}

fn distance_to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy).max(1e-12)).clamp(0.0, 1.0);
    (p[0] - a[0] - t * dx).hypot(p[1] - a[1] - t * dy)
}

/// Share of each pixel inside a ring: four scan lines per pixel, exact along x.
fn coverage(ring: &[[f64; 2]], width: usize, height: usize) -> Vec<f64> {
    let mut out = vec![0.0; width * height];
    for row in 0..height * 4 {
        let y = (row as f64 + 0.5) / 4.0;
        let mut cuts: Vec<f64> = (0..ring.len())
            .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
            .filter(|(a, b)| (a[1] <= y) != (b[1] <= y))
            .map(|(a, b)| a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
            .collect();
        cuts.sort_by(f64::total_cmp);
        for pair in cuts.chunks_exact(2) {
            let (low, high) = (pair[0].clamp(0.0, width as f64), pair[1].clamp(0.0, width as f64));
            for x in low as usize..(high.ceil() as usize).min(width) {
                let share = high.min(x as f64 + 1.0) - low.max(x as f64);
                out[row / 4 * width + x] += 0.25 * share.max(0.0);
            }
        }
    }
    out
}

pub(crate) fn ring_iou(a: &[[f64; 2]], b: &[[f64; 2]], width: usize, height: usize) -> f64 {
    overlap(&coverage(a, width, height), &coverage(b, width, height))
}

pub(crate) fn iou(found: &Boundary, truth: &[[f64; 2]], width: usize, height: usize) -> f64 {
    let mut all = vec![0.0_f64; width * height];
    for ring in &found.rings {
        for (sum, share) in all.iter_mut().zip(coverage(ring, width, height)) {
            *sum = sum.max(share);
        }
    }
    overlap(&all, &coverage(truth, width, height))
}

fn overlap(a: &[f64], b: &[f64]) -> f64 {
    let both: f64 = a.iter().zip(b).map(|(a, b)| a.min(*b)).sum();
    let either: f64 = a.iter().zip(b).map(|(a, b)| a.max(*b)).sum();
    both / either.max(1e-9)
}

/// Saves a case for inspection: the annotated picture, and the clean one with the truth (green) and the result (red).
pub(crate) fn save_case(
    folder: &OsStr,
    case: usize,
    annotated: &Picture,
    clean: &Picture,
    found: Option<&Boundary>,
    truth: &[[f64; 2]],
) {
    let folder = std::path::Path::new(folder);
    std::fs::create_dir_all(folder).expect("a writable folder");
    let write = |name: String, picture: &Picture| {
        let bytes: Vec<u8> = picture.pixels.iter().flatten().copied().collect();
        let (w, h) = (picture.width as u32, picture.height as u32);
        image::RgbImage::from_raw(w, h, bytes).expect("a picture").save(folder.join(name)).expect("a writable file");
    };
    write(format!("{case}-annotated.png"), annotated);
    let mut canvas = Canvas::new(clean);
    let closed = |ring: &[[f64; 2]]| (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).collect::<Vec<_>>();
    canvas.stroke(&closed(truth), 2.0, [0.0, 255.0, 0.0], 1.0, true);
    for ring in found.iter().flat_map(|b| &b.rings) {
        canvas.stroke(&closed(ring), 1.0, [255.0, 0.0, 0.0], 1.0, true);
    }
    write(format!("{case}-found.png"), &canvas.picture());
}
