//! Online sources that an operator switches on: where from, on what terms, and how politely.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The sources that are switched on; none by default.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    /// Imagery from above, by name. A name also names the source's cache on disk.
    #[serde(default)]
    pub imagery: BTreeMap<String, XyzImagery>,
}

/// Imagery that is fetched as square tiles in web Mercator, by zoom, column and row.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct XyzImagery {
    /// Template of a tile's URL, with `{z}`, `{x}` and `{y}` (rows from the north) or `{-y}` (from the south, as TMS). It may
    /// hold a key, and is therefore never told.
    pub url: String,
    /// Whom to credit, as it must be written.
    pub attribution: String,
    /// Coarsest zoom that is asked for.
    #[serde(default)]
    pub min_zoom: u32,
    /// Finest zoom that there is.
    #[serde(default = "finest")]
    pub max_zoom: u32,
    /// Pixels a side of a tile.
    #[serde(default = "side")]
    pub tile_size: u32,
    /// West, south, east, north of what there is, degrees; the world when absent.
    pub bounds: Option<[f64; 4]>,
    /// Most requests a second.
    #[serde(default = "pace")]
    pub requests_per_second: f64,
    /// Days after which a tile is fetched again.
    #[serde(default = "days")]
    pub keep_days: u32,
    /// Most room of the tiles on disk, MiB; the oldest go first.
    #[serde(default = "room")]
    pub cache_mib: u32,
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

/// Without the URL, which may hold a key.
impl std::fmt::Debug for XyzImagery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("XyzImagery").field("attribution", &self.attribution).finish_non_exhaustive()
    }
}

impl Sources {
    /// Whether everything in it can be used; else which key is wrong and how to mend it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), String> {
        self.imagery
            .iter()
            .try_for_each(|(name, source)| source.check(name).map_err(|why| format!("[sources.imagery.{name}] {why}")))
    }
}

impl XyzImagery {
    fn check(&self, name: &str) -> Result<(), String> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
            return Err("must have a name of lower-case letters, digits, `-` and `_`".into());
        }
        let has = |part: &str| self.url.contains(part);
        if !(self.url.starts_with("https://") || self.url.starts_with("http://")) {
            return Err("url must begin with https:// or http://".into());
        }
        if !(has("{z}") && has("{x}") && (has("{y}") || has("{-y}"))) {
            return Err("url must hold {z}, {x} and {y} (or {-y}, where rows are counted from the south)".into());
        }
        if self.attribution.trim().is_empty() {
            return Err("attribution must say whom to credit, as the source's terms ask".into());
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
        if !(0.1..=100.0).contains(&self.requests_per_second) {
            return Err("requests_per_second must be from 0.1 to 100".into());
        }
        if self.cache_mib == 0 || self.keep_days == 0 {
            return Err(
                "cache_mib and keep_days must be at least 1: a source's tiles are kept, not fetched for each job"
                    .into(),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(url: &str) -> XyzImagery {
        XyzImagery {
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

    fn why(name: &str, source: XyzImagery) -> String {
        Sources { imagery: [(name.to_owned(), source)].into() }.check().unwrap_err()
    }

    #[test]
    fn what_is_wrong_with_a_source_is_told_with_its_key_and_the_remedy() {
        let good = source("https://a.example/{z}/{x}/{y}.png?key=secret");
        assert_eq!(Sources { imagery: [("city-1".to_owned(), good.clone())].into() }.check(), Ok(()));
        assert!(why("../city", good.clone()).contains("must have a name of lower-case letters"));
        assert!(why("city", source("file:///{z}/{x}/{y}")).starts_with("[sources.imagery.city] url must begin with"));
        assert!(why("city", source("https://a.example/{z}/{x}.png")).contains("url must hold {z}, {x} and {y}"));
        assert!(why("city", XyzImagery { attribution: " ".into(), ..good.clone() }).contains("whom to credit"));
        assert!(why("city", XyzImagery { max_zoom: 25, ..good.clone() }).contains("max_zoom"));
        assert!(why("city", XyzImagery { tile_size: 300, ..good.clone() }).contains("tile_size"));
        assert!(why("city", XyzImagery { bounds: Some([9.0, 47.0, 8.0, 48.0]), ..good.clone() }).contains("bounds"));
        assert!(why("city", XyzImagery { requests_per_second: 0.0, ..good.clone() }).contains("requests_per_second"));
        assert!(why("city", XyzImagery { cache_mib: 0, ..good.clone() }).contains("cache_mib"));
        assert!(!format!("{good:?}").contains("secret"));
    }
}
