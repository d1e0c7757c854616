//! Parses the values of OpenStreetMap tags.

use std::collections::BTreeMap;

/// Tags of a stored feature.
pub(super) type Tags = BTreeMap<String, String>;

pub(super) fn tag<'a>(tags: &'a Tags, key: &str) -> Option<&'a str> {
    tags.get(key).map(String::as_str)
}

/// Parses a color (`#rrggbb`, `#rgb` or a common name), to sRGB.
pub(super) fn color(text: &str) -> Option<[u8; 3]> {
    let text = text.trim().to_ascii_lowercase();
    if let Some(hex) = text.strip_prefix('#').filter(|h| h.is_ascii()) {
        let byte = |s: &str| u8::from_str_radix(s, 16).ok();
        return match hex.len() {
            6 => Some([byte(&hex[..2])?, byte(&hex[2..4])?, byte(&hex[4..])?]),
            3 => Some([byte(&hex[..1])? * 17, byte(&hex[1..2])? * 17, byte(&hex[2..])? * 17]),
            _ => None,
        };
    }
    Some(match text.replace(['_', ' '], "").as_str() {
        "white" => [245, 245, 240],
        "black" => [40, 40, 40],
        "grey" | "gray" => [128, 128, 128],
        "lightgrey" | "lightgray" | "silver" => [200, 200, 200],
        "darkgrey" | "darkgray" => [90, 90, 90],
        "red" => [170, 60, 45],
        "darkred" | "maroon" => [120, 40, 35],
        "brown" => [120, 85, 60],
        "lightbrown" | "tan" => [190, 160, 120],
        "beige" | "cream" => [235, 222, 195],
        "yellow" => [230, 205, 120],
        "lightyellow" => [245, 235, 190],
        "orange" => [205, 130, 80],
        "green" => [90, 125, 85],
        "lightgreen" => [170, 200, 160],
        "darkgreen" => [50, 85, 55],
        "blue" => [95, 125, 165],
        "lightblue" => [175, 200, 220],
        "pink" => [225, 180, 175],
        "salmon" => [225, 160, 135],
        _ => return None,
    })
}

/// Parses a direction (degrees or a compass point), to radians clockwise from north.
pub(super) fn bearing(text: &str) -> Option<f64> {
    const COMPASS: [&str; 16] =
        ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];
    let text = text.trim().to_ascii_uppercase();
    let degrees = match COMPASS.iter().position(|c| *c == text) {
        Some(at) => at as f64 * 22.5,
        None => text.trim_end_matches('°').parse().ok().filter(|d: &f64| d.is_finite())?,
    };
    Some(degrees.rem_euclid(360.0).to_radians())
}
