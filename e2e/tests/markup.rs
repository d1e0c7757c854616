//! Markup over HTTP, from what an operator imported.

use std::path::{Path, PathBuf};
use std::time::Duration;

use aerie_e2e::{Server, run_json, wait_until};
use serde_json::json;

/// A house on its street.
const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6">
 <node id="1" lat="47.1000" lon="9.5000"/><node id="2" lat="47.1000" lon="9.5002"/>
 <node id="3" lat="47.1001" lon="9.5002"/><node id="4" lat="47.1001" lon="9.5000"/>
 <node id="5" lat="47.0999" lon="9.4990"/><node id="6" lat="47.0999" lon="9.5010"/>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>
  <tag k="building" v="house"/><tag k="addr:street" v="Lindenweg"/><tag k="addr:housenumber" v="7"/></way>
 <way id="11"><nd ref="5"/><nd ref="6"/><tag k="highway" v="residential"/><tag k="name" v="Lindenweg"/></way>
</osm>"#;

/// Its plot, and one beside it.
const PARCELS: &str = r#"{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"EGRID": "CH1"}, "geometry": {"type": "Polygon", "coordinates":
  [[[9.4999, 47.09995], [9.5004, 47.09995], [9.5004, 47.1003], [9.4999, 47.1003], [9.4999, 47.09995]]]}},
 {"type": "Feature", "properties": {"EGRID": "CH2"}, "geometry": {"type": "Polygon", "coordinates":
  [[[9.5004, 47.09995], [9.5009, 47.09995], [9.5009, 47.1003], [9.5004, 47.09995]]]}}
]}"#;

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn an_imported_parcel_is_suggested_as_the_boundary() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (map, parcels) = (file(folder.path(), "map.osm", MAP), file(folder.path(), "parcels.geojson", PARCELS));
    let files = [map, parcels].map(|path| path.display().to_string());
    let report = run_json(&["import", &files[0], &files[1]], &data);
    assert_eq!(report["files"][1]["parcels"], 2, "{report}");

    let server = Server::start(&data, 1);
    let answer = server.client.post("/v1/markup/generate", &json!({"address": "Lindenweg 7"}));
    assert_eq!(answer.status, 202, "{}", answer.json());
    let id = answer.json()["data"]["job_id"].as_str().expect("a job_id").to_owned();
    let job = wait_until("the pictures are made", Duration::from_secs(180), || {
        let job = server.client.job(&id);
        assert_ne!(job["status"], "failed", "{job}");
        (job["status"] == "awaiting_input").then_some(job)
    });
    let suggested = &job["output"]["suggested_boundary"];
    assert_eq!((&suggested["type"], &suggested["geometry"]["type"]), (&json!("Feature"), &json!("Polygon")));
    assert_eq!(suggested["properties"]["source"], "parcel");
    // 37.97 by 38.92 m.
    let area = suggested["properties"]["area_m2"].as_f64().expect("an area");
    assert!((area / 1477.8 - 1.0).abs() < 0.003, "{area}");
    let acres = suggested["properties"]["area_acres"].as_f64().expect("an area");
    assert!((acres * 4046.856 / area - 1.0).abs() < 0.001, "{acres}");
    let edges = suggested["properties"]["edge_lengths_m"][0].as_array().expect("edges of the one ring").len();
    let corners = suggested["geometry"]["coordinates"][0].as_array().expect("a ring");
    assert_eq!((edges, corners.len()), (4, 5));
    assert!(corners.iter().all(|p| (p[0].as_f64().unwrap() - 9.50015).abs() < 0.0003), "{corners:?}");
}
