//! Converts rasters to tile files: MBTiles is copied, PMTiles unpacked, GeoTIFF converted by GDAL's tools. Heights are
//! stored with the terrain, land cover by itself, everything else with the imagery.

mod conversion;
pub(crate) mod elevation;
mod geotiff;
mod land_cover;
pub(crate) mod layout;
pub(crate) mod mbtiles;
mod pmtiles;
mod surface;

use std::fs;
use std::path::Path;

use aerie_geodata::pack;
use aerie_geodata::tiles::mbtiles::{MbTiles, plain};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use crate::error::ImportError;
use crate::options::ImportOptions;
use crate::report::FileReport;
use crate::work_folder::{WORK_PREFIX, publish};
use conversion::Conversion;

/// Raster formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    MbTiles,
    PmTiles,
    GeoTiff,
}

/// What a raster shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Heights,
    LandCover,
    Imagery,
}

/// The raster format of a file that begins with `head`.
pub(crate) fn recognize(head: &[u8]) -> Option<Format> {
    match head {
        _ if head.starts_with(b"SQLite format 3\0") => Some(Format::MbTiles),
        _ if head.starts_with(b"PMTiles") => Some(Format::PmTiles),
        // Classic TIFF and BigTIFF, of either byte order.
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Format::GeoTiff),
        _ => None,
    }
}

/// Imports imagery or heights into the pack's folder, replacing those of an earlier file of the same name.
pub(crate) fn import(
    path: &Path,
    format: Format,
    folder: &Path,
    report: &mut FileReport,
    progress: &dyn Fn(&'static str, u64, u64),
    options: &ImportOptions<'_>,
) -> Result<(), ImportError> {
    fs::create_dir_all(folder).map_err(|e| ImportError::io(folder, e))?;
    let work =
        tempfile::Builder::new().prefix(WORK_PREFIX).tempdir_in(folder).map_err(|e| ImportError::io(folder, e))?;
    let copy = work.path().join("tiles.mbtiles");
    let conversion = Conversion { path, copy: &copy, progress, options };
    let of_tiles = || match elevation::are_heights(path, &copy)? {
        true => Ok::<_, ImportError>(Content::Heights),
        false => Ok(Content::Imagery),
    };
    let (own, content) = match format {
        Format::MbTiles => (mbtiles::copy(&conversion, report)?, of_tiles()?),
        Format::PmTiles => (pmtiles::convert(&conversion, report)?, of_tiles()?),
        Format::GeoTiff => {
            let info = geotiff::describe(&conversion)?;
            let surface = surface::surface(&info, options.height_unit);
            if let Some(surface) = surface.map_err(|why| ImportError::unsupported(path, why))? {
                let own = elevation::convert_geotiff(&conversion, &info, &surface, report)?;
                count_bands(&info, &[surface.band], surface.alpha, report);
                (own, Content::Heights)
            } else if land_cover::is_land_cover(&info) {
                count_bands(&info, &[1], None, report);
                (land_cover::convert(&conversion, &info)?, Content::LandCover)
            } else {
                let picture = geotiff::picture(&info).map_err(|why| ImportError::unsupported(path, why.into()))?;
                count_bands(&info, &picture.bands, picture.alpha, report);
                (geotiff::convert(&conversion, &info, &picture)?, Content::Imagery)
            }
        }
    };
    let given = options.attribution.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let attribution = given.or(own.map(|text| plain(&text)).filter(|text| !text.is_empty()));
    let Some(attribution) = attribution else {
        return Err(ImportError::unsupported(
            path,
            "it names no attribution; pass one with --attribution, for example --attribution \"© City of …\"".into(),
        ));
    };
    mbtiles::finish(&copy, &report.file, &attribution)?;
    let made = MbTiles::open(&copy).map_err(|why| ImportError::unsupported(path, why))?;
    drop(made);
    let db = Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let tiles: i64 = db.query_row("SELECT count(*) FROM tiles", [], |r| r.get(0))?;
    let tiles = u64::try_from(tiles).unwrap_or(0);
    let (count, to) = match content {
        Content::Heights => (&mut report.terrain_tiles, pack::TERRAIN),
        Content::LandCover => (&mut report.land_cover_tiles, pack::LAND_COVER),
        Content::Imagery => (&mut report.imagery_tiles, pack::IMAGERY),
    };
    *count = tiles;
    if format != Format::GeoTiff {
        report.used(tiles);
    }
    let to = folder.join(to);
    fs::create_dir_all(&to).map_err(|e| ImportError::io(&to, e))?;
    drop(db);
    let name = report.file.strip_suffix(".mbtiles").unwrap_or(&report.file);
    let to = to.join(format!("{name}.mbtiles"));
    publish(&copy, &to).map_err(|e| ImportError::io(&to, e))
}

/// Counts the bands of a raster that were used, and names those that were not.
fn count_bands(info: &Value, used: &[usize], alpha: Option<usize>, report: &mut FileReport) {
    for (i, band) in info["bands"].as_array().into_iter().flatten().enumerate() {
        if used.contains(&(i + 1)) || alpha == Some(i + 1) {
            report.used(1);
            continue;
        }
        let name = band["description"].as_str().or(band["colorInterpretation"].as_str()).unwrap_or_default();
        let name: String = name.chars().take(60).collect();
        report.skip(&format!("band {} ({name}), which is not used", i + 1));
    }
}
