//! `aerie backup`: a copy of the data folder, while a server runs or not.
//!
//! The database goes first, as it was in one moment; then the media that it names. Media are written before their job's row
//! and never change, so that all of them are there; only what was deleted in the meantime is not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aerie_domain::JobId;
use aerie_storage::{check_database, copy_database, each_jobs_media};
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::arguments::{self, Global};
use crate::config::Config;
use crate::copying::{How, copy_file, copy_tree, is_empty};
use crate::data::Data;
use crate::print;

/// Names in a backup.
pub(super) const DATABASE: &str = "aerie.db";
pub(super) const MEDIA: &str = "media";
pub(super) const REST: &str = "data";
pub(super) const TOLD: &str = "backup.json";

/// What can be made again, or belongs to running processes.
const LEFT_OUT: [&str; 3] = ["work", "cache", "requests.today"];

/// What a backup says of itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Told {
    pub(super) version: String,
    pub(super) created_at: String,
    pub(super) jobs: u64,
    pub(super) media_files: u64,
    pub(super) media_bytes: u64,
    /// Media that jobs name and that were deleted before they could be copied.
    pub(super) deleted_meanwhile: u64,
}

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Backup) -> anyhow::Result<ExitCode> {
    let to = std::path::absolute(&options.to)?;
    ensure!(is_empty(&to)?, "{} is not empty: name a new folder for each backup", to.display());
    let database = config.database()?;
    ensure!(database.is_file(), "there is no database at {}", database.display());
    // Under another name until it is whole.
    let name = to.file_name().and_then(|name| name.to_str()).context("name a folder for the backup")?;
    let partial = to.with_file_name(format!("{name}.partial"));
    ensure!(is_empty(&partial)?, "{} is left of a backup that did not end: remove it first", partial.display());
    fs::create_dir_all(&partial).with_context(|| format!("cannot make {}", partial.display()))?;
    let told = write(config, &database, &partial).inspect_err(|_| {
        let _ = fs::remove_dir_all(&partial);
    })?;
    let _ = fs::remove_dir(&to);
    fs::rename(&partial, &to).with_context(|| format!("cannot give {} its name", to.display()))?;
    if let Some(above) = to.parent() {
        fs::File::open(above)?.sync_all()?;
    }
    if global.json {
        print::json(&told)?;
    } else {
        let mib = told.media_bytes >> 20;
        print::line(&format!(
            "Backed up {} jobs and {} files of media ({mib} MiB) to {}",
            told.jobs,
            told.media_files,
            to.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn write(config: &Config, database: &Path, to: &Path) -> anyhow::Result<Told> {
    let data = Data::open(config)?;
    copy_database(database, &to.join(DATABASE)).context("cannot copy the database")?;
    check_database(&to.join(DATABASE)).context("the copy of the database is damaged")?;
    let media = config.media()?;
    let mut told = Told {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: super::admin::time(data.clock.now()),
        jobs: 0,
        media_files: 0,
        media_bytes: 0,
        deleted_meanwhile: 0,
    };
    fs::create_dir_all(to.join(MEDIA))?;
    let (mut missing, mut fault) = (Vec::new(), None);
    each_jobs_media(&to.join(DATABASE), |id, keys| {
        told.jobs += 1;
        for key in keys {
            match copy_file(&media.join(&key), &to.join(MEDIA).join(&key), How::Link) {
                Ok(bytes) => (told.media_files, told.media_bytes) = (told.media_files + 1, told.media_bytes + bytes),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing.push((id, key)),
                Err(error) => fault = Some((key, error)),
            }
        }
    })?;
    if let Some((key, error)) = fault {
        bail!("cannot copy the media {key}: {error}");
    }
    told.deleted_meanwhile = missing.len() as u64;
    complain_of_lost(&data, &missing)?;
    for (entry, path) in rest(config)? {
        let how = if entry == "pack" { How::Link } else { How::Copy };
        let place = to.join(REST).join(&entry);
        if path.is_dir() {
            copy_tree(&path, &place, how)?;
        } else {
            copy_file(&path, &place, How::Copy)?;
        }
    }
    fs::write(to.join(TOLD), serde_json::to_string_pretty(&told)?)?;
    fs::File::open(to.join(TOLD))?.sync_all()?;
    Ok(told)
}

/// What is missing though its job is there, and has not expired, was lost before: the backup cannot make it good, and must
/// not hide it.
fn complain_of_lost(data: &Data, missing: &[(JobId, String)]) -> anyhow::Result<()> {
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

/// What else lies in the data folder: maps, the secret that signs links, furniture.
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
        if is_database || is_scratch || media.starts_with(&path) || LEFT_OUT.contains(&name) {
            continue;
        }
        found.push((name.to_owned(), path));
    }
    Ok(found)
}
