//! Imports files and URLs into a data folder, until all are, or stdin is closed.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aerie_confinement::environment;
use aerie_engine_api::messages::Import;
use aerie_import::{ImportOptions, ImportProgress, ImportReport};

use crate::report;

pub(super) fn run(import: &Import) -> anyhow::Result<ImportReport> {
    let progress = |ImportProgress { file, stage, done, total }: ImportProgress| {
        report::progress(format!("{file}: {stage}"), done, total);
    };
    let memory_mib = aerie_confinement::share_of_machine(1) >> 20;
    let confine = |tool: &Command, input: &Path, folder: &Path| confined(tool, input, folder, memory_mib);
    let is_canceled = listen_to_caller()?;
    import_all(
        &import.files,
        &ImportOptions {
            data_dir: &import.data_dir,
            progress: &progress,
            canceled: &|| is_canceled.load(Ordering::Relaxed),
            attribution: import.attribution.as_deref(),
            crs: import.crs.as_deref(),
            height_unit: import.height_unit,
            allow_partial: import.allow_partial,
            confine: Some(&confine),
        },
    )
}

/// Returns what becomes true when stdin is closed.
fn listen_to_caller() -> std::io::Result<Arc<AtomicBool>> {
    let is_canceled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_canceled);
    let listen = move || {
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        flag.store(true, Ordering::Relaxed);
    };
    std::thread::Builder::new().name("caller".into()).spawn(listen)?;
    Ok(is_canceled)
}

/// Variables that name folders of GDAL and of the PROJ library.
const GDAL_FOLDERS: [&str; 4] = ["GDAL_DATA", "GDAL_DRIVER_PATH", "PROJ_DATA", "PROJ_LIB"];

/// The command that runs one of GDAL's tools by `aerie-engine confined`: it reads the input and the files next to it that have its name
/// with another ending, such as world files, and writes to its folder.
fn confined(tool: &Command, input: &Path, folder: &Path, memory_mib: u64) -> std::io::Result<Command> {
    let name = tool.get_program().to_string_lossy().into_owned();
    if aerie_confinement::find_program(&name).is_none() {
        return Err(std::io::ErrorKind::NotFound.into());
    }
    // This program, also after its file was replaced by another version.
    let mut command = Command::new("/proc/self/exe");
    command.arg0("aerie-engine").arg("confined").arg("--memory").arg(memory_mib.to_string());
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
