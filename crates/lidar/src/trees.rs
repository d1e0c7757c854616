//! Trees in a point cloud: crowns of the canopy outside buildings.
//!
//! Points are fed one by one to a [`Canopy`] over a known ground. Their highest echoes form a surface, which is split into
//! crowns, with the help of visible stems; crowns that do not look like trees are dropped, and the others are measured.

mod crowns;
mod echo;
mod measure;
mod stems;
mod surface;

use crate::ground::GroundGrid;
use crate::outline::Outline;
use crate::reader::Point;

pub use echo::Tree;
use echo::{CELL, Echo, STEP};

/// Points below are grass, cars and fences; the highest tree of the world has 116 m.
const HEIGHTS: [f64; 2] = [1.0, 120.0];
/// No tree stands this close to a building, meters.
const CLEARANCE: f64 = 0.3;
/// Cells whose center is this close to a building hold façades and eaves, meters.
const WALL: f64 = 0.45;
/// Unclassified points: trees, and cars, façades and fences with them.
const UNCLASSIFIED: [u8; 2] = [0, 1];
/// Low, medium and high vegetation.
const VEGETATION: [u8; 3] = [3, 4, 5];
/// From this share of points on, classes of vegetation are taken at their word.
const CLASSIFIED: f64 = 0.2;
/// Longest side of an area, meters.
const LONGEST: f64 = 1300.0;

/// Collects the points that may belong to trees.
#[derive(Debug)]
pub struct Canopy<'a> {
    ground: &'a GroundGrid,
    outlines: &'a [Outline],
    origin: [f64; 2],
    columns: usize,
    rows: usize,
    is_built: Vec<bool>,
    echoes: Vec<Echo>,
}

impl<'a> Canopy<'a> {
    /// A collector for an area: west, south, east and north. None if it is empty or a side is longer than 1,300 m.
    #[must_use]
    pub fn new([west, south, east, north]: [f64; 4], ground: &'a GroundGrid, outlines: &'a [Outline]) -> Option<Self> {
        let count = |from: f64, to: f64| {
            let length = to - from;
            (0.0..=LONGEST).contains(&length).then_some((length / CELL) as usize + 1)
        };
        let (columns, rows) = (count(west, east)?, count(south, north)?);
        let origin = [west, south];
        let is_built = built(outlines, origin, columns, rows);
        Some(Self { ground, outlines, origin, columns, rows, is_built, echoes: Vec::new() })
    }

    /// Adds a point. Ground, buildings, and what lies inside or at the walls of the outlines are ignored.
    pub fn add(&mut self, point: &Point) {
        let is_vegetation = VEGETATION.contains(&point.class);
        if !is_vegetation && !UNCLASSIFIED.contains(&point.class) {
            return;
        }
        let [x, y] = [point.at[0] - self.origin[0], point.at[1] - self.origin[1]];
        if !(x >= 0.0 && y >= 0.0) {
            return;
        }
        let (column, row) = ((x / CELL) as usize, (y / CELL) as usize);
        if column >= self.columns || row >= self.rows || self.is_built[row * self.columns + column] {
            return;
        }
        let Some(ground) = self.ground.height([point.at[0], point.at[1]]) else { return };
        let height = point.at[2] - ground;
        if (HEIGHTS[0]..HEIGHTS[1]).contains(&height) {
            let pack = |part: f64| (part / STEP) as u16;
            self.echoes.push(Echo {
                x: pack(x),
                y: pack(y),
                height: pack(height),
                is_multiple: point.number_of_returns > 1,
                is_vegetation,
            });
        }
    }

    /// Finds the trees, from west to east.
    #[must_use]
    pub fn trees(mut self) -> Vec<Tree> {
        let classified = self.echoes.iter().filter(|echo| echo.is_vegetation).count();
        if classified as f64 > CLASSIFIED * self.echoes.len() as f64 {
            self.echoes.retain(|echo| echo.is_vegetation);
        }
        let surface = surface::Surface::of(&self.echoes, self.columns, self.rows);
        let mut crowns = crowns::split(&surface);
        let stems = stems::find(&surface, &crowns, &self.echoes);
        let stems = stems::split(&surface, &mut crowns, &stems);
        let mut trees: Vec<Tree> = measure::measure(&surface, &crowns, &stems, &self.echoes)
            .into_iter()
            .map(|tree| Tree { at: [tree.at[0] + self.origin[0], tree.at[1] + self.origin[1]], ..tree })
            .filter(|tree| self.outlines.iter().all(|outline| is_clear(outline, tree.at)))
            .collect();
        trees.sort_by(|one, other| one.at[0].total_cmp(&other.at[0]).then(one.at[1].total_cmp(&other.at[1])));
        trees
    }
}

fn is_clear(outline: &Outline, [x, y]: [f64; 2]) -> bool {
    let [west, south, east, north] = outline.bounds();
    let is_far = x < west - CLEARANCE || x > east + CLEARANCE || y < south - CLEARANCE || y > north + CLEARANCE;
    is_far || outline.distance([x, y]) > CLEARANCE
}

/// The cells whose centers lie inside outlines or at their walls.
fn built(outlines: &[Outline], origin: [f64; 2], columns: usize, rows: usize) -> Vec<bool> {
    let mut cells = vec![false; columns * rows];
    for outline in outlines {
        let [west, south, east, north] = outline.bounds();
        let range = |low: f64, high: f64, from: f64, count: usize| {
            let first = ((low - WALL - from) / CELL).max(0.0) as usize;
            // Casts of negative and of undefined numbers are zero: such outlines have no cells.
            let end = ((high + WALL - from) / CELL).ceil().max(0.0) as usize;
            first..end.min(count)
        };
        for row in range(south, north, origin[1], rows) {
            for column in range(west, east, origin[0], columns) {
                let at = [origin[0] + (column as f64 + 0.5) * CELL, origin[1] + (row as f64 + 0.5) * CELL];
                let cell = &mut cells[row * columns + column];
                *cell = *cell || outline.distance(at) <= WALL;
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests;
