//! The bytes of a TIFF as if another of its directories were the first: the decoder reads that one.

use std::io::{Read, Seek, SeekFrom};

/// Bytes with another offset of the first directory in their header.
pub(super) struct Redirected<'a> {
    header: Vec<u8>,
    bytes: &'a [u8],
    at: u64,
}

impl<'a> Redirected<'a> {
    pub(super) fn new(bytes: &'a [u8], directory: u64) -> Self {
        let is_big = matches!(bytes, [b'I', b'I', 43, ..] | [b'M', b'M', 0, 43, ..]);
        let is_little = bytes.starts_with(b"II");
        let [size, from] = if is_big { [8, 8] } else { [4, 4] };
        let mut header = bytes[..bytes.len().min(from + size)].to_vec();
        let big_endian = &directory.to_be_bytes()[8 - size..];
        let little_endian = &directory.to_le_bytes()[..size];
        if let Some(offset) = header.get_mut(from..from + size) {
            offset.copy_from_slice(if is_little { little_endian } else { big_endian });
        }
        Self { header, bytes, at: 0 }
    }
}

impl Read for Redirected<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let at = usize::try_from(self.at).unwrap_or(usize::MAX);
        let rest = match self.header.get(at..).filter(|rest| !rest.is_empty()) {
            Some(rest) => rest,
            None => self.bytes.get(at..).unwrap_or_default(),
        };
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Redirected<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let length = self.bytes.len() as u64;
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(std::io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
