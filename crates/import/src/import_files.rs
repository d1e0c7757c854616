//! Imports files into a region pack.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use aerie_geodata::{gpkg, pack};
use rusqlite::Connection;

use crate::error::ImportError;
use crate::format::{Format, recognize};
use crate::options::{ImportOptions, ImportProgress};
use crate::report::{FileReport, ImportReport};
use crate::work_folder::{WORK_PREFIX, publish, remove_left_over};
use crate::{geojson, osm, raster, srtm};

/// Imports files into the pack of a data folder, one transaction each: those before a bad one stay imported.
///
/// # Errors
/// The first file that cannot be imported, with the remedy; the pack is then as it was before that file.
pub fn import(files: &[PathBuf], options: &ImportOptions<'_>) -> Result<ImportReport, ImportError> {
    import_into(&pack::region_folder(options.data_dir), files, options)
}

/// [`import`] into a given pack folder.
///
/// # Errors
/// As [`import`].
pub fn import_into(folder: &Path, files: &[PathBuf], options: &ImportOptions<'_>) -> Result<ImportReport, ImportError> {
    fs::create_dir_all(folder).map_err(|e| ImportError::io(folder, e))?;
    let lock_path = folder.join("import.lock");
    let lock = File::create(&lock_path).map_err(|e| ImportError::io(&lock_path, e))?;
    // Two imports at once take turns; the lock goes with the process, however it ends.
    lock.lock().map_err(|e| ImportError::io(&lock_path, e))?;
    for folder in [folder, &folder.join(pack::TERRAIN)] {
        remove_left_over(folder, WORK_PREFIX).map_err(|e| ImportError::io(folder, e))?;
    }
    let mut report = ImportReport::default();
    for path in files {
        report.files.push(import_file(folder, path, options)?);
    }
    Ok(report)
}

fn import_file(folder: &Path, path: &Path, options: &ImportOptions<'_>) -> Result<FileReport, ImportError> {
    let kind = recognize(path)?;
    let bytes = fs::metadata(path).map_err(|e| ImportError::io(path, e))?.len();
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let mut report = FileReport { file: name.clone(), bytes, ..FileReport::default() };
    let progress = |stage, done, total| (options.progress)(ImportProgress { file: name.clone(), stage, done, total });
    if let Format::Terrain { zipped } = kind {
        progress("reading", 0, bytes);
        srtm::import(path, zipped, &folder.join(pack::TERRAIN))?;
        progress("reading", bytes, bytes);
        report.terrain_tiles = 1;
        return Ok(report);
    }

    if let Format::Raster(kind) = kind {
        raster::import(path, kind, folder, &mut report, &progress, options)?;
        return Ok(report);
    }

    let pack = folder.join(pack::FILE);
    let work =
        tempfile::Builder::new().prefix(WORK_PREFIX).tempdir_in(folder).map_err(|e| ImportError::io(folder, e))?;
    let copy = work.path().join(pack::FILE);
    // Only where there is no pack is one begun: one that cannot be read may hold a year's imports.
    let fresh = !pack.exists();
    if fresh && kind == Format::GeoJson {
        return Err(ImportError::unsupported(
            path,
            "there is no map yet to lay parcels and heights on; import an OpenStreetMap extract first".into(),
        ));
    }
    if !fresh {
        pack::check(&pack).map_err(|why| ImportError::UnreadablePack { path: pack.clone(), why })?;
        fs::copy(&pack, &copy).map_err(|e| ImportError::io(&pack, e))?;
    }
    let mut db = Connection::open(&copy)?;
    // The copy is thrown away on any failure, so it needs no journal of its own. A new one has large pages: a quarter of the writes.
    db.execute_batch(
        "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; PRAGMA temp_store = FILE; PRAGMA locking_mode = EXCLUSIVE;",
    )?;
    db.set_prepared_statement_cache_capacity(128);
    db.execute_batch("BEGIN")?;
    if fresh {
        gpkg::create(&db)?;
    } else {
        gpkg::drop_triggers(&db)?;
        gpkg::create_missing_layers(&db)?;
    }
    let (report, source) = if kind == Format::GeoJson {
        geojson::import(&db, path, &mut report, &progress, options)?;
        let kind = if report.surveyed_heights > 0 { "heights" } else { "parcels" };
        (report, kind)
    } else {
        let folder = work.path();
        let run = osm::Run::new(path, folder, fresh, report, &progress, options);
        (osm::import(&mut db, kind, run)?, "osm")
    };
    gpkg::create_triggers(&db)?;
    gpkg::refresh_contents(&db)?;
    db.prepare_cached("INSERT OR REPLACE INTO aerie_files VALUES (?1, ?4, ?2, ?3)")?.execute(rusqlite::params![
        report.file,
        i64::try_from(bytes).unwrap_or(i64::MAX),
        serde_json::to_string(&report).unwrap_or_default(),
        source
    ])?;
    db.execute_batch("COMMIT; PRAGMA optimize;")?;
    db.close().map_err(|(_, e)| e)?;
    publish(&copy, &pack).map_err(|e| ImportError::io(&pack, e))?;
    Ok(report)
}
