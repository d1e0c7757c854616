//! Directories (IFDs) and their values.

use crate::source::Source;

/// Maximum number of entries of a directory that are read.
const MAX_ENTRIES: u64 = 1024;
/// Maximum bytes of a value that are read.
const MAX_VALUE: u64 = 64 << 10;

/// A file, or an Exif block, with the structure of a TIFF.
pub struct Tiff<'s, 'f> {
    source: &'s mut Source<'f>,
    is_little: bool,
    is_big: bool,
    /// Offset of the first directory.
    pub first: u64,
}

/// A directory.
#[derive(Debug, Clone)]
pub struct Directory {
    /// Its offset.
    pub at: u64,
    /// Offset of the next one; 0 after the last.
    pub next: u64,
    entries: Vec<Entry>,
}

/// An entry of a directory.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    tag: u16,
    kind: u16,
    count: u64,
    /// The value, or its offset.
    value: [u8; 8],
}

impl<'s, 'f> Tiff<'s, 'f> {
    /// Reads the header; `None` if it is none of a TIFF.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(source: &'s mut Source<'f>) -> std::io::Result<Option<Self>> {
        let header = source.at(0, 16)?;
        let (is_little, is_big) = match &header[..] {
            [b'I', b'I', 42, 0, ..] => (true, false),
            [b'M', b'M', 0, 42, ..] => (false, false),
            [b'I', b'I', 43, 0, 8, 0, 0, 0, ..] => (true, true),
            [b'M', b'M', 0, 43, 0, 8, 0, 0, ..] => (false, true),
            _ => return Ok(None),
        };
        let mut tiff = Self { source, is_little, is_big, first: 0 };
        let offset = if is_big { header.get(8..16) } else { header.get(4..8) };
        let Some(offset) = offset else { return Ok(None) };
        tiff.first = tiff.number(offset);
        Ok(Some(tiff))
    }

    /// Reads the directory at an offset; `None` if there is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn directory(&mut self, at: u64) -> std::io::Result<Option<Directory>> {
        let (count_size, entry_size) = if self.is_big { (8, 20) } else { (2, 12) };
        let count = self.source.at(at, count_size)?;
        if at == 0 || count.len() < count_size {
            return Ok(None);
        }
        let count = self.number(&count).min(MAX_ENTRIES) as usize;
        let start = at.saturating_add(count_size as u64);
        let table = self.source.at(start, count * entry_size + 8)?;
        let entries = table.chunks_exact(entry_size).take(count).map(|entry| self.entry(entry)).collect();
        let next = table.get(count * entry_size..).unwrap_or_default();
        let next = next.get(..if self.is_big { 8 } else { 4 }).map_or(0, |next| self.number(next));
        Ok(Some(Directory { at, next, entries }))
    }

    fn entry(&self, bytes: &[u8]) -> Entry {
        let (count, value) = if self.is_big { (&bytes[4..12], &bytes[12..20]) } else { (&bytes[4..8], &bytes[8..12]) };
        let mut padded = [0; 8];
        padded[..value.len()].copy_from_slice(value);
        let [tag, kind] = [&bytes[..2], &bytes[2..4]].map(|part| self.number(part) as u16);
        Entry { tag, kind, count: self.number(count), value: padded }
    }

    fn number(&self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.is_little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) }
    }

    /// Bytes of a value; empty if it is absent or too long.
    fn bytes(&mut self, directory: &Directory, tag: u16) -> std::io::Result<(usize, Vec<u8>)> {
        let Some(entry) = directory.entries.iter().find(|entry| entry.tag == tag) else { return Ok((1, Vec::new())) };
        let size = match entry.kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16..=18 => 8,
            _ => return Ok((1, Vec::new())),
        };
        let Some(length) = entry.count.checked_mul(size).filter(|length| *length <= MAX_VALUE) else {
            return Ok((1, Vec::new()));
        };
        let room = if self.is_big { 8 } else { 4 };
        let bytes = if length <= room {
            entry.value[..length as usize].to_vec()
        } else {
            let offset = self.number(&entry.value[..room as usize]);
            self.source.at(offset, length as usize)?
        };
        Ok((size as usize, bytes))
    }

    /// Whole numbers of a tag; empty if it is absent.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn numbers(&mut self, directory: &Directory, tag: u16) -> std::io::Result<Vec<u64>> {
        let (size, bytes) = self.bytes(directory, tag)?;
        Ok(bytes.chunks_exact(size).map(|number| self.number(number)).collect())
    }

    /// The first whole number of a tag.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn first_number(&mut self, directory: &Directory, tag: u16) -> std::io::Result<Option<u64>> {
        Ok(self.numbers(directory, tag)?.first().copied())
    }

    /// Unsigned fractions of a tag; empty if it is absent.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn fractions(&mut self, directory: &Directory, tag: u16) -> std::io::Result<Vec<f64>> {
        let (_, bytes) = self.bytes(directory, tag)?;
        let fraction = |part: &[u8]| self.number(&part[..4]) as f64 / self.number(&part[4..]) as f64;
        Ok(bytes.chunks_exact(8).map(fraction).collect())
    }

    /// Text of a tag, up to its end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn text(&mut self, directory: &Directory, tag: u16) -> std::io::Result<String> {
        let (_, bytes) = self.bytes(directory, tag)?;
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

impl Directory {
    /// Returns whether the directory has a tag.
    #[must_use]
    pub fn has(&self, tag: u16) -> bool {
        self.entries.iter().any(|entry| entry.tag == tag)
    }
}
