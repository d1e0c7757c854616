//! Paints the ground, bottom to top: land cover, plots, water, roads with their markings.

use aerie_geodata::place::{Area, AreaKind, Building, Place, Polygon, Terrain};
use aerie_render::scene::{Cover, PaintVertex};
use glam::DVec2;
use std::collections::BTreeMap;

use crate::albedo::{Albedo, CONCRETE, MEADOW, PAVING};
use crate::driveways::{self, Driveway};
use crate::fields::{self, row_axis};
use crate::painter::Painter;
use crate::plots::Plot;
use crate::property_plot;
use crate::roads;
use crate::shape;
use crate::vines;
use aerie_math::Rng;

const LAWN: Albedo = [0.080, 0.103, 0.039];
/// Land beyond the map: no color of any land, so that nothing is claimed, and near enough to grass that the eye passes over it.
const UNKNOWN: Albedo = [0.146, 0.150, 0.108];
/// The same beyond a town, which is not likely to end there in meadows; and the share of the map under buildings that makes a town.
const UNKNOWN_TOWN: Albedo = [0.178, 0.175, 0.150];
const TOWN: f64 = 0.12;
/// Distance over which the ground of the map passes into it, meters, and number of steps.
const PASSES: f64 = 700.0;
const PASSING: usize = 14;
const WOODLAND: Albedo = [0.044, 0.058, 0.024];

/// Minimum width of a stream that reflects the sky, meters.
const REFLECTIVE: f64 = 4.0;

/// Paints the ground of a place: three vertices per triangle, in painting order; with a path to the property's front where
/// `front_path` is set.
pub(crate) fn paint(place: &Place, plots: &[Plot], front_path: bool) -> Vec<PaintVertex> {
    let mut painter = Painter::default();
    let far = 40_000.0;
    let rim = [[-far, -far], [far, -far], [far, far], [-far, far]];
    let all = Polygon { outer: rim.to_vec(), holes: vec![] };
    match place.covered {
        None => painter.polygon(&all, MEADOW, Cover::Meadow, DVec2::X),
        Some([low, high]) => {
            // Beyond the map: bare ground rather than invented fields.
            let is_town = built(place, [low, high]) > TOWN;
            let unknown = if is_town { UNKNOWN_TOWN } else { UNKNOWN };
            painter.polygon(&all, unknown, Cover::Hard, DVec2::X);
            for step in if is_town { PASSING } else { 0 }..=PASSING {
                let share = step as f64 / PASSING as f64;
                let by = PASSES * (1.0 - share);
                let ([left, bottom], [right, top]) = ([low[0] - by, low[1] - by], [high[0] + by, high[1] + by]);
                let ring = vec![[left, bottom], [right, bottom], [right, top], [left, top]];
                let share = (share * share * (3.0 - 2.0 * share)) as f32;
                let albedo = [0, 1, 2].map(|c| unknown[c] + (MEADOW[c] - unknown[c]) * share);
                let cover = if step == PASSING { Cover::Meadow } else { Cover::Hard };
                painter.polygon(&Polygon { outer: ring, holes: vec![] }, albedo, cover, DVec2::X);
            }
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
    pave_town(place, &mut painter);
    let mut driveways = driveways::of(place);
    driveways.extend(property_plot::front_path(place).filter(|_| front_path));
    gardens(place, &driveways, &mut painter);
    let lakes: Vec<&Polygon> = place.areas.iter().filter(|a| a.kind == AreaKind::Water).map(|a| &a.polygon).collect();
    for water in &place.waterways {
        // Where the water surface is mapped as an area, the line needs no banks.
        let middle = shape::vec(water.line[water.line.len() / 2]);
        if lakes.iter().any(|lake| shape::inside(middle, lake)) {
            continue;
        }
        let line = shape::curved(&water.line);
        if water.width < REFLECTIVE {
            // A narrow brook runs hidden in taller grass; dark or reflecting, it would look like a cable.
            painter.ribbon(&line, water.width + 2.2, [0.075, 0.095, 0.038], Cover::Meadow);
            painter.ribbon(&line, water.width * 0.7, [0.058, 0.074, 0.033], Cover::Meadow);
        } else {
            painter.ribbon(&line, water.width + 1.6, [0.07, 0.085, 0.035], Cover::Woodland);
            painter.ribbon(&line, water.width, [0.030, 0.046, 0.044], Cover::Water);
        }
    }
    roads::paint(place, &driveways, &mut painter);
    painter.finish()
}

/// Share of the known land around the property that buildings cover.
fn built(place: &Place, [low, high]: [[f64; 2]; 2]) -> f64 {
    let side = |axis: usize| (high[axis].min(place.radius) - low[axis].max(-place.radius)).max(1.0);
    let area = |building: &Building| shape::area(&building.footprint.outer);
    place.buildings.iter().map(|building| area(building).abs()).sum::<f64>() / (side(0) * side(1))
}

fn paint_area(terrain: &Terrain, area: &Area, painter: &mut Painter) {
    let mut rng = Rng::from_name(&area.id);
    let tone = rng.range_f32(0.92, 1.08);
    let (albedo, cover) = match area.kind {
        AreaKind::Residential | AreaKind::Grass | AreaKind::Park | AreaKind::Allotments => (LAWN, Cover::Lawn),
        AreaKind::Cemetery => ([0.105, 0.122, 0.062], Cover::Lawn),
        AreaKind::Commercial | AreaKind::Industrial => ([0.19, 0.185, 0.17], Cover::Hard),
        AreaKind::Parking => ([0.125, 0.123, 0.122], Cover::Hard),
        AreaKind::Paved => (PAVING, Cover::Hard),
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
        fringe(&area.polygon, albedo.map(|v| v * tone * 1.12), &mut rng, painter);
    }
}

/// Distance from the property up to which woods have ragged edges, meters.
const FRINGE_REACH: f64 = 620.0;

/// Paints the ragged edge of a wood: bushes and leaf litter.
fn fringe(wood: &Polygon, albedo: Albedo, rng: &mut Rng, painter: &mut Painter) {
    let ring = &wood.outer;
    for i in 0..ring.len() {
        let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
        let steps = (a.distance(b) / 2.6).ceil() as usize;
        for step in 0..steps {
            let at = a.lerp(b, (step as f64 + f64::from(rng.unit_f32())) / steps as f64);
            if at.length() > FRINGE_REACH {
                continue;
            }
            let radius = 0.5 + 2.3 * f64::from(rng.unit_f32() * rng.unit_f32());
            let turn = f64::from(rng.unit_f32());
            let corner = |k: usize| {
                let angle = turn + k as f64 * std::f64::consts::TAU / 7.0;
                (at + DVec2::from_angle(angle) * radius * if k.is_multiple_of(2) { 1.0 } else { 0.72 }).to_array()
            };
            let patch = Polygon { outer: (0..7).map(corner).collect(), holes: vec![] };
            painter.polygon(&patch, albedo, Cover::Woodland, DVec2::X);
        }
    }
}

/// Paves the ground between the blocks of dense towns.
fn pave_town(place: &Place, painter: &mut Painter) {
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
            // An offset ring is cheaper than a ribbon with joints.
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

/// Paints around neighboring houses: a gravel strip along the walls, and a path or driveway to the street.
fn gardens(place: &Place, driveways: &[Driveway], painter: &mut Painter) {
    for driveway in driveways {
        painter.ribbon(
            &[driveway.wall.to_array(), driveway.street.to_array()],
            driveway.width,
            driveway.albedo,
            Cover::Hard,
        );
    }
    for (index, building) in place.buildings.iter().enumerate() {
        let ring = &building.footprint.outer;
        // Nothing is invented on the property.
        if building.base > 0.0 || crate::property::is_property(place, index) {
            continue;
        }
        let domestic = driveways::is_domestic(building);
        let width = if domestic { 0.55 } else { 1.1 };
        if let Some(strip) = shape::inset(ring, -width) {
            painter.polygon(&Polygon { outer: strip, holes: vec![] }, [0.20, 0.185, 0.16], Cover::Loose, DVec2::X);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::empty_place;

    #[test]
    fn no_meadow_is_painted_where_the_map_ends() {
        let meadow = |place: &Place| -> f32 {
            let is_meadow = |v: &&PaintVertex| v.grain[0] == f32::from(Cover::Meadow as u8);
            paint(place, &[], true)
                .iter()
                .filter(is_meadow)
                .map(|v| v.position[0].abs().max(v.position[1].abs()))
                .fold(0.0, f32::max)
        };
        assert!(meadow(&empty_place(None)) > 3000.0);
        assert!((meadow(&empty_place(Some([[-90.0, -200.0], [300.0, 250.0]]))) - 300.0).abs() < 1e-3);
    }
}
