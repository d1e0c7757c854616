//! Writes tile files (MBTiles 1.3).

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aerie_geodata::tiles::mbtiles::{self, MbTiles};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, params};

use super::conversion::Conversion;
use crate::error::ImportError;
use crate::growth::Growth;
use crate::report::FileReport;

/// Maximum size of a value in a tile file, bytes.
const MAX_LENGTH: i32 = 32 << 20;
/// Maximum number of rows of metadata, and of bytes of one.
const MAX_METADATA: i64 = 1000;
const MAX_VALUE: usize = 1 << 20;
/// What a tile counts for in addition to its picture, bytes.
const ROW: u64 = 512;
/// Instructions of SQLite's machine in a step, and the maximum number of steps before a query returns a row: some ten seconds.
const STEPS: i32 = 10_000;
const MAX_STEPS: u64 = 50_000;

/// Creates the tables of a tile file.
pub(crate) fn create(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA application_id = 1297105496;
         CREATE TABLE metadata (name TEXT, value TEXT);
         CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
         CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);",
    )
}

/// Writes the metadata that readers need.
pub(crate) fn finish(copy: &Path, name: &str, attribution: &str) -> rusqlite::Result<()> {
    let db = Connection::open(copy)?;
    db.execute_batch("PRAGMA journal_mode = DELETE;")?;
    db.execute("DELETE FROM metadata WHERE name IN ('attribution', 'type')", [])?;
    for (key, value) in [("attribution", attribution), ("type", "baselayer")] {
        db.execute("INSERT INTO metadata (name, value) VALUES (?1, ?2)", [key, value])?;
    }
    if mbtiles::metadata(&db, "name")?.is_none() {
        db.execute("DELETE FROM metadata WHERE name = 'name'", [])?;
        db.execute("INSERT INTO metadata (name, value) VALUES ('name', ?1)", [name])?;
    }
    let is_table: i64 =
        db.query_row("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'tiles'", [], |r| r.get(0))?;
    let indices: i64 =
        db.query_row("SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'tiles'", [], |r| {
            r.get(0)
        })?;
    if is_table == 1 && indices == 0 {
        db.execute_batch("CREATE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")?;
    }
    db.close().map_err(|(_, e)| e)
}

/// Copies the tiles and the metadata; returns the attribution among them. Nothing else of the file's schema is taken over: views
/// and triggers are code of strangers.
pub(super) fn copy(work: &Conversion<'_>, report: &mut FileReport) -> Result<Option<String>, ImportError> {
    let damaged = |e: rusqlite::Error| match e.sqlite_error_code() {
        Some(rusqlite::ErrorCode::OperationInterrupted) => {
            ImportError::damaged(work.path, "a query of its tiles does not end".into())
        }
        _ => ImportError::damaged(work.path, e.to_string()),
    };
    let length = fs::metadata(work.path).map_err(|e| ImportError::io(work.path, e))?.len();
    let mut from = Connection::open_with_flags(work.path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(damaged)?;
    let steps = limit(&mut from).map_err(damaged)?;
    if let Some(why) = mbtiles::unsupported(&from).map_err(damaged)? {
        return Err(ImportError::unsupported(work.path, why));
    }
    let to = Connection::open(work.copy)?;
    create(&to)?;
    to.execute_batch("BEGIN")?;
    let mut metadata = from.prepare("SELECT name, CAST(value AS TEXT) FROM metadata LIMIT ?1").map_err(damaged)?;
    let mut rows = metadata.query([MAX_METADATA]).map_err(damaged)?;
    while let Some(row) = rows.next().map_err(damaged)? {
        let [name, value] =
            [row.get(0), row.get(1)].map(|text: rusqlite::Result<Option<String>>| text.unwrap_or_default());
        if let (Some(name), Some(value)) = (name, value)
            && value.len() <= MAX_VALUE
        {
            to.execute("INSERT INTO metadata VALUES (?1, ?2)", [name, value])?;
        }
    }
    let mut growth = Growth::new(work.path, length);
    let (mut done, mut rows_read) = (0, 0_u64);
    let tiles = "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles";
    let mut tiles = from.prepare(tiles).map_err(damaged)?;
    let mut rows = tiles.query([]).map_err(damaged)?;
    let mut put = to.prepare("INSERT OR REPLACE INTO tiles VALUES (?1, ?2, ?3, ?4)")?;
    while let Some(row) = rows.next().map_err(damaged)? {
        work.stop_if_canceled()?;
        steps.store(0, Ordering::Relaxed);
        let [zoom, column, line] =
            [row.get(0), row.get(1), row.get(2)].map(|v: rusqlite::Result<Option<i64>>| v.map_err(damaged));
        let data = row.get_ref(3).map_err(damaged)?.as_blob_or_null();
        let data = data.map_err(|_| ImportError::damaged(work.path, "one of its tiles is not binary".into()))?;
        let (Some(zoom), Some(column), Some(line), Some(data)) = (zoom?, column?, line?, data) else {
            report.skip("tiles without a picture or a place");
            continue;
        };
        growth.add(data.len() as u64 + ROW)?;
        put.execute(params![zoom, column, line, data])?;
        rows_read += 1;
        done += data.len() as u64;
        (work.progress)("copying", done.min(length), length);
    }
    drop(put);
    to.execute_batch("COMMIT")?;
    let tiles: i64 = to.query_row("SELECT count(*) FROM tiles", [], |r| r.get(0))?;
    if let Some(more @ 1..) = rows_read.checked_sub(u64::try_from(tiles).unwrap_or(0)) {
        report.skip_all("tiles that are in the file twice", more);
    }
    // The copy holds no tiles, or a tile that cannot be read.
    drop(MbTiles::open(work.copy).map_err(|why| ImportError::unsupported(work.path, why))?);
    let attribution = mbtiles::metadata(&to, "attribution")?;
    to.close().map_err(|(_, e)| e)?;
    Ok(Some(attribution.unwrap_or_default()))
}

/// Limits what queries of a database of strangers may do, since its tables may be views. Returns the counter of steps, which stops
/// a query at [`MAX_STEPS`].
fn limit(db: &mut Connection) -> rusqlite::Result<Arc<AtomicU64>> {
    db.execute_batch("PRAGMA trusted_schema = OFF")?;
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_LENGTH)?;
    let steps = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&steps);
    db.progress_handler(STEPS, Some(move || counted.fetch_add(1, Ordering::Relaxed) >= MAX_STEPS))?;
    Ok(steps)
}
