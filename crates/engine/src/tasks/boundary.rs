//! Measures a boundary that was drawn on a picture.
//!
//! A picture that cannot be read is a result for the service, too, with `boundary_reason` `image_unreadable`; so is a polygon that is
//! none, with [`BAD_POLYGON`] in place of a result.

use std::path::Path;

use aerie_boundary::{GroundTransform, Measured, NotMeasured, Picture};
use aerie_engine_api::BAD_POLYGON;
use aerie_engine_api::messages::DrawnBoundary;
use anyhow::Context;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde_json::{Value, json};

/// Address space in bytes: enough for two pictures of 100 megapixels, one after the other.
const MEMORY: u64 = 2 << 30;
/// CPU time in seconds.
const TIME: u64 = 20;

/// Measures it; `is_limited` for clients of the service, whose pictures may take neither much memory nor much time.
pub(super) fn run(drawn: &DrawnBoundary, is_limited: bool) -> anyhow::Result<Value> {
    if !is_limited {
        return Ok(serde_json::to_value(measure(drawn)?)?);
    }
    let limit = |resource, most: u64| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    limit(Resource::As, MEMORY).context("cannot limit memory")?;
    limit(Resource::Cpu, TIME).context("cannot limit time")?;
    match measure(drawn) {
        Ok(measured) => Ok(serde_json::to_value(measured)?),
        Err(error) if error.is::<aerie_photo::DecodeError>() => {
            Ok(json!({"boundary": null, "boundary_reason": "image_unreadable"}))
        }
        Err(error) => match error.downcast::<NotMeasured>()? {
            NotMeasured::Polygon(why) => Ok(json!({BAD_POLYGON: why.to_string()})),
            other => Err(other.into()),
        },
    }
}

/// Reads the pictures and measures the boundary.
fn measure(drawn: &DrawnBoundary) -> anyhow::Result<Measured> {
    let ground = drawn.transform.as_deref().map(transform).transpose()?;
    let clean = picture(&drawn.clean)?;
    if let Some(polygon) = &drawn.polygon {
        return Ok(aerie_boundary::measure_polygon(polygon, &clean, ground.as_ref())?);
    }
    let annotated = picture(&drawn.annotated)?;
    let (transform, clean_path) = (drawn.transform.as_deref().unwrap_or(Path::new("")), drawn.clean.display());
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
