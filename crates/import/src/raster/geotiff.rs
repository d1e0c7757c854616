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

/// How the bands of a raster make a picture.
pub(super) struct Picture {
    /// Numbers of red, green and blue, from 1, or that of indices into a palette.
    pub(super) bands: Vec<usize>,
    pub(super) alpha: Option<usize>,
    /// Whether pixels of a certain color are no part of the picture.
    has_no_data: bool,
}

/// Finds red, green and blue among the bands; the error says why there is no picture.
pub(super) fn picture(info: &Value) -> Result<Picture, &'static str> {
    let bands = info["bands"].as_array().map_or(&[][..], Vec::as_slice);
    let kind = |i: usize| bands[i]["colorInterpretation"].as_str().unwrap_or_default();
    let is = |name: &str| (0..bands.len()).find(|i| kind(*i) == name);
    let alpha = is("Alpha").map(|i| i + 1);
    let colors = match (is("Red"), is("Green"), is("Blue")) {
        _ if bands.len() == 1 && kind(0) == "Palette" => vec![0],
        (Some(red), Some(green), Some(blue)) => vec![red, green, blue],
        _ if bands.len() < 3 => return Err("it is no picture in color: red, green and blue are wanted"),
        _ if (0..3).any(|i| !matches!(kind(i), "Red" | "Green" | "Blue" | "Gray" | "Undefined" | "")) => {
            return Err(
                "its colors are not red, green and blue, but for example cyan, magenta and yellow, or infrared; convert it \
                        to RGB first",
            );
        }
        // Nothing is said of the colors. The fourth band may be near infrared.
        _ => vec![0, 1, 2],
    };
    if colors.iter().any(|i| bands[*i]["type"] != "Byte") {
        return Err(
            "its pixels are not 8-bit colors; where it is a picture, scale it with `gdal_translate -ot Byte -scale`, \
                    where it holds heights, give it with that band alone: `gdal_translate -b 1`",
        );
    }
    let has_no_data =
        colors.iter().all(|i| bands[*i]["noDataValue"].as_f64().is_some_and(|v| (0.0..=255.0).contains(&v)));
    Ok(Picture { bands: colors.iter().map(|i| i + 1).collect(), alpha, has_no_data })
}

/// Converts a picture to tiles; returns the attribution in the file.
pub(super) fn convert(work: &Conversion<'_>, info: &Value, picture: &Picture) -> Result<Option<String>, ImportError> {
    let mut source = work.path.to_owned();
    let is_palette = picture.bands.len() == 1;
    if picture.has_no_data && picture.alpha.is_none() {
        // The tiles' writer does not know no-data values of colors.
        let [colors, masked] = ["colors.vrt", "masked.vrt"].map(|name| work.copy.with_file_name(name));
        let mut command = Command::new("gdal_translate");
        command.args(["-q", "-if", "GTiff", "-of", "VRT"]);
        match is_palette {
            true => _ = command.args(["-expand", "rgb"]),
            false => picture.bands.iter().for_each(|band| _ = command.arg("-b").arg(band.to_string())),
        }
        work.run(command.arg(&source).arg(&colors))?;
        let mut command = Command::new("gdalwarp");
        command.args(["-q", "-of", "VRT", "-dstalpha", "-wo", "UNIFIED_SRC_NODATA=YES"]);
        work.run(command.arg(&colors).arg(&masked))?;
        source = masked;
    }
    let mut command = Command::new("gdal_translate");
    command.args(["-q", "-of", "MBTILES", "-co", "TILE_FORMAT=PNG"]);
    command.args(["-co", "ZOOM_LEVEL_STRATEGY=UPPER", "-co", "RESAMPLING=CUBIC", "-co", "TYPE=baselayer"]);
    match is_palette {
        _ if source != work.path => {}
        true => _ = command.args(["-if", "GTiff", "-expand", "rgb"]),
        false => {
            command.args(["-if", "GTiff"]);
            for band in picture.bands.iter().chain(&picture.alpha) {
                command.arg("-b").arg(band.to_string());
            }
        }
    }
    (work.progress)("laying out tiles", 0, 0);
    work.run(command.arg(&source).arg(work.copy))?;
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
    fn colors_are_taken_by_what_they_are_and_others_are_refused() {
        let of = |kinds: &[&str]| {
            let bands: Vec<Value> =
                kinds.iter().map(|kind| serde_json::json!({"type": "Byte", "colorInterpretation": kind})).collect();
            picture(&serde_json::json!({ "bands": bands })).map(|picture| (picture.bands, picture.alpha))
        };
        assert_eq!(of(&["Red", "Green", "Blue", "Alpha"]), Ok((vec![1, 2, 3], Some(4))));
        assert_eq!(of(&["Undefined", "Red", "Green", "Blue"]), Ok((vec![2, 3, 4], None)));
        assert_eq!(of(&["Gray", "Undefined", "Undefined", "Undefined"]), Ok((vec![1, 2, 3], None)));
        assert!(of(&["Cyan", "Magenta", "Yellow", "Black"]).unwrap_err().contains("convert it to RGB"));
        assert!(of(&["Gray", "Alpha"]).unwrap_err().contains("no picture in color"));
    }

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
