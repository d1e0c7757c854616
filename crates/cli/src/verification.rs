//! Checking a backup, without changing anything.

use std::collections::BTreeSet;
use std::path::Path;

use aerie_storage_sqlite::check_copy;
use anyhow::Context;

use crate::copying::{hash_file, list_tree};
use crate::fault::Fault;
use crate::manifest::{DATABASE, FileEntry, MEDIA, Manifest, REST, Summary, hex};

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

/// Checks what can be checked of a backup without a list of files: the database, and the number and size of the media.
/// Returns its files.
pub(crate) fn verify_earlier(from: &Path, summary: &Summary) -> anyhow::Result<(Vec<String>, Vec<Fault>)> {
    let mut faults = side_files(from);
    match check_copy(&from.join(DATABASE)) {
        Err(error) => faults.push(Fault::new(DATABASE, format!("cannot be used: {error}"))),
        Ok(database) => faults.extend(differs("jobs", database.jobs, summary.jobs)),
    }
    let media = list_tree(&from.join(MEDIA))?;
    let mut bytes = 0;
    for file in &media {
        bytes += file.metadata()?.len();
    }
    let (files, listed) = (media.len() as u64, (summary.media_files, summary.media_bytes));
    if (files, bytes) != listed {
        let fault = format!("has {files} files of {bytes} bytes instead of {} of {}", listed.0, listed.1);
        faults.push(Fault::new(MEDIA, fault));
    }
    let mut all = media;
    if from.join(REST).is_dir() {
        all.extend(list_tree(&from.join(REST))?);
    }
    all.push(from.join(DATABASE));
    let relative = |file: &Path| {
        let path = file.strip_prefix(from).ok().and_then(Path::to_str);
        path.map(str::to_owned).with_context(|| format!("cannot restore {}: its name is not UTF-8", file.display()))
    };
    Ok((all.iter().map(|file| relative(file)).collect::<anyhow::Result<_>>()?, faults))
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
