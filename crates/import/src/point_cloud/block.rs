//! A block of a point cloud: what is measured in it.

use std::ops::ControlFlow;

use aerie_geodata::LocalFrame;
use aerie_geodata::gpkg::Geometry;
use aerie_geodata::place::{GeoPoint, MeasuredRoof, RoofMethod, TreeKind};
use aerie_geodata::survey::{Crown, StoredRoof};
use aerie_lidar::error::LidarError;
use aerie_lidar::ground::{self, GroundGrid};
use aerie_lidar::outline::Outline;
use aerie_lidar::roof::{self, Method, RoofPoint, Unmeasured};
use aerie_lidar::trees::Canopy;
use rusqlite::Connection;

use super::cloud::Cloud;
use super::outlines::{self, Index, Known};
use crate::error::ImportError;
use crate::projection::Projection;

/// Side of the blocks that a large file is read in, and how far each is read beyond its edges, meters: memory is bounded, and crowns and
/// roofs at the seams are whole.
const BLOCK: (f64, f64) = (1_150.0, 60.0);
/// A file up to this long is read as one block, meters.
const WHOLE: f64 = 1_290.0;
/// Class of buildings.
const BUILDING: u8 = 6;
/// Classes that are no roof: ground, water, rail, road, wires, bridges.
const NO_ROOF: [u8; 11] = [2, 7, 9, 10, 11, 13, 14, 15, 16, 17, 18];
/// Roofs in clouds without the class of buildings are this far above the ground, meters.
const ABOVE: f64 = 1.5;
/// Share of an outline's points that are classified as building where the class is relied on.
const CLASSIFIED: f64 = 0.4;
/// Side of the cells that say where the ground is known, meters.
const CELL: f64 = 25.0;

/// Why a block could not be read.
pub(super) enum Failure {
    Lidar(LidarError),
    Import(ImportError),
}

impl From<LidarError> for Failure {
    fn from(error: LidarError) -> Self {
        Self::Lidar(error)
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        Self::Import(error)
    }
}

/// A block: west, south, east and north in meters.
pub(super) struct Block {
    own: [f64; 4],
    /// What is read: with a margin, where the file goes on.
    region: [f64; 4],
}

/// What was measured in a block.
pub(super) struct Found {
    pub(super) ground: GroundGrid,
    pub(super) ground_cells: u64,
    /// Corners of the block, longitude and latitude.
    pub(super) corners: [[f64; 2]; 4],
    pub(super) crowns: Vec<Crown>,
    /// Where the ground is known, degrees.
    pub(super) covered: Vec<Vec<Vec<[f64; 2]>>>,
    pub(super) roofs: Vec<(StoredRoof, Geometry)>,
    /// Why roofs were not measured.
    pub(super) unmeasured: Vec<&'static str>,
}

/// Points inside an outline: positions relative to the block, and whether they are classified as building.
type Inside = Vec<([f32; 3], bool)>;

impl Block {
    /// The blocks of an area.
    pub(super) fn of([west, south, east, north]: [f64; 4]) -> Vec<Self> {
        let cuts = |from: f64, to: f64| -> Vec<[f64; 2]> {
            if to - from <= WHOLE {
                return vec![[from, to]];
            }
            let count = ((to - from) / BLOCK.0).ceil().min(10_000.0);
            (0..count as usize).map(|i| [i, i + 1].map(|i| from + (to - from) * i as f64 / count)).collect()
        };
        let (columns, rows) = (cuts(west, east), cuts(south, north));
        let read = |[from, to]: [f64; 2], low: f64, high: f64| [(from - BLOCK.1).max(low), (to + BLOCK.1).min(high)];
        let of = |[left, right]: [f64; 2], [low, high]: [f64; 2]| {
            let (x, y) = (read([left, right], west, east), read([low, high], south, north));
            Self { own: [left, low, right, high], region: [x[0], y[0], x[1], y[1]] }
        };
        rows.iter().flat_map(|row| columns.iter().map(move |column| of(*column, *row))).collect()
    }

    fn holds(&self, [x, y]: [f64; 2]) -> bool {
        let [west, south, east, north] = self.own;
        west <= x && x <= east && south <= y && y <= north
    }

    /// Measures ground, trees and roofs; `None` where there is no ground.
    pub(super) fn read(
        &self,
        db: &Connection,
        cloud: &mut Cloud<'_>,
        canceled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Found>, Failure> {
        let ground = ground::survey(&cloud.reader, Some(self.region))?;
        let ground_cells = ground.heights().iter().filter(|height| !height.is_nan()).count() as u64;
        if ground_cells == 0 {
            return Ok(None);
        }
        let known = outlines::read(db, cloud, self.region)?;
        let index = Index::of(&known, self.region);
        let shapes: Vec<Outline> = known.iter().map(|known| known.outline.clone()).collect();
        let too_large = || LidarError::Unsupported("a block of it is too large".into());
        let mut canopy = Canopy::new(self.region, &ground, &shapes).ok_or_else(too_large)?;
        let mut inside: Vec<Inside> = vec![Vec::new(); known.len()];
        let origin = [self.region[0], self.region[1], 0.0];
        let mut is_canceled = false;
        cloud.reader.read(Some(self.region), &mut |points| {
            for point in points {
                canopy.add(point);
                let [x, y, z] = point.at;
                if NO_ROOF.contains(&point.class) {
                    continue;
                }
                for number in index.near([x, y]) {
                    let number = *number as usize;
                    let [west, south, east, north] = known[number].bounds;
                    let is_near = west <= x && x <= east && south <= y && y <= north;
                    let is_building = point.class == BUILDING;
                    if !is_near || !known[number].outline.contains([x, y]) {
                        continue;
                    }
                    if is_building || ground.height([x, y]).is_some_and(|ground| z - ground > ABOVE) {
                        let at = [0, 1, 2].map(|axis| (point.at[axis] - origin[axis]) as f32);
                        inside[number].push((at, is_building));
                    }
                }
            }
            is_canceled = canceled();
            if is_canceled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if is_canceled {
            return Err(ImportError::Canceled.into());
        }
        let trees = canopy.trees();
        let mut found = Found {
            ground_cells,
            corners: self.corners(cloud)?,
            crowns: self.crowns(&trees, cloud)?,
            covered: self.covered(&ground, cloud)?,
            roofs: Vec::new(),
            unmeasured: Vec::new(),
            ground,
        };
        let roofs = reconstruct(&known, &inside, origin);
        for (known, roof) in known.iter().zip(roofs) {
            let middle = [0, 1].map(|axis| f64::midpoint(known.bounds[axis], known.bounds[axis + 2]));
            if !self.holds(middle) {
                continue;
            }
            match roof {
                Ok(roof) => {
                    let Some(base) = base(known, &found.ground) else {
                        found.unmeasured.push("outline without ground around it");
                        continue;
                    };
                    let stored = stored(known, &roof, base, cloud)?;
                    found.roofs.push((stored, known.geometry.clone()));
                }
                Err(Unmeasured::TooSparse { .. }) => {
                    found.unmeasured.push("outline with fewer than 2 points per square meter");
                }
                Err(_) => found.unmeasured.push("outline whose points show no roof"),
            }
        }
        Ok(Some(found))
    }

    fn corners(&self, cloud: &mut Cloud<'_>) -> Result<[[f64; 2]; 4], ImportError> {
        let [west, south, east, north] = self.region;
        let mut corners = [[west, south], [east, south], [west, north], [east, north]];
        for corner in &mut corners {
            *corner = cloud.projection.degrees(corner.map(|v| v / cloud.unit))?;
        }
        Ok(corners)
    }

    fn crowns(&self, trees: &[aerie_lidar::trees::Tree], cloud: &mut Cloud<'_>) -> Result<Vec<Crown>, ImportError> {
        let mut crowns = Vec::new();
        for tree in trees.iter().filter(|tree| self.holds(tree.at)) {
            let kind = tree.is_conifer.map(|is_conifer| match is_conifer {
                true => TreeKind::Needleleaved,
                false => TreeKind::Broadleaved,
            });
            let at = cloud.projection.degrees(tree.at.map(|v| v / cloud.unit))?;
            crowns.push(Crown { at, height: tree.height, crown: tree.crown, kind });
        }
        Ok(crowns)
    }

    /// Rectangles over the cells whose ground is known, a row at a time.
    fn covered(&self, ground: &GroundGrid, cloud: &mut Cloud<'_>) -> Result<Vec<Vec<Vec<[f64; 2]>>>, ImportError> {
        let [west, south, east, north] = self.own;
        let count = |from: f64, to: f64| ((to - from) / CELL).ceil().max(1.0) as usize;
        let (columns, rows) = (count(west, east), count(south, north));
        let mut rectangles = Vec::new();
        for row in 0..rows {
            let low = south + row as f64 * CELL;
            let high = (low + CELL).min(north);
            let is_known = |column: usize| {
                let x = west + (column as f64 + 0.5) * CELL;
                ground.height([x.min(east), f64::midpoint(low, high)]).is_some()
            };
            let mut column = 0;
            while column < columns {
                let first = column;
                while column < columns && is_known(column) {
                    column += 1;
                }
                if column > first {
                    let (left, right) = (west + first as f64 * CELL, (west + column as f64 * CELL).min(east));
                    let mut ring = vec![[left, low], [right, low], [right, high], [left, high]];
                    for corner in &mut ring {
                        *corner = cloud.projection.degrees(corner.map(|v| v / cloud.unit))?;
                    }
                    rectangles.push(vec![ring]);
                }
                column += 1;
            }
        }
        Ok(rectangles)
    }
}

/// Reconstructs the roofs of outlines, on all processors.
fn reconstruct(known: &[Known], inside: &[Inside], origin: [f64; 3]) -> Vec<Result<roof::Roof, Unmeasured>> {
    let one = |(known, inside): (&Known, &Inside)| {
        let buildings = inside.iter().filter(|point| point.1).count();
        let is_classified = buildings as f64 >= CLASSIFIED * inside.len() as f64;
        let points: Vec<RoofPoint> = inside
            .iter()
            .filter(|point| point.1 || !is_classified)
            .map(|(at, is_building)| {
                let at = [0, 1, 2].map(|axis| f64::from(at[axis]) + origin[axis]);
                RoofPoint { at, is_building: *is_building }
            })
            .collect();
        roof::reconstruct(&known.outline, &points)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = known.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let parts = known.chunks(share).zip(inside.chunks(share));
        let running: Vec<_> = parts
            .map(|(known, inside)| scope.spawn(move || known.iter().zip(inside).map(one).collect::<Vec<_>>()))
            .collect();
        let results =
            running.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.flatten().collect()
    })
}

/// Height of the ground around an outline: the median along its walls.
fn base(known: &Known, ground: &GroundGrid) -> Option<f64> {
    let ring = &known.outline.outer;
    let mut heights = Vec::new();
    for (a, b) in aerie_math::geometry::edges(ring) {
        let length = aerie_math::geometry::distance(a, b);
        let steps = (length / 2.0).ceil().clamp(1.0, 200.0) as usize;
        let walk = (0..steps).map(|i| (i as f64 + 0.5) / steps as f64);
        heights.extend(walk.filter_map(|t| ground.height([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t])));
    }
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied()
}

/// A roof as the pack stores it.
fn stored(known: &Known, roof: &roof::Roof, base: f64, cloud: &mut Cloud<'_>) -> Result<StoredRoof, ImportError> {
    let Cloud { projection, unit, .. } = cloud;
    let degrees = |projection: &mut Projection<'_>, at: [f64; 2]| projection.degrees(at.map(|v| v / *unit));
    let origin = degrees(projection, known.outline.outer[0])?;
    let frame = LocalFrame::new(GeoPoint { lat: origin[1], lon: origin[0] });
    let mut faces = Vec::with_capacity(roof.faces.len());
    for face in &roof.faces {
        let mut corners = Vec::with_capacity(face.len());
        for [x, y, z] in face {
            let [lon, lat] = degrees(projection, [*x, *y])?;
            let [x, y] = frame.local(lon, lat);
            corners.push([x, y, z - base]);
        }
        faces.push(corners);
    }
    let method = match roof.method {
        Method::Planes => RoofMethod::Planes,
        Method::Template => RoofMethod::Template,
    };
    let measured = MeasuredRoof {
        faces,
        ground: base,
        source: cloud.source.clone(),
        // The year of the file says little of that of the flight.
        year: cloud.reader.header().year.filter(|_| cloud.reader.header().is_flight_year),
        method,
        rms: Some(roof.rms),
        covered: roof.covered,
    };
    let mut stored = StoredRoof::new(known.id.clone(), origin, &measured);
    stored.credit = cloud.credit.map(str::to_owned);
    Ok(stored)
}
