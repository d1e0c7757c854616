//! Starts `aerie-engine` on a task and follows it to its end.

use aerie_domain::Failure;
use std::io::Write;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use aerie_confinement::Applied;
use aerie_engine_api::messages::{Message, Request, Task, VERSION};
use aerie_engine_api::{EngineError, Progress};

use super::environment::{engine_command, without_own_settings, without_secrets};
use super::lines::{read_lines, relay_to_log};
use super::process::EngineProcess;

/// Interval between checks for cancellation.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// Messages that may wait to be read; then the child waits. Few, as each may be long.
const WAITING_MESSAGES: usize = 2;
/// Maximum length of a message, bytes: an output may contain a boundary and a report. Values take up to forty times as much memory.
const MAX_MESSAGE: u64 = 4 << 20;
/// The same for the user of the command line, whose own files these are: a whole place.
const MAX_OWN_MESSAGE: u64 = 1 << 30;
/// Maximum length of the name of a stage, and maximum number of different ones: each is a label of the metrics.
const MAX_STAGE: usize = 40;
const MAX_STAGES: usize = 16;
/// Maximum length of a failure's message to the client or to the log, characters.
const MAX_FAILURE: usize = 2000;
/// Time limit for an import to clean up after it was canceled.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// The rights and the environment of a task.
#[derive(Clone, Copy)]
pub(super) enum Surroundings<'a> {
    /// Confined to the files of the task, with a memory limit in bytes, no secret in its environment and its temporary files in a folder. Its
    /// stderr goes to the log.
    Confined { temp_dir: &'a Path, memory: Option<u64> },
    /// The same, but not confined: a task that reads no file of clients.
    Clean { temp_dir: &'a Path },
    /// Those of this process, for the user of the command line.
    OfCaller,
}

/// Functions that are called while a task runs.
pub(super) struct Hooks<'a> {
    /// Gets the confinement that is in force.
    pub(super) confined: &'a dyn Fn(&Applied),
    /// Gets the progress.
    pub(super) progress: &'a dyn Fn(Progress<'_>),
    /// Returns whether the task is canceled.
    pub(super) is_canceled: &'a dyn Fn() -> bool,
}

/// How following a task ended.
pub(super) enum Followed {
    /// It reported its result: any message but those of [`Hooks`].
    Said(Message),
    /// It was canceled.
    Canceled,
    /// It ended without a result, and why.
    Died(String),
}

/// Runs a task in a child process, on this thread. `folder` shows in lists of processes what the child belongs to.
///
/// # Errors
/// When it cannot be started.
pub(super) fn follow(
    task: Task,
    folder: &Path,
    surroundings: Surroundings<'_>,
    hooks: &Hooks<'_>,
) -> std::io::Result<Followed> {
    // An import is canceled by closing its stdin, so that it can clean up.
    let ends_itself = matches!(task, Task::Import(_));
    // Drivers print what is no error, each time that they are checked.
    let level = if matches!(task, Task::Job(_)) { tracing::Level::WARN } else { tracing::Level::DEBUG };
    let mut command = engine_command()?;
    command.args(["run", task.name(), "--data"]).arg(folder);
    let (is_confined, memory) = match surroundings {
        Surroundings::Confined { temp_dir, memory } => {
            without_secrets(&mut command, temp_dir).current_dir(temp_dir).stderr(Stdio::piped());
            (true, memory)
        }
        Surroundings::Clean { temp_dir } => {
            without_secrets(&mut command, temp_dir).stderr(Stdio::piped());
            (false, None)
        }
        Surroundings::OfCaller => {
            without_own_settings(&mut command);
            (false, None)
        }
    };
    let caller = std::process::id().cast_signed();
    let request = Request { version: VERSION.to_owned(), caller, is_confined, memory, task };
    let mut line = serde_json::to_vec(&request)?;
    line.push(b'\n');
    let mut engine = EngineProcess::start(&mut command)?;
    let (stdin, stdout, stderr) = engine.take_pipes();
    let longest = if is_confined { MAX_MESSAGE } else { MAX_OWN_MESSAGE };
    let (sender, messages) = mpsc::sync_channel(WAITING_MESSAGES);
    // Held until it is to end.
    let (hold, held) = mpsc::channel::<()>();
    let span = tracing::Span::current();
    Ok(std::thread::scope(|scope| {
        scope.spawn(move || {
            let Some(mut stdin) = stdin else { return };
            // A child that does not read it has died, which its exit status says.
            let _ = stdin.write_all(&line);
            if ends_itself {
                let _ = held.recv();
            }
        });
        scope.spawn(move || read_lines(stdout, longest, |line| sender.send(line).is_ok()));
        let complaints = scope.spawn(move || span.in_scope(|| relay_to_log(stderr, level)));
        let mut said = listen(&messages, is_confined, hooks);
        drop(hold);
        if ends_itself && matches!(said, Said::Canceled) {
            let deadline = Instant::now() + STOP_LIMIT;
            let late = Hooks { is_canceled: &|| Instant::now() > deadline, ..*hooks };
            // It may have finished at the same time.
            if let message @ Said::Message(Message::Answer(_)) = listen(&messages, is_confined, &late) {
                said = message;
            }
        }
        drop(messages);
        // Ends its encoder, too. From here on, nothing changes its files.
        let status = engine.end(matches!(said, Said::Nothing));
        let last_words = complaints.join().unwrap_or_default();
        match said {
            Said::Message(message) => Followed::Said(message),
            Said::Canceled => Followed::Canceled,
            Said::Nothing => Followed::Died(describe_death(status, &last_words)),
        }
    }))
}

/// What a child said last.
enum Said {
    Message(Message),
    Canceled,
    /// It closed its output without a result.
    Nothing,
}

/// Reads messages until the result, the end or cancellation.
fn listen(messages: &mpsc::Receiver<Vec<u8>>, is_confined: bool, hooks: &Hooks<'_>) -> Said {
    let mut stages = Vec::new();
    loop {
        if (hooks.is_canceled)() {
            return Said::Canceled;
        }
        let line = match messages.recv_timeout(CANCEL_CHECK) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Said::Nothing,
        };
        match serde_json::from_slice(&line) {
            Ok(Message::Confined(applied)) => (hooks.confined)(&applied),
            Ok(Message::Progress { stage, done, total }) => {
                if !is_confined || is_known(&mut stages, &stage) {
                    (hooks.progress)(Progress { stage: &stage, done, total });
                }
            }
            Ok(Message::Failed(error)) if is_confined => return Said::Message(Message::Failed(shortened(error))),
            Ok(result) => return Said::Message(result),
            // A driver may print to stdout.
            Err(error) => tracing::debug!(%error, "the engine wrote something else than a message"),
        }
    }
}

/// An error with a message of bounded length.
fn shortened(error: EngineError) -> EngineError {
    let short = |message: String| message.chars().take(MAX_FAILURE).collect();
    match error {
        EngineError::Fail(failure) => EngineError::Fail(Failure { message: short(failure.message), ..failure }),
        EngineError::Retry(reason) => EngineError::Retry(short(reason)),
        EngineError::Canceled => EngineError::Canceled,
    }
}

/// Whether a stage may be reported: a child that was taken over could invent names without end.
fn is_known(stages: &mut Vec<String>, stage: &str) -> bool {
    if stages.iter().any(|known| known == stage) {
        return true;
    }
    let is_name = stage.len() <= MAX_STAGE && stage.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
    let fits = is_name && stages.len() < MAX_STAGES;
    if fits {
        stages.push(stage.to_owned());
    }
    fits
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
        assert_eq!(invented, MAX_STAGES - 1);
    }
}
