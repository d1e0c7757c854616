//! Imports files into a region pack.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use aerie_geodata::{gpkg, pack};
use rusqlite::Connection;

use crate::archive::Unpacked;
use crate::error::ImportError;
use crate::format::{Format, recognize};
use crate::options::{ImportOptions, ImportProgress};
use crate::report::{FileReport, ImportReport};
use crate::work_folder::{WORK_PREFIX, publish, remove_left_over};
use crate::{archive, city_model, geojson, osm, point_cloud, raster, srtm};

/// Imports files into the pack of a data folder, one transaction each: files before a failing one stay imported.
///
/// # Errors
/// The first file that cannot be imported, with the remedy; the pack is then as it was before that file.
pub fn import(files: &[PathBuf], options: &ImportOptions<'_>) -> Result<ImportReport, ImportError> {
    import_into(&pack::region_folder(options.data_dir), files, options)
}

/// Like [`import`], into a given pack folder.
///
/// # Errors
/// The same as those of [`import`].
pub fn import_into(folder: &Path, files: &[PathBuf], options: &ImportOptions<'_>) -> Result<ImportReport, ImportError> {
    fs::create_dir_all(folder).map_err(|e| ImportError::io(folder, e))?;
    let lock_path = folder.join("import.lock");
    let lock = File::create(&lock_path).map_err(|e| ImportError::io(&lock_path, e))?;
    // Concurrent imports wait for each other. The lock is released when the process ends, however it ends.
    lock.lock().map_err(|e| ImportError::io(&lock_path, e))?;
    for folder in [folder, &folder.join(pack::TERRAIN)] {
        remove_left_over(folder, WORK_PREFIX).map_err(|e| ImportError::io(folder, e))?;
    }
    let mut report = ImportReport::default();
    for path in files {
        report.files.extend(import_any(folder, path, options)?);
    }
    Ok(report)
}

/// Counts the points, ways and relations of an OpenStreetMap file as [`import`] reads them, and writes nothing.
///
/// # Errors
/// The file cannot be read, or is none of OpenStreetMap.
pub fn count_elements(file: &Path) -> Result<u64, ImportError> {
    match recognize(file)? {
        Format::Osm(encoding) => osm::count(file, encoding),
        _ => Err(ImportError::foreign(file)),
    }
}

/// Imports a file, or each file of an archive.
fn import_any(folder: &Path, path: &Path, options: &ImportOptions<'_>) -> Result<Vec<FileReport>, ImportError> {
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let format = recognize(path)?;
    if !matches!(format, Format::Zip | Format::Gzip) {
        return Ok(vec![import_file(folder, (path, name), format, options)?]);
    }
    let work =
        tempfile::Builder::new().prefix(WORK_PREFIX).tempdir_in(folder).map_err(|e| ImportError::io(folder, e))?;
    (options.progress)(ImportProgress { file: name.clone(), stage: "unpacking", done: 0, total: 0 });
    let unpacked = match format {
        Format::Zip => archive::unpack_zip(path, work.path(), options)?,
        _ => Unpacked { members: vec![archive::unpack_gzip(path, work.path(), options)?], left_out: Vec::new() },
    };
    import_members(folder, (path, &name), unpacked, options)
}

/// Maximum number of files of an archive that a report names as left out.
const MAX_NAMED: usize = 100;

/// Imports the files of an archive that can be read, maps first, and reports the others.
fn import_members(
    folder: &Path,
    (archive, name): (&Path, &str),
    unpacked: Unpacked,
    options: &ImportOptions<'_>,
) -> Result<Vec<FileReport>, ImportError> {
    let Unpacked { members, mut left_out } = unpacked;
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for member in members {
        match recognize(&member.path) {
            Ok(Format::Zip | Format::Gzip) => {
                left_out
                    .push((member.name, "it is an archive in the archive; unpack it, and import what it holds".into()));
            }
            Ok(format) => known.push((member, format)),
            Err(error @ ImportError::Io { .. }) => return Err(error),
            Err(error) => unknown.push((member, error.without_path())),
        }
    }
    // Parcels and heights need the map.
    known.sort_by_key(|(_, format)| !matches!(format, Format::Osm(_)));
    // World files and the like belong to a raster, and are read with it.
    let rasters = known.iter().filter(|(_, format)| matches!(format, Format::Raster(_)));
    let rasters: Vec<PathBuf> = rasters.map(|(member, _)| member.path.clone()).collect();
    let is_part = |path: &Path| {
        let stem =
            |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().split('.').next().map(str::to_owned));
        rasters.iter().any(|of| of.parent() == path.parent() && stem(of) == stem(path))
    };
    left_out.extend(unknown.into_iter().filter(|(member, _)| !is_part(&member.path)).map(|(m, why)| (m.name, why)));
    let is_alone = known.len() == 1;
    let mut reports = Vec::new();
    let mut of_archive = FileReport { file: name.to_owned(), ..FileReport::default() };
    for (member, format) in known {
        let named = match is_alone {
            true => name.to_owned(),
            false => format!("{name} {}", member.name.replace('/', " ")),
        };
        match import_file(folder, (&member.path, named), format, options) {
            Ok(report) => {
                of_archive.used(1);
                reports.push(report);
            }
            Err(error @ (ImportError::Damaged { .. } | ImportError::Foreign { .. })) if !is_alone => {
                left_out.push((member.name, error.without_path()));
            }
            Err(error) => return Err(error.of_member(archive, &member.name)),
        }
    }
    let sentences: Vec<String> = left_out.iter().map(|(name, why)| format!("{name}: {why}")).collect();
    if reports.is_empty() {
        let shown = if sentences.is_empty() {
            "it is empty".to_owned()
        } else {
            sentences[..sentences.len().min(5)].join("; ")
        };
        return Err(ImportError::unsupported(archive, format!("nothing in it can be imported ({shown})")));
    }
    for sentence in sentences.iter().take(MAX_NAMED) {
        of_archive.skip(sentence);
    }
    if let Some(more @ 1..) = sentences.len().checked_sub(MAX_NAMED) {
        of_archive.skip_all("other files", more as u64);
    }
    if !sentences.is_empty() {
        of_archive.bytes = fs::metadata(archive).map_err(|e| ImportError::io(archive, e))?.len();
        reports.push(of_archive);
    }
    Ok(reports)
}

fn import_file(
    folder: &Path,
    (path, name): (&Path, String),
    format: Format,
    options: &ImportOptions<'_>,
) -> Result<FileReport, ImportError> {
    let bytes = fs::metadata(path).map_err(|e| ImportError::io(path, e))?.len();
    let mut report = FileReport { file: name.clone(), bytes, ..FileReport::default() };
    let progress = |stage, done, total| (options.progress)(ImportProgress { file: name.clone(), stage, done, total });
    match format {
        Format::Terrain => {
            progress("reading", 0, bytes);
            srtm::import(path, &folder.join(pack::TERRAIN))?;
            progress("reading", bytes, bytes);
            report.terrain_tiles = 1;
            report.used(1);
            Ok(report)
        }
        Format::Zip | Format::Gzip => Err(ImportError::foreign(path)),
        Format::Raster(format) => {
            raster::import(path, format, folder, &mut report, &progress, options)?;
            Ok(report)
        }
        Format::GeoJson => change_pack(folder, |change| {
            let (work, fresh) = (change.work, change.fresh);
            let file = geojson::GeoJson { path, work, fresh, progress: &progress, options };
            let report = geojson::import(&change.db, &file, report)?;
            let kind = match &report {
                report if report.surveyed_heights > 0 => "heights",
                report if report.parcels > 0 => "parcels",
                _ => "osm",
            };
            Ok((report, kind))
        }),
        Format::CityModel => change_pack(folder, |change| {
            city_model::import(&change.db, path, change.work, &mut report, &progress, options)?;
            Ok((report, "city model"))
        }),
        Format::PointCloud => change_pack(folder, |change| {
            point_cloud::import(&change.db, path, (change.work, folder), &mut report, &progress, options)?;
            Ok((report, "point cloud"))
        }),
        Format::Osm(encoding) => change_pack(folder, |change| {
            let run = osm::Run::new(path, change.work, change.fresh, report, &progress, options);
            Ok((osm::import(&mut change.db, encoding, run)?, "osm"))
        }),
    }
}

/// A copy of the pack, in a transaction.
struct Change<'a> {
    db: Connection,
    /// Whether there was no pack before.
    fresh: bool,
    /// Folder for temporary files.
    work: &'a Path,
}

/// Applies `write`, which returns the report and the kind of the file, to a copy of the pack and moves the copy into
/// place.
fn change_pack(
    folder: &Path,
    write: impl FnOnce(&mut Change<'_>) -> Result<(FileReport, &'static str), ImportError>,
) -> Result<FileReport, ImportError> {
    let pack = folder.join(pack::FILE);
    let work =
        tempfile::Builder::new().prefix(WORK_PREFIX).tempdir_in(folder).map_err(|e| ImportError::io(folder, e))?;
    let copy = work.path().join(pack::FILE);
    // An unreadable pack is never replaced by a new one: it may contain a year of imports.
    let fresh = !pack.exists();
    if !fresh {
        pack::check(&pack).map_err(|why| ImportError::UnreadablePack { path: pack.clone(), why })?;
        fs::copy(&pack, &copy).map_err(|e| ImportError::io(&pack, e))?;
    }
    let db = Connection::open(&copy)?;
    // The copy is discarded on any failure, so it needs no journal of its own. A new one has large pages: a quarter of the writes.
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
    let mut change = Change { db, fresh, work: work.path() };
    let (report, kind) = write(&mut change)?;
    let db = change.db;
    gpkg::create_triggers(&db)?;
    gpkg::refresh_contents(&db)?;
    db.prepare_cached("INSERT OR REPLACE INTO aerie_files VALUES (?1, ?4, ?2, ?3)")?.execute(rusqlite::params![
        report.file,
        i64::try_from(report.bytes).unwrap_or(i64::MAX),
        serde_json::to_string(&report).unwrap_or_default(),
        kind
    ])?;
    db.execute_batch("COMMIT; PRAGMA optimize;")?;
    db.close().map_err(|(_, e)| e)?;
    publish(&copy, &pack).map_err(|e| ImportError::io(&pack, e))?;
    Ok(report)
}
