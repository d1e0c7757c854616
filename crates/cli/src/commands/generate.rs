//! `aerie generate`: the same engines as the workers run, with no server and no key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use aerie_domain::{
    DroneFootageRequest, ImageEnhanceRequest, JobType, MarkupRequest, MarkupVideoInput, MarkupVideoRequest,
    VideoClipRequest, VirtualStagingRequest,
};
use aerie_engines::{Cancel, EngineContext, EngineError, Parent, Produced, Progress};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};

use crate::arguments::{
    Film, Generate, GenerateDroneFootage, GenerateImageEnhance, GenerateMarkup, GenerateMarkupVideo, GenerateVideoClip,
    GenerateVirtualStaging, Global,
};
use crate::config::Config;
use crate::interrupt::{self, Interrupt};
use crate::print;

/// How long an engine may take to stop; then the process ends without it.
const STOPS_WITHIN: Duration = Duration::from_secs(10);

pub(crate) fn run(config: &Config, global: &Global, options: &Generate) -> anyhow::Result<ExitCode> {
    match options {
        Generate::DroneFootage(options) => drone_footage(config, global, options),
        Generate::ImageEnhance(options) => image_enhance(config, global, options),
        Generate::VirtualStaging(options) => virtual_staging(config, global, options),
        Generate::Markup(options) => markup(config, global, options),
        Generate::MarkupVideo(options) => markup_video(config, global, options),
        Generate::VideoClip(options) => video_clip(config, global, options),
    }
}

fn drone_footage(config: &Config, global: &Global, options: &GenerateDroneFootage) -> anyhow::Result<ExitCode> {
    let Film { duration, resolution, aspect_ratio } = &options.film;
    let wanted = json!({
        "direction": options.direction, "duration": duration, "resolution": resolution, "aspect_ratio": aspect_ratio,
    });
    let body = json!({"address": options.address, "options": wanted});
    let request = DroneFootageRequest::from_body(&body)?;
    let names = names_of_film(&options.output)?;
    crate::data::make_folder(&config.data_dir)?;

    let input = serde_json::to_value(&request)?;
    let job = Job { kind: JobType::DroneFootage, input, inputs: BTreeMap::new(), parent: None };
    make(config, global, &names, job).map(|(code, _)| code)
}

/// A film's files by their fields.
fn names_of_film(output: &Path) -> anyhow::Result<[(&'static str, PathBuf); 2]> {
    if !output.extension().is_some_and(|e| e.eq_ignore_ascii_case("mp4")) {
        bail!("{} must end in .mp4; the thumbnail goes beside it as .jpg", output.display());
    }
    Ok([("video_url", output.to_owned()), ("thumbnail_url", output.with_extension("jpg"))])
}

fn markup_video(config: &Config, global: &Global, options: &GenerateMarkupVideo) -> anyhow::Result<ExitCode> {
    let Film { duration, resolution, aspect_ratio } = &options.film;
    let wanted = json!({
        "direction": options.direction, "duration": duration, "resolution": resolution, "aspect_ratio": aspect_ratio,
        "color": options.color, "labels": !options.no_labels,
    });
    let options_kept = MarkupVideoRequest::from_body(&json!({ "options": wanted }))?.options;
    let names = names_of_film(&options.output)?;
    let read = || format!("cannot read {}", options.boundary.display());
    let text = std::fs::read(&options.boundary).with_context(read)?;
    let told: Value =
        serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", options.boundary.display()))?;
    // As `aerie inspect boundary --json` prints it, or GeoJSON itself.
    let boundary = told.get("boundary").cloned().unwrap_or(told);
    let is_in_pixels = aerie_engines::markup_video::is_in_pixels(&boundary)?;
    match (is_in_pixels, &options.image) {
        (true, None) => bail!("the boundary is in pixels; name the picture that it lies on with --image"),
        (false, Some(_)) => bail!("the boundary lies on the ground; name the property with --address"),
        _ => crate::data::make_folder(&config.data_dir)?,
    }

    let address = options.address.clone().unwrap_or_default();
    let input = MarkupVideoInput { markup_job_id: None, address, options: options_kept };
    let parent = Some(aerie_engines::markup_video::from_files(boundary, options.image.clone()));
    let job = Job { kind: JobType::MarkupVideo, input: serde_json::to_value(input)?, inputs: BTreeMap::new(), parent };
    make(config, global, &names, job).map(|(code, _)| code)
}

fn video_clip(config: &Config, global: &Global, options: &GenerateVideoClip) -> anyhow::Result<ExitCode> {
    let names = names_of_film(&options.output)?;
    if options.image == names[1].1 {
        bail!(
            "{} is the photo, and would be written over by the thumbnail; name another video",
            options.image.display()
        );
    }
    let GenerateVideoClip { prompt, creativity_level, frame_mode, duration, resolution, aspect_ratio, grade, .. } =
        options;
    let wanted = json!({
        "prompt": prompt, "creativity_level": creativity_level, "frame_mode": frame_mode, "duration": duration,
        "resolution": resolution, "aspect_ratio": aspect_ratio, "grade": grade,
    });
    let request = VideoClipRequest::from_body(&json!({"image_url": "a local file", "options": wanted}))?;
    let inputs = BTreeMap::from([("image_url".to_owned(), options.image.clone())]);
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
            print::note(&format!("not understood, nothing was done for it: {clause}"));
        }
    }
    Ok(code)
}

/// The format that a picture's name asks for.
fn format_of(output: &Path) -> anyhow::Result<&'static str> {
    let ending = output.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("jpg" | "jpeg") => Ok("jpeg"),
        Some("png") => Ok("png"),
        Some("webp") => Ok("webp"),
        _ => bail!(
            "{} must end in .jpg, .png or .webp; the thumbnail goes beside it as .thumbnail.jpg",
            output.display()
        ),
    }
}

fn image_enhance(config: &Config, global: &Global, options: &GenerateImageEnhance) -> anyhow::Result<ExitCode> {
    let format = format_of(&options.output)?;
    let is_same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_same(&options.image, &options.output) {
        bail!("{} is the original; name another file to write", options.output.display());
    }
    let names =
        [("image_url", options.output.clone()), ("thumbnail_url", options.output.with_extension("thumbnail.jpg"))];
    let wanted = json!({
        "prompt": options.prompt, "preset": options.preset, "format": format, "max_size": options.max_size,
        "label": options.label,
    });
    let body = json!({"image_url": "a local file", "options": wanted});
    let input = serde_json::to_value(ImageEnhanceRequest::from_body(&body)?)?;
    let inputs = BTreeMap::from([("image_url".to_owned(), options.image.clone())]);
    let (code, fields) =
        make(config, global, &names, Job { kind: JobType::ImageEnhance, input, inputs, parent: None })?;
    if !global.json {
        if let Some(text) = fields.get("disclosure").and_then(|d| d["text"].as_str()) {
            print::note(text);
        }
        let told = |what: &str| fields.get("adjustments").and_then(|a| a[what].as_array()).into_iter().flatten();
        for clause in told("not_understood").filter_map(|c| c.as_str()) {
            print::note(&format!("not understood, nothing was done for it: {clause}"));
        }
        told("stepped_back").filter_map(|note| note.as_str()).for_each(print::note);
    }
    Ok(code)
}

/// Numbers of a text such as "12,480 700,455.5 2.4".
fn numbers(name: &str, text: &str) -> anyhow::Result<Vec<f64>> {
    let parts = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    let number = |part: &str| part.parse::<f64>().ok().filter(|v| v.is_finite());
    let read = |part| number(part).with_context(|| format!("{name}: {part} is no number"));
    parts.map(read).collect()
}

/// What a person knows of the room, as the contract's options have it.
fn known_of_room(options: &GenerateVirtualStaging) -> anyhow::Result<[Value; 2]> {
    let outline = options.floor_polygon.as_deref().map(|text| -> anyhow::Result<Value> {
        let all = numbers("--floor-polygon", text)?;
        if all.len() % 2 != 0 {
            bail!("--floor-polygon is \"X,Y X,Y X,Y\"; it has an odd count of numbers");
        }
        Ok(json!(all.chunks_exact(2).collect::<Vec<_>>()))
    });
    let length = options.known_length.as_deref().map(|text| -> anyhow::Result<Value> {
        let [x, y, u, v, metres] = numbers("--known-length", text)?[..] else {
            bail!("--known-length is \"X,Y X,Y METRES\": five numbers");
        };
        Ok(json!({"from": [x, y], "to": [u, v], "metres": metres}))
    });
    Ok([outline.transpose()?.unwrap_or_default(), length.transpose()?.unwrap_or_default()])
}

fn virtual_staging(config: &Config, global: &Global, options: &GenerateVirtualStaging) -> anyhow::Result<ExitCode> {
    let format = format_of(&options.output)?;
    let [floor_polygon, known_length] = known_of_room(options)?;
    let is_same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_same(&options.image, &options.output) {
        bail!("{} is the original; name another file to write", options.output.display());
    }
    let mut names = vec![
        ("image_url", options.output.clone()),
        ("mask_url", options.output.with_extension("mask.png")),
        ("thumbnail_url", options.output.with_extension("thumbnail.jpg")),
    ];
    let ending = options.output.extension().unwrap_or_default().to_string_lossy();
    for (i, [image, mask]) in aerie_engines::virtual_staging::VARIATIONS.into_iter().enumerate().skip(1) {
        names.push((image, options.output.with_extension(format!("{}.{ending}", i + 1))));
        names.push((mask, options.output.with_extension(format!("{}.mask.png", i + 1))));
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
            print::note(&format!("there is no plan for {asked}; furnished as {made}"));
        }
        for doubt in fields.get("doubts").and_then(Value::as_array).into_iter().flatten() {
            print::note(doubt.as_str().unwrap_or_default());
        }
        for word in fields.get("style").and_then(|s| s["not_understood"].as_array()).into_iter().flatten() {
            print::note(&format!("not understood, nothing was done for it: {word}"));
        }
    }
    Ok(code)
}

fn markup(config: &Config, global: &Global, options: &GenerateMarkup) -> anyhow::Result<ExitCode> {
    let body = json!({
        "address": options.address,
        "options": {"north_arrow": options.north_arrow, "scale_bar": options.scale_bar},
    });
    let input = serde_json::to_value(MarkupRequest::from_body(&body)?)?;
    crate::data::make_folder(&config.data_dir)?;
    let names = aerie_engines::markup::files(&options.output);
    let job = Job { kind: JobType::Markup, input, inputs: BTreeMap::new(), parent: None };
    make(config, global, &names, job).map(|(code, _)| code)
}

/// Where each picture of a markup lies on the ground, beside it as `KEY.ground.json`.
fn keep_ground(ground: &Value, folder: &Path) -> anyhow::Result<()> {
    for (key, transform) in ground.as_object().into_iter().flatten() {
        let path = folder.join(format!("{key}.ground.json"));
        std::fs::write(&path, serde_json::to_vec(transform)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// What an engine is to make.
struct Job {
    kind: JobType,
    input: Value,
    /// Local pictures, by the fields that would link to them.
    inputs: BTreeMap<String, PathBuf>,
    /// What it goes on from.
    parent: Option<Parent>,
}

/// Runs an engine and gives its files their names; also gives the fields that the engine told.
fn make(
    config: &Config,
    global: &Global,
    names: &[(&'static str, PathBuf)],
    job: Job,
) -> anyhow::Result<(ExitCode, Map<String, Value>)> {
    // Made beside the output, so that finished files get their names by a rename, and half files never have them.
    let folder = match names[0].1.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let work = tempfile::Builder::new()
        .prefix(".aerie-")
        .tempdir_in(folder)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    let started = Instant::now();
    let Some(result) = run_engine(job, config, work.path())? else {
        drop(work);
        print::note("interrupted; nothing was written");
        return Ok((ExitCode::from(interrupt::EXIT_CODE), Map::new()));
    };
    let produced = match result {
        Ok(produced) => produced,
        Err(EngineError::Fail { message, .. } | EngineError::Retry(message)) => bail!(message),
        Err(EngineError::Cancelled) => return Ok((ExitCode::from(interrupt::EXIT_CODE), Map::new())),
    };
    let written = keep(&produced, names)?;
    if let Some(ground) = produced.notes.get("ground") {
        keep_ground(ground, folder)?;
    }
    if global.json {
        let mut result = Value::Object(produced.fields.clone());
        for (field, path) in &written {
            match field.rsplit_once('/').and_then(|(at, name)| Some((result.pointer_mut(&format!("/{at}"))?, name))) {
                Some((inner, name)) => inner[name] = json!(path),
                None => result[*field] = json!(path),
            }
        }
        print::json(&result)?;
    } else {
        written.iter().for_each(|(_, path)| print::line(&path.display().to_string()));
        print::note(&format!("done in {:.1} s", started.elapsed().as_secs_f64()));
    }
    Ok((ExitCode::SUCCESS, produced.fields))
}

/// Renames what was made to what was asked for.
fn keep(produced: &Produced, names: &[(&str, PathBuf)]) -> anyhow::Result<Vec<(&'static str, PathBuf)>> {
    let mut written = Vec::new();
    for file in &produced.files {
        let Some((_, to)) = names.iter().find(|(field, _)| *field == file.field) else { continue };
        std::fs::rename(&file.path, to).with_context(|| format!("cannot write {}", to.display()))?;
        written.push((file.field.trim_end_matches("_url"), to.clone()));
    }
    Ok(written)
}

/// Runs an engine on a thread of its own with a progress bar; `None` when Ctrl-C or SIGTERM came first.
fn run_engine(job: Job, config: &Config, out_dir: &Path) -> anyhow::Result<Option<Result<Produced, EngineError>>> {
    let interrupt = Interrupt::listen()?;
    let cancel = Cancel::default();
    let (result, ended) = mpsc::channel();
    let (data_dir, out_dir, cancel_engine) = (config.data_dir.clone(), out_dir.to_owned(), cancel.clone());
    let sources = config.sources.clone();
    let bar = Bar::new()?;
    let shown = bar.clone();
    std::thread::Builder::new().name("engine".into()).spawn(move || {
        let progress = |progress: Progress| shown.show(progress);
        let context = EngineContext {
            data_dir: &data_dir,
            sources: &sources,
            out_dir: &out_dir,
            inputs: &job.inputs,
            listing: &[],
            parent: job.parent.as_ref(),
            progress: &progress,
            cancel: &cancel_engine,
        };
        let _ = result.send(aerie_engines::run(job.kind, &job.input, &context));
    })?;
    loop {
        match ended.recv_timeout(Duration::from_millis(100)) {
            Ok(result) => {
                bar.clear();
                return Ok(Some(result));
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the engine crashed; see the message above"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupt.is_raised() {
            cancel.cancel();
            bar.clear();
            let _ = ended.recv_timeout(STOPS_WITHIN);
            return Ok(None);
        }
    }
}

/// A progress bar on stderr; where stderr is not a terminal, a line for each stage.
#[derive(Clone)]
struct Bar {
    bar: ProgressBar,
    stage: std::sync::Arc<Mutex<(&'static str, Instant)>>,
}

impl Bar {
    fn new() -> anyhow::Result<Self> {
        let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template("{msg}")?);
        Ok(Self { bar, stage: std::sync::Arc::new(Mutex::new(("", Instant::now()))) })
    }

    fn show(&self, progress: Progress) {
        let mut stage = self.stage.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if stage.0 != progress.stage {
            *stage = (progress.stage, Instant::now());
            self.bar.reset_eta();
            let counted = "{prefix} {wide_bar} {pos}/{len} frames  {msg}  {eta} left";
            let template = if progress.total > 0 { counted } else { "{prefix} {spinner} {elapsed}" };
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style);
            }
            self.bar.set_prefix(progress.stage);
            if self.bar.is_hidden() {
                print::note(progress.stage);
            }
        }
        let seconds = stage.1.elapsed().as_secs_f64();
        if progress.total > 0 && seconds > 0.0 {
            #[expect(clippy::cast_precision_loss, reason = "a count of frames is far below 2^52")]
            let rate = progress.done as f64 / seconds;
            self.bar.set_message(format!("{rate:.1} fps"));
        }
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
