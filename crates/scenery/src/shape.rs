//! Plane geometry: triangles of polygons, ribbons along lines, rings moved inwards.

use aerie_geodata::place::{Point, Polygon, Ring};
use earcut::Earcut;
use glam::{DVec2, dvec2};

/// A point as a vector.
pub(crate) fn vec(p: Point) -> DVec2 {
    dvec2(p[0], p[1])
}

/// Signed area of a ring, positive counter-clockwise, square meters.
pub(crate) fn area(ring: &[Point]) -> f64 {
    let n = ring.len();
    (0..n).map(|i| vec(ring[i]).perp_dot(vec(ring[(i + 1) % n]))).sum::<f64>() * 0.5
}

/// Center of mass of a ring.
pub(crate) fn centroid(ring: &[Point]) -> DVec2 {
    let n = ring.len();
    let origin = vec(ring[0]);
    let (mut sum, mut weight) = (DVec2::ZERO, 0.0);
    for i in 0..n {
        let (a, b) = (vec(ring[i]) - origin, vec(ring[(i + 1) % n]) - origin);
        let cross = a.perp_dot(b);
        sum += (a + b) * cross;
        weight += cross;
    }
    if weight.abs() < 1e-9 { origin } else { origin + sum / (3.0 * weight) }
}

/// Whether a point lies in a ring (even-odd).
pub(crate) fn inside_ring(p: DVec2, ring: &[Point]) -> bool {
    let n = ring.len();
    let mut inside = false;
    for i in 0..n {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        if (a[1] > p.y) != (b[1] > p.y) && p.x < (b[0] - a[0]) * (p.y - a[1]) / (b[1] - a[1]) + a[0] {
            inside = !inside;
        }
    }
    inside
}

/// Whether a point lies in a polygon.
pub(crate) fn inside(p: DVec2, polygon: &Polygon) -> bool {
    inside_ring(p, &polygon.outer) && !polygon.holes.iter().any(|h| inside_ring(p, h))
}

/// Distance from a point to a ring's outline, meters.
pub(crate) fn distance_to_ring(p: DVec2, ring: &[Point]) -> f64 {
    let n = ring.len();
    (0..n).map(|i| distance_to_segment(p, vec(ring[i]), vec(ring[(i + 1) % n]))).fold(f64::INFINITY, f64::min)
}

/// Distance from a point to a segment, meters.
pub(crate) fn distance_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let d = b - a;
    let t = if d.length_squared() > 0.0 { ((p - a).dot(d) / d.length_squared()).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + d * t)
}

/// From a point to a line of two points or more; endless to one of fewer.
pub(crate) fn distance_to_line(p: DVec2, line: &[Point]) -> f64 {
    line.windows(2).map(|s| distance_to_segment(p, vec(s[0]), vec(s[1]))).fold(f64::INFINITY, f64::min)
}

/// Where two segments cross.
pub(crate) fn meeting(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Option<DVec2> {
    let (u, v) = (b - a, d - c);
    let cross = u.perp_dot(v);
    if cross.abs() < 1e-9 {
        return None;
    }
    let (s, t) = ((c - a).perp_dot(v) / cross, (c - a).perp_dot(u) / cross);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then(|| a + u * s)
}

/// Where the line along `axis` that lies `across` to its left meets rings: meters along it, in no order.
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

/// A ring moved inwards (positive) or outwards (negative) by `by` meters with mitred corners; none where an edge would
/// turn over, that is, where the ring is too narrow.
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

/// The part of a ring on the side of a line that `towards` points to.
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

/// One corner of a ribbon: where it lies, meters along, half widths across (-1 to 1).
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
                // The gap on the outer side of the bend.
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

/// What an arm from `center` sweeps as it turns.
fn fan(center: DVec2, arm: DVec2, turn: f64, along: f64) -> impl Iterator<Item = [RibbonCorner; 3]> {
    let steps = (turn.abs() / (std::f64::consts::TAU / 12.0) - 0.05).ceil().max(0.0) as usize;
    let rim = move |i: usize| {
        let p = center + DVec2::from_angle(turn * i as f64 / steps as f64).rotate(arm);
        (p.to_array(), along, 0.9)
    };
    (0..steps).map(move |i| [(center.to_array(), along, 0.0), rim(i), rim(i + 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_meet_where_they_cross_and_not_beyond_their_ends() {
        let at = meeting(dvec2(0.0, -1.0), dvec2(0.0, 3.0), dvec2(-2.0, 0.5), dvec2(2.0, 0.5));
        assert!(at.is_some_and(|p| p.distance(dvec2(0.0, 0.5)) < 1e-9));
        assert_eq!(meeting(dvec2(0.0, -1.0), dvec2(0.0, 0.4), dvec2(-2.0, 0.5), dvec2(2.0, 0.5)), None);
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
                // Round joins and ends are many-sided: a little is cut off them.
                assert!(distance > 2.88 || covered(p), "a hole at {p}");
                assert!(distance < 3.001 || !covered(p), "too wide at {p}");
            }
        }
    }
}
