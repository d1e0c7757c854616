//! Layers of a staged picture: a file that lies beside the picture and accompanies it into jobs whose kind accepts layers.

/// Ending of the layers' file name, in place of the picture's own.
pub const ENDING: &str = "layers.tif";

/// Name of the layers among a job's inputs.
pub const INPUT: &str = "layers";
