//! Files of packs in the media store: stored by whoever publishes, read by workers, deleted by rows.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use aerie_domain::ContentHash;
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use crate::pack_manifest::{FOLDERS, MAX_MANIFEST, key};
use crate::{ManifestError, MediaError, MediaStore, PackFile, PackManifest, PackRefusal, Store, StoreError};

/// Bytes read at once.
const BUFFER: usize = 1 << 17;
/// Maximum depth of folders that are read: links may lead in circles.
const MAX_DEPTH: usize = 6;
/// Ends of the names of files that belong to a process that writes, and not to the pack.
const PASSING: [&str; 4] = [".lock", "-wal", "-shm", "-journal"];

/// Why a pack cannot be published, fetched or removed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A local file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A local file cannot be part of a pack.
    #[error("{}: {why}", path.display())]
    Unsuitable {
        /// The file.
        path: PathBuf,
        /// Why, with the remedy.
        why: String,
    },
    /// The manifest is refused.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// What is stored for a file is something else.
    #[error("the media store has something else than {path} of the pack: {why}; publish the pack again")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// The media store failed.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database refuses it.
    #[error(transparent)]
    Refused(#[from] PackRefusal),
}

impl PackError {
    /// An error of the local file at `path`.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }
}

/// The files of a data folder that make a pack.
#[derive(Debug)]
pub struct PackSource {
    /// What the pack consists of.
    pub manifest: PackManifest,
    /// The files, in the order of the manifest, as they were when they were read.
    files: Vec<(PathBuf, Stamp)>,
}

/// What changes when a file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl Stamp {
    fn of(file: &Metadata) -> Self {
        let modified = (file.mtime(), file.mtime_nsec());
        Self { device: file.dev(), inode: file.ino(), size: file.len(), modified }
    }
}

/// What publishing did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Upload {
    /// Number of contents that were sent.
    pub sent: usize,
    /// Their total size in bytes.
    pub sent_bytes: u64,
    /// Number of contents that were stored already.
    pub kept: usize,
}

impl PackSource {
    /// Reads the maps and the furniture of a data folder. Links are followed, as engines follow them. `progress` is called with the
    /// path of each file.
    ///
    /// # Errors
    /// When a file cannot be read, its name is not UTF-8, or there are none.
    pub fn read(data_dir: &Path, progress: &dyn Fn(&str)) -> Result<Self, PackError> {
        let mut found = Vec::new();
        for folder in FOLDERS {
            let path = data_dir.join(folder);
            if path.is_dir() {
                list(&path, folder, MAX_DEPTH, &mut found)?;
            }
        }
        found.sort();
        let (mut files, mut sources) = (Vec::new(), Vec::new());
        for (name, path) in found {
            progress(&name);
            let (stamp, sha256) = hash_file(&path).map_err(PackError::file(&path))?;
            files.push(PackFile { path: name, size: stamp.size, sha256 });
            sources.push((path, stamp));
        }
        if files.is_empty() {
            let why = format!("it has neither of the folders {}: import maps first", FOLDERS.join(" and "));
            return Err(PackError::Unsuitable { path: data_dir.to_owned(), why });
        }
        Ok(Self { manifest: PackManifest::new(files)?, files: sources })
    }

    /// Stores what the media store lacks, then makes the pack the current one. If it is interrupted, nothing has changed for
    /// workers, and the next run goes on. `again`: whether to send also what is stored already.
    ///
    /// # Errors
    /// When a file has changed since it was read, or database or media store fail.
    pub async fn publish(
        &self,
        store: &dyn Store,
        media: &MediaStore,
        again: bool,
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<Upload, PackError> {
        let (id, text) = (self.manifest.id(), self.manifest.text());
        // The row first: it says what to delete if this is never finished.
        store.pack_add(id, &text).await??;
        let (mut upload, mut done) = (Upload::default(), BTreeSet::new());
        for (file, (path, stamp)) in self.manifest.files().iter().zip(&self.files) {
            if !done.insert(file.sha256) {
                continue;
            }
            progress(&file.path);
            if !again && is_stored(media, file).await? {
                upload.kept += 1;
                continue;
            }
            send(media, file, path, *stamp).await?;
            upload.sent += 1;
            upload.sent_bytes += file.size;
        }
        media.media_put_bytes(&key(id), text.into_bytes()).await?;
        store.pack_publish(id).await??;
        Ok(upload)
    }
}

/// Finds the files in a folder, with their names in the pack.
fn list(folder: &Path, name: &str, depth: usize, found: &mut Vec<(String, PathBuf)>) -> Result<(), PackError> {
    for entry in fs::read_dir(folder).map_err(PackError::file(folder))? {
        let path = entry.map_err(PackError::file(folder))?.path();
        let unsuitable = |why: &str| PackError::Unsuitable { path: path.clone(), why: why.to_owned() };
        let file_name = path.file_name().and_then(|name| name.to_str());
        let file_name = file_name.ok_or_else(|| unsuitable("its name is not UTF-8: rename it"))?;
        // Hidden files are those of a running import.
        if file_name.starts_with('.') || PASSING.iter().any(|end| file_name.ends_with(end)) {
            continue;
        }
        let name = format!("{name}/{file_name}");
        let metadata = fs::metadata(&path).map_err(PackError::file(&path))?;
        if metadata.is_dir() {
            if depth == 0 {
                return Err(unsuitable("folders are too deep: does a link lead to a folder above it?"));
            }
            list(&path, &name, depth - 1, found)?;
        } else if metadata.is_file() {
            found.push((name, path));
        } else {
            return Err(unsuitable("it is neither a file nor a folder: remove it"));
        }
    }
    Ok(())
}

/// Stamp and hash of a file's content.
fn hash_file(path: &Path) -> std::io::Result<(Stamp, ContentHash)> {
    let mut file = File::open(path)?;
    let stamp = Stamp::of(&file.metadata()?);
    let sha256 = hash_of(&mut file)?;
    Ok((stamp, sha256))
}

/// Hash of what can be read.
///
/// # Errors
/// When reading fails.
pub fn hash_of(content: &mut impl Read) -> std::io::Result<ContentHash> {
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; BUFFER]);
    loop {
        match content.read(&mut buffer)? {
            0 => return Ok(ContentHash::new(digest.finalize().into())),
            read => digest.update(&buffer[..read]),
        }
    }
}

async fn is_stored(media: &MediaStore, file: &PackFile) -> Result<bool, MediaError> {
    match media.media_head(&key(file.sha256)).await {
        Ok(found) => Ok(found.size == file.size),
        Err(MediaError::NotFound) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Stores a file, if it is as it was when it was read.
async fn send(media: &MediaStore, file: &PackFile, path: &Path, stamp: Stamp) -> Result<(), PackError> {
    let changed = || {
        let why = "it changed while the pack was published; publish again when nothing writes to it".to_owned();
        PackError::Unsuitable { path: path.to_owned(), why }
    };
    let opened = File::open(path).map_err(PackError::file(path))?;
    let watched = opened.try_clone().map_err(PackError::file(path))?;
    let is_same = || watched.metadata().is_ok_and(|metadata| Stamp::of(&metadata) == stamp);
    if !is_same() {
        return Err(changed());
    }
    media.media_put_file(&key(file.sha256), opened).await?;
    if !is_same() {
        media.media_delete_files(&[key(file.sha256)]).await?;
        return Err(changed());
    }
    Ok(())
}

/// Reads the manifest of a pack.
///
/// # Errors
/// When the media store fails, or has something else.
pub async fn fetch_manifest(media: &MediaStore, id: ContentHash) -> Result<PackManifest, PackError> {
    let mut found = media.media_get(&key(id), None).await?;
    let mut text = Vec::new();
    while let Some(bytes) = found.content.try_next().await? {
        text.extend_from_slice(&bytes);
        if text.len() > MAX_MANIFEST {
            return Err(ManifestError::Damaged.into());
        }
    }
    Ok(PackManifest::parse(id, &text)?)
}

/// Writes a file of a pack to a new file of this machine, synced to disk. What is not the file that the manifest names is
/// refused, and removed.
///
/// # Errors
/// When the media store fails or has something else, or the file exists or cannot be written.
pub async fn fetch_file(media: &MediaStore, file: &PackFile, to: &Path) -> Result<(), PackError> {
    let fetched = write_file(media, file, to).await;
    if fetched.is_err() {
        let _ = tokio::fs::remove_file(to).await;
    }
    fetched
}

async fn write_file(media: &MediaStore, file: &PackFile, to: &Path) -> Result<(), PackError> {
    let damaged = |why: String| PackError::Damaged { path: file.path.clone(), why };
    let mut found = match media.media_get(&key(file.sha256), None).await {
        Err(MediaError::NotFound) => return Err(damaged("it is gone".to_owned())),
        found => found?,
    };
    if found.size != file.size {
        return Err(damaged(format!("{} bytes instead of {}", found.size, file.size)));
    }
    let mut copy = tokio::fs::File::create_new(to).await.map_err(PackError::file(to))?;
    let (mut digest, mut size) = (Sha256::new(), 0);
    loop {
        let bytes = match found.content.try_next().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => break,
            Err(MediaError::Damaged(_)) => return Err(damaged("its checksum differs".to_owned())),
            Err(error) => return Err(error.into()),
        };
        size += bytes.len() as u64;
        if size > file.size {
            return Err(damaged(format!("more than {} bytes", file.size)));
        }
        digest.update(&bytes);
        copy.write_all(&bytes).await.map_err(PackError::file(to))?;
    }
    copy.flush().await.map_err(PackError::file(to))?;
    if size != file.size || ContentHash::new(digest.finalize().into()) != file.sha256 {
        return Err(damaged("its checksum differs".to_owned()));
    }
    copy.sync_all().await.map_err(PackError::file(to))
}

/// Removes a pack that workers do not use: first its row is marked, then the files are deleted that no other pack has, then the
/// row. If it is interrupted, the next run goes on. Returns the number of files deleted.
///
/// # Errors
/// When it is the current pack, or database or media store fail.
pub async fn remove(store: &dyn Store, media: &MediaStore, id: ContentHash) -> Result<usize, PackError> {
    store.pack_remove(id).await??;
    // Until the row is gone, no pack is added, so that what is unused now stays unused.
    let packs = store.pack_list().await?;
    let mut unused = BTreeSet::new();
    let mut used = BTreeSet::new();
    for pack in packs {
        let manifest = PackManifest::parse(pack.id, pack.manifest.as_bytes())?;
        let contents = manifest.contents().into_keys().chain([pack.id]);
        if pack.id == id {
            unused.extend(contents);
        } else if !pack.is_removed {
            used.extend(contents);
        }
    }
    let keys: Vec<String> = unused.difference(&used).map(|content| key(*content)).collect();
    let deleted = media.media_delete_files(&keys).await?;
    store.pack_forget(id).await?;
    Ok(deleted)
}
