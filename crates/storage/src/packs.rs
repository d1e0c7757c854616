//! Published packs: maps, terrain, imagery and furniture for all workers.
//!
//! The files of a pack are media under `pack/SHA256`, each named by its content, so that packs share what did not change. The
//! manifest, which lists them, is among them; its hash is the name of the pack. The store has a row for each pack before its
//! first file is stored, and until its last one is deleted, so that nobody has to list files to find what can be deleted.

use aerie_domain::ContentHash;
use async_trait::async_trait;
use jiff::Timestamp;

use crate::{Lease, StoreError};

/// Knows the published packs, and which one workers use. Every method is atomic and durable when it returns.
#[async_trait]
pub trait PackStore: Send + Sync {
    /// Adds a pack whose files are about to be stored. One that is there already stays as it is.
    ///
    /// Refused while any pack is being removed: files that they share might be deleted.
    async fn pack_add(&self, id: ContentHash, manifest: &str) -> Result<Result<(), PackRefusal>, StoreError>;

    /// Records that all files of a pack are stored, and makes it the current one.
    async fn pack_publish(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError>;

    /// Makes a published pack the current one; with `None`, workers use their data folders.
    async fn pack_use(&self, id: Option<ContentHash>) -> Result<Result<(), PackRefusal>, StoreError>;

    /// The pack that workers use.
    async fn pack_current(&self) -> Result<Option<ContentHash>, StoreError>;

    /// All packs with their manifests, the newest first.
    async fn pack_list(&self) -> Result<Vec<Pack>, StoreError>;

    /// Marks a pack as being removed: from now on, it cannot be used, and its files may be deleted, except those of packs that are
    /// not being removed. Refused for the current one.
    async fn pack_remove(&self, id: ContentHash) -> Result<Result<(), PackRefusal>, StoreError>;

    /// Removes the row of a pack that is being removed, after its files were deleted.
    async fn pack_forget(&self, id: ContentHash) -> Result<(), StoreError>;

    /// Records which published pack the run of a job reads; [`StoreError::LeaseLost`] when another worker has the job.
    async fn job_pack_set(&self, held: &Lease, pack: Option<ContentHash>) -> Result<(), StoreError>;
}

/// A pack in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// Its name.
    pub id: ContentHash,
    /// Its manifest, as it was written.
    pub manifest: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When all of its files were stored; `None` while they are, or if that was interrupted.
    pub published_at: Option<Timestamp>,
    /// Since when workers use it, if they do.
    pub current_since: Option<Timestamp>,
    /// Whether it is being removed.
    pub is_removed: bool,
}

/// Why a pack cannot be added, used or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PackRefusal {
    /// There is no such pack.
    #[error("no pack has this name; list them with `aerie pack list`")]
    NotFound,
    /// Its files are not all stored.
    #[error("publishing this pack was interrupted; run `aerie pack publish` again with its maps")]
    Incomplete,
    /// Workers use it.
    #[error("workers use this pack; choose another one with `aerie pack use` first")]
    Current,
    /// This pack is being removed.
    #[error("the pack {0} is being removed; wait, or finish it with `aerie pack remove {0}`")]
    Removing(ContentHash),
}
