//! The ground's painting: land cover, plots, roads with their markings, water, in the order in which they lie.

use aerie_geodata::place::{Area, AreaKind, Place, Point, Polygon, Terrain};
use aerie_render::scene::{Cover, PaintVertex};
use glam::DVec2;
use std::collections::BTreeMap;

use crate::drives::{self, Drive};
use crate::fields::{self, row_axis};
use crate::plots::Plot;
use crate::roads;
use crate::seed::Seed;
use crate::shape;
use crate::vines;

/// Linear albedo.
pub(crate) type Albedo = [f32; 3];

pub(crate) const PAVEMENT: Albedo = [0.235, 0.225, 0.21];
pub(crate) const CONCRETE: Albedo = [0.26, 0.25, 0.235];
pub(crate) const GRAVEL: Albedo = [0.245, 0.222, 0.185];
pub(crate) const EARTH: Albedo = [0.165, 0.125, 0.085];
const LAWN: Albedo = [0.080, 0.103, 0.039];
pub(crate) const MEADOW: Albedo = [0.090, 0.112, 0.043];
const UNKNOWN: Albedo = [0.215, 0.212, 0.196];
const WOODLAND: Albedo = [0.044, 0.058, 0.024];

/// Streams narrower than this mirror no sky, meters.
const MIRROR: f64 = 4.0;

/// Collects triangles.
#[derive(Default)]
pub(crate) struct Painter {
    out: Vec<PaintVertex>,
}

impl Painter {
    fn triangle(&mut self, corners: [(Point, [f32; 2]); 3], albedo: Albedo, cover: Cover) {
        let turned = (shape::vec(corners[1].0) - shape::vec(corners[0].0))
            .perp_dot(shape::vec(corners[2].0) - shape::vec(corners[0].0))
            < 0.0;
        let order = if turned { [0, 2, 1] } else { [0, 1, 2] };
        for i in order {
            let (p, local) = corners[i];
            self.out.push(PaintVertex {
                position: [p[0] as f32, p[1] as f32],
                color: [albedo[0], albedo[1], albedo[2], 1.0],
                grain: [f32::from(cover as u8), 0.0],
                local,
            });
        }
    }

    /// Everything painted so far, three vertices a triangle.
    #[cfg(test)]
    pub(crate) fn out(&self) -> &[PaintVertex] {
        &self.out
    }

    /// A polygon whose pattern runs along `axis`.
    pub(crate) fn polygon(&mut self, polygon: &Polygon, albedo: Albedo, cover: Cover, axis: DVec2) {
        let local = |p: Point| [shape::vec(p).dot(axis) as f32, shape::vec(p).dot(axis.perp()) as f32];
        for t in shape::triangles(polygon) {
            self.triangle(t.map(|p| (p, local(p))), albedo, cover);
        }
    }

    /// A convex ring whose pattern runs along `axis`.
    pub(crate) fn convex(&mut self, ring: &[Point], albedo: Albedo, cover: Cover, axis: DVec2) {
        let local = |p: Point| (p, [shape::vec(p).dot(axis) as f32, shape::vec(p).dot(axis.perp()) as f32]);
        for i in 1..ring.len().saturating_sub(1) {
            self.triangle([ring[0], ring[i], ring[i + 1]].map(local), albedo, cover);
        }
    }

    pub(crate) fn ribbon(&mut self, line: &[Point], width: f64, albedo: Albedo, cover: Cover) {
        for t in shape::ribbon(line, width) {
            self.triangle(t.map(|(p, along, across)| (p, [along as f32, across as f32])), albedo, cover);
        }
    }
}

/// Everything painted on the ground of a place.
pub(crate) fn paint(place: &Place, plots: &[Plot]) -> Vec<PaintVertex> {
    let mut painter = Painter::default();
    let far = 40_000.0;
    let rim = [[-far, -far], [far, -far], [far, far], [-far, far]];
    let all = Polygon { outer: rim.to_vec(), holes: vec![] };
    match place.covered {
        None => painter.polygon(&all, MEADOW, Cover::Meadow, DVec2::X),
        Some([low, high]) => {
            // Beyond the map nothing is known: bare ground, rather than fields that nobody has seen.
            painter.polygon(&all, UNKNOWN, Cover::Hard, DVec2::X);
            let map = Polygon { outer: vec![low, [high[0], low[1]], high, [low[0], high[1]]], holes: vec![] };
            painter.polygon(&map, MEADOW, Cover::Meadow, DVec2::X);
        }
    }
    fields::unmapped(place, &mut painter);
    for area in &place.areas {
        paint_area(&place.terrain, area, &mut painter);
    }
    for plot in plots {
        let albedo = [LAWN[0] * (1.0 + 0.35 * plot.dry), LAWN[1] * (1.0 + 0.12 * plot.dry), LAWN[2]];
        let polygon = Polygon { outer: plot.ring.clone(), holes: vec![] };
        painter.polygon(&polygon, albedo.map(|v| v * plot.tone), Cover::Lawn, plot.axis);
    }
    town(place, &mut painter);
    let drives = drives::of(place);
    gardens(place, &drives, &mut painter);
    let lakes: Vec<&Polygon> = place.areas.iter().filter(|a| a.kind == AreaKind::Water).map(|a| &a.polygon).collect();
    for water in &place.waterways {
        // Where the banks are mapped the course is a line in the middle of the water, with no banks of its own.
        let middle = shape::vec(water.line[water.line.len() / 2]);
        if lakes.iter().any(|lake| shape::inside(middle, lake)) {
            continue;
        }
        painter.ribbon(&water.line, water.width + 1.6, [0.07, 0.085, 0.035], Cover::Woodland);
        if water.width < MIRROR {
            // Between its banks a brook is dark; a mirror as narrow would look like a cable.
            painter.ribbon(&water.line, water.width * 0.8, [0.034, 0.044, 0.030], Cover::Woodland);
        } else {
            painter.ribbon(&water.line, water.width, [0.030, 0.046, 0.044], Cover::Water);
        }
    }
    roads::paint(place, &drives, &mut painter);
    painter.out
}

fn paint_area(terrain: &Terrain, area: &Area, painter: &mut Painter) {
    let mut seed = Seed::from_name(&area.id);
    let tone = seed.between(0.92, 1.08);
    let (albedo, cover) = match area.kind {
        AreaKind::Residential | AreaKind::Grass | AreaKind::Park | AreaKind::Allotments => (LAWN, Cover::Lawn),
        AreaKind::Cemetery => ([0.105, 0.122, 0.062], Cover::Lawn),
        AreaKind::Commercial | AreaKind::Industrial => ([0.19, 0.185, 0.17], Cover::Hard),
        AreaKind::Parking => ([0.125, 0.123, 0.122], Cover::Hard),
        AreaKind::Paved => (PAVEMENT, Cover::Hard),
        AreaKind::Farmyard | AreaKind::Construction => ([0.20, 0.175, 0.135], Cover::Loose),
        AreaKind::Farmland | AreaKind::Meadow => return fields::add(area, tone, painter),
        AreaKind::Forest => (WOODLAND, Cover::Woodland),
        AreaKind::Scrub => ([0.062, 0.078, 0.032], Cover::Woodland),
        AreaKind::Orchard => (MEADOW, Cover::Meadow),
        AreaKind::Vineyard => return vines::paint(terrain, area, tone, painter),
        AreaKind::Pitch => ([0.075, 0.115, 0.036], Cover::Pitch),
        AreaKind::Playground => ([0.30, 0.26, 0.18], Cover::Loose),
        AreaKind::Water => ([0.028, 0.046, 0.048], Cover::Water),
        AreaKind::Pool => ([0.10, 0.36, 0.42], Cover::Water),
        AreaKind::Wetland => ([0.085, 0.095, 0.040], Cover::Meadow),
        AreaKind::Rock | AreaKind::Glacier => ([0.25, 0.245, 0.235], Cover::Loose),
        AreaKind::Sand => ([0.40, 0.345, 0.25], Cover::Loose),
        AreaKind::Railway => ([0.175, 0.16, 0.14], Cover::Loose),
    };
    if area.kind == AreaKind::Pool
        && let Some(rim) = shape::inset(&area.polygon.outer, -0.7)
    {
        painter.polygon(&Polygon { outer: rim, holes: vec![] }, CONCRETE, Cover::Hard, DVec2::X);
    }
    painter.polygon(&area.polygon, albedo.map(|v| v * tone), cover, row_axis(&area.polygon));
    if area.kind == AreaKind::Forest {
        fringe(&area.polygon, albedo.map(|v| v * tone * 1.12), &mut seed, painter);
    }
}

/// How far from the property the rim of a wood is drawn uneven, meters.
const FRINGED: f64 = 620.0;

/// The uneven rim of a wood: bushes and fallen leaves reach out by fits and starts.
fn fringe(wood: &Polygon, albedo: Albedo, seed: &mut Seed, painter: &mut Painter) {
    let ring = &wood.outer;
    for i in 0..ring.len() {
        let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
        let steps = (a.distance(b) / 2.6).ceil() as usize;
        for step in 0..steps {
            let at = a.lerp(b, (step as f64 + f64::from(seed.unit())) / steps as f64);
            if at.length() > FRINGED {
                continue;
            }
            let radius = 0.5 + 2.3 * f64::from(seed.unit() * seed.unit());
            let turn = f64::from(seed.unit());
            let corner = |k: usize| {
                let angle = turn + k as f64 * std::f64::consts::TAU / 7.0;
                (at + DVec2::from_angle(angle) * radius * if k.is_multiple_of(2) { 1.0 } else { 0.72 }).to_array()
            };
            let patch = Polygon { outer: (0..7).map(corner).collect(), holes: vec![] };
            painter.polygon(&patch, albedo, Cover::Woodland, DVec2::X);
        }
    }
}

/// Between the blocks of a town the ground is paved where the map says nothing else.
fn town(place: &Place, painter: &mut Painter) {
    const CELL: f64 = 90.0;
    let mut built: BTreeMap<(i64, i64), f64> = BTreeMap::new();
    let cell = |p: DVec2| ((p.x / CELL).floor() as i64, (p.y / CELL).floor() as i64);
    for building in &place.buildings {
        *built.entry(cell(shape::centroid(&building.footprint.outer))).or_default() +=
            shape::area(&building.footprint.outer).abs();
    }
    for building in &place.buildings {
        let (i, j) = cell(shape::centroid(&building.footprint.outer));
        let round: f64 =
            (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))).filter_map(|(x, y)| built.get(&(i + x, j + y))).sum();
        if round > 0.26 * 9.0 * CELL * CELL {
            let paving = [0.185, 0.178, 0.168];
            // One wide shape costs less to paint than a ribbon with its joints.
            if let Some(around) = shape::inset(&building.footprint.outer, -13.0) {
                painter.polygon(&Polygon { outer: around, holes: vec![] }, paving, Cover::Hard, DVec2::X);
                continue;
            }
            let mut outline = building.footprint.outer.clone();
            outline.extend(building.footprint.outer.first());
            painter.ribbon(&outline, 26.0, paving, Cover::Hard);
        }
    }
    for area in place
        .areas
        .iter()
        .filter(|a| matches!(a.kind, AreaKind::Grass | AreaKind::Park | AreaKind::Water | AreaKind::Pitch))
    {
        paint_area(&place.terrain, area, painter);
    }
}

/// What lies round houses: a strip of gravel along the walls, and on neighboring plots a path or drive to the street.
fn gardens(place: &Place, drives: &[Drive], painter: &mut Painter) {
    for drive in drives {
        painter.ribbon(&[drive.wall.to_array(), drive.street.to_array()], drive.width, drive.albedo, Cover::Hard);
    }
    for (index, building) in place.buildings.iter().enumerate() {
        let ring = &building.footprint.outer;
        // The property's own plot is left as the map has it.
        if building.base > 0.0 || crate::buildings::is_property(place, index) {
            continue;
        }
        let domestic = drives::is_domestic(building);
        let width = if domestic { 0.55 } else { 1.1 };
        if let Some(strip) = shape::inset(ring, -width) {
            painter.polygon(&Polygon { outer: strip, holes: vec![] }, [0.20, 0.185, 0.16], Cover::Loose, DVec2::X);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use aerie_geodata::place::{GeoPoint, Property};

    use super::*;

    /// Red of what lies uppermost at a point.
    pub(crate) fn tone_at(painted: &[PaintVertex], p: DVec2) -> Option<f32> {
        let holds = |t: &&[PaintVertex]| {
            let ring: Vec<_> = t.iter().map(|v| v.position.map(f64::from)).collect();
            shape::inside_ring(p, &ring)
        };
        painted.chunks_exact(3).rfind(holds).map(|t| t[0].color[0])
    }

    pub(crate) fn empty(covered: Option<[Point; 2]>) -> Place {
        Place {
            origin: GeoPoint { lat: 47.0, lon: 9.0 },
            address: String::new(),
            property: Property {
                building: None,
                point: [0.0; 2],
                footprint: Polygon { outer: vec![[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]], holes: vec![] },
                parcel: None,
                front_bearing: 0.0,
                front_known: false,
                street: None,
            },
            terrain: Terrain::flat(3000.0, 0.0),
            buildings: vec![],
            ways: vec![],
            areas: vec![],
            waterways: vec![],
            trees: vec![],
            barriers: vec![],
            crossings: vec![],
            covered,
            radius: 1200.0,
            attributions: vec![],
            missed: Vec::new(),
        }
    }

    #[test]
    fn no_meadow_is_painted_where_the_map_ends() {
        let meadow = |place: &Place| -> f32 {
            let is_meadow = |v: &&PaintVertex| v.grain[0] == f32::from(Cover::Meadow as u8);
            paint(place, &[])
                .iter()
                .filter(is_meadow)
                .map(|v| v.position[0].abs().max(v.position[1].abs()))
                .fold(0.0, f32::max)
        };
        assert!(meadow(&empty(None)) > 3000.0);
        assert!((meadow(&empty(Some([[-90.0, -200.0], [300.0, 250.0]]))) - 300.0).abs() < 1e-3);
    }
}
