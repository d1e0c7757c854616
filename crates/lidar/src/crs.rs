//! Coordinate systems of point clouds: what their records say, as a definition that PROJ and GDAL accept.

mod definition;
mod geo_keys;
mod wkt;

pub use definition::{Crs, Units};

/// Coordinate system and units of the records of a file. `prefers_wkt` is the header's flag for well-known text.
pub(crate) fn read(
    wkt: Option<&[u8]>,
    geo_keys: Option<&[u8]>,
    geo_doubles: Option<&[u8]>,
    prefers_wkt: bool,
) -> (Option<Crs>, Units) {
    let from_text = wkt.and_then(wkt::read);
    let from_keys = geo_keys.map(|keys| geo_keys::read(keys, geo_doubles.unwrap_or_default()));
    match (from_text, from_keys) {
        (Some(text), keys) if prefers_wkt || keys.as_ref().is_none_or(|(crs, _)| crs.is_none()) => {
            (Some(text.0), text.1)
        }
        (_, Some(keys)) => keys,
        (text, None) => text.map_or((None, Units::default()), |(crs, units)| (Some(crs), units)),
    }
}

#[cfg(test)]
mod tests;
