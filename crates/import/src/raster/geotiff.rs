//! Converts GeoTIFF by GDAL's tools.

use std::process::Command;

use aerie_geodata::tiles::tile;
use image::codecs::jpeg::JpegEncoder;
use rusqlite::{Connection, params};
use serde_json::Value;

use super::conversion::Conversion;
use crate::error::ImportError;

/// Quality of JPEG tiles.
const QUALITY: u8 = 90;

/// The attribution in a GeoTIFF.
pub(super) fn own_credit(info: &Value) -> Option<String> {
    let own = ["TIFFTAG_COPYRIGHT", "ATTRIBUTION", "attribution", "copyright"];
    let metadata = info.pointer("/metadata/");
    own.iter().find_map(|name| metadata?.get(name)?.as_str().map(str::to_owned))
}

/// Maximum number of pixels for each byte of the file, and what any file may have. A picture has ten at most, a sparse one a hundred.
const MAX_PIXELS_PER_BYTE: u64 = 1000;
const FREE_PIXELS: u64 = 64 << 20;

/// Describes a georeferenced GeoTIFF by `gdalinfo`.
pub(super) fn describe(work: &Conversion<'_>) -> Result<Value, ImportError> {
    (work.progress)("reading", 0, 0);
    let info = work.run(Command::new("gdalinfo").args(["-json", "-if", "GTiff"]).arg(work.path))?;
    let info: Value = serde_json::from_slice(&info)
        .map_err(|e| ImportError::damaged(work.path, format!("the output of gdalinfo cannot be read: {e}")))?;
    if info.pointer("/coordinateSystem/wkt").and_then(Value::as_str).is_none_or(str::is_empty)
        || info.get("geoTransform").is_none()
    {
        return Err(ImportError::unsupported(
            work.path,
            "it does not say where it lies; give it a position, for instance with \
             `gdal_translate -a_srs EPSG:… -a_ullr WEST NORTH EAST SOUTH`"
                .into(),
        ));
    }
    let size = |i: usize| info["size"][i].as_u64().unwrap_or(u64::MAX);
    let length = std::fs::metadata(work.path).map_err(|e| ImportError::io(work.path, e))?.len();
    if size(0).saturating_mul(size(1)) > length.saturating_mul(MAX_PIXELS_PER_BYTE).max(FREE_PIXELS) {
        let why = format!(
            "it claims {} by {} pixels in {length} bytes, which is more than {MAX_PIXELS_PER_BYTE} pixels for each byte",
            size(0),
            size(1)
        );
        return Err(ImportError::damaged(work.path, why));
    }
    check_pixels(&info).map_err(|why| ImportError::damaged(work.path, why))?;
    Ok(info)
}

/// Greatest ratio of a pixel's sides. Tiles have square pixels, so that long ones would become many.
const MAX_RATIO: f64 = 8.0;

/// Checks the position in the output of `gdalinfo`.
fn check_pixels(info: &Value) -> Result<(), String> {
    let position = |i: usize| info["geoTransform"][i].as_f64().filter(|value| value.is_finite());
    let [Some(a), Some(b), Some(d), Some(e)] = [1, 4, 2, 5].map(position) else {
        return Err("its position is not made of finite numbers".to_owned());
    };
    let (width, height) = (a.hypot(b), d.hypot(e));
    let ratio = (width / height).max(height / width);
    match ratio <= MAX_RATIO {
        true => Ok(()),
        false => Err(format!(
            "its pixels are {width:e} by {height:e} units, too long for tiles, whose pixels are square; if that is so, resample it \
             with `gdalwarp -tr SIZE SIZE`"
        )),
    }
}

/// Converts a picture to tiles; returns the attribution in the file.
pub(super) fn convert(work: &Conversion<'_>, info: &Value) -> Result<Option<String>, ImportError> {
    let unsupported = |why: &str| Err(ImportError::unsupported(work.path, why.into()));
    let bands = info["bands"].as_array().map_or(&[][..], Vec::as_slice);
    let kind = |band: &Value| band["colorInterpretation"].as_str().unwrap_or_default().to_owned();
    if bands.iter().take(3).any(|band| band["type"] != "Byte") {
        return unsupported(
            "its pixels are not 8-bit colors; where it is a picture, scale it with `gdal_translate -ot Byte -scale`, \
             where it holds heights, give it with that band alone: `gdal_translate -b 1`",
        );
    }
    let mut command = Command::new("gdal_translate");
    command.args(["-q", "-if", "GTiff", "-of", "MBTILES", "-co", "TILE_FORMAT=PNG"]);
    command.args(["-co", "ZOOM_LEVEL_STRATEGY=UPPER", "-co", "RESAMPLING=CUBIC", "-co", "TYPE=baselayer"]);
    match bands.len() {
        1 if kind(&bands[0]) == "Palette" => {
            command.args(["-expand", "rgb"]);
        }
        0..3 => return unsupported("it is no picture in color: red, green and blue are wanted"),
        // The fourth band may be near infrared.
        n => {
            command.args(["-b", "1", "-b", "2", "-b", "3"]);
            if let Some(alpha) = (3..n).find(|i| kind(&bands[*i]) == "Alpha") {
                command.arg("-b").arg((alpha + 1).to_string());
            }
        }
    }
    (work.progress)("laying out tiles", 0, 0);
    work.run(command.arg(work.path).arg(work.copy))?;
    (work.progress)("making overviews", 0, 0);
    work.run(Command::new("gdaladdo").args(["-q", "-r", "average"]).arg(work.copy).args(["2", "4", "8", "16"]))?;
    pack(work)?;
    Ok(own_credit(info))
}

/// Recompresses opaque tiles as JPEG, at a fifth of the size, and removes fully transparent ones.
fn pack(work: &Conversion<'_>) -> Result<(), ImportError> {
    let db = Connection::open(work.copy)?;
    db.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")?;
    let ids: Vec<i64> =
        db.prepare("SELECT rowid FROM tiles ORDER BY rowid")?.query_map([], |r| r.get(0))?.collect::<Result<_, _>>()?;
    for (done, id) in ids.iter().enumerate() {
        work.stop_if_canceled()?;
        (work.progress)("packing tiles", done as u64, ids.len() as u64);
        let data: Vec<u8> =
            db.prepare_cached("SELECT tile_data FROM tiles WHERE rowid = ?1")?.query_row([id], |r| r.get(0))?;
        let picture = tile::picture(&data).map_err(|why| ImportError::damaged(work.path, why))?;
        if picture.pixels().all(|p| p.0[3] == 0) {
            db.prepare_cached("DELETE FROM tiles WHERE rowid = ?1")?.execute([id])?;
        } else if picture.pixels().all(|p| p.0[3] == 255) {
            let mut jpeg = Vec::new();
            let rgb = image::DynamicImage::from(picture).into_rgb8();
            JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
                .encode_image(&rgb)
                .map_err(|e| ImportError::damaged(work.path, e.to_string()))?;
            db.prepare_cached("UPDATE tiles SET tile_data = ?2 WHERE rowid = ?1")?.execute(params![id, jpeg])?;
        }
    }
    db.execute_batch("COMMIT; VACUUM;")?;
    db.close().map_err(|(_, e)| e)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_of_a_picture_are_about_square_and_of_finite_size() {
        let check = |transform: Value| check_pixels(&serde_json::json!({ "geoTransform": transform }));
        for good in
            [[9.5, 0.001, 0.0, 47.1, 0.0, -0.001], [9.5, 0.0, 2.0, 47.1, -1.0, 0.0], [0.0, 30.0, 5.0, 0.0, 5.0, -30.0]]
        {
            assert_eq!(check(good.into_iter().collect()), Ok(()));
        }
        let far = check([9.5, 0.001, 0.0, 47.1, 0.0, -1.4e64].into_iter().collect());
        assert!(far.unwrap_err().contains("too long for tiles"));
        assert!(check([9.5, 0.0, 0.0, 47.1, 0.0, 0.0].into_iter().collect()).is_err());
        assert!(check(serde_json::json!([9.5, "nan", 0, 47.1, 0, -1])).unwrap_err().contains("finite"));
    }
}
