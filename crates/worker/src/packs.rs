//! The published pack of a run: copied to `packs/SHA256` in the data folder, and verified, before the engine reads it.
//!
//! Several workers may share a data folder. One fetches a pack (`packs/lock`) while the others wait. A run holds a shared lock on
//! the folder of its pack, which the kernel releases when the process ends; packs without one are removed when another
//! pack is used.
//!
//! # Invariants
//!
//! - A run reads a verified pack, which stays on disk until the run ends. Tests: `a_pack_stays_on_the_disk_while_a_run_reads_it`,
//!   `what_an_interrupted_fetch_and_earlier_packs_have_left_is_verified_before_it_is_used`,
//!   `a_manifest_that_leads_elsewhere_writes_nothing`; in `e2e`:
//!   `a_truncated_file_of_a_pack_is_refused_and_fetched_again_after_it_was_repaired`.
//! - A worker uses a new pack without a restart. While a pack cannot be fetched, jobs that need it wait without counting runs. Tests:
//!   `a_job_waits_without_counting_runs_while_its_pack_cannot_be_fetched_and_others_go_on`; in `e2e`:
//!   `workers_fetch_the_published_pack_and_use_a_new_one_without_a_restart`.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aerie_domain::ContentHash;
use aerie_storage::pack_files::{PackError, fetch_file, fetch_manifest, hash_of};
use aerie_storage::{Claim, MediaStore, PackFile, PackManifest};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Worker;

/// Name of the manifest in the folder of a pack, beside its folders.
const MANIFEST: &str = "manifest.json";
/// Ends of the names of folders that are being fetched, and removed.
const PARTIAL: &str = ".partial";
const REMOVED: &str = ".removed";
/// Files that are fetched at once.
const AT_ONCE: usize = 8;
/// Time between attempts to get the lock while another process fetches a pack.
const LOCK_WAIT: Duration = Duration::from_millis(200);

/// A pack that a run reads. It stays on the disk until this is dropped.
pub(crate) struct PackInUse {
    pub(crate) id: ContentHash,
    pub(crate) folder: PathBuf,
    _lock: File,
}

impl Worker {
    /// Whether the engine of the job reads maps or furniture.
    pub(crate) fn needs_pack(kind: aerie_domain::JobType) -> bool {
        let needs = kind.kind().needs;
        needs.maps || needs.furniture
    }

    /// The pack that is published now, fetched where it is missing, and recorded with the job; `None` if there is none.
    pub(crate) async fn pack_take(&self, claim: &Claim) -> Result<Option<PackInUse>, PackError> {
        let pack = match self.store.pack_current().await? {
            None => None,
            Some(id) => Some(PackCache::new(&self.data_dir).take(&self.media, id).await?),
        };
        let id = pack.as_ref().map(|pack| pack.id);
        if id != claim.job.pack {
            self.store.job_pack_set(&claim.lease, id).await?;
        }
        if let Some(pack) = id {
            tracing::info!(%pack, "reads the published pack");
        }
        self.pack.send_replace(id);
        Ok(pack)
    }
}

/// Where workers keep a published pack in their data folder.
#[must_use]
pub fn pack_folder(data_dir: &Path, id: ContentHash) -> PathBuf {
    PackCache::new(data_dir).of(id)
}

/// The packs in a data folder.
struct PackCache {
    folder: PathBuf,
}

impl PackCache {
    fn new(data_dir: &Path) -> Self {
        Self { folder: data_dir.join("packs") }
    }

    fn of(&self, id: ContentHash) -> PathBuf {
        self.folder.join(id.to_string())
    }

    /// Returns a pack for use after fetching it, unless it is there.
    async fn take(&self, media: &MediaStore, id: ContentHash) -> Result<PackInUse, PackError> {
        loop {
            if let Some(pack) = self.lock_intact(id).await? {
                return Ok(pack);
            }
            let fetching = self.lock_for_fetching().await?;
            // Another process may have fetched it meanwhile.
            if let Some(pack) = self.lock_intact(id).await? {
                return Ok(pack);
            }
            let folder = self.of(id);
            self.blocking(move || remove(&folder)).await?;
            if let Err(error) = self.fetch(media, id).await {
                if is_full_disk(&error) {
                    let partial = self.partial(id);
                    let _ = self.blocking(move || fs::remove_dir_all(partial)).await;
                }
                return Err(error);
            }
            let (folder, found) = (self.folder.clone(), self.lock_intact(id).await?);
            // Under the lock, so that no other process is fetching what is removed.
            let pruned = self.blocking(move || prune(&folder, id)).await;
            if let Err(error) = pruned {
                tracing::warn!(%error, "packs that are not used any more could not be removed");
            }
            drop(fetching);
            if let Some(pack) = found {
                return Ok(pack);
            }
        }
    }

    /// The pack, if it is there with all of its files in their sizes.
    async fn lock_intact(&self, id: ContentHash) -> Result<Option<PackInUse>, PackError> {
        let folder = self.of(id);
        self.blocking(move || {
            let lock = match File::open(&folder) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                opened => opened?,
            };
            // Another process removes it.
            if lock.try_lock_shared().is_err() {
                return Ok(None);
            }
            let is_same = |now: fs::Metadata| lock.metadata().is_ok_and(|locked| now.ino() == locked.ino());
            if !fs::metadata(&folder).is_ok_and(is_same) {
                return Ok(None);
            }
            if let Err(why) = check(&folder, id) {
                tracing::warn!(pack = %id, why, "the copy of the published pack is damaged: it is fetched again");
                return Ok(None);
            }
            Ok(Some(PackInUse { id, folder, _lock: lock }))
        })
        .await
    }

    /// Waits until no other process fetches a pack into this data folder.
    async fn lock_for_fetching(&self) -> Result<File, PackError> {
        let folder = self.folder.clone();
        let open = move || {
            fs::create_dir_all(&folder)?;
            File::create(folder.join("lock"))
        };
        let lock = self.blocking(open).await?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(fs::TryLockError::WouldBlock) => tokio::time::sleep(LOCK_WAIT).await,
                Err(fs::TryLockError::Error(error)) => return Err(PackError::file(&self.folder)(error)),
            }
        }
    }

    fn partial(&self, id: ContentHash) -> PathBuf {
        self.folder.join(format!("{id}{PARTIAL}"))
    }

    /// Copies a pack into place, complete or not at all. What an interrupted attempt has copied is used.
    async fn fetch(&self, media: &MediaStore, id: ContentHash) -> Result<(), PackError> {
        let started = Instant::now();
        let manifest = fetch_manifest(media, id).await?;
        let (files, bytes) = (manifest.files().len(), manifest.size());
        tracing::info!(pack = %id, files, bytes, "fetching the published pack");
        let partial = self.partial(id);
        let (folder, cached) = (self.folder.clone(), self.folder.clone());
        let own = partial.clone();
        self.blocking(move || {
            clean_up(&folder, &own)?;
            fs::create_dir_all(&own)
        })
        .await?;
        let cached = self.blocking(move || Ok(cached_contents(&cached))).await?;
        let mut running = JoinSet::new();
        for file in manifest.files() {
            if running.len() >= AT_ONCE
                && let Some(ended) = running.join_next().await
            {
                ended.map_err(|error| PackError::file(&partial)(io::Error::other(error)))??;
            }
            let copies = cached.get(&file.sha256).cloned().unwrap_or_default();
            running.spawn(obtain(media.clone(), file.clone(), partial.join(&file.path), copies));
        }
        while let Some(ended) = running.join_next().await {
            ended.map_err(|error| PackError::file(&partial)(io::Error::other(error)))??;
        }
        let (folder, place, text) = (self.folder.clone(), self.of(id), manifest.text());
        self.blocking(move || {
            let file = partial.join(MANIFEST);
            fs::write(&file, text)?;
            File::open(file)?.sync_all()?;
            sync_folders(&partial)?;
            fs::rename(&partial, place)?;
            File::open(folder)?.sync_all()
        })
        .await?;
        tracing::info!(pack = %id, files, bytes, seconds = started.elapsed().as_secs_f64(), "fetched the published pack");
        Ok(())
    }

    /// Runs `work` on a thread that may wait for the disk.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, PackError> {
        blocking(&self.folder, work).await
    }
}

async fn blocking<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, PackError> {
    let ended = tokio::task::spawn_blocking(work).await.map_err(io::Error::other);
    ended.and_then(|done| done).map_err(PackError::file(path))
}

/// Brings a file to its place in a pack that is being fetched: it is there already, in a pack of this machine, or in the media store.
async fn obtain(media: MediaStore, file: PackFile, to: PathBuf, copies: Vec<PathBuf>) -> Result<(), PackError> {
    let (place, sha256) = (to.clone(), file.sha256);
    let is_there = blocking(&to, move || {
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        if is_content(&place, sha256) {
            return Ok(true);
        }
        match fs::remove_file(&place) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok(copies.iter().any(|copy| is_content(copy, sha256) && fs::hard_link(copy, &place).is_ok()))
    });
    if is_there.await? {
        return Ok(());
    }
    fetch_file(&media, &file, &to).await
}

/// Whether a file has that content.
fn is_content(path: &Path, sha256: ContentHash) -> bool {
    let file = File::open(path);
    file.and_then(|mut file| hash_of(&mut file)).is_ok_and(|found| found == sha256)
}

/// Checks that the manifest is that of the pack, and that its files are there in their sizes. Their content was verified when they
/// were fetched.
fn check(folder: &Path, id: ContentHash) -> Result<(), String> {
    let text = fs::read(folder.join(MANIFEST)).map_err(|error| format!("{MANIFEST}: {error}"))?;
    let manifest = PackManifest::parse(id, &text).map_err(|error| error.to_string())?;
    for PackFile { path, size, .. } in manifest.files() {
        let found = fs::symlink_metadata(folder.join(path)).map_err(|error| format!("{path}: {error}"))?;
        if !found.is_file() || found.len() != *size {
            return Err(format!("{path}: it is not a file of {size} bytes"));
        }
    }
    Ok(())
}

/// The packs in the cache.
fn cached(folder: &Path) -> impl Iterator<Item = (ContentHash, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
}

/// The files of all packs in the cache, by content.
fn cached_contents(folder: &Path) -> HashMap<ContentHash, Vec<PathBuf>> {
    let mut contents: HashMap<ContentHash, Vec<PathBuf>> = HashMap::new();
    for (id, pack) in cached(folder) {
        let manifest = fs::read(pack.join(MANIFEST)).ok().and_then(|text| PackManifest::parse(id, &text).ok());
        for file in manifest.iter().flat_map(PackManifest::files) {
            contents.entry(file.sha256).or_default().push(pack.join(&file.path));
        }
    }
    contents
}

/// Removes the packs that no run reads, except one.
fn prune(folder: &Path, keep: ContentHash) -> io::Result<()> {
    for (id, pack) in cached(folder) {
        // A run holds a shared lock; it is kept until the folder is gone, so that no run begins meanwhile.
        let lock = File::open(&pack)?;
        if id != keep && lock.try_lock().is_ok() {
            tracing::info!(pack = %id, "removing the copy of a pack that is not used any more");
            remove(&pack)?;
        }
    }
    Ok(())
}

/// Removes the folder of a pack, if it exists; at once for whoever looks it up.
fn remove(pack: &Path) -> io::Result<()> {
    let mut name = pack.as_os_str().to_owned();
    name.push(REMOVED);
    let aside = PathBuf::from(name);
    match fs::remove_dir_all(&aside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    match fs::rename(pack, &aside) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        renamed => renamed.and_then(|()| fs::remove_dir_all(aside)),
    }
}

/// Removes what killed processes left, except `keep`.
fn clean_up(folder: &Path, keep: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_left = path.to_str().is_some_and(|path| path.ends_with(PARTIAL) || path.ends_with(REMOVED));
        if is_left && path != keep {
            fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

/// Writes the entries of a folder and its subfolders to disk.
fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}

fn is_full_disk(error: &PackError) -> bool {
    let PackError::File { source, .. } = error else { return false };
    matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}
