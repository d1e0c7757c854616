//! Features of GeoJSON.

use crate::osm::MAX_ID;
use aerie_geodata::gpkg::{Geometry, OsmKind};
use aerie_geodata::length;
use aerie_math::rng;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Properties that may identify a parcel, the most reliable first.
const NAMES: [&str; 8] = ["egrid", "parcel_id", "parcelid", "apn", "gml_id", "nummer", "number", "id"];
/// Plausible heights of buildings, meters; others are ignored.
const TALL: std::ops::RangeInclusive<f64> = 1.0..=900.0;
/// Properties that name the unit of a height.
const UNITS: [&str; 5] = ["heightunit", "heightunits", "heightuom", "measuredheightuom", "heightunitofmeasure"];

/// Why a polygon is left out that probably has positions in meters.
pub(super) const NO_DEGREES: &str = "polygons whose positions are no degrees";
/// Why a polygon is left out whose positions are degrees only with their numbers swapped.
pub(super) const SWAPPED: &str = "polygons whose positions have the latitude before the longitude";
const NO_POLYGON: &str = "features that are no polygons";
const BROKEN: &str = "polygons with a broken geometry";

#[derive(Default, Deserialize)]
pub(super) struct Feature {
    #[serde(default)]
    pub(super) id: Value,
    #[serde(default)]
    pub(super) geometry: Option<Shape>,
    #[serde(default)]
    pub(super) properties: Option<Map<String, Value>>,
    /// Of Esri JSON.
    #[serde(default)]
    pub(super) attributes: Option<IgnoredAny>,
    /// Of JSON-FG.
    #[serde(default)]
    pub(super) place: Option<IgnoredAny>,
}

#[derive(Deserialize, Serialize)]
pub(super) struct Shape {
    /// Empty in geometries of Esri JSON.
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) coordinates: Value,
    /// Parts of a geometry collection. The parser of JSON limits how deep they are nested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    geometries: Vec<Shape>,
}

impl Shape {
    /// Returns the geometry itself, or the polygons in a collection.
    pub(super) fn parts(&self) -> Vec<&Shape> {
        if self.kind != "GeometryCollection" {
            return vec![self];
        }
        let parts = self.geometries.iter().flat_map(Shape::parts);
        parts.filter(|part| matches!(part.kind.as_str(), "Polygon" | "MultiPolygon")).collect()
    }
}

/// A name without case and punctuation.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Feature {
    /// Properties, by their plain names.
    pub(super) fn properties(&self) -> impl Iterator<Item = (String, &Value)> {
        self.properties.iter().flatten().map(|(key, value)| (plain(key), value))
    }

    /// The identifier given by the survey; empty if there is none.
    pub(super) fn name(&self) -> String {
        let text = |value: &Value| match value {
            Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let of_property = |name: &&str| {
            let mut all = self.properties.iter().flatten();
            all.find(|(key, _)| key.eq_ignore_ascii_case(name)).and_then(|(_, value)| text(value))
        };
        text(&self.id).or_else(|| NAMES.iter().find_map(of_property)).unwrap_or_default()
    }

    /// Type and id of the object of OpenStreetMap that the feature is, as in exports of Overpass Turbo.
    pub(super) fn osm_id(&self) -> Option<(OsmKind, i64)> {
        let named = self.properties.as_ref().and_then(|properties| properties.get("@id"));
        let (kind, id) = named.unwrap_or(&self.id).as_str()?.split_once('/')?;
        let kind = match kind {
            "node" => OsmKind::Node,
            "way" => OsmKind::Way,
            "relation" => OsmKind::Relation,
            _ => return None,
        };
        let id = id.parse().ok().filter(|id| -MAX_ID < *id && *id < MAX_ID)?;
        Some((kind, id))
    }

    /// The value of a property as a length, with its unit where it names one.
    pub(super) fn length(&self, key: &str) -> Option<(f64, Option<f64>)> {
        let (_, value) = self.properties().find(|(name, _)| name == key)?;
        let (number, unit) = match value {
            Value::String(text) => length::parse(text)?,
            value => (value.as_f64()?, None),
        };
        let named = || {
            let (_, value) = self.properties().find(|(name, _)| UNITS.contains(&name.as_str()))?;
            length::unit(value.as_str()?)
        };
        Some((number, unit.or_else(named)))
    }

    /// The height of the building in a property, meters, if plausible; `unit`: meters per unit where the value names none.
    pub(super) fn height(&self, key: &str, unit: f64) -> Option<f64> {
        let (number, own) = self.length(key)?;
        Some(number * own.unwrap_or(unit)).filter(|meters| TALL.contains(meters))
    }

    /// Row id, the same at every import: FNV-1a of the identifier, or of the geometry if there is none.
    pub(super) fn fid(&self) -> i64 {
        let name = self.name();
        let identity = if name.is_empty() { serde_json::to_string(&self.geometry).unwrap_or_default() } else { name };
        let hash = rng::fnv1a(rng::FNV_BASIS, &identity);
        // Row ids are positive.
        (hash >> 1).max(1) as i64
    }

    /// Its polygons; the error says why it has none.
    pub(super) fn polygons(&self) -> Result<Geometry, &'static str> {
        let shape = self.geometry.as_ref().ok_or("features without a geometry")?;
        let mut polygons: Vec<Vec<Vec<Vec<f64>>>> = Vec::new();
        for part in shape.parts() {
            let read = match part.kind.as_str() {
                "Polygon" => Vec::deserialize(&part.coordinates).map(|polygon| vec![polygon]),
                "MultiPolygon" => Vec::deserialize(&part.coordinates),
                _ => return Err(NO_POLYGON),
            };
            polygons.extend(read.map_err(|_| BROKEN)?);
        }
        if polygons.is_empty() && shape.kind == "GeometryCollection" {
            return Err(NO_POLYGON);
        }
        let ring = |ring: Vec<Vec<f64>>| {
            let mut out = Vec::with_capacity(ring.len());
            for position in ring {
                let [lon, lat, ..] = position[..] else { return Err(BROKEN) };
                if lon.abs() <= 90.0 && lat.abs() > 90.0 && lat.abs() <= 180.0 {
                    return Err(SWAPPED);
                }
                if !(lon.abs() <= 180.0 && lat.abs() <= 90.0) {
                    return Err(NO_DEGREES);
                }
                out.push([lon, lat]);
            }
            // Rings in the pack do not repeat their first point.
            out.dedup();
            while out.len() > 1 && out.first() == out.last() {
                out.pop();
            }
            if out.len() < 3 { Err(BROKEN) } else { Ok(out) }
        };
        let polygon = |rings: Vec<Vec<Vec<f64>>>| rings.into_iter().map(ring).collect::<Result<Vec<_>, _>>();
        let polygons = polygons.into_iter().map(polygon).collect::<Result<Vec<_>, _>>()?;
        if polygons.is_empty() || polygons.iter().any(Vec::is_empty) {
            return Err(BROKEN);
        }
        Ok(Geometry::Polygons(polygons))
    }
}
