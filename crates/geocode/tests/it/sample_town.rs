//! The sample town, geocoded.

use aerie_geocode::geocode;
use aerie_sample_town::{SAMPLE_ADDRESSES, open};

#[test]
fn every_sample_address_is_a_building_on_its_named_street_with_terrain() {
    let data = tempfile::tempdir().unwrap();
    let pack = open(data.path()).unwrap();
    let summary = pack.summary();
    assert!(summary.is_sample && summary.addresses >= 300, "{summary:?}");
    for address in SAMPLE_ADDRESSES {
        let found = geocode(&pack, address).unwrap_or_else(|e| panic!("{address}: {e}"));
        assert_eq!(found.matched, *address);
        assert!(found.terrain_known);
        let place = pack.place(&found, 600.0).unwrap();
        assert!(place.property.building.is_some() && place.property.front_known, "{address}");
        assert!(place.terrain.known && place.terrain.datum > 150.0);
        assert!(place.buildings.len() > 60 && place.trees.len() > 200, "{address}");
    }
}
