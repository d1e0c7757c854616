//! Cuts a flat face with holes into faces without: by straight lines, each through a hole.

use std::collections::BTreeMap;

use aerie_math::geometry::ring_contains;

use super::ring::{Polygon3, plan, plan_area};
use crate::model::Ring3;

/// Holes of one face; cutting takes time by the square of their number.
const MAX_HOLES: usize = 200;

/// A line in plan: the points whose product with `normal` (of unit length) is `offset`.
#[derive(Debug, Clone, Copy)]
struct Line {
    normal: [f64; 2],
    offset: f64,
}

impl Line {
    fn distance(&self, corner: [f64; 3]) -> f64 {
        self.normal[0] * corner[0] + self.normal[1] * corner[1] - self.offset
    }

    fn along(&self, corner: [f64; 3]) -> f64 {
        self.normal[0] * corner[1] - self.normal[1] * corner[0]
    }
}

/// The faces without holes that cover a polygon, `None` where its rings cross each other.
pub(super) fn without_holes(polygon: &Polygon3) -> Option<Vec<Ring3>> {
    if polygon.holes.len() > MAX_HOLES {
        return None;
    }
    let area =
        |polygon: &Polygon3| plan_area(&polygon.outer) + polygon.holes.iter().map(|hole| plan_area(hole)).sum::<f64>();
    let (mut rest, mut faces) = (vec![polygon.clone()], Vec::new());
    let mut cuts = 0;
    while let Some(next) = rest.pop() {
        if next.holes.is_empty() {
            faces.push(next.outer);
            continue;
        }
        cuts += 1;
        if cuts > MAX_HOLES {
            return None;
        }
        let pieces = cut(&next, choose(&next)?)?;
        let sum: f64 = pieces.iter().map(area).sum();
        if (sum - area(&next)).abs() > 1e-6 * area(&next).abs() + 1e-6 {
            return None;
        }
        rest.extend(pieces);
    }
    Some(faces)
}

/// A line through the largest hole, along or across its longest edge, that meets no corner.
fn choose(polygon: &Polygon3) -> Option<Line> {
    let hole = polygon.holes.iter().max_by(|a, b| plan_area(b).total_cmp(&plan_area(a)))?;
    let edge = |index: usize| {
        let [a, b] = [hole[index], hole[(index + 1) % hole.len()]];
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        let length = x.hypot(y);
        (length, [x / length, y / length])
    };
    let (_, [x, y]) = (0..hole.len()).map(edge).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let [c, s] = [0.5f64.sqrt(), 0.5f64.sqrt()];
    let normals =
        [[-y, x], [x, y], [c * x - s * y, s * x + c * y], [c * x + s * y, c * y - s * x], [0.6, 0.8], [0.8, -0.6]];
    for clearance in [0.05, 0.001] {
        for normal in normals {
            let across = |corner: &[f64; 3]| normal[0] * corner[0] + normal[1] * corner[1];
            let low = hole.iter().map(across).fold(f64::INFINITY, f64::min);
            let high = hole.iter().map(across).fold(f64::NEG_INFINITY, f64::max);
            for share in [0.5, 0.42, 0.58, 0.3, 0.7, 0.17, 0.83] {
                let line = Line { normal, offset: low + share * (high - low) };
                let mut corners = polygon.outer.iter().chain(polygon.holes.iter().flatten());
                if corners.all(|&corner| line.distance(corner).abs() > clearance) {
                    return Some(line);
                }
            }
        }
    }
    None
}

/// A point where a ring crosses the line, by the edge that starts at corner `edge` of ring `ring`.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    along: f64,
    ring: usize,
    edge: usize,
    point: [f64; 3],
}

/// Cuts a polygon by a line that meets none of its corners.
fn cut(polygon: &Polygon3, line: Line) -> Option<Vec<Polygon3>> {
    let rings: Vec<&Ring3> = std::iter::once(&polygon.outer).chain(&polygon.holes).collect();
    let mut crossings = Vec::new();
    for (ring, corners) in rings.iter().enumerate() {
        for edge in 0..corners.len() {
            let [a, b] = [corners[edge], corners[(edge + 1) % corners.len()]];
            let [from, to] = [line.distance(a), line.distance(b)];
            if (from > 0.0) != (to > 0.0) {
                let share = from / (from - to);
                let point = [0, 1, 2].map(|axis| a[axis] + share * (b[axis] - a[axis]));
                crossings.push(Crossing { along: line.along(point), ring, edge, point });
            }
        }
    }
    crossings.sort_by(|a, b| a.along.total_cmp(&b.along));
    // Between crossings 0 and 1, 2 and 3, … the line runs inside.
    if crossings.is_empty() || crossings.len() % 2 != 0 || !crossings.iter().any(|crossing| crossing.ring == 0) {
        return None;
    }
    // So rings go one way at even crossings and the other way at odd ones, unless they cross each other.
    let rises = |crossing: &Crossing| line.distance(rings[crossing.ring][crossing.edge]) < 0.0;
    if crossings.windows(2).any(|pair| rises(&pair[0]) == rises(&pair[1])) {
        return None;
    }
    let mut pieces = side(&rings, &crossings, &line, 1.0)?;
    pieces.extend(side(&rings, &crossings, &line, -1.0)?);
    Some(pieces)
}

/// The pieces on one side of the line.
fn side(rings: &[&Ring3], crossings: &[Crossing], line: &Line, sign: f64) -> Option<Vec<Polygon3>> {
    let on_side = |corner: [f64; 3]| line.distance(corner) * sign > 0.0;
    let enters = |crossing: &Crossing| {
        let corners = rings[crossing.ring];
        on_side(corners[(crossing.edge + 1) % corners.len()])
    };
    let places: BTreeMap<_, _> = crossings.iter().enumerate().map(|(at, c)| ((c.ring, c.edge), at)).collect();
    let mut used = vec![false; crossings.len()];
    let mut pieces: Vec<Polygon3> = Vec::new();
    for start in 0..crossings.len() {
        if used[start] || !enters(&crossings[start]) {
            continue;
        }
        let mut outer = Vec::new();
        let mut at = start;
        loop {
            let crossing = crossings[at];
            if used[at] || !enters(&crossing) {
                return None;
            }
            used[at] = true;
            outer.push(crossing.point);
            let corners = rings[crossing.ring];
            let mut corner = (crossing.edge + 1) % corners.len();
            while on_side(corners[(corner + 1) % corners.len()]) {
                outer.push(corners[corner]);
                corner = (corner + 1) % corners.len();
            }
            outer.push(corners[corner]);
            let exit = *places.get(&(crossing.ring, corner))?;
            outer.push(crossings[exit].point);
            at = exit ^ 1;
            if at == start {
                break;
            }
        }
        if plan_area(&outer) <= 0.0 {
            return None;
        }
        pieces.push(Polygon3 { outer, holes: Vec::new() });
    }
    for (index, ring) in rings.iter().enumerate() {
        if crossings.iter().all(|crossing| crossing.ring != index) && on_side(ring[0]) {
            let corner = [ring[0][0], ring[0][1]];
            let piece = pieces.iter_mut().find(|piece| ring_contains(&plan(&piece.outer), corner))?;
            piece.holes.push((*ring).clone());
        }
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(corners: &[[f64; 2]]) -> Ring3 {
        corners.iter().map(|&[x, y]| [x, y, 0.0]).collect()
    }

    #[test]
    fn a_courtyard_is_cut_once_along_its_walls() {
        let outer = ring(&[[0.0, 0.0], [10.0, 0.0], [10.0, 8.0], [0.0, 8.0]]);
        let hole = ring(&[[3.0, 3.0], [3.0, 5.0], [7.0, 5.0], [7.0, 3.0]]);
        let faces = without_holes(&Polygon3 { outer, holes: vec![hole] }).unwrap();
        assert_eq!(faces.iter().map(Vec::len).collect::<Vec<_>>(), [8, 8]);
        assert!(faces.iter().all(|face| face.iter().all(|corner| [0.0, 3.0, 4.0, 5.0, 8.0].contains(&corner[1]))));
    }

    #[test]
    fn a_concave_outline_with_holes_on_both_sides_of_the_line_is_covered_exactly() {
        let outer = ring(&[
            [0.0, 0.0],
            [20.0, 0.0],
            [20.0, 10.0],
            [12.0, 10.0],
            [12.0, 4.0],
            [8.0, 4.0],
            [8.0, 10.0],
            [0.0, 10.0],
        ]);
        let square = |x: f64, y: f64| ring(&[[x, y], [x, y + 2.0], [x + 2.0, y + 2.0], [x + 2.0, y]]);
        let polygon = Polygon3 { outer, holes: vec![square(3.0, 5.0), square(15.0, 6.0), square(9.0, 1.0)] };
        let faces = without_holes(&polygon).unwrap();
        let sum: f64 = faces.iter().map(|face| plan_area(face)).sum();
        assert!((sum - (200.0 - 24.0 - 12.0)).abs() < 1e-9, "{sum}");
        assert!(faces.len() <= 8);
    }

    #[test]
    fn rings_that_cross_are_not_cut() {
        let outer = ring(&[[0.0, 0.0], [10.0, 0.0], [10.0, 8.0], [0.0, 8.0]]);
        let hole = ring(&[[8.0, 3.0], [8.0, 5.0], [14.0, 5.0], [14.0, 3.0]]);
        assert!(without_holes(&Polygon3 { outer, holes: vec![hole] }).is_none());
    }
}
