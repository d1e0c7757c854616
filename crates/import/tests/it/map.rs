//! A small synthetic map around a place, and matches on it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use aerie_geodata::{Match, Precision};

/// An OpenStreetMap file with a street, `Lindenweg` in `Oberau`, and houses along it with the numbers given, 30 m apart to the
/// east of a longitude and latitude.
pub(crate) fn osm_file(folder: &Path, [lon, lat]: [f64; 2], numbers: &[&str]) -> PathBuf {
    let path = folder.join("map.osm");
    std::fs::write(&path, osm([lon, lat], numbers)).unwrap();
    path
}

pub(crate) fn osm([lon, lat]: [f64; 2], numbers: &[&str]) -> String {
    let east = |meters: f64| lon + meters / (111_300.0 * lat.to_radians().cos());
    let north = |meters: f64| lat + meters / 111_200.0;
    let (mut nodes, mut ways) = (String::new(), String::new());
    for (i, number) in numbers.iter().enumerate() {
        let mut refs = String::new();
        for (corner, [x, y]) in [[-6.0, -5.0], [6.0, -5.0], [6.0, 5.0], [-6.0, 5.0]].into_iter().enumerate() {
            let id = 100 + i * 10 + corner;
            let (lon, lat) = (east(x + 30.0 * i as f64), north(y));
            writeln!(nodes, r#"<node id="{id}" lon="{lon:.7}" lat="{lat:.7}"/>"#).unwrap();
            write!(refs, r#"<nd ref="{id}"/>"#).unwrap();
        }
        writeln!(
            ways,
            r#"<way id="{}">{refs}<nd ref="{}"/><tag k="building" v="house"/><tag k="addr:housenumber" v="{number}"/>
               <tag k="addr:street" v="Lindenweg"/><tag k="addr:postcode" v="12345"/><tag k="addr:city" v="Oberau"/></way>"#,
            500 + i,
            100 + i * 10
        )
        .unwrap();
    }
    for (id, x) in [(1, -80.0), (2, 200.0)] {
        let (lon, lat) = (east(x), north(-16.0));
        writeln!(nodes, r#"<node id="{id}" lon="{lon:.7}" lat="{lat:.7}"/>"#).unwrap();
    }
    format!(
        r#"<osm version="0.6">{nodes}{ways}<way id="900"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/>
           <tag k="name" v="Lindenweg"/></way></osm>"#
    )
}

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
