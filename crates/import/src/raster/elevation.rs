//! Converts elevation rasters to tiles of heights: GeoTIFF by GDAL's tools, and tile files that contain heights rather
//! than pictures.

use std::path::{Path, PathBuf};
use std::process::Command;

use aerie_geodata::terrain::terrarium::{self, ON_EARTH};
use aerie_geodata::tiles::mbtiles::metadata;
use aerie_geodata::tiles::tile;
use image::RgbaImage;
use rusqlite::Connection;
use serde_json::Value;

use super::conversion::Conversion;
use super::geotiff::own_credit;
use super::layout::{Layout, SIDE, put};
use super::mbtiles::create;
use super::surface::Surface;
use crate::error::ImportError;
use crate::report::FileReport;

/// Maximum zoom generated: 0.8 m per pixel at middle latitudes, as fine as the ground near the property is shown.
const FINEST: i32 = 17;
/// Coarsest zoom derived from it: 57 m per pixel at middle latitudes, about as far apart as the samples of the far ground; and the
/// number of zooms derived at least.
const COARSEST: i32 = 11;
const OVERVIEWS: i32 = 3;
/// Tiles sampled to distinguish heights from pictures.
const LOOKED_AT: usize = 12;
/// Maximum height difference between adjacent pixels at the 99th percentile, meters. In a picture, a step of red would
/// be 256 m.
const STEEPEST: f32 = 200.0;

/// Converts a raster of heights to tiles; returns the attribution in the file.
pub(super) fn convert_geotiff(
    work: &Conversion<'_>,
    info: &Value,
    surface: &Surface,
    report: &mut FileReport,
) -> Result<Option<String>, ImportError> {
    let source = source(work, surface)?;
    let layout = Layout::of(work, &source, FINEST)?;
    let (zoom, step) = (layout.zoom, layout.step);
    let resampling = if step * 1.5 < layout.pixel() { "average" } else { "bilinear" };
    let db = Connection::open(work.copy)?;
    create(&db)?;
    db.execute_batch("BEGIN")?;
    let (mut seen, mut strange) = (0_u64, 0_u64);
    layout.lay(work, (&source, surface.no_data), &db, ("converting heights", resampling), &mut |number| {
        let height = number.map(|number| (f64::from(number) * surface.gain + surface.shift) as f32);
        seen += u64::from(height.is_some());
        strange += u64::from(height.is_some_and(|height| !ON_EARTH.contains(&height)));
        pixel(height.filter(|h| ON_EARTH.contains(h)))
    })?;
    if seen == 0 {
        return Err(ImportError::unsupported(work.path, "it contains no heights".into()));
    }
    if strange * 100 > seen {
        return Err(ImportError::unsupported(
            work.path,
            "many of its values are not plausible heights in meters; it may not be an elevation model, or in another unit: name \
             that with --height-unit"
                .into(),
        ));
    }
    report.note("points with implausible heights, left unknown", strange);
    surface.notes.iter().for_each(|note| report.note(note, 1));
    let lowest = (zoom - OVERVIEWS).clamp(1, COARSEST);
    for coarser in (lowest..zoom).rev() {
        work.stop_if_canceled()?;
        overview(&db, coarser)?;
    }
    layout.describe(&db, lowest.min(zoom), "terrarium")?;
    db.execute_batch("COMMIT")?;
    db.close().map_err(|(_, e)| e)?;
    Ok(own_credit(info))
}

/// What GDAL's tools read heights from: the file, or its band of heights.
fn source(work: &Conversion<'_>, surface: &Surface) -> Result<PathBuf, ImportError> {
    if !surface.is_one_of_many {
        return Ok(work.path.to_owned());
    }
    let band = work.copy.with_file_name("band.vrt");
    let mut command = Command::new("gdal_translate");
    command.args(["-q", "-of", "VRT", "-b"]).arg(surface.band.to_string());
    if let Some(alpha) = surface.alpha {
        command.arg("-mask").arg(alpha.to_string());
    }
    work.run(command.arg(work.path).arg(&band))?;
    Ok(band)
}

pub(crate) fn pixel(height: Option<f32>) -> image::Rgba<u8> {
    let [r, g, b] = height.map_or([0; 3], terrarium::pixel);
    image::Rgba([r, g, b, if height.is_some() { 255 } else { 0 }])
}

/// The picture of a tile, if it is there; tiles are counted from the north.
pub(crate) fn stored(db: &Connection, zoom: i32, x: i64, y: i64) -> Result<Option<RgbaImage>, ImportError> {
    let row = (1_i64 << zoom) - 1 - y;
    let data: Option<Vec<u8>> = rusqlite::OptionalExtension::optional(
        db.prepare_cached("SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")?
            .query_row((zoom, x, row), |r| r.get(0)),
    )?;
    let picture = data.map(|data| tile::picture(&data)).transpose();
    picture.map_err(|why| ImportError::damaged(Path::new("tile"), why))
}

/// Derives a zoom from the next finer one, as the mean of the known heights among each four pixels.
pub(crate) fn overview(db: &Connection, zoom: i32) -> Result<(), ImportError> {
    let tiles: Vec<(i64, i64)> = db
        .prepare("SELECT DISTINCT tile_column / 2, tile_row / 2 FROM tiles WHERE zoom_level = ?1")?
        .query_map([zoom + 1], |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (column, row) in tiles {
        let mut sums = vec![(0.0_f32, 0_u8); SIDE * SIDE];
        for (right, up) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let y = (1_i64 << (zoom + 1)) - 1 - (row * 2 + up);
            let Some(picture) = stored(db, zoom + 1, column * 2 + right, y)? else { continue };
            let (left, top) = (right as usize * SIDE / 2, (1 - up as usize) * SIDE / 2);
            for (i, j, p) in picture.enumerate_pixels() {
                let known = Some([p.0[0], p.0[1], p.0[2]]).filter(|_| p.0[3] > 127).and_then(terrarium::height);
                if let Some(height) = known {
                    let (sum, n) = &mut sums[(top + j as usize / 2) * SIDE + left + i as usize / 2];
                    *sum += height;
                    *n += 1;
                }
            }
        }
        let picture = RgbaImage::from_fn(SIDE as u32, SIDE as u32, |i, j| {
            let (sum, n) = sums[j as usize * SIDE + i as usize];
            pixel((n > 0).then(|| sum / f32::from(n)))
        });
        put(db, zoom, column, (1_i64 << zoom) - 1 - row, &picture)?;
    }
    Ok(())
}

/// Whether a tile file contains heights: its metadata says so, or all its pixels are plausible heights that change as
/// ground does. An unsupported encoding is an error.
pub(super) fn are_heights(path: &Path, copy: &Path) -> Result<bool, ImportError> {
    let db = Connection::open(copy)?;
    match metadata(&db, "encoding")?.as_deref().map(str::trim) {
        Some("terrarium") => return Ok(true),
        Some("mapbox" | "terrainrgb" | "terrain-rgb") => {
            return Err(ImportError::unsupported(
                path,
                "its heights are in Mapbox's encoding; give the source's GeoTIFF, or tiles in the Terrarium encoding"
                    .into(),
            ));
        }
        _ => {}
    }
    let tiles: Vec<Vec<u8>> = db
        .prepare("SELECT tile_data FROM tiles ORDER BY zoom_level DESC LIMIT ?1")?
        .query_map([LOOKED_AT as i64], |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    let mut steps: Vec<f32> = Vec::new();
    for data in &tiles {
        // JPEG: lossy compression would ruin heights.
        if data.starts_with(&[0xff, 0xd8]) {
            return Ok(false);
        }
        let picture = tile::picture(data).map_err(|why| ImportError::damaged(path, why))?;
        let mut last: Option<f32> = None;
        for (i, _, p) in picture.enumerate_pixels() {
            if p.0[3] < 128 {
                last = None;
                continue;
            }
            let Some(height) = terrarium::height([p.0[0], p.0[1], p.0[2]]) else { return Ok(false) };
            steps.extend(last.filter(|_| i > 0).map(|last| (height - last).abs()));
            last = Some(height);
        }
    }
    steps.sort_by(f32::total_cmp);
    // A picture in a single gray would pass for a plain, so require some change.
    let changes = steps.last().is_some_and(|most| *most > 0.0);
    Ok(changes && steps.get(steps.len() * 99 / 100).is_some_and(|steep| *steep < STEEPEST))
}
