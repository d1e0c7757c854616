//! Plane geometry: triangles of polygons, ribbons along lines, rings moved inwards.

use aerie_world::place::{Point, Polygon, Ring};
use earcut::Earcut;
use glam::{DVec2, dvec2};

/// A point as a vector.
pub(crate) fn vec(p: Point) -> DVec2 {
    dvec2(p[0], p[1])
}

/// Signed area of a ring, positive counter-clockwise, square metres.
pub(crate) fn area(ring: &[Point]) -> f64 {
    let n = ring.len();
    (0..n).map(|i| vec(ring[i]).perp_dot(vec(ring[(i + 1) % n]))).sum::<f64>() * 0.5
}

/// Centre of mass of a ring.
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

/// Distance from a point to a ring's outline, metres.
pub(crate) fn distance_to_ring(p: DVec2, ring: &[Point]) -> f64 {
    let n = ring.len();
    (0..n).map(|i| distance_to_segment(p, vec(ring[i]), vec(ring[(i + 1) % n]))).fold(f64::INFINITY, f64::min)
}

/// Distance from a point to a segment, metres.
pub(crate) fn distance_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let d = b - a;
    let t = if d.length_squared() > 0.0 { ((p - a).dot(d) / d.length_squared()).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + d * t)
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

/// A ring moved inwards (positive) or outwards (negative) by `by` metres with mitred corners; none where an edge would
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

/// Length of a line, metres.
pub(crate) fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|w| vec(w[0]).distance(vec(w[1]))).sum()
}

/// One corner of a ribbon: where it lies, metres along, half widths across (-1 to 1).
pub(crate) type RibbonCorner = (Point, f64, f64);

/// A ribbon of constant width along a line, as triangles, with round joins and ends.
pub(crate) fn ribbon(line: &[Point], width: f64) -> Vec<[RibbonCorner; 3]> {
    let half = width * 0.5;
    let mut out = Vec::new();
    let mut along = 0.0;
    for pair in line.windows(2) {
        let (a, b) = (vec(pair[0]), vec(pair[1]));
        let step = a.distance(b);
        if step < 1e-6 {
            continue;
        }
        let side = (b - a).perp() / step * half;
        let corner = |p: DVec2, s: f64, l: f64| ((p + side * s).to_array(), l, s);
        let (al, ar) = (corner(a, 1.0, along), corner(a, -1.0, along));
        along += step;
        let (bl, br) = (corner(b, 1.0, along), corner(b, -1.0, along));
        out.push([ar, br, bl]);
        out.push([ar, bl, al]);
        out.extend(disc(b, half, along));
    }
    if let Some(&first) = line.first() {
        out.extend(disc(vec(first), half, 0.0));
    }
    out
}

fn disc(centre: DVec2, radius: f64, along: f64) -> impl Iterator<Item = [RibbonCorner; 3]> {
    const SIDES: usize = 12;
    let rim = move |i: usize| {
        let p = centre + DVec2::from_angle(i as f64 * std::f64::consts::TAU / SIDES as f64) * radius;
        (p.to_array(), along, 0.9)
    };
    (0..SIDES).map(move |i| [(centre.to_array(), along, 0.0), rim(i), rim(i + 1)])
}
