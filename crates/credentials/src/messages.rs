//! Messages between `aerie` and `aerie-sign`, as lines of JSON. To sign: a [`Request`] and then [`Reply`]s on stdin, [`Message`]s on
//! stdout. To verify: trusted certificates on stdin, a [`Verified`] on stdout.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::certificate::Certificate;
use crate::report::Report;
use crate::statement::Statement;

/// Version of both programs, which must be the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A file and what is to be said about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToSign {
    /// The file, which is replaced.
    pub path: PathBuf,
    /// The statement to embed.
    pub statement: Statement,
}

/// Request to sign the files of a job, with the limits of the process.
#[derive(Serialize, Deserialize)]
pub struct Request {
    /// [`VERSION`] of the caller.
    pub version: String,
    /// Process id of the worker. The program ends with it.
    pub worker: i32,
    /// Whether the certificate is tried out before the files are signed, which counts as a first file.
    pub is_trial: bool,
    /// What to sign.
    pub files: Vec<ToSign>,
    /// Who signs.
    pub certificate: Certificate,
    /// The folder with all files.
    pub out_dir: PathBuf,
    /// For temporary files.
    pub temp_dir: PathBuf,
    /// Memory limit in bytes.
    pub memory: u64,
}

/// What the program reports while it signs. It has read files of strangers, so the worker checks everything in it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// A claim to sign; the program waits for the [`Reply`].
    Sign(Vec<u8>),
    /// The next file is done; why it was not signed, if it was not.
    Ended(Option<String>),
}

/// The answer to [`Message::Sign`]: the signature.
#[derive(Serialize, Deserialize)]
pub struct Reply(pub Vec<u8>);

/// Result of a verification, and who made it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Verified {
    /// [`VERSION`] of `aerie-sign`.
    pub version: String,
    /// What it found.
    pub checked: Checked,
}

/// Result of a verification.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checked {
    /// What its Content Credentials say.
    Report(Box<Report>),
    /// It carries none.
    None,
    /// They are kept at this URL, which was not requested.
    Remote(String),
    /// They cannot be parsed, and why.
    Damaged(String),
    /// The file or the trusted certificates cannot be read, and why.
    Failed(String),
}
