//! Online sources that an operator enables: their URLs, terms and rate limits.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The enabled sources; none by default. A source's name also names its cache on disk. Several sources of a kind are
/// used in the order of their names.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// How operators of sources can reach the operator of this server: an email address or web page. Sent to every
    /// source.
    pub contact: Option<String>,
    /// Aerial imagery.
    #[serde(default)]
    pub imagery: BTreeMap<String, XyzTiles>,
    /// Elevation, in the Terrarium encoding.
    #[serde(default)]
    pub terrain: BTreeMap<String, XyzTiles>,
    /// Addresses, from services with the API of Nominatim.
    #[serde(default)]
    pub geocoder: BTreeMap<String, Service>,
    /// Buildings, roads and land use, from services with the API of Overpass.
    #[serde(default)]
    pub features: BTreeMap<String, Service>,
}

/// A service that is queried.
#[derive(Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// URL of the service, without the query. It may contain a key, and is therefore never logged.
    pub url: String,
    /// Attribution, worded as required.
    #[serde(default = "openstreetmap")]
    pub attribution: String,
    /// Maximum number of requests per second, from all processes of this data folder together.
    #[serde(default = "one")]
    pub requests_per_second: f64,
    /// Days after which a cached answer is fetched again.
    #[serde(default = "month")]
    pub keep_days: u32,
    /// Maximum disk space for cached answers, MiB; the oldest are removed first.
    #[serde(default = "room")]
    pub cache_mib: u32,
}

/// Pictures that are fetched as square tiles in web Mercator, by zoom, column and row.
#[derive(Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct XyzTiles {
    /// Template of a tile's URL, with `{z}`, `{x}` and `{y}` (rows from the north) or `{-y}` (from the south, as TMS).
    /// It may contain a key, and is therefore never logged.
    pub url: String,
    /// Attribution, worded as required.
    pub attribution: String,
    /// Coarsest zoom to request.
    #[serde(default)]
    pub min_zoom: u32,
    /// Finest zoom available.
    #[serde(default = "finest")]
    pub max_zoom: u32,
    /// Side of a tile, pixels.
    #[serde(default = "side")]
    pub tile_size: u32,
    /// West, south, east, north of the available area, degrees; the whole world if absent.
    pub bounds: Option<[f64; 4]>,
    /// Maximum number of requests per second.
    #[serde(default = "pace")]
    pub requests_per_second: f64,
    /// Days after which a tile is fetched again.
    #[serde(default = "days")]
    pub keep_days: u32,
    /// Maximum disk space for cached tiles, MiB; the oldest are removed first.
    #[serde(default = "room")]
    pub cache_mib: u32,
}

fn openstreetmap() -> String {
    "© OpenStreetMap contributors".into()
}

fn one() -> f64 {
    1.0
}

fn month() -> u32 {
    30
}

fn finest() -> u32 {
    19
}

fn side() -> u32 {
    256
}

fn pace() -> f64 {
    10.0
}

fn days() -> u32 {
    90
}

fn room() -> u32 {
    2048
}

/// Without the URL, which may contain a key.
impl std::fmt::Debug for XyzTiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("XyzTiles").field("attribution", &self.attribution).finish_non_exhaustive()
    }
}

/// Without the URL, which may contain a key.
impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("attribution", &self.attribution).finish_non_exhaustive()
    }
}

impl Sources {
    /// Whether no source is enabled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.urls().next().is_none()
    }

    /// The URLs of all sources. They may contain keys.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        let tiles = self.imagery.values().chain(self.terrain.values()).map(|source| source.url.as_str());
        tiles.chain(self.geocoder.values().chain(self.features.values()).map(|service| service.url.as_str()))
    }

    /// Checks all values; the error names the key and the correction.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn check(&self) -> Result<(), String> {
        for (kind, sources) in [("imagery", &self.imagery), ("terrain", &self.terrain)] {
            for (name, source) in sources {
                let checked = check_name(name).and_then(|()| source.check());
                checked.map_err(|why| format!("[sources.{kind}.{name}] {why}"))?;
            }
        }
        for (kind, services) in [("geocoder", &self.geocoder), ("features", &self.features)] {
            for (name, service) in services {
                let checked = check_name(name).and_then(|()| service.check());
                checked.map_err(|why| format!("[sources.{kind}.{name}] {why}"))?;
            }
        }
        let contact = self.contact.as_deref().unwrap_or_default();
        if contact.len() > 200 || contact.chars().any(|c| c.is_control() || !c.is_ascii() || matches!(c, '(' | ')')) {
            return Err("[sources] contact must be plain ASCII, without brackets, of at most 200 characters".into());
        }
        if contact.trim().is_empty() && !(self.geocoder.is_empty() && self.features.is_empty()) {
            return Err(
                "[sources] contact must say where you can be reached (mail or a page): those who run geocoders and \
                        feature services want to know whom they serve"
                    .into(),
            );
        }
        Ok(())
    }

    /// User agent of requests.
    pub fn agent(&self) -> String {
        let contact = self.contact.as_deref().map(str::trim).filter(|c| !c.is_empty());
        let contact = contact.map_or_else(String::new, |contact| format!(" ({contact})"));
        format!("Aerie/{}{contact}", env!("CARGO_PKG_VERSION"))
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
    if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        return Err("must have a name of lower-case letters, digits, `-` and `_`".into());
    }
    Ok(())
}

fn check_url(url: &str) -> Result<(), String> {
    if url.starts_with("https://") || url.starts_with("http://") {
        return Ok(());
    }
    Err("url must begin with https:// or http://".into())
}

/// Checks the values that tiles and services have in common.
fn check_terms(attribution: &str, per_second: f64, keep_days: u32, cache_mib: u32) -> Result<(), String> {
    if attribution.trim().is_empty() {
        return Err("attribution must say whom to credit, as the source's terms ask".into());
    }
    if !(0.1..=100.0).contains(&per_second) {
        return Err("requests_per_second must be from 0.1 to 100".into());
    }
    if cache_mib == 0 || keep_days == 0 {
        return Err(
            "cache_mib and keep_days must be at least 1: what a source gives is kept, not fetched for each job".into(),
        );
    }
    Ok(())
}

impl Service {
    fn check(&self) -> Result<(), String> {
        check_url(&self.url)?;
        check_terms(&self.attribution, self.requests_per_second, self.keep_days, self.cache_mib)
    }
}

impl XyzTiles {
    fn check(&self) -> Result<(), String> {
        check_url(&self.url)?;
        let has = |part: &str| self.url.contains(part);
        if !(has("{z}") && has("{x}") && (has("{y}") || has("{-y}"))) {
            return Err("url must hold {z}, {x} and {y} (or {-y}, where rows are counted from the south)".into());
        }
        if self.min_zoom > self.max_zoom || self.max_zoom > 24 {
            return Err("min_zoom and max_zoom must be from 0 to 24, the coarsest first".into());
        }
        if ![256, 512, 1024].contains(&self.tile_size) {
            return Err("tile_size must be 256, 512 or 1024".into());
        }
        if self.bounds.is_some_and(|[west, south, east, north]| !(west < east && south < north)) {
            return Err("bounds must be [west, south, east, north] in degrees".into());
        }
        check_terms(&self.attribution, self.requests_per_second, self.keep_days, self.cache_mib)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(url: &str) -> XyzTiles {
        XyzTiles {
            url: url.into(),
            attribution: "© City".into(),
            min_zoom: 0,
            max_zoom: 19,
            tile_size: 256,
            bounds: None,
            requests_per_second: 10.0,
            keep_days: 90,
            cache_mib: 64,
        }
    }

    fn why(name: &str, source: XyzTiles) -> String {
        Sources { imagery: [(name.to_owned(), source)].into(), ..Sources::default() }.check().unwrap_err()
    }

    #[test]
    fn an_invalid_source_is_reported_with_its_key_and_the_remedy() {
        let good = source("https://a.example/{z}/{x}/{y}.png?key=secret");
        let imagery = [("city-1".to_owned(), good.clone())].into();
        assert_eq!(Sources { imagery, ..Sources::default() }.check(), Ok(()));
        assert!(why("../city", good.clone()).contains("must have a name of lower-case letters"));
        assert!(why("city", source("file:///{z}/{x}/{y}")).starts_with("[sources.imagery.city] url must begin with"));
        assert!(why("city", source("https://a.example/{z}/{x}.png")).contains("url must hold {z}, {x} and {y}"));
        assert!(why("city", XyzTiles { attribution: " ".into(), ..good.clone() }).contains("whom to credit"));
        assert!(why("city", XyzTiles { max_zoom: 25, ..good.clone() }).contains("max_zoom"));
        assert!(why("city", XyzTiles { tile_size: 300, ..good.clone() }).contains("tile_size"));
        assert!(why("city", XyzTiles { bounds: Some([9.0, 47.0, 8.0, 48.0]), ..good.clone() }).contains("bounds"));
        assert!(why("city", XyzTiles { requests_per_second: 0.0, ..good.clone() }).contains("requests_per_second"));
        assert!(why("city", XyzTiles { cache_mib: 0, ..good.clone() }).contains("cache_mib"));
        assert!(!format!("{good:?}").contains("secret"));
    }

    #[test]
    fn services_need_a_contact_and_their_keys_are_not_shown() {
        let parse = |text: &str| serde_json::from_str::<Sources>(text).unwrap();
        let nobody = parse(r#"{"geocoder": {"osm": {"url": "https://n.example/search?key=secret"}}}"#);
        assert!(nobody.check().unwrap_err().contains("contact must say where you can be reached"));
        let good = parse(
            r#"{"contact": "maps@acme.example", "geocoder": {"osm": {"url": "https://n.example/search?key=secret"}}}"#,
        );
        assert_eq!(good.check(), Ok(()));
        assert!(good.agent().starts_with("Aerie/") && good.agent().ends_with(" (maps@acme.example)"));
        assert_eq!(good.geocoder["osm"].attribution, "© OpenStreetMap contributors");
        assert!(!format!("{good:?}").contains("secret"));
        let split = parse(r#"{"contact": "a\r\nX-Injected: 1"}"#);
        assert!(split.check().unwrap_err().contains("contact must be plain ASCII"));
        let odd = parse(r#"{"contact": "a@b.example", "features": {"osm": {"url": "ftp://o.example"}}}"#);
        assert!(odd.check().unwrap_err().starts_with("[sources.features.osm] url must begin with"));
    }
}
