//! Well-known text: versions 1 and 2.

use super::definition::{Crs, Units};

/// Meters per US survey foot.
pub(super) const US_FOOT: f64 = 1200.0 / 3937.0;

/// Deepest nesting of a real definition is about ten.
const MAX_DEPTH: usize = 64;

/// Coordinate system and units of a text; none if it does not describe a system on the Earth.
pub(super) fn read(bytes: &[u8]) -> Option<(Crs, Units)> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = std::str::from_utf8(&bytes[..end]).ok()?.trim();
    let root = text.split(['[', '(']).next().unwrap_or_default().trim().to_ascii_uppercase();
    let is_on_earth = matches!(
        root.as_str(),
        "PROJCS"
            | "GEOGCS"
            | "GEOCCS"
            | "COMPD_CS"
            | "PROJCRS"
            | "PROJECTEDCRS"
            | "GEOGCRS"
            | "GEOGRAPHICCRS"
            | "GEODCRS"
            | "GEODETICCRS"
            | "COMPOUNDCRS"
            | "BOUNDCRS"
    );
    let units = units(text)?;
    is_on_earth.then(|| (Crs { definition: text.to_owned() }, units))
}

/// The units of a text; none if its brackets do not match.
fn units(text: &str) -> Option<Units> {
    let mut units = Units::default();
    let mut path: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut fields = 0;
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '[' | '(' => {
                path.push(std::mem::take(&mut word).trim().to_ascii_uppercase());
                fields = 0;
                if path.len() > MAX_DEPTH {
                    return None;
                }
            }
            ',' | ']' | ')' => {
                if fields == 1 && matches!(path.last()?.as_str(), "UNIT" | "LENGTHUNIT") {
                    note(&mut units, &path, &word);
                }
                fields += 1;
                word.clear();
                if letter != ',' {
                    path.pop()?;
                    fields = usize::MAX / 2;
                }
            }
            _ => word.push(letter),
        }
    }
    path.is_empty().then_some(units)
}

/// Notes a unit whose second field is `size`, where it is the unit of an axis of a projected or height system.
fn note(units: &mut Units, path: &[String], size: &str) {
    let Some(size) = size.trim().parse::<f64>().ok().filter(|size| size.is_finite() && *size > 0.0) else { return };
    let within = |names: &[&str]| path.iter().any(|part| names.contains(&part.as_str()));
    if within(&["GEOGCS", "BASEGEOGCRS", "BASEGEODCRS", "CONVERSION", "METHOD", "DATUM", "VERT_DATUM", "VDATUM"]) {
        return;
    }
    if within(&["VERT_CS", "VERTCRS", "VERTICALCRS"]) {
        units.vertical.get_or_insert(size);
    } else if within(&["PROJCS", "PROJCRS", "PROJECTEDCRS"]) {
        units.horizontal.get_or_insert(size);
    }
}
