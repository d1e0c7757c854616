//! `aerie migrate`: migrates an installation to PostgreSQL and S3.
//!
//! Media first, as often as needed, then all rows in one transaction: until its end, the database is empty.

use std::process::ExitCode;

use aerie_storage::MediaStore;
use aerie_storage_postgres::{Import, PostgresUrl, without_password};
use anyhow::{Context, anyhow, ensure};
use serde::Serialize;

use crate::arguments::{self, Global};
use crate::config::{Config, MediaPlace};
use crate::data::{check_bucket, open_place};
use crate::interrupt::{self, Interrupt, Interrupted};
use crate::migration::{MediaReport, Progress, Source, TableReport, compare_rows, copy_media, copy_rows, of_target};
use crate::print;

/// Names the database to migrate to, if `--to` does not.
const URL_VARIABLE: &str = "AERIE_STORE_URL";

/// Missing media files that a message names.
const SHOWN: usize = 5;

/// A finished migration.
#[derive(Debug, Serialize)]
struct Report {
    tables: Vec<TableReport>,
    media: Option<MediaReport>,
    media_url: Option<String>,
    /// Without the password.
    store_url: String,
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
    let progress = Progress::new(Interrupt::listen()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let target = runtime.block_on(Target::open(config, options))?;
    let report = match runtime.block_on(migrate(config, &target, progress)) {
        Err(error) if error.is::<Interrupted>() => {
            print::note("interrupted: run the same command again to continue");
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        report => report?,
    };
    if global.json {
        print::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    for TableReport { table, rows, sha256 } in &report.tables {
        print::line(&format!("{table:<14}  {rows:>10} rows  sha256 {sha256}"));
    }
    if let Some(MediaReport { files, bytes, copied, missing }) = &report.media {
        let (mib, missing) = (bytes >> 20, missing.len());
        print::line(&format!("media           {files:>10} files, {mib} MiB, {copied} copied, {missing} missing"));
    }
    print::line(&format!(
        "\nThe migration is complete. Configure servers and workers, with the password in the URL or the whole URL in the \
         variable {URL_VARIABLE}, which overrides it:\n\n[store]\nurl = \"{}\"",
        report.store_url
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
                folder.canonicalize().is_ok_and(|folder| ours.canonicalize().is_ok_and(|ours| ours == folder));
            ensure!(!is_ours, "--media: {} is the folder with the media: name another place", folder.display());
            format!("file:{}", folder.display())
        }
    };
    let (media, _) = open_place(&place).context("--media")?;
    check_bucket(&place, &media, true).await.map_err(|why| of_option(&why))?;
    Ok((media, found))
}

async fn migrate(config: &Config, target: &Target, progress: Progress) -> anyhow::Result<Report> {
    let source = Source::open(config)?;
    let import = Import::open(&target.parsed).await.map_err(of_target)?;
    let (is_new, mut tables) = (import.is_empty().await.map_err(of_target)?, Vec::new());
    if !is_new {
        let remedy = "name an empty database, or delete what this one has: DROP SCHEMA aerie CASCADE";
        let compared = compare_rows(&source.export, &import, &progress).await?;
        tables = compared.map_err(|why| anyhow!("--to: {} has other rows already: {why}; {remedy}", target.parsed))?;
        progress.note("this migration has finished before: only media are copied");
    }
    let media = migrate_media(config, &source, target, &progress).await?;
    if is_new {
        import.begin().await.map_err(of_target)?;
        let copied = copy_rows(&source.export, &import, &progress).await;
        // First, because what is read from a file that changes may differ or be malformed.
        source.check_unused()?;
        tables = copied?;
        progress.advance(0)?;
        import.commit().await.map_err(of_target)?;
    }
    let media_url = target.media.as_ref().map(|(_, url)| url.clone());
    Ok(Report { tables, media, media_url, store_url: without_password(&target.url) })
}

async fn migrate_media(
    config: &Config,
    source: &Source,
    target: &Target,
    progress: &Progress,
) -> anyhow::Result<Option<MediaReport>> {
    let Some((store, url)) = &target.media else {
        if let Ok(folder) = config.media_folder() {
            progress.note(&format!("media stay in {}: each server and worker needs it", folder.display()));
        }
        return Ok(None);
    };
    let folder = config.media_folder()?;
    let copied = copy_media(&source.export, &folder, store, progress).await;
    let report = copied.with_context(|| format!("--media {url}"))?;
    progress.note(&format!("media: {} of {} files copied, all verified", report.copied, report.files));
    if report.missing.is_empty() {
        return Ok(Some(report));
    }
    let (count, mut named) = (report.missing.len(), report.missing[..report.missing.len().min(SHOWN)].join(", "));
    if count > SHOWN {
        named += &format!(" and {} more", count - SHOWN);
    }
    let missing = format!("{count} media files that jobs reference are missing in {}: {named}", folder.display());
    ensure!(
        target.allows_missing,
        "{missing}; if its disk is not mounted, mount it and run the same command again; to migrate without these files, add \
         --allow-missing"
    );
    progress.note(&format!("warning: {missing}"));
    Ok(Some(report))
}
