//! Fits straight edges and smooth curves to measured outlines.
//!
//! A person's outline is a few strokes. What was meant as a straight edge becomes one edge, and edges intersect in corners;
//! what was drawn as a curve stays one. The area is that of the outline.
mod curve;
mod line;
mod sides;
mod strokes;

use aerie_math::geometry::{Point, distance, distance_to_segment};

pub use aerie_math::geometry::{Ring, edges, signed_area};
pub use sides::{Side, sides};

use line::{Bow, Line};
use strokes::{Drawn, Hand, Run};

/// Greatest change of the area by straight edges, as a share.
const AREA: f64 = 0.008;

/// Fits edges that meet in corners to an outline of points that are `spacing` pixels apart. `seen` is false in gaps, `width`
/// the line width in pixels.
pub(crate) fn fit(outline: &[Point], seen: &[bool], spacing: f64, width: f64) -> Ring {
    let n = outline.len();
    let kept: Vec<usize> = (0..n).filter(|i| seen[*i]).collect();
    let points: Vec<Point> = kept.iter().map(|i| outline[*i]).collect();
    let gaps: Vec<bool> = kept.iter().map(|i| !seen[(i + 1) % n]).collect();
    let drawn = Drawn { points: &points, gaps: &gaps };
    let mut hand = Hand::of(drawn, spacing, width);
    let area = signed_area(outline);
    // Lines that cross in a gap at a corner add to the area.
    let missing = 1.0 - points.len() as f64 / n as f64;
    for _ in 0..4 {
        let ring = straightened(drawn, &hand);
        let change = (signed_area(&ring) / area - 1.0).abs();
        if ring.len() >= 3 && change < AREA + 0.3 * missing && !crosses_itself(&ring) {
            return ring;
        }
        hand.tolerance *= 0.6;
    }
    simplified(outline, 1.1 + 0.12 * width).into_iter().map(|i| outline[i]).collect()
}

fn straightened(drawn: Drawn<'_>, hand: &Hand) -> Ring {
    let runs = without_rounding(drawn, hand, strokes::split(drawn, hand));
    let lines: Vec<Option<Line>> = runs.iter().map(|run| line_of(drawn, hand, *run)).collect();
    let bows: Vec<Option<Bow>> = runs.iter().map(|run| Bow::fit(&drawn.inner(*run, 0.0))).collect();
    let n = runs.len();
    let mut ring = Ring::new();
    let curved = curve::pieces(&bows);
    if curve::is_all(&bows, &curved) {
        return curve::smooth(drawn.points, (0, 0), hand.tremor);
    }
    // Start at a corner, not within a curve.
    let first = (0..n).find(|k| !curved[*k]).unwrap_or(0);
    for k in (0..n).map(|d| (first + d) % n) {
        let before = (k + n - 1) % n;
        if curved[before] && curved[k] {
            continue;
        }
        let is_smooth = curved[before] || curved[k];
        ring.extend(corner(drawn, hand, [runs[before], runs[k]], [lines[before], lines[k]], is_smooth));
        if curved[k] {
            let last = (k..k + n).map(|j| j % n).take_while(|j| curved[*j]).last().unwrap_or(k);
            let smooth = curve::smooth(drawn.points, (runs[k].0, runs[last].1), hand.tremor);
            ring.extend(smooth);
        }
    }
    ring
}

/// The line of a run, fitted away from its ends.
fn line_of(drawn: Drawn<'_>, hand: &Hand, run: Run) -> Option<Line> {
    let [a, b] = drawn.ends(run);
    let length = distance(a, b);
    if length < 6.0 {
        return None;
    }
    Line::fit(&drawn.inner(run, hand.trim().max(0.06 * length * hand.unsteady)))
}

/// The corner between two runs; both ends of the gap where their lines do not intersect nearby. At the end of a curve, it
/// `is_smooth`: the curve's line is a chord.
fn corner(drawn: Drawn<'_>, hand: &Hand, runs: [Run; 2], lines: [Option<Line>; 2], is_smooth: bool) -> Vec<Point> {
    let ([_, p], [q, _]) = (drawn.ends(runs[0]), drawn.ends(runs[1]));
    let gap = distance(p, q);
    match lines {
        [Some(a), Some(b)] => {
            let round = if is_smooth { 0.0 } else { 14.0 * hand.unsteady };
            let miter = if is_smooth { 1.0 } else { a.miter(&b) };
            let reach = (2.0 * hand.width + 6.0 + 3.0 * hand.tremor + round) * miter;
            let near = |x: &Point| distance_to_segment(*x, p, q) < reach + 0.9 * gap;
            if let Some(corner) = a.intersection(&b).filter(near) {
                return vec![corner];
            }
            let (p, q) = (a.nearest(p), b.nearest(q));
            if gap > reach { vec![p, q] } else { vec![[0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])]] }
        }
        [Some(a), None] => vec![a.nearest(p)],
        [None, Some(b)] => vec![b.nearest(q)],
        [None, None] => vec![q],
    }
}

/// Removes short runs between two edges that a pen rounds off where they meet.
fn without_rounding(drawn: Drawn<'_>, hand: &Hand, mut runs: Vec<Run>) -> Vec<Run> {
    let chord = |run: Run| {
        let [a, b] = drawn.ends(run);
        distance(a, b)
    };
    while runs.len() > 3 {
        let n = runs.len();
        let rounds = |k: usize| {
            let (before, after) = (runs[(k + n - 1) % n], runs[(k + 1) % n]);
            let shorter = chord(before).min(chord(after));
            let length = chord(runs[k]);
            if length > 0.34 * shorter {
                return None;
            }
            let (a, b) = (line_of(drawn, hand, before)?, line_of(drawn, hand, after)?);
            let turn = a.turn(&b).abs();
            let x = a.intersection(&b)?;
            let [p, q] = drawn.ends(runs[k]);
            // It lies ahead of one edge and behind the other, as a corner does.
            let between = a.position(x) > a.position(p) - 4.0 && b.position(x) < b.position(q) + 4.0;
            let cut = distance_to_segment(x, p, q);
            let allowed = 1.5 + 0.6 * hand.width + hand.unsteady * (2.0 * hand.tremor + 3.0 + 0.02 * shorter);
            (between && turn > 0.2 && cut < allowed * hand.tolerance).then_some(length)
        };
        let shortest = (0..n).filter_map(|k| rounds(k).map(|l| (k, l))).min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((k, _)) = shortest else { break };
        let middle = (runs[k].0 + drawn.count(runs[k]) / 2) % drawn.points.len();
        runs[(k + n - 1) % n].1 = middle;
        runs[(k + 1) % n].0 = middle;
        runs.remove(k);
    }
    runs
}

/// Whether two edges that are not adjacent cross.
pub(crate) fn crosses_itself(ring: &[Point]) -> bool {
    let n = ring.len();
    let turn = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let cross = |i: usize, j: usize| {
        let (a, b, c, d) = (ring[i], ring[(i + 1) % n], ring[j], ring[(j + 1) % n]);
        turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
    };
    (0..n).any(|i| (i + 2..n).any(|j| (j + 1) % n != i && cross(i, j)))
}

/// Simplifies a closed line (Douglas-Peucker) to the ascending indices of the points kept.
fn simplified(line: &[Point], tolerance: f64) -> Vec<usize> {
    let n = line.len();
    let far =
        |from: usize| (0..n).max_by(|a, b| distance(line[*a], line[from]).total_cmp(&distance(line[*b], line[from])));
    let Some(first) = far(0) else { return Vec::new() };
    let Some(second) = far(first) else { return Vec::new() };
    let mut kept = vec![first, second];
    let mut stack = vec![(first, second), (second, first)];
    while let Some((a, b)) = stack.pop() {
        let count = (b + n - a) % n;
        let worst = (1..count)
            .map(|d| (a + d) % n)
            .map(|i| (i, distance_to_segment(line[i], line[a], line[b])))
            .max_by(|x, y| x.1.total_cmp(&y.1));
        if let Some((i, off)) = worst
            && off > tolerance
        {
            kept.push(i);
            stack.extend([(a, i), (i, b)]);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points 1.5 pixels apart along a ring, moved by an offset to the side that depends on the edge and the position on it.
    fn outline(truth: &[Point], off: impl Fn(usize, f64) -> f64) -> Vec<Point> {
        let mut points = Vec::new();
        for (i, (a, b)) in edges(truth).enumerate() {
            let length = distance(a, b);
            let along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
            let count = (length / 1.5) as usize;
            for k in 0..count {
                let s = k as f64 / count as f64;
                let d = off(i, s * length);
                let at = |c: usize| a[c] + (b[c] - a[c]) * s;
                points.push([at(0) + along[1] * d, at(1) - along[0] * d]);
            }
        }
        points
    }

    fn fitted(points: &[Point]) -> Ring {
        fit(points, &vec![true; points.len()], 1.5, 5.0)
    }

    fn assert_corners(ring: &[Point], truth: &[Point], most: f64) {
        assert_eq!(ring.len(), truth.len(), "{ring:?}");
        for corner in truth {
            let nearest = ring.iter().map(|p| distance(*p, *corner)).fold(f64::INFINITY, f64::min);
            assert!(nearest < most, "{corner:?} is off by {nearest}: {ring:?}");
        }
    }

    const LOT: [Point; 5] = [[100.0, 120.0], [700.0, 90.0], [820.0, 420.0], [640.0, 700.0], [120.0, 640.0]];

    #[test]
    fn self_intersecting_rings_are_detected() {
        assert!(crosses_itself(&[[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 10.0]]));
        assert!(!crosses_itself(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [5.0, 2.0], [0.0, 10.0]]));
    }

    #[test]
    fn corners_are_recovered_from_noisy_outlines() {
        let truth: Ring = vec![[20.0, 20.0], [220.0, 35.0], [240.0, 200.0], [130.0, 120.0], [30.0, 180.0]];
        let noise = |i: usize, s: f64| ((s as usize * 7919 + i * 104_729) % 101) as f64 / 101.0 - 0.5;
        assert_corners(&fitted(&outline(&truth, |i, s| 0.8 * noise(i, s))), &truth, 0.5);
    }

    #[test]
    fn a_trembling_bowed_stroke_is_one_edge_and_the_area_is_as_drawn() {
        let points = outline(&LOT, |i, s| {
            let phase = i as f64;
            let bow = 1.0 - 3.0 * (s / 300.0 - 1.0).powi(2);
            2.2 * (s / 9.0 + phase).sin() + 1.5 * (s / 23.0 + 2.0 * phase).sin() + if i == 0 { 3.0 * bow } else { 0.0 }
        });
        let ring = fitted(&points);
        assert_corners(&ring, &LOT, 6.0);
        let change = signed_area(&ring) / signed_area(&points) - 1.0;
        assert!(change.abs() < 0.008, "{change}");
    }

    #[test]
    fn a_deliberate_corner_of_fifteen_degrees_stays_a_corner() {
        let mut truth = LOT.to_vec();
        truth.insert(1, [400.0, 66.0]);
        let points = outline(&truth, |i, s| 1.2 * (s / 8.0 + i as f64).sin() + 0.8 * (s / 19.0).sin());
        assert_corners(&fitted(&points), &truth, 6.0);
    }

    #[test]
    fn a_round_outline_stays_round() {
        for (radius, tremor) in [(80.0, 0.3), (300.0, 0.3), (300.0, 2.0)] {
            let circle: Ring = (0..360)
                .map(|k| f64::from(k).to_radians())
                .map(|t| [500.0 + radius * t.cos(), 500.0 + radius * t.sin()])
                .collect();
            let points = contour_like(&circle, |s| tremor * (s / 11.0).sin());
            let ring = fitted(&points);
            assert!(ring.len() >= 24, "{} corners", ring.len());
            let off = ring.iter().map(|p| (distance(*p, [500.0, 500.0]) - radius).abs()).fold(0.0, f64::max);
            assert!(off < 1.0 + 1.6 * tremor, "{off}");
            let change = signed_area(&ring) / signed_area(&points) - 1.0;
            assert!(change.abs() < 0.008, "{change}");
        }
    }

    /// As `outline`, with the position along the whole ring.
    fn contour_like(ring: &[Point], off: impl Fn(f64) -> f64) -> Vec<Point> {
        let length: f64 = edges(ring).map(|(a, b)| distance(a, b)).sum();
        let before: Vec<f64> = edges(ring)
            .scan(0.0, |sum, (a, b)| {
                let start = *sum;
                *sum += distance(a, b);
                Some(start)
            })
            .collect();
        let count = (length / 1.5) as usize;
        let at = |k: usize| {
            let s = k as f64 / count as f64 * length;
            let i = before.partition_point(|b| *b <= s) - 1;
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            let (edge, d) = (distance(a, b), off(s));
            let t = (s - before[i]) / edge;
            [a[0] + (b[0] - a[0]) * t + (b[1] - a[1]) / edge * d, a[1] + (b[1] - a[1]) * t - (b[0] - a[0]) / edge * d]
        };
        (0..count).map(at).collect()
    }

    #[test]
    fn a_gap_at_a_corner_is_closed_by_the_corner_and_one_in_an_edge_by_the_edge() {
        let all = outline(&LOT, |i, s| 0.8 * (s / 9.0 + i as f64).sin());
        for middle in [[700.0, 90.0], [400.0, 105.0]] {
            let kept: Vec<Point> = all.iter().copied().filter(|p| distance(*p, middle) > 45.0).collect();
            // The gap is bridged by a straight line of points that are not seen.
            let (mut points, mut seen) = (Vec::new(), Vec::new());
            for (a, b) in edges(&kept) {
                let count = (distance(a, b) / 1.5).round().max(1.0) as usize;
                for k in 0..count {
                    let t = k as f64 / count as f64;
                    points.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
                    seen.push(k == 0);
                }
            }
            assert_corners(&fit(&points, &seen, 1.5, 5.0), &LOT, 4.0);
        }
    }
}
