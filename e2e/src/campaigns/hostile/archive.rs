//! A data folder with jobs, media and a map, and its backup.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aerie_domain::{JobId, JobStatus, JobType};
use aerie_storage_sqlite::testing::{StoredJob, insert_jobs};
use serde_json::json;

use crate::campaigns::Tenant;
use crate::run;

/// Number of jobs in the data folder.
const JOBS: usize = 40;

/// A backup, and the data folder that it is of.
pub(super) struct Archive {
    data: PathBuf,
    backup: PathBuf,
}

impl Archive {
    /// Creates a data folder and backs it up.
    pub(super) fn new(data: &Path) -> Self {
        let tenant = Tenant::new(data, "");
        fill(&tenant, JOBS);
        let backup = data.with_extension("backup");
        let output = run(&["backup", backup.to_str().expect("a path")], data);
        assert!(output.status.success(), "{output:?}");
        Self { data: data.to_owned(), backup }
    }

    /// Copies the backup, with nothing linked, so that the copy can be damaged.
    pub(super) fn copy(&self, name: &str) -> PathBuf {
        let to = self.backup.with_extension(format!("backup-{name}"));
        for (file, bytes) in files(&self.backup) {
            let to = to.join(file);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            std::fs::write(to, bytes).expect("a file");
        }
        to
    }

    /// Checks that a copy restores every media file and every other file to the byte.
    pub(super) fn restores(&self, backup: &Path) -> Result<(), String> {
        let target = self.data.with_extension("restored");
        let output = run(&["restore", backup.to_str().expect("a path")], &target);
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        for part in ["media", "pack"] {
            if files(&target.join(part)) != files(&self.data.join(part)) {
                return Err(format!("{part} differs after restoring"));
            }
        }
        Ok(())
    }
}

/// Stores completed jobs, each with a file, and a map.
pub(super) fn fill(tenant: &Tenant, jobs: usize) {
    let jobs: Vec<StoredJob> = (0..jobs)
        .map(|number| {
            let id = JobId::new(jiff::Timestamp::now()).to_string();
            let key = format!("{}/{id}/1/video.mp4", tenant.org);
            let file = tenant.data.join("media").join(&key);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(&file, format!("{number} Main St").repeat(500)).expect("a file");
            StoredJob {
                id,
                kind: JobType::DroneFootage,
                status: JobStatus::Completed,
                input: json!({"address": format!("{number} Main St")}),
                media: json!({"/video_url": key}),
                at: jiff::Timestamp::now().as_millisecond(),
            }
        })
        .collect();
    insert_jobs(&tenant.database(), &tenant.org, jobs.into_iter()).expect("jobs");
    std::fs::create_dir_all(tenant.data.join("pack")).expect("a folder");
    std::fs::write(tenant.data.join("pack/region.gpkg"), "a map").expect("a file");
}

/// The regular files in a folder, by path.
pub(super) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => {
                    let name = entry.path().strip_prefix(folder).expect("in the folder").to_owned();
                    found.insert(name, std::fs::read(entry.path()).expect("a file"));
                }
                _ => {}
            }
        }
    }
    found
}
