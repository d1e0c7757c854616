//! Imports point clouds of aerial surveys: roofs inside the outlines of the pack, trees, and the ground.

mod block;
mod cloud;
mod ground_tiles;
mod outlines;

use std::path::Path;

use aerie_geodata::gpkg::Geometry;
use aerie_geodata::pack;
use aerie_geodata::survey::{self, Crown};
use aerie_lidar::error::LidarError;
use aerie_lidar::reader::Reader;
use rusqlite::Connection;

use crate::city_model::coordinate_system;
use crate::error::ImportError;
use crate::options::ImportOptions;
use crate::projection::Projection;
use crate::report::FileReport;
use crate::tool::Tools;
use crate::work_folder::publish;
use block::Block;
use cloud::Cloud;
use ground_tiles::GroundTiles;

/// Maximum number of blocks.
const MOST_BLOCKS: usize = 400;

/// Imports a point cloud into the pack.
pub(crate) fn import(
    db: &Connection,
    path: &Path,
    (work, folder): (&Path, &Path),
    report: &mut FileReport,
    progress: &dyn Fn(&'static str, u64, u64),
    options: &ImportOptions<'_>,
) -> Result<(), ImportError> {
    let failed = |error: LidarError| match error {
        LidarError::Io(source) => ImportError::io(path, source),
        LidarError::Unsupported(why) => ImportError::unsupported(path, why),
        error => ImportError::damaged(path, error.to_string()),
    };
    let mut reader = Reader::open(path).map_err(failed)?;
    let tools = Tools { path, folder: work, options };
    let own = reader.header().crs.as_ref().map(|crs| crs.definition.clone());
    let crs = coordinate_system(own, &tools, report)?;
    // A coordinate system that was given has its own units.
    let vertical = if options.crs.is_some() { None } else { reader.header().unit_to_meters.vertical };
    let projection = Projection::new(tools, crs, vertical)?;
    let Some(unit) = projection.unit() else {
        return Err(ImportError::unsupported(
            path,
            "its positions are in degrees; reproject it to a grid in meters, for example with `pdal translate`".into(),
        ));
    };
    reader.set_units(unit, projection.vertical());
    let [low, high] = reader.header().bounds;
    let bounds = [low[0] * unit, low[1] * unit, high[0] * unit, high[1] * unit];
    let blocks = Block::of(bounds);
    if blocks.len() > MOST_BLOCKS {
        return Err(ImportError::unsupported(
            path,
            "it covers more than 500 square kilometers; cut it into tiles".into(),
        ));
    }
    let credit = options.attribution.map(str::trim).filter(|text| !text.is_empty());
    let source = credit.map_or_else(|| report.file.clone(), str::to_owned);
    let mut cloud = Cloud { reader, projection, unit, source, credit };
    let tile_file = work.join("ground.mbtiles");
    let mut tiles = GroundTiles::create(&tile_file)?;
    let mut crowns: Vec<Crown> = Vec::new();
    let mut covered = Vec::new();
    let mut outlines = 0;
    let total = blocks.len() as u64;
    for (number, block) in blocks.iter().enumerate() {
        progress("reading points", number as u64, total);
        if (options.canceled)() {
            return Err(ImportError::Canceled);
        }
        let Some(found) = block.read(db, &mut cloud, options.canceled).map_err(|error| match error {
            block::Failure::Lidar(error) => failed(error),
            block::Failure::Import(error) => error,
        })?
        else {
            continue;
        };
        report.measured_ground_cells += found.ground_cells;
        outlines += found.roofs.len() + found.unmeasured.len();
        tiles.add(&found.ground, &mut cloud.projection, (found.corners, unit))?;
        crowns.extend(found.crowns);
        covered.extend(found.covered);
        found.unmeasured.iter().for_each(|reason| report.skip(reason));
        for (roof, outline) in found.roofs {
            let better = survey::cloud_roof(db, &roof.id)?
                .is_some_and(|old| old.source != roof.source && old.covered() > roof.covered() + 0.02);
            if better {
                report.skip("outline that another point cloud covers better");
            } else {
                roof.put(db, &outline)?;
                report.measured_roofs += 1;
                report.used(1);
            }
        }
    }
    report.measured_trees = crowns.len() as u64;
    if covered.is_empty() {
        return Err(ImportError::unsupported(
            path,
            "its points show no ground, which heights are counted from; give the whole tile, with all of its classes"
                .into(),
        ));
    }
    if outlines == 0 {
        report.note("clouds without roofs, as the map has no buildings there: import the map, then this file again", 1);
    }
    survey::put_trees(db, &report.file, credit, &Geometry::Polygons(covered), &crowns)?;
    let name = report.file.clone();
    if tiles.finish(&tile_file, &name, credit.unwrap_or_default())? {
        let to = folder.join(pack::TERRAIN);
        std::fs::create_dir_all(&to).map_err(|e| ImportError::io(&to, e))?;
        let to = to.join(format!("{name}.mbtiles"));
        publish(&tile_file, &to).map_err(|e| ImportError::io(&to, e))?;
    }
    Ok(())
}
