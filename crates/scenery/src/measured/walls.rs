//! Outer walls of a building with a measured roof.

use std::collections::BTreeMap;

use aerie_geodata::place::{Building, Place};
use glam::DVec2;

use super::edges::{Below, Piece, cut};
use super::face::Face;
use super::outlook::{EDGE, Outlook};
use crate::doors::{door_score, front, has_door};
use crate::facade::{Facade, Strip};
use crate::grounds;
use crate::mesh::Builder;
use crate::shape;

/// Distance up to which the ends of two walls count as one, meters.
const JOINED: f64 = 0.02;
/// Cosine of the largest angle between walls that form one façade.
const STRAIGHT: f64 = 0.9995;
/// Difference in height from which walls beside each other are façades of their own, meters.
const JUMP: f64 = 0.6;
/// How far a wall reaches below the ground, meters.
const BURIED: f64 = 0.6;
/// Minimum length and height of a wall with a door, meters.
const DOOR_WALL: [f64; 2] = [2.5, 2.4];

/// A wall that may be part of a longer one.
struct Wall {
    strip: Strip,
    is_party: bool,
}

/// Adds the walls that stand on the ground.
pub(super) fn add(
    place: &Place,
    building: &Building,
    outlook: &Outlook,
    faces: &[Face],
    pieces: &[Piece],
    out: &mut Builder,
) {
    let mut walls = Vec::new();
    for piece in pieces {
        if let Below::Ground { is_party } = piece.below {
            let down = if !is_party && outlook.has_band(piece) { EDGE } else { 0.0 };
            let tops = [piece.from.z - down, piece.to.z - down];
            walls.push(Wall { strip: Strip { from: piece.from.truncate(), to: piece.to.truncate(), tops }, is_party });
        }
    }
    if pieces.iter().any(|piece| piece.below == Below::Overhang) {
        below_overhangs(building, faces, &mut walls);
    }
    let ends = walls.iter().flat_map(|wall| [wall.strip.from, wall.strip.to]).map(|p| p.to_array());
    let ends: Vec<_> = ends.collect();
    let low = grounds::along(&place.terrain, &ends).into_iter().fold(f64::INFINITY, f64::min);
    let facade = Facade {
        materials: &outlook.pitched,
        terrain: &place.terrain,
        floor: outlook.floor,
        bottom: low - BURIED,
        is_grounded: true,
    };
    let runs = runs(walls);
    let door = has_door(building.kind).then(|| door_run(place, building, outlook, &runs)).flatten();
    for (index, run) in runs.iter().enumerate() {
        let strips: Vec<Strip> = run.iter().map(|wall| wall.strip).collect();
        let is_open = !run.iter().any(|wall| wall.is_party);
        let top = strips.iter().flat_map(|strip| strip.tops).fold(f64::INFINITY, f64::min);
        let stories = ((top + EDGE + 0.2 - outlook.floor) / outlook.pitched.story_height).floor().max(0.0);
        facade.wall(&strips, (door == Some(index), is_open), Some(stories as u32), out);
    }
}

/// The façade that gets the door.
fn door_run(place: &Place, building: &Building, outlook: &Outlook, runs: &[Vec<Wall>]) -> Option<usize> {
    let front = front(place, building, outlook.is_property);
    let line = |run: &[Wall]| Some((run.first()?.strip.from, run.last()?.strip.to));
    let suits = |run: &[Wall]| {
        let is_high = run.iter().all(|wall| wall.strip.tops.iter().all(|top| *top > outlook.floor + DOOR_WALL[1]));
        let (a, b) = line(run)?;
        (is_high && !run.iter().any(|wall| wall.is_party) && a.distance(b) > DOOR_WALL[0])
            .then(|| door_score((a, b), front))
    };
    let scored = runs.iter().enumerate().filter_map(|(index, run)| Some((index, suits(run)?)));
    scored.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

/// Adds the walls on the outline where the roof reaches beyond it.
fn below_overhangs(building: &Building, faces: &[Face], walls: &mut Vec<Wall>) {
    for ring in std::iter::once(&building.footprint.outer).chain(&building.footprint.holes) {
        for i in 0..ring.len() {
            let (a, b) = (shape::vec(ring[i]), shape::vec(ring[(i + 1) % ring.len()]));
            let length = a.distance(b);
            if length < 1e-6 {
                continue;
            }
            let mut cuts = vec![0.0, 1.0];
            for face in faces {
                cut([a, b], face.ring(), 0.05, &mut cuts);
            }
            cuts.sort_by(f64::total_cmp);
            cuts.dedup_by(|a, b| (*a - *b) * length < 1e-3);
            let outwards = -(b - a).normalize_or_zero().perp() * 0.03;
            for pair in cuts.windows(2) {
                let (from, to) = (a.lerp(b, pair[0]), a.lerp(b, pair[1]));
                let middle = (from + to) * 0.5;
                let highest = |at: DVec2| {
                    let covering = faces.iter().filter(|face| face.covers(at));
                    covering.max_by(|f, g| f.height(at).total_cmp(&g.height(at)))
                };
                if let Some(outer) = highest(middle + outwards) {
                    let face = highest(middle - outwards).unwrap_or(outer);
                    // It ends between the face and its underside.
                    let tops = [from, to].map(|end| face.height(end).min(outer.height(end)) - EDGE * 0.5);
                    walls.push(Wall { strip: Strip { from, to, tops }, is_party: false });
                }
            }
        }
    }
}

/// Joins walls that continue each other in a straight line.
fn runs(walls: Vec<Wall>) -> Vec<Vec<Wall>> {
    let cell = |p: DVec2| (p / JOINED).floor().as_i64vec2().to_array();
    let mut starts: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (index, wall) in walls.iter().enumerate() {
        starts.entry(cell(wall.strip.from)).or_default().push(index);
    }
    let direction = |wall: &Wall| (wall.strip.to - wall.strip.from).normalize_or_zero();
    let continues = |wall: &Wall, next: &Wall| {
        wall.strip.to.distance(next.strip.from) < JOINED
            && direction(wall).dot(direction(next)) > STRAIGHT
            && wall.is_party == next.is_party
            && (wall.strip.tops[1] - next.strip.tops[0]).abs() < JUMP
    };
    let next_of = |index: usize| {
        let [x, y] = cell(walls[index].strip.to);
        let near = (0..9).filter_map(|k| starts.get(&[x + k % 3 - 1, y + k / 3 - 1])).flatten();
        near.copied().find(|next| *next != index && continues(&walls[index], &walls[*next]))
    };
    let next: Vec<Option<usize>> = (0..walls.len()).map(next_of).collect();
    let mut is_next = vec![false; walls.len()];
    next.iter().flatten().for_each(|index| is_next[*index] = true);
    let mut walls: Vec<Option<Wall>> = walls.into_iter().map(Some).collect();
    let firsts = (0..walls.len()).filter(|index| !is_next[*index]).chain(0..walls.len());
    let mut out = Vec::new();
    for first in firsts.collect::<Vec<_>>() {
        let (mut run, mut at) = (Vec::new(), Some(first));
        while let Some(wall) = at.and_then(|index| walls[index].take()) {
            run.push(wall);
            at = at.and_then(|index| next[index]);
        }
        if !run.is_empty() {
            out.push(run);
        }
    }
    out
}
