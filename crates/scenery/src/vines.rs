//! Vineyards: rows of vines near the property, and painted strips of the same direction and spacing farther away.

use aerie_geodata::place::{Area, AreaKind, Place, Point, Terrain};
use aerie_render::scene::Cover;
use glam::{DVec2, Vec2, Vec3, vec3};

use crate::albedo::Albedo;
use crate::fields::row_axis;
use crate::flight::Flight;
use crate::foliage::{Cell, Grove, Leaf};
use crate::painter::Painter;
use crate::property;
use crate::shape;
use crate::visibility::Visibility;
use aerie_math::Rng;

/// Spacing of rows, meters; `paint.wgsl` uses the same for `Cover::Rows`.
const SPACING: f64 = 2.0;
/// Offset of the first row, meters.
const FIRST: f64 = 0.5;
/// Length of the pieces of a row that are built or left out as a whole, meters.
const PIECE: f64 = 4.0;
/// Rows have full height up to the first of these distances from the property, and shrink to nothing up to the second, meters.
const REACH: (f64, f64) = (330.0, 430.0);
/// Gap between the rows and the edge of the vineyard, meters.
const HEADLAND: f64 = 1.0;
/// Slope above which rows run up and down it rather than along the longest side.
const STEEP: f64 = 0.06;
/// Height of the foliage, meters: bottom, minimum top, maximum top.
const FOLIAGE: (f32, f32, f32) = (0.35, 1.66, 1.78);
/// Half the width of a row at its bottom and its top, meters.
const HALF: (f32, f32) = (0.32, 0.17);
/// Maximum number of leaf cards of all rows in a scene.
const MAX_CARDS: f32 = 260_000.0;

const SOIL: Albedo = [0.128, 0.130, 0.064];

/// Paints the ground of a vineyard.
pub(crate) fn paint(terrain: &Terrain, area: &Area, tone: f32, painter: &mut Painter) {
    painter.polygon(&area.polygon, SOIL.map(|v| v * tone), Cover::Rows, axis(terrain, area));
}

/// Direction of a vineyard's rows: along its longest side, or across it where that leads down a slope.
fn axis(terrain: &Terrain, area: &Area) -> DVec2 {
    let side = row_axis(&area.polygon);
    let ring = &area.polygon.outer;
    let reach = terrain.spacing * 0.5;
    let rise =
        |p: DVec2, d: DVec2| terrain.height((p + d * reach).to_array()) - terrain.height((p - d * reach).to_array());
    let slope = ring.iter().map(|&p| DVec2::new(rise(shape::vec(p), DVec2::X), rise(shape::vec(p), DVec2::Y)));
    let slope = slope.sum::<DVec2>() / (2.0 * reach * ring.len() as f64);
    if slope.length() > STEEP && slope.dot(side.perp()).abs() > slope.dot(side).abs() { side.perp() } else { side }
}

/// A piece of a row.
struct Piece {
    from: Vec3,
    to: Vec3,
    /// Whether the row ends at either end.
    ends: [bool; 2],
    /// Share of the full height.
    grown: f32,
    cards: f32,
    size: f32,
    corners: usize,
}

/// Adds the rows near the property.
pub(crate) fn add(grove: &mut Grove, place: &Place, flight: &Flight, visibility: &Visibility<'_>) {
    let mut pieces: Vec<(usize, Piece)> = Vec::new();
    for (index, area) in place.areas.iter().enumerate().filter(|(_, a)| a.kind == AreaKind::Vineyard) {
        let inside = shape::inside(DVec2::ZERO, &area.polygon);
        if inside || shape::distance_to_ring(DVec2::ZERO, &area.polygon.outer) < REACH.1 {
            let rows = rows(place, index);
            for (i, (from, to)) in rows.iter().enumerate() {
                if visibility.contains((*from + *to).as_vec2() * 0.5) {
                    let before = i.checked_sub(1).is_some_and(|i| rows[i].1 == *from);
                    let after = rows.get(i + 1).is_some_and(|next| next.0 == *to);
                    let piece = Piece { ends: [!before, !after], ..piece(place, flight, *from, *to) };
                    pieces.push((index, piece));
                }
            }
        }
    }
    let wanted: f32 = pieces.iter().map(|(_, p)| p.cards).sum();
    let density = (MAX_CARDS / wanted.max(1.0)).min(1.0);
    for (index, piece) in pieces {
        let mut hue = Rng::from_name(&place.areas[index].id);
        let hue = vec3(0.082, 0.118, 0.034) * hue.range_f32(0.90, 1.10);
        row(grove.cell(piece.from), &piece, density, hue);
    }
}

fn piece(place: &Place, flight: &Flight, from: DVec2, to: DVec2) -> Piece {
    let on_ground = |p: DVec2| p.extend(place.terrain.height(p.to_array())).as_vec3();
    let left = (REACH.1 - from.midpoint(to).length()) / (REACH.1 - REACH.0);
    let (from, to) = (on_ground(from), on_ground(to));
    let (each_meter, size, corners) = match flight.distance_to(from) {
        d if d < 110.0 => (11.0, 0.20, 4),
        d if d < 190.0 => (5.0, 0.30, 3),
        d if d < 300.0 => (1.6, 0.46, 3),
        _ => (0.0, 0.0, 3),
    };
    let grown = left.clamp(0.0, 1.0) as f32;
    Piece { from, to, ends: [true; 2], grown, cards: each_meter * from.distance(to), size, corners }
}

/// Pieces of a vineyard's rows near the property, clear of it, of ways, of houses and of other land cover on top.
fn rows(place: &Place, index: usize) -> Vec<(DVec2, DVec2)> {
    let area = &place.areas[index];
    let axis = axis(&place.terrain, area);
    let exclusions = Exclusions::of(place, index);
    let mut out = Vec::new();
    let rings: Vec<&[Point]> =
        std::iter::once(area.polygon.outer.as_slice()).chain(area.polygon.holes.iter().map(Vec::as_slice)).collect();
    let across = area.polygon.outer.iter().map(|&p| shape::vec(p).dot(axis.perp()));
    let (low, high) = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    for k in ((low - FIRST) / SPACING).ceil() as i64..=((high - FIRST) / SPACING).floor() as i64 {
        let y = FIRST + k as f64 * SPACING;
        if y.abs() > REACH.1 {
            continue;
        }
        let mut ends = shape::crossings(&rings, axis, y);
        ends.sort_by(f64::total_cmp);
        for span in ends.chunks_exact(2) {
            let (start, end) = (span[0] + HEADLAND, span[1] - HEADLAND);
            let count = ((end - start) / PIECE).round().max(0.0) as usize;
            let at = |i: usize| axis * (start + (end - start) * i as f64 / count as f64) + axis.perp() * y;
            for i in 0..count {
                let (from, to) = (at(i), at(i + 1));
                let middle = (from + to) * 0.5;
                if middle.length() < REACH.1 && [from, middle, to].iter().all(|p| exclusions.is_free(*p)) {
                    out.push((from, to));
                }
            }
        }
    }
    out
}

/// Obstacles to a vineyard's rows, each with its bounding box.
struct Exclusions<'a> {
    property: &'a [Point],
    /// Center lines, each with the clearance from it.
    lines: Vec<([DVec2; 2], &'a [Point], f64)>,
    houses: Vec<([DVec2; 2], &'a [Point])>,
    above: Vec<([DVec2; 2], &'a Area)>,
}

/// Clearance from the walls of houses, meters.
const HOUSE_CLEARANCE: f64 = 2.5;

impl<'a> Exclusions<'a> {
    fn of(place: &'a Place, index: usize) -> Self {
        let [low, high] = bounds(&place.areas[index].polygon.outer, 0.0);
        // No rows beyond this distance from the property.
        let (low, high) = (low.max(DVec2::splat(-REACH.1 - PIECE)), high.min(DVec2::splat(REACH.1 + PIECE)));
        let matters = move |[least, greatest]: &[DVec2; 2]| least.cmple(high).all() && greatest.cmpge(low).all();
        let ways = place.ways.iter().filter(|w| !w.tunnel);
        let ways = ways.map(|w| (w.line.as_slice(), w.width * 0.5 + if w.sidewalk { 2.4 } else { 1.2 }));
        let lines = ways.chain(place.waterways.iter().map(|w| (w.line.as_slice(), w.width * 0.5 + 1.2)));
        let houses = place.buildings.iter().map(|b| b.footprint.outer.as_slice());
        let above = place.areas[index + 1..].iter();
        Self {
            property: &place.property.footprint.outer,
            lines: lines.map(|(l, clear)| (bounds(l, clear), l, clear)).filter(|l| matters(&l.0)).collect(),
            houses: houses.map(|o| (bounds(o, HOUSE_CLEARANCE), o)).filter(|h| matters(&h.0)).collect(),
            above: above.map(|a| (bounds(&a.polygon.outer, 0.0), a)).filter(|a| matters(&a.0)).collect(),
        }
    }

    fn is_free(&self, at: DVec2) -> bool {
        let may_hold = |[low, high]: &[DVec2; 2]| at.cmpge(*low).all() && at.cmple(*high).all();
        let on_line = |(_, line, clear): &(_, &[Point], f64)| shape::distance_to_line(at, line) < *clear;
        let at_house =
            |(_, o): &(_, &[Point])| shape::inside_ring(at, o) || shape::distance_to_ring(at, o) < HOUSE_CLEARANCE;
        shape::distance_to_ring(at, self.property) > property::CLEARANCE
            && !self.lines.iter().filter(|l| may_hold(&l.0)).any(on_line)
            && !self.houses.iter().filter(|h| may_hold(&h.0)).any(at_house)
            && !self.above.iter().filter(|a| may_hold(&a.0)).any(|(_, a)| shape::inside(at, &a.polygon))
    }
}

/// The bounding box of a line, expanded by `margin` on every side.
fn bounds(line: &[Point], margin: f64) -> [DVec2; 2] {
    let (low, high) = line
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), &p| (l.min(shape::vec(p)), h.max(shape::vec(p))));
    [low - margin, high + margin]
}

/// Adds a piece of a row: a solid core, and leaf cards on its sides and top.
fn row(cell: &mut Cell, piece: &Piece, density: f32, hue: Vec3) {
    let (from, to) = (piece.from, piece.to);
    let mut rng = Rng::from_name(&format!("{:.1} {:.1}", from.x, from.y));
    let side = (to - from).truncate().normalize_or(Vec2::X).perp();
    let (foot, low, high) = FOLIAGE;
    let (foot, top) = (foot * piece.grown, rng.range_f32(low, high) * piece.grown);
    let hue = hue * rng.range_f32(0.95, 1.05);
    let corner = |p: Vec3, half: f32, z: f32| p + (side * half).extend(z);
    // Without cards, the core itself is visible.
    let shade = if piece.cards > 0.0 { 0.78 } else { 1.0 };
    let inside = |normal: Vec3, open: f32| Leaf { normal, open, albedo: hue * shade, thin: 0.6 };
    for s in [-1.0, 1.0] {
        // Darker toward the bottom, which sets rows off from each other.
        let normal = (side * s).extend(0.9).normalize();
        let shadow = Leaf { albedo: hue * shade * 0.45, ..inside(normal, 0.2) };
        let [low, high] = [(HALF.0, foot, shadow), (HALF.1, top * 0.95, inside(normal, 0.75))];
        let corner = |p: Vec3, (half, z, leaf): (f32, f32, Leaf)| (corner(p, s * half, z), leaf);
        cell.triangle([corner(from, low), corner(to, low), corner(to, high)]);
        cell.triangle([corner(from, low), corner(to, high), corner(from, high)]);
    }
    for (at, out) in
        [(from, -1.0), (to, 1.0)].into_iter().zip(piece.ends).filter_map(|(end, is_end)| is_end.then_some(end))
    {
        let face = [(-HALF.0, foot), (HALF.0, foot), (HALF.1, top * 0.95), (-HALF.1, top * 0.95)];
        let normal = (-side.perp() * out).extend(0.6).normalize();
        cell.polygon(&face.map(|(half, z)| corner(at, half, z)), &inside(normal, 0.65));
    }
    let over = [-HALF.1, HALF.1].map(|s| [corner(from, s, top * 0.95), corner(to, s, top * 0.95)]);
    cell.polygon(&[over[0][0], over[0][1], over[1][1], over[1][0]], &inside(Vec3::Z, 0.85));
    let size = piece.size / density.max(0.1).sqrt();
    for _ in 0..(piece.cards * density) as usize {
        let (up, along) = (rng.unit_f32(), rng.unit_f32());
        let s = if rng.unit_f32() < 0.5 { -1.0 } else { 1.0 };
        let half = HALF.0 + (HALF.1 - HALF.0) * up;
        let normal = (side * s).extend(0.3 + 0.9 * up * up).normalize();
        let shade = (0.55 + 0.45 * up) * rng.range_f32(0.78, 1.18);
        let leaf = Leaf { normal, open: 0.30 + 0.65 * up, albedo: hue * shade, thin: 0.6 };
        let at = from.lerp(to, along) + (side * s * half * rng.range_f32(0.7, 1.25)).extend(foot + (top - foot) * up);
        cell.card(at, normal, size * rng.range_f32(0.8, 1.15), piece.corners, &mut rng, &leaf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_geodata::place::Polygon;

    fn vineyard(outer: Vec<Point>) -> Place {
        let mut place = crate::fixtures::empty_place(None);
        let polygon = Polygon { outer, holes: vec![] };
        place.areas = vec![Area { id: "way/1".into(), kind: AreaKind::Vineyard, polygon }];
        place
    }

    fn block() -> Vec<Point> {
        vec![[60.0, -20.0], [160.0, -20.0], [160.0, 40.0], [60.0, 40.0]]
    }

    #[test]
    fn rows_follow_the_painted_strips_within_the_vineyard_and_avoid_ways_across_it() {
        let mut place = vineyard(block());
        let axis = axis(&place.terrain, &place.areas[0]);
        let whole = rows(&place, 0);
        assert_eq!(whole.len(), 30 * 25);
        for (from, to) in &whole {
            assert!(shape::inside(*from, &place.areas[0].polygon) && shape::inside(*to, &place.areas[0].polygon));
            let strip = (from.dot(axis.perp()) - FIRST) / SPACING;
            assert!((strip - strip.round()).abs() < 1e-9 && (to.y - from.y).abs() < 1e-9);
        }
        place.ways = vec![crate::fixtures::way("way/2", vec![[110.0, -90.0], [110.0, 90.0]], false)];
        let parted = rows(&place, 0);
        assert!(parted.len() < whole.len() && parted.iter().all(|(from, to)| to.x < 107.0 || from.x > 113.0));
        // Nothing is planted near the property.
        place.property.footprint.outer = vec![[70.0, 0.0], [80.0, 0.0], [80.0, 10.0], [70.0, 10.0]];
        assert!(rows(&place, 0).iter().all(|(from, to)| from.x > 100.0 || to.y.abs() > 20.0));
    }

    #[test]
    fn rows_run_down_a_slope_and_along_the_longest_side_on_flat_ground() {
        let mut place = vineyard(block());
        assert!(axis(&place.terrain, &place.areas[0]).x.abs() > 0.99);
        // Rises northward.
        let rise = |i: usize| if i < 2 { 0.0 } else { 900.0 };
        place.terrain = Terrain { heights: (0..4).map(rise).collect(), ..Terrain::flat(3000.0, 0.0) };
        assert!(axis(&place.terrain, &place.areas[0]).y.abs() > 0.99);
    }

    #[test]
    fn rows_get_lower_with_distance_and_leave_only_the_painted_strips() {
        let far = vineyard(vec![[300.0, -30.0], [500.0, -30.0], [500.0, 30.0], [300.0, 30.0]]);
        let flight = Flight::plan(&far, crate::Path::Original, crate::VideoFormat::default());
        let grown = |x: f64| piece(&far, &flight, DVec2::new(x, 0.0), DVec2::new(x + 4.0, 0.0)).grown;
        assert!(grown(310.0) == 1.0 && (0.3..0.7).contains(&grown(380.0)) && grown(430.0) == 0.0);
        assert!(rows(&far, 0).iter().all(|(from, to)| from.midpoint(*to).length() < REACH.1));
    }
}
