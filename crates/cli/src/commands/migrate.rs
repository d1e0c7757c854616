//! `aerie migrate`: migrates an installation to PostgreSQL and S3.
//!
//! Rows first, then media, then the database is opened to servers: until then, it says itself that it is incomplete. Each step
//! compares before it writes, so that it can be repeated.

use std::path::Path;
use std::process::ExitCode;

use aerie_domain::OrgId;
use aerie_storage::backend::transfer::{TABLES, Value};
use aerie_storage::{LocalMedia, MediaStore};
use aerie_storage_postgres::{Import, Migration, PostgresUrl, without_password};
use anyhow::{Context, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::arguments::{self, Global};
use crate::config::{Config, MediaPlace};
use crate::data::{check_bucket, open_place};
use crate::interrupt::{self, Interrupt, Interrupted};
use crate::migration::{
    MediaReport, Progress, Source, TableReport, copy_media, copy_missing, copy_rows, of_target, sum_rows, verify_rows,
};
use crate::print;

/// Names the database to migrate to, if `--to` does not.
const URL_VARIABLE: &str = "AERIE_STORE_URL";

/// Missing media files that a message names.
const SHOWN: usize = 5;

/// A finished migration.
#[derive(Debug, Serialize, Deserialize)]
struct Report {
    tables: Vec<TableReport>,
    media: Option<MediaReport>,
    media_url: Option<String>,
}

/// Where to migrate to.
struct Target {
    url: String,
    parsed: PostgresUrl,
    /// The media, and their URL.
    media: Option<(MediaStore, String)>,
    /// Whether to finish although media files are missing.
    allows_missing: bool,
}

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Migrate) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let target = runtime.block_on(Target::open(config, options))?;
    let report = match runtime.block_on(migrate(config, &target, &interrupt)) {
        Err(error) if error.is::<Interrupted>() => {
            print::note("interrupted: run the same command again to continue");
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        report => report?,
    };
    let store_url = without_password(&target.url);
    if global.json {
        let mut report = serde_json::to_value(&report)?;
        report["store_url"] = store_url.into();
        print::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    for TableReport { table, rows, sha256 } in &report.tables {
        print::line(&format!("{table:<14}  {rows:>10} rows  sha256 {sha256}"));
    }
    if let Some(MediaReport { files, bytes, copied, missing }) = &report.media {
        let mib = bytes >> 20;
        print::line(&format!(
            "media           {files:>10} files, {mib} MiB, {copied} copied, {} missing",
            missing.len()
        ));
    }
    print::line(&format!(
        "\nThe migration is complete. Configure servers and workers, with the password in the URL or the whole URL in the \
         variable {URL_VARIABLE}, which overrides it:\n\n[store]\nurl = \"{store_url}\""
    ));
    if let Some(url) = &report.media_url {
        print::line(&format!("\n[media]\nurl = \"{url}\""));
    }
    if config.link_secret().is_some() {
        print::line("\nKeep [media] link_secret as it is, so that links stay valid.");
    }
    Ok(ExitCode::SUCCESS)
}

impl Target {
    async fn open(config: &Config, options: &arguments::Migrate) -> anyhow::Result<Self> {
        let variable = || std::env::var(URL_VARIABLE).ok().filter(|url| !url.is_empty());
        let url = options.to.clone().or_else(variable).with_context(|| {
            format!(
                "name the database to migrate to: {URL_VARIABLE}=postgres://USER:PASSWORD@HOST:PORT/DATABASE, or --to URL"
            )
        })?;
        if options.to.is_some() && without_password(&url) != url {
            print::note(&format!(
                "warning: other users of this machine can see the password in the list of processes: set {URL_VARIABLE} instead \
                 of --to"
            ));
        }
        let parsed = PostgresUrl::parse(&url).map_err(|why| anyhow!("--to: {why}"))?;
        let media = match &options.media {
            Some(url) => Some(open_media(config, url).await?),
            None => None,
        };
        Ok(Self { url, parsed, media, allows_missing: options.allow_missing })
    }
}

/// Opens the media to migrate to; returns their URL as the configuration needs it.
async fn open_media(config: &Config, url: &str) -> anyhow::Result<(MediaStore, String)> {
    let of_option = |why: &str| anyhow!("--media: {}", why.replace("[media] url", "--media"));
    let place = config.media_at(url).map_err(|error| of_option(&error.to_string()))?;
    let ours = config.media_folder().context("media stay where they are: leave out --media")?;
    let found = match &place {
        MediaPlace::Bucket(place) => place.0.to_string(),
        MediaPlace::Folder(folder) => {
            let is_ours =
                ours.canonicalize().is_ok_and(|ours| folder.canonicalize().is_ok_and(|folder| folder == ours));
            ensure!(!is_ours, "--media: {} is the folder with the media: name another place", folder.display());
            format!("file:{}", folder.display())
        }
    };
    let (media, _) = open_place(&place).context("--media")?;
    check_bucket(&place, &media, true).await.map_err(|why| of_option(&why))?;
    Ok((media, found))
}

async fn migrate(config: &Config, target: &Target, interrupt: &Interrupt) -> anyhow::Result<Report> {
    let source = Source::open(config)?;
    let progress = Progress::new()?;
    let using = (&progress, interrupt);
    let mut import = Import::open(&target.parsed).await.map_err(of_target)?;
    match import.migration().await.map_err(of_target)? {
        Migration::Finished(at, report) => {
            let sums: anyhow::Result<_> = TABLES.iter().map(|table| sum_rows(&source.export, table, using)).collect();
            let report = finished(target, &report, sums?)
                .with_context(|| format!("a migration to {} finished at {}", target.parsed, print::time(at)))?;
            return complete_media(config, target, (&source, &import), report, using).await;
        }
        Migration::Unfinished => {
            refuse_others(&source, &import, true).await?;
            progress.note(&format!("continuing the migration to {}", target.parsed));
        }
        Migration::None => refuse_others(&source, &import, false).await?,
    }
    import.begin().await.map_err(of_target)?;
    for table in TABLES {
        let written = copy_rows(&source.export, &mut import, table, using).await?;
        progress.note(&format!("{}: {written} rows copied", table.name));
    }
    let mut tables = Vec::new();
    for table in TABLES {
        let found = verify_rows(&source.export, &import, table, using).await?;
        progress.note(&format!("{}: {} rows are the same in source and target", table.name, found.rows));
        tables.push(found);
    }
    import.check_counts().await.map_err(of_target)?;
    let media = match &target.media {
        None => {
            if let Ok(folder) = config.media_folder() {
                progress.note(&format!("media stay in {}: each server and worker needs it", folder.display()));
            }
            None
        }
        Some(media) => Some(migrate_media(config, (&source, &import), media, target.allows_missing, using).await?),
    };
    source.check_unused()?;
    interrupt.check()?;
    let report = Report { tables, media, media_url: target.media.as_ref().map(|(_, url)| url.clone()) };
    import.finish(&serde_json::to_string(&report)?).await.map_err(of_target)?;
    Ok(report)
}

async fn migrate_media(
    config: &Config,
    (source, import): (&Source, &Import),
    (store, url): &(MediaStore, String),
    allows_missing: bool,
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<MediaReport> {
    let folder = config.media_folder()?;
    let local = open_folder(&folder)?;
    let report = copy_media((&source.export, local.as_ref()), (import, store, url), (progress, interrupt))
        .await
        .map_err(|error| if error.is::<Interrupted>() { error } else { error.context(format!("--media {url}")) })?;
    progress.note(&format!("media: {} of {} files copied, all verified", report.copied, report.files));
    if report.missing.is_empty() {
        return Ok(report);
    }
    let missing = describe_missing(&report.missing, &folder);
    ensure!(
        local.is_some(),
        "{missing}; this folder does not exist: mount its disk, or correct [media] url, and run the same command again"
    );
    ensure!(
        allows_missing,
        "{missing}; if its disk is not mounted, mount it and run the same command again; to migrate without these files, add \
         --allow-missing"
    );
    progress.note(&format!("warning: {missing}"));
    Ok(report)
}

/// Copies the files that a migration that has finished did not find, if they are there now.
async fn complete_media(
    config: &Config,
    target: &Target,
    (source, import): (&Source, &Import),
    mut report: Report,
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<Report> {
    let (Some((store, url)), Some(media)) =
        (&target.media, report.media.as_mut().filter(|media| !media.missing.is_empty()))
    else {
        print::note("this migration has finished before: nothing to do");
        return Ok(report);
    };
    let folder = config.media_folder()?;
    let Some(local) = open_folder(&folder)? else {
        bail!("{}; this folder does not exist", describe_missing(&media.missing, &folder));
    };
    let found = copy_missing((&source.export, &local), (import, store), &media.missing, (progress, interrupt))
        .await
        .map_err(|error| if error.is::<Interrupted>() { error } else { error.context(format!("--media {url}")) })?;
    progress.note(&format!("this migration has finished before: {} missing media files copied", found.copied));
    media.files += found.files;
    media.bytes += found.bytes;
    media.copied += found.copied;
    media.missing = found.missing;
    if !media.missing.is_empty() {
        progress.note(&format!("warning: {}", describe_missing(&media.missing, &folder)));
    }
    import.correct_report(&serde_json::to_string(&report)?).await.map_err(of_target)?;
    Ok(report)
}

/// The media of the installation; opening a folder that does not exist would create it.
fn open_folder(folder: &Path) -> anyhow::Result<Option<LocalMedia>> {
    Ok(if folder.is_dir() { Some(LocalMedia::open(folder)?) } else { None })
}

/// How many media files are missing, and which first.
fn describe_missing(missing: &[String], folder: &Path) -> String {
    let named: Vec<&str> = missing.iter().take(SHOWN).map(String::as_str).collect();
    let rest = match missing.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{} media files that jobs reference are missing in {}: {}{rest}",
        missing.len(),
        folder.display(),
        named.join(", ")
    )
}

/// Fails if the target holds organizations that were not migrated: any that the source does not have or, unless a
/// migration has begun, any at all.
async fn refuse_others(source: &Source, import: &Import, has_begun: bool) -> anyhow::Result<()> {
    let found = import.organizations().await.map_err(of_target)?;
    if found.is_empty() {
        return Ok(());
    }
    let table = &TABLES[0];
    let rows = source.export.rows_after(table, None, u32::MAX)?;
    let is_own = |id: OrgId| rows.iter().any(|row| row.key(table) == [Value::Uuid(id.0)]);
    if let Some((id, name)) = found.iter().find(|(id, _)| !is_own(*id)) {
        bail!(
            "--to: the database holds the organization {name} ({id}), which the installation to migrate does not have: name an \
             empty database"
        );
    }
    ensure!(
        has_begun,
        "--to: the database holds organizations already, although nothing was migrated to it: name an empty database"
    );
    Ok(())
}

/// The report of an earlier run that finished, if the source has not changed since.
fn finished(target: &Target, report: &str, sums: Vec<TableReport>) -> anyhow::Result<Report> {
    let again = "to migrate again, name an empty database, or first delete everything there: DROP SCHEMA aerie CASCADE";
    let report: Report = serde_json::from_str(report).context("its report cannot be read")?;
    if let Some((ours, _)) = sums.iter().zip(&report.tables).find(|(ours, theirs)| ours != theirs) {
        bail!("the table {} of the source has changed since, or another source was migrated; {again}", ours.table);
    }
    ensure!(sums.len() == report.tables.len(), "it was made by another version; {again}");
    let wanted = target.media.as_ref().map(|(_, url)| url);
    ensure!(
        wanted == report.media_url.as_ref(),
        "it migrated media to {}; {again}",
        report.media_url.as_deref().unwrap_or("no other place")
    );
    Ok(report)
}
