//! `aerie furniture` on the command line.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum FurnitureCommand {
    /// Add models to the furniture of the data folder
    ///
    /// Each file is read in a confined process and pictured in furniture/thumbnails. If one cannot be used, none is added.
    Add(FurnitureAdd),
    /// List the furniture of the data folder
    List,
    /// Read every model, and report those that cannot be used; exits with 1 if there are any
    Check,
    /// Remove models
    Remove {
        /// Names, as `aerie furniture list` shows them
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FurnitureAdd {
    /// Models (`.glb`), or one catalog: a folder with models and a `pieces.toml`
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What the models are, such as `sofa`; an unknown kind is answered with the list
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Styles that they suit [default: all]
    #[arg(long, value_name = "STYLE,STYLE", value_delimiter = ',')]
    pub(crate) styles: Vec<String>,
    /// Width across the front, meters [default: as modeled]
    #[arg(long, value_name = "METERS")]
    pub(crate) width: Option<f32>,
    /// Direction of the front in the file: +z, -z, +x or -x [default: +z]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub(crate) front: Option<String>,
    /// License, such as CC0-1.0, CC-BY-4.0 or "own work"
    #[arg(long, value_name = "LICENSE")]
    pub(crate) license: Option<String>,
    /// Whom to name: goes into the metadata of every picture that shows the model
    #[arg(long, value_name = "TEXT")]
    pub(crate) attribution: Option<String>,
    /// Where they come from
    #[arg(long, value_name = "URL")]
    pub(crate) source: Option<String>,
}
