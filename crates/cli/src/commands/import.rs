//! `aerie import`: imports map data, terrain and imagery into the data folder.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use aerie_import::{ImportOptions, ImportProgress, ImportReport};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{Global, Import};
use crate::config::Config;
use crate::interrupt::{self, Interrupt};
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &Import) -> anyhow::Result<ExitCode> {
    crate::data::make_folder(&config.data_dir)?;
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %  {eta}")?);
    let shown = Mutex::new((String::new(), ""));
    let progress = |progress: ImportProgress| {
        let mut shown = shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if shown.0 != progress.file || shown.1 != progress.stage {
            bar.reset_eta();
            bar.set_message(format!("{}: {}", progress.file, progress.stage));
            *shown = (progress.file, progress.stage);
        }
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    };
    let interrupt = Interrupt::listen()?;
    let canceled = || interrupt.is_raised();
    let import = ImportOptions {
        data_dir: &config.data_dir,
        progress: &progress,
        canceled: &canceled,
        attribution: options.attribution.as_deref(),
    };
    let report = import_all(&options.files, &import);
    bar.finish_and_clear();
    if interrupt.is_raised() && report.is_err() {
        print::note("interrupted; the current file was not imported");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let report = report?;
    if global.json {
        print::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    for file in &report.files {
        print_counts(&serde_json::to_value(file)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Imports files in order; a URL is downloaded first, and the download removed after its import.
fn import_all(files: &[PathBuf], options: &ImportOptions<'_>) -> anyhow::Result<ImportReport> {
    let mut report = ImportReport::default();
    for file in files {
        let url = file.to_str().filter(|text| aerie_import::is_url(text));
        let fetched = match url {
            Some(url) => {
                let folder = options.data_dir.join("cache/downloads");
                Some(aerie_import::download(url, &folder, options.progress, options.canceled)?)
            }
            None => None,
        };
        let path = fetched.as_ref().unwrap_or(file);
        let imported = aerie_import::import(std::slice::from_ref(path), options);
        if let Some(fetched) = &fetched {
            // Also after a failure, because the next attempt would fail on the same file.
            std::fs::remove_file(fetched).ok();
        }
        report.files.extend(imported?.files);
    }
    Ok(report)
}

/// Prints the file's name, one line per count, and what was skipped and why.
fn print_counts(report: &serde_json::Value) {
    let Some(fields) = report.as_object() else { return };
    print::line(fields.get("file").and_then(serde_json::Value::as_str).unwrap_or_default());
    for (name, value) in fields {
        match value {
            // Zero counts are not printed: files of other kinds have other counts.
            serde_json::Value::Number(count) if count.as_u64() != Some(0) => {
                print::line(&format!("{:>12}  {}", count.to_string(), name.replace('_', " ")));
            }
            serde_json::Value::Object(reasons) => {
                for (reason, count) in reasons {
                    print::line(&format!("{:>12}  {name}: {reason}", count.to_string()));
                }
            }
            _ => {}
        }
    }
}
