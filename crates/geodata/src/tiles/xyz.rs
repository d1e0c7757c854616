//! Tiles of an online source, cached on disk as MBTiles, readable by any GIS.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use aerie_sources::XyzTiles;
use rusqlite::{Connection, OptionalExtension};

use super::tile::{Tile, decode};
use super::{TileSource, mbtiles};

use crate::GeodataError;
use crate::gpkg::Bounds;
use crate::online::client::{self, Client};

/// Maximum duration of the request for one tile.
const TIME: Duration = Duration::from_secs(15);
/// Maximum size of a tile, bytes.
const LARGEST: u64 = 4 << 20;

/// Coordinates of a tile: zoom, column, row from the north.
type At = (u32, i64, i64);

/// An online source and its cache.
pub(crate) struct Xyz {
    name: String,
    source: XyzTiles,
    zooms: Vec<u32>,
    kept: Connection,
    client: Client,
    /// When the next request may be made.
    next: Mutex<Instant>,
}

/// Cache state of a tile.
enum Known {
    /// Its bytes, `None` if the source has no such tile; and whether it has expired.
    Kept {
        data: Option<Vec<u8>>,
        is_old: bool,
    },
    Not,
}

impl Xyz {
    /// Opens a source with its cache in `folder`, which is created if missing; `agent` is the user agent.
    pub(crate) fn open(folder: &Path, name: &str, source: &XyzTiles, agent: &str) -> Result<Self, GeodataError> {
        std::fs::create_dir_all(folder).map_err(|e| GeodataError::io(folder, e))?;
        let kept = Connection::open(folder.join(format!("{name}.mbtiles")))?;
        kept.busy_timeout(Duration::from_secs(20))?;
        kept.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
             CREATE TABLE IF NOT EXISTS metadata (name TEXT PRIMARY KEY, value TEXT);
             CREATE TABLE IF NOT EXISTS tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB,
                 fetched_at INTEGER, PRIMARY KEY (zoom_level, tile_column, tile_row));
             CREATE INDEX IF NOT EXISTS tiles_by_age ON tiles (fetched_at);",
        )?;
        // A changed template means another source. Its text is not stored, because it may contain a key.
        let template = client::fingerprint(&source.url);
        if mbtiles::metadata(&kept, "template")?.is_some_and(|known| known != template) {
            kept.execute("DELETE FROM tiles", [])?;
        }
        for (key, value) in [("name", name), ("template", &template), ("attribution", &source.attribution)] {
            kept.execute("INSERT OR REPLACE INTO metadata VALUES (?1, ?2)", [key, value])?;
        }
        let client = Client::new(agent, TIME, LARGEST);
        let zooms = (source.min_zoom..=source.max_zoom).collect();
        Ok(Self {
            name: name.to_owned(),
            source: source.clone(),
            zooms,
            kept,
            client,
            next: Mutex::new(Instant::now()),
        })
    }

    fn known(&self, (zoom, x, y): At) -> Result<Known, GeodataError> {
        let row: Option<(Option<Vec<u8>>, i64)> = self
            .kept
            .prepare_cached(
                "SELECT tile_data, fetched_at FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3",
            )?
            .query_row((zoom, x, (1_i64 << zoom) - 1 - y), |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?;
        Ok(match row {
            Some((data, at)) => Known::Kept { data, is_old: now() - at > i64::from(self.source.keep_days) * 24 * 3600 },
            None => Known::Not,
        })
    }

    fn keep(&self, (zoom, x, y): At, data: Option<&[u8]>) -> Result<(), GeodataError> {
        self.kept.prepare_cached("INSERT OR REPLACE INTO tiles VALUES (?1, ?2, ?3, ?4, ?5)")?.execute((
            zoom,
            x,
            (1_i64 << zoom) - 1 - y,
            data,
            now(),
        ))?;
        let size = |pragma: &str| self.kept.query_row(pragma, [], |r| r.get::<_, i64>(0));
        let used = size("PRAGMA page_count")? - size("PRAGMA freelist_count")?;
        if used * size("PRAGMA page_size")? > i64::from(self.source.cache_mib) << 20 {
            self.kept.execute(
                "DELETE FROM tiles WHERE rowid IN (SELECT rowid FROM tiles ORDER BY fetched_at LIMIT \
                 (SELECT 1 + count(*) / 10 FROM tiles))",
                [],
            )?;
        }
        Ok(())
    }

    /// Waits until the rate limit allows a request.
    fn pace(&self) {
        let mut next = self.next.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = Instant::now();
        std::thread::sleep(next.saturating_duration_since(now));
        *next = now.max(*next) + Duration::from_secs_f64(1.0 / self.source.requests_per_second);
    }

    /// Requests a tile; `None` if the source has no such tile.
    fn fetch(&self, (zoom, x, y): At) -> Result<Option<Vec<u8>>, String> {
        let south = (1_i64 << zoom) - 1 - y;
        let url = [("{z}", i64::from(zoom)), ("{x}", x), ("{y}", y), ("{-y}", south)]
            .iter()
            .fold(self.source.url.clone(), |url, (part, value)| url.replace(part, &value.to_string()));
        self.client.get(&url, || self.pace())
    }
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}

impl TileSource for Xyz {
    fn zooms(&self) -> &[u32] {
        &self.zooms
    }

    fn side(&self) -> u32 {
        self.source.tile_size
    }

    fn bounds(&self) -> Bounds {
        self.source.bounds.unwrap_or([-180.0, -85.05, 180.0, 85.05])
    }

    fn attribution(&self) -> &str {
        &self.source.attribution
    }

    fn tile(&self, zoom: u32, x: i64, y: i64) -> Result<Option<Tile>, GeodataError> {
        let fails = |why: String| GeodataError::Source { name: self.name.clone(), why };
        let at = (zoom, x, y);
        let (old, fresh) = match self.known(at)? {
            Known::Kept { data, is_old: false } => (data, None),
            Known::Kept { data, is_old: true } => (data, Some(self.fetch(at))),
            Known::Not => (None, Some(Ok(self.fetch(at).map_err(fails)?))),
        };
        let data = match fresh {
            // If the source does not answer, an expired tile is better than none.
            None | Some(Err(_)) => old,
            Some(Ok(data)) => {
                if let Some(data) = &data {
                    let tile = decode(data).map_err(|why| fails(format!("it sends no picture: {why}")))?;
                    if tile.side() != self.source.tile_size {
                        let why = format!("its tiles have {} pixels a side; set tile_size so", tile.side());
                        return Err(fails(why));
                    }
                }
                self.keep(at, data.as_deref())?;
                data
            }
        };
        data.map(|data| decode(&data).map_err(fails)).transpose()
    }
}
