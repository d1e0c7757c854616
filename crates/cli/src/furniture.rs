//! The operator's own furniture, which a confined child reads.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use crate::engine_child::{environment, this_program};

/// What is in the folder of the operator's own furniture.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Furniture {
    /// Number of pieces that can be used.
    pub(crate) pieces: usize,
    /// What is wrong with the others.
    pub(crate) faults: Vec<String>,
}

impl Furniture {
    /// Reads the furniture of a data folder in a child process, `aerie check-furniture`.
    pub(crate) fn check(data_dir: &Path) -> anyhow::Result<Self> {
        if !data_dir.join(aerie_engines::virtual_staging::FURNITURE).exists() {
            return Ok(Self::default());
        }
        let mut command = Command::new(this_program());
        command.arg0("aerie").arg("check-furniture").arg("--data").arg(data_dir);
        command.env_clear().envs(environment(&std::env::temp_dir())).stdin(Stdio::null());
        let ended = command.output()?;
        let complaint = String::from_utf8_lossy(&ended.stderr);
        ensure!(ended.status.success(), "reading the furniture ended with {}: {}", ended.status, complaint.trim());
        Ok(serde_json::from_slice(&ended.stdout)?)
    }
}
