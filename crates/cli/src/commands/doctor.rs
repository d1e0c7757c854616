//! `aerie doctor`: checks this machine and suggests fixes.

mod confinement;
mod machine;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use aerie_domain::ContentHash;
use aerie_engine_api::{Finding, Furniture};
use aerie_geodata::Pack;
use aerie_storage::{LocalMedia, OutOfCapacity, StoreError};
use anyhow::bail;

use crate::arguments::Global;
use crate::config::{Config, Database, MediaPlace};
use crate::data::{Data, check_bucket, check_bucket_upkeep, open_media};
use crate::furniture;
use crate::print;

/// Free space below which the doctor warns: room for a few hundred videos or the import of a country.
const ENOUGH_SPACE: u64 = 5 << 30;

/// How long a server that is asked for these checks reads its database: others use it meanwhile.
const READING_LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn run(config: &Config, global: &Global) -> anyhow::Result<ExitCode> {
    let mut findings = Vec::new();
    check(config, Duration::MAX, &mut |finding| {
        findings.push(finding);
        true
    });
    let ok = findings.iter().all(|finding| finding.ok);
    if global.json {
        print::json(&serde_json::json!({"ok": ok, "findings": findings}))?;
    } else {
        for finding in &findings {
            let mark = if finding.ok { "ok     " } else { "MISSING" };
            print::line(&format!("{mark}  {:<16}  {}", finding.what, finding.found));
            if let Some(remedy) = &finding.remedy {
                print::line(&format!("{:27}-> {remedy}", ""));
            }
        }
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The same checks for the operator console of a server with this configuration.
pub(crate) struct ServerDoctor(pub(crate) Config);

impl aerie_api::Doctor for ServerDoctor {
    fn check(&self, found: &mut dyn FnMut(aerie_api::Finding) -> bool) {
        check(&self.0, READING_LIMIT, &mut |Finding { what, ok, found: text, remedy }| {
            found(aerie_api::Finding { what: what.into_owned(), ok, found: text, remedy })
        });
    }
}

/// Makes one check after the other and passes on what it finds, until that returns `false`. The database is read for `limit` at most.
fn check(config: &Config, limit: Duration, found: &mut dyn FnMut(Finding) -> bool) {
    let checks: [&dyn Fn() -> Vec<Finding>; 12] = [
        &confinement::engines,
        &|| vec![confinement::confinement()],
        &|| vec![data_folder(config)],
        &|| vec![disk_space(config)],
        &|| vec![database(config, limit)],
        &|| vec![media(config)],
        &|| vec![map_data(config)],
        &|| vec![own_furniture(config)],
        &|| vec![machine::clock(config)],
        &|| machine::certificate(config).into_iter().collect(),
        &|| machine::credentials(config).into_iter().collect(),
        &|| machine::sources(config),
    ];
    for check in checks {
        for finding in check() {
            if !found(finding) {
                return;
            }
        }
    }
}

fn data_folder(config: &Config) -> Finding {
    let (what, folder) = ("data folder", nearest_existing(&config.data_dir));
    match tempfile::tempfile_in(folder) {
        Ok(_) if folder == config.data_dir => Finding::good(what, config.data_dir.display().to_string()),
        Ok(_) => Finding::good(what, format!("{} (created on first use)", config.data_dir.display())),
        Err(error) => {
            let remedy = "make it writable for this user, or choose another with --data";
            Finding::bad(what, format!("cannot write to {}: {error}", folder.display()), remedy)
        }
    }
}

fn disk_space(config: &Config) -> Finding {
    let what = "disk space";
    if let Err(reason) = capacity(config) {
        return Finding::bad(what, reason.to_string(), "free disk space; new jobs are refused until then");
    }
    match rustix::fs::statvfs(nearest_existing(&config.data_dir)) {
        Ok(stat) => {
            let free = stat.f_bavail * stat.f_frsize;
            let found = format!("{} GiB free", free >> 30);
            if free >= ENOUGH_SPACE {
                return Finding::good(what, found);
            }
            Finding::bad(what, found, "free disk space: a video takes about 15 MiB, the map of a country a few GiB")
        }
        Err(error) => Finding::bad(what, format!("unknown: {error}"), "check the file system of the data folder"),
    }
}

/// Whether a server would accept a job. Media are opened only where they exist.
fn capacity(config: &Config) -> Result<(), OutOfCapacity> {
    match config.media_folder() {
        Ok(folder) if folder.is_dir() => match LocalMedia::open(&folder) {
            Ok(media) => media.capacity(&config.data_dir, config.disk_limits()).check_submit(),
            Err(_) => Ok(()),
        },
        _ => Ok(()),
    }
}

fn database(config: &Config, limit: Duration) -> Finding {
    let what = "database";
    let good = |place: String, is_whole: bool| match is_whole {
        true => Finding::good(what, place),
        false => {
            let remedy = "run `aerie doctor` on the command line, which reads all of it; servers do every day";
            let found = format!("{place}; not read to its end within {} s", limit.as_secs());
            Finding { remedy: Some(remedy.into()), ..Finding::good(what, found) }
        }
    };
    match config.database() {
        Ok(Database::Sqlite(file)) if !file.exists() => {
            Finding::good(what, format!("{} (created on first use)", file.display()))
        }
        Ok(Database::Postgres(url)) => match verify(config, limit) {
            Ok(is_whole) => good(url.to_string(), is_whole),
            Err(error) => unusable(&error, "correct [store] url, or restore a copy of pg_dump"),
        },
        Ok(Database::Sqlite(file)) => match verify(config, limit) {
            Ok(is_whole) => good(file.display().to_string(), is_whole),
            Err(error) => unusable(&error, "restore a backup (aerie restore), or set [store] url to another database"),
        },
        Err(error) => Finding::bad(what, error.to_string(), "correct the configuration"),
    }
}

/// A database that cannot be used.
fn unusable(error: &anyhow::Error, remedy: &str) -> Finding {
    let finding = Finding::bad("database", format!("{error:#}"), remedy);
    match error.downcast_ref() {
        // The error says what to do, and there are no backups to restore.
        Some(StoreError::EarlierBuild) => Finding { remedy: None, ..finding },
        _ => finding,
    }
}

fn media(config: &Config) -> Finding {
    let what = "media";
    match config.media() {
        Ok(MediaPlace::Folder(folder)) => Finding::good(what, folder.display().to_string()),
        Ok(place @ MediaPlace::Bucket(_)) => match use_bucket(config, &place) {
            Ok(found) => Finding::good(what, found),
            Err(error) => Finding::bad(what, format!("{error:#}"), "correct [media] url and the keys below it"),
        },
        Err(error) => Finding::bad(what, error.to_string(), "correct the configuration"),
    }
}

/// Does what servers and workers do in the bucket: writes, reads, lists, deletes, aborts.
fn use_bucket(config: &Config, place: &MediaPlace) -> anyhow::Result<String> {
    let MediaPlace::Bucket(bucket) = place else { bail!("media are in a folder") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (media, _) = open_media(config)?;
    let used = async {
        check_bucket(place, &media, true).await?;
        check_bucket_upkeep(place, &media).await
    };
    runtime.block_on(used).map_err(anyhow::Error::msg)?;
    Ok(bucket.0.to_string())
}

/// Reads the whole database; `false` if that takes longer than `limit`.
fn verify(config: &Config, limit: Duration) -> anyhow::Result<bool> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let data = Data::open(config).await?;
        data.store.store_check_use().await?;
        match tokio::time::timeout(limit, data.store.store_verify()).await {
            Ok(verified) => Ok(verified.map(|()| true)?),
            Err(_) => Ok(false),
        }
    })
}

fn map_data(config: &Config) -> Finding {
    let what = "map data";
    if let Some(pack) = published_pack(config) {
        return Finding::good(what, format!("workers use the published pack {pack}, wherever they run"));
    }
    let import = "import your region from an OpenStreetMap extract: aerie import REGION.osm.pbf";
    let sample = || {
        let found = "none imported; using the sample town";
        Finding { remedy: Some(import.into()), ..Finding::good(what, found) }
    };
    match Pack::open_imported(&config.data_dir) {
        Ok(None) => sample(),
        Ok(Some(pack)) => {
            let summary = pack.summary();
            let counts = format!(
                "{} house numbers, {} buildings, {} roads, {} terrain tiles",
                summary.addresses, summary.buildings, summary.roads, summary.terrain_tiles
            );
            Finding::good(what, format!("{counts}; from {}", summary.files.join(", ")))
        }
        Err(error) => Finding::bad(what, error.to_string(), import),
    }
}

/// The pack that workers use, if the database can be read; whether it can is another finding.
fn published_pack(config: &Config) -> Option<ContentHash> {
    if let Ok(Database::Sqlite(file)) = config.database()
        && !file.exists()
    {
        return None;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    runtime.block_on(async { Data::open(config).await.ok()?.store.pack_current().await.ok()? })
}

fn own_furniture(config: &Config) -> Finding {
    let what = "own furniture";
    let Furniture { pieces, faults } = match furniture::check(config) {
        Ok(furniture) => furniture,
        Err(error) => {
            let remedy = "correct what is reported of the engine; or else remove the files in furniture/ one by one";
            return Finding::bad(what, format!("{error:#}"), remedy);
        }
    };
    match faults.len() {
        0 if pieces.is_empty() => Finding::good(what, "none; rooms are staged with the built-in pieces"),
        0 => Finding::good(what, format!("{} pieces", pieces.len())),
        _ => {
            let remedy = "fix furniture/pieces.toml or the files listed; those pieces are not used until then";
            Finding::bad(what, format!("{} pieces; {}", pieces.len(), faults.join("; ")), remedy)
        }
    }
}

/// Returns the folder itself, or its nearest existing ancestor.
fn nearest_existing(folder: &Path) -> &Path {
    folder.ancestors().find(|ancestor| ancestor.is_dir()).unwrap_or(Path::new("."))
}
