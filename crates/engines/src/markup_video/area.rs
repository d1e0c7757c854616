//! Position of the area label: on open ground within the boundary, or beside it, where it covers neither a house nor the
//! boundary. It is fixed to the ground. Where the flight leaves no such place, it fades out and in again elsewhere.

use aerie_geodata::place::{Place, Point};
use aerie_math::geometry::{convex_hull, distance_to_ring, ring_contains};
use glam::DVec2;

use super::plot::Plot;
use super::stand::{SPREAD, Stand};
use super::view::View;

/// Candidate positions along each side.
const STEPS: usize = 26;
/// How far beside the plot a label may stand, as a share of its extent.
const BESIDE: f64 = 0.6;
/// Frames from one decision to the next.
const STRIDE: usize = 3;
/// Price of moving the label, in decisions without one.
const MOVE: f64 = 14.0;
/// Price of a position beside the plot or over another's house, in decisions without a label.
const OUTSIDE: f64 = 0.25;
/// Price of covering the label of a side, in decisions without a label.
const COVERED: f64 = 0.3;
/// Maximum number of corners to test against; the renderer's line has more only on curves.
const CORNERS: usize = 160;

/// What a label must not cover in a frame, in pixels.
struct Obstacles {
    houses: Vec<Vec<DVec2>>,
    lines: Vec<[DVec2; 2]>,
}

/// A label of a side: half its size, and where it stands in each frame.
pub(super) type Other<'s> = (DVec2, &'s [Stand]);

/// Position of a label of this half size in each frame; its opacity is 1 where it covers nothing. It should be there in frames of
/// high `weights`, and avoids `others` where it can.
pub(super) fn stands(
    place: &Place,
    plot: &Plot,
    views: &[View],
    [half, frame]: [DVec2; 2],
    weights: &[f64],
    others: &[Other<'_>],
) -> Vec<Stand> {
    let candidates = candidates(place, plot);
    let houses = houses(place, plot);
    let obstacles: Vec<Obstacles> = views.iter().map(|view| Obstacles::of(place, plot, &houses, view)).collect();
    let margin = frame.min_element() / 60.0;
    let is_clear = |at: Point, i: usize| {
        let Some(p) = views[i].pixel(place, at) else { return false };
        let (low, high) = (p - half - margin, p + half + margin);
        // The lower border is for the captions.
        let inside = low.min_element() >= 0.0 && high.x <= frame.x && high.y <= frame.y - 2.5 * margin;
        inside && obstacles[i].are_clear_of(p, half + 0.4 * margin)
    };
    let decisions: Vec<usize> = (0..views.len()).step_by(STRIDE).collect();
    let covered = |at: Point, i: usize| {
        let Some(p) = views[i].pixel(place, at) else { return 0.0 };
        let hit = |(size, stands): &&Other<'_>| (p - stands[i].at).abs().cmplt(half + *size + 0.4 * margin).all();
        others.iter().filter(hit).map(|(_, stands)| stands[i].strength).fold(0.0, f64::max)
    };
    // Without a label where it would cover something.
    let price = |candidate: &Candidate, i: usize| {
        let priced = if is_clear(candidate.at, i) { candidate.price + COVERED * covered(candidate.at, i) } else { 1.0 };
        weights[i] * priced
    };
    let prices: Vec<Vec<f64>> =
        decisions.iter().map(|i| candidates.iter().map(|candidate| price(candidate, *i)).collect()).collect();
    let chosen = course(&prices);
    let of_frame = |i: usize| chosen.get(i / STRIDE).copied().unwrap_or(0);
    let clear: Vec<bool> = (0..views.len()).map(|i| is_clear(candidates[of_frame(i)].at, i)).collect();
    (0..views.len())
        .map(|i| {
            // Opacity is smoothed afterwards, so frames near one without a label have none either.
            let near = i.saturating_sub(SPREAD)..(i + SPREAD + 1).min(views.len());
            let stays = near.clone().all(|j| clear[j] && of_frame(j) == of_frame(i));
            let at = views[i].pixel(place, candidates[of_frame(i)].at).unwrap_or_default();
            Stand { at, strength: f64::from(u8::from(stays)) }
        })
        .collect()
}

/// A position on the ground and its price.
struct Candidate {
    at: Point,
    price: f64,
}

fn candidates(place: &Place, plot: &Plot) -> Vec<Candidate> {
    let [low, high] = plot.bounds();
    let beside = BESIDE * plot.extent();
    let mut out = Vec::new();
    for j in 0..=STEPS {
        for i in 0..=STEPS {
            let at = |c: usize, k: usize| {
                let (low, high) = (low[c] - beside, high[c] + beside);
                low + (high - low) * k as f64 / STEPS as f64
            };
            let p = [at(0, i), at(1, j)];
            let depth = plot.depth(p);
            let open = |away: f64| place.buildings.iter().all(|b| distance_to_ring(p, &b.footprint.outer) > away);
            let covered = place.buildings.iter().any(|b| ring_contains(&b.footprint.outer, p));
            if covered || depth < -beside {
                continue;
            }
            // The middle of open ground is best.
            let room = depth.abs().min(0.2 * plot.extent()) / plot.extent();
            let near = if open(1.0) { 0.0 } else { 0.1 };
            out.push(Candidate {
                at: p,
                price: if depth > 0.0 { 0.1 - 0.5 * room } else { OUTSIDE + 0.5 * room } + near,
            });
        }
    }
    if out.is_empty() {
        out.push(Candidate { at: [0, 1].map(|c| 0.5 * (low[c] + high[c])), price: 1.0 });
    }
    out
}

/// The footprints of the houses that belong to the plot, with their heights.
fn houses<'p>(place: &'p Place, plot: &Plot) -> Vec<(&'p [Point], f64)> {
    let reach = 0.5 * plot.extent();
    let own =
        |i: usize, ring: &[Point]| place.property.building == Some(i) || ring.iter().any(|p| plot.depth(*p) > -reach);
    let buildings = place.buildings.iter().enumerate().filter(|(i, b)| own(*i, &b.footprint.outer));
    buildings.map(|(_, b)| (b.footprint.outer.as_slice(), b.ridge)).collect()
}

/// The cheapest choice of a candidate for each decision, from their prices. Moving costs extra.
fn course(prices: &[Vec<f64>]) -> Vec<usize> {
    let count = prices.first().map_or(0, Vec::len);
    let mut total: Vec<f64> = vec![0.0; count];
    let mut before: Vec<Vec<usize>> = Vec::with_capacity(prices.len());
    for now in prices {
        let best = (0..count).min_by(|a, b| total[*a].total_cmp(&total[*b])).unwrap_or(0);
        let moves = |c: usize| total[best] + MOVE < total[c];
        let from: Vec<usize> = (0..count).map(|c| if moves(c) { best } else { c }).collect();
        total = (0..count).map(|c| now[c] + if moves(c) { total[best] + MOVE } else { total[c] }).collect();
        before.push(from);
    }
    let mut at = (0..count).min_by(|a, b| total[*a].total_cmp(&total[*b])).unwrap_or(0);
    let mut chosen = vec![at; prices.len()];
    for d in (0..prices.len()).rev() {
        chosen[d] = at;
        at = before[d][at];
    }
    chosen
}

impl Obstacles {
    fn of(place: &Place, plot: &Plot, houses: &[(&[Point], f64)], view: &View) -> Self {
        let hull_of = |(ring, ridge): &(&[Point], f64)| {
            let points = ring.iter().flat_map(|p| [view.pixel(place, *p), view.above(place, *p, *ridge)]);
            hull(points.flatten().collect())
        };
        let mut lines = Vec::new();
        for ring in plot.outlines() {
            let step = ring.len().div_ceil(CORNERS);
            let pixels: Vec<Option<DVec2>> = ring.iter().step_by(step).map(|p| view.pixel(place, *p)).collect();
            for k in 0..pixels.len() {
                if let (Some(a), Some(b)) = (pixels[k], pixels[(k + 1) % pixels.len()]) {
                    lines.push([a, b]);
                }
            }
        }
        Self { houses: houses.iter().map(hull_of).collect(), lines }
    }

    fn are_clear_of(&self, at: DVec2, half: DVec2) -> bool {
        self.lines.iter().all(|line| !crosses(*line, at, half))
            && self.houses.iter().all(|house| {
                let n = house.len();
                let edge = |k: usize| [house[k], house[(k + 1) % n]];
                n < 3 || (!within(house, at) && (0..n).all(|k| !crosses(edge(k), at, half)))
            })
    }
}

/// Whether a segment enters a box.
fn crosses([a, b]: [DVec2; 2], at: DVec2, half: DVec2) -> bool {
    // Liang and Barsky 1984.
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    let d = b - a;
    for c in 0..2 {
        let (low, high) = (at[c] - half[c] - a[c], at[c] + half[c] - a[c]);
        if d[c] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
        } else {
            let (s, t) = (low / d[c], high / d[c]);
            from = from.max(s.min(t));
            to = to.min(s.max(t));
        }
    }
    from <= to
}

/// Whether a counter-clockwise convex polygon contains a point.
fn within(hull: &[DVec2], p: DVec2) -> bool {
    (0..hull.len()).all(|k| (hull[(k + 1) % hull.len()] - hull[k]).perp_dot(p - hull[k]) >= 0.0)
}

/// Convex hull, counter-clockwise where y points up.
fn hull(points: Vec<DVec2>) -> Vec<DVec2> {
    let hull = convex_hull(points.into_iter().map(|p| p.to_array()).collect());
    hull.into_iter().map(DVec2::from_array).collect()
}

#[cfg(test)]
mod tests {
    use glam::dvec2;

    use super::*;

    #[test]
    fn a_box_is_clear_of_a_house_only_beside_it() {
        let points = [dvec2(10.0, 10.0), dvec2(50.0, 10.0), dvec2(30.0, 20.0), dvec2(50.0, 40.0), dvec2(10.0, 40.0)];
        let house = hull(points.to_vec());
        assert_eq!(house.len(), 4, "{house:?}");
        let obstacles = Obstacles { houses: vec![house], lines: vec![[dvec2(0.0, 80.0), dvec2(100.0, 90.0)]] };
        let half = dvec2(8.0, 4.0);
        assert!(!obstacles.are_clear_of(dvec2(30.0, 25.0), half), "within the house");
        assert!(!obstacles.are_clear_of(dvec2(57.0, 25.0), half), "over its edge");
        assert!(obstacles.are_clear_of(dvec2(59.0, 25.0), half));
        assert!(!obstacles.are_clear_of(dvec2(50.0, 83.0), half), "over the line");
        assert!(obstacles.are_clear_of(dvec2(50.0, 70.0), half));
    }

    #[test]
    fn a_label_stays_where_it_is_unless_it_would_be_missing_for_long() {
        // The cheap place is free but for 5 or 40 decisions, the dear one always.
        for (blocked, moves) in [(5, false), (40, true)] {
            let cheap = |d: usize| if (150..150 + blocked).contains(&d) { 1.0 } else { 0.0 };
            let prices: Vec<Vec<f64>> = (0..200).map(|d| vec![cheap(d), 0.3]).collect();
            let chosen = course(&prices);
            assert_eq!(chosen[0], 0);
            assert_eq!(chosen.contains(&1), moves, "{blocked}");
        }
    }
}
