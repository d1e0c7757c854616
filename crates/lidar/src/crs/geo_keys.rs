//! The keys of GeoTIFF that LAS files use.

use super::definition::{Crs, Units};

const GEOGRAPHIC: u16 = 2048;
const PROJECTED: u16 = 3072;
const PROJECTED_UNIT: u16 = 3076;
const PROJECTED_UNIT_SIZE: u16 = 3077;
const VERTICAL: u16 = 4096;
const VERTICAL_UNIT: u16 = 4099;

/// Tags that hold a key's value.
const IN_KEY: u16 = 0;
const IN_DOUBLES: u16 = 34736;

/// Coordinate system and units of a key directory. Systems that the user defined are none.
pub(super) fn read(directory: &[u8], doubles: &[u8]) -> (Option<Crs>, Units) {
    let keys = Keys { directory, doubles };
    let projected = keys.code(PROJECTED);
    let horizontal = projected.or_else(|| keys.code(GEOGRAPHIC));
    // A user-defined projection is not the geographic system that it is based on.
    let is_user_defined = projected.is_none() && keys.short(PROJECTED).is_some_and(|code| code != 0);
    let crs = horizontal.filter(|_| !is_user_defined).map(|code| Crs {
        definition: match keys.code(VERTICAL).and_then(height_system) {
            Some(height) => format!("EPSG:{code}+{height}"),
            None => format!("EPSG:{code}"),
        },
    });
    let units = Units {
        horizontal: keys
            .short(PROJECTED_UNIT)
            .and_then(unit_size)
            .or_else(|| keys.double(PROJECTED_UNIT_SIZE).filter(|size| size.is_finite() && *size > 0.0)),
        vertical: keys.short(VERTICAL_UNIT).and_then(unit_size),
    };
    (crs, units)
}

struct Keys<'a> {
    directory: &'a [u8],
    doubles: &'a [u8],
}

impl Keys<'_> {
    fn find(&self, key: u16) -> Option<[u16; 4]> {
        let entries = self.directory.chunks_exact(8).skip(1);
        let mut entries =
            entries.map(|entry| std::array::from_fn(|part| u16::from_le_bytes([entry[part * 2], entry[part * 2 + 1]])));
        entries.find(|entry: &[u16; 4]| entry[0] == key)
    }

    fn short(&self, key: u16) -> Option<u16> {
        self.find(key).filter(|entry| entry[1] == IN_KEY).map(|entry| entry[3])
    }

    /// A code of the EPSG registry; 0 is undefined, and 32767 user-defined.
    fn code(&self, key: u16) -> Option<u16> {
        self.short(key).filter(|code| (1024..32_767).contains(code))
    }

    fn double(&self, key: u16) -> Option<f64> {
        let at = self.find(key).filter(|entry| entry[1] == IN_DOUBLES)?[3];
        let at = usize::from(at) * 8;
        self.doubles.get(at..at + 8)?.try_into().ok().map(f64::from_le_bytes)
    }
}

/// The height system of a code. GeoTIFF 1.0 numbered some systems by their datum, and heights above an ellipsoid by the ellipsoid.
fn height_system(code: u16) -> Option<u16> {
    match code {
        5001..=5100 => None,
        5101..=5106 => Some(code + 600),
        _ => Some(code),
    }
}

fn unit_size(code: u16) -> Option<f64> {
    match code {
        9001 => Some(1.0),
        9002 => Some(0.3048),
        9003 => Some(super::wkt::US_FOOT),
        _ => None,
    }
}
