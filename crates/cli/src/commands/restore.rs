//! `aerie restore`: restores the data folder from a backup.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use aerie_domain::{Clock, SystemClock};
use aerie_storage::limiter::day_of;
use aerie_storage::{DayCounts, LocalMedia};
use aerie_storage_sqlite::SqliteStore;
use anyhow::{Context, bail, ensure};

use crate::arguments::{self, Global};
use crate::config::Config;
use crate::copying::{copy_with_mode, hash_file, is_empty, sync_folders};
use crate::data::make_folder;
use crate::fault::{self, Fault};
use crate::manifest::{DATABASE, MEDIA, Manifest, REST, Summary, hex};
use crate::print;
use crate::verification::verify;

/// A file to restore.
struct Item {
    from: PathBuf,
    to: PathBuf,
    mode: u32,
    /// SHA-256 in hexadecimal.
    sha256: String,
}

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Restore) -> anyhow::Result<ExitCode> {
    let (from, data) = (std::path::absolute(&options.from)?, &config.data_dir);
    config.database_file().context(
        "aerie restore writes a database file: restore the server with pg_restore, then copy the media folder back",
    )?;
    let (summary, items) = checked(config, &from)?;
    let is_occupied = !is_empty(data)?;
    if is_occupied {
        ensure!(
            options.force,
            "{} is not empty: choose another with --data, or use --force, which moves its contents to a subfolder",
            data.display()
        );
        refuse_while_served(data)?;
    }
    refuse_to_overwrite(config, &items)?;
    make_folder(data)?;
    let aside = data.join(format!("before-restore-{}", SystemClock.now().as_second()));
    if is_occupied {
        move_aside(data, &aside)?;
    }
    copy_backup(config, items).map_err(|error| match aside.exists() {
        true => error.context(format!("the previous contents are in {}", aside.display())),
        false => error,
    })?;
    if global.json {
        print::json(&summary)?;
    } else {
        let Summary { jobs, media_files, created_at, .. } = &summary;
        print::line(&format!("Restored {jobs} jobs and {media_files} media files, as of {created_at}"));
        if aside.exists() {
            print::line(&format!("The previous contents are in {}", aside.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks the whole backup; returns what it holds and where its files belong.
fn checked(config: &Config, from: &Path) -> anyhow::Result<(Summary, Vec<Item>)> {
    let is_damaged =
        |faults: &[Fault]| format!("the backup in {} is damaged: {}", from.display(), fault::describe(faults));
    let manifest = Manifest::read(from);
    let manifest = manifest.map_err(|fault| anyhow::anyhow!("cannot restore {}: {fault}", from.display()))?;
    let faults = verify(from, &manifest);
    ensure!(faults.is_empty(), "{}", is_damaged(&faults));
    let mut items = BTreeMap::new();
    for file in &manifest.files {
        let to = target(config, &file.path)?;
        // Others never read the database, however the backup was copied.
        let mode = if file.path == DATABASE { file.permissions() & 0o770 } else { file.permissions() };
        let item = Item { from: from.join(&file.path), to: to.clone(), mode, sha256: file.sha256.clone() };
        let previous = items.insert(to, item);
        ensure!(previous.is_none(), "{}", is_damaged(&[Fault::new(&file.path, "would overwrite another file")]));
    }
    for database in side_files(&config.database_file()?) {
        ensure!(!items.contains_key(&database), "the backup has {}, which SQLite would read", database.display());
    }
    Ok((manifest.summary, items.into_values().collect()))
}

/// Where a file of the backup belongs.
fn target(config: &Config, path: &str) -> anyhow::Result<PathBuf> {
    let within = |folder: &str| path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    if path == DATABASE {
        return config.database_file();
    }
    match (within(MEDIA), within(REST)) {
        (Some(key), _) => Ok(config.media_folder()?.join(key)),
        (_, Some(rest)) => Ok(config.data_dir.join(rest)),
        _ => bail!("`{path}` is not a path of a backup"),
    }
}

/// Files that SQLite would read with a database of that name.
fn side_files(database: &Path) -> [PathBuf; 3] {
    ["-wal", "-shm", "-journal"].map(|suffix| {
        let mut name = database.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Fails if a file outside the data folder, which is not moved aside, is in the way. Media with the same content are not.
fn refuse_to_overwrite(config: &Config, items: &[Item]) -> anyhow::Result<()> {
    let database = config.database_file()?;
    let targets = items.iter().map(|item| (&item.to, Some(&item.sha256).filter(|_| item.to != database)));
    let side_files = side_files(&database);
    for (file, same) in targets.chain(side_files.iter().map(|file| (file, None))) {
        if file.starts_with(&config.data_dir) || file.symlink_metadata().is_err() {
            continue;
        }
        let is_same = same.is_some_and(|same| hash_file(file).is_ok_and(|(_, found)| hex(&found) == *same));
        ensure!(is_same, "{} exists: move it away first", file.display());
    }
    Ok(())
}

fn copy_backup(config: &Config, mut items: Vec<Item>) -> anyhow::Result<()> {
    let (database, media) = (config.database_file()?, config.media_folder().ok());
    if let Some(media) = &media {
        LocalMedia::open(media)?;
    }
    // Last, and by a rename: without a database nothing is served.
    let at = items.iter().position(|item| item.to == database).context("the backup has no database")?;
    let mut last = items.swap_remove(at);
    // Media first: if this is interrupted, a server refuses to start with media and no database.
    items.sort_by_key(|item| !media.as_ref().is_some_and(|media| item.to.starts_with(media)));
    for item in &items {
        restore_file(item)?;
    }
    if let Some(media) = &media {
        sync_folders(media)?;
    }
    sync_folders(&config.data_dir)?;
    last.to = database.with_extension("partial");
    restore_file(&last)?;
    fs::rename(&last.to, &database)?;
    if let Some(folder) = database.parent() {
        fs::File::open(folder)?.sync_all()?;
    }
    // Open it as the server will: an older schema is migrated, a newer one refused.
    SqliteStore::open(&database, Arc::new(SystemClock)).context("the restored database cannot be opened")?;
    Ok(())
}

fn restore_file(item: &Item) -> anyhow::Result<()> {
    if item.to.symlink_metadata().is_ok() {
        // Media in a folder of their own may still be there.
        let is_same = hash_file(&item.to).is_ok_and(|(_, found)| hex(&found) == item.sha256);
        ensure!(is_same, "{} exists: move it away first", item.to.display());
        return Ok(());
    }
    let copied = copy_with_mode(&item.from, &item.to, item.mode);
    let copied = copied.with_context(|| format!("cannot restore {}", item.from.display()))?;
    ensure!(hex(&copied.sha256) == item.sha256, "{} changed while it was being restored", item.from.display());
    Ok(())
}

/// Fails if a server runs on the folder: a running server holds a lock on its request counts.
fn refuse_while_served(data: &Path) -> anyhow::Result<()> {
    let file = data.join("requests.today");
    if !file.exists() {
        return Ok(());
    }
    match DayCounts::open(&file, day_of(SystemClock.now())) {
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
