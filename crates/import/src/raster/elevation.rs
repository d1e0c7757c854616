//! Converts elevation rasters to tiles of heights: GeoTIFF by GDAL's tools, and tile files that contain heights rather
//! than pictures.

use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::Command;

use aerie_geodata::mercator::CIRCUMFERENCE;
use aerie_geodata::terrain::terrarium::{self, ON_EARTH};
use aerie_geodata::tiles::mbtiles::metadata;
use aerie_geodata::tiles::tile;
use image::{ImageFormat, RgbaImage};
use rusqlite::{Connection, params};
use serde_json::Value;

use super::conversion::Conversion;
use super::geotiff::own_credit;
use super::mbtiles::create;
use crate::error::ImportError;

/// Side of the generated tiles, pixels.
pub(crate) const SIDE: usize = 256;
/// Maximum zoom generated: 0.8 m per pixel at middle latitudes, as fine as the ground near the property is shown.
const FINEST: i32 = 17;
/// Coarsest zoom derived from it: 57 m per pixel at middle latitudes, about as far apart as the samples of the far ground; and the
/// number of zooms derived at least.
const COARSEST: i32 = 11;
const OVERVIEWS: i32 = 3;
/// Maximum width converted, pixels: heights are converted in strips of 256 rows.
const WIDEST: i64 = 1 << 20;
/// No-data value.
const NONE: f32 = -32_768.0;
/// Tiles sampled to distinguish heights from pictures.
const LOOKED_AT: usize = 12;
/// Maximum height difference between adjacent pixels at the 99th percentile, meters. In a picture, a step of red would
/// be 256 m.
const STEEPEST: f32 = 200.0;

/// Whether `gdalinfo` describes heights: a single band of numbers that are not colors.
pub(super) fn is_heights(info: &Value) -> bool {
    let bands = info["bands"].as_array().map_or(&[][..], Vec::as_slice);
    let number = |band: &Value| {
        ["Int16", "UInt16", "Int32", "UInt32", "Float32", "Float64"].iter().any(|kind| band["type"] == **kind)
    };
    bands.len() == 1 && number(&bands[0])
}

/// Converts a raster of heights to tiles; returns the attribution in the file.
pub(super) fn convert_geotiff(work: &Conversion<'_>, info: &Value) -> Result<Option<String>, ImportError> {
    let unit = info["bands"][0]["unit"].as_str().unwrap_or_default().to_lowercase();
    if ["ft", "feet", "foot"].iter().any(|word| unit.contains(word)) {
        return Err(ImportError::unsupported(
            work.path,
            "its heights are in feet; convert them to meters first, for example with `gdal_translate -ot Float32 -scale \
             0 10000 0 3048`"
                .into(),
        ));
    }
    // Its extent in web Mercator, and its resolution.
    let folder = work.copy.parent().unwrap_or(work.path);
    let warped = folder.join("warped.vrt");
    work.run(Command::new("gdalwarp").args(["-q", "-of", "VRT", "-t_srs", "EPSG:3857"]).arg(work.path).arg(&warped))?;
    let laid = work.run(Command::new("gdalinfo").arg("-json").arg(&warped))?;
    let laid: Value = serde_json::from_slice(&laid).unwrap_or_default();
    let at = |i: usize| laid["geoTransform"][i].as_f64();
    let size = |i: usize| laid["size"][i].as_f64();
    let (Some(west), Some(step), Some(north), Some(columns), Some(rows)) = (at(0), at(1), at(3), size(0), size(1))
    else {
        return Err(ImportError::damaged(work.path, "its position on the map cannot be determined".into()));
    };
    let edges = [west, north - rows * step, west + columns * step, north];
    if step <= 0.0 || edges.iter().any(|e| !e.is_finite() || e.abs() > CIRCUMFERENCE / 2.0 * 1.001) {
        return Err(ImportError::damaged(work.path, "its position on the map cannot be determined".into()));
    }
    // The zoom with about the resolution of the raster.
    let zoom = ((CIRCUMFERENCE / (SIDE as f64 * step)).log2() - 0.2).ceil().clamp(5.0, f64::from(FINEST)) as i32;
    let tile_side = CIRCUMFERENCE / f64::from(zoom).exp2();
    let number = |meters: f64| ((meters + CIRCUMFERENCE / 2.0) / tile_side).clamp(0.0, f64::from(zoom).exp2() - 1e-9);
    let [x0, x1] = [number(edges[0]) as i64, number(edges[2]) as i64];
    let [y0, y1] = [number(-edges[3]) as i64, number(-edges[1]) as i64];
    if (x1 - x0 + 1) * SIDE as i64 > WIDEST {
        return Err(ImportError::unsupported(
            work.path,
            "it is too wide to convert at once; cut it with `gdal_translate -projwin`".into(),
        ));
    }
    let db = Connection::open(work.copy)?;
    create(&db)?;
    db.execute_batch("BEGIN")?;
    let resampling = if step * 1.5 < tile_side / SIDE as f64 { "average" } else { "bilinear" };
    let strip = folder.join("strip.raw");
    let (mut seen, mut strange) = (0_u64, 0_u64);
    for y in y0..=y1 {
        work.stop_if_canceled()?;
        (work.progress)("converting heights", (y - y0) as u64, (y1 - y0 + 1) as u64);
        let edge = |number: i64| number as f64 * tile_side - CIRCUMFERENCE / 2.0;
        let window = [edge(x0), -edge(y + 1), edge(x1 + 1), -edge(y)].map(|v| format!("{v:.9}"));
        let width = (x1 - x0 + 1) as usize * SIDE;
        let size = [width, SIDE].map(|n| n.to_string());
        work.run(
            Command::new("gdalwarp")
                .args([
                    "-q",
                    "-overwrite",
                    "-of",
                    "ENVI",
                    "-ot",
                    "Float32",
                    "-t_srs",
                    "EPSG:3857",
                    "-te_srs",
                    "EPSG:3857",
                ])
                .arg("-te")
                .args(&window)
                .arg("-ts")
                .args(&size)
                .args(["-r", resampling, "-dstnodata", "-32768"])
                .arg(work.path)
                .arg(&strip),
        )?;
        let mut bytes = Vec::new();
        File::open(&strip).and_then(|mut f| f.read_to_end(&mut bytes)).map_err(|e| ImportError::io(&strip, e))?;
        let (words, _) = bytes.as_chunks::<4>();
        if words.len() != width * SIDE {
            return Err(ImportError::damaged(work.path, "gdalwarp returned a raster of an unexpected size".into()));
        }
        let heights: Vec<f32> = words.iter().map(|w| f32::from_ne_bytes(*w)).collect();
        for x in x0..=x1 {
            let left = (x - x0) as usize * SIDE;
            let picture = RgbaImage::from_fn(SIDE as u32, SIDE as u32, |i, j| {
                let height = heights[j as usize * width + left + i as usize];
                let known = height.is_finite() && height != NONE;
                seen += u64::from(known);
                strange += u64::from(known && !ON_EARTH.contains(&height));
                pixel(Some(height).filter(|h| ON_EARTH.contains(h)))
            });
            put(&db, zoom, x, y, &picture)?;
        }
    }
    if seen == 0 {
        return Err(ImportError::unsupported(work.path, "it contains no heights".into()));
    }
    if strange * 100 > seen {
        return Err(ImportError::unsupported(
            work.path,
            "most of its values are not plausible heights in meters; it may not be an elevation model".into(),
        ));
    }
    let lowest = (zoom - OVERVIEWS).clamp(1, COARSEST);
    for coarser in (lowest..zoom).rev() {
        work.stop_if_canceled()?;
        overview(&db, coarser)?;
    }
    let degrees = |x: f64, y: f64| {
        let lat = (std::f64::consts::PI * 2.0 * y / CIRCUMFERENCE).sinh().atan().to_degrees();
        format!("{:.7},{lat:.7}", x / CIRCUMFERENCE * 360.0)
    };
    for (name, value) in [
        ("format", "png".to_owned()),
        ("encoding", "terrarium".to_owned()),
        ("minzoom", lowest.min(zoom).to_string()),
        ("maxzoom", zoom.to_string()),
        ("bounds", format!("{},{}", degrees(edges[0], edges[1]), degrees(edges[2], edges[3]))),
    ] {
        db.execute("INSERT INTO metadata VALUES (?1, ?2)", [name, &value])?;
    }
    db.execute_batch("COMMIT")?;
    db.close().map_err(|(_, e)| e)?;
    fs::remove_file(&strip).map_err(|e| ImportError::io(&strip, e))?;
    Ok(own_credit(info))
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

pub(crate) fn put(db: &Connection, zoom: i32, x: i64, y: i64, picture: &RgbaImage) -> Result<(), ImportError> {
    if picture.pixels().all(|p| p.0[3] == 0) {
        return Ok(());
    }
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).map_err(|e| ImportError::damaged(Path::new("tile"), e.to_string()))?;
    db.prepare_cached("INSERT OR REPLACE INTO tiles VALUES (?1, ?2, ?3, ?4)")?.execute(params![
        zoom,
        x,
        (1_i64 << zoom) - 1 - y,
        png.into_inner()
    ])?;
    Ok(())
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
