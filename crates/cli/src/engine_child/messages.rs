//! Messages between a worker and the child that runs an engine, as JSON: one request on stdin, then a line for each message on stdout.

use std::collections::BTreeMap;
use std::path::PathBuf;

use aerie_confinement::Applied;
use aerie_domain::JobType;
use aerie_engines::{EngineError, Notes, Parent, Produced, Sources};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What to run: an engine's kind, input and context, and the limits.
#[derive(Serialize, Deserialize)]
pub(crate) struct Request {
    /// Process id of the worker. The child ends with it.
    pub(crate) worker: i32,
    pub(crate) kind: JobType,
    pub(crate) input: Value,
    pub(crate) data_dir: PathBuf,
    /// The folder with maps and furniture: the data folder, or that of a published pack.
    pub(crate) pack_dir: PathBuf,
    /// Empty for kinds that use no maps.
    pub(crate) sources: Sources,
    pub(crate) out_dir: PathBuf,
    /// For temporary files.
    pub(crate) temp_dir: PathBuf,
    pub(crate) inputs: BTreeMap<String, PathBuf>,
    pub(crate) listing: Vec<Notes>,
    pub(crate) parent: Option<Parent>,
    /// Memory limit in bytes.
    pub(crate) memory: u64,
}

/// What the child reports. It has read files of strangers, so the worker checks everything in it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    /// What is enforced; the first message.
    Confined(Applied),
    /// Progress of the run.
    Progress { stage: String, done: u64, total: u64 },
    /// The result.
    Produced(Produced),
    /// The result, an error.
    Failed(EngineError),
}
