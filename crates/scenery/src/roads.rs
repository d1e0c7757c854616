//! Roads, paths and railways painted on the ground, with their markings.

use aerie_geodata::place::{Place, Point, Surface, Way, WayKind};
use aerie_render::scene::Cover;
use glam::dvec2;

use crate::albedo::{Albedo, CONCRETE, EARTH, GRAVEL, MARKING, MEADOW, PAVING};
use crate::bridges;
use crate::crossings;
use crate::curbs;
use crate::driveways::Driveway;
use crate::painter::Painter;
use crate::shape;
use crate::tracks;
use crate::tunnels;
use aerie_math::Rng;

const ASPHALT: Albedo = [0.098, 0.097, 0.098];
const BALLAST: Albedo = [0.165, 0.15, 0.132];

/// Paints every way at ground level, and short underpasses.
pub(crate) fn paint(place: &Place, driveways: &[Driveway], painter: &mut Painter) {
    let rank = |way: &Way| match way.kind {
        WayKind::Track | WayKind::Footpath | WayKind::Cycleway => 0,
        WayKind::Service | WayKind::Pedestrian => 1,
        WayKind::Residential => 2,
        WayKind::Minor => 3,
        WayKind::Major => 4,
        WayKind::Motorway | WayKind::Runway => 5,
        WayKind::Railway => 6,
    };
    let mut ways: Vec<&Way> = place.ways.iter().filter(|w| (!w.tunnel || w.passage) && !bridges::is_deck(w)).collect();
    for way in tunnels::underpasses(place) {
        carriageway(way, UNDERPASS_LIGHT, painter);
    }
    ways.sort_by_key(|w| (w.layer, rank(w)));
    let crossings = crossings::of(place);
    // All edges first, then all carriageways, so that no edge crosses a junction.
    let mut layers: Vec<i32> = ways.iter().map(|w| w.layer).collect();
    layers.dedup();
    for layer in layers {
        let level = || ways.iter().filter(|w| w.layer == layer);
        for way in level().filter(|w| rank(w) >= 1 && w.kind != WayKind::Railway) {
            if way.sidewalk {
                painter.ribbon(&way.line, way.width + 3.6, PAVING, Cover::Hard);
            } else if way.kind != WayKind::Service && !way.curb {
                painter.ribbon(&way.line, way.width + 0.9, [0.16, 0.145, 0.105], Cover::Loose);
            }
        }
        for way in level().filter(|w| w.curb) {
            curbs::paint(way, painter);
        }
        let has_curb = |way: usize| place.ways[way].curb && place.ways[way].layer == layer;
        curbs::paint_dropped(has_curb, &crossings, driveways, painter);
        for way in level() {
            carriageway(way, 1.0, painter);
        }
        for way in level() {
            markings(way, painter);
        }
    }
    crossings::paint(&crossings, painter);
}

/// Brightness of a road below another.
const UNDERPASS_LIGHT: f32 = 0.70;

fn carriageway(way: &Way, light: f32, painter: &mut Painter) {
    if way.kind == WayKind::Railway {
        if way.surface == Surface::Ballast {
            // The bed's shoulders, then the bed.
            painter.ribbon(&way.line, way.width.max(3.4) + 1.8, [0.150, 0.138, 0.118], Cover::Loose);
            painter.ribbon(&way.line, way.width.max(3.4), BALLAST, Cover::Loose);
            // Far away, sleepers only darken the middle.
            painter.ribbon(&way.line, 2.6, BALLAST.map(|v| v * 0.80), Cover::Loose);
        }
        return;
    }
    let mut rng = Rng::from_name(&way.id);
    let tone = rng.range_f32(0.9, 1.15) * light;
    let (albedo, cover) = match way.surface {
        Surface::Asphalt => (ASPHALT, Cover::Carriageway),
        Surface::Concrete => (CONCRETE, Cover::Carriageway),
        Surface::Paving => ([0.20, 0.188, 0.175], Cover::Hard),
        Surface::Gravel => (GRAVEL, Cover::Loose),
        Surface::Earth => (EARTH, Cover::Loose),
        Surface::Grass => (MEADOW, Cover::Meadow),
        Surface::Ballast => (BALLAST, Cover::Loose),
    };
    let width = if way.curb { way.width - 2.0 * curbs::GUTTER } else { way.width };
    painter.ribbon(&way.line, width, albedo.map(|v| v * tone), cover);
    if way.kind == WayKind::Track && way.surface != Surface::Asphalt {
        painter.ribbon(&way.line, width * 0.28, [0.10, 0.115, 0.05], Cover::Meadow);
    }
}

fn markings(way: &Way, painter: &mut Painter) {
    let offset = |by: f64| shape::offset(&way.line, by);
    match way.kind {
        WayKind::Railway => tracks::paint(way, painter),
        WayKind::Major | WayKind::Motorway | WayKind::Minor if way.lanes >= 2 && way.width >= 5.4 => {
            let (dash, gap) = if way.kind == WayKind::Motorway { (6.0, 12.0) } else { (3.0, 6.0) };
            for lane in 1..way.lanes {
                let by = way.width * (f64::from(lane) / f64::from(way.lanes) - 0.5);
                for piece in dashes(&offset(by), dash, gap) {
                    painter.ribbon(&piece, 0.14, MARKING, Cover::Marking);
                }
            }
            // Curbs take the place of edge lines.
            if way.kind != WayKind::Minor && !way.curb {
                for side in [-1.0, 1.0] {
                    for piece in dashes(&offset(side * (way.width * 0.5 - 0.25)), 40.0, 0.0) {
                        painter.ribbon(&piece, 0.14, MARKING, Cover::Marking);
                    }
                }
            }
        }
        _ => {}
    }
}

/// Dashes of a line, `dash` meters long with `gap` meters between, clear of its ends, where junctions are.
fn dashes(line: &[Point], dash: f64, gap: f64) -> Vec<Vec<Point>> {
    let total = shape::length(line);
    let clear = 9.0;
    let at = |mut along: f64| {
        for pair in line.windows(2) {
            let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
            let step = a.distance(b);
            if along <= step && step > 0.0 {
                return a.lerp(b, along / step);
            }
            along -= step;
        }
        line.last().map_or(dvec2(0.0, 0.0), |&p| shape::vec(p))
    };
    let mut out = Vec::new();
    let mut start = clear;
    while start + dash < total - clear {
        // A point every two meters follows bends.
        let steps = (dash / 2.0).ceil() as usize;
        out.push((0..=steps).map(|i| at(start + dash * i as f64 / steps as f64).to_array()).collect());
        start += dash + gap;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_keep_clear_of_junctions() {
        let pieces = dashes(&[[0.0, 0.0], [60.0, 0.0]], 3.0, 6.0);
        assert!(pieces.len() > 3);
        assert!(pieces.iter().flatten().all(|p| p[0] >= 9.0 && p[0] <= 51.0));
    }
}
