//! Buildings: walls on the real footprint, roofs, chimneys.

use aerie_geodata::place::{Building, BuildingKind, Place, Point, Polygon, RoofShape};
use glam::DVec2;

use crate::doors::{door_score, front, has_door};
use crate::facade::{Facade, Strip};
use crate::grounds;
use crate::materials::Materials;
use crate::measured::{self, FaceColors};
use crate::mesh::{Builder, block};
use crate::property::is_property;
use crate::region::Region;
use crate::roofs::{Roof, WallTop};
use crate::shape;
use aerie_math::Rng;

/// Adds every building of a place; measured roofs get the colors of their faces from `colors`, where it has them.
pub(crate) fn add(place: &Place, colors: &FaceColors, out: &mut Builder) {
    add_where(place, colors, |_| true, out);
}

/// Adds the buildings that `included` selects by their index.
pub(crate) fn add_where(place: &Place, colors: &FaceColors, included: impl Fn(usize) -> bool, out: &mut Builder) {
    let region = Region::of(place.origin);
    let grounds = grounds::of(place);
    for (index, building) in place.buildings.iter().enumerate() {
        if building.replaced_by_parts || !included(index) {
            continue;
        }
        if building.measured.is_some() {
            measured::add(place, index, grounds[index], colors.get(&index), out);
        } else if building.ridge > building.base + 0.5 {
            let drawn = shrunk(place, index);
            add_one(place, drawn.as_ref().unwrap_or(building), is_property(place, index), region, out);
        }
    }
}

/// A building part inside or over another building, shrunk by some centimeters: mapped parts share walls and tops, and
/// coplanar faces would z-fight. `None` for other buildings.
fn shrunk(place: &Place, index: usize) -> Option<Building> {
    let part = &place.buildings[index];
    let middle = shape::centroid(&part.footprint.outer);
    let near = |o: &Building| shape::vec(o.footprint.outer[0]).distance_squared(middle) < 250.0 * 250.0;
    let mut others = place.buildings.iter().enumerate().filter(|(i, o)| *i != index && near(o));
    if part.base <= 0.0 && !others.any(|(_, o)| shape::inside(middle, &o.footprint)) {
        return None;
    }
    let by = 0.008 * (1 + index % 11) as f64;
    let outer = shape::inset(&part.footprint.outer, by).unwrap_or_else(|| part.footprint.outer.clone());
    let footprint = Polygon { outer, holes: part.footprint.holes.clone() };
    Some(Building { footprint, eaves: part.eaves - by, ridge: part.ridge - by, ..part.clone() })
}

fn add_one(place: &Place, building: &Building, is_property: bool, region: Region, out: &mut Builder) {
    let ring = &building.footprint.outer;
    let heights = || ring.iter().map(|&p| place.terrain.height(p));
    let high = heights().fold(f64::NEG_INFINITY, f64::max);
    let mean = heights().sum::<f64>() / ring.len() as f64;
    let along = grounds::along(&place.terrain, ring);
    let low = along.into_iter().fold(f64::INFINITY, f64::min);
    // On a slope the ground floor lies between the mean and the highest corner.
    let floor = (mean + high) * 0.5 + 0.05;
    let area = shape::area(ring).abs();
    let materials = Materials::of(building, area, is_property, region);
    let eaves = floor + building.eaves;
    let overhang = match building.kind {
        BuildingKind::Industrial | BuildingKind::Greenhouse | BuildingKind::Canopy => 0.15,
        BuildingKind::Garage | BuildingKind::Shed => 0.2,
        _ if building.base > 0.0 || area < 12.0 => 0.0,
        _ => 0.45,
    };
    let roof = Roof {
        footprint: &building.footprint,
        shape: building.roof,
        eaves,
        rise: building.ridge - building.eaves,
        overhang,
        direction: building.roof_direction,
        across: building.roof_across,
        materials: &materials,
        floor,
    };
    let top = roof.build(out);
    let bottom = if building.base > 0.0 { floor + building.base } else { low - 0.6 };
    if building.kind == BuildingKind::Canopy {
        posts(ring, low, eaves, out);
        return;
    }
    let is_grounded = building.base <= 0.0;
    let facade = Facade { materials: &materials, terrain: &place.terrain, floor, bottom, is_grounded };
    walls(ring, &facade, &top, building.kind, front(place, building, is_property), out);
    for hole in &building.footprint.holes {
        walls(hole, &facade, &top, building.kind, None, out);
    }
    if !is_property {
        match building.roof {
            RoofShape::Flat => crate::rooftops::add(building, eaves, out),
            _ => chimney(building, eaves, out),
        }
    }
}

/// Adds the walls on a ring, with a door in the one that faces the street `front` best.
fn walls(
    ring: &[Point],
    facade: &Facade<'_>,
    top: &WallTop,
    kind: BuildingKind,
    front: Option<DVec2>,
    out: &mut Builder,
) {
    let n = ring.len();
    let edge = |i: usize| (shape::vec(ring[i]), shape::vec(ring[(i + 1) % n]));
    let door_wall = has_door(kind).then(|| {
        let score = |i: usize| door_score(edge(i), front);
        (0..n).max_by(|&a, &b| score(a).total_cmp(&score(b)))
    });
    for i in 0..n {
        let (a, b) = edge(i);
        if a.distance(b) < 0.05 {
            continue;
        }
        let mut cuts = vec![0.0];
        cuts.extend(top.breaks(a, b));
        cuts.push(1.0);
        let strip = |pair: &[f64]| {
            let (from, to) = (a.lerp(b, pair[0]), a.lerp(b, pair[1]));
            Strip { from, to, tops: [top.at(from), top.at(to)] }
        };
        let strips: Vec<Strip> = cuts.windows(2).map(strip).collect();
        facade.wall(&strips, (door_wall.flatten() == Some(i), true), None, out);
    }
}

fn posts(ring: &[Point], low: f64, eaves: f64, out: &mut Builder) {
    let center = shape::centroid(ring);
    for &p in ring {
        let at = shape::vec(p).lerp(center, 0.06);
        block(at, DVec2::X, DVec2::splat(0.09), low, eaves, [120, 120, 118], out);
    }
}

fn chimney(building: &Building, eaves: f64, out: &mut Builder) {
    let mut rng = Rng::from_name(&building.id);
    let lived_in = matches!(building.kind, BuildingKind::House | BuildingKind::Terrace | BuildingKind::Apartments);
    // The ridge of a complex outline is not known here.
    let plain = building.footprint.outer.len() <= 6;
    if !lived_in || !plain || building.ridge - building.eaves < 1.2 || rng.unit_f32() > 0.72 {
        return;
    }
    let wing = crate::wings::bounding_wing(&building.footprint, building.roof_across);
    let at = wing.center
        + wing.along * wing.half_length * f64::from(rng.range_f32(-0.45, 0.45))
        + wing.along.perp() * wing.half_width * 0.16;
    if shape::inside(at, &building.footprint) {
        let rise = building.ridge - building.eaves;
        let srgb = rng.pick(&[[150, 92, 74], [170, 162, 150], [128, 120, 112]]);
        block(at, wing.along, DVec2::new(0.42, 0.32), eaves + rise * 0.4, eaves + rise + 0.75, srgb, out);
    }
}
