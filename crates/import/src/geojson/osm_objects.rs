//! Objects of OpenStreetMap in GeoJSON: ids and tags are in the properties, as Overpass Turbo and osmtogeojson write them.

use rusqlite::Connection;
use serde_json::Value;

use super::feature::{Feature, Shape};
use super::file::GeoJson;
use super::reader;
use crate::error::ImportError;
use crate::osm::{Object, Run, Tags, import_objects};
use crate::report::FileReport;

/// Imports the objects into the pack.
pub(super) fn import(db: &Connection, file: &GeoJson<'_>, report: FileReport) -> Result<FileReport, ImportError> {
    let run = Run::new(file.path, file.work, false, report, file.progress, file.options);
    import_objects(db, run, &mut |run| {
        reader::read(file.path, &mut |feature| {
            let Some((kind, id)) = feature.osm_id() else {
                run.report.skip("features that are no objects of OpenStreetMap");
                return Ok(());
            };
            if is_incomplete(&feature) {
                run.report.skip("objects of which the file holds only the bounds or the center, or not all points");
                return Ok(());
            }
            let parts = feature.geometry.iter().flat_map(Shape::parts);
            let lines = parts.map(|part| lines(&part.kind, &part.coordinates)).collect::<Option<Vec<_>>>();
            let polygons = lines.unwrap_or_default().concat();
            run.object(&Object { kind, id, polygons }, &tags(&feature))
        })
        .map(|_| ())
    })
}

/// Polygons of rings, a line as one ring, a point as a ring of one point; `None` for other shapes.
fn lines(kind: &str, coordinates: &Value) -> Option<Vec<Vec<Vec<[f64; 2]>>>> {
    let point = |value: &Value| Some([value.get(0)?.as_f64()?, value.get(1)?.as_f64()?]);
    let line = |value: &Value| value.as_array()?.iter().map(point).collect::<Option<Vec<_>>>();
    let rings = |value: &Value| value.as_array()?.iter().map(line).collect::<Option<Vec<_>>>();
    Some(match kind {
        "Point" => vec![vec![vec![point(coordinates)?]]],
        "LineString" => vec![vec![line(coordinates)?]],
        "Polygon" => vec![rings(coordinates)?],
        "MultiPolygon" => coordinates.as_array()?.iter().map(rings).collect::<Option<_>>()?,
        _ => return None,
    })
}

/// Returns whether the geometry is not that of the object, as Overpass Turbo and osmtogeojson say it.
fn is_incomplete(feature: &Feature) -> bool {
    let says = |name: &str, wanted: &Value| {
        let properties = feature.properties.as_ref();
        properties.is_some_and(|all| {
            all.get(&format!("@{name}")).or(all.get("meta").and_then(|meta| meta.get(name))) == Some(wanted)
        }) || properties.is_some_and(|all| all.contains_key("tags") && all.get(name) == Some(wanted))
    };
    ["bounds", "center"].iter().any(|kind| says("geometry", &Value::from(*kind))) || says("tainted", &Value::from(true))
}

fn tags(feature: &Feature) -> Tags<'static> {
    let properties = feature.properties.as_ref();
    let nested = properties.and_then(|properties| properties.get("tags")).and_then(Value::as_object);
    let all = nested.or(properties).into_iter().flatten().filter(|(key, _)| !key.starts_with('@'));
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let pairs = all.filter_map(|(key, value)| Some((key.clone(), text(value)?)));
    Tags::of(pairs)
}
