//! Invented plots of neighboring houses: a plausible share of the land around each house, with a lawn of its own, and hedges or
//! fences between some. Neutral filler; near the property, lawns alone.

use aerie_geodata::place::{
    AreaKind, Barrier, BarrierKind, BuildingKind, Place, Point, Ring, Tree, TreeKind, Way, WayKind,
};
use glam::{DVec2, dvec2};

use crate::property;
use crate::shape;
use aerie_math::Rng;

/// Maximum extent of a plot from the middle of its house, meters.
const REACH: f64 = 23.0;
/// Distance from the property beyond which houses have no plots, meters.
const MAX_DISTANCE: f64 = 700.0;
/// Minimum distance of a neighbor's lawn from the property's walls, meters.
const BESIDE: f64 = 2.0;
/// Minimum length of a hedge or fence, meters.
const MIN_BARRIER: f64 = 7.0;
/// Share of small trees among the shrubs of a plot.
const SMALL_TREES: f32 = 0.3;
/// Distance from a measured tree within which a survey shows what grows in gardens, meters.
const SURVEYED: f64 = 120.0;
/// Share of a plot's outline with neither street nor neighbor beyond it, from which no barrier is invented: it would stand there
/// as an open zigzag.
const OPEN: f64 = 0.3;
/// Where the map has a barrier within this distance of a house, no others are invented, meters.
const MAPPED_NEARBY: f64 = 45.0;

/// The land around one house.
pub(crate) struct Plot {
    pub(crate) ring: Ring,
    /// Lightness of its lawn relative to the default.
    pub(crate) tone: f32,
    /// Share of dry grass in it, 0 to 1.
    pub(crate) dry: f32,
    /// Direction of the house.
    pub(crate) axis: DVec2,
}

/// Plots, with the barriers and shrubs around them.
#[derive(Default)]
pub(crate) struct Plots {
    pub(crate) plots: Vec<Plot>,
    pub(crate) barriers: Vec<Barrier>,
    pub(crate) shrubs: Vec<Tree>,
}

/// What is beyond an edge of a plot.
#[derive(Clone, Copy, PartialEq)]
enum Beyond {
    Open,
    Street,
    House(usize),
}

struct House {
    index: usize,
    middle: DVec2,
    /// Half its width, meters.
    radius: f64,
}

impl Plots {
    /// Lays out the plots of a place, for houses where `open` holds.
    pub(crate) fn of(place: &Place, open: &dyn Fn(DVec2) -> bool) -> Self {
        let houses = houses(place);
        let own = &place.property.footprint.outer;
        let mut out = Self::default();
        for house in &houses {
            let building = &place.buildings[house.index];
            let domestic = matches!(building.kind, BuildingKind::House | BuildingKind::Terrace);
            if !domestic
                || house.middle.length() > MAX_DISTANCE
                || !open(house.middle)
                || property::is_property(place, house.index)
                || !is_settled(place, house.middle)
            {
                continue;
            }
            let cell = cell(place, house, &houses);
            let ring: Ring = cell.iter().map(|(p, _)| p.to_array()).collect();
            let clear = ring.len() >= 3 && shape::area(&ring) > 90.0;
            let contains_house = building.footprint.outer.iter().all(|&p| shape::inside_ring(shape::vec(p), &ring));
            // A plot must not cover a corner of the property's own land; beside it, gardens are lawns and nothing else.
            let away = |least: f64| ring.iter().all(|&p| shape::distance_to_ring(shape::vec(p), own) > least);
            let apart =
                shape::distance_to_ring(house.middle, own) > property::CLEARANCE && away(property::CLEARANCE * 0.5);
            if !clear || !contains_house || !away(BESIDE) {
                continue;
            }
            let mut rng = Rng::from_name(&building.id);
            rng.next_u64();
            out.plots.push(Plot {
                tone: rng.range_f32(0.94, 1.08),
                dry: 0.5 * rng.unit_f32() * rng.unit_f32(),
                axis: crate::wings::bounding_wing(&building.footprint, false).along,
                ring,
            });
            if !apart {
                continue;
            }
            let mapped = place.barriers.iter().flat_map(|b| &b.line);
            if mapped.clone().any(|&p| shape::vec(p).distance(house.middle) < MAPPED_NEARBY) {
                continue;
            }
            if open_share(&cell) < OPEN {
                for i in 0..cell.len() {
                    let ((a, beyond), (b, _)) = (cell[i], cell[(i + 1) % cell.len()]);
                    out.bound(place, house, (a, b), beyond);
                }
            }
            out.shrubs(place, &cell, &mut rng);
        }
        out
    }

    /// Adds a hedge, a fence or nothing along an edge.
    fn bound(&mut self, place: &Place, house: &House, (a, b): (DVec2, DVec2), beyond: Beyond) {
        let name = |index: usize| place.buildings[index].id.as_str();
        // The house whose id sorts first decides for both neighbors.
        let mut rng = match beyond {
            Beyond::House(other) if name(other) < name(house.index) => return,
            Beyond::House(other) => Rng::from_name(&format!("{} {}", name(house.index), name(other))),
            Beyond::Street => Rng::from_name(&format!("{} street", name(house.index))),
            Beyond::Open => Rng::from_name(&format!("{} {:.0}", name(house.index), a.x + a.y)),
        };
        // A garden is enclosed in one style, with a few gaps, or not at all.
        let mut style = Rng::from_name(&format!("{} garden", name(house.index)));
        let (kind, tall, kept) = match style.unit_f32() {
            u if u < 0.38 => (BarrierKind::Hedge, style.range_f32(1.1, 1.9), 0.88),
            u if u < 0.62 => (BarrierKind::Fence, 1.0, 0.85),
            _ => return,
        };
        let height = match beyond {
            Beyond::Street => tall * 0.75,
            _ => tall,
        };
        if rng.unit_f32() > kept {
            return;
        }
        // Leave a gap toward the street for the entrance.
        let gap = (beyond == Beyond::Street).then(|| f64::from(rng.range_f32(0.3, 0.7)));
        let length = a.distance(b);
        let steps = (length / 2.0).ceil().max(1.0) as usize;
        let free = |t: f64| {
            let p = a.lerp(b, t);
            gap.is_none_or(|g| ((t - g) * length).abs() > 2.2) && is_free(place, p)
        };
        let mut line: Vec<Point> = Vec::new();
        for i in 0..=steps {
            let t = i as f64 / steps as f64;
            if free(t) {
                line.push(a.lerp(b, t).to_array());
            }
            if (i == steps || !free(t)) && !line.is_empty() {
                let line = std::mem::take(&mut line);
                // A straight piece needs only its ends.
                let ends: Vec<Point> = [line.first(), line.last()].into_iter().flatten().copied().collect();
                if shape::length(&ends) > MIN_BARRIER {
                    self.barriers.push(Barrier { kind, line: ends, height: f64::from(height) });
                }
            }
        }
    }

    /// Adds a few shrubs and small trees near the edge of a plot; none where a survey shows what grows.
    fn shrubs(&mut self, place: &Place, cell: &[(DVec2, Beyond)], rng: &mut Rng) {
        let first = cell[0].0;
        if place.trees.iter().any(|tree| tree.measured && shape::vec(tree.at).distance(first) < SURVEYED) {
            return;
        }
        let count = 2 + (rng.unit_f32() * 6.0) as usize;
        for _ in 0..count {
            let i = (rng.next_u64() % cell.len() as u64) as usize;
            let (a, b) = (cell[i].0, cell[(i + 1) % cell.len()].0);
            let Some(inwards) = (b - a).perp().try_normalize() else { continue };
            let at = a.lerp(b, f64::from(rng.range_f32(0.1, 0.9))) + inwards * f64::from(rng.range_f32(1.2, 3.5));
            let is_tree = rng.unit_f32() < SMALL_TREES;
            let height = f64::from(if is_tree { rng.range_f32(3.2, 5.6) } else { rng.range_f32(0.8, 1.9) });
            let crown = height * f64::from(rng.range_f32(0.9, 1.1)) * if is_tree { 0.7 } else { 1.0 };
            let shrub = rng.next_u64();
            if is_free(place, at) {
                let kind = TreeKind::Broadleaved;
                self.shrubs.push(Tree {
                    at: at.to_array(),
                    kind,
                    height,
                    crown,
                    seed: shrub,
                    mapped: false,
                    measured: false,
                });
            }
        }
    }
}

/// Share of a plot's outline with neither street nor neighbor beyond it.
fn open_share(cell: &[(DVec2, Beyond)]) -> f64 {
    let length = |i: usize| cell[i].0.distance(cell[(i + 1) % cell.len()].0);
    let open: f64 = (0..cell.len()).filter(|&i| cell[i].1 == Beyond::Open).map(length).sum();
    open / (0..cell.len()).map(length).sum::<f64>().max(1e-9)
}

/// Buildings with land of their own.
fn houses(place: &Place) -> Vec<House> {
    let counts = |kind| !matches!(kind, BuildingKind::Garage | BuildingKind::Shed | BuildingKind::Canopy);
    let buildings = place.buildings.iter().enumerate();
    buildings
        .filter(|(_, b)| counts(b.kind) && b.base <= 0.0)
        .map(|(index, b)| {
            let ring = &b.footprint.outer;
            House { index, middle: shape::centroid(ring), radius: radius(ring) }
        })
        .filter(|house| house.middle.length() < MAX_DISTANCE + 80.0)
        .collect()
}

/// A building's share of the land, as a ring.
pub(crate) fn cell_of(place: &Place, index: usize) -> Ring {
    let ring = &place.buildings[index].footprint.outer;
    let house = House { index, middle: shape::centroid(ring), radius: radius(ring) };
    cell(place, &house, &houses(place)).iter().map(|(p, _)| p.to_array()).collect()
}

/// Half the width of a square with the area of a ring, meters.
fn radius(ring: &[Point]) -> f64 {
    (shape::area(ring).abs() * 0.25).sqrt().max(2.0)
}

/// Whether houses there have gardens: on residential or open land, or where no land cover is mapped.
pub(crate) fn is_settled(place: &Place, at: DVec2) -> bool {
    let top = place.areas.iter().rev().find(|a| shape::inside(at, &a.polygon)).map(|a| a.kind);
    matches!(top, None | Some(AreaKind::Residential | AreaKind::Grass | AreaKind::Meadow | AreaKind::Farmland))
}

/// Whether a barrier or shrub may stand there: clear of ways, buildings, water, woods and parking lots, and away from the
/// property.
fn is_free(place: &Place, at: DVec2) -> bool {
    use AreaKind as K;
    let kept = |kind| {
        matches!(
            kind,
            K::Water
                | K::Pool
                | K::Forest
                | K::Parking
                | K::Paved
                | K::Railway
                | K::Pitch
                | K::Playground
                | K::Cemetery
        )
    };
    let near = |p: Point, reach: f64| shape::vec(p).distance_squared(at) < reach * reach;
    shape::distance_to_ring(at, &place.property.footprint.outer) > property::CLEARANCE
        && !place
            .ways
            .iter()
            .filter(|w| !w.tunnel)
            .any(|way| shape::distance_to_line(at, &way.line) < half_width(way) + 0.35)
        && !place.buildings.iter().any(|b| {
            let ring = &b.footprint.outer;
            near(ring[0], 120.0) && (shape::inside_ring(at, ring) || shape::distance_to_ring(at, ring) < 0.6)
        })
        && !place.areas.iter().any(|a| kept(a.kind) && shape::inside(at, &a.polygon))
        && !place.waterways.iter().any(|w| shape::distance_to_line(at, &w.line) < w.width)
}

/// Distance from the center line of a way to the gardens beside it, meters.
fn half_width(way: &Way) -> f64 {
    way.width * 0.5
        + match way.kind {
            _ if way.sidewalk => 1.9,
            WayKind::Footpath | WayKind::Cycleway | WayKind::Service => 0.3,
            WayKind::Railway => 3.0,
            _ => 0.7,
        }
}

/// A house's share of the land: a square clipped midway to each neighbor and at each way. Each corner comes with what is beyond
/// the edge that starts there.
fn cell(place: &Place, house: &House, houses: &[House]) -> Vec<(DVec2, Beyond)> {
    let along = crate::wings::bounding_wing(&place.buildings[house.index].footprint, false).along;
    let reach = REACH.max(house.radius + 9.0);
    let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let mut cell: Vec<(DVec2, Beyond)> =
        square.iter().map(|(x, y)| (house.middle + (along * *x + along.perp() * *y) * reach, Beyond::Open)).collect();
    for other in houses.iter().filter(|o| o.index != house.index) {
        let to = other.middle - house.middle;
        let apart = to.length();
        if apart < 1.0 || apart > 2.0 * reach + other.radius {
            continue;
        }
        // Midway between the walls, not between the centers.
        let share = (0.5 + 0.5 * (house.radius - other.radius) / apart).clamp(0.25, 0.75);
        cut(&mut cell, house.middle + to * share, -to / apart, Beyond::House(other.index));
    }
    for way in place.ways.iter().filter(|w| !w.tunnel) {
        for pair in way.line.windows(2) {
            let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
            let Some(d) = (b - a).try_normalize() else { continue };
            let on = a + d * (house.middle - a).dot(d).clamp(0.0, a.distance(b));
            let away = house.middle - on;
            let distance = away.length();
            if distance < 1.0 || distance > reach * 1.45 {
                continue;
            }
            let side = away / distance;
            cut(&mut cell, on + side * half_width(way), side, Beyond::Street);
        }
    }
    cell
}

/// Clips a cell to the half-plane through `on` that `towards` points into.
fn cut(cell: &mut Vec<(DVec2, Beyond)>, on: DVec2, towards: DVec2, beyond: Beyond) {
    let n = cell.len();
    let mut out = Vec::with_capacity(n + 1);
    for i in 0..n {
        let ((a, edge), (b, _)) = (cell[i], cell[(i + 1) % n]);
        let (sa, sb) = ((a - on).dot(towards), (b - on).dot(towards));
        if sa >= 0.0 {
            out.push((a, edge));
            if sb < 0.0 {
                out.push((a.lerp(b, sa / (sa - sb)), beyond));
            }
        } else if sb >= 0.0 {
            out.push((a.lerp(b, sa / (sa - sb)), edge));
        }
    }
    out.dedup_by(|a, b| a.0.distance(b.0) < 0.05);
    *cell = out;
}

/// Unit vector from a building's middle toward the nearest street.
pub(crate) fn street_side(place: &Place, middle: DVec2) -> Option<DVec2> {
    let mut best: Option<(f64, DVec2)> = None;
    for way in &place.ways {
        let counts = !way.tunnel
            && matches!(
                way.kind,
                WayKind::Major | WayKind::Minor | WayKind::Residential | WayKind::Service | WayKind::Pedestrian
            );
        if !counts || shape::vec(way.line[0]).distance(middle) > 2000.0 {
            continue;
        }
        for pair in way.line.windows(2) {
            let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
            let to = shape::project(middle, a, b) - middle;
            if to.length() < 60.0 && best.is_none_or(|(least, _)| to.length() < least) {
                best = Some((to.length(), to));
            }
        }
    }
    best.map(|(_, to)| to.normalize_or(dvec2(0.0, -1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{building, empty_place};

    #[test]
    fn a_house_beside_the_property_has_a_lawn_and_no_hedges() {
        let mut place = empty_place(None);
        let house = |x: f64| vec![[x - 5.0, -4.0], [x + 5.0, -4.0], [x + 5.0, 4.0], [x - 5.0, 4.0]];
        place.buildings = [0.0, 22.0].map(|x| building(&format!("way/{x}"), BuildingKind::House, house(x))).to_vec();
        (place.property.building, place.property.footprint.outer) = (Some(0), house(0.0));
        let plots = Plots::of(&place, &|_| true);
        assert_eq!((plots.plots.len(), plots.barriers.len(), plots.shrubs.len()), (1, 0, 0));
        assert!(plots.plots[0].ring.iter().all(|p| p[0] > 10.0), "{:?}", plots.plots[0].ring);
    }
}
