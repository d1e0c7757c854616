//! The operator's own furniture, which a confined child reads.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use crate::engine_child::{environment, this_program};

/// What is in a folder of furniture.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Furniture {
    /// Pieces that can be used.
    pub(crate) pieces: Vec<Listed>,
    /// What is wrong with the others.
    pub(crate) faults: Vec<String>,
}

/// A piece.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) kind: String,
    /// Width, depth, height, meters.
    pub(crate) size: [f32; 3],
    /// Empty for all.
    pub(crate) styles: Vec<String>,
    pub(crate) license: Option<String>,
    pub(crate) attribution: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) triangles: usize,
    pub(crate) materials: usize,
}

impl Furniture {
    /// Reads the furniture of a data folder in a child process, `aerie check-furniture`.
    pub(crate) fn check(data_dir: &Path) -> anyhow::Result<Self> {
        let folder = data_dir.join(aerie_engines::virtual_staging::FURNITURE);
        if folder.exists() { Self::read(&folder, None) } else { Ok(Self::default()) }
    }

    /// Reads the furniture of a folder in a child process, which may write a picture of each piece.
    pub(crate) fn read(folder: &Path, thumbnails: Option<&Path>) -> anyhow::Result<Self> {
        let mut command = Command::new(this_program());
        command.arg0("aerie").arg("check-furniture").arg("--folder").arg(folder);
        if let Some(thumbnails) = thumbnails {
            command.arg("--thumbnails").arg(thumbnails);
        }
        command.env_clear().envs(environment(&std::env::temp_dir())).stdin(Stdio::null());
        let ended = command.output()?;
        let complaint = String::from_utf8_lossy(&ended.stderr);
        ensure!(ended.status.success(), "reading the furniture ended with {}: {}", ended.status, complaint.trim());
        Ok(serde_json::from_slice(&ended.stdout)?)
    }
}
