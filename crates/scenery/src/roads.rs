//! Roads, paths and railways as they are painted on the ground, with their markings.

use aerie_geodata::place::{Place, Point, Polygon, Surface, Way, WayKind};
use aerie_render::scene::Cover;
use glam::{DVec2, dvec2};

use crate::bridges;
use crate::crossings;
use crate::curbs;
use crate::drives::Drive;
use crate::ground::{Albedo, CONCRETE, EARTH, GRAVEL, MEADOW, PAVEMENT, Painter};
use crate::seed::Seed;
use crate::shape;
use crate::tunnels;

const ASPHALT: Albedo = [0.098, 0.097, 0.098];
pub(crate) const PAINT: Albedo = [0.55, 0.55, 0.53];
const BALLAST: Albedo = [0.165, 0.15, 0.132];

/// Paints every way that lies on the ground: neither under it nor on a bridge.
pub(crate) fn paint(place: &Place, drives: &[Drive], painter: &mut Painter) {
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
        carriageway(way, IN_SHADOW, painter);
    }
    ways.sort_by_key(|w| (w.layer, rank(w)));
    let crossings = crossings::of(place);
    // Edges of all first, then all carriageways: junctions stay open.
    let mut layers: Vec<i32> = ways.iter().map(|w| w.layer).collect();
    layers.dedup();
    for layer in layers {
        let level = || ways.iter().filter(|w| w.layer == layer);
        for way in level().filter(|w| rank(w) >= 1 && w.kind != WayKind::Railway) {
            if way.pavement {
                painter.ribbon(&way.line, way.width + 3.6, PAVEMENT, Cover::Hard);
            } else if way.kind != WayKind::Service && !way.curb {
                painter.ribbon(&way.line, way.width + 0.9, [0.16, 0.145, 0.105], Cover::Loose);
            }
        }
        for way in level().filter(|w| w.curb) {
            curbs::paint(way, painter);
        }
        let has_curb = |way: usize| place.ways[way].curb && place.ways[way].layer == layer;
        curbs::let_down(has_curb, &crossings, drives, painter);
        for way in level() {
            carriageway(way, 1.0, painter);
        }
        for way in level() {
            markings(way, painter);
        }
    }
    crossings::paint(&crossings, painter);
}

/// A line moved sideways by `by` meters, to the left as it runs.
pub(crate) fn beside(line: &[Point], by: f64) -> Vec<Point> {
    let line: Vec<DVec2> = line.iter().map(|&p| shape::vec(p)).collect();
    (0..line.len())
        .map(|i| {
            let before = if i > 0 { (line[i] - line[i - 1]).normalize_or_zero() } else { DVec2::ZERO };
            let after = if i + 1 < line.len() { (line[i + 1] - line[i]).normalize_or_zero() } else { DVec2::ZERO };
            let side = (before + after).normalize_or(DVec2::X).perp();
            (line[i] + side * by).to_array()
        })
        .collect()
}

/// How far from the property sleepers are drawn one by one, meters, and how far apart they lie.
pub(crate) const SLEEPERS: (f64, f64) = (215.0, 0.65);

/// Sleepers and rails.
fn track(way: &Way, painter: &mut Painter) {
    let (reach, apart) = SLEEPERS;
    if way.surface == Surface::Ballast {
        for pair in way.line.windows(2) {
            let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
            let along = (b - a).normalize_or(DVec2::X);
            for i in 0..(a.distance(b) / apart) as usize {
                let at = a + along * apart * i as f64;
                if at.length() > reach {
                    continue;
                }
                let corner = |s: f64, t: f64| (at + along.perp() * s * 1.3 + along * t * 0.13).to_array();
                let outer = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                let sleeper = Polygon { outer, holes: vec![] };
                painter.polygon(&sleeper, [0.105, 0.094, 0.082], Cover::Marking, along);
            }
        }
    }
    for side in [-0.75, 0.75] {
        let rail = beside(&way.line, side);
        // Rust beside a bright head: from afar the dark wins.
        painter.ribbon(&rail, 0.30, [0.060, 0.045, 0.036], Cover::Marking);
        painter.ribbon(&rail, 0.07, [0.36, 0.35, 0.34], Cover::Marking);
    }
}

/// How light a road looks that passes under another.
const IN_SHADOW: f32 = 0.70;

fn carriageway(way: &Way, light: f32, painter: &mut Painter) {
    if way.kind == WayKind::Railway {
        if way.surface == Surface::Ballast {
            // The bed's shoulders, then the bed.
            painter.ribbon(&way.line, way.width.max(3.4) + 1.8, [0.150, 0.138, 0.118], Cover::Loose);
            painter.ribbon(&way.line, way.width.max(3.4), BALLAST, Cover::Loose);
            // Where sleepers are too small to be told apart, they darken the middle.
            painter.ribbon(&way.line, 2.6, BALLAST.map(|v| v * 0.80), Cover::Loose);
        }
        return;
    }
    let mut seed = Seed::from_name(&way.id);
    let tone = seed.between(0.9, 1.15) * light;
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
    let offset = |by: f64| beside(&way.line, by);
    match way.kind {
        WayKind::Railway => track(way, painter),
        WayKind::Major | WayKind::Motorway | WayKind::Minor if way.lanes >= 2 && way.width >= 5.4 => {
            let (dash, gap) = if way.kind == WayKind::Motorway { (6.0, 12.0) } else { (3.0, 6.0) };
            for lane in 1..way.lanes {
                let by = way.width * (f64::from(lane) / f64::from(way.lanes) - 0.5);
                for piece in dashes(&offset(by), dash, gap) {
                    painter.ribbon(&piece, 0.14, PAINT, Cover::Marking);
                }
            }
            // Where there are curbs they are the edge.
            if way.kind != WayKind::Minor && !way.curb {
                for side in [-1.0, 1.0] {
                    for piece in dashes(&offset(side * (way.width * 0.5 - 0.25)), 40.0, 0.0) {
                        painter.ribbon(&piece, 0.14, PAINT, Cover::Marking);
                    }
                }
            }
        }
        _ => {}
    }
}

/// Pieces of a line, `dash` meters long with `gap` meters between, kept clear of its ends, where junctions are.
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
        // Follows bends: a corner every two meters.
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
