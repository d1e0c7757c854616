//! The sea, derived from coastlines.
//!
//! A coastline has land on its left and water on its right (wiki.openstreetmap.org/wiki/Tag:natural=coastline). Its
//! ways are joined, clipped to a window around the place and closed along the window's border, with the water on the
//! right. Where a coastline breaks off, the window ends before the break, because it is unknown on which side of it the
//! sea continues.

mod close;

use std::collections::BTreeMap;

use aerie_math::BandedPolygons;
use aerie_math::geometry;
use geo::{BooleanOps, Coord, LineString, MultiPolygon, Simplify};

use super::areas::{COARSE, rank};
use super::around::Around;
use crate::GeodataError;
use crate::gpkg::{self, Bounds, Geometry, Layer};
use crate::place::{Area, AreaKind, Building, Point, Polygon, Terrain};

/// Minimum reach of the window from the place, meters; if a break leaves less, no sea is drawn.
const LEAST: f64 = 300.0;
/// A coastline that ends this close to the edge of the imported map is extended straight to it, meters.
const EDGE: f64 = 100.0;
/// Maximum share of the buildings that may be in the sea; if it is exceeded, the coastline is taken to be wrong.
const DROWNED: f64 = 0.25;

/// The sea around a place.
#[derive(Debug, Default)]
pub(super) struct Sea {
    polygons: Vec<Polygon>,
    /// Why all or part of it is missing, in a sentence.
    pub(super) missed: Option<String>,
}

/// Reads the sea within `reach` meters in each direction and within the imported map. Packs of earlier versions have no
/// coastlines.
pub(super) fn read(around: &Around<'_>, reach: f64) -> Result<Sea, GeodataError> {
    if !gpkg::has_layer(around.pack.db(), Layer::Coastlines)? {
        return Ok(Sea::default());
    }
    let mut ways = Vec::new();
    for stored in around.features(Layer::Coastlines, reach)? {
        if let Geometry::Lines(lines) = stored.geometry {
            ways.extend(lines);
        }
    }
    let coasts: Vec<_> = joined(ways).iter().map(|way| thinned(&around.line(way), around.radius)).collect();
    let covered = around.pack.covered().map(|corners| corners.map(|c| around.frame.local(c.lon, c.lat)));
    Ok(of_coasts(&coasts, [-reach, -reach, reach, reach], covered))
}

/// Joins ways where one begins at the end of another, keeping their direction.
fn joined(ways: Vec<Vec<[f64; 2]>>) -> Vec<Vec<[f64; 2]>> {
    let key = |p: &[f64; 2]| p.map(f64::to_bits);
    let mut begins: BTreeMap<[u64; 2], usize> = BTreeMap::new();
    let mut led = vec![false; ways.len()];
    for (i, way) in ways.iter().enumerate() {
        begins.entry(key(&way[0])).or_insert(i);
    }
    let next = |way: &Vec<[f64; 2]>| begins.get(&key(&way[way.len() - 1])).copied();
    for way in &ways {
        if let Some(next) = next(way) {
            led[next] = true;
        }
    }
    let mut used = vec![false; ways.len()];
    let mut out = Vec::new();
    // Start with the ways that no other leads to, then do the rings.
    for start in (0..ways.len()).filter(|i| !led[*i]).chain(0..ways.len()) {
        if used[start] {
            continue;
        }
        used[start] = true;
        let mut line = ways[start].clone();
        while let Some(following) = next(&line).filter(|i| !used[*i]) {
            used[following] = true;
            line.extend_from_slice(&ways[following][1..]);
        }
        out.push(line);
    }
    out
}

/// Simplifies the parts of a coastline that are far away.
fn thinned(line: &[Point], near: f64) -> Vec<Point> {
    let is_near = |p: &Point| p[0].abs().max(p[1].abs()) < near;
    let mut out: Vec<Point> = Vec::with_capacity(line.len());
    for run in line.chunk_by(|a, b| is_near(a) == is_near(b)) {
        if is_near(&run[0]) {
            out.extend_from_slice(run);
        } else {
            let run: LineString = run.iter().map(|p| Coord { x: p[0], y: p[1] }).collect();
            out.extend(run.simplify(COARSE).0.iter().map(|c| [c.x, c.y]));
        }
    }
    out
}

fn of_coasts(coasts: &[Vec<Point>], square: Bounds, covered: Option<[Point; 2]>) -> Sea {
    let mut whole = square;
    let mut edge = [false; 4];
    if let Some([low, high]) = covered {
        let map = [low[0], low[1], high[0], high[1]];
        edge = std::array::from_fn(|i| if i < 2 { map[i] > square[i] } else { map[i] < square[i] });
        whole = std::array::from_fn(|i| if edge[i] { map[i] } else { square[i] });
    }
    let ends: Vec<Point> =
        coasts.iter().filter(|c| c.len() >= 2 && c.first() != c.last()).flat_map(|c| [c[0], c[c.len() - 1]]).collect();
    let missed = |text: &str| Sea { polygons: Vec::new(), missed: Some(text.to_owned()) };
    let Some(window) = before_breaks(&ends, whole, edge) else {
        return missed("The sea is left out: the coastline on the map breaks off near by.");
    };
    let Some(mut polygons) = close::water(coasts, window) else {
        return missed("The sea is left out: the coastline on the map contradicts itself.");
    };
    let to_edge: [bool; 4] = std::array::from_fn(|i| edge[i] && (window[i] - whole[i]).abs() <= EDGE);
    for point in polygons.iter_mut().flat_map(|p| std::iter::once(&mut p.outer).chain(&mut p.holes)).flatten() {
        for side in (0..4).filter(|side| to_edge[*side]) {
            // Within a millimeter, because the boolean operations snap to a grid.
            if (point[side % 2] - window[side]).abs() < 1e-3 {
                point[side % 2] = whole[side];
            }
        }
    }
    let is_cut = (0..4).any(|i| window[i] != whole[i] && !to_edge[i]);
    let missed = is_cut.then(|| "The sea is drawn as far as the coastline on the map is whole, no farther.".to_owned());
    Sea { polygons, missed }
}

/// Shrinks the window so that no coastline ends inside it; `None` where one ends too near.
fn before_breaks(ends: &[Point], whole: Bounds, edge: [bool; 4]) -> Option<Bounds> {
    let mut window = whole;
    let mut ends = ends.to_vec();
    ends.sort_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])));
    for end in ends {
        let inside = (0..2).all(|i| window[i] < end[i] && end[i] < window[i + 2]);
        if !inside {
            continue;
        }
        let cuts = (0..4).filter_map(|side| {
            let inwards = if side < 2 { 1.0 } else { -1.0 };
            let at = end[side % 2] + inwards;
            let on_edge = edge[side] && (at - whole[side]).abs() <= EDGE;
            (on_edge || -at * inwards >= LEAST).then(|| {
                let mut cut = window;
                cut[side] = at;
                (on_edge, cut)
            })
        });
        let best = cuts.max_by(|a, b| a.0.cmp(&b.0).then(area_of(a.1).total_cmp(&area_of(b.1))))?;
        window = best.1;
    }
    (area_of(window) > 0.0).then_some(window)
}

fn area_of(w: Bounds) -> f64 {
    (w[2] - w[0]).max(0.0) * (w[3] - w[1]).max(0.0)
}

impl Sea {
    /// Inserts the sea into the areas of a place: land use and land cover end at it, and areas built into it stay on
    /// top. Flattens the ground below it. Returns why all or part of the sea is missing, if so.
    pub(super) fn lay(self, areas: &mut Vec<Area>, buildings: &[Building], terrain: &mut Terrain) -> Option<String> {
        if self.polygons.is_empty() {
            return self.missed;
        }
        let water = banded(&self.polygons);
        let drowned = buildings.iter().filter(|b| water.contains(geometry::centroid(&b.footprint.outer))).count();
        if drowned as f64 > DROWNED * buildings.len() as f64 {
            return Some(
                "The sea is left out: by the coastline on the map it would lie where houses stand.".to_owned(),
            );
        }
        flatten(terrain, &water);
        let whole = MultiPolygon(self.polygons.iter().map(Polygon::to_geo).collect());
        let mut sea = whole.clone();
        let shore: Vec<Point> =
            self.polygons.iter().flat_map(|p| p.holes.iter().chain([&p.outer])).flatten().copied().collect();
        let meets = |area: &Area| {
            let [west, south, east, north] = geometry::bounds(&area.polygon.outer);
            let within = |p: &&Point| (west..=east).contains(&p[0]) && (south..=north).contains(&p[1]);
            area.polygon.outer.iter().any(|p| water.contains(*p))
                || shore.iter().filter(within).any(|p| area.polygon.contains(*p))
        };
        let mut out = Vec::with_capacity(areas.len() + 1);
        for area in areas.drain(..) {
            match rank(area.kind) {
                BUILT if meets(&area) => {
                    sea = sea.difference(&area.polygon.to_geo());
                    out.push(area);
                }
                BUILT.. => out.push(area),
                _ if meets(&area) => {
                    out.extend(parts(&area.polygon.to_geo().difference(&whole), &area.id, area.kind));
                }
                _ => out.push(area),
            }
        }
        let at = out.partition_point(|a| rank(a.kind) < rank(AreaKind::Water));
        out.splice(at..at, parts(&sea, "sea", AreaKind::Water));
        *areas = out;
        self.missed
    }
}

/// Rank of built areas, which may extend into the sea. Higher ranks are water; lower ones end at the sea.
const BUILT: u8 = 4;

fn parts(shape: &MultiPolygon, id: &str, kind: AreaKind) -> Vec<Area> {
    let polygons = shape.0.iter().filter_map(Polygon::from_geo);
    let id = |part| if part == 0 { id.to_owned() } else { format!("{id}#{part}") };
    polygons.enumerate().map(|(part, polygon)| Area { id: id(part), kind, polygon }).collect()
}

fn banded(polygons: &[Polygon]) -> BandedPolygons {
    let rings = |p: &Polygon| std::iter::once(&p.outer).chain(&p.holes).cloned().collect();
    BandedPolygons::new(&polygons.iter().map(rings).collect::<Vec<_>>())
}

/// Sets the ground below water to its median height, except at the property.
fn flatten(terrain: &mut Terrain, water: &BandedPolygons) {
    let ([x, y], spacing, columns) = (terrain.min, terrain.spacing, terrain.columns);
    let at = |i: usize| [x + (i % columns) as f64 * spacing, y + (i / columns) as f64 * spacing];
    let is_wet = |i: &usize| at(*i).iter().any(|v| v.abs() > spacing) && water.contains(at(*i));
    let wet: Vec<usize> = (0..terrain.heights.len()).filter(is_wet).collect();
    let mut heights: Vec<f32> = wet.iter().map(|i| terrain.heights[*i]).collect();
    if heights.is_empty() {
        return;
    }
    let middle = heights.len() / 2;
    let level = *heights.select_nth_unstable_by(middle, f32::total_cmp).1;
    for i in wet {
        terrain.heights[i] = level;
    }
}

#[cfg(test)]
mod tests;
