//! `aerie restore`: restores the data folder from a backup.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use aerie_domain::{Clock, SystemClock};
use aerie_storage::{DayCounts, Limiter, LocalMedia, MediaStore};
use aerie_storage_sqlite::{SqliteStore, check_database};
use anyhow::{Context, bail, ensure};

use super::backup::{DATABASE, MANIFEST, MEDIA, Manifest, REST};
use crate::arguments::{self, Global};
use crate::config::Config;
use crate::copying::{How, copy_file, copy_tree, is_empty, size_of_tree};
use crate::data::make_folder;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Restore) -> anyhow::Result<ExitCode> {
    let (from, data) = (std::path::absolute(&options.from)?, &config.data_dir);
    let manifest = std::fs::read_to_string(from.join(MANIFEST))
        .with_context(|| format!("{} is not a backup: it has no {MANIFEST}", from.display()))?;
    let manifest: Manifest = serde_json::from_str(&manifest).with_context(|| format!("cannot read {MANIFEST}"))?;
    check_database(&from.join(DATABASE)).context("the backup's database is damaged")?;
    let (files, bytes) = size_of_tree(&from.join(MEDIA))?;
    ensure!(
        (files, bytes) == (manifest.media_files, manifest.media_bytes),
        "the backup is incomplete: it has {files} media files of {bytes} bytes, but {MANIFEST} lists {} of {} bytes",
        manifest.media_files,
        manifest.media_bytes
    );
    make_folder(data)?;
    let aside = data.join(format!("before-restore-{}", SystemClock.now().as_second()));
    if !is_empty(data)? {
        ensure!(
            options.force,
            "{} is not empty: choose another with --data, or use --force, which moves its contents to a subfolder",
            data.display()
        );
        refuse_while_served(data)?;
        move_aside(data, &aside)?;
    }
    copy_backup(config, &from).map_err(|error| match aside.exists() {
        true => error.context(format!("the previous contents are in {}", aside.display())),
        false => error,
    })?;
    if global.json {
        print::json(&manifest)?;
    } else {
        print::line(&format!("Restored {} jobs and {files} media files, as of {}", manifest.jobs, manifest.created_at));
        if aside.exists() {
            print::line(&format!("The previous contents are in {}", aside.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn copy_backup(config: &Config, from: &Path) -> anyhow::Result<()> {
    let media = LocalMedia::open(&config.media()?)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(restore_media(media.store(), &from.join(MEDIA)))?;
    if from.join(REST).is_dir() {
        copy_tree(&from.join(REST), &config.data_dir, How::Copy)?;
    }
    // Last, and by a rename: without a database nothing is served.
    let database = config.database()?;
    let partial = database.with_extension("partial");
    copy_file(&from.join(DATABASE), &partial, How::Copy)?;
    fs::rename(&partial, &database)?;
    fs::File::open(&config.data_dir)?.sync_all()?;
    // Open it as the server will: an older schema is migrated, a newer one refused.
    SqliteStore::open(&database, std::sync::Arc::new(SystemClock)).context("the restored database cannot be opened")?;
    Ok(())
}

/// Stores every file of the backup under its path.
async fn restore_media(media: &MediaStore, from: &Path) -> anyhow::Result<()> {
    let mut folders = vec![from.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
                continue;
            }
            let path = entry.path();
            let key = path.strip_prefix(from)?.to_str().context("its name is not UTF-8");
            let key = key.with_context(|| format!("cannot restore {}", path.display()))?;
            media.media_put(key, &path).await.with_context(|| format!("cannot restore {}", path.display()))?;
        }
    }
    Ok(())
}

/// Fails if a server runs on the folder: a running server holds a lock on its request counts.
fn refuse_while_served(data: &Path) -> anyhow::Result<()> {
    let file = data.join("requests.today");
    if !file.exists() {
        return Ok(());
    }
    match DayCounts::open(&file, Limiter::day_of(SystemClock.now())) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
            bail!("a server runs on {}: stop it before restoring", data.display())
        }
        _ => Ok(()),
    }
}

fn move_aside(data: &Path, aside: &Path) -> anyhow::Result<()> {
    let entries: Vec<_> = fs::read_dir(data)?.collect::<Result<_, _>>()?;
    fs::create_dir(aside)?;
    for entry in entries {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("before-restore-") {
            continue;
        }
        fs::rename(entry.path(), aside.join(&name))
            .with_context(|| format!("cannot move {}", entry.path().display()))?;
    }
    Ok(())
}
