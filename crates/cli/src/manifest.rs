//! `backup.json`: what a backup holds. It is written last, so that a backup without it did not finish.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use aerie_storage::EARLIER_BUILD;
use aerie_storage_sqlite::DatabaseSummary;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::copying::Copied;
use crate::fault::Fault;

/// Names of files and folders in a backup.
pub(crate) const MANIFEST: &str = "backup.json";
pub(crate) const DATABASE: &str = "aerie.db";
pub(crate) const MEDIA: &str = "media";
pub(crate) const REST: &str = "data";

/// Format of the manifest. Builds before 0.1.0 wrote the format 2, or none.
const FORMAT: u32 = 3;

/// Contents of `backup.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Format of the manifest.
    pub(crate) format: u32,
    #[serde(flatten)]
    pub(crate) summary: Summary,
    /// Every file of the backup but the manifest itself, by path.
    pub(crate) files: Vec<FileEntry>,
    /// SHA-256 of this manifest, as compact JSON with this field empty.
    pub(crate) manifest_sha256: String,
}

/// What a backup holds, without the list of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Version of Aerie.
    pub(crate) version: String,
    pub(crate) created_at: String,
    /// SQLite's `application_id` of the database.
    pub(crate) application_id: i64,
    /// SQLite's `user_version` of the database.
    pub(crate) user_version: i64,
    pub(crate) jobs: u64,
    pub(crate) organizations: u64,
    pub(crate) keys: u64,
    pub(crate) usage_events: u64,
    pub(crate) media_files: u64,
    pub(crate) media_bytes: u64,
    /// Media of jobs that were deleted before they could be copied.
    pub(crate) deleted_meanwhile: u64,
}

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    /// Path relative to the backup.
    pub(crate) path: String,
    /// Size in bytes.
    pub(crate) size: u64,
    /// SHA-256 in hexadecimal.
    pub(crate) sha256: String,
    /// Permissions, octal.
    pub(crate) mode: String,
}

impl Manifest {
    /// Creates the manifest of a backup in the folder `of`.
    pub(crate) fn new(summary: Summary, of: &Path, copied: &[Copied]) -> anyhow::Result<Self> {
        let mut files = copied.iter().map(|file| FileEntry::new(of, file)).collect::<anyhow::Result<Vec<_>>>()?;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let mut manifest = Self { format: FORMAT, summary, files, manifest_sha256: String::new() };
        manifest.manifest_sha256 = manifest.checksum()?;
        Ok(manifest)
    }

    /// Reads the manifest of the backup in a folder, and checks it by itself.
    pub(crate) fn read(from: &Path) -> Result<Self, Fault> {
        let fault = |what: String| Fault::new(MANIFEST, what);
        let text = fs::read(from.join(MANIFEST)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => fault("is missing: this is not a backup, or the backup did not finish".into()),
            _ => fault(format!("cannot be read: {error}")),
        })?;
        let damaged = |error: serde_json::Error| fault(format!("is damaged: {error}"));
        let head: Head = serde_json::from_slice(&text).map_err(damaged)?;
        match head.format {
            Some(FORMAT) => {}
            None | Some(2) => return Err(fault(EARLIER_BUILD.to_owned())),
            Some(other) => {
                return Err(fault(format!("has format {other}; this version of Aerie reads format {FORMAT}")));
            }
        }
        let mut manifest: Manifest = serde_json::from_slice(&text).map_err(damaged)?;
        if let Some(file) = manifest.files.iter().find(|file| !is_plain(&file.path)) {
            return Err(fault(format!("lists `{}`, which is not a path of a backup", file.path)));
        }
        let expected = std::mem::take(&mut manifest.manifest_sha256);
        if manifest.checksum().map_err(|error| fault(error.to_string()))? != expected {
            return Err(fault("is damaged: its checksum differs".into()));
        }
        manifest.manifest_sha256 = expected;
        Ok(manifest)
    }

    /// Writes the manifest to a folder, synced to disk.
    pub(crate) fn write(&self, to: &Path) -> anyhow::Result<()> {
        let file = to.join(MANIFEST);
        let write = || -> io::Result<()> {
            let mut out = BufWriter::new(File::create_new(&file)?);
            serde_json::to_writer(&mut out, self)?;
            out.write_all(b"\n")?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            File::open(to)?.sync_all()
        };
        write().with_context(|| format!("cannot write {}", file.display()))
    }

    /// The checksum, while its own field is empty.
    fn checksum(&self) -> serde_json::Result<String> {
        let mut hashing = Hashing(Sha256::new());
        serde_json::to_writer(&mut hashing, self)?;
        Ok(hex(&hashing.0.finalize().into()))
    }
}

impl Summary {
    /// The summary of a backup with a copied database and no other files.
    pub(crate) fn new(created_at: String, database: &DatabaseSummary) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            created_at,
            application_id: database.application_id,
            user_version: database.user_version,
            jobs: database.jobs,
            organizations: database.organizations,
            keys: database.keys,
            usage_events: database.usage_events,
            media_files: 0,
            media_bytes: 0,
            deleted_meanwhile: 0,
        }
    }
}

impl FileEntry {
    fn new(backup: &Path, file: &Copied) -> anyhow::Result<Self> {
        let path = file.path.strip_prefix(backup)?;
        let path = path.to_str().filter(|path| is_plain(path));
        let path = path.with_context(|| format!("cannot back up {}: rename it in UTF-8", file.path.display()))?;
        let mode = format!("{:04o}", file.mode);
        Ok(Self { path: path.to_owned(), size: file.size, sha256: hex(&file.sha256), mode })
    }

    /// The permissions; without any for a mode that is not octal.
    pub(crate) fn permissions(&self) -> u32 {
        u32::from_str_radix(&self.mode, 8).unwrap_or(0) & 0o777
    }
}

/// Returns the hexadecimal digits of a hash.
pub(crate) fn hex(hash: &[u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a path is one that a backup can have: relative, without `..`, in a folder of a backup.
fn is_plain(path: &str) -> bool {
    let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('\0');
    let is_within = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    path.split('/').all(is_name) && (path == DATABASE || is_within(MEDIA) || is_within(REST))
}

/// What every version's manifest begins with.
#[derive(Deserialize)]
struct Head {
    format: Option<u32>,
}

struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(path: &str) -> Manifest {
        let database =
            DatabaseSummary { application_id: 1, user_version: 2, jobs: 3, organizations: 4, keys: 5, usage_events: 6 };
        let entry = FileEntry { path: path.to_owned(), size: 7, sha256: hex(&[8; 32]), mode: "0600".to_owned() };
        let summary = Summary::new("2026-03-10T12:00:00.000Z".to_owned(), &database);
        let mut manifest = Manifest { format: FORMAT, summary, files: vec![entry], manifest_sha256: String::new() };
        manifest.manifest_sha256 = manifest.checksum().unwrap();
        manifest
    }

    fn refusal(folder: &Path) -> String {
        Manifest::read(folder).unwrap_err().to_string()
    }

    #[test]
    fn a_manifest_reads_as_it_was_written_and_any_changed_letter_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let written = manifest("aerie.db");
        written.write(folder.path()).unwrap();
        let read = Manifest::read(folder.path()).unwrap();
        assert_eq!((&read.summary, &read.files), (&written.summary, &written.files));
        let file = folder.path().join(MANIFEST);
        let text = fs::read(&file).unwrap();
        for at in 0..text.len() - 1 {
            let mut changed = text.clone();
            changed[at] ^= 1;
            fs::write(&file, changed).unwrap();
            assert!(Manifest::read(folder.path()).is_err(), "byte {at} of {}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn a_manifest_with_a_path_outside_the_backup_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            "../aerie.db",
            "media/../../x",
            "/etc/passwd",
            "media//x",
            "media/./x",
            "",
            "backup.json",
            "other/x",
            "data",
        ] {
            let _ = fs::remove_file(folder.path().join(MANIFEST));
            manifest(path).write(folder.path()).unwrap();
            assert_eq!(refusal(folder.path()), format!("{MANIFEST} lists `{path}`, which is not a path of a backup"));
        }
    }

    #[test]
    fn a_missing_newer_earlier_or_half_manifest_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(refusal(folder.path()).contains("backup.json is missing: this is not a backup, or"));
        let file = folder.path().join(MANIFEST);
        for (text, reason) in
            [("{\"format\": 4}", "has format 4"), ("{\"format\": 3", "is damaged"), ("", "is damaged")]
        {
            fs::write(&file, text).unwrap();
            assert!(refusal(folder.path()).contains(reason), "{text}");
        }
        for earlier in [r#"{"version": "0.1.0", "jobs": 1}"#, r#"{"format": 2, "version": "0.1.0", "jobs": 1}"#] {
            fs::write(&file, earlier).unwrap();
            assert_eq!(refusal(folder.path()), format!("{MANIFEST} {EARLIER_BUILD}"));
        }
    }
}
