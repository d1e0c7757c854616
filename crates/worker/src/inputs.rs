//! What an engine needs of the store: copies of pictures, notes of the listing, and the parent job.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aerie_domain::{BadInput, JobInput};
use aerie_engine_api::{Notes, Parent};
use aerie_storage::{Claim, MediaError, StoreError};

use crate::Worker;

/// Maximum number of a listing's earlier photos whose notes an engine gets.
const MAX_LISTING_NOTES: u32 = 100;

/// Inputs of an engine.
pub(crate) struct Inputs {
    pub(crate) request: JobInput,
    pub(crate) out_dir: PathBuf,
    /// Copies of pictures, by the fields that link to them.
    pub(crate) pictures: BTreeMap<String, PathBuf>,
    pub(crate) listing: Vec<Notes>,
    pub(crate) parent: Option<Parent>,
}

/// Why inputs could not be fetched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// Only another version can have stored it; a worker of that version may take the job next.
    #[error(transparent)]
    Request(#[from] BadInput),
    #[error("the inputs could not be fetched: {0}")]
    Media(#[from] MediaError),
    #[error("the inputs could not be fetched: {0}")]
    Store(#[from] StoreError),
    #[error("the inputs could not be fetched: {0}")]
    Folder(#[from] std::io::Error),
}

impl Worker {
    /// Creates the attempt's folder and fetches the inputs into it.
    pub(crate) async fn inputs_fetch(&self, claim: &Claim) -> Result<Inputs, InputError> {
        let request = claim.job.request()?;
        let folder = self.work_folder_create(&claim.lease).await?;
        let (in_dir, out_dir) = (folder.join("in"), folder.join("out"));
        tokio::fs::create_dir(&in_dir).await?;
        tokio::fs::create_dir(&out_dir).await?;
        let mut pictures = BTreeMap::new();
        for (pointer, key) in &claim.job.input_media {
            let name = key.rsplit('/').next().unwrap_or(key);
            let copy = in_dir.join(name);
            self.media.media_fetch(key, &copy).await?;
            pictures.insert(pointer.trim_start_matches('/').to_owned(), copy);
        }
        let listing = match request.request().listing_id() {
            None => Vec::new(),
            Some(listing) => {
                let (org_id, kind) = (claim.job.org_id, claim.job.job_type);
                self.store.job_listing_notes(org_id, kind, listing, MAX_LISTING_NOTES).await?
            }
        };
        let parent = self.parent_fetch(claim, &in_dir).await?;
        Ok(Inputs { request, out_dir, pictures, listing, parent })
    }

    /// The output of the parent job, with copies of its pictures.
    async fn parent_fetch(&self, claim: &Claim, in_dir: &Path) -> Result<Option<Parent>, InputError> {
        let Some(id) = claim.job.parent_id else { return Ok(None) };
        // The engine reports a parent that was deleted meanwhile.
        let Some(job) = self.store.job_get(Some(claim.job.org_id), id).await? else { return Ok(None) };
        let mut pictures = BTreeMap::new();
        for (pointer, key) in &job.media {
            let field = pointer.trim_start_matches('/');
            if field.contains('/') {
                continue;
            }
            let copy = in_dir.join(format!("parent_{field}"));
            self.media.media_fetch(key, &copy).await?;
            pictures.insert(field.to_owned(), copy);
        }
        Ok(Some(Parent { output: job.output, notes: job.notes, pictures }))
    }
}
