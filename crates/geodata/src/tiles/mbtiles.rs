//! Tile files: MBTiles 1.3, raster.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::TileSource;
use super::tile::{Tile, decode};
use crate::GeodataError;
use crate::gpkg::Bounds;

/// A tile file, open for reading.
pub struct MbTiles {
    db: Connection,
    path: PathBuf,
    /// Zooms that have tiles, coarsest first.
    pub zooms: Vec<u32>,
    /// Side of a tile, pixels.
    pub side: u32,
    /// West, south, east, north of the covered area, degrees.
    pub bounds: Bounds,
    /// Attribution.
    pub attribution: String,
}

/// All tile files in a folder, finest first.
pub fn all(folder: &Path) -> Result<Vec<MbTiles>, GeodataError> {
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(GeodataError::io(folder, error)),
    };
    paths.retain(|path| path.extension().is_some_and(|e| e == "mbtiles"));
    paths.sort();
    let mut all = paths
        .into_iter()
        .map(|path| MbTiles::open(&path).map_err(|why| GeodataError::Imagery { path, why }))
        .collect::<Result<Vec<_>, _>>()?;
    all.sort_by_key(|source| std::cmp::Reverse(source.zooms.last().copied().unwrap_or(0) + source.side.ilog2()));
    Ok(all)
}

impl MbTiles {
    /// Opens a file; the error says what is wrong with it.
    pub fn open(path: &Path) -> Result<Self, String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags).map_err(|e| e.to_string())?;
        Self::read(db, path).map_err(|e| match e {
            Fault::Database(error) => error.to_string(),
            Fault::Content(why) => why,
        })
    }

    fn read(db: Connection, path: &Path) -> Result<Self, Fault> {
        if let Some(why) = unsupported(&db)? {
            return Err(Fault::Content(why));
        }
        let zooms: Vec<u32> = db
            .prepare("SELECT DISTINCT zoom_level FROM tiles WHERE zoom_level BETWEEN 0 AND 24 ORDER BY zoom_level")?
            .query_map([], |r| r.get(0))?
            .collect::<Result<_, _>>()?;
        let Some(finest) = zooms.last().copied() else {
            return Err(Fault::Content("it holds no tiles".into()));
        };
        let data: Vec<u8> =
            db.query_row("SELECT tile_data FROM tiles WHERE zoom_level = ?1 LIMIT 1", [finest], |r| r.get(0))?;
        let side = decode(&data).map_err(Fault::Content)?.side();
        let bounds = match metadata(&db, "bounds")?.as_deref().and_then(bounds) {
            Some(bounds) => bounds,
            None => of_tiles(&db, finest)?,
        };
        let attribution = metadata(&db, "attribution")?.map(|text| plain(&text)).unwrap_or_default();
        Ok(Self { db, path: path.to_owned(), zooms, side, bounds, attribution })
    }
}

impl TileSource for MbTiles {
    fn zooms(&self) -> &[u32] {
        &self.zooms
    }

    fn side(&self) -> u32 {
        self.side
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn attribution(&self) -> &str {
        &self.attribution
    }

    fn tile(&self, zoom: u32, x: i64, y: i64) -> Result<Option<Tile>, GeodataError> {
        let data: Option<Vec<u8>> = self
            .db
            .prepare_cached("SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")?
            .query_row((zoom, x, (1_i64 << zoom) - 1 - y), |r| r.get(0))
            .optional()?;
        let Some(data) = data else { return Ok(None) };
        let damaged = |why| GeodataError::Imagery { path: self.path.clone(), why };
        let tile = decode(&data).map_err(damaged)?;
        if tile.side() != self.side {
            return Err(damaged("its tiles are of several sizes".into()));
        }
        Ok(Some(tile))
    }
}

enum Fault {
    Database(rusqlite::Error),
    Content(String),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// Why a database holds no raster tiles, if it does not.
pub fn unsupported(db: &Connection) -> rusqlite::Result<Option<String>> {
    let tables: i64 = db.query_row(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('tiles', 'metadata') AND type IN ('table', 'view')",
        [],
        |r| r.get(0),
    )?;
    if tables != 2 {
        return Ok(Some("it is a database, but holds no MBTiles; convert a layer of it with `ogr2ogr -t_srs EPSG:4326 out.geojson FILE LAYER`"
            .into()));
    }
    let format = metadata(db, "format")?.filter(|f| !["png", "jpg", "jpeg", "webp"].contains(&f.as_str()));
    Ok(format.map(|format| format!("its tiles are {format}, not pictures (png, jpg or webp)")))
}

/// A value of the metadata, if present and not empty.
pub fn metadata(db: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    let value: Option<Option<String>> =
        db.query_row("SELECT CAST(value AS TEXT) FROM metadata WHERE name = ?1", [name], |r| r.get(0)).optional()?;
    Ok(value.flatten().filter(|text| !text.trim().is_empty()))
}

fn bounds(text: &str) -> Option<Bounds> {
    let edges: Vec<f64> = text.split(',').filter_map(|v| v.trim().parse().ok()).collect();
    let bounds: Bounds = edges.try_into().ok()?;
    (bounds[0] < bounds[2] && bounds[1] < bounds[3]).then_some(bounds)
}

/// Bounds of the tiles of a zoom.
fn of_tiles(db: &Connection, zoom: u32) -> rusqlite::Result<Bounds> {
    let [west, east, south, north] = db.query_row(
        "SELECT min(tile_column), max(tile_column), min(tile_row), max(tile_row) FROM tiles WHERE zoom_level = ?1",
        [zoom],
        |r| Ok([r.get(0)?, r.get(1)?, r.get(2)?, r.get::<_, i64>(3)?]),
    )?;
    let count = f64::from(zoom).exp2();
    let lon = |column: i64| column as f64 / count * 360.0 - 180.0;
    let lat = |row: i64| ((row as f64 / count * 2.0 - 1.0) * std::f64::consts::PI).sinh().atan().to_degrees();
    Ok([lon(west), lat(south), lon(east + 1), lat(north + 1)])
}

/// Converts an HTML attribution to plain text.
pub fn plain(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            _ if !inside && !c.is_control() => out.push(c),
            _ => {}
        }
    }
    for (mark, sign) in
        [("&copy;", "©"), ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
    {
        out = out.replace(mark, sign);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
