//! `aerie import`: imports map data, terrain and imagery into the data folder.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;

use aerie_import::{ImportOptions, ImportProgress, ImportReport};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{Global, Import};
use crate::config::Config;
use crate::engine_child::{environment, this_program};
use crate::escape::escape;
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
            bar.set_message(format!("{}: {}", escape(&progress.file), progress.stage));
            *shown = (progress.file, progress.stage);
        }
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    };
    let memory_mib = aerie_confinement::share_of_machine(1) >> 20;
    let confine = |tool: &Command, input: &Path, folder: &Path| confined(tool, input, folder, memory_mib);
    let interrupt = Interrupt::listen()?;
    let canceled = || interrupt.is_raised();
    let import = ImportOptions {
        data_dir: &config.data_dir,
        progress: &progress,
        canceled: &canceled,
        attribution: options.attribution.as_deref(),
        crs: options.crs.as_deref(),
        confine: Some(&confine),
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

/// Variables that name folders of GDAL and of the PROJ library.
const GDAL_FOLDERS: [&str; 4] = ["GDAL_DATA", "GDAL_DRIVER_PATH", "PROJ_DATA", "PROJ_LIB"];

/// The command that runs one of GDAL's tools by `aerie confined`: it reads the input and the files next to it that have its name
/// with another ending, such as world files, and writes to its folder.
fn confined(tool: &Command, input: &Path, folder: &Path, memory_mib: u64) -> std::io::Result<Command> {
    let name = tool.get_program().to_string_lossy().into_owned();
    if aerie_confinement::find_program(&name).is_none() {
        return Err(std::io::ErrorKind::NotFound.into());
    }
    let mut command = Command::new(this_program());
    command.arg0("aerie").arg("confined").arg("--memory").arg(memory_mib.to_string());
    command.arg("--write").arg(std::path::absolute(folder)?);
    let input = with_siblings(&std::path::absolute(input)?);
    // Where the operator's GDAL is not of the system, these name its data and libraries.
    let folders = ["LD_LIBRARY_PATH"].iter().chain(&GDAL_FOLDERS).filter_map(std::env::var_os);
    let folders: Vec<PathBuf> = folders.flat_map(|value| std::env::split_paths(&value).collect::<Vec<_>>()).collect();
    for file in input.iter().chain(folders.iter().filter(|folder| folder.is_absolute())) {
        command.arg("--read").arg(file);
    }
    command.arg("--").arg(tool.get_program()).args(tool.get_args());
    command.env_clear().envs(environment(folder)).envs([("CPL_TMPDIR", folder), ("PROJ_NETWORK", Path::new("OFF"))]);
    for name in GDAL_FOLDERS {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    Ok(command)
}

/// A file, and those next to it that differ from it in their endings only.
fn with_siblings(file: &Path) -> Vec<PathBuf> {
    let mut files = vec![file.to_owned()];
    if let (Some(folder), Some(stem)) = (file.parent(), file.file_stem()) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        files.extend(entries.filter(|path| path != file && path.file_stem() == Some(stem)));
        let name = file.file_name().unwrap_or_default();
        files.extend(["ovr", "aux.xml", "msk"].map(|ending| {
            let mut name = name.to_owned();
            name.push(format!(".{ending}"));
            folder.join(name)
        }));
    }
    files
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
    print::line(&escape(fields.get("file").and_then(serde_json::Value::as_str).unwrap_or_default()));
    for (name, value) in fields {
        match value {
            // Zero counts are not printed: files of other kinds have other counts.
            serde_json::Value::Number(count) if count.as_u64() != Some(0) => {
                print::line(&format!("{:>12}  {}", count.to_string(), name.replace('_', " ")));
            }
            serde_json::Value::Object(reasons) => {
                for (reason, count) in reasons {
                    print::line(&format!("{:>12}  {name}: {}", count.to_string(), escape(reason)));
                }
            }
            _ => {}
        }
    }
}
