//! Boundaries as GeoJSON with area and lengths: on the ground if the picture is georeferenced, else in pixels.

use aerie_geodata::LocalFrame;
use aerie_geodata::place::GeoPoint;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::polygon::{Ring, crosses_itself, edges, signed_area};
use crate::{Boundary, Gap, GroundTransform, NotFound, NotItsPicture, Picture, find};

/// Decimal places of degrees, about a millimeter.
const DEGREE_DIGITS: i32 = 8;
/// Minimum area of a polygon, pixels.
const LEAST_AREA: f64 = 16.0;
/// Square meters in an international acre.
const ACRE: f64 = 4_046.856_422_4;

/// The result of measuring an annotated picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// A GeoJSON feature (RFC 7946), or null. `properties.coordinates` is `wgs84`, or `image` if the picture is not
    /// georeferenced: then positions are pixels of the clean image, x right and y down.
    pub boundary: Value,
    /// Why `boundary` is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary_reason: Option<&'static str>,
    /// The same for a person, with the place of a gap and the remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary_message: Option<String>,
}

/// Measures a parcel as if it were a drawn boundary. `ring` is in local meters around `origin`.
#[must_use]
pub fn parcel(ring: &Ring, origin: GeoPoint) -> Value {
    let mut properties = Map::new();
    properties.insert("source".into(), json!("parcel"));
    let rings = on_ground(vec![ring.clone()], origin, &mut properties);
    json!({"type": "Feature", "geometry": geometry(&rings, DEGREE_DIGITS), "properties": properties})
}

/// Finds the boundary drawn on `annotated` and measures it. `ground` georeferences the clean picture and may be for
/// another size of it.
///
/// # Errors
/// [`NotItsPicture`] if `ground` belongs to another picture.
pub fn measure(
    annotated: &Picture,
    clean: &Picture,
    ground: Option<&GroundTransform>,
) -> Result<Measured, NotItsPicture> {
    ground.map_or(Ok(()), |ground| ground.check(clean))?;
    Ok(match find(annotated, clean) {
        Ok(boundary) => {
            Measured { boundary: feature(&boundary, clean, ground), boundary_reason: None, boundary_message: None }
        }
        Err(reason) => Measured::none(reason),
    })
}

/// What is wrong with a polygon.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum BadPolygon {
    /// A corner lies outside the picture.
    #[error("must lie within the clean picture of {width} x {height} pixels: corner {corner} of it does not")]
    Outside {
        /// Its number, from 1.
        corner: usize,
        /// Width of the picture, pixels.
        width: usize,
        /// Height of the picture, pixels.
        height: usize,
    },
    /// Two edges cross.
    #[error("must not cross itself: give the corners in the order of a walk around the area")]
    CrossesItself,
    /// It encloses nothing.
    #[error("must enclose an area of at least {LEAST_AREA} pixels")]
    Flat,
}

/// Why a polygon cannot be measured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotMeasured {
    /// It is not a polygon in the picture.
    #[error(transparent)]
    Polygon(#[from] BadPolygon),
    /// The ground transform belongs to another picture.
    #[error(transparent)]
    Ground(#[from] NotItsPicture),
}

/// Measures a polygon that a program has drawn, in pixels of the clean picture, as it is: nothing is fitted.
///
/// # Errors
/// [`NotMeasured`] if it is not a polygon in the picture, or `ground` belongs to another picture.
pub fn measure_polygon(
    corners: &[[f64; 2]],
    clean: &Picture,
    ground: Option<&GroundTransform>,
) -> Result<Measured, NotMeasured> {
    ground.map_or(Ok(()), |ground| ground.check(clean))?;
    let [width, height] = [clean.width, clean.height];
    let is_within = |[x, y]: &[f64; 2]| (0.0..=width as f64).contains(x) && (0.0..=height as f64).contains(y);
    if let Some(outside) = corners.iter().position(|corner| !is_within(corner)) {
        return Err(BadPolygon::Outside { corner: outside + 1, width, height }.into());
    }
    let mut ring = corners.to_vec();
    ring.dedup();
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 || signed_area(&ring).abs() < LEAST_AREA {
        return Err(BadPolygon::Flat.into());
    }
    if crosses_itself(&ring) {
        return Err(BadPolygon::CrossesItself.into());
    }
    let boundary = Boundary { rings: vec![ring], gaps: Vec::new(), confidence: 1.0 };
    let mut feature = feature(&boundary, clean, ground);
    feature["properties"]["source"] = json!("annotated_polygon");
    Ok(Measured { boundary: feature, boundary_reason: None, boundary_message: None })
}

impl Measured {
    /// The result when no boundary was found.
    #[must_use]
    pub fn none(reason: NotFound) -> Self {
        let (boundary_reason, boundary_message) = (Some(reason.as_str()), Some(reason.to_string()));
        Self { boundary: Value::Null, boundary_reason, boundary_message }
    }
}

fn feature(boundary: &Boundary, clean: &Picture, ground: Option<&GroundTransform>) -> Value {
    let mut properties = Map::new();
    properties.insert("confidence".into(), json!(rounded(boundary.confidence, 2)));
    let ground = ground.map(|ground| ground.sized(clean.width as u32, clean.height as u32));
    if !boundary.gaps.is_empty() {
        let gaps = boundary.gaps.iter().map(|gap| closed_gap(gap, ground.as_ref()));
        properties.insert("closed_gaps".into(), gaps.collect());
    }
    let rings = match ground {
        Some(ground) => {
            let local: Vec<Ring> =
                boundary.rings.iter().map(|r| r.iter().map(|p| ground.local(*p)).collect()).collect();
            on_ground(local, ground.origin, &mut properties)
        }
        None => {
            let rings: Vec<Ring> = boundary.rings.iter().cloned().map(counter_clockwise).collect();
            properties.insert("coordinates".into(), json!("image"));
            properties.insert("image_width".into(), json!(clean.width));
            properties.insert("image_height".into(), json!(clean.height));
            let area: f64 = rings.iter().map(|r| signed_area(r).abs()).sum();
            properties.insert("area_px".into(), json!(rounded(area, 0)));
            measure_edges(&rings, &mut properties, "px", 1);
            rings
        }
    };
    let geometry = geometry(&rings, if ground.is_some() { DEGREE_DIGITS } else { 2 });
    json!({"type": "Feature", "geometry": geometry, "properties": properties})
}

/// A gap that was closed: where in the picture, its middle, and its length.
fn closed_gap(gap: &Gap, ground: Option<&GroundTransform>) -> Value {
    match ground {
        Some(ground) => {
            let at = ground.geographic(gap.at).map(|v| rounded(v, DEGREE_DIGITS));
            json!({"place": gap.place, "at": at, "length_m": rounded(gap.length * ground.scale(), 2)})
        }
        None => {
            let at = gap.at.map(|v| rounded(v, 1));
            json!({"place": gap.place, "at": at, "length_px": rounded(gap.length, 1)})
        }
    }
}

/// Measures rings in local meters and converts them to degrees.
fn on_ground(local: Vec<Ring>, origin: GeoPoint, properties: &mut Map<String, Value>) -> Vec<Ring> {
    let frame = LocalFrame::new(origin);
    // Before measuring, so that lengths are in the order of the edges.
    let local: Vec<Ring> = local.into_iter().map(counter_clockwise).collect();
    let area: f64 = local.iter().map(|r| signed_area(r)).sum();
    properties.insert("coordinates".into(), json!("wgs84"));
    properties.insert("area_m2".into(), json!(rounded(area, 1)));
    properties.insert("area_acres".into(), json!(rounded(area / ACRE, 4)));
    measure_edges(&local, properties, "m", 2);
    local.iter().map(|r| r.iter().map(|p| frame.geographic(*p)).collect()).collect()
}

fn geometry(rings: &[Ring], digits: i32) -> Value {
    let closed = |ring: &Ring| -> Value {
        let positions = ring.iter().chain(ring.first()).map(|p| json!(p.map(|v| rounded(v, digits))));
        Value::Array(positions.collect())
    };
    match rings {
        [ring] => json!({"type": "Polygon", "coordinates": [closed(ring)]}),
        rings => {
            let polygons: Vec<Value> = rings.iter().map(|ring| json!([closed(ring)])).collect();
            json!({"type": "MultiPolygon", "coordinates": polygons})
        }
    }
}

/// Adds the edge lengths of each ring, from the first position on, and their sum.
fn measure_edges(rings: &[Ring], properties: &mut Map<String, Value>, unit: &str, digits: i32) {
    let length = |(a, b): ([f64; 2], [f64; 2])| (a[0] - b[0]).hypot(a[1] - b[1]);
    let lengths: Vec<Vec<f64>> = rings.iter().map(|r| edges(r).map(|e| rounded(length(e), digits)).collect()).collect();
    let total: f64 = rings.iter().flat_map(|r| edges(r)).map(length).sum();
    properties.insert(format!("perimeter_{unit}"), json!(rounded(total, digits)));
    properties.insert(format!("edge_lengths_{unit}"), json!(lengths));
}

/// Makes a ring counter-clockwise with y up, as RFC 7946 (3.1.6) requires of outer rings.
fn counter_clockwise(mut ring: Ring) -> Ring {
    if signed_area(&ring) < 0.0 {
        ring.reverse();
    }
    ring
}

fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (value * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean() -> Picture {
        Picture::new(1000, 800, vec![[0; 3]; 800_000])
    }

    fn square(x: f64, y: f64, side: f64) -> Ring {
        vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    }

    #[test]
    fn a_square_on_the_ground_has_its_area_edges_and_winding() {
        let origin = GeoPoint { lat: -33.9, lon: 151.2 };
        // Ten centimeters per pixel of the clean picture, north to the right; the transform is for twice its size.
        let to_local = [0.0, 0.05, -40.0, 0.05, 0.0, -50.0];
        let ground = GroundTransform { width: 2000, height: 1600, origin, to_local, signature: None };
        let gap = Gap::new([[400.0, 320.0], [400.0, 330.0]], 0.0125, [1000.0, 800.0]);
        let boundary = Boundary { rings: vec![square(400.0, 300.0, 200.0)], gaps: vec![gap], confidence: 0.9 };
        let feature = feature(&boundary, &clean(), Some(&ground));
        let properties = &feature["properties"];
        assert_eq!(properties["area_m2"], json!(400.0));
        let closed = &properties["closed_gaps"][0];
        assert_eq!((&closed["place"], &closed["length_m"]), (&json!("middle"), &json!(1.0)));
        assert_eq!(properties["area_acres"], json!(0.0988));
        assert_eq!(properties["edge_lengths_m"], json!([[20.0, 20.0, 20.0, 20.0]]));
        let ring: Vec<[f64; 2]> =
            serde_json::from_value(feature["geometry"]["coordinates"][0].clone()).expect("a ring");
        assert_eq!(ring.first(), ring.last());
        assert!(signed_area(&ring) > 0.0, "counter-clockwise");
        // Twenty meters of latitude.
        let north =
            ring.iter().map(|p| p[1]).fold(f64::MIN, f64::max) - ring.iter().map(|p| p[1]).fold(f64::MAX, f64::min);
        assert!((north * 110_917.0 - 20.0).abs() < 0.02, "{north}");
    }

    #[test]
    fn a_polygon_is_measured_as_it_was_drawn_and_keeps_every_corner() {
        let corners = [[100.0, 100.0], [200.5, 101.0], [203.0, 250.25], [150.0, 251.0], [99.0, 249.0], [100.0, 100.0]];
        let measured = measure_polygon(&corners, &clean(), None).expect("a polygon");
        let properties = &measured.boundary["properties"];
        assert_eq!((&properties["source"], &properties["confidence"]), (&json!("annotated_polygon"), &json!(1.0)));
        let ring: Vec<[f64; 2]> =
            serde_json::from_value(measured.boundary["geometry"]["coordinates"][0].clone()).expect("a ring");
        assert_eq!(ring.len(), corners.len());
        assert!(corners.iter().all(|corner| ring.contains(corner)), "{ring:?}");
        assert_eq!(properties["area_px"], json!(signed_area(&corners[..5]).abs().round()));
    }

    #[test]
    fn a_polygon_outside_the_picture_flat_or_crossing_itself_is_refused_with_the_remedy() {
        let refusal = |corners: &[[f64; 2]]| measure_polygon(corners, &clean(), None).expect_err("refused").to_string();
        let outside = refusal(&[[0.0, 0.0], [10.0, 0.0], [10.0, 800.5]]);
        assert_eq!(outside, "must lie within the clean picture of 1000 x 800 pixels: corner 3 of it does not");
        assert!(refusal(&[[0.0, 0.0], [90.0, 90.0], [90.0, 0.0], [0.0, 80.0]]).contains("must not cross itself"));
        for flat in [vec![[1.0, 1.0]; 4], vec![[0.0, 0.0], [50.0, 50.0], [100.0, 100.0]]] {
            assert!(refusal(&flat).contains("at least 16 pixels"));
        }
    }

    #[test]
    fn without_a_ground_transform_positions_and_areas_are_in_pixels() {
        let rings = vec![square(100.0, 100.0, 50.0), square(300.0, 300.0, 30.0)];
        let feature = feature(&Boundary { rings, gaps: Vec::new(), confidence: 1.0 }, &clean(), None);
        assert_eq!(feature["geometry"]["type"], "MultiPolygon");
        assert_eq!(feature["properties"]["area_px"], json!(3400.0));
        assert!(feature["properties"].get("area_m2").is_none());
    }
}
