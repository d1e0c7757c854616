//! The octree of COPC files.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use super::chunks::Chunk;
use crate::error::LidarError;

/// Parameters of a COPC file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Copc {
    center: [f64; 2],
    half_size: f64,
    root: Page,
    /// Smallest and largest GPS time.
    pub(super) gps: [f64; 2],
}

#[derive(Debug, Clone, Copy)]
struct Page {
    offset: u64,
    bytes: u64,
}

/// Bytes of an entry of a page.
const ENTRY: u64 = 32;
/// Largest page and largest number of nodes; national surveys have tens of thousands of nodes per file.
const MAX_PAGE: u64 = 16 << 20;
const MAX_NODES: usize = 1 << 20;
const MAX_DEPTH: i32 = 30;

impl Copc {
    /// Reads the content of the record `copc` 1.
    pub(super) fn parse(data: &[u8]) -> Result<Self, LidarError> {
        let number = |index: usize| -> Result<[u8; 8], LidarError> {
            let bytes = data.get(index * 8..index * 8 + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.ok_or_else(|| LidarError::truncated("the COPC record is too short"))
        };
        let float = |index| number(index).map(f64::from_le_bytes);
        let copc = Self {
            center: [float(0)?, float(1)?],
            half_size: float(3)?,
            root: Page { offset: u64::from_le_bytes(number(5)?), bytes: u64::from_le_bytes(number(6)?) },
            gps: [float(7)?, float(8)?],
        };
        let is_sound = copc.center.iter().all(|part| part.is_finite()) && copc.half_size.is_finite();
        if !is_sound || copc.half_size <= 0.0 {
            return Err(LidarError::damaged("the COPC record has no usable cube"));
        }
        Ok(copc)
    }

    /// The nodes of all levels that touch the region, in the order of the file.
    pub(super) fn nodes(&self, file: &File, region: Option<[f64; 4]>, length: u64) -> Result<Vec<Chunk>, LidarError> {
        let mut nodes = Vec::new();
        let mut pages = vec![self.root];
        let mut visited = HashSet::new();
        while let Some(page) = pages.pop() {
            if !visited.insert(page.offset) {
                continue;
            }
            for entry in read_page(file, page, length)?.chunks_exact(ENTRY as usize) {
                let entry = Entry::parse(entry);
                if !self.touches(entry.key, region)? {
                    continue;
                }
                if entry.points < 0 {
                    pages.push(Page { offset: entry.offset, bytes: entry.bytes });
                } else if entry.points > 0 {
                    if entry.offset.checked_add(entry.bytes).is_none_or(|end| end > length) {
                        return Err(LidarError::truncated("a COPC node lies beyond the end of the file"));
                    }
                    nodes.push(Chunk { offset: entry.offset, bytes: entry.bytes, points: entry.points as u64 });
                }
                if nodes.len() > MAX_NODES || pages.len() > MAX_NODES {
                    return Err(LidarError::Unsupported(format!("a COPC file of more than {MAX_NODES} nodes")));
                }
            }
        }
        nodes.sort_by_key(|node| node.offset);
        nodes.dedup();
        Ok(nodes)
    }

    fn touches(&self, [depth, x, y, _]: [i32; 4], region: Option<[f64; 4]>) -> Result<bool, LidarError> {
        if !(0..=MAX_DEPTH).contains(&depth) {
            return Err(LidarError::damaged(format!("a COPC node at level {depth}")));
        }
        let Some([west, south, east, north]) = region else { return Ok(true) };
        let size = 2.0 * self.half_size / f64::from(1 << depth);
        let low = [0, 1].map(|axis| self.center[axis] - self.half_size + f64::from([x, y][axis]) * size);
        Ok(low[0] <= east && low[0] + size >= west && low[1] <= north && low[1] + size >= south)
    }
}

struct Entry {
    key: [i32; 4],
    offset: u64,
    bytes: u64,
    points: i32,
}

impl Entry {
    fn parse(bytes: &[u8]) -> Self {
        let number = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self {
            key: [0, 4, 8, 12].map(number),
            offset: u64::from_le_bytes(std::array::from_fn(|byte| bytes[16 + byte])),
            bytes: u64::from(number(24).unsigned_abs()),
            points: number(28),
        }
    }
}

fn read_page(mut file: &File, page: Page, length: u64) -> Result<Vec<u8>, LidarError> {
    let is_inside = page.offset.checked_add(page.bytes).is_some_and(|end| end <= length);
    if !is_inside || page.bytes > MAX_PAGE || !page.bytes.is_multiple_of(ENTRY) {
        let text = format!("the COPC page at byte {} has {} bytes", page.offset, page.bytes);
        return Err(LidarError::damaged(text));
    }
    file.seek(SeekFrom::Start(page.offset))?;
    let mut bytes = Vec::new();
    file.take(page.bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}
