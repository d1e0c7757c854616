//! Roads, railways, streams, hedges and fences.

use std::collections::BTreeSet;

use aerie_math::geometry;

use super::around::Around;
use super::tags::{Tags, tag};
use crate::GeodataError;
use crate::gpkg::{self, Geometry, Layer, Stored};
use crate::length::meters;
use crate::place::{Area, AreaKind, Barrier, BarrierKind, Building, Crossing, Point, Surface, Waterway, Way, WayKind};

/// The ways of a place, and the ids of those that have no sidewalk of their own according to the map.
pub(super) fn read(around: &Around<'_>) -> Result<(Vec<Way>, BTreeSet<String>), GeodataError> {
    let mut out = Vec::new();
    let mut bare = BTreeSet::new();
    for stored in around.features(Layer::Roads, around.radius)? {
        let Geometry::Line(line) = &stored.geometry else { continue };
        let Some(way) = way(&stored) else { continue };
        for (part, line) in clip(&around.line(line), around.radius).into_iter().enumerate() {
            let id = if part == 0 { way.id.clone() } else { format!("{}#{part}", way.id) };
            if matches!(sidewalk(&stored.tags), Some("no" | "none" | "separate")) {
                bare.insert(id.clone());
            }
            out.push(Way { id, line, ..way.clone() });
        }
    }
    Ok((out, bare))
}

fn way(stored: &Stored) -> Option<Way> {
    let tags = &stored.tags;
    let kind = kind(&stored.kind, tags)?;
    let number = |key: &str| tag(tags, key).and_then(meters);
    let oneway =
        matches!(tag(tags, "oneway"), Some("yes" | "1" | "-1" | "true")) || tag(tags, "junction") == Some("roundabout");
    let usual = match kind {
        WayKind::Motorway | WayKind::Major | WayKind::Minor | WayKind::Residential => 2,
        _ => 1,
    };
    let usual = if oneway && kind != WayKind::Motorway { 1 } else { usual };
    let lanes = number("lanes").filter(|l| (1.0..=12.0).contains(l)).map_or(usual, |l| l as u32);
    let ramp = stored.kind.ends_with("_link");
    let width =
        number("width").or_else(|| number("est_width")).filter(|w| (0.5..=60.0).contains(w)).unwrap_or_else(|| {
            let lanes_wide = |lane: f64, verge: f64| f64::from(lanes) * lane + verge;
            match kind {
                WayKind::Motorway => lanes_wide(3.6, if ramp { 1.0 } else { 3.0 }),
                WayKind::Major => lanes_wide(3.3, 0.6),
                WayKind::Minor => lanes_wide(3.0, 0.3),
                WayKind::Residential if oneway => 4.2,
                WayKind::Residential if stored.kind == "living_street" => 4.8,
                WayKind::Residential => 5.4,
                WayKind::Service if tag(tags, "service") == Some("driveway") => 3.0,
                WayKind::Service if tag(tags, "service") == Some("alley") => 3.0,
                WayKind::Service => 4.0,
                WayKind::Track => 2.8,
                WayKind::Pedestrian => 5.0,
                WayKind::Footpath if stored.kind == "path" => 1.3,
                WayKind::Footpath => 1.8,
                WayKind::Cycleway => 2.4,
                WayKind::Railway => 3.2,
                WayKind::Runway => {
                    if stored.kind.ends_with("runway") {
                        30.0
                    } else {
                        15.0
                    }
                }
            }
        });
    let layer = tag(tags, "layer").and_then(|l| l.parse::<i32>().ok()).unwrap_or(0).clamp(-5, 5);
    let yes = |key: &str| tag(tags, key).is_some_and(|v| v != "no");
    let [covered, indoor] = ["covered", "indoor"].map(|key| tag(tags, key) == Some("yes"));
    Some(Way {
        id: gpkg::osm_id(stored.fid),
        name: stored.name.clone(),
        kind,
        line: Vec::new(),
        width,
        lanes,
        oneway,
        // Tram rails are set into the street.
        surface: match stored.kind.as_str() {
            "railway=tram" if !tags.contains_key("surface") => Surface::Asphalt,
            _ => surface(kind, tags),
        },
        sidewalk: matches!(sidewalk(tags), Some("both" | "left" | "right" | "yes")),
        curb: false,
        crossing: ["footway", "path", "cycleway"].iter().any(|k| tag(tags, k) == Some("crossing"))
            && !matches!(tag(tags, "crossing"), Some("unmarked" | "no"))
            && tag(tags, "crossing:markings") != Some("no"),
        bridge: yes("bridge"),
        tunnel: yes("tunnel") || covered || indoor,
        passage: !indoor && if yes("tunnel") { tag(tags, "tunnel") == Some("building_passage") } else { covered },
        layer,
    })
}

fn sidewalk(tags: &Tags) -> Option<&str> {
    ["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right"].iter().find_map(|k| tag(tags, k))
}

pub(super) fn kind(tagged: &str, tags: &Tags) -> Option<WayKind> {
    if tagged.starts_with("railway=") {
        return (!(tagged == "railway=subway" && tag(tags, "layer").is_none_or(|l| l.starts_with('-'))))
            .then_some(WayKind::Railway);
    }
    if tagged.starts_with("aeroway=") {
        return Some(WayKind::Runway);
    }
    Some(match tagged.trim_end_matches("_link") {
        "motorway" | "trunk" => WayKind::Motorway,
        "primary" | "secondary" => WayKind::Major,
        "tertiary" => WayKind::Minor,
        "residential" | "unclassified" | "living_street" | "road" => WayKind::Residential,
        "service" | "busway" | "bus_guideway" | "escape" => WayKind::Service,
        "track" => WayKind::Track,
        "pedestrian" => WayKind::Pedestrian,
        "footway" | "path" | "steps" | "bridleway" => WayKind::Footpath,
        "cycleway" => WayKind::Cycleway,
        _ => return None,
    })
}

fn surface(kind: WayKind, tags: &Tags) -> Surface {
    let tagged = tag(tags, "surface").unwrap_or_default();
    match tagged.split([':', ';']).next().unwrap_or_default() {
        "asphalt" | "paved" | "chipseal" | "tartan" => Surface::Asphalt,
        "concrete" => Surface::Concrete,
        "paving_stones" | "sett" | "cobblestone" | "unhewn_cobblestone" | "bricks" | "grass_paver" => Surface::Paving,
        "gravel" | "fine_gravel" | "compacted" | "pebblestone" | "unpaved" => Surface::Gravel,
        "ground" | "dirt" | "earth" | "sand" | "mud" | "woodchips" | "clay" => Surface::Earth,
        "grass" => Surface::Grass,
        _ => match kind {
            WayKind::Railway => Surface::Ballast,
            WayKind::Pedestrian => Surface::Paving,
            WayKind::Track => match tag(tags, "tracktype") {
                Some("grade1") => Surface::Asphalt,
                Some("grade4") => Surface::Earth,
                Some("grade5") => Surface::Grass,
                _ => Surface::Gravel,
            },
            WayKind::Footpath if tag(tags, "highway") == Some("path") => Surface::Earth,
            WayKind::Footpath => Surface::Gravel,
            _ => Surface::Asphalt,
        },
    }
}

/// Adds sidewalks to streets between houses where the map does not rule them out, and curbs to paved streets that have
/// sidewalks or are in built-up areas.
pub(super) fn add_sidewalks(ways: &mut [Way], bare: &BTreeSet<String>, buildings: &[Building], areas: &[Area]) {
    let centers: Vec<Point> = buildings.iter().map(|b| geometry::centroid(&b.footprint.outer)).collect();
    let settled: Vec<&Area> = areas.iter().filter(|a| is_built_up(a.kind)).collect();
    for way in ways.iter_mut().filter(|w| matches!(w.kind, WayKind::Major | WayKind::Minor | WayKind::Residential)) {
        let paved = matches!(way.surface, Surface::Asphalt | Surface::Concrete | Surface::Paving);
        let Some(&middle) = way.line.get(way.line.len() / 2).filter(|_| !way.tunnel) else { continue };
        let near = centers.iter().filter(|c| (c[0] - middle[0]).hypot(c[1] - middle[1]) < 60.0).count();
        let lined = near >= if way.kind == WayKind::Residential { 9 } else { 6 };
        way.sidewalk |= lined && way.width >= 5.0 && !bare.contains(&way.id);
        let built_up = lined || near >= 4 && settled.iter().any(|a| a.polygon.contains(middle));
        way.curb = paved && (way.sidewalk || built_up);
    }
}

fn is_built_up(kind: AreaKind) -> bool {
    matches!(kind, AreaKind::Residential | AreaKind::Commercial | AreaKind::Industrial)
}

pub(super) fn waterways(around: &Around<'_>, reach: f64) -> Result<Vec<Waterway>, GeodataError> {
    let mut out = Vec::new();
    for stored in around.features(Layer::Waterways, reach)? {
        let Geometry::Line(line) = &stored.geometry else { continue };
        let hidden =
            tag(&stored.tags, "tunnel").is_some_and(|t| t != "no") || tag(&stored.tags, "covered") == Some("yes");
        if hidden {
            continue;
        }
        let usual = match stored.kind.as_str() {
            "river" => 12.0,
            "canal" => 8.0,
            "stream" | "brook" => 1.8,
            _ => 1.0,
        };
        let width = tag(&stored.tags, "width").and_then(meters).filter(|w| (0.2..=500.0).contains(w)).unwrap_or(usual);
        for (part, line) in clip(&around.line(line), reach).into_iter().enumerate() {
            let id = gpkg::osm_id(stored.fid);
            out.push(Waterway { id: if part == 0 { id } else { format!("{id}#{part}") }, line, width });
        }
    }
    Ok(out)
}

pub(super) fn barriers(around: &Around<'_>) -> Result<Vec<Barrier>, GeodataError> {
    let mut out = Vec::new();
    for stored in around.features(Layer::Barriers, around.radius)? {
        let Geometry::Line(line) = &stored.geometry else { continue };
        let (kind, usual) = match stored.kind.as_str() {
            "hedge" => (BarrierKind::Hedge, 1.6),
            "fence" | "guard_rail" => (BarrierKind::Fence, 1.2),
            "city_wall" => (BarrierKind::Wall, 5.0),
            _ => (BarrierKind::Wall, 1.4),
        };
        let height = tag(&stored.tags, "height").and_then(meters).filter(|h| (0.2..=20.0).contains(h)).unwrap_or(usual);
        for line in clip(&around.line(line), around.radius) {
            out.push(Barrier { kind, line, height });
        }
    }
    Ok(out)
}

/// Marked crossings that are mapped as points. Packs of earlier versions have none.
pub(super) fn crossings(around: &Around<'_>) -> Result<Vec<Crossing>, GeodataError> {
    if !gpkg::has_layer(around.pack.db(), Layer::Crossings)? {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for stored in around.features(Layer::Crossings, around.radius)? {
        let Geometry::Point([lon, lat]) = stored.geometry else { continue };
        let at = around.frame.local(lon, lat);
        if let Some(signals) = marked(&stored.tags).filter(|_| at[0].hypot(at[1]) <= around.radius) {
            out.push(Crossing { at, signals });
        }
    }
    Ok(out)
}

/// Whether a crossing that is marked on the road has traffic signals; `None` where it is not known to be marked.
fn marked(tags: &Tags) -> Option<bool> {
    let kind = tag(tags, "crossing").unwrap_or_default();
    let by_sign = tag(tags, "crossing_ref").unwrap_or_default();
    if matches!(kind, "unmarked" | "no" | "informal") || tag(tags, "crossing:markings") == Some("no") {
        return None;
    }
    let signals = matches!(kind, "traffic_signals" | "pedestrian_signals")
        || matches!(by_sign, "pelican" | "toucan" | "puffin" | "pegasus")
        || tag(tags, "crossing:signals") == Some("yes");
    let marked = matches!(kind, "marked" | "uncontrolled" | "zebra")
        || matches!(by_sign, "zebra" | "tiger")
        || tags.contains_key("crossing:markings");
    (signals || marked).then_some(signals)
}

/// Clips a line to a square of `2 * reach` a side around the origin; removes repeated points.
pub(super) fn clip(line: &[Point], reach: f64) -> Vec<Vec<Point>> {
    clip_to(line, [-reach, -reach, reach, reach])
}

/// Clips a line to a rectangle, given by its south-west and north-east corners; removes repeated points.
pub(super) fn clip_to(line: &[Point], [west, south, east, north]: [f64; 4]) -> Vec<Vec<Point>> {
    let mut out: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for w in line.windows(2) {
        let (a, b) = (w[0], w[1]);
        let d = [b[0] - a[0], b[1] - a[1]];
        if d[0].hypot(d[1]) < 0.01 {
            continue;
        }
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (p, d, low, high) in [(a[0], d[0], west, east), (a[1], d[1], south, north)] {
            if d == 0.0 {
                if p < low || p > high {
                    to = -1.0;
                }
                continue;
            }
            let (t0, t1) = ((low - p) / d, (high - p) / d);
            from = from.max(t0.min(t1));
            to = to.min(t0.max(t1));
        }
        if from >= to {
            open = false;
            continue;
        }
        let at = |t: f64| [a[0] + t * d[0], a[1] + t * d[1]];
        match out.last_mut().filter(|_| open && from == 0.0) {
            Some(run) => run.push(at(to)),
            None => out.push(vec![at(from), at(to)]),
        }
        open = to == 1.0;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_marked_where_the_map_says_so_and_nowhere_else() {
        let tags = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect::<Tags>();
        assert_eq!(marked(&tags(&[])), None);
        assert_eq!(marked(&tags(&[("crossing", "unmarked")])), None);
        assert_eq!(marked(&tags(&[("crossing", "uncontrolled"), ("crossing:markings", "no")])), None);
        assert_eq!(marked(&tags(&[("crossing", "island")])), None);
        assert_eq!(marked(&tags(&[("crossing", "uncontrolled")])), Some(false));
        assert_eq!(marked(&tags(&[("crossing", "island"), ("crossing_ref", "zebra")])), Some(false));
        assert_eq!(marked(&tags(&[("crossing", "traffic_signals")])), Some(true));
    }

    #[test]
    fn a_line_that_leaves_and_returns_is_cut_in_two() {
        let parts = clip(&[[-5.0, 0.0], [5.0, 0.0], [20.0, 0.0], [20.0, 5.0], [0.0, 5.0]], 10.0);
        assert_eq!(parts, vec![vec![[-5.0, 0.0], [5.0, 0.0], [10.0, 0.0]], vec![[10.0, 5.0], [0.0, 5.0]]]);
        assert!(clip(&[[30.0, 0.0], [40.0, 0.0]], 10.0).is_empty());
    }
}
