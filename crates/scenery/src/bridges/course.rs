//! Vertical alignment of bridges: consecutive decks, the ramps up to them, and their heights.

use std::collections::{BTreeMap, BTreeSet};

use aerie_geodata::place::{Place, Point, Way, WayKind};
use glam::DVec2;

use crate::shape;

/// Minimum length of a bridge that gets a deck, meters.
const MIN_DECK: f64 = 5.0;
/// Height of a deck over the way below, surface to surface, meters.
const CLEARANCE: f64 = 5.6;
/// Maximum gradient.
const MAX_GRADIENT: f64 = 0.07;
/// Rise of a deck over water and hollows: maximum, meters, and per meter of its length.
const OVER_WATER: (f64, f64) = (0.45, 0.012);
/// Maximum length of a ramp, meters.
const MAX_RAMP: f64 = 110.0;
/// Maximum spacing of a course's points, meters.
const PIECE: f64 = 4.0;
/// A course continues into the next way where the cosine of the turn exceeds this.
const STRAIGHT_ON: f64 = 0.64;

/// Whether a way is drawn as a deck rather than painted on the ground.
pub(crate) fn is_deck(way: &Way) -> bool {
    way.bridge && !way.tunnel && shape::length(&way.line) >= MIN_DECK
}

/// A way, or part of one, raised as a bridge or ramp.
pub(crate) struct Course<'a> {
    pub(crate) way: &'a Way,
    /// Its center line, with a point every few meters.
    pub(crate) line: Vec<DVec2>,
    /// Heights of its surface above the datum, meters.
    pub(crate) heights: Vec<f64>,
    /// Whether it is an embankment rather than a deck.
    pub(crate) ramp: bool,
    /// Half its width, verges included, meters.
    pub(crate) half: f64,
}

impl Course<'_> {
    /// Whether a point lies on it in plan.
    pub(crate) fn carries(&self, p: DVec2) -> bool {
        self.line.windows(2).any(|s| shape::distance_to_segment(p, s[0], s[1]) < self.half)
    }
}

/// Ways at each point.
type Junctions = BTreeMap<(i64, i64), Vec<usize>>;

fn key(p: Point) -> (i64, i64) {
    ((p[0] * 20.0).round() as i64, (p[1] * 20.0).round() as i64)
}

/// The courses of all bridges of a place.
pub(crate) fn courses(place: &Place) -> Vec<Course<'_>> {
    if !place.ways.iter().any(is_deck) {
        return Vec::new();
    }
    let mut junctions = Junctions::new();
    for (index, way) in place.ways.iter().enumerate().filter(|(_, w)| !w.tunnel && !on_foot(w)) {
        for &p in &way.line {
            junctions.entry(key(p)).or_default().push(index);
        }
    }
    let mut done = BTreeSet::new();
    let mut out = Vec::new();
    for index in 0..place.ways.len() {
        if is_deck(&place.ways[index]) && !done.contains(&index) {
            out.extend(Chain::of(place, &junctions, index, &mut done).courses(place));
        }
    }
    out
}

/// Consecutive decks, with the ramps before and behind them.
struct Chain<'a> {
    /// Each with its line in the direction of the chain.
    decks: Vec<(&'a Way, Vec<Point>)>,
    before: Option<(&'a Way, Vec<Point>)>,
    behind: Option<(&'a Way, Vec<Point>)>,
}

/// Decks beyond one end of a deck, in order, and the ramp behind the last one; lines point away from the first deck.
type Onwards<'a> = (Vec<(&'a Way, Vec<Point>)>, Option<(&'a Way, Vec<Point>)>);

fn beyond<'a>(
    place: &'a Place,
    junctions: &Junctions,
    (mut index, mut line): (usize, Vec<Point>),
    done: &mut BTreeSet<usize>,
) -> Onwards<'a> {
    let mut decks = Vec::new();
    loop {
        let Some((next, onwards)) = straight_on(place, junctions, index, &line) else { return (decks, None) };
        let way = &place.ways[next];
        if !is_deck(way) {
            let climbs = way.kind != WayKind::Railway;
            return (decks, climbs.then(|| (way, up_to_junction(junctions, &onwards))));
        }
        if !done.insert(next) {
            return (decks, None);
        }
        decks.push((way, onwards.clone()));
        (index, line) = (next, onwards);
    }
}

/// The way that continues a line beyond its end, in the direction of travel; `None` at a junction.
fn straight_on(place: &Place, junctions: &Junctions, index: usize, line: &[Point]) -> Option<(usize, Vec<Point>)> {
    let &[.., from, end] = line else { return None };
    let [next] = junctions.get(&key(end))?.iter().filter(|i| **i != index).collect::<Vec<_>>()[..] else { return None };
    let way = &place.ways[*next];
    let mut onwards = way.line.clone();
    if key(*onwards.last()?) == key(end) {
        onwards.reverse();
    }
    let &[first, then, ..] = onwards.as_slice() else { return None };
    let direction = |a: Point, b: Point| (shape::vec(b) - shape::vec(a)).normalize_or_zero();
    let straight = direction(from, end).dot(direction(first, then)) > STRAIGHT_ON;
    let alike = (way.kind == WayKind::Railway) == (place.ways[index].kind == WayKind::Railway);
    (key(first) == key(end) && straight && alike && !on_foot(way)).then_some((*next, onwards))
}

/// A line up to the next junction, at most [`MAX_RAMP`] long.
fn up_to_junction(junctions: &Junctions, line: &[Point]) -> Vec<Point> {
    let mut out = vec![line[0]];
    let mut left = MAX_RAMP;
    for pair in line.windows(2) {
        let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
        let run = a.distance(b);
        if run >= left {
            out.push(a.lerp(b, left / run).to_array());
            break;
        }
        out.push(pair[1]);
        left -= run;
        if junctions.get(&key(pair[1])).is_some_and(|ways| ways.len() > 1) {
            break;
        }
    }
    out
}

impl<'a> Chain<'a> {
    fn of(place: &'a Place, junctions: &Junctions, index: usize, done: &mut BTreeSet<usize>) -> Self {
        done.insert(index);
        let way = &place.ways[index];
        let turned = |mut line: Vec<Point>| {
            line.reverse();
            line
        };
        let (ahead, behind) = beyond(place, junctions, (index, way.line.clone()), done);
        let (back, before) = beyond(place, junctions, (index, turned(way.line.clone())), done);
        let mut decks: Vec<_> = back.into_iter().rev().map(|(way, line)| (way, turned(line))).collect();
        decks.push((way, way.line.clone()));
        decks.extend(ahead);
        Self { decks, before: before.map(|(way, line)| (way, turned(line))), behind }
    }

    /// Where lower ways cross the decks: meters along them.
    fn crossings(&self, place: &Place) -> Vec<f64> {
        let mut out = Vec::new();
        let mut along = 0.0;
        for (way, line) in &self.decks {
            for pair in line.windows(2) {
                let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
                for other in place.ways.iter().filter(|w| !w.tunnel && !on_foot(w) && w.layer < way.layer.max(1)) {
                    let meets = other
                        .line
                        .windows(2)
                        .filter_map(|q| shape::intersection(a, b, shape::vec(q[0]), shape::vec(q[1])));
                    let ends = |p: DVec2| other.line.iter().any(|&o| shape::vec(o).distance(p) < 0.05);
                    out.extend(meets.filter(|p| !ends(*p)).map(|p| along + p.distance(a)));
                }
                along += a.distance(b);
            }
        }
        out
    }

    fn courses(mut self, place: &Place) -> Vec<Course<'a>> {
        let crossings = self.crossings(place);
        let climbs = !crossings.is_empty() && self.decks[0].0.kind != WayKind::Railway;
        if !climbs {
            // Over water and hollows the approaches stay on the ground.
            (self.before, self.behind) = (None, None);
        }
        let length = |part: &Option<(&Way, Vec<Point>)>| part.as_ref().map_or(0.0, |(_, line)| shape::length(line));
        let decks: f64 = self.decks.iter().map(|(_, line)| shape::length(line)).sum();
        let (ahead, total) = (length(&self.before), length(&self.before) + decks + length(&self.behind));
        let (first, last) = match climbs {
            true => crossings.iter().fold((f64::INFINITY, 0.0_f64), |(f, l), c| (f.min(ahead + c), l.max(ahead + c))),
            false => (total / 3.0, total * 2.0 / 3.0),
        };
        let room = first.min(total - last);
        let over_water = (decks * OVER_WATER.1).min(OVER_WATER.0);
        let rise = if climbs { (room * MAX_GRADIENT).clamp(over_water, CLEARANCE) } else { over_water };
        let eased = |t: f64| {
            let t = t.clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let lifted = |along: f64| {
            rise * eased(along / (first * 0.95).max(0.1)) * eased((total - along) / ((total - last) * 0.95).max(0.1))
        };
        let ground = |p: DVec2| place.terrain.height(p.to_array());
        let outer = |at: Option<&Point>| at.map_or(0.0, |&p| ground(shape::vec(p)));
        let ends = [
            outer(self.decks.first().and_then(|(_, line)| line.first())),
            outer(self.decks.last().and_then(|(_, line)| line.last())),
        ];
        let mut out = Vec::new();
        let mut start = 0.0;
        let decks_from = ahead;
        let parts = (self.before.into_iter().map(|p| (p, true)))
            .chain(self.decks.into_iter().map(|p| (p, false)))
            .chain(self.behind.into_iter().map(|p| (p, true)));
        for ((way, line), ramp) in parts {
            let stations = stations(&line);
            let surface = |(at, along): &(DVec2, f64)| {
                let along = start + along;
                let share = ((along - decks_from) / decks.max(0.1)).clamp(0.0, 1.0);
                let straight = if ramp { ground(*at) } else { ends[0] + (ends[1] - ends[0]) * share };
                straight.max(ground(*at)) + 0.04 + lifted(along)
            };
            let heights = stations.iter().map(surface).collect();
            let verge = if way.sidewalk { 1.7 } else { 0.5 };
            start += stations.last().map_or(0.0, |s| s.1);
            let line = stations.into_iter().map(|s| s.0).collect();
            out.push(Course { way, line, heights, ramp, half: way.width * 0.5 + verge });
        }
        out
    }
}

fn on_foot(way: &Way) -> bool {
    matches!(way.kind, WayKind::Footpath | WayKind::Cycleway)
}

/// Resamples a line to a point every few meters, each with its distance along the line.
fn stations(line: &[Point]) -> Vec<(DVec2, f64)> {
    let mut out = vec![(shape::vec(line[0]), 0.0)];
    let mut along = 0.0;
    for pair in line.windows(2) {
        let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
        let run = a.distance(b);
        let steps = (run / PIECE).ceil().max(1.0) as usize;
        out.extend((1..=steps).map(|i| {
            let share = i as f64 / steps as f64;
            (a.lerp(b, share), along + run * share)
        }));
        along += run;
    }
    out
}
