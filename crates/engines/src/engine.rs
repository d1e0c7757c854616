//! What every engine is given and gives back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aerie_geodata::Sources;

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What is being done ("finding the address", "drawing").
    pub stage: &'static str,
    /// Units done (frames, while drawing).
    pub done: u64,
    /// Units in all; 0 where it is not known.
    pub total: u64,
}

/// Says that a run is to end early; cheap to clone and to ask.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the run to end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to end.
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What an engine keeps of a job for later ones.
pub type Notes = serde_json::Map<String, serde_json::Value>;

/// The job that a job goes on from: a markup video's markup.
#[derive(Debug, Clone, Default)]
pub struct Parent {
    /// Its output, but for links to media.
    pub output: serde_json::Map<String, serde_json::Value>,
    /// What its engine kept.
    pub notes: Notes,
    /// Local copies of the pictures that its output links to at the top, by the names of the fields ("clean_image_url").
    /// Never trusted.
    pub pictures: BTreeMap<String, PathBuf>,
}

/// What an engine may use.
pub struct EngineContext<'a> {
    /// The data folder with the region packs.
    pub data_dir: &'a Path,
    /// Online sources that are switched on.
    pub sources: &'a Sources,
    /// An empty folder of this attempt's own; outputs go here.
    pub out_dir: &'a Path,
    /// Local copies of the pictures that the request links to, by the names of the fields ("image_url"). Never trusted.
    pub inputs: &'a BTreeMap<String, PathBuf>,
    /// What the engine noted of the earlier photos of the same listing, oldest first.
    pub listing: &'a [Notes],
    /// The job that it goes on from, where there is one.
    pub parent: Option<&'a Parent>,
    /// Told at least twice a second while frames are drawn.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Looked at between frames.
    pub cancel: &'a Cancel,
}

impl EngineContext<'_> {
    /// The local copy of the picture that `field` links to.
    ///
    /// # Errors
    /// [`EngineError::Retry`] where there is none, as only a fault of ours can bring a request here without.
    pub fn input(&self, field: &str) -> Result<&Path, EngineError> {
        let input = self.inputs.get(field).map(PathBuf::as_path);
        input.ok_or_else(|| EngineError::Retry(format!("there is no copy of the picture at `{field}`")))
    }
}

/// A file that an engine made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProducedFile {
    /// The field of the job's `output` that links to it ("video_url"); where it lies deeper, the path to it, from the names
    /// and numbers of what it lies in ("orientation_variants/0/preview_url").
    pub field: &'static str,
    /// Where it lies, inside `out_dir`.
    pub path: PathBuf,
    /// Media type ("video/mp4").
    pub content_type: &'static str,
}

/// What a run made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Produced {
    /// Files, each linked from the job's `output`.
    pub files: Vec<ProducedFile>,
    /// Fields of the job's `output` that link to the pictures which came in, with the fields those came in
    /// (`("original_url", "image_url")`).
    pub originals: Vec<(&'static str, &'static str)>,
    /// Further fields of the job's `output` (`duration`).
    pub fields: serde_json::Map<String, serde_json::Value>,
    /// What the engine keeps for itself and for the jobs that go on from this one; never shown.
    pub notes: Notes,
}

/// Why a run made nothing. Retry or fail is the engine's word.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Trying again would end the same way: the job fails, unbilled.
    #[error("{message}")]
    Fail {
        /// Failure code as told in `output.error.code`.
        code: aerie_domain::FailureCode,
        /// What is wrong and what to do about it, for the client.
        message: String,
    },
    /// Something around the engine failed (disk, encoder, driver): another attempt may succeed.
    #[error("{0}")]
    Retry(String),
    /// [`Cancel`] was raised.
    #[error("canceled")]
    Canceled,
}
