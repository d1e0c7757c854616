//! `aerie pack` on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use aerie_domain::ContentHash;
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Pack {
    /// Store the maps and furniture of a data folder as a pack, which all workers then use
    ///
    /// Only what the media store lacks is sent. If this is interrupted, workers go on with the pack that they have; run it
    /// again.
    Publish(PackPublish),
    /// List packs, the newest first
    List,
    /// Let workers use an earlier pack again, or the maps of their own data folders
    Use {
        /// Pack, as `aerie pack list` shows it, or `none`
        #[arg(value_name = "SHA256")]
        pack: Used,
    },
    /// Remove a pack that workers do not use, and its files
    Remove {
        /// Pack, as `aerie pack list` shows it
        #[arg(value_name = "SHA256")]
        pack: ContentHash,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PackPublish {
    /// Data folder with the maps (`pack`) and the furniture [default: the data folder of this machine]
    #[arg(long, value_name = "DATA")]
    pub(crate) from: Option<PathBuf>,
    /// Send files also if the media store has them already: repairs files that were damaged there
    #[arg(long)]
    pub(crate) again: bool,
}

/// A pack to use, or `none`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used(pub(crate) Option<ContentHash>);

impl FromStr for Used {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        text.parse::<ContentHash>().map(|pack| Self(Some(pack))).map_err(|error| format!("{error}, or `none`"))
    }
}
