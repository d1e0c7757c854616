//! Matches on a small synthetic map.

use aerie_geodata::{Match, Precision};

/// A match at a place, as if an address had been looked up.
pub(crate) fn at([lon, lat]: [f64; 2]) -> Match {
    Match {
        lat,
        lon,
        precision: Precision::AddressPoint,
        matched: "a place".into(),
        source: "a test".into(),
        terrain_known: false,
        street: "Lindenweg".into(),
        address_id: "node/1".into(),
        building_id: None,
    }
}
