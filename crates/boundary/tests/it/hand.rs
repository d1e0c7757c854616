//! Models of a hand that draws the outline of a lot: one stroke for each edge, with bow, tremor, overshoot and gaps, or one
//! continuous line with rounded corners. The models differ in their tremor and bows, so that what was tuned on two is judged on
//! the third.

use aerie_boundary::polygon;
use aerie_math::Rng;

/// Which model draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    /// Sums of sines, parabolic bows: for tuning.
    Sines,
    /// A damped random walk on whole pixels, skewed bows: for tuning.
    Walk,
    /// A hand that drifts off, notices and corrects itself at irregular intervals, with a fine tremor: for judging.
    Drift,
}

/// A drawn outline and what it was meant to be.
pub(crate) struct Drawing {
    /// Strokes of the pen.
    pub(crate) strokes: Vec<Vec<[f64; 2]>>,
    /// Corners where the straight lines through neighboring strokes intersect; a dense ring for a round outline.
    pub(crate) truth: Vec<[f64; 2]>,
    /// The enclosed area as drawn, tremor included, in square pixels.
    pub(crate) area: f64,
    pub(crate) is_round: bool,
    /// The middle of the gap, if one was asked for.
    pub(crate) gap: Option<[f64; 2]>,
}

/// What to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Order {
    pub(crate) model: Model,
    /// Gap to leave as a share of the perimeter.
    pub(crate) gap: f64,
    pub(crate) is_round: bool,
}

/// Draws an outline on a square picture with this side.
pub(crate) fn draw(rng: &mut Rng, side: f64, order: Order) -> Drawing {
    let unit = side / 1024.0;
    let corners = if order.is_round { ellipse(rng, side) } else { lot(rng, side, order.model) };
    let hand = Hand::random(rng, order.model, unit);
    let perimeter: f64 = polygon::edges(&corners).map(|(a, b)| distance(a, b)).sum();
    let mut path = Vec::new();
    let mut strokes: Vec<Vec<[f64; 2]>> = Vec::new();
    if order.is_round {
        let tremor = hand.tremor(rng, perimeter);
        let mut along = 0.0;
        for (k, (a, b)) in polygon::edges(&corners).enumerate() {
            let out = tremor[(along / STEP) as usize];
            along += distance(a, b);
            // The first and last part fade into each other.
            let fade = (k.min(corners.len() - k) as f64 / 40.0).min(1.0);
            path.push(beside(a, b, 0.0, out * fade));
        }
        strokes.push(path.iter().chain(&path[..1]).copied().collect());
    } else {
        for (a, b) in polygon::edges(&corners) {
            let length = distance(a, b);
            let ends = [hand.overshoot(rng).max(-0.1 * length), hand.overshoot(rng).max(-0.1 * length)];
            let (bow, tremor) = (hand.bow(rng), hand.tremor(rng, length + 120.0 * unit));
            let at = |s: f64| {
                let t = (s / length).clamp(0.0, 1.0);
                let tremor = tremor[((s + 60.0 * unit).max(0.0) / STEP) as usize];
                beside(a, b, s, length * bow(t) + tremor)
            };
            let steps = |from: f64, to: f64| {
                let count = ((to - from) / STEP).ceil().max(1.0);
                (0..=count as usize).map(move |k| from + (to - from) * k as f64 / count)
            };
            path.extend(steps(0.0, length).map(at));
            strokes.push(steps(-ends[0], length + ends[1]).map(at).collect());
        }
        if hand.is_continuous {
            let mut line = path.clone();
            for _ in 0..hand.rounding {
                line = smoothed(&line);
            }
            line.push(line[0]);
            strokes = vec![line];
        }
    }
    let area = polygon::signed_area(&path).abs();
    let gap = (order.gap > 0.0).then(|| path[rng.below(path.len())]);
    if let Some(at) = gap {
        erase(&mut strokes, at, 0.5 * order.gap * perimeter);
    }
    Drawing { strokes, truth: corners, area, is_round: order.is_round, gap }
}

/// Distance between points of a path, pixels.
const STEP: f64 = 2.0;

struct Hand {
    model: Model,
    unit: f64,
    /// Standard deviation of the tremor, pixels.
    size: f64,
    /// Greatest bow as a share of the length.
    bow: f64,
    is_continuous: bool,
    /// Rounds of smoothing of a continuous line.
    rounding: usize,
}

impl Hand {
    fn random(rng: &mut Rng, model: Model, unit: f64) -> Self {
        Self {
            model,
            unit,
            size: unit * if rng.below(5) == 0 { 0.1 } else { rng.range_f64(0.3, 1.9) },
            bow: rng.range_f64(0.0, if model == Model::Sines { 0.013 } else { 0.015 }),
            is_continuous: rng.below(3) == 0,
            rounding: rng.below(60),
        }
    }

    /// How far a stroke reaches beyond its corner, pixels; negative where it ends before.
    fn overshoot(&self, rng: &mut Rng) -> f64 {
        self.unit
            * match self.model {
                Model::Sines => rng.range_f64(-6.0, 14.0),
                Model::Walk => 4.0 + 7.0 * rng.normal().clamp(-2.5, 2.5),
                Model::Drift if rng.below(3) == 0 => rng.range_f64(6.0, 26.0),
                Model::Drift => rng.range_f64(-5.0, 5.0),
            }
    }

    /// The bow at a share of the length, as a share of the length. Its mean is 0.
    fn bow(&self, rng: &mut Rng) -> impl Fn(f64) -> f64 + use<> {
        let size = self.bow * rng.range_f64(-1.0, 1.0);
        let skew = if self.model != Model::Sines { self.bow * rng.range_f64(-1.0, 1.0) } else { 0.0 };
        move |t: f64| {
            let u = 2.0 * t - 1.0;
            size * (2.0 / 3.0 - (u * u - 1.0 / 3.0) - 2.0 / 3.0) + 0.6 * skew * (u * u * u - 0.6 * u)
        }
    }

    /// Deviations along a line of this length, one for each [`STEP`].
    fn tremor(&self, rng: &mut Rng, length: f64) -> Vec<f64> {
        let count = (length / STEP) as usize + 2;
        match self.model {
            Model::Sines => {
                let waves: Vec<[f64; 3]> = [(25.0, 50.0, 0.5), (50.0, 90.0, 0.8), (90.0, 160.0, 1.0)]
                    .map(|(low, high, share)| {
                        let wave = self.unit * rng.range_f64(low, high);
                        [share * self.size, std::f64::consts::TAU / wave, rng.range_f64(0.0, std::f64::consts::TAU)]
                    })
                    .to_vec();
                let at = |s: f64| waves.iter().map(|[size, wave, phase]| size * (wave * s + phase).sin()).sum::<f64>();
                (0..count).map(|k| at(k as f64 * STEP)).collect()
            }
            Model::Walk => {
                let keep = 1.0 - STEP / (rng.range_f64(12.0, 45.0) * self.unit);
                let (mut fast, mut slow) = (0.0, 0.0);
                let push = self.size * (1.0 - keep * keep).sqrt() * 1.8;
                (0..count + 100)
                    .map(|_| {
                        fast = keep * fast + push * rng.normal();
                        slow += 0.25 * (fast - slow);
                        f64::round(slow)
                    })
                    .skip(100)
                    .collect()
            }
            Model::Drift => {
                let (mut at, mut heading, mut left) = (0.0, 0.0, 0.0);
                let mut hand = 0.0;
                (0..count + 100)
                    .map(|_| {
                        left -= STEP;
                        if left <= 0.0 {
                            left = rng.range_f64(20.0, 130.0) * self.unit;
                            // Back toward the line within the next stretch, more or less.
                            heading = (rng.normal() * 1.1 * self.size - at) / left;
                        }
                        at += heading * STEP;
                        hand += 0.2 * (at - hand);
                        hand + 0.15 * self.size * rng.normal()
                    })
                    .skip(100)
                    .collect()
            }
        }
    }
}

/// The corners of a lot: a rectangle, askew, with corners cut, moved or added; or any star-shaped polygon.
fn lot(rng: &mut Rng, side: f64, model: Model) -> Vec<[f64; 2]> {
    loop {
        let turn = rng.range_f64(0.0, std::f64::consts::TAU);
        let center = [rng.range_f64(0.42, 0.58) * side, rng.range_f64(0.42, 0.58) * side];
        let half = [rng.range_f64(0.16, 0.36) * side, rng.range_f64(0.13, 0.36) * side];
        let mut skew = || rng.range_f64(0.82, 1.12);
        let mut local: Vec<[f64; 2]> = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| [x * half[0] * skew(), y * half[1] * skew()])
            .to_vec();
        match rng.below(5) {
            // An L.
            0 => {
                let (u, v) = (rng.range_f64(0.1, 0.6), rng.range_f64(0.1, 0.6));
                let [a, b] = [local[2], local[3]];
                let inner = [a[0] * u, a[1] * v];
                local.splice(2..3, [[a[0], inner[1]], inner, [inner[0], 0.5 * (a[1] + b[1])]]);
            }
            // A bent edge.
            1 => {
                let (a, b) = (local[0], local[1]);
                let (t, out) = (rng.range_f64(0.3, 0.7), rng.range_f64(0.1, 0.25));
                local.insert(1, [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t - out * half[0]]);
            }
            // A cut corner.
            2 => {
                let (a, b, c) = (local[0], local[1], local[2]);
                let t = rng.range_f64(0.2, 0.4);
                let toward = |p: [f64; 2]| [b[0] + (p[0] - b[0]) * t, b[1] + (p[1] - b[1]) * t];
                local.splice(1..2, [toward(a), toward(c)]);
            }
            3 if model != Model::Sines => {
                let count = 5 + rng.below(4);
                local = (0..count)
                    .map(|k| {
                        let angle = (k as f64 + rng.range_f64(-0.25, 0.25)) / count as f64 * std::f64::consts::TAU;
                        let r = rng.range_f64(0.55, 1.0);
                        [1.2 * half[0] * r * angle.cos(), 1.2 * half[1] * r * angle.sin()]
                    })
                    .collect();
            }
            _ => {}
        }
        let (sin, cos) = turn.sin_cos();
        let ring: Vec<[f64; 2]> =
            local.iter().map(|[x, y]| [center[0] + x * cos - y * sin, center[1] + x * sin + y * cos]).collect();
        let inside = ring.iter().flatten().all(|v| (0.05 * side..0.95 * side).contains(v));
        let n = ring.len();
        // Corners of less than 15 degrees may be taken for a bow, edges shorter than a twentieth of the side for tremor.
        let bent = (0..n).all(|i| {
            let (a, b, c) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
            let turn = (c[1] - b[1]).atan2(c[0] - b[0]) - (b[1] - a[1]).atan2(b[0] - a[0]);
            turn.sin().abs() > 0.26 && distance(b, c) > 0.05 * side
        });
        if inside && bent {
            return ring;
        }
    }
}

fn ellipse(rng: &mut Rng, side: f64) -> Vec<[f64; 2]> {
    let radii = [rng.range_f64(0.12, 0.34) * side, rng.range_f64(0.12, 0.34) * side];
    let center = [rng.range_f64(0.42, 0.58) * side, rng.range_f64(0.42, 0.58) * side];
    let angles = (0..400).map(|k| f64::from(k) / 400.0 * std::f64::consts::TAU);
    angles.map(|t| [center[0] + radii[0] * t.cos(), center[1] + radii[1] * t.sin()]).collect()
}

/// The point at distance `s` along a line and `out` beside it.
fn beside(a: [f64; 2], b: [f64; 2], s: f64, out: f64) -> [f64; 2] {
    let length = distance(a, b).max(1e-9);
    let along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    [a[0] + along[0] * s + along[1] * out, a[1] + along[1] * s - along[0] * out]
}

/// Smooths a closed line by a moving average of three.
fn smoothed(line: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let n = line.len();
    let mean = |i: usize, c: usize| (line[(i + n - 1) % n][c] + line[i][c] + line[(i + 1) % n][c]) / 3.0;
    (0..n).map(|i| [mean(i, 0), mean(i, 1)]).collect()
}

/// Removes what lies within a distance of a point.
fn erase(strokes: &mut Vec<Vec<[f64; 2]>>, at: [f64; 2], reach: f64) {
    let parts = strokes.iter().flat_map(|stroke| {
        stroke.split(|p| distance(*p, at) < reach).filter(|part| part.len() > 1).map(<[_]>::to_vec).collect::<Vec<_>>()
    });
    *strokes = parts.collect();
}

pub(crate) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}
