//! Runs each job's engine in a child process, `aerie-engine`, which is confined to the job's files. An engine that hangs is
//! killed, and one that crashes costs its own attempt only.
mod asking;
mod environment;
mod following;
mod output;
mod printed;

pub(crate) mod lines;
pub(crate) mod process;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aerie_confinement::Applied;
use aerie_domain::{JobInput, JobType};
use aerie_engine_api::messages::{JobRun, Message, Task};
use aerie_engine_api::{Cancel, EngineContext, EngineError, Produced, SampleTown, Sources};
use aerie_geodata::pack;
use aerie_worker::Engines;

pub(crate) use asking::{Asked, Within, ask, ask_clean, ask_confined, ask_until};
pub(crate) use environment::{check_engine, check_signer, sign_program, without_secrets};
use following::{Followed, Hooks, Surroundings, follow};
use output::checked;
pub(crate) use printed::printed;

/// How long the sample town may take to build.
const SAMPLE_LIMIT: Duration = Duration::from_secs(300);

/// Engines in confined children.
pub(crate) struct ConfinedEngines {
    /// Memory limit of a child in bytes.
    memory: u64,
    /// Whether the log says what is enforced.
    is_logged: AtomicBool,
}

impl ConfinedEngines {
    pub(crate) fn new(memory: u64) -> Self {
        Self { memory, is_logged: AtomicBool::new(false) }
    }

    /// Logs what the first child of this process enforces; what one lacks is the same for all of them.
    fn log(&self, applied: &Applied) {
        if self.is_logged.swap(true, Ordering::Relaxed) {
            return;
        }
        let memory_mib = self.memory >> 20;
        match applied.is_complete() {
            true => tracing::info!(confinement = %applied, memory_mib, "engines are confined"),
            false => tracing::warn!(confinement = %applied, memory_mib, "engines are not completely confined"),
        }
    }
}

impl Engines for ConfinedEngines {
    fn kinds(&self) -> Vec<JobType> {
        JobType::ALL.to_vec()
    }

    fn run(&self, input: &JobInput, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
        let job = job_run(input, context)?;
        let temp_dir = job.temp_dir.clone();
        let surroundings = Surroundings::Confined { temp_dir: &temp_dir, memory: Some(self.memory) };
        run_job(job, surroundings, context, &|applied| self.log(applied))
    }
}

/// Runs the engine of a job for the user of the command line: in a child, not confined.
pub(crate) fn run_unconfined(input: &JobInput, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    run_job(job_run(input, context)?, Surroundings::OfCaller, context, &|_| {})
}

fn run_job(
    job: JobRun,
    surroundings: Surroundings<'_>,
    context: &EngineContext<'_>,
    confined: &dyn Fn(&Applied),
) -> Result<Produced, EngineError> {
    let hooks = Hooks {
        confined,
        progress: &|progress| (context.progress)(progress),
        is_canceled: &|| context.cancel.is_canceled(),
    };
    // The folder of the job, for a command without a service; else the data folder.
    let shown = match surroundings {
        Surroundings::OfCaller => context.out_dir,
        _ => context.data_dir,
    };
    match follow(Task::Job(Box::new(job)), shown, surroundings, &hooks) {
        Ok(Followed::Said(Message::Produced(produced))) => checked(produced, context.out_dir),
        Ok(Followed::Said(Message::Failed(error))) => Err(error),
        Ok(Followed::Said(_)) => Err(EngineError::Retry("unexpected message from the engine".into())),
        Ok(Followed::Canceled) => Err(EngineError::Canceled),
        Ok(Followed::Died(why)) if matches!(surroundings, Surroundings::OfCaller) => {
            Err(EngineError::Retry(format!("{why}; see the message above and run `aerie doctor`")))
        }
        Ok(Followed::Died(why)) => Err(EngineError::Retry(why)),
        Err(error) => Err(retry("the engine cannot be started", &error)),
    }
}

/// Describes a job for the engine, and creates the folders that the engine may not create itself.
fn job_run(input: &JobInput, context: &EngineContext<'_>) -> Result<JobRun, EngineError> {
    let needs = input.job_type().kind().needs;
    let temp_dir = context.out_dir.with_file_name("tmp");
    std::fs::create_dir_all(&temp_dir).map_err(|e| retry("the working folder cannot be written", &e))?;
    let sources = if needs.maps { context.sources.clone() } else { Sources::default() };
    if needs.maps && !has_map(context.pack_dir) {
        build_sample_town_until(context.data_dir, Some(context.cancel))
            .map_err(|e| EngineError::Retry(format!("{e:#}")))?;
    }
    if !sources.is_empty() {
        std::fs::create_dir_all(context.data_dir.join(pack::CACHE))
            .map_err(|e| retry("the cache of online sources cannot be written", &e))?;
    }
    Ok(JobRun {
        input: input.clone(),
        data_dir: context.data_dir.to_owned(),
        pack_dir: context.pack_dir.to_owned(),
        sources,
        out_dir: context.out_dir.to_owned(),
        temp_dir,
        inputs: context.inputs.clone(),
        listing: context.listing.to_vec(),
        parent: context.parent.cloned(),
    })
}

/// Returns whether a map was imported into a data folder or published pack.
pub(crate) fn has_map(pack_dir: &Path) -> bool {
    pack::region_folder(pack_dir).join(pack::FILE).is_file()
}

/// Builds the sample town in a data folder, if it is missing.
pub(crate) fn build_sample_town(data_dir: &Path) -> anyhow::Result<SampleTown> {
    build_sample_town_until(data_dir, None)
}

fn build_sample_town_until(data_dir: &Path, cancel: Option<&Cancel>) -> anyhow::Result<SampleTown> {
    std::fs::create_dir_all(data_dir)?;
    let task = Task::BuildSampleTown { data_dir: data_dir.to_owned() };
    // Not confined: it moves folders, which early versions of Landlock allow to nobody.
    ask_clean(task, data_dir, Within { limit: SAMPLE_LIMIT, cancel })
}

fn retry(what: &str, why: &dyn std::error::Error) -> EngineError {
    EngineError::Retry(format!("{what}: {why}"))
}
