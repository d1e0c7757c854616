//! What every engine receives and returns.

use crate::{Failure, FailureCode};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aerie_sources::Sources;
use serde::{Deserialize, Serialize};

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// What is being done ("finding the address", "drawing").
    pub stage: &'a str,
    /// Units done (frames, while drawing).
    pub done: u64,
    /// Total number of units; 0 if unknown.
    pub total: u64,
}

/// Cancels a run; cheap to clone and to check.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Requests cancellation.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns what requests cancellation when it is dropped.
    #[must_use]
    pub fn on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(self.clone())
    }

    /// Whether cancellation was requested.
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Requests cancellation when it is dropped: when nobody waits for a run any more.
#[derive(Debug)]
pub struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Notes that an engine keeps about a job for later jobs.
pub type Notes = serde_json::Map<String, serde_json::Value>;

/// The job that another job continues: a markup video's markup.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Parent {
    /// Its output without links to media.
    pub output: serde_json::Map<String, serde_json::Value>,
    /// Notes of its engine.
    pub notes: Notes,
    /// Local copies of the pictures that top-level fields of its output link to, by field ("clean_image_url"). Untrusted.
    pub pictures: BTreeMap<String, PathBuf>,
}

/// What an engine may use.
pub struct EngineContext<'a> {
    /// The data folder: the sample town, and the cache of online sources.
    pub data_dir: &'a Path,
    /// The folder with the imported maps and the operator's furniture: the data folder, or that of a published pack.
    pub pack_dir: &'a Path,
    /// Enabled online sources.
    pub sources: &'a Sources,
    /// An empty folder for this attempt's outputs.
    pub out_dir: &'a Path,
    /// Local copies of the pictures that the request links to, by field ("image_url"). Untrusted.
    pub inputs: &'a BTreeMap<String, PathBuf>,
    /// Notes about the earlier photos of the same listing, oldest first.
    pub listing: &'a [Notes],
    /// The job that it continues, if any.
    pub parent: Option<&'a Parent>,
    /// Called at least twice a second while frames are drawn.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
    /// Checked between frames.
    pub cancel: &'a Cancel,
}

impl EngineContext<'_> {
    /// Reports progress.
    pub fn report(&self, stage: &str, done: u64, total: u64) {
        (self.progress)(Progress { stage, done, total });
    }

    /// Reports a stage of unknown length.
    ///
    /// # Errors
    /// [`EngineError::Canceled`] when the run was canceled.
    pub fn enter(&self, stage: &str) -> Result<(), EngineError> {
        self.report(stage, 0, 0);
        self.stop_if_canceled()
    }

    /// Ends a canceled run.
    ///
    /// # Errors
    /// [`EngineError::Canceled`] when the run was canceled.
    pub fn stop_if_canceled(&self) -> Result<(), EngineError> {
        if self.cancel.is_canceled() { Err(EngineError::Canceled) } else { Ok(()) }
    }

    /// The local copy of the picture that `field` links to.
    ///
    /// # Errors
    /// [`EngineError::Retry`] if there is none, which only a bug in Aerie can cause.
    pub fn input(&self, field: &str) -> Result<&Path, EngineError> {
        let input = self.inputs.get(field).map(PathBuf::as_path);
        input.ok_or_else(|| EngineError::Retry(format!("the copy of the picture in `{field}` is missing")))
    }
}

/// A file that an engine made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProducedFile {
    /// The field of the job's `output` that links to it ("video_url"), or the path to a nested field
    /// ("orientation_variants/0/preview_url").
    pub field: Cow<'static, str>,
    /// Its path inside `out_dir`.
    pub path: PathBuf,
    /// Media type ("video/mp4").
    pub content_type: Cow<'static, str>,
}

impl ProducedFile {
    /// A file that `field` links to.
    pub fn new(field: impl Into<Cow<'static, str>>, path: PathBuf, content_type: impl Into<Cow<'static, str>>) -> Self {
        Self { field: field.into(), path, content_type: content_type.into() }
    }
}

/// Where pictures of a place come from: what a `disclosure` says about a photo.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The description in the metadata: what is measured, and what is inferred.
    pub text: String,
    /// IPTC digital source type, a URI.
    pub digital_source_type: Cow<'static, str>,
    /// Credits of map data and imagery.
    pub attributions: Vec<String>,
    /// The pictures of the parent job which the files show ("clean_image_url").
    pub shown: Vec<Cow<'static, str>>,
}

/// What a run made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Produced {
    /// Files, each linked from the job's `output`.
    pub files: Vec<ProducedFile>,
    /// Fields of the job's `output` that link to input pictures, with the fields of those (`("original_url", "image_url")`).
    pub originals: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// Further fields of the job's `output` (`duration`).
    pub fields: serde_json::Map<String, serde_json::Value>,
    /// Notes for later jobs; never shown.
    pub notes: Notes,
    /// Where its pictures come from, if no field `disclosure` says so.
    #[serde(default)]
    pub origin: Option<Box<Origin>>,
}

/// Why a run failed. The engine decides whether to retry.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineError {
    /// Another attempt would fail, too: the job fails and is not billed.
    #[error("{}", .0.message)]
    Fail(Failure),
    /// Something outside the engine failed (disk, encoder, driver): another attempt may succeed.
    #[error("{0}")]
    Retry(String),
    /// The run was canceled.
    #[error("canceled")]
    Canceled,
}

impl EngineError {
    /// Another attempt would fail, too; the message says what is wrong and what to do about it, for the client.
    #[must_use]
    pub fn fail(code: FailureCode, message: impl Into<String>) -> Self {
        Self::Fail(Failure::new(code, message))
    }
}
