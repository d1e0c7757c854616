//! Boundaries given as GeoJSON (RFC 7946): the output of [`crate::measure()`] or any other file.

use serde_json::Value;

use crate::Ring;

/// Maximum number of positions of a boundary.
const MOST: usize = 2000;

/// A boundary that was given.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedBoundary {
    /// Its polygons: an outer ring, and the rings of its holes. Not closed by a repeated position.
    pub polygons: Vec<Vec<Ring>>,
    /// Width and height of the picture where positions are its pixels, x to the right and y down; none where they are
    /// longitude and latitude.
    pub image: Option<[f64; 2]>,
}

/// Why GeoJSON is not a boundary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotABoundary {
    /// Not GeoJSON, or of another kind.
    #[error("the boundary must be a GeoJSON Polygon or MultiPolygon, or a feature or a collection of such")]
    OtherKind,
    /// A ring that encloses nothing.
    #[error("a ring of the boundary must have at least three different positions, each of two numbers")]
    Ring,
    /// Not on the earth.
    #[error(
        "positions of the boundary must be longitude and latitude in degrees (WGS 84); a boundary in pixels says so with the properties `coordinates`: `image`, `image_width` and `image_height`"
    )]
    Range,
    /// Too many positions.
    #[error("the boundary must have at most {MOST} positions; simplify it")]
    TooLong,
}

/// Reads a boundary.
///
/// # Errors
/// [`NotABoundary`].
pub fn parse(geojson: &Value) -> Result<ParsedBoundary, NotABoundary> {
    let mut polygons = Vec::new();
    gather(geojson, 0, &mut polygons)?;
    if polygons.is_empty() {
        return Err(NotABoundary::OtherKind);
    }
    let positions = || polygons.iter().flatten().flatten();
    if positions().count() > MOST {
        return Err(NotABoundary::TooLong);
    }
    let image = image_of(geojson)?;
    if image.is_none() && positions().any(|[lon, lat]| lon.abs() > 180.0 || lat.abs() > 90.0) {
        return Err(NotABoundary::Range);
    }
    Ok(ParsedBoundary { polygons, image })
}

fn image_of(geojson: &Value) -> Result<Option<[f64; 2]>, NotABoundary> {
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

/// Adds the polygons of a GeoJSON object; `depth` bounds collections of collections.
fn gather(object: &Value, depth: usize, polygons: &mut Vec<Vec<Ring>>) -> Result<(), NotABoundary> {
    let list = |name: &str| object[name].as_array().ok_or(NotABoundary::OtherKind);
    match object["type"].as_str() {
        Some("FeatureCollection") if depth == 0 => {
            list("features")?.iter().try_for_each(|feature| gather(feature, 1, polygons))
        }
        Some("Feature") if depth < 2 => gather(&object["geometry"], 2, polygons),
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
    fn geometries_features_and_collections_are_read_and_closed_once() {
        let polygon = json!({"type": "Polygon", "coordinates": square()});
        let feature = json!({"type": "Feature", "geometry": polygon, "properties": null});
        let many = json!({"type": "MultiPolygon", "coordinates": [square(), square()]});
        let collection =
            json!({"type": "FeatureCollection", "features": [feature, {"type": "Feature", "geometry": many}]});
        for (object, count) in [(polygon, 1), (feature, 1), (many, 2), (collection, 3)] {
            let outline = parse(&object).expect("a boundary");
            assert_eq!((outline.polygons.len(), outline.polygons[0][0].len(), outline.image), (count, 4, None));
        }
    }

    #[test]
    fn a_boundary_in_pixels_says_so_and_has_the_size_of_its_picture() {
        let pixels = json!([[[10, 10], [900, 10], [900, 700]]]);
        let mut feature = json!({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": pixels},
            "properties": {"coordinates": "image", "image_width": 1000, "image_height": 800}});
        assert_eq!(parse(&feature).expect("a boundary").image, Some([1000.0, 800.0]));
        feature["properties"]["coordinates"] = json!("wgs84");
        assert_eq!(parse(&feature), Err(NotABoundary::Range));
    }

    #[test]
    fn what_is_no_boundary_is_told_by_what_it_lacks() {
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
