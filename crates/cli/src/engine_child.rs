//! Runs each job's engine in a child process, `aerie run-engine`, which is confined to the job's files. An engine that hangs is
//! killed, and one that crashes costs its own attempt only.
mod environment;
mod output;
mod printed;

pub(crate) mod lines;
pub(crate) mod process;

pub(crate) mod access;
pub(crate) mod messages;

use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use aerie_confinement::Applied;
use aerie_domain::JobType;
use aerie_engines::{EngineContext, EngineError, Produced, Progress, Sources};
use aerie_worker::Engines;
use serde_json::Value;

pub(crate) use environment::{environment, sign_program, this_program};
use lines::{read_lines, relay_to_log};
use messages::{Message, Request};
use output::checked;
pub(crate) use printed::printed;
use process::EngineProcess;

/// Interval between checks for cancellation.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// Messages that may wait to be read; then the child waits. Few, as each may be long.
const WAITING_MESSAGES: usize = 2;
/// Length of a message in bytes: an output may contain a boundary and a report.
const LONGEST_MESSAGE: u64 = 16 << 20;
/// Length of the name of a stage, and number of different ones: each is a label of the metrics.
const LONGEST_STAGE: usize = 40;
const MOST_STAGES: usize = 16;
/// Length of a failure's message to the client or to the log, in characters.
const LONGEST_FAILURE: usize = 2000;

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

    fn run(&self, kind: JobType, input: &Value, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
        let request = self.request(kind, input, context)?;
        let request_text = serde_json::to_vec(&request).map_err(|e| retry("the job cannot be described", &e))?;
        let mut engine =
            EngineProcess::start((&this_program(), "aerie"), "run-engine", &request.data_dir, &request.temp_dir)
                .map_err(|e| retry("the engine cannot be started", &e))?;
        let (stdin, stdout, stderr) = engine.take_pipes();
        let (sender, messages) = mpsc::sync_channel(WAITING_MESSAGES);
        let span = tracing::Span::current();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                use std::io::Write;
                // A child that does not read it has died, which its exit status says.
                let _ = stdin.and_then(|mut stdin| stdin.write_all(&request_text).ok());
            });
            scope.spawn(move || read_lines(stdout, LONGEST_MESSAGE, |line| sender.send(line).is_ok()));
            let complaints = scope.spawn(move || span.in_scope(|| relay_to_log(stderr)));
            let ended = self.follow(&messages, context);
            drop(messages);
            // Ends its encoder, too. From here on, nothing changes its files.
            let status = engine.end(matches!(ended, Followed::Closed));
            let last_words = complaints.join().unwrap_or_default();
            match ended {
                Followed::Said(Ok(produced)) => checked(produced, context.out_dir),
                Followed::Said(Err(error)) => Err(error),
                Followed::Canceled => Err(EngineError::Canceled),
                Followed::Closed => Err(EngineError::Retry(describe_death(status, &last_words))),
            }
        })
    }
}

/// How following a child ended.
enum Followed {
    /// It reported its result.
    Said(Result<Produced, EngineError>),
    /// Its run was canceled.
    Canceled,
    /// It closed its output without a result.
    Closed,
}

impl ConfinedEngines {
    /// What the child needs to know; creates what it may not create itself.
    fn request(&self, kind: JobType, input: &Value, context: &EngineContext<'_>) -> Result<Request, EngineError> {
        let needs = aerie_engines::needs(kind);
        let temp_dir = context.out_dir.with_file_name("tmp");
        std::fs::create_dir_all(&temp_dir).map_err(|e| retry("the working folder cannot be written", &e))?;
        let sources = if needs.maps { context.sources.clone() } else { Sources::default() };
        if needs.maps {
            aerie_sample_town::prepare(context.pack_dir, context.data_dir)
                .map_err(|e| EngineError::Retry(e.to_string()))?;
        }
        if !sources.is_empty() {
            let cache = access::cache(context.data_dir);
            std::fs::create_dir_all(&cache).map_err(|e| retry("the cache of online sources cannot be written", &e))?;
        }
        Ok(Request {
            worker: std::process::id().cast_signed(),
            kind,
            input: input.clone(),
            data_dir: context.data_dir.to_owned(),
            pack_dir: context.pack_dir.to_owned(),
            sources,
            out_dir: context.out_dir.to_owned(),
            temp_dir,
            inputs: context.inputs.clone(),
            listing: context.listing.to_vec(),
            parent: context.parent.cloned(),
            memory: self.memory,
        })
    }

    /// Reads messages until the result, the end or cancellation.
    fn follow(&self, messages: &mpsc::Receiver<Vec<u8>>, context: &EngineContext<'_>) -> Followed {
        let mut stages = Vec::new();
        loop {
            if context.cancel.is_canceled() {
                return Followed::Canceled;
            }
            let line = match messages.recv_timeout(CANCEL_CHECK) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Followed::Closed,
            };
            match serde_json::from_slice(&line) {
                Ok(Message::Confined(applied)) => self.log(&applied),
                Ok(Message::Progress { stage, done, total }) => {
                    if is_known(&mut stages, &stage) {
                        (context.progress)(Progress { stage: &stage, done, total });
                    }
                }
                Ok(Message::Produced(produced)) => return Followed::Said(Ok(produced)),
                Ok(Message::Failed(error)) => return Followed::Said(Err(shortened(error))),
                // A driver may print to stdout.
                Err(error) => tracing::debug!(%error, "the engine wrote something else than a message"),
            }
        }
    }
}

/// An error with a message of bounded length.
fn shortened(error: EngineError) -> EngineError {
    let short = |message: String| message.chars().take(LONGEST_FAILURE).collect();
    match error {
        EngineError::Fail { code, message } => EngineError::Fail { code, message: short(message) },
        EngineError::Retry(reason) => EngineError::Retry(short(reason)),
        EngineError::Canceled => EngineError::Canceled,
    }
}

/// Whether a stage may be reported: a child that was taken over could invent names without end.
fn is_known(stages: &mut Vec<String>, stage: &str) -> bool {
    if stages.iter().any(|known| known == stage) {
        return true;
    }
    let is_name = stage.len() <= LONGEST_STAGE && stage.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
    let fits = is_name && stages.len() < MOST_STAGES;
    if fits {
        stages.push(stage.to_owned());
    }
    fits
}

fn retry(what: &str, why: &dyn std::error::Error) -> EngineError {
    EngineError::Retry(format!("{what}: {why}"))
}

/// Why a child ended without a result.
fn describe_death(status: Option<ExitStatus>, last_words: &str) -> String {
    let status =
        status.map_or_else(|| "the engine ended".to_owned(), |status| format!("the engine ended with {status}"));
    if last_words.is_empty() { status } else { format!("{status}: {last_words}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_cannot_invent_names_of_stages_without_end() {
        let mut stages = Vec::new();
        assert!(is_known(&mut stages, "reading the photo") && is_known(&mut stages, "reading the photo"));
        assert!(!is_known(&mut stages, "a{label=\"x\"}") && !is_known(&mut stages, &"a".repeat(41)));
        let invented = (b'a'..=b'z').filter(|name| is_known(&mut stages, &char::from(*name).to_string())).count();
        assert_eq!(invented, MOST_STAGES - 1);
    }
}
