//! Plane geometry: triangulation, offset rings and lines, ribbons.

use aerie_geodata::place::{Point, Polygon, Ring};
use aerie_math::geometry;
use earcut::Earcut;
use glam::{DVec2, dvec2};

/// A point as a vector.
pub(crate) fn vec(p: Point) -> DVec2 {
    dvec2(p[0], p[1])
}

/// Signed area of a ring, positive counter-clockwise, square meters.
///
/// Summed about the origin, not about the first corner: plot sizes and tree counts derive from the last bits.
pub(crate) fn area(ring: &[Point]) -> f64 {
    geometry::signed_area_about(ring, [0.0, 0.0])
}

/// Center of mass of a ring; its first corner where it has next to no area.
pub(crate) fn centroid(ring: &[Point]) -> DVec2 {
    if geometry::signed_area(ring).abs() < 5e-10 { vec(ring[0]) } else { vec(geometry::centroid(ring)) }
}

/// Whether a point lies in a ring (even-odd).
pub(crate) fn inside_ring(p: DVec2, ring: &[Point]) -> bool {
    geometry::ring_contains(ring, p.to_array())
}

/// Whether a point lies in a polygon.
pub(crate) fn inside(p: DVec2, polygon: &Polygon) -> bool {
    inside_ring(p, &polygon.outer) && !polygon.holes.iter().any(|h| inside_ring(p, h))
}

/// The point of a segment nearest to `p`.
pub(crate) fn project(p: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    vec(geometry::project_onto_segment(a.to_array(), b.to_array(), p.to_array()))
}

/// Distance from a point to a segment, meters.
pub(crate) fn distance_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    p.distance(project(p, a, b))
}

/// Distance from a point to a ring's outline, meters.
pub(crate) fn distance_to_ring(p: DVec2, ring: &[Point]) -> f64 {
    geometry::edges(ring).map(|(a, b)| distance_to_segment(p, vec(a), vec(b))).fold(f64::INFINITY, f64::min)
}

/// Distance from a point to an open line, meters; infinite where the line has fewer than two points.
pub(crate) fn distance_to_line(p: DVec2, line: &[Point]) -> f64 {
    line.windows(2).map(|s| distance_to_segment(p, vec(s[0]), vec(s[1]))).fold(f64::INFINITY, f64::min)
}

/// Unit vector of a bearing, radians clockwise from north.
pub(crate) fn bearing_vector(bearing: f64) -> DVec2 {
    dvec2(bearing.sin(), bearing.cos())
}

/// A line moved sideways by `by` meters, to the left of its direction.
pub(crate) fn offset(line: &[Point], by: f64) -> Vec<Point> {
    let line: Vec<DVec2> = line.iter().map(|&p| vec(p)).collect();
    (0..line.len())
        .map(|i| {
            let before = if i > 0 { (line[i] - line[i - 1]).normalize_or_zero() } else { DVec2::ZERO };
            let after = if i + 1 < line.len() { (line[i + 1] - line[i]).normalize_or_zero() } else { DVec2::ZERO };
            let side = (before + after).normalize_or(DVec2::X).perp();
            (line[i] + side * by).to_array()
        })
        .collect()
}

/// Where two segments cross.
pub(crate) fn intersection(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Option<DVec2> {
    let (u, v) = (b - a, d - c);
    let cross = u.perp_dot(v);
    if cross.abs() < 1e-9 {
        return None;
    }
    let (s, t) = ((c - a).perp_dot(v) / cross, (c - a).perp_dot(u) / cross);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then(|| a + u * s)
}

/// Intersections of rings with the line along `axis` at offset `across` to its left: meters along it, unordered.
pub(crate) fn crossings(rings: &[&[Point]], axis: DVec2, across: f64) -> Vec<f64> {
    let edges = rings.iter().flat_map(|ring| (0..ring.len()).map(|i| (vec(ring[i]), vec(ring[(i + 1) % ring.len()]))));
    let turned = edges.map(|(a, b)| [a, b].map(|p| dvec2(p.dot(axis), p.dot(axis.perp()))));
    let met = turned.filter(|[a, b]| (a.y > across) != (b.y > across));
    met.map(|[a, b]| a.x + (b.x - a.x) * (across - a.y) / (b.y - a.y)).collect()
}

/// Triangles of a polygon, counter-clockwise.
pub(crate) fn triangles(polygon: &Polygon) -> Vec<[Point; 3]> {
    let mut points: Vec<Point> = polygon.outer.clone();
    let mut holes = Vec::new();
    for hole in &polygon.holes {
        holes.push(points.len() as u32);
        points.extend(hole);
    }
    let mut indices: Vec<u32> = Vec::new();
    Earcut::new().earcut(points.iter().copied(), &holes, &mut indices);
    indices
        .chunks_exact(3)
        .map(|t| [points[t[0] as usize], points[t[1] as usize], points[t[2] as usize]])
        .map(|[a, b, c]| if (vec(b) - vec(a)).perp_dot(vec(c) - vec(a)) < 0.0 { [a, c, b] } else { [a, b, c] })
        .collect()
}

/// A ring moved inward (positive) or outward (negative) by `by` meters with mitered corners; `None` where an edge would flip
/// because the ring is too narrow.
pub(crate) fn inset(ring: &[Point], by: f64) -> Option<Ring> {
    let n = ring.len();
    let inward = |i: usize| {
        let edge = (vec(ring[(i + 1) % n]) - vec(ring[i])).normalize_or_zero();
        dvec2(-edge.y, edge.x)
    };
    let moved: Ring = (0..n)
        .map(|i| {
            let (a, b) = (inward((i + n - 1) % n), inward(i));
            let bisector = a + b;
            let scale = 2.0 / bisector.length_squared().max(0.35);
            let p = vec(ring[i]) + bisector * scale * by;
            [p.x, p.y]
        })
        .collect();
    let turned = (0..n).any(|i| {
        let (old, new) = (vec(ring[(i + 1) % n]) - vec(ring[i]), vec(moved[(i + 1) % n]) - vec(moved[i]));
        old.dot(new) <= 0.0
    });
    (!turned && area(&moved) * area(ring) > 0.0).then_some(moved)
}

/// Clips a ring to the half-plane through `on` that `towards` points into.
pub(crate) fn cut(ring: &[Point], on: DVec2, towards: DVec2) -> Ring {
    let n = ring.len();
    let mut out = Vec::with_capacity(n + 2);
    for i in 0..n {
        let (a, b) = (vec(ring[i]), vec(ring[(i + 1) % n]));
        let (sa, sb) = ((a - on).dot(towards), (b - on).dot(towards));
        if sa >= 0.0 {
            out.push(a.to_array());
        }
        if sa * sb < 0.0 {
            out.push(a.lerp(b, sa / (sa - sb)).to_array());
        }
    }
    out
}

/// Length of a line, meters.
pub(crate) fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|w| vec(w[0]).distance(vec(w[1]))).sum()
}

/// One corner of a ribbon: position, meters along, half widths across (-1 to 1).
pub(crate) type RibbonCorner = (Point, f64, f64);

/// A ribbon of constant width along a line, as triangles, with round joins and ends.
pub(crate) fn ribbon(line: &[Point], width: f64) -> Vec<[RibbonCorner; 3]> {
    let half = width * 0.5;
    let mut out = Vec::new();
    let mut along = 0.0;
    let mut before: Option<DVec2> = None;
    for pair in line.windows(2) {
        let (a, b) = (vec(pair[0]), vec(pair[1]));
        let step = a.distance(b);
        if step < 1e-6 {
            continue;
        }
        let side = (b - a).perp() / step * half;
        match before {
            None => out.extend(fan(a, side, std::f64::consts::PI, along)),
            Some(before) => {
                // Fill the gap on the outer side of the bend.
                let turn = before.angle_to(side);
                out.extend(fan(a, if turn > 0.0 { -before } else { before }, turn, along));
            }
        }
        let corner = |p: DVec2, s: f64, l: f64| ((p + side * s).to_array(), l, s);
        let (al, ar) = (corner(a, 1.0, along), corner(a, -1.0, along));
        along += step;
        let (bl, br) = (corner(b, 1.0, along), corner(b, -1.0, along));
        out.push([ar, br, bl]);
        out.push([ar, bl, al]);
        before = Some(side);
    }
    if let (Some(side), Some(&last)) = (before, line.last()) {
        out.extend(fan(vec(last), -side, std::f64::consts::PI, along));
    }
    out
}

/// The fan that an arm from `center` sweeps as it turns.
fn fan(center: DVec2, arm: DVec2, turn: f64, along: f64) -> impl Iterator<Item = [RibbonCorner; 3]> {
    let steps = (turn.abs() / (std::f64::consts::TAU / 12.0) - 0.05).ceil().max(0.0) as usize;
    let rim = move |i: usize| {
        let p = center + DVec2::from_angle(turn * i as f64 / steps as f64).rotate(arm);
        (p.to_array(), along, 0.9)
    };
    (0..steps).map(move |i| [(center.to_array(), along, 0.0), rim(i), rim(i + 1)])
}

/// A line through the same points without corners: a Catmull-Rom spline with centripetal parameters, which has no loops.
pub(crate) fn curved(line: &[Point]) -> Vec<Point> {
    /// Number of steps between two points.
    const STEPS: usize = 6;
    let count = line.len();
    if count < 3 {
        return line.to_vec();
    }
    // Beyond its ends the line goes on straight.
    let at = |i: isize| match usize::try_from(i) {
        Ok(i) if i < count => vec(line[i]),
        Ok(_) => 2.0 * vec(line[count - 1]) - vec(line[count - 2]),
        Err(_) => 2.0 * vec(line[0]) - vec(line[1]),
    };
    let mut out = vec![line[0]];
    for i in 0..count as isize - 1 {
        let [a, b, c, d] = [-1, 0, 1, 2].map(|k| at(i + k));
        let knot = |from: DVec2, to: DVec2| from.distance(to).sqrt().max(1e-6);
        let (first, middle, last) = (knot(a, b), knot(b, c), knot(c, d));
        // Tangents of the two points, over the middle interval.
        let from = ((b - a) / first - (c - a) / (first + middle) + (c - b) / middle) * middle;
        let to = ((c - b) / middle - (d - b) / (middle + last) + (d - c) / last) * middle;
        out.extend((1..=STEPS).map(|step| {
            let t = step as f64 / STEPS as f64;
            let (t2, t3) = (t * t, t * t * t);
            let p = b * (2.0 * t3 - 3.0 * t2 + 1.0)
                + from * (t3 - 2.0 * t2 + t)
                + c * (3.0 * t2 - 2.0 * t3)
                + to * (t3 - t2);
            p.to_array()
        }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_intersect_where_they_cross_and_not_beyond_their_ends() {
        let at = intersection(dvec2(0.0, -1.0), dvec2(0.0, 3.0), dvec2(-2.0, 0.5), dvec2(2.0, 0.5));
        assert!(at.is_some_and(|p| p.distance(dvec2(0.0, 0.5)) < 1e-9));
        assert_eq!(intersection(dvec2(0.0, -1.0), dvec2(0.0, 0.4), dvec2(-2.0, 0.5), dvec2(2.0, 0.5)), None);
    }

    #[test]
    fn a_ribbon_covers_what_lies_within_half_its_width_of_its_line_and_no_more() {
        let line = [[0.0, 0.0], [20.0, 0.0], [30.0, 9.0], [24.0, -8.0], [24.0, -20.0]];
        let triangles = ribbon(&line, 6.0);
        let covered = |p: DVec2| triangles.iter().any(|t| inside_ring(p, &t.map(|(corner, ..)| corner)));
        for i in -60..400 {
            for j in -260..160 {
                let p = dvec2(f64::from(i) * 0.1 + 0.03, f64::from(j) * 0.1 + 0.03);
                let distance = distance_to_line(p, &line);
                // Round joins and ends are polygons and fall a little short.
                assert!(distance > 2.88 || covered(p), "a hole at {p}");
                assert!(distance < 3.001 || !covered(p), "too wide at {p}");
            }
        }
    }

    #[test]
    fn a_curved_line_passes_through_the_same_points_without_corners() {
        let line = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [30.0, 12.0]];
        let curved = curved(&line);
        assert!(line.iter().all(|p| curved.iter().any(|q| vec(*p).distance(vec(*q)) < 1e-9)));
        let turn = |w: &[Point]| (vec(w[1]) - vec(w[0])).angle_to(vec(w[2]) - vec(w[1])).abs();
        assert!(curved.windows(3).map(turn).fold(0.0, f64::max) < 0.8);
        assert_eq!(super::curved(&line[..2]), line[..2]);
    }
}
