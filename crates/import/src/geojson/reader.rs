//! Reads GeoJSON (RFC 7946) feature by feature, so that a whole country fits in memory: a collection, single features one after the
//! other, also as a text sequence (RFC 8142).

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::feature::{Feature, Shape};
use crate::error::ImportError;

/// Maximum size of a feature, bytes: it takes up to thirty times as much in memory. Parcels have some kilobytes.
const MAX_FEATURE: u64 = 8 << 20;
/// Names of WGS 84 in the `crs` member of GeoJSON 2008; RFC 7946 allows no other coordinate system.
const DEGREES: [&str; 3] = ["CRS84", "CRS84h", "4326"];

/// Receives features; an error stops the reader.
pub(super) type Each<'a> = &'a mut dyn FnMut(Feature) -> Result<(), ImportError>;

/// What a file says about itself.
#[derive(Default)]
pub(super) struct Collection {
    /// Number of features.
    pub(super) features: u64,
    /// Its name; empty if it has none.
    pub(super) name: String,
    /// Whether the service that made it says that it left features out.
    pub(super) is_cut: bool,
}

/// Passes every feature to `each`.
pub(super) fn read(path: &Path, each: Each<'_>) -> Result<Collection, ImportError> {
    let io = |e| ImportError::io(path, e);
    let mut file = File::open(path).map_err(io)?;
    let mut mark = [0; 3];
    if file.read_exact(&mut mark).is_err() || mark != *b"\xef\xbb\xbf" {
        file.seek(SeekFrom::Start(0)).map_err(io)?;
    }
    let unread = Cell::new(MAX_FEATURE);
    let mut stopped = None;
    let mut collection = Collection::default();
    let input = BufReader::new(Metered { file, unread: &unread });
    let mut documents = serde_json::Deserializer::from_reader(input);
    loop {
        let document =
            Document { path, each: &mut *each, unread: &unread, stopped: &mut stopped, collection: &mut collection };
        let read = document.deserialize(&mut documents);
        if let Some(error) = stopped {
            return Err(error);
        }
        read.map_err(|e| ImportError::damaged(path, e.to_string()))?;
        match documents.end() {
            Ok(()) => return Ok(collection),
            Err(error) if error.is_io() => return Err(ImportError::damaged(path, error.to_string())),
            // Another document follows.
            Err(_) => {}
        }
    }
}

/// A file that cannot be read on where a feature is too large. Record separators count as spaces.
struct Metered<'a> {
    file: File,
    unread: &'a Cell<u64>,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.unread.get().checked_sub(read as u64);
        self.unread.set(left.ok_or_else(|| io::Error::other("one of its features is larger than 8 MiB"))?);
        for byte in &mut buffer[..read] {
            if *byte == 0x1e {
                *byte = b' ';
            }
        }
        Ok(read)
    }
}

/// A collection, or a single feature.
struct Document<'a> {
    path: &'a Path,
    each: &'a mut dyn FnMut(Feature) -> Result<(), ImportError>,
    unread: &'a Cell<u64>,
    /// Why reading stopped, if not for the JSON.
    stopped: &'a mut Option<ImportError>,
    collection: &'a mut Collection,
}

impl Document<'_> {
    /// Stops because the file is of another kind.
    fn stop<E: serde::de::Error>(&mut self, why: &str) -> E {
        *self.stopped = Some(ImportError::unsupported(self.path, why.to_owned()));
        E::custom(why)
    }

    fn pass<E: serde::de::Error>(&mut self, feature: Feature) -> Result<(), E> {
        self.unread.set(MAX_FEATURE);
        if feature.attributes.is_some() && feature.properties.is_none() {
            return Err(self.stop(ESRI));
        }
        if feature.place.is_some() && feature.geometry.is_none() {
            return Err(self.stop(JSON_FG));
        }
        self.collection.features += 1;
        (self.each)(feature).map_err(|error| {
            let why = error.to_string();
            *self.stopped = Some(error);
            E::custom(why)
        })
    }
}

const ESRI: &str = "it is Esri JSON; export it as GeoJSON (`f=geojson` in a query of the service), or convert it with \
                    `ogr2ogr -t_srs EPSG:4326 out.geojson FILE.json`";
const JSON_FG: &str =
    "it is JSON-FG, whose geometries are in `place`; convert it with `ogr2ogr -t_srs EPSG:4326 out.geojson FILE.json`";
const TOPOLOGY: &str = "it is TopoJSON; convert it with `ogr2ogr out.geojson FILE.json`";
const OVERPASS: &str = "it is Overpass JSON; ask for XML, with `[out:xml]`, and save it as .osm";
const CITY_JSON: &str = "it is CityJSON that does not begin as such; put \"type\":\"CityJSON\" first";

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a GeoJSON feature collection")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut single = Feature::default();
        let (mut is_feature, mut is_collection) = (false, false);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "features" => map.next_value_seed(Features(&mut self))?,
                "crs" => {
                    if let Some(name) = other_than_degrees(&map.next_value()?) {
                        let why = format!(
                            "its positions are in {name}, not in degrees of WGS 84; convert it with `ogr2ogr -t_srs EPSG:4326 \
                             out.geojson …`"
                        );
                        return Err(self.stop(&why));
                    }
                }
                "type" => match map.next_value::<Value>()?.as_str() {
                    Some("Feature") => is_feature = true,
                    Some("FeatureCollection") => is_collection = true,
                    Some("Topology") => return Err(self.stop(TOPOLOGY)),
                    Some("CityJSON" | "CityJSONFeature") => return Err(self.stop(CITY_JSON)),
                    _ => {}
                },
                "name" => {
                    let name = map.next_value::<Value>()?;
                    name.as_str().unwrap_or_default().clone_into(&mut self.collection.name);
                }
                "geometryType" | "spatialReference" | "displayFieldName" | "fieldAliases" if !is_collection => {
                    return Err(self.stop(ESRI));
                }
                "arcs" | "objects" if !is_collection => return Err(self.stop(TOPOLOGY)),
                "elements" if !is_collection => return Err(self.stop(OVERPASS)),
                "exceededTransferLimit" => self.collection.is_cut |= map.next_value::<Value>()? == Value::Bool(true),
                "id" => single.id = map.next_value()?,
                "geometry" => single.geometry = map.next_value::<Option<Shape>>()?,
                "properties" => single.properties = map.next_value::<Option<Map<String, Value>>>()?,
                "place" => single.place = map.next_value()?,
                "attributes" => single.attributes = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let says = single.properties.as_ref().and_then(|properties| properties.get("exceededTransferLimit"));
        self.collection.is_cut |= says == Some(&Value::Bool(true));
        if is_feature || single.attributes.is_some() && single.geometry.is_some() {
            self.pass(single)?;
        }
        Ok(())
    }
}

struct Features<'a, 'b>(&'a mut Document<'b>);

impl<'de> DeserializeSeed<'de> for Features<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Features<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of GeoJSON features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(feature) = list.next_element()? {
            self.0.pass(feature)?;
        }
        Ok(())
    }
}

/// The coordinate system of a `crs` member, if it is not WGS 84.
fn other_than_degrees(crs: &Value) -> Option<String> {
    if crs.is_null() {
        return None;
    }
    let properties = crs.get("properties");
    let name = properties.and_then(|p| p.get("name")).and_then(Value::as_str).map(str::to_owned);
    let code =
        properties.and_then(|p| p.get("code")).and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let name = name.or(code.map(|code| format!("EPSG:{code}")));
    let name = name.unwrap_or_else(|| "a coordinate system that it does not name".to_owned());
    // After the authority and its version, in each kind of name.
    let code = name.rsplit([':', '/', '#']).next().unwrap_or_default();
    (!DEGREES.contains(&code)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_system_is_degrees_only_where_it_says_so() {
        for crs in [
            r#"null"#,
            r#"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
            r#"{"type":"name","properties":{"name":"EPSG:4326"}}"#,
            r#"{"type":"EPSG","properties":{"code":4326}}"#,
        ] {
            assert_eq!(other_than_degrees(&serde_json::from_str(crs).unwrap()), None, "{crs}");
        }
        for (crs, name) in [
            (r#"{"type":"EPSG","properties":{"code":2056}}"#, "EPSG:2056"),
            (r#"{"type":"link","properties":{"href":"x"}}"#, "a coordinate system that it does not name"),
        ] {
            assert_eq!(other_than_degrees(&serde_json::from_str(crs).unwrap()).as_deref(), Some(name));
        }
    }
}
