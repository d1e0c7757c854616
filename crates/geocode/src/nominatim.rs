//! A geocoder with the API of Nominatim (nominatim.org, `/search` with `format=jsonv2`). Its results are treated as a
//! list of mapped addresses, in which the query is looked up by the same rules as in an imported map, so that it never
//! yields anything coarser than a house number or the wrong house.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::Value;

use aerie_geodata::gpkg::{self, Geometry, OsmKind};
use aerie_geodata::online::answer_cache::Answers;
use aerie_geodata::online::client::{Client, encoded};
use aerie_geodata::{GeodataError, Match, Pack, Precision, Service, Sources, names, street_index};

use crate::error::GeocodeError;
use crate::search::geocode;

/// Maximum duration of a request.
const TIME: Duration = Duration::from_secs(15);
/// Maximum size of a response, bytes.
const LARGEST: u64 = 1 << 20;
/// Maximum number of results requested and considered.
const RESULTS: usize = 20;
/// Maximum length of a text in a result, bytes.
const TEXT: usize = 255;
/// Fields that may name the street of a house, the likeliest first.
const STREETS: [&str; 9] =
    ["road", "pedestrian", "footway", "path", "cycleway", "square", "place", "isolated_dwelling", "hamlet"];
/// Address fields that do not name a place around it.
const OTHER_PARTS: [&str; 4] = ["house_number", "house_name", "postcode", "country_code"];

/// The fields of a result that are used.
#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    osm_type: String,
    #[serde(default)]
    osm_id: i64,
    lat: Value,
    lon: Value,
    #[serde(default, alias = "class")]
    category: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    address: BTreeMap<String, Value>,
}

impl Found {
    /// Position; some versions write degrees as text.
    fn at(&self) -> Option<[f64; 2]> {
        let degrees = |v: &Value| v.as_f64().or_else(|| v.as_str()?.parse().ok());
        let [lon, lat] = [degrees(&self.lon)?, degrees(&self.lat)?];
        (lon.abs() <= 180.0 && lat.abs() <= 85.0).then_some([lon, lat])
    }

    fn part(&self, key: &str) -> Option<&str> {
        let text = self.address.get(key)?.as_str()?.trim();
        (!text.is_empty() && text.len() <= TEXT && !text.chars().any(char::is_control)).then_some(text)
    }

    fn street(&self) -> Option<&str> {
        STREETS.iter().chain(&["village", "town", "city"]).find_map(|key| self.part(key))
    }

    /// Interpolated numbers lie on a line and have the category `place`.
    fn is_interpolated(&self) -> bool {
        self.osm_type == "way" && self.category == "place" && matches!(self.kind.as_str(), "house" | "houses")
    }

    /// Whether it is a house or an address itself, rather than a shop in it.
    fn is_house(&self) -> bool {
        matches!(self.category.as_str(), "building" | "place")
    }
}

/// Looks an address up; an error of the service itself is [`GeocodeError::Data`].
pub(crate) fn search(
    data_dir: &Path,
    sources: &Sources,
    (name, service): (&str, &Service),
    address: &str,
) -> Result<Match, GeocodeError> {
    let answers = Answers::open(&data_dir.join("cache/geocoder"), name, service)?;
    let question = address.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let client = Client::new(&sources.agent(), TIME, LARGEST);
    let query = format!("q={}&format=jsonv2&addressdetails=1&limit={RESULTS}", encoded(&question));
    let answer = answers.to(&question, |turn| answers.get(&client, &query, turn), |body| parsed(body).map(|_| ()))?;
    let mut found = parsed(&answer.body).map_err(|why| answers.fails(why))?;
    found.retain(|f| f.at().is_some() && f.part("house_number").is_some() && f.street().is_some());
    // Shops and offices have the address of their house, but a position of their own.
    if found.iter().any(Found::is_house) {
        found.retain(Found::is_house);
    }
    if found.iter().any(|f| !f.is_interpolated()) {
        found.retain(|f| !f.is_interpolated());
    }
    let pack = Pack::from_addresses(listed(&found)?, name);
    let mut m = geocode(&pack, address)?;
    // A list of results does not show what else exists: a name that looks like a typo may be correct.
    if m.matched.contains("(read \"") {
        return Err(GeocodeError::UnknownStreet { address: address.to_owned(), candidates: vec![m.matched] });
    }
    let number: usize = m.address_id.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    if let Some(f) = found.get(number) {
        let kind = if matches!(f.osm_type.as_str(), "node" | "way" | "relation") { &f.osm_type } else { "object" };
        m.address_id = format!("{kind}/{}", f.osm_id);
        m.source = format!("{name} {}", m.address_id);
        if f.is_interpolated() {
            m.precision = Precision::Interpolated;
            m.matched.push_str(" (interpolated)");
        }
    }
    Ok(m)
}

fn parsed(body: &[u8]) -> Result<Vec<Found>, String> {
    let results: Vec<Value> = serde_json::from_slice(body)
        .map_err(|_| "its answer is no list of places; its url must be that of a search as Nominatim's".to_owned())?;
    // Skip malformed results: a service may have kinds that we do not know.
    Ok(results.into_iter().take(RESULTS).filter_map(|r| serde_json::from_value(r).ok()).collect())
}

/// Stores the results as mapped addresses, numbered in order.
fn listed(found: &[Found]) -> Result<Connection, GeodataError> {
    let db = Connection::open_in_memory()?;
    gpkg::create(&db)?;
    for (number, f) in found.iter().enumerate() {
        let (Some(at), Some(house), Some(street)) = (f.at(), f.part("house_number"), f.street()) else { continue };
        let fid = gpkg::fid(OsmKind::Node, number as i64);
        let around: Vec<&str> = f
            .address
            .keys()
            .filter(|k| !OTHER_PARTS.contains(&k.as_str()) && !k.starts_with("ISO"))
            .filter_map(|key| f.part(key))
            .collect();
        let keys: Vec<String> = around.iter().map(|name| names::locality_key(name)).collect();
        let town = ["city", "town", "village", "municipality", "hamlet"].iter().find_map(|key| f.part(key));
        let postcode = f.part("postcode");
        db.execute(
            "INSERT INTO addresses (fid, geom, osm_id, housenumber, street, postcode, city, town, localities, postcodes)
             VALUES (?1, ?2, '', ?3, ?4, ?5, ?6, ?6, ?7, ?8)",
            params![
                fid,
                Geometry::Point(at).to_blob(),
                house,
                street,
                postcode,
                town,
                format!("|{}|", keys.join("|")),
                format!("|{}|", postcode.map(names::postcode_key).unwrap_or_default())
            ],
        )?;
        street_index::insert(&db, fid, street, house)?;
        for (key, name) in keys.iter().zip(around) {
            db.execute("INSERT OR IGNORE INTO aerie_localities VALUES (?1, ?2)", [key.as_str(), name])?;
        }
    }
    street_index::rebuild_spellings(&db)?;
    Ok(db)
}
