//! Messages to the caller.

use std::io::Write;

use aerie_engine_api::messages::Message;

/// Sends a message as a line of JSON.
pub(crate) fn send(message: &Message) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&line)?;
    Ok(stdout.flush()?)
}

/// Sends how far a task is. If nobody reads it any more, the caller has ended, and the kernel ends this process.
pub(crate) fn progress(stage: String, done: u64, total: u64) {
    let _ = send(&Message::Progress { stage, done, total });
}
