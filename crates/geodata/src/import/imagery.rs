//! Rasters into a file of tiles: MBTiles as it is, PMTiles taken apart, GeoTIFF through GDAL's tools. What holds heights goes to
//! the terrain, all else is imagery.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use image::codecs::jpeg::JpegEncoder;
use rusqlite::{Connection, OpenFlags, params};
use serde_json::Value;

use super::{FileReport, ImportError, ImportOptions, heights, pmtiles};
use crate::imagery::mbtiles::{self, MbTiles};

/// Quality of the tiles that are written as JPEG.
const QUALITY: u8 = 90;
/// Pages copied between two looks at whether to stop.
const PAGES: i32 = 2_000;

/// Kinds of imagery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    MbTiles,
    PmTiles,
    GeoTiff,
}

/// Told by a file's first bytes.
pub(super) fn kind(head: &[u8]) -> Option<Kind> {
    match head {
        _ if head.starts_with(b"SQLite format 3\0") => Some(Kind::MbTiles),
        _ if head.starts_with(b"PMTiles") => Some(Kind::PmTiles),
        // Classic and big, of either byte order.
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Kind::GeoTiff),
        _ => None,
    }
}

/// Puts a file's imagery or heights into the pack's folder, in the place of what an earlier file of this name brought.
pub(super) fn import(
    path: &Path,
    kind: Kind,
    folder: &Path,
    report: &mut FileReport,
    progress: &dyn Fn(&'static str, u64, u64),
    options: &ImportOptions<'_>,
) -> Result<(), ImportError> {
    fs::create_dir_all(folder).map_err(|e| ImportError::io(folder, e))?;
    let work =
        tempfile::Builder::new().prefix(super::WORK).tempdir_in(folder).map_err(|e| ImportError::io(folder, e))?;
    let copy = work.path().join("tiles.mbtiles");
    let work_on = Work { path, copy: &copy, progress, options };
    let (own, are_heights) = match kind {
        Kind::MbTiles => (work_on.copy_mbtiles()?, heights::are_heights(path, &copy)?),
        Kind::PmTiles => (pmtiles::convert(path, &copy, progress, options)?, heights::are_heights(path, &copy)?),
        Kind::GeoTiff => {
            let told = work_on.described()?;
            match heights::is_heights(&told) {
                true => (heights::convert_geotiff(&work_on, &told)?, true),
                false => (work_on.convert_geotiff(&told)?, false),
            }
        }
    };
    let given = options.attribution.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let attribution = given.or(own.map(|text| mbtiles::plain(&text)).filter(|text| !text.is_empty()));
    let Some(attribution) = attribution else {
        return Err(ImportError::unsupported(
            path,
            "it does not say whom to credit; say so with --attribution, for instance --attribution \"© City of …\""
                .into(),
        ));
    };
    finish(&copy, &report.file, &attribution)?;
    let made = MbTiles::open(&copy).map_err(|why| ImportError::unsupported(path, why))?;
    drop(made);
    let db = Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let tiles: i64 = db.query_row("SELECT count(*) FROM tiles", [], |r| r.get(0))?;
    let tiles = u64::try_from(tiles).unwrap_or(0);
    let to = match are_heights {
        true => {
            report.terrain_tiles = tiles;
            crate::pack::TERRAIN
        }
        false => {
            report.imagery_tiles = tiles;
            crate::pack::IMAGERY
        }
    };
    let to = folder.join(to);
    fs::create_dir_all(&to).map_err(|e| ImportError::io(&to, e))?;
    drop(db);
    let name = report.file.strip_suffix(".mbtiles").unwrap_or(&report.file);
    let to = to.join(format!("{name}.mbtiles"));
    super::publish(&copy, &to).map_err(|e| ImportError::io(&to, e))
}

/// The tables of a file of tiles.
pub(super) fn create(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA application_id = 1297105496;
         CREATE TABLE metadata (name TEXT, value TEXT);
         CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
         CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);",
    )
}

/// Writes the metadata that a reader needs.
fn finish(copy: &Path, name: &str, attribution: &str) -> rusqlite::Result<()> {
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

/// The credit that a GeoTIFF brings along.
pub(super) fn own_credit(told: &Value) -> Option<String> {
    let own = ["TIFFTAG_COPYRIGHT", "ATTRIBUTION", "attribution"];
    let metadata = told.pointer("/metadata/");
    own.iter().find_map(|name| metadata?.get(name)?.as_str().map(str::to_owned))
}

/// A raster being laid out.
pub(super) struct Work<'a> {
    pub(super) path: &'a Path,
    /// The file of tiles that is made, in a folder of its own.
    pub(super) copy: &'a Path,
    pub(super) progress: &'a dyn Fn(&'static str, u64, u64),
    options: &'a ImportOptions<'a>,
}

impl Work<'_> {
    pub(super) fn stop_if_canceled(&self) -> Result<(), ImportError> {
        if (self.options.canceled)() { Err(ImportError::Canceled) } else { Ok(()) }
    }

    /// The credit that the file brings along.
    fn copy_mbtiles(&self) -> Result<Option<String>, ImportError> {
        let unsupported = |why| ImportError::unsupported(self.path, why);
        let own = MbTiles::open(self.path).map_err(unsupported)?.attribution;
        let damaged = |e: rusqlite::Error| ImportError::damaged(self.path, e.to_string());
        let from = Connection::open_with_flags(self.path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(damaged)?;
        let mut to = Connection::open(self.copy)?;
        {
            // A copy page by page takes what another program has not yet written back, too.
            let backup = rusqlite::backup::Backup::new(&from, &mut to)?;
            loop {
                self.stop_if_canceled()?;
                let state = backup.step(PAGES).map_err(damaged)?;
                let told = backup.progress();
                let pages = |n: i32| u64::try_from(n).unwrap_or(0);
                (self.progress)("copying", pages(told.pagecount - told.remaining), pages(told.pagecount));
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

    /// GDAL's account of a GeoTIFF that says where it lies.
    fn described(&self) -> Result<Value, ImportError> {
        (self.progress)("reading", 0, 0);
        let told = self.run(Command::new("gdalinfo").args(["-json", "-if", "GTiff"]).arg(self.path))?;
        let told: Value = serde_json::from_slice(&told)
            .map_err(|e| ImportError::damaged(self.path, format!("gdalinfo tells nothing of it: {e}")))?;
        if told.pointer("/coordinateSystem/wkt").and_then(Value::as_str).is_none_or(str::is_empty)
            || told.get("geoTransform").is_none()
        {
            return Err(ImportError::unsupported(
                self.path,
                "it does not say where it lies; give it a position, for instance with \
                 `gdal_translate -a_srs EPSG:… -a_ullr WEST NORTH EAST SOUTH`"
                    .into(),
            ));
        }
        Ok(told)
    }

    fn convert_geotiff(&self, told: &Value) -> Result<Option<String>, ImportError> {
        let unsupported = |why: &str| Err(ImportError::unsupported(self.path, why.into()));
        let bands = told["bands"].as_array().map_or(&[][..], Vec::as_slice);
        let kind = |band: &Value| band["colorInterpretation"].as_str().unwrap_or_default().to_owned();
        if bands.iter().take(3).any(|band| band["type"] != "Byte") {
            return unsupported(
                "its pixels are not 8-bit colors; where it is a picture, scale it with `gdal_translate -ot Byte -scale`, \
                 where it holds heights, give it with that band alone: `gdal_translate -b 1`",
            );
        }
        let mut command = Command::new("gdal_translate");
        command.args(["-q", "-if", "GTiff", "-of", "MBTILES", "-co", "TILE_FORMAT=PNG"]);
        command.args(["-co", "ZOOM_LEVEL_STRATEGY=UPPER", "-co", "RESAMPLING=CUBIC", "-co", "TYPE=baselayer"]);
        match bands.len() {
            1 if kind(&bands[0]) == "Palette" => {
                command.args(["-expand", "rgb"]);
            }
            0..3 => return unsupported("it is no picture in color: red, green and blue are wanted"),
            // A fourth may be near infrared.
            n => {
                command.args(["-b", "1", "-b", "2", "-b", "3"]);
                if let Some(alpha) = (3..n).find(|i| kind(&bands[*i]) == "Alpha") {
                    command.arg("-b").arg((alpha + 1).to_string());
                }
            }
        }
        (self.progress)("laying out tiles", 0, 0);
        self.run(command.arg(self.path).arg(self.copy))?;
        (self.progress)("making overviews", 0, 0);
        self.run(Command::new("gdaladdo").args(["-q", "-r", "average"]).arg(self.copy).args(["2", "4", "8", "16"]))?;
        self.pack()?;
        Ok(own_credit(told))
    }

    /// Whole tiles as JPEG, a fifth of their size; none for what is not known at all.
    fn pack(&self) -> Result<(), ImportError> {
        let db = Connection::open(self.copy)?;
        db.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")?;
        let ids: Vec<i64> = db
            .prepare("SELECT rowid FROM tiles ORDER BY rowid")?
            .query_map([], |r| r.get(0))?
            .collect::<Result<_, _>>()?;
        for (done, id) in ids.iter().enumerate() {
            self.stop_if_canceled()?;
            (self.progress)("packing tiles", done as u64, ids.len() as u64);
            let data: Vec<u8> =
                db.prepare_cached("SELECT tile_data FROM tiles WHERE rowid = ?1")?.query_row([id], |r| r.get(0))?;
            let picture = mbtiles::picture(&data).map_err(|why| ImportError::damaged(self.path, why))?;
            if picture.pixels().all(|p| p.0[3] == 0) {
                db.prepare_cached("DELETE FROM tiles WHERE rowid = ?1")?.execute([id])?;
            } else if picture.pixels().all(|p| p.0[3] == 255) {
                let mut jpeg = Vec::new();
                let rgb = image::DynamicImage::from(picture).into_rgb8();
                JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
                    .encode_image(&rgb)
                    .map_err(|e| ImportError::damaged(self.path, e.to_string()))?;
                db.prepare_cached("UPDATE tiles SET tile_data = ?2 WHERE rowid = ?1")?.execute(params![id, jpeg])?;
            }
        }
        db.execute_batch("COMMIT; VACUUM;")?;
        db.close().map_err(|(_, e)| e)?;
        Ok(())
    }

    /// What one of GDAL's tools says; it is ended where the import is.
    pub(super) fn run(&self, command: &mut Command) -> Result<Vec<u8>, ImportError> {
        let tool = command.get_program().to_string_lossy().into_owned();
        let folder = self.copy.parent().unwrap_or(self.path);
        let [said, complained] = ["said", "complained"].map(|name| folder.join(name));
        let file = |path: &Path| File::create(path).map_err(|e| ImportError::io(path, e));
        // Into files, since a pipe that nobody reads would stop it.
        command.stdin(Stdio::null()).stdout(file(&said)?).stderr(file(&complained)?);
        // GDAL is to write nothing beside the file that was given.
        command.env("GDAL_PAM_ENABLED", "NO");
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(ImportError::unsupported(
                    self.path,
                    format!(
                        "GeoTIFF is read through GDAL's tools, and `{tool}` is not there; install them (Debian and Ubuntu: \
                         apt-get install gdal-bin), or convert it elsewhere to MBTiles or PMTiles"
                    ),
                ));
            }
            Err(error) => return Err(ImportError::io(Path::new(&tool), error)),
        };
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|e| ImportError::io(self.path, e))? {
                break status;
            }
            if (self.options.canceled)() {
                // It may have ended just now.
                child.kill().ok();
                child.wait().ok();
                return Err(ImportError::Canceled);
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let read = |path: &Path| {
            let mut text = Vec::new();
            File::open(path).and_then(|mut f| f.read_to_end(&mut text)).map_err(|e| ImportError::io(path, e))?;
            Ok::<_, ImportError>(text)
        };
        if status.success() {
            return read(&said);
        }
        let complained = String::from_utf8_lossy(&read(&complained)?).into_owned();
        let why = complained.lines().find(|line| line.contains("ERROR")).unwrap_or("it ended without a word");
        Err(ImportError::damaged(self.path, format!("{tool}: {}", why.trim())))
    }
}
