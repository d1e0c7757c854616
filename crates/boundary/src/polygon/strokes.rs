//! Splits an outline into runs that a hand meant as one straight edge, or as one piece of a curve.
//!
//! Short runs merge, the best fitting first, as long as one edge explains them: a flat bow with the tremor of this hand. A
//! corner is left where no such edge leads across.

use aerie_math::geometry::{Point, distance};

use super::line::{Bow, Line};

/// Length of the first runs, in points.
const SHORT: usize = 5;
/// Greatest height of a bow as a share of its length. An arc of 11 degrees has this height.
const BOW: f64 = 0.024;
/// Turns from here on are deliberate, radians: 12 degrees.
const DELIBERATE: f64 = 0.21;
/// Below this turn, radians, edges may merge although they tremble this many times more than the steadiest part of the outline.
const SLIGHT: (f64, f64) = (0.14, 3.0);

/// How unsteadily an outline is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hand {
    /// Tremor, pixels (root mean square).
    pub(super) tremor: f64,
    /// 0 for a line of a drawing tool, 1 for a clearly unsteady hand.
    pub(super) unsteady: f64,
    /// Line width, pixels.
    pub(super) width: f64,
    /// Factor on what is tolerated.
    pub(super) tolerance: f64,
}

/// The visible points of an outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn<'a> {
    pub(super) points: &'a [Point],
    /// Whether a gap follows a point.
    pub(super) gaps: &'a [bool],
}

/// Consecutive points of an outline, from the first up to but not including the second; the end may wrap around.
pub(super) type Run = (usize, usize);

impl Drawn<'_> {
    /// Number of points of a run.
    pub(super) fn count(&self, (from, to): Run) -> usize {
        let n = self.points.len();
        if from == to { n } else { (to + n - from) % n }
    }

    /// The points of a run without those near its ends, where corners are round and strokes cross.
    pub(super) fn inner(&self, run: Run, trim: f64) -> Vec<Point> {
        let n = self.points.len();
        let all: Vec<Point> = (0..self.count(run)).map(|k| self.points[(run.0 + k) % n]).collect();
        let (Some(first), Some(last)) = (all.first(), all.last()) else { return all };
        let trim = trim.min(0.2 * distance(*first, *last));
        all.iter().copied().filter(|p| distance(*p, *first) >= trim && distance(*p, *last) >= trim).collect()
    }

    /// The first and the last point of a run.
    pub(super) fn ends(&self, run: Run) -> [Point; 2] {
        let n = self.points.len();
        [self.points[run.0], self.points[(run.1 + n - 1) % n]]
    }
}

impl Hand {
    /// Estimates the tremor from the steadier windows of the outline. Long windows show all of it, but of an outline with many
    /// corners few are free of them, so short ones limit the estimate.
    pub(super) fn of(drawn: Drawn<'_>, spacing: f64, width: f64) -> Self {
        let n = drawn.points.len();
        let rms = |share: f64, [low, high]: [f64; 2]| {
            let window = (share * n as f64).clamp(low / spacing, high / spacing) as usize;
            let starts = (0..n).step_by((window / 4).max(1));
            let whole = |i: &usize| (0..window).all(|d| !drawn.gaps[(i + d) % n]);
            let windows = starts.filter(whole).map(|i| drawn.inner((i, (i + window) % n), 0.0));
            let mut sizes: Vec<f32> = windows.filter_map(|p| Bow::fit(&p)).map(|bow| bow.rms as f32).collect();
            f64::from(crate::picture::quantile(&mut sizes, 0.35))
        };
        let tremor = rms(0.09, [60.0, 260.0]).min(0.15 + 3.0 * rms(0.03, [30.0, 80.0]));
        Self { tremor, unsteady: ((tremor - 0.35) / 0.65).clamp(0.0, 1.0), width, tolerance: 1.0 }
    }

    /// Length at the ends of a run where a corner is round, pixels.
    pub(super) fn trim(&self) -> f64 {
        0.75 * self.width + 3.0
    }

    /// How badly one edge that trembles `more` than the tremor explains a run; below 1, it does.
    fn cost(&self, drawn: Drawn<'_>, run: Run, more: f64) -> f64 {
        let Some(bow) = Bow::fit(&drawn.inner(run, self.trim())) else { return 0.0 };
        let long = self.unsteady * bow.length;
        let flat = bow.height.abs() / (BOW * bow.length + 2.8 * self.tremor + 0.3);
        let close = bow.rms / (1.4 * self.tremor + 0.35 + 0.0045 * long);
        let near = bow.most / (4.0 * self.tremor + 1.6 + 0.012 * long);
        flat.max(close / more).max(near / more) / self.tolerance
    }

    /// What the price of tremor is divided by where two runs that follow each other hardly turn.
    fn more(&self, drawn: Drawn<'_>, a: Run, b: Run) -> f64 {
        let long = 30.0 + 10.0 * self.tremor + self.width;
        let [a, b] = [a, b].map(|run| Bow::fit(&drawn.inner(run, self.trim())));
        match (a, b) {
            (Some(a), Some(b)) if a.length.min(b.length) > long && a.line.turn(&b.line).abs() < SLIGHT.0 => SLIGHT.1,
            _ => 1.0,
        }
    }

    /// Whether two runs that follow each other meet at a corner that is drawn on purpose.
    fn is_corner(&self, drawn: Drawn<'_>, a: Run, b: Run) -> bool {
        let long = 45.0 + 10.0 * self.tremor + self.width;
        let [a, b] = [a, b].map(|run| Bow::fit(&drawn.inner(run, self.trim())));
        let (Some(a), Some(b)) = (a, b) else { return false };
        let turn = a.line.turn(&b.line);
        // What the tremor turns an edge of this length by.
        let unsure = (2.0 * self.tremor / a.length.min(b.length)).atan();
        // What two pieces of an arc turn by.
        let bent = 4.0 * (a.height / a.length + b.height / b.length) * turn.signum();
        a.length.min(b.length) > long && turn.abs() - bent.max(0.0) > DELIBERATE * self.tolerance + unsure
    }
}

/// Splits an outline into runs.
pub(super) fn split(drawn: Drawn<'_>, hand: &Hand) -> Vec<Run> {
    let n = drawn.points.len();
    let after_gap = |i: usize| drawn.gaps[(i + n - 1) % n];
    let starts: Vec<usize> = (0..n).filter(|i| i % SHORT == 0 || after_gap(*i)).collect();
    let mut runs = between(&starts);
    for across in [false, true] {
        runs = merged(drawn, hand, runs, across);
        for _ in 0..2 {
            runs = adjusted(drawn, hand, &runs);
        }
    }
    merged(drawn, hand, runs, true)
}

fn between(starts: &[usize]) -> Vec<Run> {
    (0..starts.len()).map(|k| (starts[k], starts[(k + 1) % starts.len()])).collect()
}

/// Merges neighboring runs that one edge explains, the best explained first; where asked to, `across` gaps and with more tremor.
fn merged(drawn: Drawn<'_>, hand: &Hand, mut runs: Vec<Run>, across: bool) -> Vec<Run> {
    let n = drawn.points.len();
    let price = |runs: &[Run], k: usize| {
        let (a, b) = (runs[k], runs[(k + 1) % runs.len()]);
        if !across && drawn.gaps[(b.0 + n - 1) % n] {
            return f64::INFINITY;
        }
        let cost = hand.cost(drawn, (a.0, b.1), if across { hand.more(drawn, a, b) } else { 1.0 });
        if cost < 1.0 && hand.is_corner(drawn, a, b) { f64::INFINITY } else { cost }
    };
    let mut prices: Vec<f64> = (0..runs.len()).map(|k| price(&runs, k)).collect();
    while runs.len() > 3 {
        let Some(k) = (0..runs.len()).min_by(|a, b| prices[*a].total_cmp(&prices[*b])) else { break };
        if prices[k] >= 1.0 {
            break;
        }
        let next = (k + 1) % runs.len();
        runs[k].1 = runs[next].1;
        runs.remove(next);
        prices.remove(next);
        let k = if next < k { k - 1 } else { k };
        let m = runs.len();
        for k in [(k + m - 1) % m, k] {
            prices[k] = price(&runs, k);
        }
    }
    runs
}

/// Moves the ends of runs to where the edges on both sides fit best.
fn adjusted(drawn: Drawn<'_>, hand: &Hand, runs: &[Run]) -> Vec<Run> {
    let n = drawn.points.len();
    let lines: Vec<Option<Line>> = runs.iter().map(|run| Line::fit(&drawn.inner(*run, hand.trim()))).collect();
    let m = runs.len();
    let starts: Vec<usize> = (0..m)
        .map(|k| {
            let before = (k + m - 1) % m;
            let (Some(a), Some(b)) = (&lines[before], &lines[k]) else { return runs[k].0 };
            // Between the middles of both runs.
            let from = (runs[before].0 + drawn.count(runs[before]) / 2) % n;
            let count = drawn.count(runs[before]).div_ceil(2) + drawn.count(runs[k]) / 2;
            if drawn.gaps[(runs[k].0 + n - 1) % n] {
                return runs[k].0;
            }
            let square = |line: &Line, d: usize| line.side(drawn.points[(from + d) % n]).powi(2);
            let mut sum: f64 = (0..count).map(|d| square(b, d)).sum();
            let (mut best, mut least) = (0, sum);
            for d in 0..count {
                sum += square(a, d) - square(b, d);
                if sum < least {
                    (best, least) = (d + 1, sum);
                }
            }
            // Each run keeps a point.
            (from + best.clamp(1, count.saturating_sub(1).max(1))) % n
        })
        .collect();
    let ordered = (0..m).map(|k| (starts[(k + 1) % m] + n - starts[k]) % n).sum::<usize>() == n;
    if ordered { between(&starts) } else { runs.to_vec() }
}
