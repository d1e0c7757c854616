//! ZIP archives of city models.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use zip::ZipArchive;

use crate::assembly::Reading;
use crate::building::Header;
use crate::error::CityModelError;
use crate::input::{Source, head, skip_byte_order_mark};
use crate::recognition::{self, recognize};

/// Members of an archive.
const MAX_MEMBERS: usize = 20_000;
/// How often its packed size a member may unpack to; models pack to a twentieth.
const MAX_GROWTH: u64 = 300;
/// Bytes of an unpacked member.
const MAX_MEMBER: u64 = 16 << 30;
/// Bytes that a member may always unpack to.
const SMALL: u64 = 1 << 20;

type Archive = ZipArchive<BufReader<File>>;

/// Whether a file is a ZIP archive that holds a city model.
#[must_use]
pub fn is_city_model_zip(path: &Path) -> bool {
    let Ok(true) = is_zip(path) else { return false };
    let Ok(mut archive) = open(path) else { return false };
    (0..archive.len()).any(|index| {
        let mut member = Member { archive: &mut archive, index };
        is_file(member.archive, index) && head(&mut member).is_ok_and(|head| recognize(&head).is_some())
    })
}

/// Whether a file starts as a ZIP archive does.
///
/// # Errors
///
/// If the file cannot be read.
pub fn is_zip(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(start == b"PK\x03\x04")
}

/// Reads each model of an archive.
pub(crate) fn read(path: &Path, reading: &mut Reading) -> Result<(), CityModelError> {
    each(path, &mut |member| {
        recognition::read(member, reading)?;
        Ok(!reading.stopped())
    })
}

/// The header of the first model that names a coordinate system, or else of the first model.
pub(crate) fn header(path: &Path) -> Result<Header, CityModelError> {
    let mut first: Option<Header> = None;
    each(path, &mut |member| {
        let header = recognition::header(member)?;
        let named = header.crs.is_some();
        if named || first.is_none() {
            first = Some(header);
        }
        Ok(!named)
    })?;
    first.ok_or(CityModelError::Format)
}

/// Passes each model to `visit` until it returns `false`. Members that are no models are skipped.
fn each(path: &Path, visit: &mut dyn FnMut(&mut Member) -> Result<bool, CityModelError>) -> Result<(), CityModelError> {
    let mut archive = open(path)?;
    let mut models = 0;
    for index in 0..archive.len() {
        if !is_file(&archive, index) {
            continue;
        }
        let name: String = name(&archive, index).chars().take(200).collect();
        let named = |error| CityModelError::Member { name: name.clone(), error: Box::new(error) };
        let mut member = Member { archive: &mut archive, index };
        if recognize(&head(&mut member).map_err(named)?).is_none() {
            continue;
        }
        models += 1;
        if !visit(&mut member).map_err(named)? {
            return Ok(());
        }
    }
    if models == 0 { Err(CityModelError::Format) } else { Ok(()) }
}

fn open(path: &Path) -> Result<Archive, CityModelError> {
    let archive = ZipArchive::new(BufReader::new(File::open(path)?)).map_err(damaged)?;
    if archive.len() > MAX_MEMBERS {
        return Err(CityModelError::Limit { what: "files of the archive", limit: MAX_MEMBERS.to_string() });
    }
    Ok(archive)
}

fn damaged(error: zip::result::ZipError) -> CityModelError {
    CityModelError::Zip(error.to_string())
}

/// Name of a member, as far as it is text.
fn name(archive: &Archive, index: usize) -> String {
    archive.name_for_index(index).and_then(Result::ok).map(Into::into).unwrap_or_default()
}

/// Whether a member is a file with a name of a model. Pictures are not unpacked.
fn is_file(archive: &Archive, index: usize) -> bool {
    is_model_name(&name(archive, index))
}

fn is_model_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".gml", ".xml", ".json", ".jsonl", ".citygml"].iter().any(|ending| name.ends_with(ending))
}

/// Numbers of files of an archive that are not read, by the endings of their names.
///
/// # Errors
///
/// If the archive cannot be read.
pub fn other_files(path: &Path) -> Result<BTreeMap<String, u64>, CityModelError> {
    let archive = open(path)?;
    let mut others = BTreeMap::new();
    for name in (0..archive.len()).map(|index| name(&archive, index)) {
        if name.ends_with('/') || is_model_name(&name) {
            continue;
        }
        let ending = name.rsplit(['.', '/']).next().unwrap_or_default().to_ascii_lowercase();
        *others.entry(ending.chars().take(20).collect()).or_default() += 1;
    }
    Ok(others)
}

/// A member of an archive.
struct Member<'a> {
    archive: &'a mut Archive,
    index: usize,
}

impl Source for Member<'_> {
    fn open(
        &mut self,
        read: &mut dyn FnMut(&mut dyn BufRead) -> Result<(), CityModelError>,
    ) -> Result<(), CityModelError> {
        let file = self.archive.by_index(self.index).map_err(damaged)?;
        let limit = file.compressed_size().saturating_mul(MAX_GROWTH).clamp(SMALL, MAX_MEMBER);
        let mut reader = BufReader::with_capacity(1 << 16, Bounded { inner: file, left: limit });
        skip_byte_order_mark(&mut reader)?;
        read(&mut reader)
    }
}

/// A reader that fails after a number of bytes, where `take` would end as if the file did.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            io::Error::other(format!(
                "the file unpacks to more than {MAX_GROWTH} times its size or {} GiB",
                MAX_MEMBER >> 30
            ))
        })?;
        Ok(count)
    }
}
