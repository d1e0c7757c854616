//! Converts ESA WorldCover to tiles whose pixels are its classes.

use aerie_geodata::land_cover;
use image::Rgba;
use rusqlite::Connection;
use serde_json::Value;

use super::conversion::Conversion;
use super::geotiff::own_credit;
use super::layout::Layout;
use super::mbtiles::create;
use crate::error::ImportError;

/// Finest zoom: 7 m per pixel at middle latitudes, as the raster has 10 m.
const FINEST: i32 = 14;
/// Entries of the color table by which the raster is known: trees, built-up land and water.
const COLORS: [(usize, [u64; 3]); 3] = [(10, [0, 100, 0]), (50, [250, 0, 0]), (80, [0, 100, 200])];
/// Attribution of a copy that has lost its own.
const CREDIT: &str =
    "ESA WorldCover / Contains modified Copernicus Sentinel data processed by the ESA WorldCover consortium";

/// Whether `gdalinfo` describes a land cover map of WorldCover: its colors are part of every copy.
pub(super) fn is_land_cover(info: &Value) -> bool {
    let bands = info["bands"].as_array().map_or(&[][..], Vec::as_slice);
    let [band] = bands else { return false };
    let entry = |class: usize, channel: usize| band["colorTable"]["entries"][class][channel].as_u64();
    band["type"] == "Byte"
        && COLORS.iter().all(|(class, color)| (0..3).all(|channel| entry(*class, channel) == Some(color[channel])))
}

/// Converts the raster to tiles of classes; returns the attribution in the file.
pub(super) fn convert(work: &Conversion<'_>, info: &Value) -> Result<Option<String>, ImportError> {
    let layout = Layout::of(work, work.path, FINEST)?;
    let db = Connection::open(work.copy)?;
    create(&db)?;
    db.execute_batch("BEGIN")?;
    let mut known = false;
    layout.lay(work, (work.path, None), &db, ("converting land cover", "near"), &mut |value| {
        let class = value.map(|value| value as u8).filter(|class| land_cover::Class::of(*class).is_some());
        known |= class.is_some();
        class.map_or(Rgba([0; 4]), |class| Rgba([class, class, class, 255]))
    })?;
    if !known {
        return Err(ImportError::unsupported(work.path, "it contains no land cover".into()));
    }
    layout.describe(&db, layout.zoom, land_cover::ENCODING)?;
    db.execute_batch("COMMIT")?;
    db.close().map_err(|(_, e)| e)?;
    Ok(own_credit(info).or_else(|| Some(CREDIT.to_owned())))
}
