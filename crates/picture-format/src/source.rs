//! A file of which parts are read.

use std::io::{Cursor, ErrorKind, Read, Seek, SeekFrom};

/// Maximum number of parts that are read: photos have some hundred, but a file may be millions of empty ones.
const MAX_PARTS: u32 = 8192;
/// Maximum bytes of all parts together.
const MAX_BYTES: u64 = 64 << 20;

/// A file of which a limited number of parts is read.
pub struct Source<'a> {
    file: Box<dyn ReadSeek + 'a>,
    length: u64,
    parts: u32,
    bytes: u64,
}

/// A file or bytes in memory, readable from any offset.
trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl<'a> Source<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// If its length cannot be determined.
    pub fn new(file: impl Read + Seek + 'a) -> std::io::Result<Self> {
        let mut file = Box::new(file);
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, length, parts: MAX_PARTS, bytes: MAX_BYTES })
    }

    /// Opens bytes in memory.
    #[must_use]
    pub fn of_bytes(bytes: &'a [u8]) -> Self {
        Self { file: Box::new(Cursor::new(bytes)), length: bytes.len() as u64, parts: MAX_PARTS, bytes: MAX_BYTES }
    }

    /// Length of the file, bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Reads up to `count` bytes at an offset, fewer at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read, or too much of it was read.
    pub fn at(&mut self, offset: u64, count: usize) -> std::io::Result<Vec<u8>> {
        let count = (count as u64).min(self.length.saturating_sub(offset));
        let left = (self.parts.checked_sub(1), self.bytes.checked_sub(count));
        // Its kind says that it is no failure of the disk.
        let (Some(parts), Some(bytes)) = left else { return Err(ErrorKind::InvalidData.into()) };
        (self.parts, self.bytes) = (parts, bytes);
        let mut part = vec![0; count as usize];
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(&mut part)?;
        Ok(part)
    }

    /// Reads exactly `N` bytes at an offset; `None` where the file has fewer.
    ///
    /// # Errors
    /// As [`Source::at`].
    pub fn exactly<const N: usize>(&mut self, offset: u64) -> std::io::Result<Option<[u8; N]>> {
        Ok(self.at(offset, N)?.try_into().ok())
    }
}
