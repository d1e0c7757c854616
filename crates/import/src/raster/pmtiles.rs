//! Converts PMTiles version 3 (protomaps.com/pmtiles) to MBTiles: the header, directories of varints, Hilbert order.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::GzDecoder;
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::Value;

use super::conversion::Conversion;
use super::mbtiles::create;
use crate::error::ImportError;
use crate::growth::Growth;
use crate::options::ImportOptions;
use crate::report::FileReport;
use crate::varint::varint;

/// Size of the header, bytes.
const HEADER: usize = 127;
/// Maximum size of a directory or of the metadata when unpacked, bytes. Writers split directories into leaves of some hundred KB.
const MOST: u64 = 4 << 20;
/// Maximum size of a tile, bytes.
const TILE: u64 = 16 << 20;
/// Maximum depth of leaf directories; more levels than this mean a loop.
const DEPTH: usize = 4;
/// What a tile, and a directory, count for at least, bytes: reading one takes its time, however small it is.
const ROW: u64 = 512;
const DIRECTORY: u64 = 4096;

struct Source<'a> {
    file: File,
    path: &'a Path,
    header: [u8; HEADER],
    /// A few bytes can describe millions of tiles, and directories that contain each other.
    growth: Growth<'a>,
}

/// An entry of a directory.
struct Entry {
    id: u64,
    run: u64,
    length: u64,
    offset: u64,
}

/// Writes the tiles as MBTiles; returns the attribution in the file.
pub(super) fn convert(conversion: &Conversion<'_>, report: &mut FileReport) -> Result<Option<String>, ImportError> {
    let Conversion { path, copy, progress, options } = *conversion;
    let mut file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header).map_err(|e| ImportError::damaged(path, e.to_string()))?;
    let length = file.metadata().map_err(|e| ImportError::io(path, e))?.len();
    let mut source = Source { file, path, header, growth: Growth::new(path, length) };
    if source.header[7] != 3 {
        return Err(ImportError::unsupported(
            path,
            "it is not PMTiles version 3; convert it with `pmtiles convert`".into(),
        ));
    }
    let format = match source.header[99] {
        2 => "png",
        3 => "jpg",
        4 => "webp",
        1 => {
            return Err(ImportError::unsupported(
                path,
                "its tiles are vectors, not pictures (png, jpg or webp)".into(),
            ));
        }
        _ => return Err(ImportError::unsupported(path, "its tiles are neither png, jpg nor webp".into())),
    };
    let metadata = source.unpacked(source.number(24), source.number(32))?;
    let metadata: Metadata = serde_json::from_slice(&metadata).unwrap_or_default();
    let [name, encoding, attribution] = [metadata.name, metadata.encoding, metadata.attribution]
        .map(|value| value.as_str().unwrap_or_default().to_owned());
    let db = Connection::open(copy)?;
    create(&db)?;
    db.execute_batch("BEGIN")?;
    let edge = |at: usize| {
        let bytes = [source.header[at], source.header[at + 1], source.header[at + 2], source.header[at + 3]];
        f64::from(i32::from_le_bytes(bytes)) * 1e-7
    };
    let bounds = [102, 106, 110, 114].map(edge);
    let zooms = [source.header[100], source.header[101]];
    let mut metadata_rows = vec![
        ("format", format.to_owned()),
        ("name", name),
        ("minzoom", zooms[0].to_string()),
        ("maxzoom", zooms[1].to_string()),
    ];
    if !encoding.is_empty() {
        metadata_rows.push(("encoding", encoding));
    }
    if bounds[0] < bounds[2] && bounds[1] < bounds[3] {
        metadata_rows.push(("bounds", bounds.map(|v| v.to_string()).join(",")));
    }
    for (name, value) in metadata_rows {
        db.execute("INSERT INTO metadata VALUES (?1, ?2)", [name, &value])?;
    }
    let mut counter = TileCounter { done: 0, total: source.number(72), progress, options };
    let root = source.unpacked(source.number(8), source.number(16))?;
    source.directory(&root, 0, &db, &mut counter)?;
    if let Some(lacking @ 1..) = counter.total.checked_sub(counter.done) {
        report.skip_all("tiles that the header counts and the directories lack", lacking);
    }
    db.execute_batch("COMMIT")?;
    db.close().map_err(|(_, e)| e)?;
    Ok(Some(attribution))
}

/// The members of the metadata that are used.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    name: Value,
    encoding: Value,
    attribution: Value,
}

struct TileCounter<'a> {
    done: u64,
    total: u64,
    progress: &'a dyn Fn(&'static str, u64, u64),
    options: &'a ImportOptions<'a>,
}

impl Source<'_> {
    fn damaged(&self, why: &str) -> ImportError {
        ImportError::damaged(self.path, why.to_owned())
    }

    /// Reads a number from the header.
    fn number(&self, at: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.header[at..at + 8]);
        u64::from_le_bytes(bytes)
    }

    fn bytes(&mut self, offset: u64, length: u64, most: u64) -> Result<Vec<u8>, ImportError> {
        if length > most {
            return Err(self.damaged("a section of it is too large"));
        }
        let mut out = Vec::new();
        self.file.seek(SeekFrom::Start(offset)).map_err(|e| self.damaged(&e.to_string()))?;
        let read = (&mut self.file).take(length).read_to_end(&mut out).map_err(|e| ImportError::io(self.path, e))?;
        if read as u64 == length { Ok(out) } else { Err(self.damaged("it ends early")) }
    }

    /// Reads and unpacks a directory or the metadata.
    fn unpacked(&mut self, offset: u64, length: u64) -> Result<Vec<u8>, ImportError> {
        let packed = self.bytes(offset, length, MOST)?;
        match self.header[97] {
            1 => Ok(packed),
            2 => {
                let mut out = Vec::new();
                let read = GzDecoder::new(&packed[..]).take(MOST + 1).read_to_end(&mut out);
                read.map_err(|e| self.damaged(&e.to_string()))?;
                if out.len() as u64 > MOST {
                    return Err(self.damaged("a section of it is too large"));
                }
                Ok(out)
            }
            _ => Err(ImportError::unsupported(
                self.path,
                "its directories are not compressed with gzip; convert it with `pmtiles convert`".into(),
            )),
        }
    }

    fn directory(
        &mut self,
        bytes: &[u8],
        depth: usize,
        db: &Connection,
        counter: &mut TileCounter<'_>,
    ) -> Result<(), ImportError> {
        self.growth.add((bytes.len() as u64).max(DIRECTORY))?;
        let entries = entries(bytes).ok_or_else(|| self.damaged("one of its directories is damaged"))?;
        for entry in entries {
            if (counter.options.canceled)() {
                return Err(ImportError::Canceled);
            }
            if entry.run == 0 {
                if depth >= DEPTH {
                    return Err(self.damaged("its directories are nested too deeply"));
                }
                let at = self.number(40).saturating_add(entry.offset);
                let leaf = self.unpacked(at, entry.length)?;
                self.directory(&leaf, depth + 1, db, counter)?;
                continue;
            }
            let at = self.number(56).saturating_add(entry.offset);
            let data = self.bytes(at, entry.length, TILE)?;
            // No more tiles than the header says: a run could be endless.
            let left = counter.total.saturating_sub(counter.done);
            if entry.run > left {
                return Err(self.damaged("it contains more tiles than its header says"));
            }
            self.growth.add(entry.run.saturating_mul(data.len() as u64 + ROW))?;
            for id in entry.id..entry.id.saturating_add(entry.run) {
                let (zoom, x, y) =
                    position(id).ok_or_else(|| self.damaged("one of its tile numbers is out of range"))?;
                let row = (1_i64 << zoom) - 1 - y;
                db.prepare_cached("INSERT OR REPLACE INTO tiles VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![zoom, x, row, data])?;
            }
            counter.done += entry.run;
            (counter.progress)("reading tiles", counter.done, counter.total);
        }
        Ok(())
    }
}

/// Parses a directory: columns of varints, with ids as differences.
fn entries(bytes: &[u8]) -> Option<Vec<Entry>> {
    let mut rest = bytes;
    let count = usize::try_from(varint(&mut rest)?).ok()?;
    // An entry has four numbers of at least one byte each.
    if count > bytes.len() / 4 {
        return None;
    }
    let mut column = || (0..count).map(|_| varint(&mut rest)).collect::<Option<Vec<u64>>>();
    let (ids, runs, lengths, offsets) = (column()?, column()?, column()?, column()?);
    let (mut id, mut next) = (0_u64, 0_u64);
    let mut out = Vec::with_capacity(count);
    for i in 0..count {
        id = id.checked_add(ids[i])?;
        // Zero means directly after the previous tile.
        let offset = if offsets[i] == 0 && i > 0 { next } else { offsets[i].checked_sub(1)? };
        next = offset.checked_add(lengths[i])?;
        out.push(Entry { id, run: runs[i], length: lengths[i], offset });
    }
    Some(out)
}

/// Zoom, column and row (from the north) of a tile, from its position on the Hilbert curve.
fn position(id: u64) -> Option<(u32, i64, i64)> {
    let mut before = 0_u64;
    for zoom in 0..=24_u32 {
        let tiles = 1_u64 << (2 * zoom);
        if id - before < tiles {
            let mut t = id - before;
            let (mut x, mut y) = (0_u64, 0_u64);
            for level in 0..zoom {
                let s = 1_u64 << level;
                let rx = 1 & (t / 2);
                let ry = 1 & (t ^ rx);
                if ry == 0 {
                    if rx == 1 {
                        (x, y) = (s - 1 - x, s - 1 - y);
                    }
                    std::mem::swap(&mut x, &mut y);
                }
                x += s * rx;
                y += s * ry;
                t /= 4;
            }
            return Some((zoom, i64::try_from(x).ok()?, i64::try_from(y).ok()?));
        }
        before += tiles;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_lie_on_the_curve_where_the_format_says() {
        for (id, at) in [
            (0, (0, 0, 0)),
            (1, (1, 0, 0)),
            (2, (1, 0, 1)),
            (3, (1, 1, 1)),
            (4, (1, 1, 0)),
            (5, (2, 0, 0)),
            (19_078_479, (12, 3423, 1763)),
        ] {
            assert_eq!(position(id), Some(at), "{id}");
        }
        assert_eq!(position(u64::MAX), None);
    }

    #[test]
    fn a_directory_that_promises_more_than_it_holds_is_refused() {
        assert!(entries(&[0xff, 0xff, 0xff, 0x7f, 1, 1, 1]).is_none());
        assert!(entries(&[1, 0x80]).is_none());
        assert_eq!(
            entries(&[1, 5, 1, 9, 3]).map(|e| (e[0].id, e[0].run, e[0].length, e[0].offset)),
            Some((5, 1, 9, 2))
        );
    }
}
