//! Imports parcels or surveyed building heights from GeoJSON polygons (RFC 7946), feature by feature. A file contains
//! heights if its first feature has one.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use aerie_math::rng;
use rusqlite::Connection;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use aerie_geodata::gpkg::{self, Bounds, Geometry, Layer};

use crate::error::ImportError;
use crate::options::ImportOptions;
use crate::report::FileReport;

/// Properties that may identify a parcel, the most reliable first.
const NAMES: [&str; 8] = ["egrid", "parcel_id", "parcelid", "apn", "gml_id", "nummer", "number", "id"];
/// Properties that may contain a building's height, meters above ground.
const HEIGHTS: [&str; 9] = [
    "height",
    "bldg_height",
    "bldgheight",
    "building_height",
    "measuredheight",
    "measured_height",
    "roof_height",
    "hoehe",
    "hauteur",
];
/// Plausible heights of buildings, meters; others are ignored.
const TALL: std::ops::RangeInclusive<f64> = 1.0..=900.0;
/// Error message that stops the parser when the import is canceled.
const CANCELED: &str = "the import was canceled";
/// Maximum size of a feature, bytes: it takes up to thirty times as much in memory. Parcels have some kilobytes.
const MAX_FEATURE: u64 = 8 << 20;
/// Number of features after which a file is rejected if none of them has positions in degrees.
const ENOUGH: u64 = 100;

/// Names of WGS 84 in the `crs` member of GeoJSON 2008; RFC 7946 allows no other coordinate system.
const DEGREES: [&str; 4] = ["CRS84", "EPSG::4326", "EPSG:4326", "EPSG:6.6:4326"];

/// Imports a file's parcels or heights into the pack.
pub(crate) fn import(
    db: &Connection,
    path: &Path,
    report: &mut FileReport,
    progress: &dyn Fn(&'static str, u64, u64),
    options: &ImportOptions<'_>,
) -> Result<(), ImportError> {
    let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    let total = report.bytes;
    let mut failed = None;
    let mut seen = 0_u64;
    let mut bounds: Option<Bounds> = None;
    let mut are_heights = None;
    let unread = Cell::new(MAX_FEATURE);
    let mut each = |feature: Feature| {
        seen += 1;
        unread.set(MAX_FEATURE);
        if seen.is_multiple_of(500) {
            progress("reading parcels", 0, total);
            if (options.canceled)() {
                failed = Some(ImportError::Canceled);
                return Err(CANCELED);
            }
        }
        let of_heights = *are_heights.get_or_insert_with(|| feature.height().is_some());
        let height = feature.height().filter(|_| of_heights);
        if of_heights && height.is_none() {
            report.skip("building without a height in meters");
            return Ok(());
        }
        match feature.geometry().map_err(|why| report.skip(why)) {
            Ok(geometry) => match put(db, &feature, height, &geometry) {
                Ok(()) => {
                    *(if of_heights { &mut report.surveyed_heights } else { &mut report.parcels }) += 1;
                    let b = geometry.bounds();
                    bounds = Some(bounds.map_or(b, |a| gpkg::joined(a, b)));
                }
                Err(error) => {
                    failed = Some(error.into());
                    return Err("the pack cannot be written");
                }
            },
            // Probably meters of a national grid.
            Err(()) if report.parcels + report.surveyed_heights == 0 && seen >= ENOUGH => {
                return Err("no positions in degrees");
            }
            Err(()) => {}
        }
        Ok(())
    };
    let mut foreign = None;
    let read = Collection { each: &mut each, foreign: &mut foreign }
        .deserialize(&mut serde_json::Deserializer::from_reader(BufReader::new(Metered { file, unread: &unread })));
    if let Some(error) = failed {
        return Err(error);
    }
    match read {
        _ if foreign.is_some() => Err(ImportError::unsupported(
            path,
            format!(
                "its positions are in {}, not in degrees of WGS 84; convert it with `ogr2ogr -t_srs EPSG:4326 \
                 parcels.geojson …`",
                foreign.unwrap_or_default()
            ),
        )),
        _ if seen > 0 && report.parcels + report.surveyed_heights == 0 => Err(ImportError::unsupported(
            path,
            "it holds no polygons in degrees of WGS 84; convert it with `ogr2ogr -t_srs EPSG:4326 parcels.geojson …`"
                .into(),
        )),
        Ok(()) if seen == 0 => Err(ImportError::unsupported(path, "it is not a GeoJSON feature collection".into())),
        Ok(()) => match (bounds, map(db)?) {
            (Some(of_parcels), Some(map)) if !gpkg::meet(of_parcels, map) => Err(ImportError::unsupported(
                path,
                "none of its polygons lies on the imported map; import the map of that region first, and check that \
                 positions have the longitude before the latitude"
                    .into(),
            )),
            _ => Ok(()),
        },
        Err(error) => Err(ImportError::damaged(path, error.to_string())),
    }
}

/// A file that cannot be read on where a feature is too large.
struct Metered<'a> {
    file: File,
    unread: &'a Cell<u64>,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.unread.get().checked_sub(read as u64);
        self.unread.set(left.ok_or_else(|| io::Error::other("one of its features is larger than 8 MiB"))?);
        Ok(read)
    }
}

fn put(db: &Connection, feature: &Feature, height: Option<f64>, geometry: &Geometry) -> rusqlite::Result<()> {
    match height {
        Some(height) => gpkg::put_height(db, feature.fid(), height, geometry),
        None => gpkg::put_parcel(db, feature.fid(), &feature.name(), geometry),
    }
}

/// Bounds of the imported map.
fn map(db: &Connection) -> rusqlite::Result<Option<Bounds>> {
    let mut all: Option<Bounds> = None;
    for layer in [Layer::Addresses, Layer::Buildings, Layer::Roads, Layer::Areas] {
        if let Some(b) = gpkg::bounds(db, layer)? {
            all = Some(all.map_or(b, |a| gpkg::joined(a, b)));
        }
    }
    Ok(all)
}

/// The name of the coordinate system, if it is not WGS 84.
fn other_than_degrees(crs: &Value) -> Option<String> {
    let name = crs.pointer("/properties/name").and_then(Value::as_str)?;
    (!DEGREES.iter().any(|known| name.ends_with(known))).then(|| name.to_owned())
}

#[derive(Deserialize)]
struct Feature {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    geometry: Option<Shape>,
    #[serde(default)]
    properties: Option<Map<String, Value>>,
}

#[derive(Deserialize, Serialize)]
struct Shape {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    coordinates: Value,
}

impl Feature {
    /// The identifier given by the survey; empty if there is none.
    fn name(&self) -> String {
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

    /// The height of the building, meters, if plausible.
    fn height(&self) -> Option<f64> {
        let mut all = self.properties.iter().flatten();
        let (_, value) = all.find(|(key, _)| HEIGHTS.iter().any(|name| key.eq_ignore_ascii_case(name)))?;
        let meters = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
        TALL.contains(&meters).then_some(meters)
    }

    /// Row id, the same at every import: FNV-1a of the identifier, or of the geometry if there is none.
    fn fid(&self) -> i64 {
        let name = self.name();
        let identity = if name.is_empty() { serde_json::to_string(&self.geometry).unwrap_or_default() } else { name };
        let hash = rng::fnv1a(rng::FNV_BASIS, &identity);
        // Row ids are positive.
        (hash >> 1).max(1) as i64
    }

    fn geometry(&self) -> Result<Geometry, &'static str> {
        let shape = self.geometry.as_ref().ok_or("parcel without a geometry")?;
        let polygons: Vec<Vec<Vec<Vec<f64>>>> = match shape.kind.as_str() {
            "Polygon" => Vec::deserialize(&shape.coordinates).map(|polygon| vec![polygon]),
            "MultiPolygon" => Vec::deserialize(&shape.coordinates),
            _ => return Err("feature that is no polygon"),
        }
        .map_err(|_| "parcel with a broken geometry")?;
        let ring = |ring: Vec<Vec<f64>>| {
            let mut out = Vec::with_capacity(ring.len());
            for position in ring {
                let [lon, lat, ..] = position[..] else { return Err("parcel with a broken geometry") };
                if !(lon.abs() <= 180.0 && lat.abs() <= 90.0) {
                    return Err("parcel whose positions are no degrees");
                }
                out.push([lon, lat]);
            }
            // Rings in the pack do not repeat their first point.
            out.dedup();
            while out.len() > 1 && out.first() == out.last() {
                out.pop();
            }
            if out.len() < 3 { Err("parcel with a broken geometry") } else { Ok(out) }
        };
        let polygon = |rings: Vec<Vec<Vec<f64>>>| rings.into_iter().map(ring).collect::<Result<Vec<_>, _>>();
        let polygons = polygons.into_iter().map(polygon).collect::<Result<Vec<_>, _>>()?;
        if polygons.is_empty() || polygons.iter().any(Vec::is_empty) {
            return Err("parcel with a broken geometry");
        }
        Ok(Geometry::Polygons(polygons))
    }
}

/// A feature collection whose features are passed on one by one, so that a whole country fits in memory.
struct Collection<'a> {
    each: &'a mut dyn FnMut(Feature) -> Result<(), &'static str>,
    /// Set to the coordinate system if it is not WGS 84.
    foreign: &'a mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Collection<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Collection<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a GeoJSON feature collection")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "features" {
                map.next_value_seed(Features(&mut *self.each))?;
            } else if key == "crs" {
                *self.foreign = other_than_degrees(&map.next_value()?);
                if self.foreign.is_some() {
                    return Err(A::Error::custom("positions in another coordinate system"));
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct Features<'a>(&'a mut dyn FnMut(Feature) -> Result<(), &'static str>);

impl<'de> DeserializeSeed<'de> for Features<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Features<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of GeoJSON features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(feature) = list.next_element()? {
            (self.0)(feature).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
