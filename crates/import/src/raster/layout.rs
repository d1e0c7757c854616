//! Lays a raster of numbers out as tiles in web Mercator, by GDAL's tools.

use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::Command;

use aerie_geodata::mercator::CIRCUMFERENCE;
use image::{ImageFormat, Rgba, RgbaImage};
use rusqlite::{Connection, params};
use serde_json::Value;

use super::conversion::Conversion;
use crate::error::ImportError;

/// Side of the generated tiles, pixels.
pub(crate) const SIDE: usize = 256;
/// Maximum width converted, pixels: rasters are converted in strips of 256 rows.
const WIDEST: i64 = 1 << 20;
/// Where the tiles of a raster lie.
pub(super) struct Layout {
    /// The zoom with about the resolution of the raster.
    pub(super) zoom: i32,
    /// Side of a pixel of the raster, meters of web Mercator.
    pub(super) step: f64,
    /// West, south, east and north edge in web Mercator.
    edges: [f64; 4],
    /// First and last column.
    columns: [i64; 2],
    /// First and last row, from the north.
    rows: [i64; 2],
}

impl Layout {
    /// Tiles at the zoom with about the resolution of the raster, `finest` at most.
    pub(super) fn of(work: &Conversion<'_>, source: &Path, finest: i32) -> Result<Self, ImportError> {
        let folder = work.copy.parent().unwrap_or(work.path);
        let warped = folder.join("warped.vrt");
        work.run(Command::new("gdalwarp").args(["-q", "-of", "VRT", "-t_srs", "EPSG:3857"]).arg(source).arg(&warped))?;
        let laid = work.run(Command::new("gdalinfo").arg("-json").arg(&warped))?;
        let laid: Value = serde_json::from_slice(&laid).unwrap_or_default();
        let at = |i: usize| laid["geoTransform"][i].as_f64();
        let size = |i: usize| laid["size"][i].as_f64();
        let nowhere = || ImportError::damaged(work.path, "its position on the map cannot be determined".into());
        let (Some(west), Some(step), Some(north), Some(columns), Some(rows)) = (at(0), at(1), at(3), size(0), size(1))
        else {
            return Err(nowhere());
        };
        let edges = [west, north - rows * step, west + columns * step, north];
        if step <= 0.0 || edges.iter().any(|e| !e.is_finite() || e.abs() > CIRCUMFERENCE / 2.0 * 1.001) {
            return Err(nowhere());
        }
        let zoom = ((CIRCUMFERENCE / (SIDE as f64 * step)).log2() - 0.2).ceil().clamp(5.0, f64::from(finest)) as i32;
        let tile_side = CIRCUMFERENCE / f64::from(zoom).exp2();
        let number =
            |meters: f64| ((meters + CIRCUMFERENCE / 2.0) / tile_side).clamp(0.0, f64::from(zoom).exp2() - 1e-9) as i64;
        let layout = Self {
            zoom,
            step,
            edges,
            columns: [number(edges[0]), number(edges[2])],
            rows: [number(-edges[3]), number(-edges[1])],
        };
        if (layout.columns[1] - layout.columns[0] + 1) * SIDE as i64 > WIDEST {
            return Err(ImportError::unsupported(
                work.path,
                "it is too wide to convert at once; cut it with `gdal_translate -projwin`".into(),
            ));
        }
        Ok(layout)
    }

    /// Side of a tile's pixel, meters of web Mercator.
    pub(super) fn pixel(&self) -> f64 {
        self.tile_side() / SIDE as f64
    }

    fn tile_side(&self) -> f64 {
        CIRCUMFERENCE / f64::from(self.zoom).exp2()
    }

    /// Stores every tile, with the `color` of each value; `None` where the raster has none. `(source, no_data)`: the raster, and its
    /// no-data value if it names none or a wrong one; `(stage, resampling)`: for the progress, and for GDAL.
    pub(super) fn lay(
        &self,
        work: &Conversion<'_>,
        (source, no_data): (&Path, Option<f64>),
        db: &Connection,
        (stage, resampling): (&'static str, &str),
        color: &mut dyn FnMut(Option<f32>) -> Rgba<u8>,
    ) -> Result<(), ImportError> {
        let strip = work.copy.with_file_name("strip.raw");
        let ([x0, x1], [y0, y1]) = (self.columns, self.rows);
        let edge = |number: i64| number as f64 * self.tile_side() - CIRCUMFERENCE / 2.0;
        let width = (x1 - x0 + 1) as usize * SIDE;
        for y in y0..=y1 {
            work.stop_if_canceled()?;
            (work.progress)(stage, (y - y0) as u64, (y1 - y0 + 1) as u64);
            let window = [edge(x0), -edge(y + 1), edge(x1 + 1), -edge(y)].map(|v| format!("{v:.9}"));
            let size = [width, SIDE].map(|n| n.to_string());
            let mut command = Command::new("gdalwarp");
            command.args(["-q", "-overwrite", "-of", "ENVI", "-ot", "Float32", "-dstnodata", "nan"]);
            // GDAL would convert heights to meters where the coordinate system names their unit, but not their scale.
            command.arg("-novshift");
            if let Some(no_data) = no_data {
                command.arg("-srcnodata").arg(no_data.to_string());
            }
            command.args(["-t_srs", "EPSG:3857", "-te_srs", "EPSG:3857", "-r", resampling]);
            command.arg("-te").args(&window).arg("-ts").args(&size).arg(source).arg(&strip);
            work.run(&mut command)?;
            let mut bytes = Vec::new();
            File::open(&strip).and_then(|mut f| f.read_to_end(&mut bytes)).map_err(|e| ImportError::io(&strip, e))?;
            let (words, _) = bytes.as_chunks::<4>();
            if words.len() != width * SIDE {
                return Err(ImportError::damaged(work.path, "gdalwarp returned a raster of an unexpected size".into()));
            }
            let values: Vec<f32> = words.iter().map(|w| f32::from_ne_bytes(*w)).collect();
            for x in x0..=x1 {
                let left = (x - x0) as usize * SIDE;
                let picture = RgbaImage::from_fn(SIDE as u32, SIDE as u32, |i, j| {
                    let value = values[j as usize * width + left + i as usize];
                    color(Some(value).filter(|value| value.is_finite()))
                });
                put(db, self.zoom, x, y, &picture)?;
            }
        }
        fs::remove_file(&strip).map_err(|e| ImportError::io(&strip, e))
    }

    /// Writes the metadata of tiles from this zoom on.
    pub(super) fn describe(&self, db: &Connection, coarsest: i32, encoding: &str) -> Result<(), ImportError> {
        let degrees = |x: f64, y: f64| {
            let lat = (std::f64::consts::PI * 2.0 * y / CIRCUMFERENCE).sinh().atan().to_degrees();
            format!("{:.7},{lat:.7}", x / CIRCUMFERENCE * 360.0)
        };
        let [west, south, east, north] = self.edges;
        for (name, value) in [
            ("format", "png".to_owned()),
            ("encoding", encoding.to_owned()),
            ("minzoom", coarsest.to_string()),
            ("maxzoom", self.zoom.to_string()),
            ("bounds", format!("{},{}", degrees(west, south), degrees(east, north))),
        ] {
            db.execute("INSERT INTO metadata VALUES (?1, ?2)", [name, &value])?;
        }
        Ok(())
    }
}

/// Stores a tile, counted from the north, unless it is fully transparent.
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
