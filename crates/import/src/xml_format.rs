//! XML formats that are known and not read.

use std::path::Path;

use crate::error::ImportError;

/// Says why a file with this first tag is not read.
pub(crate) fn refusal(path: &Path, root: &str) -> ImportError {
    let name = root.rsplit(':').next().unwrap_or(root);
    match known(name) {
        Some(why) => ImportError::unsupported(path, why.to_owned()),
        None => ImportError::foreign(path),
    }
}

/// Names an XML format that is known and not read by its first tag, with the way out.
fn known(root: &str) -> Option<&'static str> {
    Some(match root {
        "osmChange" => {
            "it is a change file of OpenStreetMap (osmChange); apply it to its extract first, with `osmium apply-changes`"
        }
        "osmAugmentedDiff" => "it is an augmented diff of OpenStreetMap; give the extract instead",
        "kml" => "it is KML; convert it with `ogr2ogr out.geojson FILE.kml`",
        "gpx" => "it is GPX, which holds tracks; give a map",
        "FeatureCollection" => "it is GML; convert it with `ogr2ogr -t_srs EPSG:4326 out.geojson FILE.gml`",
        "LandXML" => "it is LandXML; export its ground as GeoTIFF",
        _ => return None,
    })
}
