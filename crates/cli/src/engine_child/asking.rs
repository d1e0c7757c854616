//! Tasks of `aerie-engine` that are not jobs.

use aerie_domain::Failure;
use std::path::Path;
use std::time::{Duration, Instant};

use aerie_engine_api::messages::{Message, Task};
use aerie_engine_api::{Cancel, EngineError, Progress};
use anyhow::{anyhow, bail};
use serde::de::DeserializeOwned;

use super::following::{Followed, Hooks, Surroundings, follow};

/// The answer to a task that may be canceled.
pub(crate) enum Asked<T> {
    Answered(T),
    Canceled,
}

/// Asks for something that reads files of the caller's own.
///
/// # Errors
/// When the engine reports an error.
pub(crate) fn ask<T: DeserializeOwned>(task: Task) -> anyhow::Result<T> {
    match ask_until(task, &|_| {}, &|| false)? {
        Asked::Answered(answer) => Ok(answer),
        Asked::Canceled => bail!("canceled"),
    }
}

/// The same with progress, until it is canceled.
pub(crate) fn ask_until<T: DeserializeOwned>(
    task: Task,
    progress: &dyn Fn(Progress<'_>),
    is_canceled: &dyn Fn() -> bool,
) -> anyhow::Result<Asked<T>> {
    let hooks = Hooks { confined: &|_| {}, progress, is_canceled };
    match follow(task, Path::new("."), Surroundings::OfCaller, &hooks)? {
        Followed::Said(message) => answer(message).map(Asked::Answered),
        Followed::Canceled => Ok(Asked::Canceled),
        Followed::Died(why) => bail!("{why}; see the message above and run `aerie doctor`"),
    }
}

/// Asks for something that reads files of clients: confined, with a memory limit in bytes. `folder`: for temporary files.
///
/// # Errors
/// When the engine reports an error, takes too long, or is canceled.
pub(crate) fn ask_confined<T: DeserializeOwned>(
    task: Task,
    folder: &Path,
    memory: Option<u64>,
    within: Within<'_>,
) -> anyhow::Result<T> {
    ask_in(task, folder, Surroundings::Confined { temp_dir: folder, memory }, within)
}

/// Asks for something that reads nothing of clients, without secrets in its environment. `folder`: for temporary files.
///
/// # Errors
/// As [`ask_confined`].
pub(crate) fn ask_clean<T: DeserializeOwned>(task: Task, folder: &Path, within: Within<'_>) -> anyhow::Result<T> {
    ask_in(task, folder, Surroundings::Clean { temp_dir: folder }, within)
}

/// A time limit, and what ends a task before.
#[derive(Clone, Copy)]
pub(crate) struct Within<'a> {
    pub(crate) limit: Duration,
    pub(crate) cancel: Option<&'a Cancel>,
}

impl From<Duration> for Within<'_> {
    fn from(limit: Duration) -> Self {
        Self { limit, cancel: None }
    }
}

fn ask_in<T: DeserializeOwned>(
    task: Task,
    folder: &Path,
    surroundings: Surroundings<'_>,
    Within { limit, cancel }: Within<'_>,
) -> anyhow::Result<T> {
    let deadline = Instant::now() + limit;
    let is_canceled = || Instant::now() > deadline || cancel.is_some_and(Cancel::is_canceled);
    let hooks = Hooks { confined: &|_| {}, progress: &|_| {}, is_canceled: &is_canceled };
    match follow(task, folder, surroundings, &hooks)? {
        Followed::Said(message) => answer(message),
        Followed::Canceled if Instant::now() > deadline => bail!("it takes longer than {} s", limit.as_secs()),
        Followed::Canceled => bail!("canceled"),
        Followed::Died(why) => bail!(why),
    }
}

fn answer<T: DeserializeOwned>(message: Message) -> anyhow::Result<T> {
    match message {
        Message::Answer(value) => Ok(serde_json::from_value(value)?),
        Message::Failed(EngineError::Fail(Failure { message, .. }) | EngineError::Retry(message)) => {
            Err(anyhow!(message))
        }
        Message::Failed(EngineError::Canceled) => bail!("canceled"),
        _ => bail!("unexpected message from the engine"),
    }
}
