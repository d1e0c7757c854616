//! Hashes of files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

/// SHA-256 of a file, which is read in parts.
///
/// # Errors
/// When it cannot be read.
pub fn file_hash(path: &Path) -> std::io::Result<[u8; 32]> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hasher.finalize().into()),
            read => hasher.update(&part[..read]),
        }
    }
}
