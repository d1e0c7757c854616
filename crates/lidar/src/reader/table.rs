//! The list of the chunks of a file.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use laz::LazVlr;
use laz::laszip::ChunkTable;

use super::chunks::Chunk;
use super::layout::Layout;
use crate::error::LidarError;

/// Points of a part of a file without compression.
const PART: u64 = 50_000;

/// The chunks of a file without compression.
pub(super) fn plain(layout: &Layout, start: u64, points: u64, length: u64) -> Result<Vec<Chunk>, LidarError> {
    let record = layout.length as u64;
    let room = length.saturating_sub(start) / record;
    if room < points {
        return Err(LidarError::truncated(format!(
            "the header counts {points} points, and the file has room for {room}"
        )));
    }
    let parts = (0..points.div_ceil(PART)).map(|part| {
        let points = PART.min(points - part * PART);
        Chunk { offset: start + part * PART * record, bytes: points * record, points }
    });
    Ok(parts.collect())
}

/// The chunks of a LAZ file. `start` is the first byte of the compressed points.
pub(super) fn compressed(
    mut file: &File,
    laz: &LazVlr,
    is_one_chunk: bool,
    start: u64,
    points: u64,
    length: u64,
) -> Result<Vec<Chunk>, LidarError> {
    if points == 0 {
        return Ok(Vec::new());
    }
    if is_one_chunk {
        return Ok(vec![Chunk { offset: start, bytes: length.saturating_sub(start), points }]);
    }
    let number = |at: u64| -> Result<u64, LidarError> {
        let mut bytes = [0; 8];
        file.seek(SeekFrom::Start(at))?;
        (&mut file).read_exact(&mut bytes).map_err(|_| missing_table())?;
        Ok(u64::from_le_bytes(bytes))
    };
    let mut number = number;
    let is_in_file = |at: u64| at > start && at.checked_add(8).is_some_and(|end| end <= length);
    // Writers that cannot seek leave the first number unset and write the position at the end.
    let mut at = number(start)?;
    if !is_in_file(at) {
        at = number(length.saturating_sub(8))?;
    }
    if !is_in_file(at) {
        return Err(missing_table());
    }
    let count = number(at)? >> 32;
    // A chunk starts with an uncompressed point, so that a table cannot be longer than the file.
    if count > length / 20 {
        return Err(LidarError::damaged(format!("the chunk table counts {count} chunks in {length} bytes")));
    }
    file.seek(SeekFrom::Start(at))?;
    let is_variable = laz.uses_variable_size_chunks();
    let mut source = BufReader::new(file);
    let table = catch_unwind(AssertUnwindSafe(|| ChunkTable::read(&mut source, is_variable)))
        .ok()
        .and_then(Result::ok)
        .ok_or_else(|| LidarError::damaged("the chunk table cannot be decoded"))?;
    list(&table, laz, start + 8, points, length)
}

fn list(table: &ChunkTable, laz: &LazVlr, start: u64, points: u64, length: u64) -> Result<Vec<Chunk>, LidarError> {
    let (mut offset, mut left) = (start, points);
    let mut chunks = Vec::new();
    for (number, entry) in table.as_ref().iter().enumerate() {
        let end = offset.checked_add(entry.byte_count).filter(|&end| end <= length);
        let end =
            end.ok_or_else(|| LidarError::truncated(format!("chunk {number} ends beyond the end of the file")))?;
        let points = if laz.uses_variable_size_chunks() { entry.point_count } else { u64::from(laz.chunk_size()) };
        let points = points.min(left);
        if points > 0 {
            chunks.push(Chunk { offset, bytes: entry.byte_count, points });
        }
        left -= points;
        offset = end;
    }
    if left > 0 {
        let text = format!("the header counts {points} points, and the chunk table {}", points - left);
        return Err(LidarError::damaged(text));
    }
    Ok(chunks)
}

fn missing_table() -> LidarError {
    LidarError::truncated("the chunk table of the compressed points is missing")
}
