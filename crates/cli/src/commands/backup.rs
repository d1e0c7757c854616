//! `aerie backup`: copies the data folder; the server may keep running.
//!
//! The database is copied first, as one consistent snapshot, then the media that it references. Media are written before
//! their job's row and never change, so none is missing unless it was deleted in the meantime. The manifest, with the checksum
//! of every file, is written last.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aerie_domain::JobId;
use aerie_storage_sqlite::{check_copy, copy_database, for_each_kept_media};
use anyhow::{Context, bail, ensure};
use serde_json::json;

use crate::arguments::{self, Global};
use crate::config::Config;
use crate::copying::{Copied, How, copy_file, copy_tree, hash_file, is_empty, sync_folders};
use crate::data::Data;
use crate::fault;
use crate::manifest::{DATABASE, MEDIA, Manifest, REST, Summary};
use crate::print;
use crate::verification::verify;

/// Not backed up: caches, copies of published packs, and files of running processes.
const EXCLUDED: [&str; 4] = ["work", "cache", "packs", "requests.today"];

/// Folder of the media with published packs.
const PACKS: &str = "pack";

/// Start of the names of folders that are not backed up: what a restore has moved aside.
const MOVED_ASIDE: &str = "before-restore-";

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Backup) -> anyhow::Result<ExitCode> {
    let to = std::path::absolute(&options.to)?;
    if options.verify {
        return check(&to, global);
    }
    let data = std::path::absolute(&config.data_dir)?;
    ensure!(!to.starts_with(&data), "{} is in the data folder: choose a folder outside it", to.display());
    ensure!(is_empty(&to)?, "{} is not empty: choose a new folder for each backup", to.display());
    let database = config.database_file().context(
        "aerie backup copies a database file: back up the server with pg_dump --schema=aerie, then copy the media folder",
    )?;
    ensure!(database.is_file(), "there is no database at {}; choose the data folder with --data", database.display());
    // Written under a temporary name until it is complete.
    let name = to.file_name().and_then(|name| name.to_str()).context("the backup folder needs a name")?;
    let partial = to.with_file_name(format!("{name}.partial"));
    ensure!(is_empty(&partial)?, "{} was left by a backup that did not finish: remove it first", partial.display());
    make_private(&partial).with_context(|| format!("cannot create {}", partial.display()))?;
    let manifest = write(config, &database, &partial).inspect_err(|_| {
        let _ = fs::remove_dir_all(&partial);
    })?;
    let _ = fs::remove_dir(&to);
    fs::rename(&partial, &to).with_context(|| format!("cannot rename the finished backup to {}", to.display()))?;
    if let Some(above) = to.parent() {
        fs::File::open(above)?.sync_all()?;
    }
    let summary = manifest.summary;
    if global.json {
        print::json(&summary)?;
    } else {
        let mib = summary.media_bytes >> 20;
        print::line(&format!(
            "Backed up {} jobs and {} media files ({mib} MiB) to {}",
            summary.jobs,
            summary.media_files,
            to.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks an existing backup.
fn check(folder: &Path, global: &Global) -> anyhow::Result<ExitCode> {
    let (files, faults, state) = match Manifest::read(folder) {
        Ok(manifest) => (manifest.files.len(), verify(folder, &manifest), "is damaged"),
        Err(fault) => (0, vec![fault], "cannot be read"),
    };
    if global.json {
        print::json(&json!({"ok": faults.is_empty(), "files": files, "faults": faults}))?;
    } else if faults.is_empty() {
        print::line(&format!("{} is intact: {files} files and the database match its manifest", folder.display()));
    } else {
        print::error(&format!("the backup in {} {state}: {}", folder.display(), fault::describe(&faults)));
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Creates a folder that only its owner can enter.
fn make_private(folder: &Path) -> std::io::Result<()> {
    // An empty folder that an earlier backup left is not reused: others may be allowed to enter it.
    let _ = fs::remove_dir(folder);
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above)?;
    }
    fs::DirBuilder::new().mode(0o700).create(folder)
}

fn write(config: &Config, database: &Path, to: &Path) -> anyhow::Result<Manifest> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let data = runtime.block_on(Data::open(config))?;
    let created_at = print::time(data.clock.now());
    copy_database(database, &to.join(DATABASE)).context("cannot copy the database")?;
    let held = check_copy(&to.join(DATABASE)).context("the copy of the database is damaged")?;
    let mut summary = Summary::new(created_at, &held);
    let (size, sha256) = hash_file(&to.join(DATABASE))?;
    let mut copied = vec![Copied { path: to.join(DATABASE), size, sha256, mode: 0o600 }];
    fs::create_dir_all(to.join(MEDIA))?;
    let (mut missing, mut fault) = (Vec::new(), None);
    for_each_kept_media(&to.join(DATABASE), |id, keys| {
        let Some(media) = &data.local_media else { return };
        for key in keys {
            let file = media.file(&key).map_err(std::io::Error::other);
            match file.and_then(|file| copy_file(&file, &to.join(MEDIA).join(&key), How::Link)) {
                Ok(file) => {
                    summary.media_files += 1;
                    summary.media_bytes += file.size;
                    copied.push(file);
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing.push((id, key)),
                Err(error) => fault = Some((key, error)),
            }
        }
    })?;
    if let Some(media) = &data.local_media {
        let (packs, known) = (media.file(PACKS)?, copied.len());
        if packs.is_dir() {
            copy_tree(&packs, &to.join(MEDIA).join(PACKS), How::Link, &mut copied)?;
        }
        summary.media_files += (copied.len() - known) as u64;
        summary.media_bytes += copied[known..].iter().map(|file| file.size).sum::<u64>();
    } else {
        print::note("media are in a bucket, which is not copied: keep earlier versions of its objects (versioning)");
    }
    if let Some((key, error)) = fault {
        bail!("cannot copy the media file {key}: {error}");
    }
    summary.deleted_meanwhile = missing.len() as u64;
    warn_about_lost_media(&data, &missing)?;
    for (entry, path) in rest(config)? {
        let how = if entry == "pack" { How::Link } else { How::Copy };
        let place = to.join(REST).join(&entry);
        if path.is_dir() {
            copy_tree(&path, &place, how, &mut copied)?;
        } else {
            copied
                .push(copy_file(&path, &place, How::Copy).with_context(|| format!("cannot copy {}", path.display()))?);
        }
    }
    let manifest = Manifest::new(summary, to, &copied)?;
    // The manifest vouches for what is on disk.
    sync_folders(to)?;
    manifest.write(to)?;
    Ok(manifest)
}

/// Warns about media that are missing although their job exists and has not expired: they were lost before the backup.
fn warn_about_lost_media(data: &Data, missing: &[(JobId, String)]) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let jobs: BTreeSet<JobId> = missing.iter().map(|(id, _)| *id).collect();
    for id in jobs {
        let job = runtime.block_on(data.store.job_get(None, id))?;
        if job.is_some_and(|job| job.expired_at.is_none()) {
            let keys: Vec<&str> = missing.iter().filter(|(of, _)| *of == id).map(|(_, key)| key.as_str()).collect();
            print::note(&format!("warning: media of job {id} are missing: {}", keys.join(", ")));
        }
    }
    Ok(())
}

/// Lists everything else in the data folder: maps, the signing key, furniture.
fn rest(config: &Config) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let (database, media) = (config.database_file()?, config.media_folder().ok());
    let mut found = Vec::new();
    for entry in fs::read_dir(&config.data_dir)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.with_context(|| format!("cannot back up {}: rename it in UTF-8", path.display()))?;
        let is_database = path.to_str().is_some_and(|path| {
            database.to_str().is_some_and(|database| {
                path.strip_prefix(database).is_some_and(|rest| matches!(rest, "" | "-wal" | "-shm"))
            })
        });
        let is_scratch = name.starts_with("measure-") || name.starts_with(".tmp") || name.ends_with(".partial");
        if is_database
            || is_scratch
            || media.as_ref().is_some_and(|media| media.starts_with(&path))
            || EXCLUDED.contains(&name)
        {
            continue;
        }
        if name.starts_with(MOVED_ASIDE) {
            continue;
        }
        // Links to folders and files, such as maps on another disk, are followed.
        if !path.is_dir() && !path.is_file() {
            print::note(&format!("warning: {} is not a file or folder and is not backed up", path.display()));
            continue;
        }
        found.push((name.to_owned(), path));
    }
    Ok(found)
}
