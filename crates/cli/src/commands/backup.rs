//! `aerie backup`: copies the data folder; the server may keep running.
//!
//! The database is copied first, as one consistent snapshot, then the media that it references. Media are written before
//! their job's row and never change, so none is missing unless it was deleted in the meantime.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aerie_domain::JobId;
use aerie_storage_sqlite::{check_database, copy_database, for_each_jobs_media};
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::arguments::{self, Global};
use crate::config::Config;
use crate::copying::{How, copy_file, copy_tree, is_empty};
use crate::data::Data;
use crate::print;

/// Names of files and folders in a backup.
pub(super) const DATABASE: &str = "aerie.db";
pub(super) const MEDIA: &str = "media";
pub(super) const REST: &str = "data";
pub(super) const MANIFEST: &str = "backup.json";

/// Not backed up: caches, and files of running processes.
const EXCLUDED: [&str; 3] = ["work", "cache", "requests.today"];

/// Contents of `backup.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) version: String,
    pub(super) created_at: String,
    pub(super) jobs: u64,
    pub(super) media_files: u64,
    pub(super) media_bytes: u64,
    /// Media of jobs that were deleted before they could be copied.
    pub(super) deleted_meanwhile: u64,
}

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Backup) -> anyhow::Result<ExitCode> {
    let to = std::path::absolute(&options.to)?;
    ensure!(is_empty(&to)?, "{} is not empty: choose a new folder for each backup", to.display());
    let database = config.database()?;
    ensure!(database.is_file(), "there is no database at {}; choose the data folder with --data", database.display());
    // Written under a temporary name until it is complete.
    let name = to.file_name().and_then(|name| name.to_str()).context("the backup folder needs a name")?;
    let partial = to.with_file_name(format!("{name}.partial"));
    ensure!(is_empty(&partial)?, "{} was left by a backup that did not finish: remove it first", partial.display());
    fs::create_dir_all(&partial).with_context(|| format!("cannot create {}", partial.display()))?;
    let manifest = write(config, &database, &partial).inspect_err(|_| {
        let _ = fs::remove_dir_all(&partial);
    })?;
    let _ = fs::remove_dir(&to);
    fs::rename(&partial, &to).with_context(|| format!("cannot rename the finished backup to {}", to.display()))?;
    if let Some(above) = to.parent() {
        fs::File::open(above)?.sync_all()?;
    }
    if global.json {
        print::json(&manifest)?;
    } else {
        let mib = manifest.media_bytes >> 20;
        print::line(&format!(
            "Backed up {} jobs and {} media files ({mib} MiB) to {}",
            manifest.jobs,
            manifest.media_files,
            to.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn write(config: &Config, database: &Path, to: &Path) -> anyhow::Result<Manifest> {
    let data = Data::open(config)?;
    copy_database(database, &to.join(DATABASE)).context("cannot copy the database")?;
    check_database(&to.join(DATABASE)).context("the copy of the database is damaged")?;
    let mut manifest = Manifest {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: print::time(data.clock.now()),
        jobs: 0,
        media_files: 0,
        media_bytes: 0,
        deleted_meanwhile: 0,
    };
    fs::create_dir_all(to.join(MEDIA))?;
    let (mut missing, mut fault) = (Vec::new(), None);
    for_each_jobs_media(&to.join(DATABASE), |id, keys| {
        manifest.jobs += 1;
        for key in keys {
            let file = data.media.file(&key).map_err(std::io::Error::other);
            match file.and_then(|file| copy_file(&file, &to.join(MEDIA).join(&key), How::Link)) {
                Ok(bytes) => {
                    manifest.media_files += 1;
                    manifest.media_bytes += bytes;
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing.push((id, key)),
                Err(error) => fault = Some((key, error)),
            }
        }
    })?;
    if let Some((key, error)) = fault {
        bail!("cannot copy the media file {key}: {error}");
    }
    manifest.deleted_meanwhile = missing.len() as u64;
    warn_about_lost_media(&data, &missing)?;
    for (entry, path) in rest(config)? {
        let how = if entry == "pack" { How::Link } else { How::Copy };
        let place = to.join(REST).join(&entry);
        if path.is_dir() {
            copy_tree(&path, &place, how)?;
        } else {
            copy_file(&path, &place, How::Copy)?;
        }
    }
    fs::write(to.join(MANIFEST), serde_json::to_string_pretty(&manifest)?)?;
    fs::File::open(to.join(MANIFEST))?.sync_all()?;
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
    let (database, media) = (config.database()?, config.media()?);
    let mut found = Vec::new();
    for entry in fs::read_dir(&config.data_dir)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let is_database = path.to_str().is_some_and(|path| {
            database.to_str().is_some_and(|database| {
                path.strip_prefix(database).is_some_and(|rest| matches!(rest, "" | "-wal" | "-shm"))
            })
        });
        let is_scratch = name.starts_with("measure-") || name.starts_with(".tmp") || name.ends_with(".partial");
        if is_database || is_scratch || media.starts_with(&path) || EXCLUDED.contains(&name) {
            continue;
        }
        found.push((name.to_owned(), path));
    }
    Ok(found)
}
