//! Parses boundaries from GeoJSON (RFC 7946): the output of [`crate::measure()`] or a user's own file.

use serde_json::Value;

use crate::Ring;

/// Maximum number of positions.
const MAX_POSITIONS: usize = 2000;

/// A boundary parsed from GeoJSON.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedBoundary {
    /// Polygons: an outer ring followed by its holes. The first position is not repeated at the end.
    pub polygons: Vec<Vec<Ring>>,
    /// Width and height of the picture if positions are its pixels, x right and y down. `None` if they are longitude
    /// and latitude.
    pub image: Option<[f64; 2]>,
}

/// Why a GeoJSON value is not a boundary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotABoundary {
    /// Not GeoJSON, or another geometry type.
    #[error("the boundary must be a GeoJSON Polygon or MultiPolygon, or a Feature or FeatureCollection of these")]
    OtherKind,
    /// A ring has fewer than three distinct positions, or a malformed one.
    #[error("a ring of the boundary must have at least three distinct positions, each with two numbers")]
    Ring,
    /// A longitude or latitude is out of range, or the size of the picture is missing.
    #[error(
        "positions of the boundary must be longitude and latitude in degrees (WGS 84); for a boundary in pixels, set the property `coordinates` to `image`, and `image_width` and `image_height` to the size of the picture"
    )]
    Range,
    /// Too many positions.
    #[error("the boundary must have at most {MAX_POSITIONS} positions; simplify it")]
    TooLong,
}

/// Parses a boundary.
///
/// # Errors
/// [`NotABoundary`] if the value is not a polygon in range.
pub fn parse(geojson: &Value) -> Result<ParsedBoundary, NotABoundary> {
    let mut polygons = Vec::new();
    collect(geojson, 0, &mut polygons)?;
    if polygons.is_empty() {
        return Err(NotABoundary::OtherKind);
    }
    let positions = || polygons.iter().flatten().flatten();
    if positions().count() > MAX_POSITIONS {
        return Err(NotABoundary::TooLong);
    }
    let image = image_size(geojson)?;
    if image.is_none() && positions().any(|[lon, lat]| lon.abs() > 180.0 || lat.abs() > 90.0) {
        return Err(NotABoundary::Range);
    }
    Ok(ParsedBoundary { polygons, image })
}

fn image_size(geojson: &Value) -> Result<Option<[f64; 2]>, NotABoundary> {
    let feature = geojson.pointer("/features/0").unwrap_or(geojson);
    let properties = &feature["properties"];
    if properties["coordinates"] != "image" {
        return Ok(None);
    }
    let side = |name: &str| properties[name].as_f64().filter(|side| (1.0..1e6).contains(side));
    match (side("image_width"), side("image_height")) {
        (Some(width), Some(height)) => Ok(Some([width, height])),
        _ => Err(NotABoundary::Range),
    }
}

/// Appends the polygons of a GeoJSON object. `depth` limits nesting.
fn collect(object: &Value, depth: usize, polygons: &mut Vec<Vec<Ring>>) -> Result<(), NotABoundary> {
    let list = |name: &str| object[name].as_array().ok_or(NotABoundary::OtherKind);
    match object["type"].as_str() {
        Some("FeatureCollection") if depth == 0 => {
            list("features")?.iter().try_for_each(|feature| collect(feature, 1, polygons))
        }
        Some("Feature") if depth < 2 => collect(&object["geometry"], 2, polygons),
        Some("Polygon") => {
            polygons.push(polygon(&object["coordinates"])?);
            Ok(())
        }
        Some("MultiPolygon") => {
            for coordinates in list("coordinates")? {
                polygons.push(polygon(coordinates)?);
            }
            Ok(())
        }
        _ => Err(NotABoundary::OtherKind),
    }
}

fn polygon(coordinates: &Value) -> Result<Vec<Ring>, NotABoundary> {
    let rings = coordinates.as_array().filter(|rings| !rings.is_empty()).ok_or(NotABoundary::Ring)?;
    rings.iter().map(ring).collect()
}

fn ring(positions: &Value) -> Result<Ring, NotABoundary> {
    let positions = positions.as_array().ok_or(NotABoundary::Ring)?;
    let number = |position: &Value, i: usize| position.get(i).and_then(Value::as_f64).filter(|v| v.is_finite());
    let position = |p: &Value| Some([number(p, 0)?, number(p, 1)?]);
    let mut ring = positions.iter().map(position).collect::<Option<Ring>>().ok_or(NotABoundary::Ring)?;
    ring.dedup();
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 { Err(NotABoundary::Ring) } else { Ok(ring) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn square() -> Value {
        json!([[[9.0, 47.0], [9.001, 47.0], [9.001, 47.001], [9.0, 47.001], [9.0, 47.0]]])
    }

    #[test]
    fn geometries_features_and_collections_are_parsed_without_the_closing_position() {
        let polygon = json!({"type": "Polygon", "coordinates": square()});
        let feature = json!({"type": "Feature", "geometry": polygon, "properties": null});
        let multi = json!({"type": "MultiPolygon", "coordinates": [square(), square()]});
        let collection =
            json!({"type": "FeatureCollection", "features": [feature, {"type": "Feature", "geometry": multi}]});
        for (object, count) in [(polygon, 1), (feature, 1), (multi, 2), (collection, 3)] {
            let parsed = parse(&object).expect("a boundary");
            assert_eq!((parsed.polygons.len(), parsed.polygons[0][0].len(), parsed.image), (count, 4, None));
        }
    }

    #[test]
    fn a_boundary_in_pixels_declares_the_size_of_its_picture() {
        let pixels = json!([[[10, 10], [900, 10], [900, 700]]]);
        let mut feature = json!({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": pixels},
            "properties": {"coordinates": "image", "image_width": 1000, "image_height": 800}});
        assert_eq!(parse(&feature).expect("a boundary").image, Some([1000.0, 800.0]));
        feature["properties"]["coordinates"] = json!("wgs84");
        assert_eq!(parse(&feature), Err(NotABoundary::Range));
    }

    #[test]
    fn invalid_boundaries_are_rejected_with_the_reason() {
        let of = |coordinates: Value| parse(&json!({"type": "Polygon", "coordinates": coordinates}));
        assert_eq!(parse(&Value::Null), Err(NotABoundary::OtherKind));
        assert_eq!(parse(&json!({"type": "Point", "coordinates": [9, 47]})), Err(NotABoundary::OtherKind));
        assert_eq!(parse(&json!({"type": "FeatureCollection", "features": []})), Err(NotABoundary::OtherKind));
        assert_eq!(of(json!([])), Err(NotABoundary::Ring));
        assert_eq!(of(json!([[[9, 47], [9, 47], [9.1, 47], [9, 47]]])), Err(NotABoundary::Ring));
        assert_eq!(of(json!([[[9, 47], [9, "a"], [9.1, 47]]])), Err(NotABoundary::Ring));
        let long: Vec<[f64; 2]> = (0..2001).map(|i| [9.0 + f64::from(i) * 1e-6, 47.0]).collect();
        assert_eq!(of(json!([long])), Err(NotABoundary::TooLong));
    }
}
