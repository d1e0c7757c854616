//! Checking a backup, without changing anything.

use std::collections::BTreeSet;
use std::path::Path;

use aerie_storage_sqlite::check_copy;

use crate::copying::hash_file;
use crate::fault::Fault;
use crate::manifest::{DATABASE, FileEntry, Manifest, Summary, hex};

/// Suffixes of files that SQLite would read with the database. A backup has none of them.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Compares a backup with its manifest: every file by its content, and the database by what it holds. Returns all faults.
pub(crate) fn verify(from: &Path, manifest: &Manifest) -> Vec<Fault> {
    let mut faults = side_files(from);
    let mut paths = BTreeSet::new();
    for file in &manifest.files {
        if !paths.insert(&file.path) {
            faults.push(Fault::new(&file.path, "is listed twice"));
        } else if let Err(fault) = check_file(from, file) {
            faults.push(Fault::new(&file.path, fault));
        }
    }
    if !paths.iter().any(|path| *path == DATABASE) {
        faults.push(Fault::new(DATABASE, "is not listed"));
    }
    // A damaged file is not worth a second message.
    if faults.iter().all(|fault| fault.file != DATABASE) {
        faults.extend(check_contents(from, &manifest.summary));
    }
    faults
}

fn side_files(from: &Path) -> Vec<Fault> {
    let names = SIDE_FILES.iter().map(|suffix| format!("{DATABASE}{suffix}"));
    let found = names.filter(|name| from.join(name).symlink_metadata().is_ok());
    found.map(|name| Fault::new(&name, "does not belong to the backup; remove it")).collect()
}

fn check_file(from: &Path, listed: &FileEntry) -> Result<(), String> {
    let file = from.join(&listed.path);
    let metadata = file.symlink_metadata().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "is missing".to_owned(),
        _ => format!("cannot be read: {error}"),
    })?;
    if !metadata.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if metadata.len() != listed.size {
        return Err(format!("has {} bytes instead of {}", metadata.len(), listed.size));
    }
    let (_, sha256) = hash_file(&file).map_err(|error| format!("cannot be read: {error}"))?;
    if hex(&sha256) != listed.sha256 {
        return Err("has changed since the backup: its SHA-256 differs".to_owned());
    }
    Ok(())
}

/// Checks the database's own structure, and its counts.
fn check_contents(from: &Path, summary: &Summary) -> Vec<Fault> {
    let database = match check_copy(&from.join(DATABASE)) {
        Ok(database) => database,
        Err(error) => return vec![Fault::new(DATABASE, format!("cannot be used: {error}"))],
    };
    let versions = (database.application_id, database.user_version);
    let mut faults = Vec::new();
    if versions != (summary.application_id, summary.user_version) {
        faults.push(Fault::new(DATABASE, "has another application_id or user_version than in the manifest"));
    }
    faults.extend(differs("jobs", database.jobs, summary.jobs));
    faults.extend(differs("organizations", database.organizations, summary.organizations));
    faults.extend(differs("keys", database.keys, summary.keys));
    faults.extend(differs("usage events", database.usage_events, summary.usage_events));
    faults
}

fn differs(what: &str, found: u64, listed: u64) -> Option<Fault> {
    (found != listed).then(|| Fault::new(DATABASE, format!("has {found} {what} instead of {listed}")))
}
