//! Photos that clients upload in parts, to be used by jobs.
//!
//! The bytes of an upload are media under `ORGANIZATION/UPLOAD`: its parts while it is received, then one file. An upload with the
//! same bytes as one of the organization that is there already uses its file, so a file is kept as long as any row names it.
//! Rows say what to delete: an upload that ends is noted as [`Leftovers`](crate::Leftovers), under its id.

use std::time::Duration;

use aerie_domain::{OrgId, UploadId};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// `expires_at` of an upload that a listing names, milliseconds since 1970: the year 9999.
pub const NEVER: i64 = 253_370_764_800_000;

/// Keeps uploads. Every method is atomic and durable when it returns. No method shows or changes another organization's upload,
/// nor one that has expired by the clock of the store.
#[async_trait]
pub trait UploadStore: Send + Sync {
    /// Adds an upload of `new.size` bytes that expires after `keep`, and counts its bytes in the UTC month.
    async fn upload_create(
        &self,
        new: NewUpload,
        limits: UploadLimits,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError>;

    /// The upload with this id.
    async fn upload_get(&self, org_id: OrgId, id: UploadId) -> Result<Option<Upload>, StoreError>;

    /// Adds a part whose file is stored, if the upload has as many bytes as `part.offset` and is not complete, and keeps the upload
    /// for `keep` from now. The refusal says how many bytes it has.
    async fn upload_append(
        &self,
        org_id: OrgId,
        id: UploadId,
        part: UploadPart,
        keep: Duration,
    ) -> Result<Result<Upload, UploadRefusal>, StoreError>;

    /// Records what the whole upload is, whose file is stored as `ORGANIZATION/UPLOAD/photo.EXTENSION`, removes its parts, and keeps
    /// it for `keep` from now. If a complete upload of the organization has the same SHA-256, the row names its file instead.
    /// One that is complete already stays as it is.
    async fn upload_complete(
        &self,
        org_id: OrgId,
        id: UploadId,
        photo: UploadedPhoto,
        keep: Duration,
    ) -> Result<Option<Upload>, StoreError>;

    /// The upload if it is complete, which is kept for `keep` from now at least, because a job uses it.
    async fn upload_use(&self, org_id: OrgId, id: UploadId, keep: Duration) -> Result<Option<Upload>, StoreError>;

    /// Removes an upload; `false` when there is none. Bytes that were never received no longer count in its month.
    async fn upload_delete(&self, org_id: OrgId, id: UploadId) -> Result<bool, StoreError>;

    /// Removes uploads that have expired, of all organizations, `limit` at most, and returns how many.
    async fn upload_expire(&self, limit: u32) -> Result<usize, StoreError>;

    /// Media keys under `ORGANIZATION/UPLOAD` that a row needs: the parts of an upload that is not complete, or the file of one that is,
    /// for itself or for others with the same bytes.
    async fn upload_files(&self, org_id: OrgId, id: UploadId) -> Result<Vec<String>, StoreError>;

    /// Bytes of uploads that count in the UTC month of `at`.
    async fn upload_bytes_used(&self, org_id: OrgId, at: Timestamp) -> Result<u64, StoreError>;
}

/// An upload to be received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUpload {
    /// Its id.
    pub id: UploadId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// Its size, bytes.
    pub size: u64,
    /// The client's name for the file.
    pub name: Option<String>,
}

/// Limits on the uploads of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadLimits {
    /// Bytes in a UTC month; `None` for no limit.
    pub bytes_per_month: Option<u64>,
    /// Uploads that are not complete.
    pub incomplete: u32,
}

/// An upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Its id.
    pub id: UploadId,
    /// The organization that it belongs to.
    pub org_id: OrgId,
    /// Its size, bytes.
    pub size: u64,
    /// The client's name for the file.
    pub name: Option<String>,
    /// The parts that are stored, in order; empty once it is complete.
    pub parts: Vec<UploadPart>,
    /// What it is, once it is complete.
    pub photo: Option<UploadedPhoto>,
    /// The upload under whose id its file is stored: itself, or an earlier one with the same bytes.
    pub stored_as: UploadId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires, unless it is used or continued before. See [`Upload::expiry`].
    pub expires_at: Timestamp,
}

impl Upload {
    /// Bytes received.
    #[must_use]
    pub fn received(&self) -> u64 {
        if self.photo.is_some() { self.size } else { self.parts.last().map_or(0, |part| part.offset + part.size) }
    }

    /// Adds a part if it begins where the upload ends.
    ///
    /// # Errors
    /// [`UploadRefusal::Offset`], or [`UploadRefusal::TooLarge`].
    pub fn add(&mut self, part: UploadPart) -> Result<(), UploadRefusal> {
        let received = self.received();
        if self.photo.is_some() || part.offset != received {
            return Err(UploadRefusal::Offset { received });
        }
        if part.size > self.size - received {
            return Err(UploadRefusal::TooLarge { size: self.size });
        }
        self.parts.push(part);
        Ok(())
    }

    /// Media keys of the files that its row needs.
    pub fn files(&self) -> impl Iterator<Item = String> + '_ {
        self.key().into_iter().chain(self.parts.iter().map(|part| part.key.clone()))
    }

    /// When it expires; `None` while a listing names it.
    #[must_use]
    pub fn expiry(&self) -> Option<Timestamp> {
        Some(self.expires_at).filter(|at| at.as_millisecond() < NEVER)
    }

    /// The media key of its file, once it is complete.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        let photo = self.photo.as_ref()?;
        Some(format!("{}/{}/photo.{}", self.org_id, self.stored_as, photo.extension))
    }
}

/// A part of an upload, in a file of its own.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UploadPart {
    /// Media key of its file.
    pub key: String,
    /// Where it begins, bytes.
    pub offset: u64,
    /// Its size, bytes.
    pub size: u64,
}

/// What a complete upload is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedPhoto {
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// File extension of its format: `jpg`, `png`, `webp` or `tif`.
    pub extension: String,
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
}

/// Why an upload is not created or continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadRefusal {
    /// There is none with this id.
    NotFound,
    /// The month's bytes are used up.
    MonthFull {
        /// The limit, bytes.
        limit: u64,
        /// Bytes that count already.
        used: u64,
    },
    /// The organization has too many that are not complete.
    TooManyIncomplete {
        /// The limit.
        limit: u32,
    },
    /// It has another number of bytes than the part's offset, or is complete.
    Offset {
        /// Bytes received.
        received: u64,
    },
    /// The part reaches beyond its size.
    TooLarge {
        /// Its size, bytes.
        size: u64,
    },
}
