//! `aerie restore`: a backup becomes the data folder again.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use aerie_domain::{Clock, SystemClock};
use aerie_storage::{DayCounts, Limiter, SqliteStore, check_database};
use anyhow::{Context, bail, ensure};

use super::backup::{DATABASE, MEDIA, REST, TOLD, Told};
use crate::arguments::{self, Global};
use crate::config::Config;
use crate::copying::{How, copy_file, copy_tree, is_empty, size_of_tree};
use crate::data::make_folder;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Restore) -> anyhow::Result<ExitCode> {
    let (from, data) = (std::path::absolute(&options.from)?, &config.data_dir);
    let told = std::fs::read_to_string(from.join(TOLD))
        .with_context(|| format!("{} is no backup: it has no {TOLD}", from.display()))?;
    let told: Told = serde_json::from_str(&told).with_context(|| format!("{TOLD} cannot be read"))?;
    check_database(&from.join(DATABASE)).context("the backup's database is damaged")?;
    let (files, bytes) = size_of_tree(&from.join(MEDIA))?;
    ensure!(
        (files, bytes) == (told.media_files, told.media_bytes),
        "the backup has {files} files of media, {bytes} bytes, and says that it has {}, {} bytes",
        told.media_files,
        told.media_bytes
    );
    make_folder(data)?;
    let aside = data.join(format!("before-restore-{}", SystemClock.now().as_second()));
    if !is_empty(data)? {
        ensure!(
            options.force,
            "{} is not empty: name another with --data, or give --force, which moves what is there into a folder of its own",
            data.display()
        );
        refuse_while_served(data)?;
        move_aside(data, &aside)?;
    }
    bring_back(config, &from).map_err(|error| match aside.exists() {
        true => error.context(format!("what was there before lies in {}", aside.display())),
        false => error,
    })?;
    if global.json {
        print::json(&told)?;
    } else {
        print::line(&format!("Restored {} jobs and {files} files of media, as of {}", told.jobs, told.created_at));
        if aside.exists() {
            print::line(&format!("What was there before lies in {}", aside.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn bring_back(config: &Config, from: &Path) -> anyhow::Result<()> {
    copy_tree(&from.join(MEDIA), &config.media()?, How::Copy)?;
    if from.join(REST).is_dir() {
        copy_tree(&from.join(REST), &config.data_dir, How::Copy)?;
    }
    // Last, and by a rename: without it nothing is served.
    let database = config.database()?;
    let partial = database.with_extension("partial");
    copy_file(&from.join(DATABASE), &partial, How::Copy)?;
    fs::rename(&partial, &database)?;
    fs::File::open(&config.data_dir)?.sync_all()?;
    // As the server will: an older schema is brought up to date, a newer one refused.
    SqliteStore::open(&database, std::sync::Arc::new(SystemClock)).context("the restored database cannot be opened")?;
    Ok(())
}

/// A server that runs holds a lock on its counts of requests.
fn refuse_while_served(data: &Path) -> anyhow::Result<()> {
    let file = data.join("requests.today");
    if !file.exists() {
        return Ok(());
    }
    match DayCounts::open(&file, Limiter::day_of(SystemClock.now())) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
            bail!("a server runs on {}: stop it before you restore", data.display())
        }
        _ => Ok(()),
    }
}

fn move_aside(data: &Path, aside: &Path) -> anyhow::Result<()> {
    let there: Vec<_> = fs::read_dir(data)?.collect::<Result<_, _>>()?;
    fs::create_dir(aside)?;
    for entry in there {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("before-restore-") {
            continue;
        }
        fs::rename(entry.path(), aside.join(&name))
            .with_context(|| format!("cannot move {}", entry.path().display()))?;
    }
    Ok(())
}
