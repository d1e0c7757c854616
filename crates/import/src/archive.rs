//! Unpacks archives (ZIP) and compressed files (gzip) whose content is imported file by file.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use zip::ZipArchive;

use crate::error::ImportError;
use crate::growth::Growth;
use crate::options::ImportOptions;

/// Maximum number of files in an archive.
const MAX_MEMBERS: usize = 20_000;
/// Maximum length of a file name on disk, bytes.
const MAX_NAME: usize = 200;
/// Maximum length of a name in a report, characters.
const MAX_SHOWN: usize = 120;
/// Bytes unpacked at once.
const PIECE: usize = 1 << 16;

/// A file of an archive, unpacked.
pub(crate) struct Member {
    /// Its name in the archive, with folders.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// What an archive holds.
#[derive(Default)]
pub(crate) struct Unpacked {
    pub(crate) members: Vec<Member>,
    /// Names of files that cannot be unpacked, and why.
    pub(crate) left_out: Vec<(String, String)>,
}

/// Unpacks an archive into a folder. Files of one folder stay together, since some belong to others.
pub(crate) fn unpack_zip(path: &Path, to: &Path, options: &ImportOptions<'_>) -> Result<Unpacked, ImportError> {
    let damaged = |e: zip::result::ZipError| ImportError::damaged(path, e.to_string());
    let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    let length = file.metadata().map_err(|e| ImportError::io(path, e))?.len();
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    if archive.len() > MAX_MEMBERS {
        return Err(ImportError::unsupported(
            path,
            format!("it holds more than {MAX_MEMBERS} files; unpack it and import those that you need"),
        ));
    }
    let mut growth = Growth::new(path, length);
    let mut unpacked = Unpacked::default();
    let mut folders: BTreeMap<String, PathBuf> = BTreeMap::new();
    for index in 0..archive.len() {
        let name = {
            let entry = archive.by_index_raw(index).map_err(damaged)?;
            if entry.is_dir() || is_system_file(&name_of(&entry)) {
                continue;
            }
            name_of(&entry)
        };
        let shown: String = name.chars().take(MAX_SHOWN).collect();
        let mut entry = match archive.by_index(index) {
            Ok(entry) if entry.is_file() => entry,
            Ok(_) => {
                unpacked.left_out.push((shown, "it is a link".into()));
                continue;
            }
            Err(why) => {
                unpacked.left_out.push((shown, format!("it cannot be unpacked ({why}); unpack the archive yourself")));
                continue;
            }
        };
        if entry.size() > growth.left() {
            let why = format!(
                "{shown} in it claims {} bytes, more than a hundred times the size of the archive",
                entry.size()
            );
            return Err(ImportError::damaged(path, why));
        }
        let (folder, base) = name.rsplit_once('/').unwrap_or(("", &name));
        let number = folders.len();
        let folder = folders.entry(folder.to_owned()).or_insert_with(|| to.join(number.to_string()));
        fs::create_dir_all(&*folder).map_err(|e| ImportError::io(folder, e))?;
        let target = folder.join(base);
        if base.len() > MAX_NAME || matches!(base, "" | "." | "..") || base.contains('\0') || target.exists() {
            unpacked.left_out.push((shown, "its name is not usable, or another file has it".into()));
            continue;
        }
        match write(&mut entry, &target, &mut growth, options)? {
            Ok(()) => unpacked.members.push(Member { name: shown, path: target }),
            Err(why) => unpacked.left_out.push((shown, format!("it is damaged ({why})"))),
        }
    }
    Ok(unpacked)
}

/// Unpacks a compressed file into a folder, under its name without `.gz`.
pub(crate) fn unpack_gzip(path: &Path, to: &Path, options: &ImportOptions<'_>) -> Result<Member, ImportError> {
    let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    let mut growth = Growth::new(path, file.metadata().map_err(|e| ImportError::io(path, e))?.len());
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let inner = name.strip_suffix(".gz").or(name.strip_suffix(".GZ")).filter(|name| !name.is_empty()).unwrap_or("file");
    let target = to.join(inner);
    let mut reader = MultiGzDecoder::new(BufReader::new(file));
    write(&mut reader, &target, &mut growth, options)?.map_err(|why| ImportError::damaged(path, why))?;
    Ok(Member { name: inner.to_owned(), path: target })
}

/// The first bytes of what a compressed file unpacks to; empty where it is damaged.
pub(crate) fn gzip_head(packed: &[u8], length: usize) -> Vec<u8> {
    let mut head = vec![0; length];
    let mut reader = MultiGzDecoder::new(packed);
    let mut filled = 0;
    while let Some(rest) = head.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(count) if count > 0 => filled += count,
            _ => break,
        }
    }
    head.truncate(filled);
    head
}

/// Writes a file; the inner error says why it cannot be unpacked.
fn write(
    from: &mut dyn Read,
    to: &Path,
    growth: &mut Growth<'_>,
    options: &ImportOptions<'_>,
) -> Result<Result<(), String>, ImportError> {
    let io = |e| ImportError::io(to, e);
    let mut file = File::create(to).map_err(io)?;
    let mut piece = vec![0; PIECE];
    loop {
        if (options.canceled)() {
            return Err(ImportError::Canceled);
        }
        let count = match from.read(&mut piece) {
            Ok(0) => return Ok(Ok(())),
            Ok(count) => count,
            Err(why) => {
                fs::remove_file(to).map_err(io)?;
                return Ok(Err(why.to_string()));
            }
        };
        growth.add(count as u64)?;
        file.write_all(&piece[..count]).map_err(io)?;
    }
}

/// The name of an entry. Many programs write UTF-8 without saying so; what is not UTF-8 is in code page 437.
fn name_of<R: Read>(entry: &zip::read::ZipFile<'_, R>) -> String {
    let name = match std::str::from_utf8(entry.name_raw()) {
        Ok(name) => name.to_owned(),
        Err(_) => entry.name().map(std::borrow::Cow::into_owned).unwrap_or_default(),
    };
    name.replace('\\', "/")
}

/// Whether a file is written into archives by operating systems.
fn is_system_file(name: &str) -> bool {
    name.starts_with("__MACOSX/") || matches!(name.rsplit('/').next(), Some(".DS_Store" | "Thumbs.db" | "desktop.ini"))
}
