//! The outlines of the pack in the coordinates of a point cloud, in meters.

use aerie_geodata::gpkg::{self, Geometry, Layer};
use aerie_lidar::outline::Outline;
use rusqlite::Connection;

use super::cloud::Cloud;
use crate::error::ImportError;

/// Side of the cells that outlines are looked up by, meters.
const CELL: f64 = 8.0;

/// An outline of the pack.
pub(super) struct Known {
    /// Id of the building.
    pub(super) id: String,
    /// In degrees, as it is stored with a roof.
    pub(super) geometry: Geometry,
    pub(super) outline: Outline,
    pub(super) bounds: [f64; 4],
}

/// Outlines that a block meets, in order of their row ids.
pub(super) fn read(db: &Connection, cloud: &mut Cloud<'_>, region: [f64; 4]) -> Result<Vec<Known>, ImportError> {
    let unit = cloud.unit;
    let [west, south, east, north] = region.map(|edge| edge / unit);
    let corners = [[west, south], [east, south], [west, north], [east, north]];
    let mut degrees = Vec::with_capacity(4);
    for corner in corners {
        degrees.push(cloud.projection.degrees(corner)?);
    }
    let bounds = aerie_math::geometry::bounds(&degrees);
    let mut known = Vec::new();
    for stored in gpkg::within(db, Layer::Buildings, bounds)? {
        let Geometry::Polygons(polygons) = stored.geometry else { continue };
        let is_underground = stored.tags.get("location").is_some_and(|place| place == "underground");
        if stored.kind != "building" || is_underground {
            continue;
        }
        for (part, polygon) in polygons.into_iter().enumerate() {
            let mut rings = Vec::with_capacity(polygon.len());
            for ring in &polygon {
                let mut near = [west, south];
                let mut placed = Vec::with_capacity(ring.len());
                for at in ring {
                    near = cloud.projection.position(*at, near)?;
                    placed.push(near.map(|v| v * unit));
                }
                rings.push(placed);
            }
            let id = gpkg::osm_id(stored.fid);
            let id = if part == 0 { id } else { format!("{id}#{part}") };
            let outline = Outline { outer: rings.remove(0), holes: rings };
            let bounds = outline.bounds();
            known.push(Known { id, geometry: Geometry::Polygons(vec![polygon]), outline, bounds });
        }
    }
    Ok(known)
}

/// Which outlines may contain a point.
pub(super) struct Index {
    origin: [f64; 2],
    columns: usize,
    rows: usize,
    cells: Vec<Vec<u32>>,
}

impl Index {
    pub(super) fn of(known: &[Known], [west, south, east, north]: [f64; 4]) -> Self {
        let count = |from: f64, to: f64| ((to - from).max(0.0) / CELL) as usize + 1;
        let (columns, rows) = (count(west, east), count(south, north));
        let mut index = Self { origin: [west, south], columns, rows, cells: vec![Vec::new(); columns * rows] };
        for (number, known) in known.iter().enumerate() {
            let cell = |axis: usize, v: f64, most: usize| {
                ((v - index.origin[axis]) / CELL).floor().clamp(0.0, (most - 1) as f64) as usize
            };
            let (left, right) = (cell(0, known.bounds[0], columns), cell(0, known.bounds[2], columns));
            let (low, high) = (cell(1, known.bounds[1], rows), cell(1, known.bounds[3], rows));
            for row in low..=high {
                for column in left..=right {
                    index.cells[row * columns + column].push(number as u32);
                }
            }
        }
        index
    }

    /// Numbers of the outlines whose bounds may contain a point.
    pub(super) fn near(&self, at: [f64; 2]) -> &[u32] {
        let [x, y] = [0, 1].map(|axis| (at[axis] - self.origin[axis]) / CELL);
        if x < 0.0 || y < 0.0 || x as usize >= self.columns || y as usize >= self.rows {
            return &[];
        }
        &self.cells[y as usize * self.columns + x as usize]
    }
}
