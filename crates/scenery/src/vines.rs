//! Vineyards: rows of low leafy hedges near the property, strips of the same course and spacing painted farther away.

use aerie_geodata::place::{Area, AreaKind, Place, Point, Terrain};
use aerie_render::scene::Cover;
use glam::{DVec2, Vec2, Vec3, vec3};

use crate::fields::row_axis;
use crate::flight::Flight;
use crate::ground::{Albedo, Painter};
use crate::plants::{Cell, Grove, Leaf};
use crate::plots::OWN_PLOT;
use crate::seed::Seed;
use crate::seen::Seen;
use crate::shape;

/// Meters from row to row, and where the first lies; `paint.wgsl` has the same for `Cover::Rows`.
const APART: f64 = 2.0;
const FIRST: f64 = 0.5;
/// Meters along a row that are built, or left out, as one.
const PIECE: f64 = 4.0;
/// Rows stand as bodies up to the first of these distances from the property, lower and lower up to the second, meters.
const STANDING: (f64, f64) = (330.0, 430.0);
/// How far before the edge of their vineyard rows end, meters.
const HEADLAND: f64 = 1.0;
/// On ground as steep as this vines are planted up and down it rather than as the field's longest side runs.
const STEEP: f64 = 0.06;
/// Height of the foliage, meters: of its foot and, least and greatest, of its top.
const FOLIAGE: (f32, f32, f32) = (0.35, 1.66, 1.78);
/// Half the width of a row at its foot and at its top, meters.
const HALF: (f32, f32) = (0.32, 0.17);
/// Leaf cards that all rows of a scene may have together.
const CARDS: f32 = 260_000.0;

const SOIL: Albedo = [0.128, 0.130, 0.064];

/// Paints the ground of a vineyard.
pub(crate) fn paint(terrain: &Terrain, area: &Area, tone: f32, painter: &mut Painter) {
    painter.polygon(&area.polygon, SOIL.map(|v| v * tone), Cover::Rows, axis(terrain, area));
}

/// How the rows of a vineyard run: along or across its longest side, whichever leads down the slope.
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
    /// Whether the row ends there.
    ends: [bool; 2],
    /// Share of its full height.
    grown: f32,
    cards: f32,
    size: f32,
    corners: usize,
}

/// Adds the rows that stand near the property.
pub(crate) fn add(grove: &mut Grove, place: &Place, flight: &Flight, seen: &Seen<'_>) {
    let mut pieces: Vec<(usize, Piece)> = Vec::new();
    for (index, area) in place.areas.iter().enumerate().filter(|(_, a)| a.kind == AreaKind::Vineyard) {
        let inside = shape::inside(DVec2::ZERO, &area.polygon);
        if inside || shape::distance_to_ring(DVec2::ZERO, &area.polygon.outer) < STANDING.1 {
            let rows = rows(place, index);
            for (i, (from, to)) in rows.iter().enumerate() {
                if seen.sees((*from + *to).as_vec2() * 0.5) {
                    let before = i.checked_sub(1).is_some_and(|i| rows[i].1 == *from);
                    let after = rows.get(i + 1).is_some_and(|next| next.0 == *to);
                    let piece = Piece { ends: [!before, !after], ..piece(place, flight, *from, *to) };
                    pieces.push((index, piece));
                }
            }
        }
    }
    let wanted: f32 = pieces.iter().map(|(_, p)| p.cards).sum();
    let thinner = (CARDS / wanted.max(1.0)).min(1.0);
    for (index, piece) in pieces {
        let mut hue = Seed::from_name(&place.areas[index].id);
        let hue = vec3(0.082, 0.118, 0.034) * hue.between(0.90, 1.10);
        row(grove.cell(piece.from), &piece, thinner, hue);
    }
}

fn piece(place: &Place, flight: &Flight, from: DVec2, to: DVec2) -> Piece {
    let on_ground = |p: DVec2| p.extend(place.terrain.height(p.to_array())).as_vec3();
    let left = (STANDING.1 - from.midpoint(to).length()) / (STANDING.1 - STANDING.0);
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

/// The rows of a vineyard near the property, in pieces: clear of ways, houses and whatever lies on it, and of the property.
fn rows(place: &Place, index: usize) -> Vec<(DVec2, DVec2)> {
    let area = &place.areas[index];
    let axis = axis(&place.terrain, area);
    let ground = Ground::of(place, index);
    let mut out = Vec::new();
    let rings: Vec<&[Point]> =
        std::iter::once(area.polygon.outer.as_slice()).chain(area.polygon.holes.iter().map(Vec::as_slice)).collect();
    let across = area.polygon.outer.iter().map(|&p| shape::vec(p).dot(axis.perp()));
    let (low, high) = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    for k in ((low - FIRST) / APART).ceil() as i64..=((high - FIRST) / APART).floor() as i64 {
        let y = FIRST + k as f64 * APART;
        if y.abs() > STANDING.1 {
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
                if middle.length() < STANDING.1 && [from, middle, to].iter().all(|p| ground.is_free(*p)) {
                    out.push((from, to));
                }
            }
        }
    }
    out
}

/// What a vineyard's rows must keep clear of, each with the lowest and the highest corner of what it takes.
struct Ground<'a> {
    property: &'a [Point],
    /// Middle lines, with how far from them it begins to be free.
    lines: Vec<([DVec2; 2], &'a [Point], f64)>,
    houses: Vec<([DVec2; 2], &'a [Point])>,
    above: Vec<([DVec2; 2], &'a Area)>,
}

/// How far from a house's walls it begins to be free, meters.
const ROUND_HOUSES: f64 = 2.5;

impl<'a> Ground<'a> {
    fn of(place: &'a Place, index: usize) -> Self {
        let [low, high] = bounds(&place.areas[index].polygon.outer, 0.0);
        // Farther from the property no row stands.
        let (low, high) = (low.max(DVec2::splat(-STANDING.1 - PIECE)), high.min(DVec2::splat(STANDING.1 + PIECE)));
        let matters = move |[least, greatest]: &[DVec2; 2]| least.cmple(high).all() && greatest.cmpge(low).all();
        let ways = place.ways.iter().filter(|w| !w.tunnel);
        let ways = ways.map(|w| (w.line.as_slice(), w.width * 0.5 + if w.pavement { 2.4 } else { 1.2 }));
        let lines = ways.chain(place.waterways.iter().map(|w| (w.line.as_slice(), w.width * 0.5 + 1.2)));
        let houses = place.buildings.iter().map(|b| b.footprint.outer.as_slice());
        let above = place.areas[index + 1..].iter();
        Self {
            property: &place.property.footprint.outer,
            lines: lines.map(|(l, clear)| (bounds(l, clear), l, clear)).filter(|l| matters(&l.0)).collect(),
            houses: houses.map(|o| (bounds(o, ROUND_HOUSES), o)).filter(|h| matters(&h.0)).collect(),
            above: above.map(|a| (bounds(&a.polygon.outer, 0.0), a)).filter(|a| matters(&a.0)).collect(),
        }
    }

    fn is_free(&self, at: DVec2) -> bool {
        let may_hold = |[low, high]: &[DVec2; 2]| at.cmpge(*low).all() && at.cmple(*high).all();
        let on_line = |(_, line, clear): &(_, &[Point], f64)| shape::distance_to_line(at, line) < *clear;
        let at_house =
            |(_, o): &(_, &[Point])| shape::inside_ring(at, o) || shape::distance_to_ring(at, o) < ROUND_HOUSES;
        shape::distance_to_ring(at, self.property) > OWN_PLOT
            && !self.lines.iter().filter(|l| may_hold(&l.0)).any(on_line)
            && !self.houses.iter().filter(|h| may_hold(&h.0)).any(at_house)
            && !self.above.iter().filter(|a| may_hold(&a.0)).any(|(_, a)| shape::inside(at, &a.polygon))
    }
}

/// The lowest and the highest corner of a line, and so much more on every side.
fn bounds(line: &[Point], more: f64) -> [DVec2; 2] {
    let (low, high) = line
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), &p| (l.min(shape::vec(p)), h.max(shape::vec(p))));
    [low - more, high + more]
}

/// A piece of a row: a dense inside, and leaves on its sides and its top.
fn row(cell: &mut Cell, piece: &Piece, thinner: f32, hue: Vec3) {
    let (from, to) = (piece.from, piece.to);
    let mut seed = Seed::from_name(&format!("{:.1} {:.1}", from.x, from.y));
    let side = (to - from).truncate().normalize_or(Vec2::X).perp();
    let (foot, low, high) = FOLIAGE;
    let (foot, top) = (foot * piece.grown, seed.between(low, high) * piece.grown);
    let hue = hue * seed.between(0.95, 1.05);
    let corner = |p: Vec3, half: f32, z: f32| p + (side * half).extend(z);
    // Without cards its faces are what is seen.
    let shade = if piece.cards > 0.0 { 0.78 } else { 1.0 };
    let inside = |normal: Vec3, open: f32| Leaf { normal, open, albedo: hue * shade, thin: 0.6 };
    for s in [-1.0, 1.0] {
        // Darker towards the foot, so that one row is told from the next behind it.
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
    let size = piece.size / thinner.max(0.1).sqrt();
    for _ in 0..(piece.cards * thinner) as usize {
        let (up, along) = (seed.unit(), seed.unit());
        let s = if seed.unit() < 0.5 { -1.0 } else { 1.0 };
        let half = HALF.0 + (HALF.1 - HALF.0) * up;
        let normal = (side * s).extend(0.3 + 0.9 * up * up).normalize();
        let shade = (0.55 + 0.45 * up) * seed.between(0.78, 1.18);
        let leaf = Leaf { normal, open: 0.30 + 0.65 * up, albedo: hue * shade, thin: 0.6 };
        let at = from.lerp(to, along) + (side * s * half * seed.between(0.7, 1.25)).extend(foot + (top - foot) * up);
        cell.card(at, normal, size * seed.between(0.8, 1.15), piece.corners, &mut seed, &leaf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_geodata::place::Polygon;

    fn vineyard(outer: Vec<Point>) -> Place {
        let mut place = crate::ground::tests::empty(None);
        let polygon = Polygon { outer, holes: vec![] };
        place.areas = vec![Area { id: "way/1".into(), kind: AreaKind::Vineyard, polygon }];
        place
    }

    fn block() -> Vec<Point> {
        vec![[60.0, -20.0], [160.0, -20.0], [160.0, 40.0], [60.0, 40.0]]
    }

    #[test]
    fn rows_lie_on_the_painted_strips_within_the_vineyard_and_off_what_crosses_it() {
        let mut place = vineyard(block());
        let axis = axis(&place.terrain, &place.areas[0]);
        let whole = rows(&place, 0);
        assert_eq!(whole.len(), 30 * 25);
        for (from, to) in &whole {
            assert!(shape::inside(*from, &place.areas[0].polygon) && shape::inside(*to, &place.areas[0].polygon));
            let strip = (from.dot(axis.perp()) - FIRST) / APART;
            assert!((strip - strip.round()).abs() < 1e-9 && (to.y - from.y).abs() < 1e-9);
        }
        place.ways = vec![crate::bridges::tests::way("way/2", vec![[110.0, -90.0], [110.0, 90.0]], false)];
        let parted = rows(&place, 0);
        assert!(parted.len() < whole.len() && parted.iter().all(|(from, to)| to.x < 107.0 || from.x > 113.0));
        // The property's own ground is left as it is.
        place.property.footprint.outer = vec![[70.0, 0.0], [80.0, 0.0], [80.0, 10.0], [70.0, 10.0]];
        assert!(rows(&place, 0).iter().all(|(from, to)| from.x > 100.0 || to.y.abs() > 20.0));
    }

    #[test]
    fn vines_climb_a_slope_and_run_along_the_longest_side_of_flat_ground() {
        let mut place = vineyard(block());
        assert!(axis(&place.terrain, &place.areas[0]).x.abs() > 0.99);
        // Rises to the north.
        let rise = |i: usize| if i < 2 { 0.0 } else { 900.0 };
        place.terrain = Terrain { heights: (0..4).map(rise).collect(), ..Terrain::flat(3000.0, 0.0) };
        assert!(axis(&place.terrain, &place.areas[0]).y.abs() > 0.99);
    }

    #[test]
    fn rows_get_lower_where_the_painted_strips_take_over() {
        let far = vineyard(vec![[300.0, -30.0], [500.0, -30.0], [500.0, 30.0], [300.0, 30.0]]);
        let flight = Flight::plan(&far, crate::Path::Original, crate::Take::default());
        let grown = |x: f64| piece(&far, &flight, DVec2::new(x, 0.0), DVec2::new(x + 4.0, 0.0)).grown;
        assert!(grown(310.0) == 1.0 && (0.3..0.7).contains(&grown(380.0)) && grown(430.0) == 0.0);
        assert!(rows(&far, 0).iter().all(|(from, to)| from.midpoint(*to).length() < STANDING.1));
    }
}
