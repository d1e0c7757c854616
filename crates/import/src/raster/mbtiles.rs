//! Writes tile files (MBTiles 1.3).

use std::path::Path;
use std::time::Duration;

use aerie_geodata::tiles::mbtiles::{self, MbTiles};
use rusqlite::{Connection, OpenFlags};

use super::conversion::Conversion;
use crate::error::ImportError;

/// Pages copied between two checks for cancellation.
const PAGES: i32 = 2_000;

/// Creates the tables of a tile file.
pub(super) fn create(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA application_id = 1297105496;
         CREATE TABLE metadata (name TEXT, value TEXT);
         CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
         CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);",
    )
}

/// Writes the metadata that readers need.
pub(super) fn finish(copy: &Path, name: &str, attribution: &str) -> rusqlite::Result<()> {
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

/// Copies a tile file; returns the attribution in it.
pub(super) fn copy(work: &Conversion<'_>) -> Result<Option<String>, ImportError> {
    let unsupported = |why| ImportError::unsupported(work.path, why);
    let own = MbTiles::open(work.path).map_err(unsupported)?.attribution;
    let damaged = |e: rusqlite::Error| ImportError::damaged(work.path, e.to_string());
    let from = Connection::open_with_flags(work.path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(damaged)?;
    let mut to = Connection::open(work.copy)?;
    {
        // A backup page by page includes what another program has committed but not yet written back.
        let backup = rusqlite::backup::Backup::new(&from, &mut to)?;
        loop {
            work.stop_if_canceled()?;
            let state = backup.step(PAGES).map_err(damaged)?;
            let state_of_copy = backup.progress();
            let pages = |n: i32| u64::try_from(n).unwrap_or(0);
            (work.progress)(
                "copying",
                pages(state_of_copy.pagecount - state_of_copy.remaining),
                pages(state_of_copy.pagecount),
            );
            match state {
                rusqlite::backup::StepResult::Done => break,
                rusqlite::backup::StepResult::More => {}
                _ => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }
    to.close().map_err(|(_, e)| e)?;
    Ok(Some(own))
}
