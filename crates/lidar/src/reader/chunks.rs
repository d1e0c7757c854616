//! Chunks: runs of points that can be decoded on their own.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use laz::record::{LayeredPointRecordDecompressor, RecordDecompressor, SequentialPointRecordDecompressor};
use laz::{LazItem, LazItemType, LazVlr};

use super::layout::Layout;
use crate::error::LidarError;

/// A run of points in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunk {
    /// First byte.
    pub(super) offset: u64,
    /// Number of bytes.
    pub(super) bytes: u64,
    /// Number of points.
    pub(super) points: u64,
}

/// How points are packed.
#[derive(Debug, Clone)]
pub(super) enum Packing {
    /// One record after the other.
    Plain,
    /// LAZ, one point after the other.
    Sequential(Vec<LazItem>),
    /// LAZ, one field after the other.
    Layered(Vec<LazItem>),
}

/// Largest chunk that is decoded from memory, bytes. Usual chunks have less than 1 MB.
const MAX_CHUNK: u64 = 64 << 20;
/// Points that a byte can hold at most; real files have bytes per point, not points per byte.
const POINTS_PER_BYTE: u64 = 64;

impl Packing {
    /// The packing that a LAZ record describes.
    pub(super) fn of_laz(record: &LazVlr, layout: &Layout) -> Result<Self, LidarError> {
        let items = record.items().clone();
        let size: u64 = items.iter().map(|item| u64::from(item.size())).sum();
        if size != layout.length as u64 {
            let text = format!("LAZ describes records of {size} bytes, and the header {} bytes", layout.length);
            return Err(LidarError::damaged(text));
        }
        let first = items.first().map(LazItem::item_type);
        match (first, layout.extended) {
            (Some(LazItemType::Point10), false) => Ok(Self::Sequential(items)),
            (Some(LazItemType::Point14), true) => Ok(Self::Layered(items)),
            _ => Err(LidarError::damaged(format!("LAZ does not describe points of format {}", layout.format))),
        }
    }

    /// Calls `each` with the records of a chunk whose bytes are in memory, until it returns false.
    pub(super) fn decode(
        &self,
        bytes: &[u8],
        chunk: Chunk,
        layout: &Layout,
        each: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<(), LidarError> {
        chunk.check()?;
        guarded(chunk, || match self {
            Self::Plain => {
                let _ = bytes.chunks_exact(layout.length).all(&mut *each);
                Ok(())
            }
            Self::Sequential(items) => {
                run(&mut SequentialPointRecordDecompressor::new(Cursor::new(bytes)), items, chunk, layout, each)
            }
            Self::Layered(items) => {
                check_layers(bytes, items, chunk)?;
                run(&mut LayeredPointRecordDecompressor::new(Cursor::new(bytes)), items, chunk, layout, each)
            }
        })
    }

    /// Calls `each` with the records of a chunk of any size, until it returns false.
    pub(super) fn stream(
        &self,
        mut file: &File,
        chunk: Chunk,
        layout: &Layout,
        each: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<(), LidarError> {
        let Self::Sequential(items) = self else { return self.decode(&chunk.load(file)?, chunk, layout, each) };
        chunk.check()?;
        file.seek(SeekFrom::Start(chunk.offset))?;
        let source = BufReader::with_capacity(1 << 18, file.take(chunk.bytes));
        guarded(chunk, || run(&mut SequentialPointRecordDecompressor::new(source), items, chunk, layout, each))
    }
}

impl Chunk {
    /// Reads the bytes of a chunk.
    pub(super) fn load(self, mut file: &File) -> Result<Vec<u8>, LidarError> {
        if self.bytes > MAX_CHUNK {
            return Err(LidarError::Unsupported(format!("a chunk of {} bytes; the limit is {MAX_CHUNK}", self.bytes)));
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.take(self.bytes).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != self.bytes {
            return Err(LidarError::truncated(format!("the chunk at byte {} is cut off", self.offset)));
        }
        Ok(bytes)
    }

    /// Checks that a chunk does not claim more points than its bytes can hold.
    fn check(self) -> Result<(), LidarError> {
        if self.points > self.bytes.saturating_mul(POINTS_PER_BYTE) {
            let text = format!("a chunk of {} bytes claims {} points", self.bytes, self.points);
            return Err(LidarError::damaged(text));
        }
        Ok(())
    }
}

/// The decoders of LAZ were written for sound files: a panic on a damaged one becomes an error.
fn guarded(chunk: Chunk, decode: impl FnOnce() -> Result<(), LidarError>) -> Result<(), LidarError> {
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(damaged_chunk(chunk)))
}

fn run<R>(
    decoder: &mut dyn RecordDecompressor<R>,
    items: &Vec<LazItem>,
    chunk: Chunk,
    layout: &Layout,
    each: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<(), LidarError> {
    decoder.set_fields_from(items).map_err(|error| LidarError::Unsupported(error.to_string()))?;
    let mut record = vec![0; layout.length];
    for _ in 0..chunk.points {
        decoder.decompress_next(&mut record).map_err(|_| damaged_chunk(chunk))?;
        if !each(&record) {
            break;
        }
    }
    Ok(())
}

/// Checks that the layers of a chunk fit into it: the decoder allocates what their sizes say.
fn check_layers(bytes: &[u8], items: &[LazItem], chunk: Chunk) -> Result<(), LidarError> {
    let record: usize = items.iter().map(|item| usize::from(item.size())).sum();
    let layers: usize = items
        .iter()
        .map(|item| match item.item_type() {
            LazItemType::Point14 => 9,
            LazItemType::RGBNIR14 => 2,
            LazItemType::Byte14(count) => usize::from(count),
            _ => 1,
        })
        .sum();
    let sizes = bytes.get(record + 4..record + 4 + layers * 4).ok_or_else(|| damaged_chunk(chunk))?;
    let total: u64 =
        sizes.chunks_exact(4).map(|size| u64::from(u32::from_le_bytes([size[0], size[1], size[2], size[3]]))).sum();
    if total > (bytes.len() - record - 4 - layers * 4) as u64 {
        return Err(damaged_chunk(chunk));
    }
    Ok(())
}

fn damaged_chunk(chunk: Chunk) -> LidarError {
    LidarError::damaged(format!("the points at byte {} cannot be decoded", chunk.offset))
}
