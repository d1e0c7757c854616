//! Runs the engine of a job. `aerie` kills the process to cancel the run.

use aerie_engine_api::messages::{JobRun, Message};
use aerie_engine_api::{Cancel, EngineContext, Progress};

use crate::report;

pub(super) fn run(job: &JobRun) -> Message {
    let progress = |Progress { stage, done, total }: Progress<'_>| report::progress(stage.to_owned(), done, total);
    let context = EngineContext {
        data_dir: &job.data_dir,
        pack_dir: &job.pack_dir,
        sources: &job.sources,
        out_dir: &job.out_dir,
        inputs: &job.inputs,
        listing: &job.listing,
        parent: job.parent.as_ref(),
        progress: &progress,
        cancel: &Cancel::default(),
    };
    match aerie_engines::run(&job.input, &context) {
        Ok(produced) => Message::Produced(produced),
        Err(error) => Message::Failed(error),
    }
}
