//! `aerie migrate`: migrates an installation to PostgreSQL and S3.
//!
//! Rows first, then media, then the database is opened to servers: until then, it says itself that it is incomplete. Each step
//! compares before it writes, so that it can be repeated.

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
    MediaReport, Progress, Source, TableReport, copy_media, copy_rows, of_target, sum_rows, verify_rows,
};
use crate::print;

/// Names the database to migrate to, if `--to` does not.
const URL_VARIABLE: &str = "AERIE_STORE_URL";

/// Missing media files that a warning names.
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
}

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Migrate) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let target = runtime.block_on(Target::open(config, options))?;
    let report = match runtime.block_on(migrate(config, &target, &interrupt)) {
        Err(error) if error.is::<Interrupted>() => {
            print::note("interrupted: run the same command again to go on");
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
                "name the database to migrate to: --to postgres://USER:PASSWORD@HOST:PORT/DATABASE, or {URL_VARIABLE}"
            )
        })?;
        let parsed = PostgresUrl::parse(&url).map_err(|why| anyhow!("--to: {why}"))?;
        let media = match &options.media {
            Some(url) => Some(open_media(config, url).await?),
            None => None,
        };
        Ok(Self { url, parsed, media })
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
            return finished(target, &report, sums?)
                .with_context(|| format!("a migration to {} finished at {}", target.parsed, print::time(at)));
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
        Some((store, url)) => Some(migrate_media(config, &source, &import, (store, url), using).await?),
    };
    source.check_unused()?;
    interrupt.check()?;
    let report = Report { tables, media, media_url: target.media.as_ref().map(|(_, url)| url.clone()) };
    import.finish(&serde_json::to_string(&report)?).await.map_err(of_target)?;
    Ok(report)
}

async fn migrate_media(
    config: &Config,
    source: &Source,
    import: &Import,
    (store, url): (&MediaStore, &str),
    (progress, interrupt): (&Progress, &Interrupt),
) -> anyhow::Result<MediaReport> {
    let folder = config.media_folder()?;
    // Opening a folder that does not exist would create it.
    let local = if folder.is_dir() { Some(LocalMedia::open(&folder)?) } else { None };
    let report = copy_media((&source.export, local.as_ref()), (import, store, url), (progress, interrupt))
        .await
        .map_err(|error| if error.is::<Interrupted>() { error } else { error.context(format!("--media {url}")) })?;
    progress.note(&format!("media: {} of {} files copied, all verified", report.copied, report.files));
    if !report.missing.is_empty() {
        let named: Vec<&str> = report.missing.iter().take(SHOWN).map(String::as_str).collect();
        let rest = match report.missing.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more (--json lists all)"),
        };
        progress.note(&format!(
            "warning: {} media files that jobs reference are missing in {}: {}{rest}",
            report.missing.len(),
            folder.display(),
            named.join(", ")
        ));
    }
    Ok(report)
}

/// Fails if the target holds organizations that were not migrated: others than those of the source or, unless a migration has
/// begun, any.
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
    print::note("this migration has finished before: nothing to do");
    Ok(report)
}
