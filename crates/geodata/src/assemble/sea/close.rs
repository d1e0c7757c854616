//! Closes coastlines along the border of a window into polygons of water.

use aerie_math::geometry::{polygon_to_geo, signed_area};
use geo::{BooleanOps, MultiPolygon};

use super::super::ways;
use crate::gpkg::Bounds;
use crate::place::{Point, Polygon, Ring};

/// Distance from the border within which a point counts as on it, meters.
const ON_BORDER: f64 = 0.05;

/// The water within a window. Every coastline must cross the window or be closed. `None` where they contradict each
/// other: two successive ones along the border both leave the window, or one ends inside it.
pub(super) fn water(coasts: &[Vec<Point>], window: Bounds) -> Option<Vec<Polygon>> {
    let (mut crossing, mut rings) = (Vec::new(), Vec::new());
    for coast in coasts.iter().filter(|c| c.len() >= 2) {
        if coast.first() != coast.last() {
            crossing.extend(ways::clip_to(coast, window));
            continue;
        }
        let outside = |p: &Point| p[0] < window[0] || p[1] < window[1] || p[0] > window[2] || p[1] > window[3];
        let ring = &coast[..coast.len() - 1];
        match ring.iter().position(outside) {
            None => rings.push(ring.to_vec()),
            Some(start) => {
                let turned: Vec<Point> = ring[start..].iter().chain(&ring[..=start]).copied().collect();
                crossing.extend(ways::clip_to(&turned, window));
            }
        }
    }
    let [west, south, east, north] = window;
    let all = vec![[west, south], [east, south], [east, north], [west, north]];
    let outer = if crossing.is_empty() {
        let largest = rings.iter().max_by(|a, b| area(a).abs().total_cmp(&area(b).abs()));
        // An island is surrounded by water, a lagoon by land.
        if largest.is_some_and(|ring| area(ring) > 0.0) { vec![all] } else { Vec::new() }
    } else {
        along_border(&crossing, window)?
    };
    let shape = |rings: &[Ring]| MultiPolygon(rings.iter().map(|r| polygon_to_geo(r, &[])).collect());
    // Larger rings first: an island may have a lagoon with an island in it.
    rings.sort_by(|a, b| area(b).abs().total_cmp(&area(a).abs()));
    let mut sea = shape(&outer);
    for alike in rings.chunk_by(|a, b| (area(a) > 0.0) == (area(b) > 0.0)) {
        sea = if area(&alike[0]) > 0.0 { sea.difference(&shape(alike)) } else { sea.union(&shape(alike)) };
    }
    Some(sea.0.iter().filter_map(Polygon::from_geo).collect())
}

fn area(ring: &[Point]) -> f64 {
    signed_area(ring)
}

/// Closes pieces of coastline that begin and end on the border: from the end of each, clockwise with the water on the
/// right, to the beginning of the next.
fn along_border(pieces: &[Vec<Point>], window: Bounds) -> Option<Vec<Ring>> {
    let round = 2.0 * (window[2] - window[0] + window[3] - window[1]);
    // Beginnings (true) and ends of the pieces, by their distance clockwise from the south-west corner.
    let mut stops: Vec<(f64, bool, usize)> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        stops.push((clockwise(*piece.first()?, window)?, true, i));
        stops.push((clockwise(*piece.last()?, window)?, false, i));
    }
    // At equal distance ends sort before beginnings, so that a piece continues in one that begins there.
    stops.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let after = |piece: usize| {
        let at = stops.iter().position(|s| !s.1 && s.2 == piece)?;
        let next = stops[(at + 1) % stops.len()];
        next.1.then_some((stops[at].0, next.0, next.2))
    };
    let corners: [Point; 4] =
        [[window[0], window[1]], [window[0], window[3]], [window[2], window[3]], [window[2], window[1]]];
    let mut used = vec![false; pieces.len()];
    let mut rings = Vec::new();
    for first in 0..pieces.len() {
        if used[first] {
            continue;
        }
        let mut ring: Ring = Vec::new();
        let mut piece = first;
        loop {
            if used[piece] {
                return None;
            }
            used[piece] = true;
            ring.extend_from_slice(&pieces[piece]);
            let (from, to, next) = after(piece)?;
            let to = if to < from { to + round } else { to };
            for turn in [0.0, round] {
                let passed =
                    |corner: &&Point| clockwise(**corner, window).is_some_and(|at| (from..to).contains(&(at + turn)));
                ring.extend(corners.iter().filter(passed));
            }
            if next == first {
                break;
            }
            piece = next;
        }
        rings.push(ring);
    }
    Some(rings)
}

/// Distance along the border, clockwise from the south-west corner, meters; `None` off the border.
fn clockwise([x, y]: Point, [west, south, east, north]: Bounds) -> Option<f64> {
    let (wide, high) = (east - west, north - south);
    let on = |a: f64, b: f64| (a - b).abs() < ON_BORDER;
    if on(x, west) {
        Some(y - south)
    } else if on(y, north) {
        Some(high + x - west)
    } else if on(x, east) {
        Some(high + wide + north - y)
    } else if on(y, south) {
        Some(2.0 * high + wide + east - x)
    } else {
        None
    }
}
