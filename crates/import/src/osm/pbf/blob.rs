//! Reads and unpacks blobs, within limits that the decoder does not have.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;

use flate2::read::ZlibDecoder;
use prost::{DecodeError, Message};

use super::Content;
use super::memory::{self, Fields};
use super::messages::{BlobHeader, HeaderBlock, PrimitiveBlock};
use crate::error::ImportError;
use crate::varint::varint;

/// Maximum size of a block when unpacked (the format's own limit), bytes.
const MAX_UNPACKED: u64 = (32 << 20) - 1;

/// Where a blob is in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Location {
    /// Offset of its first byte.
    pub(super) start: u64,
    size: u64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Header,
    Data,
    Unknown,
}

/// The unpacked content of a blob.
pub(super) struct Payload {
    kind: Kind,
    bytes: Vec<u8>,
}

impl Location {
    /// The blob of a header, which begins at `start`.
    pub(super) fn new(start: u64, header: &BlobHeader) -> Self {
        let size = u64::try_from(header.size).unwrap_or(0);
        let kind = match header.kind.as_str() {
            "OSMHeader" => Kind::Header,
            "OSMData" => Kind::Data,
            _ => Kind::Unknown,
        };
        Self { start, size, kind }
    }

    /// Offset of the byte after its last.
    pub(super) fn end(&self) -> u64 {
        self.start + self.size
    }
}

impl Payload {
    /// Reads and unpacks a blob; `None` if it is of an unknown kind.
    pub(super) fn read(path: &Path, file: &File, location: Location) -> Result<Option<Self>, ImportError> {
        let damaged = |why: &str| ImportError::damaged(path, why.to_owned());
        if location.kind == Kind::Unknown {
            return Ok(None);
        }
        let mut blob = vec![0; location.size as usize];
        file.read_exact_at(&mut blob, location.start).map_err(|e| damaged(&e.to_string()))?;
        let too_large = || damaged("a block of it unpacks to more than 32 MiB");
        // The last of several counts, as for any reader of the format.
        let mut stored = None;
        for field in Fields(&blob) {
            let (number, mut bytes) = field.ok_or_else(|| damaged("a block of it is malformed"))?;
            match number {
                2 if varint(&mut bytes).is_some_and(|size| size > MAX_UNPACKED) => return Err(too_large()),
                1 | 3..=7 => stored = Some((number, bytes)),
                _ => {}
            }
        }
        let bytes = match stored {
            Some((1, raw)) => raw.to_vec(),
            Some((3, packed)) => {
                let mut bytes = Vec::new();
                let mut unpacked = ZlibDecoder::new(packed).take(MAX_UNPACKED + 1);
                unpacked.read_to_end(&mut bytes).map_err(|e| damaged(&e.to_string()))?;
                bytes
            }
            Some(_) => {
                return Err(ImportError::unsupported(
                    path,
                    "its blocks are not compressed with zlib; convert it with `osmium cat`".into(),
                ));
            }
            None => return Err(damaged("a block of it is empty")),
        };
        if bytes.len() as u64 > MAX_UNPACKED {
            return Err(too_large());
        }
        Ok(Some(Self { kind: location.kind, bytes }))
    }

    /// Its size, bytes.
    pub(super) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Roughly what it takes in memory, bytes; the error says why that is too much, or that it is malformed.
    pub(super) fn memory(&self) -> Result<u64, String> {
        memory::of_block(&self.bytes)
    }

    /// Decodes it.
    pub(super) fn decode(&self) -> Result<Content, DecodeError> {
        match self.kind {
            Kind::Header => HeaderBlock::decode(&self.bytes[..]).map(Content::Header),
            Kind::Data => PrimitiveBlock::decode(&self.bytes[..]).map(Content::Data),
            Kind::Unknown => Ok(Content::Unknown),
        }
    }
}
