//! The result that a child prints as JSON, read within limits.

use anyhow::{bail, ensure};
use serde::de::DeserializeOwned;
use tokio::io::AsyncReadExt;
use tokio::process::Child;

/// Maximum length of what a child prints to stdout and to stderr, bytes.
const LONGEST_RESULT: u64 = 4 << 20;
const LONGEST_COMPLAINT: u64 = 2000;

/// Reads the JSON that a child prints, and waits for its end. A child that was taken over could print without end.
///
/// # Errors
/// When it prints too much or something else, or fails.
pub(crate) async fn printed<T: DeserializeOwned>(mut child: Child) -> anyhow::Result<T> {
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        bail!("no pipe to the child")
    };
    let (mut result, mut complaint) = (Vec::new(), Vec::new());
    let (mut stdout, mut stderr) = (stdout.take(LONGEST_RESULT + 1), stderr.take(LONGEST_COMPLAINT));
    tokio::try_join!(stdout.read_to_end(&mut result), stderr.read_to_end(&mut complaint))?;
    ensure!(result.len() as u64 <= LONGEST_RESULT, "the child printed too much");
    // So that a child that waits for its pipes to be read ends.
    drop((stdout, stderr));
    let status = child.wait().await?;
    ensure!(status.success(), "the child ended with {status}: {}", String::from_utf8_lossy(&complaint).trim());
    Ok(serde_json::from_slice(&result)?)
}
