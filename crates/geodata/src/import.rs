//! Import: map extracts and terrain tiles into a region pack.
//!
//! An import works on a copy of the pack beside it and renames it into place when all is well. So a failed import leaves
//! the pack as it was to the byte, and whoever reads the pack meanwhile keeps reading the old one.

mod classify;
mod element;
mod heights;
mod imagery;
mod localities;
mod node_store;
mod osm;
mod parcels;
mod pbf;
mod pmtiles;
mod relations;
mod rings;
mod scratch;
mod settlements;
mod terrain;
mod writing;
mod xml;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::gpkg;
pub(crate) use osm::index_street;
use writing::Out;

/// What an import may use, and whom it tells.
pub struct ImportOptions<'a> {
    /// The data folder; the pack is kept in `pack` inside it.
    pub data_dir: &'a Path,
    /// Told a few times a second at most by those who draw it; called often.
    pub progress: &'a (dyn Fn(ImportProgress) + Sync),
    /// Asked often; true ends the import with [`ImportError::Canceled`] and the pack as it was.
    pub canceled: &'a (dyn Fn() -> bool + Sync),
    /// Whom pictures made from imported imagery must credit; goes before what a file says itself.
    pub attribution: Option<&'a str>,
}

/// How far an import has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProgress {
    /// Name of the file, without its folder.
    pub file: String,
    /// What is being done with it.
    pub stage: &'static str,
    /// Bytes of the file, or addresses, that are done with.
    pub done: u64,
    /// Bytes or addresses in all; 0 where it is not known.
    pub total: u64,
}

/// What an import brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportReport {
    /// One for each file, in the order given.
    pub files: Vec<FileReport>,
}

impl ImportReport {
    /// The sum over all files.
    #[must_use]
    pub fn total(&self) -> FileReport {
        let mut sum = FileReport { file: "total".into(), ..FileReport::default() };
        for f in &self.files {
            sum.bytes += f.bytes;
            sum.objects += f.objects;
            sum.buildings += f.buildings;
            sum.building_parts += f.building_parts;
            sum.addresses += f.addresses;
            sum.roads += f.roads;
            sum.trees += f.trees;
            sum.tree_rows += f.tree_rows;
            sum.areas += f.areas;
            sum.waterways += f.waterways;
            sum.barriers += f.barriers;
            sum.boundaries += f.boundaries;
            sum.places += f.places;
            sum.terrain_tiles += f.terrain_tiles;
            sum.parcels += f.parcels;
            sum.surveyed_heights += f.surveyed_heights;
            sum.crossings += f.crossings;
            sum.coastlines += f.coastlines;
            sum.imagery_tiles += f.imagery_tiles;
            for (reason, n) in &f.skipped {
                *sum.skipped.entry(reason.clone()).or_default() += n;
            }
        }
        sum
    }
}

/// What a file brought: features of each kind that it holds, whether new or replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FileReport {
    /// Name of the file, without its folder.
    pub file: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Points, ways and relations of an extract, drawn or not.
    pub objects: u64,
    /// Building outlines.
    pub buildings: u64,
    /// Building parts.
    pub building_parts: u64,
    /// House numbers with a position.
    pub addresses: u64,
    /// Roads, paths and railways.
    pub roads: u64,
    /// Single trees.
    pub trees: u64,
    /// Rows of trees.
    pub tree_rows: u64,
    /// Areas of land use, land cover, water, leisure.
    pub areas: u64,
    /// Rivers, streams and ditches mapped as lines.
    pub waterways: u64,
    /// Hedges, fences and walls.
    pub barriers: u64,
    /// Administrative and postal boundaries.
    pub boundaries: u64,
    /// Named places (towns, villages, hamlets).
    pub places: u64,
    /// Terrain tiles.
    pub terrain_tiles: u64,
    /// Parcels.
    pub parcels: u64,
    /// Surveyed heights of buildings.
    pub surveyed_heights: u64,
    /// Crossings of roads, mapped as points.
    pub crossings: u64,
    /// Coastlines of the sea.
    pub coastlines: u64,
    /// Tiles of imagery.
    pub imagery_tiles: u64,
    /// What was left out, by reason.
    pub skipped: BTreeMap<String, u64>,
}

impl FileReport {
    fn skip(&mut self, reason: &str) {
        *self.skipped.entry(reason.to_owned()).or_default() += 1;
    }
}

/// Why an import brought nothing; the pack is as it was before the file that is named.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is empty.
    #[error("{} is empty; download it again", path.display())]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// The file is none that can be imported.
    #[error("{} is not a file that can be imported; give an OpenStreetMap extract (.osm.pbf, .osm, .osm.gz), an SRTM tile (.hgt, .hgt.zip), parcels or building heights (.geojson), or imagery or heights of the ground (.mbtiles, .pmtiles, GeoTIFF)", path.display())]
    Foreign {
        /// Which file.
        path: PathBuf,
    },
    /// The file is cut off or damaged.
    #[error("{} is cut off or damaged ({why}); download it again", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What did not fit.
        why: String,
    },
    /// The file is of a known kind, but of a sort that is not supported.
    #[error("{} cannot be imported: {why}", path.display())]
    Unsupported {
        /// Which file.
        path: PathBuf,
        /// What is not supported, and the remedy.
        why: String,
    },
    /// An OpenStreetMap file without a single thing to draw or look up.
    #[error("{} holds no buildings, roads, areas or addresses; give an extract that covers the region", path.display())]
    NothingInIt {
        /// Which file.
        path: PathBuf,
    },
    /// There is a pack, but it cannot be added to.
    #[error("{} cannot be read ({why}), so nothing was imported; restore it from a backup, or move it away and import all of your map data again", path.display())]
    UnreadablePack {
        /// Which pack.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The pack could not be written.
    #[error("the region pack cannot be written: {0}")]
    Pack(#[from] rusqlite::Error),
    /// The caller asked to stop.
    #[error("the import was canceled; the pack is as it was")]
    Canceled,
}

impl ImportError {
    fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    fn damaged(path: &Path, why: String) -> Self {
        Self::Damaged { path: path.to_owned(), why }
    }

    fn foreign(path: &Path) -> Self {
        Self::Foreign { path: path.to_owned() }
    }

    fn unsupported(path: &Path, why: String) -> Self {
        Self::Unsupported { path: path.to_owned(), why }
    }
}

/// Imports files into the pack of a data folder, one transaction each: those before a bad one stay imported.
///
/// # Errors
/// The first file that cannot be imported, with the remedy; the pack is then as it was before that file.
pub fn import(files: &[PathBuf], options: &ImportOptions<'_>) -> Result<ImportReport, ImportError> {
    import_into(&crate::pack::region_folder(options.data_dir), files, options)
}

/// [`import`] into a given pack folder.
pub(crate) fn import_into(
    folder: &Path,
    files: &[PathBuf],
    options: &ImportOptions<'_>,
) -> Result<ImportReport, ImportError> {
    fs::create_dir_all(folder).map_err(|e| ImportError::io(folder, e))?;
    let lock_path = folder.join("import.lock");
    let lock = File::create(&lock_path).map_err(|e| ImportError::io(&lock_path, e))?;
    // Two imports at once take turns; the lock goes with the process, however it ends.
    lock.lock().map_err(|e| ImportError::io(&lock_path, e))?;
    for folder in [folder, &folder.join(crate::pack::TERRAIN)] {
        remove_left_over(folder, WORK).map_err(|e| ImportError::io(folder, e))?;
    }
    let mut report = ImportReport::default();
    for path in files {
        report.files.push(import_file(folder, path, options)?);
    }
    Ok(report)
}

/// What the working folders and files of imports begin with, in the folders that they are working for.
pub const WORK: &str = ".importing-";

/// Removes what a killed process left behind of its work in a folder, if there is one; the caller holds the lock, so nobody
/// works there now.
pub(crate) fn remove_left_over(folder: &Path, prefix: &str) -> std::io::Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
    }
    Ok(())
}

/// Kinds of file, told by their first bytes rather than by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Pbf,
    Xml { zipped: bool },
    Terrain { zipped: bool },
    Parcels,
    Imagery(imagery::Kind),
}

fn import_file(folder: &Path, path: &Path, options: &ImportOptions<'_>) -> Result<FileReport, ImportError> {
    let kind = recognize(path)?;
    let bytes = fs::metadata(path).map_err(|e| ImportError::io(path, e))?.len();
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let mut report = FileReport { file: name.clone(), bytes, ..FileReport::default() };
    let progress = |stage, done, total| (options.progress)(ImportProgress { file: name.clone(), stage, done, total });
    if let FileKind::Terrain { zipped } = kind {
        progress("reading", 0, bytes);
        terrain::import(path, zipped, &folder.join(crate::pack::TERRAIN))?;
        progress("reading", bytes, bytes);
        report.terrain_tiles = 1;
        return Ok(report);
    }

    if let FileKind::Imagery(kind) = kind {
        imagery::import(path, kind, folder, &mut report, &progress, options)?;
        return Ok(report);
    }

    let pack = folder.join(crate::pack::FILE);
    let work = tempfile::Builder::new().prefix(WORK).tempdir_in(folder).map_err(|e| ImportError::io(folder, e))?;
    let copy = work.path().join(crate::pack::FILE);
    // Only where there is no pack is one begun: one that cannot be read may hold a year's imports.
    let fresh = !pack.exists();
    if fresh && kind == FileKind::Parcels {
        return Err(ImportError::unsupported(
            path,
            "there is no map yet to lay parcels and heights on; import an OpenStreetMap extract first".into(),
        ));
    }
    if !fresh {
        crate::pack::check(&pack).map_err(|why| ImportError::UnreadablePack { path: pack.clone(), why })?;
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
    let (report, source) = if kind == FileKind::Parcels {
        parcels::import(&db, path, &mut report, &progress, options)?;
        let kind = if report.surveyed_heights > 0 { "heights" } else { "parcels" };
        (report, kind)
    } else {
        let folder = work.path();
        let run = osm::Run { out: Out::Closed, path, folder, fresh, report, progress: &progress, options };
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

/// Puts a finished file in its place, so that a crash leaves either the old one or the new one whole.
fn publish(from: &Path, to: &Path) -> std::io::Result<()> {
    File::open(from)?.sync_all()?;
    fs::rename(from, to)?;
    match to.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

fn recognize(path: &Path) -> Result<FileKind, ImportError> {
    let mut file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    let meta = file.metadata().map_err(|e| ImportError::io(path, e))?;
    if !meta.is_file() {
        return Err(ImportError::foreign(path));
    }
    if meta.len() == 0 {
        return Err(ImportError::Empty { path: path.to_owned() });
    }
    if terrain::tile_name(path).is_some() && terrain::side(meta.len()).is_some() {
        return Ok(FileKind::Terrain { zipped: false });
    }
    let mut head = Vec::new();
    file.by_ref().take(64).read_to_end(&mut head).map_err(|e| ImportError::io(path, e))?;
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
    let hgt = path.file_name().is_some_and(|n| n.to_string_lossy().to_ascii_lowercase().ends_with(".hgt"));
    if let Some(kind) = imagery::kind(&head) {
        return Ok(FileKind::Imagery(kind));
    }
    match &head[..] {
        [0x1f, 0x8b, ..] => Ok(FileKind::Xml { zipped: true }),
        [b'P', b'K', ..] => Ok(FileKind::Terrain { zipped: true }),
        _ if text.first() == Some(&b'{') => Ok(FileKind::Parcels),
        _ if text.first() == Some(&b'<') => Ok(FileKind::Xml { zipped: false }),
        _ if head.windows(9).any(|w| w == b"OSMHeader") => Ok(FileKind::Pbf),
        _ if hgt && terrain::tile_name(path).is_some() => {
            Err(ImportError::damaged(path, format!("{} bytes are no SRTM tile of 1 or 3 arc seconds", meta.len())))
        }
        _ if hgt => Err(ImportError::unsupported(
            path,
            "an SRTM tile is named after its south-west corner, like N49E011.hgt".into(),
        )),
        _ => Err(ImportError::foreign(path)),
    }
}
