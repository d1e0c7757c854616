//! Which band of a raster holds heights, and how its numbers become meters, by what `gdalinfo` says.

use aerie_geodata::length::{self, FOOT};
use serde_json::Value;

/// A band of heights.
#[derive(Debug, PartialEq)]
pub(super) struct Surface {
    /// Its number, from 1.
    pub(super) band: usize,
    /// Whether the raster has other bands.
    pub(super) is_one_of_many: bool,
    /// Number of the band that says which pixels there are.
    pub(super) alpha: Option<usize>,
    /// Meters are the number times `gain`, plus `shift`.
    pub(super) gain: f64,
    pub(super) shift: f64,
    /// No-data value, where the one in the file is not in the range of its numbers.
    pub(super) no_data: Option<f64>,
    /// What of this is not plain heights in meters.
    pub(super) notes: Vec<String>,
}

/// Words in descriptions of bands of heights.
const WORDS: [&str; 9] = ["elev", "height", "dtm", "dem", "altitude", "terrain", "ground", "hoehe", "höhe"];

/// The band of heights; `None` where the raster is a picture. `unit`: meters per unit, if given. The error says why heights cannot be
/// read.
pub(super) fn surface(info: &Value, unit: Option<f64>) -> Result<Option<Surface>, String> {
    let bands = info["bands"].as_array().map_or(&[][..], Vec::as_slice);
    let is_alpha = |band: &Value| band["colorInterpretation"] == "Alpha";
    let candidates: Vec<usize> =
        (0..bands.len()).filter(|i| !is_alpha(&bands[*i]) && is_of_heights(&bands[*i])).collect();
    let others = bands.iter().filter(|band| !is_alpha(band)).count() - candidates.len();
    let mut notes = Vec::new();
    let band = match candidates[..] {
        [] => return Ok(None),
        [one] if others == 0 => one,
        _ => {
            let says = |i: &usize| {
                let text = bands[*i]["description"].as_str().unwrap_or_default().to_lowercase();
                WORDS.iter().any(|word| text.contains(word))
            };
            let named: Vec<usize> = candidates.iter().copied().filter(says).collect();
            let with_unit = |i: &usize| length::unit(bands[*i]["unit"].as_str().unwrap_or_default()).is_some();
            let measured: Vec<usize> = candidates.iter().copied().filter(with_unit).collect();
            let (one, why) = match (&named[..], &measured[..]) {
                ([one], _) => (*one, "its description says heights"),
                (_, [one]) => (*one, "it alone is in a unit of length"),
                // Colors of 16 bits.
                _ if bands.len() >= 3 => return Ok(None),
                _ => {
                    return Err(format!(
                        "it has {} bands, and none of them says that it holds heights; give that one alone, made with \
                         `gdal_translate -b NUMBER FILE.tif out.tif`",
                        bands.len()
                    ));
                }
            };
            notes.push(format!("heights are band {} of {}, because {why}", one + 1, bands.len()));
            one
        }
    };
    let (raw, own) = (&bands[band], &bands[band]["unit"]);
    let number = |name: &str, default: f64| match &raw[name] {
        Value::Null => Ok(default),
        value => value.as_f64().filter(|v| v.is_finite()).ok_or(format!("the {name} of its heights is not a number")),
    };
    let (scale, offset) = (number("scale", 1.0)?, number("offset", 0.0)?);
    if scale == 0.0 {
        return Err("the scale of its heights is zero".into());
    }
    if (scale, offset) != (1.0, 0.0) {
        notes.push(format!("heights are the numbers times {scale} plus {offset}, as the file says"));
    }
    let meters = match unit {
        Some(given) => given,
        None => unit_of(info, raw, own.as_str().unwrap_or_default())?,
    };
    if meters != 1.0 {
        notes.push(format!("heights are in units of {meters} m, and converted"));
    }
    Ok(Some(Surface {
        band: band + 1,
        is_one_of_many: bands.len() > 1,
        alpha: bands.iter().position(is_alpha).map(|i| i + 1),
        gain: scale * meters,
        shift: offset * meters,
        no_data: wrapped_no_data(raw),
        notes,
    }))
}

/// Whether the numbers of a band may be heights: they are not colors, or have a scale or a unit of length.
fn is_of_heights(band: &Value) -> bool {
    let kind = band["type"].as_str().unwrap_or_default();
    match kind {
        "Byte" | "Int8" => {
            let is_scaled = band["scale"].as_f64().is_some_and(|scale| scale != 1.0);
            let has_colors = band.get("colorTable").is_some();
            !has_colors && (is_scaled || length::unit(band["unit"].as_str().unwrap_or_default()).is_some())
        }
        _ => ["Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Float32", "Float64"].contains(&kind),
    }
}

/// Meters per unit of heights, by the band's unit, its metadata, or the coordinate system.
fn unit_of(info: &Value, band: &Value, own: &str) -> Result<f64, String> {
    if !own.trim().is_empty() {
        return length::unit(own).ok_or_else(|| {
            let shown: String = own.chars().take(40).collect();
            format!(
                "its numbers are in `{shown}`, which is no unit of heights; if it is, name the unit with --height-unit"
            )
        });
    }
    let of_metadata = [band.pointer("/metadata/"), info.pointer("/metadata/")].into_iter().flatten().find_map(|all| {
        let mut entries = all.as_object()?.iter();
        entries.find_map(|(key, value)| {
            let key = key.to_lowercase();
            let is_word = |wanted: &str| key.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted);
            let is_of_heights = is_word("z") || ["vert", "elev", "height"].iter().any(|word| key.contains(word));
            let is_unit = key.contains("unit") && is_of_heights && !key.contains("horiz");
            (is_unit || key == "units" || key == "unit").then(|| length::unit(value.as_str()?)).flatten()
        })
    });
    let description = band["description"].as_str().unwrap_or_default().to_lowercase();
    // In prose, "in" is a preposition, and a letter may be anything.
    let of_description = description.rsplit(|c: char| !c.is_alphabetic()).find_map(|word| {
        let is_plain = word.len() > 1 && word != "in";
        length::unit(word).filter(|_| is_plain)
    });
    let wkt = info.pointer("/coordinateSystem/wkt").and_then(Value::as_str).unwrap_or_default();
    let (plane, vertical) = wkt.split_once("VERTCRS[").map_or((wkt, ""), |(plane, vertical)| (plane, vertical));
    if let Some(known) = of_metadata.or(of_description).or_else(|| length_unit(vertical)) {
        return Ok(known);
    }
    let positions = plane.split_once("CS[Cartesian").and_then(|(_, axes)| length_unit(axes)).unwrap_or(1.0);
    match (positions - FOOT).abs() < 0.001 {
        true => Err(
            "its positions are in feet, and it does not say in which unit its heights are; name it with --height-unit \
                     feet or --height-unit meters"
                .into(),
        ),
        false => Ok(1.0),
    }
}

/// Meters in the first unit of length of a definition in WKT.
fn length_unit(wkt: &str) -> Option<f64> {
    let (_, unit) = wkt.split_once("LENGTHUNIT[")?;
    let number = unit.split_once("\",")?.1;
    number.split([',', ']']).next()?.trim().parse().ok()
}

/// The no-data value as it was stored where the declared one is not in the range of the band's integers: -9999 becomes 55537.
fn wrapped_no_data(band: &Value) -> Option<f64> {
    let declared = band["noDataValue"].as_f64().filter(|value| value.fract() == 0.0)?;
    let (low, high) = match band["type"].as_str()? {
        "Byte" => (0.0, 255.0),
        "Int8" => (-128.0, 127.0),
        "UInt16" => (0.0, 65_535.0),
        "Int16" => (-32_768.0, 32_767.0),
        _ => return None,
    };
    let range = high - low + 1.0;
    let wrapped = (declared - low).rem_euclid(range) + low;
    (wrapped != declared && declared.abs() < range).then_some(wrapped)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(bands: Value, wkt: &str) -> Result<Option<Surface>, String> {
        surface(&json!({ "bands": bands, "coordinateSystem": { "wkt": wkt } }), None)
    }

    fn gain(bands: Value, wkt: &str) -> Result<f64, String> {
        of(bands, wkt).map(|surface| surface.unwrap().gain)
    }

    const FEET: &str = r#"COMPOUNDCRS["a",PROJCRS["b",CS[Cartesian,2],LENGTHUNIT["US survey foot",0.304800609601219]],VERTCRS["c",CS[vertical,1],AXIS["d",up,LENGTHUNIT["US survey foot",0.304800609601219]]]]"#;
    const FEET_IN_PLANE: &str =
        r#"PROJCRS["b",METHOD["m"],CS[Cartesian,2],AXIS["e",east],LENGTHUNIT["US survey foot",0.304800609601219]]"#;
    const METERS: &str = r#"PROJCRS["b",CS[Cartesian,2],LENGTHUNIT["metre",1]]"#;

    #[test]
    fn heights_are_scaled_shifted_and_converted_as_the_file_says() {
        let band = json!([{"type": "Int16", "scale": 0.1, "offset": 5.0, "unit": "US survey foot"}]);
        let surface = of(band, METERS).unwrap().unwrap();
        assert!((surface.gain - 0.030_480_060_960).abs() < 1e-9 && (surface.shift - 1.524_003_048).abs() < 1e-8);
        assert_eq!(surface.notes.len(), 2);
        assert_eq!(gain(json!([{"type": "Float32"}]), METERS), Ok(1.0));
        assert_eq!(gain(json!([{"type": "Int32", "unit": "mm"}]), METERS), Ok(0.001));
        assert_eq!(gain(json!([{"type": "Float32", "metadata": {"": {"VERTICAL_UNITS": "feet"}}}]), METERS), Ok(FOOT));
        assert_eq!(gain(json!([{"type": "Float32", "description": "Elevation (ft)"}]), METERS), Ok(FOOT));
        assert!((gain(json!([{"type": "Float32"}]), FEET).unwrap() - length::US_FOOT).abs() < 1e-9);
        assert!(gain(json!([{"type": "Float32"}]), FEET_IN_PLANE).unwrap_err().contains("--height-unit feet"));
        assert_eq!(gain(json!([{"type": "Float32", "unit": "metre"}]), FEET_IN_PLANE), Ok(1.0));
        assert!(gain(json!([{"type": "Float32", "unit": "degree"}]), METERS).unwrap_err().contains("`degree`"));
    }

    #[test]
    fn one_band_is_taken_where_it_says_that_it_holds_heights() {
        let named =
            json!([{"type": "Float32", "description": "quality"}, {"type": "Float32", "description": "elevation"}]);
        let surface = of(named, METERS).unwrap().unwrap();
        assert_eq!((surface.band, surface.notes.len()), (2, 1));
        let silent = json!([{"type": "Float32"}, {"type": "Float32"}]);
        assert!(of(silent, METERS).unwrap_err().contains("2 bands"));
        let masked = json!([{"type": "Float32"}, {"type": "Float32", "colorInterpretation": "Alpha"}]);
        assert_eq!(of(masked, METERS).unwrap().unwrap().alpha, Some(2));
        for picture in [json!([{"type": "Byte"}]), json!([{"type": "UInt16"}, {"type": "UInt16"}, {"type": "UInt16"}])]
        {
            assert_eq!(of(picture, METERS), Ok(None));
        }
        assert_eq!(gain(json!([{"type": "Byte", "scale": 2.0}]), METERS), Ok(2.0));
    }

    #[test]
    fn a_value_for_no_data_out_of_range_is_found_as_it_was_stored() {
        let stored = |kind: &str, value: Value| wrapped_no_data(&json!({"type": kind, "noDataValue": value}));
        assert_eq!(stored("UInt16", json!(-9999.0)), Some(55_537.0));
        assert_eq!(stored("Int16", json!(-9999.0)), None);
        assert_eq!(stored("Int16", json!(-99_999.0)), None);
        assert_eq!(stored("Float32", json!("nan")), None);
    }
}
