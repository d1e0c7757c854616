//! Messages between a worker and the child that embeds Content Credentials, as lines of JSON: a request and then replies on stdin,
//! messages on stdout.

use std::path::PathBuf;

use aerie_credentials::Certificate;
use aerie_worker::ToSign;
use serde::{Deserialize, Serialize};

/// What to sign, and the limits.
#[derive(Serialize, Deserialize)]
pub(crate) struct Request {
    /// Process id of the worker. The child ends with it.
    pub(crate) worker: i32,
    pub(crate) files: Vec<ToSign>,
    pub(crate) certificate: Certificate,
    /// The folder with all files.
    pub(crate) out_dir: PathBuf,
    /// For temporary files.
    pub(crate) temp_dir: PathBuf,
    /// Memory limit in bytes.
    pub(crate) memory: u64,
}

/// What the child reports. It has read files of strangers, so the worker checks everything in it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    /// A claim to sign; the child waits for the [`Reply`].
    Sign(Vec<u8>),
    /// The next file is done; why it was not signed, if it was not.
    Ended(Option<String>),
}

/// The answer to [`Message::Sign`].
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    Signature(Vec<u8>),
    Refused(String),
}
