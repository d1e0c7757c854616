//! Plots of neighboring houses where no parcels are drawn: a plausible share of the land round each house, with its own
//! lawn, and hedges or fences between some. Neutral filling: none within reach of the property, and nothing that has a price.

use aerie_geodata::place::{
    AreaKind, Barrier, BarrierKind, BuildingKind, Place, Point, Ring, Tree, TreeKind, Way, WayKind,
};
use glam::{DVec2, dvec2};

use crate::seed::Seed;
use crate::shape;

/// A plot reaches at most this far from its house's middle, meters.
const REACH: f64 = 23.0;
/// Nothing is put nearer to the property's footprint, meters.
pub(crate) const OWN_PLOT: f64 = 25.0;
/// Houses farther away than this have no plots: from there nobody sees them.
const FAR: f64 = 700.0;
/// Shorter pieces of hedge or fence look lost, meters.
const SHORTEST: f64 = 4.5;
/// Where the map has barriers of its own this near, meters, it is taken to have all of them.
const MAPPED: f64 = 45.0;

/// The land round one house.
pub(crate) struct Plot {
    pub(crate) ring: Ring,
    /// Lightness of its lawn against the usual.
    pub(crate) tone: f32,
    /// Share of dry grass in it, 0 to 1.
    pub(crate) dry: f32,
    pub(crate) axis: DVec2,
}

/// Plots, and what stands round them.
#[derive(Default)]
pub(crate) struct Plots {
    pub(crate) plots: Vec<Plot>,
    pub(crate) barriers: Vec<Barrier>,
    pub(crate) shrubs: Vec<Tree>,
}

/// What lies beyond an edge of a plot.
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
    /// Lays out the plots of a place, of houses that stand where `open` says.
    pub(crate) fn of(place: &Place, open: &dyn Fn(DVec2) -> bool) -> Self {
        let houses = houses(place);
        let own = &place.property.footprint.outer;
        let mut out = Self::default();
        for house in &houses {
            let building = &place.buildings[house.index];
            let domestic = matches!(building.kind, BuildingKind::House | BuildingKind::Terrace);
            if !domestic
                || house.middle.length() > FAR
                || !open(house.middle)
                || crate::buildings::is_property(place, house.index)
                || !is_settled(place, house.middle)
            {
                continue;
            }
            let cell = cell(place, house, &houses);
            let ring: Ring = cell.iter().map(|(p, _)| p.to_array()).collect();
            let clear = ring.len() >= 3 && shape::area(&ring) > 90.0;
            let in_it = building.footprint.outer.iter().all(|&p| shape::inside_ring(shape::vec(p), &ring));
            // A corner of the property's own land would be painted by guess.
            let apart = shape::distance_to_ring(house.middle, own) > OWN_PLOT
                && ring.iter().all(|&p| shape::distance_to_ring(shape::vec(p), own) > OWN_PLOT * 0.5);
            if !clear || !in_it || !apart {
                continue;
            }
            let mut seed = Seed::from_name(&building.id);
            seed.next();
            out.plots.push(Plot {
                tone: seed.between(0.86, 1.16),
                dry: seed.unit() * seed.unit(),
                axis: crate::wings::bounding_wing(&building.footprint, false).along,
                ring,
            });
            let mapped = place.barriers.iter().flat_map(|b| &b.line);
            if mapped.clone().any(|&p| shape::vec(p).distance(house.middle) < MAPPED) {
                continue;
            }
            for i in 0..cell.len() {
                let ((a, beyond), (b, _)) = (cell[i], cell[(i + 1) % cell.len()]);
                out.bound(place, house, (a, b), beyond);
            }
            out.shrubs(place, &cell, &mut seed);
        }
        out
    }

    /// A hedge, a fence or nothing along an edge.
    fn bound(&mut self, place: &Place, house: &House, (a, b): (DVec2, DVec2), beyond: Beyond) {
        let name = |index: usize| place.buildings[index].id.as_str();
        // Of two neighbors one decides, and puts up what there is.
        let mut seed = match beyond {
            Beyond::House(other) if name(other) < name(house.index) => return,
            Beyond::House(other) => Seed::from_name(&format!("{} {}", name(house.index), name(other))),
            Beyond::Street => Seed::from_name(&format!("{} street", name(house.index))),
            Beyond::Open => Seed::from_name(&format!("{} {:.0}", name(house.index), a.x + a.y)),
        };
        // A garden is bounded all round in one manner, with a gap here and there, or hardly at all.
        let mut manner = Seed::from_name(&format!("{} garden", name(house.index)));
        let (kind, tall, kept) = match manner.unit() {
            u if u < 0.38 => (BarrierKind::Hedge, manner.between(1.1, 1.9), 0.88),
            u if u < 0.62 => (BarrierKind::Fence, 1.0, 0.85),
            _ => (BarrierKind::Hedge, 1.4, if beyond == Beyond::Open { 0.0 } else { 0.14 }),
        };
        let height = match beyond {
            Beyond::Street => tall * 0.75,
            _ => tall,
        };
        if seed.unit() > kept {
            return;
        }
        // Along a street a gap for the way in.
        let gap = (beyond == Beyond::Street).then(|| f64::from(seed.between(0.3, 0.7)));
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
                // Straight pieces need their ends alone.
                let ends: Vec<Point> = [line.first(), line.last()].into_iter().flatten().copied().collect();
                if shape::length(&ends) > SHORTEST {
                    self.barriers.push(Barrier { kind, line: ends, height: f64::from(height) });
                }
            }
        }
    }

    /// A few shrubs near the rim of a plot.
    fn shrubs(&mut self, place: &Place, cell: &[(DVec2, Beyond)], seed: &mut Seed) {
        let count = (seed.unit() * 5.0) as usize;
        for _ in 0..count {
            let i = (seed.next() % cell.len() as u64) as usize;
            let (a, b) = (cell[i].0, cell[(i + 1) % cell.len()].0);
            let Some(inwards) = (b - a).perp().try_normalize() else { continue };
            let at = a.lerp(b, f64::from(seed.between(0.1, 0.9))) + inwards * f64::from(seed.between(1.2, 3.5));
            let height = f64::from(seed.between(0.8, 1.9));
            let crown = height * f64::from(seed.between(0.9, 1.1));
            let shrub = seed.next();
            if is_free(place, at) {
                let kind = TreeKind::Broadleaved;
                self.shrubs.push(Tree { at: at.to_array(), kind, height, crown, seed: shrub, mapped: false });
            }
        }
    }
}

/// Buildings that have land of their own.
fn houses(place: &Place) -> Vec<House> {
    let counts = |kind| !matches!(kind, BuildingKind::Garage | BuildingKind::Shed | BuildingKind::Canopy);
    let buildings = place.buildings.iter().enumerate();
    buildings
        .filter(|(_, b)| counts(b.kind) && b.base <= 0.0)
        .map(|(index, b)| {
            let ring = &b.footprint.outer;
            House { index, middle: shape::centroid(ring), radius: (shape::area(ring).abs() * 0.25).sqrt().max(2.0) }
        })
        .filter(|house| house.middle.length() < FAR + 80.0)
        .collect()
}

/// Whether houses there have gardens: on land that the map gives to living, or says nothing of.
fn is_settled(place: &Place, at: DVec2) -> bool {
    let top = place.areas.iter().rev().find(|a| shape::inside(at, &a.polygon)).map(|a| a.kind);
    matches!(top, None | Some(AreaKind::Residential | AreaKind::Grass | AreaKind::Meadow | AreaKind::Farmland))
}

/// Whether something may be put up: off ways, buildings, water, woods and car parks, and away from the property.
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
    shape::distance_to_ring(at, &place.property.footprint.outer) > OWN_PLOT
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

/// From the middle of a way to where gardens begin, meters.
fn half_width(way: &Way) -> f64 {
    way.width * 0.5
        + match way.kind {
            _ if way.pavement => 1.9,
            WayKind::Footpath | WayKind::Cycleway | WayKind::Service => 0.3,
            WayKind::Railway => 3.0,
            _ => 0.7,
        }
}

/// A house's share of the land: a square cut half way to each neighbor and at each way. Each corner comes with what lies
/// beyond the edge that starts there.
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
        // Half way between the walls rather than between the middles.
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

/// Keeps the part of a cell on the side of a line that `towards` points to.
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

/// The side of a building on which the nearest street passes: towards it from its middle.
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
            let d = b - a;
            let t = ((middle - a).dot(d) / d.length_squared().max(1e-9)).clamp(0.0, 1.0);
            let to = a + d * t - middle;
            if to.length() < 60.0 && best.is_none_or(|(least, _)| to.length() < least) {
                best = Some((to.length(), to));
            }
        }
    }
    best.map(|(_, to)| to.normalize_or(dvec2(0.0, -1.0)))
}
