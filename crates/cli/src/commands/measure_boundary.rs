//! `aerie measure-boundary`: what `inspect boundary` does, as a short-lived child of the server's. Its pictures come from
//! anywhere, so that it runs under limits on memory and time of its own.
//!
//! On stdout one line of JSON, [`aerie_boundary::Measured`]; a picture that cannot be read is an answer, too, with
//! `boundary_reason` `image_unreadable`. Exit code 0 when it answered. The server kills it after ten seconds.

use std::path::Path;
use std::process::ExitCode;

use aerie_boundary::{GroundTransform, Measured, Picture};
use anyhow::Context;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde_json::json;

use crate::arguments::InspectBoundary;
use crate::print;

/// Address space, bytes: two pictures of 40 megapixels, one after the other, fit with room to spare.
const MEMORY: u64 = 2 << 30;
/// Seconds on a processor.
const TIME: u64 = 10;

pub(crate) fn run(options: &InspectBoundary) -> anyhow::Result<ExitCode> {
    let limit = |resource, most: u64| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    limit(Resource::As, MEMORY).context("cannot limit memory")?;
    limit(Resource::Cpu, TIME).context("cannot limit time")?;
    // A crash is told by the exit code; its memory, which holds somebody's pictures, is kept nowhere.
    limit(Resource::Core, 0).context("cannot limit core files")?;
    match measure(options) {
        Ok(measured) => print::json(&measured)?,
        Err(error) if error.is::<aerie_photo::DecodeError>() => {
            print::json(&json!({"boundary": null, "boundary_reason": "image_unreadable"}))?;
        }
        Err(error) => return Err(error),
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the pictures and measures.
pub(super) fn measure(options: &InspectBoundary) -> anyhow::Result<Measured> {
    let ground = options.transform.as_deref().map(transform).transpose()?;
    let annotated = picture(&options.annotated)?;
    let clean = picture(&options.clean)?;
    Ok(aerie_boundary::measure(&annotated, &clean, ground.as_ref()))
}

fn transform(path: &Path) -> anyhow::Result<GroundTransform> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is not a ground transform", path.display()))
}

fn picture(path: &Path) -> anyhow::Result<Picture> {
    let photo = aerie_photo::decode_file(path).with_context(|| path.display().to_string())?;
    let pixels = photo.pixels.iter().map(|p| p.map(|v| (v / 257) as u8)).collect();
    Ok(Picture::new(photo.width, photo.height, pixels))
}
