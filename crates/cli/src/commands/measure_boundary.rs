//! `aerie measure-boundary`: like `inspect boundary`, as a short-lived child process of the server. Its pictures are
//! untrusted, so it confines itself to their files and limits its memory and time.
//!
//! Prints one line of JSON, [`aerie_boundary::Measured`]. A picture that cannot be read is a result too, with
//! `boundary_reason` `image_unreadable` and exit code 0; so is a polygon that is none, with [`BAD_POLYGON`] in place of a result. The server kills it after ten seconds.

use std::path::Path;
use std::process::ExitCode;

use aerie_boundary::{GroundTransform, Measured, NotMeasured, Picture};
use aerie_confinement::Confinement;
use anyhow::Context;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde_json::json;

use crate::arguments::InspectBoundary;
use crate::measuring::BAD_POLYGON;
use crate::print;

/// Address space in bytes: enough to decode two pictures of 40 megapixels, one after the other.
const MEMORY: u64 = 2 << 30;
/// CPU time in seconds.
const TIME: u64 = 10;

pub(crate) fn run(options: &InspectBoundary) -> anyhow::Result<ExitCode> {
    let limit = |resource, most: u64| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    limit(Resource::As, MEMORY).context("cannot limit memory")?;
    limit(Resource::Cpu, TIME).context("cannot limit time")?;
    aerie_confinement::close_inherited_files();
    let mut read = vec![options.annotated.clone(), options.clean.clone()];
    read.extend(options.transform.clone());
    Confinement { read, ..Confinement::default() }.apply()?;
    match measure(options) {
        Ok(measured) => print::json(&measured)?,
        Err(error) if error.is::<aerie_photo::DecodeError>() => {
            print::json(&json!({"boundary": null, "boundary_reason": "image_unreadable"}))?;
        }
        Err(error) => match error.downcast::<NotMeasured>()? {
            NotMeasured::Polygon(why) => print::json(&json!({BAD_POLYGON: why.to_string()}))?,
            other => return Err(other.into()),
        },
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the pictures and measures the boundary.
pub(super) fn measure(options: &InspectBoundary) -> anyhow::Result<Measured> {
    let ground = options.transform.as_deref().map(transform).transpose()?;
    let clean = picture(&options.clean)?;
    if let Some(polygon) = &options.polygon {
        let polygon: Vec<[f64; 2]> =
            serde_json::from_str(polygon).context("--polygon must be a list of corners [x, y] in JSON")?;
        return Ok(aerie_boundary::measure_polygon(&polygon, &clean, ground.as_ref())?);
    }
    let annotated = picture(&options.annotated)?;
    let (transform, clean_path) = (options.transform.as_deref().unwrap_or(Path::new("")), options.clean.display());
    aerie_boundary::measure(&annotated, &clean, ground.as_ref())
        .with_context(|| format!("cannot use {} with {clean_path}", transform.display()))
}

fn transform(path: &Path) -> anyhow::Result<GroundTransform> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text)
        .with_context(|| format!("{} is not a ground transform as written by `aerie generate markup`", path.display()))
}

fn picture(path: &Path) -> anyhow::Result<Picture> {
    let photo = aerie_photo::decode_file(path).with_context(|| path.display().to_string())?;
    Ok(Picture::of_16_bits(photo.width, photo.height, &photo.pixels))
}
