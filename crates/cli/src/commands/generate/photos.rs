//! Kinds that start from one photo.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use aerie_domain::virtual_staging::{LAYERS, LAYERS_ENDING};
use aerie_domain::{ImageEnhanceRequest, JobType, VideoClipRequest, VirtualStagingRequest};
use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::making::{Job, make};
use super::names_of_film;
use crate::arguments::{GenerateImageEnhance, GenerateVideoClip, GenerateVirtualStaging, Global};
use crate::config::Config;
use crate::print;

pub(super) fn video_clip(config: &Config, global: &Global, options: &GenerateVideoClip) -> anyhow::Result<ExitCode> {
    let names = names_of_film(&options.output)?;
    let GenerateVideoClip { prompt, creativity_level, frame_mode, duration, resolution, aspect_ratio, grade, .. } =
        options;
    let requested = json!({
        "prompt": prompt, "creativity_level": creativity_level, "frame_mode": frame_mode, "duration": duration,
        "resolution": resolution, "aspect_ratio": aspect_ratio, "grade": grade,
    });
    let request = VideoClipRequest::from_body(&json!({"image_url": "a local file", "options": requested}))?;
    let mut inputs = BTreeMap::from([("image_url".to_owned(), options.image.clone())]);
    // `aerie generate virtual-staging` writes them next to the picture.
    let layers = options.image.with_extension(LAYERS_ENDING);
    if layers.is_file() {
        inputs.insert(LAYERS.to_owned(), layers);
    }
    let job = Job { kind: JobType::VideoClip, input: serde_json::to_value(request)?, inputs, parent: None };
    let (code, fields) = make(config, global, &names, job)?;
    if !global.json
        && let Some(motion) = fields.get("motion")
    {
        print::note(motion["text"].as_str().unwrap_or_default());
        for limit in motion["limits"].as_array().into_iter().flatten() {
            print::note(limit.as_str().unwrap_or_default());
        }
        for clause in motion["not_understood"].as_array().into_iter().flatten() {
            print::note(&format!("not recognized, ignored: {clause}"));
        }
    }
    Ok(code)
}

/// Returns the image format for a file name.
fn format_of(output: &Path) -> anyhow::Result<&'static str> {
    let ending = output.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("jpg" | "jpeg") => Ok("jpeg"),
        Some("png") => Ok("png"),
        Some("webp") => Ok("webp"),
        _ => bail!(
            "{} must end in .jpg, .png or .webp; the thumbnail is written next to it as .thumbnail.jpg",
            output.display()
        ),
    }
}

pub(super) fn image_enhance(
    config: &Config,
    global: &Global,
    options: &GenerateImageEnhance,
) -> anyhow::Result<ExitCode> {
    let format = format_of(&options.output)?;
    let names =
        [("image_url", options.output.clone()), ("thumbnail_url", options.output.with_extension("thumbnail.jpg"))];
    let requested = json!({
        "prompt": options.prompt, "preset": options.preset, "format": format, "max_size": options.max_size,
        "label": options.label,
    });
    let body = json!({"image_url": "a local file", "options": requested});
    let input = serde_json::to_value(ImageEnhanceRequest::from_body(&body)?)?;
    let inputs = BTreeMap::from([("image_url".to_owned(), options.image.clone())]);
    let (code, fields) =
        make(config, global, &names, Job { kind: JobType::ImageEnhance, input, inputs, parent: None })?;
    if !global.json {
        if let Some(text) = fields.get("disclosure").and_then(|d| d["text"].as_str()) {
            print::note(text);
        }
        let notes = |what: &str| fields.get("adjustments").and_then(|a| a[what].as_array()).into_iter().flatten();
        for clause in notes("not_understood").filter_map(|c| c.as_str()) {
            print::note(&format!("not recognized, ignored: {clause}"));
        }
        notes("stepped_back").filter_map(|note| note.as_str()).for_each(print::note);
    }
    Ok(code)
}

/// Parses numbers from a text such as "12,480 700,455.5 2.4".
fn numbers(name: &str, text: &str) -> anyhow::Result<Vec<f64>> {
    let parts = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    let number = |part: &str| part.parse::<f64>().ok().filter(|v| v.is_finite());
    let read = |part| number(part).with_context(|| format!("{name}: `{part}` is not a number"));
    parts.map(read).collect()
}

/// Returns the options `floor_polygon` and `known_length` from the command line.
fn room_hints(options: &GenerateVirtualStaging) -> anyhow::Result<[Value; 2]> {
    let outline = options.floor_polygon.as_deref().map(|text| -> anyhow::Result<Value> {
        let all = numbers("--floor-polygon", text)?;
        if all.len() % 2 != 0 {
            bail!("--floor-polygon must have the form \"X,Y X,Y X,Y\": the count of numbers is odd");
        }
        Ok(json!(all.chunks_exact(2).collect::<Vec<_>>()))
    });
    let length = options.known_length.as_deref().map(|text| -> anyhow::Result<Value> {
        let [x, y, u, v, meters] = numbers("--known-length", text)?[..] else {
            bail!("--known-length must have the form \"X,Y X,Y METERS\": five numbers");
        };
        Ok(json!({"from": [x, y], "to": [u, v], "metres": meters}))
    });
    Ok([outline.transpose()?.unwrap_or_default(), length.transpose()?.unwrap_or_default()])
}

pub(super) fn virtual_staging(
    config: &Config,
    global: &Global,
    options: &GenerateVirtualStaging,
) -> anyhow::Result<ExitCode> {
    let format = format_of(&options.output)?;
    let [floor_polygon, known_length] = room_hints(options)?;
    let mut names = vec![
        ("image_url", options.output.clone()),
        ("mask_url", options.output.with_extension("mask.png")),
        ("thumbnail_url", options.output.with_extension("thumbnail.jpg")),
        ("layers_url", options.output.with_extension(LAYERS_ENDING)),
    ];
    let ending = options.output.extension().unwrap_or_default().to_string_lossy();
    for (i, [image, mask, layers]) in aerie_engines::virtual_staging::VARIATIONS.into_iter().enumerate().skip(1) {
        names.push((image, options.output.with_extension(format!("{}.{ending}", i + 1))));
        names.push((mask, options.output.with_extension(format!("{}.mask.png", i + 1))));
        names.push((layers, options.output.with_extension(format!("{}.{LAYERS_ENDING}", i + 1))));
    }
    let body = json!({
        "image_url": "a local file",
        "room_type": options.room_type,
        "options": {
            "style_prompt": options.style_prompt, "seed": options.seed, "quality": options.quality, "label": options.label,
            "format": format, "variations": options.variations, "floor_polygon": floor_polygon,
            "known_length": known_length,
        },
    });
    let input = serde_json::to_value(VirtualStagingRequest::from_body(&body)?)?;
    let inputs = BTreeMap::from([("image_url".to_owned(), options.image.clone())]);
    let (code, fields) =
        make(config, global, &names, Job { kind: JobType::VirtualStaging, input, inputs, parent: None })?;
    if !global.json {
        if let Some(text) = fields.get("disclosure").and_then(|d| d["text"].as_str()) {
            print::note(text);
        }
        if let (Some(asked), Some(made)) = (fields.get("room_type_asked"), fields.get("room_type")) {
            print::note(&format!("room type {asked} is not supported; furnished as {made}"));
        }
        for doubt in fields.get("doubts").and_then(Value::as_array).into_iter().flatten() {
            print::note(doubt.as_str().unwrap_or_default());
        }
        for word in fields.get("style").and_then(|s| s["not_understood"].as_array()).into_iter().flatten() {
            print::note(&format!("not recognized, ignored: {word}"));
        }
    }
    Ok(code)
}
