//! Runs an engine with a progress bar and moves its files to the requested paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aerie_domain::{Failure, JobInput};
use aerie_engine_api::{Cancel, EngineContext, EngineError, Parent, Produced, Progress};
use aerie_worker::embed_credentials;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};

use super::generator::Options;
use crate::config::Config;
use crate::engine_child::run_unconfined;
use crate::escape::escape;
use crate::interrupt::{self, Interrupt};
use crate::print;
use crate::signing::{self, ConfinedSigning};

/// How long to wait for a canceled engine before the process exits.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Writes the georeference of each markup picture next to it, as `KEY.ground.json`.
fn write_georeferences(ground: &Value, folder: &Path) -> anyhow::Result<()> {
    for (key, transform) in ground.as_object().into_iter().flatten() {
        let path = folder.join(format!("{key}.ground.json"));
        std::fs::write(&path, serde_json::to_vec(transform)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Input of an engine.
pub(super) struct Job {
    pub(super) input: JobInput,
    /// Local pictures, by the request field that would hold their URL.
    pub(super) inputs: BTreeMap<String, PathBuf>,
    /// Job that this one continues.
    pub(super) parent: Option<Parent>,
}

/// Runs an engine, moves its files into place, and returns its output fields.
pub(super) fn make(
    config: &Config,
    options: &Options<'_>,
    names: &[(impl AsRef<str>, PathBuf)],
    mut job: Job,
) -> anyhow::Result<(ExitCode, Map<String, Value>)> {
    let is_same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    for (_, to) in names {
        let pictures = job.parent.iter().flat_map(|parent| parent.pictures.values());
        if job.inputs.values().chain(pictures).any(|input| is_same(input, to)) {
            bail!("{} is the input and would be overwritten; choose another output file", to.display());
        }
    }
    // Children that read them work in other folders.
    for path in job.inputs.values_mut().chain(job.parent.iter_mut().flat_map(|parent| parent.pictures.values_mut())) {
        *path = std::path::absolute(&path)?;
    }
    // Work next to the output, so that finished files are renamed into place and partial files never appear there.
    let folder = match names[0].1.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let work = tempfile::Builder::new()
        .prefix(".aerie-")
        .tempdir_in(folder)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    let started = Instant::now();
    let signing = if options.credentials { Some(signing::local(config)?) } else { None };
    // Its temporary files are made beside it.
    let out_dir = work.path().join("out");
    std::fs::create_dir(&out_dir).with_context(|| format!("cannot write to {}", folder.display()))?;
    let Some(result) = run_engine(job, config, &out_dir, signing)? else {
        drop(work);
        print::note("interrupted; nothing was written");
        return Ok((ExitCode::from(interrupt::EXIT_CODE), Map::new()));
    };
    let produced = match result {
        Ok(produced) => produced,
        Err(EngineError::Fail(Failure { message, .. }) | EngineError::Retry(message)) => bail!(message),
        Err(EngineError::Canceled) => return Ok((ExitCode::from(interrupt::EXIT_CODE), Map::new())),
    };
    let written = move_files(&produced, names)?;
    if let Some(ground) = produced.notes.get("ground") {
        write_georeferences(ground, folder)?;
    }
    if options.global.json {
        let mut result = Value::Object(produced.fields.clone());
        for (field, path) in &written {
            match field.rsplit_once('/').and_then(|(at, name)| Some((result.pointer_mut(&format!("/{at}"))?, name))) {
                Some((inner, name)) => inner[name] = json!(path),
                None => result[field.as_str()] = json!(path),
            }
        }
        print::json(&result)?;
    } else {
        written.iter().for_each(|(_, path)| print::line(&escape(&path.display().to_string())));
        for missing in
            produced.fields.get("credentials").and_then(|all| all["without"].as_array()).into_iter().flatten()
        {
            let text = |member: &str| missing[member].as_str().unwrap_or_default().to_owned();
            print::note(&format!("{} has no Content Credentials: {}", text("field"), text("reason")));
        }
        print::note(&format!("done in {:.1} s", started.elapsed().as_secs_f64()));
    }
    Ok((ExitCode::SUCCESS, produced.fields))
}

/// Moves the engine's files to the requested paths.
fn move_files(produced: &Produced, names: &[(impl AsRef<str>, PathBuf)]) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut written = Vec::new();
    for file in &produced.files {
        let Some((_, to)) = names.iter().find(|(field, _)| field.as_ref() == file.field) else { continue };
        std::fs::rename(&file.path, to).with_context(|| format!("cannot write {}", to.display()))?;
        written.push((file.field.trim_end_matches("_url").to_owned(), to.clone()));
    }
    Ok(written)
}

/// Runs an engine on its own thread with a progress bar; returns `None` if interrupted.
fn run_engine(
    job: Job,
    config: &Config,
    out_dir: &Path,
    signing: Option<ConfinedSigning>,
) -> anyhow::Result<Option<Result<Produced, EngineError>>> {
    let interrupt = Interrupt::listen()?;
    let cancel = Cancel::default();
    let (result, ended) = mpsc::channel();
    let (data_dir, out_dir, cancel_engine) = (config.data_dir.clone(), out_dir.to_owned(), cancel.clone());
    let sources = config.sources.clone();
    let bar = Bar::new()?;
    let shown = bar.clone();
    std::thread::Builder::new().name("engine".into()).spawn(move || {
        let progress = |progress: Progress<'_>| shown.show(progress);
        let context = EngineContext {
            data_dir: &data_dir,
            pack_dir: &data_dir,
            sources: &sources,
            out_dir: &out_dir,
            inputs: &job.inputs,
            listing: &[],
            parent: job.parent.as_ref(),
            progress: &progress,
            cancel: &cancel_engine,
        };
        let made = run_unconfined(&job.input, &context).and_then(|mut produced| {
            if let Some(signing) = signing {
                embed_credentials(&signing, &job.input, &context, &mut produced)?;
            }
            Ok(produced)
        });
        let _ = result.send(made);
    })?;
    loop {
        match ended.recv_timeout(Duration::from_millis(100)) {
            Ok(result) => {
                bar.clear();
                return Ok(Some(result));
            }
            Err(RecvTimeoutError::Disconnected) => {
                bail!("the engine crashed; see the message above and run `aerie doctor`")
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupt.is_raised() {
            cancel.cancel();
            bar.clear();
            let _ = ended.recv_timeout(STOP_TIMEOUT);
            return Ok(None);
        }
    }
}

/// Progress bar on stderr, or a line per stage if stderr is not a terminal.
#[derive(Clone)]
struct Bar {
    bar: ProgressBar,
    stage: Arc<Mutex<(String, Instant)>>,
}

impl Bar {
    fn new() -> anyhow::Result<Self> {
        let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template("{msg}")?);
        Ok(Self { bar, stage: Arc::new(Mutex::new((String::new(), Instant::now()))) })
    }

    fn show(&self, progress: Progress<'_>) {
        let mut stage = self.stage.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if stage.0 != progress.stage {
            *stage = (progress.stage.to_owned(), Instant::now());
            self.bar.reset_eta();
            let counted = "{prefix} {wide_bar} {pos}/{len} frames  {msg}  {eta} left";
            let template = if progress.total > 0 { counted } else { "{prefix} {spinner} {elapsed}" };
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style);
            }
            self.bar.set_prefix(progress.stage.to_owned());
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
