//! A small synthetic map around a place.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// An OpenStreetMap file with a street, `Lindenweg` in `Oberau`, and houses along it with the numbers given, 30 m apart to the
/// east of a longitude and latitude.
pub fn osm_file(folder: &Path, [lon, lat]: [f64; 2], numbers: &[&str]) -> PathBuf {
    let path = folder.join("map.osm");
    std::fs::write(&path, osm([lon, lat], numbers)).expect("the folder can be written to");
    path
}

/// The text of [`osm_file`].
#[must_use]
pub fn osm([lon, lat]: [f64; 2], numbers: &[&str]) -> String {
    let east = |meters: f64| lon + meters / (111_300.0 * lat.to_radians().cos());
    let north = |meters: f64| lat + meters / 111_200.0;
    let (mut nodes, mut ways) = (String::new(), String::new());
    for (i, number) in numbers.iter().enumerate() {
        let mut refs = String::new();
        for (corner, [x, y]) in [[-6.0, -5.0], [6.0, -5.0], [6.0, 5.0], [-6.0, 5.0]].into_iter().enumerate() {
            let id = 100 + i * 10 + corner;
            let (lon, lat) = (east(x + 30.0 * i as f64), north(y));
            writeln!(nodes, r#"<node id="{id}" lon="{lon:.7}" lat="{lat:.7}"/>"#).expect("a string");
            write!(refs, r#"<nd ref="{id}"/>"#).expect("a string");
        }
        writeln!(
            ways,
            r#"<way id="{}">{refs}<nd ref="{}"/><tag k="building" v="house"/><tag k="addr:housenumber" v="{number}"/>
               <tag k="addr:street" v="Lindenweg"/><tag k="addr:postcode" v="12345"/><tag k="addr:city" v="Oberau"/></way>"#,
            500 + i,
            100 + i * 10
        )
        .expect("a string");
    }
    for (id, x) in [(1, -80.0), (2, 200.0)] {
        let (lon, lat) = (east(x), north(-16.0));
        writeln!(nodes, r#"<node id="{id}" lon="{lon:.7}" lat="{lat:.7}"/>"#).expect("a string");
    }
    format!(
        r#"<osm version="0.6">{nodes}{ways}<way id="900"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/>
           <tag k="name" v="Lindenweg"/></way></osm>"#
    )
}
