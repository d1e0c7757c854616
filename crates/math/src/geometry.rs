//! Plane geometry on `[x, y]` points. Rings are closed implicitly: the last point is not a repeat of the first.
//!
//! These few measures work on slices, without allocation; [`polygon_to_geo`] and [`ring_from_geo`] lead to the algorithms of
//! the `geo` crate (boolean operations, simplification, hulls).

/// `[x, y]`.
pub type Point = [f64; 2];

/// Corners of a closed outline.
pub type Ring = Vec<Point>;

/// Edges of a closed ring, in order.
pub fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| (*a, *b))
}

/// Signed area of a ring, positive counter-clockwise (where y points up). Summed about the first corner, which keeps digits far
/// from the origin.
#[must_use]
pub fn signed_area(ring: &[Point]) -> f64 {
    ring.first().map_or(0.0, |&corner| signed_area_about(ring, corner))
}

/// Signed area of a ring, summed about a given point. The point changes nothing but the rounding.
#[must_use]
pub fn signed_area_about(ring: &[Point], [x0, y0]: Point) -> f64 {
    edges(ring).map(|(a, b)| (a[0] - x0) * (b[1] - y0) - (b[0] - x0) * (a[1] - y0)).sum::<f64>() / 2.0
}

/// The ring, reversed where it runs clockwise.
#[must_use]
pub fn counter_clockwise(mut ring: Ring) -> Ring {
    if signed_area(&ring) < 0.0 {
        ring.reverse();
    }
    ring
}

/// Center of mass of a ring's area; the mean of its points where the area is zero, `[0, 0]` where there are none.
#[must_use]
pub fn centroid(ring: &[Point]) -> Point {
    let Some(&[x0, y0]) = ring.first() else { return [0.0, 0.0] };
    let (mut sx, mut sy, mut area) = (0.0, 0.0, 0.0);
    for (a, b) in edges(ring) {
        let (a, b) = ([a[0] - x0, a[1] - y0], [b[0] - x0, b[1] - y0]);
        let cross = a[0] * b[1] - b[0] * a[1];
        sx += (a[0] + b[0]) * cross;
        sy += (a[1] + b[1]) * cross;
        area += cross;
    }
    if area.abs() < f64::MIN_POSITIVE * 1e10 {
        let n = ring.len() as f64;
        return [ring.iter().map(|p| p[0]).sum::<f64>() / n, ring.iter().map(|p| p[1]).sum::<f64>() / n];
    }
    [x0 + sx / (3.0 * area), y0 + sy / (3.0 * area)]
}

/// Whether a point lies inside a ring, by the even-odd rule.
#[must_use]
pub fn ring_contains(ring: &[Point], [x, y]: Point) -> bool {
    edges(ring).fold(false, |inside, (a, b)| {
        inside ^ ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
    })
}

/// Distance between two points.
#[must_use]
pub fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The point of a segment nearest to `p`.
#[must_use]
pub fn project_onto_segment(a: Point, b: Point, p: Point) -> Point {
    let d = [b[0] - a[0], b[1] - a[1]];
    let len2 = d[0] * d[0] + d[1] * d[1];
    let t = if len2 > 0.0 { (((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / len2).clamp(0.0, 1.0) } else { 0.0 };
    [a[0] + t * d[0], a[1] + t * d[1]]
}

/// The point of a segment nearest to `p`, and its distance.
#[must_use]
pub fn nearest_on_segment(a: Point, b: Point, p: Point) -> (Point, f64) {
    let q = project_onto_segment(a, b, p);
    (q, distance(p, q))
}

/// Distance of a point from a segment.
#[must_use]
pub fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    nearest_on_segment(a, b, p).1
}

/// The point of an open line nearest to `p`, and its distance; `None` where the line has fewer than two points.
#[must_use]
pub fn nearest_on_line(line: &[Point], p: Point) -> Option<(Point, f64)> {
    line.windows(2).map(|w| nearest_on_segment(w[0], w[1], p)).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Distance of a point from an open line; infinite where the line has fewer than two points.
#[must_use]
pub fn distance_to_line(p: Point, line: &[Point]) -> f64 {
    nearest_on_line(line, p).map_or(f64::INFINITY, |nearest| nearest.1)
}

/// Distance of a point from a ring's outline, inside or outside; infinite where the ring is empty.
#[must_use]
pub fn distance_to_ring(p: Point, ring: &[Point]) -> f64 {
    edges(ring).map(|(a, b)| distance_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
}

/// Least and greatest coordinates: `[west, south, east, north]`; an inverted infinite box where there are no points.
#[must_use]
pub fn bounds(points: &[Point]) -> [f64; 4] {
    bounds_of(points)
}

/// [`bounds`] of any collection of points.
#[must_use]
pub fn bounds_of<'a>(points: impl IntoIterator<Item = &'a Point>) -> [f64; 4] {
    points.into_iter().fold([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY], |b, p| {
        [b[0].min(p[0]), b[1].min(p[1]), b[2].max(p[0]), b[3].max(p[1])]
    })
}

/// A point inside rings (an outer one and holes): the centroid, or else the middle of the widest gap on a level line.
#[must_use]
pub fn interior_point(rings: &[Ring]) -> Option<Point> {
    let outer = rings.first().filter(|r| r.len() >= 3)?;
    let inside = |p| ring_contains(outer, p) && !rings[1..].iter().any(|h| ring_contains(h, p));
    let center = centroid(outer);
    if inside(center) {
        return Some(center);
    }
    let [_, south, _, north] = bounds(outer);
    let mut best: Option<(f64, Point)> = None;
    for step in 1..10 {
        let y = south + (north - south) * (f64::from(step) + 0.013) / 10.0;
        for (from, to) in level_spans(rings, y) {
            let p = [f64::midpoint(from, to), y];
            if best.is_none_or(|b| to - from > b.0) && inside(p) {
                best = Some((to - from, p));
            }
        }
    }
    best.map(|b| b.1)
}

/// Stretches of the level line at `y` that lie inside rings (even-odd over all of them).
#[must_use]
pub fn level_spans(rings: &[Ring], y: f64) -> Vec<(f64, f64)> {
    let mut xs = Vec::new();
    for ring in rings {
        for (a, b) in edges(ring) {
            if (a[1] > y) != (b[1] > y) {
                xs.push((b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]);
            }
        }
    }
    xs.sort_by(f64::total_cmp);
    let (pairs, _) = xs.as_chunks::<2>();
    pairs.iter().map(|p| (p[0], p[1])).collect()
}

/// A polygon of the `geo` crate from an outer ring and holes.
#[must_use]
pub fn polygon_to_geo(outer: &[Point], holes: &[Ring]) -> geo::Polygon<f64> {
    let line = |ring: &[Point]| geo::LineString::from(ring.to_vec());
    geo::Polygon::new(line(outer), holes.iter().map(|hole| line(hole)).collect())
}

/// A ring from a closed line of the `geo` crate, without the repeated last point.
#[must_use]
pub fn ring_from_geo(line: &geo::LineString<f64>) -> Ring {
    let mut ring: Ring = line.0.iter().map(|c| [c.x, c.y]).collect();
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    ring
}

/// The convex hull of points, counter-clockwise (where y points up). Points that are not finite are left out.
#[must_use]
pub fn convex_hull(points: Vec<Point>) -> Ring {
    use geo::ConvexHull;

    let is_finite = |point: &Point| point.iter().all(|value| value.is_finite());
    let points: geo::MultiPoint<f64> = points.into_iter().filter(is_finite).collect();
    ring_from_geo(points.convex_hull().exterior())
}

#[cfg(test)]
mod tests {
    use super::*;
    use geo::{Area, Centroid, Contains, Distance, Euclidean};

    /// An L with a notch, far from the origin.
    fn outline() -> Ring {
        [[0.0, 0.0], [9.0, 0.5], [8.0, 4.0], [4.0, 3.5], [4.5, 8.0], [-1.0, 7.0]]
            .map(|[x, y]| [x + 1e5, y - 3e5])
            .to_vec()
    }

    #[test]
    fn measures_agree_with_the_geo_crate() {
        let ring = outline();
        let polygon = polygon_to_geo(&ring, &[]);
        assert!((signed_area(&ring) - polygon.signed_area()).abs() < 1e-6);
        let center = polygon.centroid().unwrap();
        assert!(distance(centroid(&ring), [center.x(), center.y()]) < 1e-6);
        for i in 0..400 {
            let p = [1e5 - 2.0 + 0.613 * f64::from(i % 20), -3e5 - 1.0 + 0.517 * f64::from(i / 20)];
            let at = geo::Point::from(p);
            assert_eq!(ring_contains(&ring, p), polygon.contains(&at), "{p:?}");
            let expected = Euclidean.distance(&at, polygon.exterior());
            assert!((distance_to_ring(p, &ring) - expected).abs() < 1e-6, "{p:?}");
        }
    }

    #[test]
    fn a_clockwise_ring_has_a_negative_area_and_is_turned() {
        let mut ring = outline();
        ring.reverse();
        assert!(signed_area(&ring) < 0.0);
        assert!(signed_area(&counter_clockwise(ring)) > 0.0);
    }

    #[test]
    fn rings_survive_the_way_through_geo() {
        assert_eq!(ring_from_geo(polygon_to_geo(&outline(), &[]).exterior()), outline());
    }

    #[test]
    fn a_hull_holds_the_outermost_points_alone_and_runs_counter_clockwise() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let mut points = square.to_vec();
        points.extend([[2.0, 2.0], [1.0, 3.0], [2.0, 0.0], [4.0, 4.0], [f64::NAN, 1.0], [f64::INFINITY, 9.0]]);
        let hull = convex_hull(points);
        assert_eq!((hull.len(), signed_area(&hull)), (4, 16.0));
        assert!(square.iter().all(|corner| hull.contains(corner)));
        assert!(convex_hull(Vec::new()).is_empty());
    }

    #[test]
    fn an_interior_point_lies_inside_even_where_the_centroid_does_not() {
        let ring: Ring =
            vec![[0.0, 0.0], [10.0, 0.0], [10.0, 2.0], [2.0, 2.0], [2.0, 8.0], [10.0, 8.0], [10.0, 10.0], [0.0, 10.0]];
        assert!(!ring_contains(&ring, centroid(&ring)));
        let p = interior_point(std::slice::from_ref(&ring)).unwrap();
        assert!(ring_contains(&ring, p));
    }

    #[test]
    fn nothing_is_infinitely_far_from_an_empty_ring_and_has_no_area() {
        assert_eq!(distance_to_ring([0.0, 0.0], &[]), f64::INFINITY);
        assert_eq!(distance_to_line([0.0, 0.0], &[[1.0, 1.0]]), f64::INFINITY);
        assert_eq!((signed_area(&[]), centroid(&[])), (0.0, [0.0, 0.0]));
    }
}
