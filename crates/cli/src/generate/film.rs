//! Options and output files of videos.

use std::path::{Path, PathBuf};

use aerie_engine_api::{AspectRatio, Resolution};
use anyhow::bail;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// Size, aspect ratio and length of a video.
#[derive(Debug, Args)]
pub(super) struct Film {
    /// Seconds, 6 to 20 [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub(super) duration: Option<i64>,
    /// Length of the shorter side [default: 1080p]
    #[arg(long, value_name = "RESOLUTION", value_parser = PossibleValuesParser::new(Resolution::ALL.map(|(name, _)| name)))]
    pub(super) resolution: Option<String>,
    /// Aspect ratio [default: 16:9]
    #[arg(long, value_name = "RATIO", value_parser = PossibleValuesParser::new(AspectRatio::ALL.map(|(name, _)| name)))]
    pub(super) aspect_ratio: Option<String>,
}

/// Returns the output files of a video, by output field.
pub(super) fn video_files(output: &Path) -> anyhow::Result<[(&'static str, PathBuf); 2]> {
    if !output.extension().is_some_and(|e| e.eq_ignore_ascii_case("mp4")) {
        bail!("{} must end in .mp4; the thumbnail is written next to it as .jpg", output.display());
    }
    Ok([("video_url", output.to_owned()), ("thumbnail_url", output.with_extension("jpg"))])
}
