//! Measuring a boundary in a child process of the server.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use aerie_api::{BadPolygon, DrawnOn, Measuring};
use aerie_storage::MediaStore;
use anyhow::{Context, bail, ensure};
use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

use crate::engine_child::{environment, this_program};

/// Timeout of a child process.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long an annotation waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum length of what a child prints to stdout and to stderr, bytes.
const LONGEST_RESULT: u64 = 4 << 20;
const LONGEST_COMPLAINT: u64 = 2000;

/// The member of a child's result that says what is wrong with a polygon.
pub(crate) const BAD_POLYGON: &str = "bad_polygon";

/// Maximum number of children at once: each uses one core.
const AT_ONCE: usize = 2;

/// Runs `aerie measure-boundary` on copies of the pictures.
pub(crate) struct InChild {
    media: MediaStore,
    data_dir: PathBuf,
    turns: Semaphore,
}

impl InChild {
    pub(crate) fn new(media: MediaStore, data_dir: &Path) -> Self {
        Self { media, data_dir: data_dir.to_owned(), turns: Semaphore::new(AT_ONCE) }
    }

    async fn run(&self, drawn: &DrawnOn) -> anyhow::Result<Map<String, Value>> {
        let _turn = tokio::time::timeout(TURN_TIMEOUT, self.turns.acquire())
            .await
            .context("too many annotations are waiting")??;
        let folder = tempfile::Builder::new().prefix("measure-").tempdir_in(&self.data_dir)?;
        let [annotated, clean, ground] = ["annotated", "clean", "ground.json"].map(|name| folder.path().join(name));
        self.media.media_fetch(&drawn.annotated, &annotated).await?;
        self.media.media_fetch(&drawn.clean, &clean).await?;
        let mut command = Command::new(this_program());
        command.arg0("aerie").env_clear().envs(environment(folder.path()));
        command.arg("measure-boundary").arg(&annotated).arg(&clean);
        if let Some(transform) = &drawn.ground {
            tokio::fs::write(&ground, transform.to_string()).await?;
            command.arg("--transform").arg(&ground);
        }
        if let Some(polygon) = &drawn.polygon {
            command.arg("--polygon").arg(serde_json::to_string(polygon)?);
        }
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn()?;
        tokio::time::timeout(TIMEOUT, result(child)).await.context("measuring takes too long")?
    }
}

/// Reads what a child prints, within limits: one that was taken over could print without end.
async fn result(mut child: Child) -> anyhow::Result<Map<String, Value>> {
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        bail!("no pipe to the child")
    };
    let (mut result, mut complaint) = (Vec::new(), Vec::new());
    let (mut stdout, mut stderr) = (stdout.take(LONGEST_RESULT + 1), stderr.take(LONGEST_COMPLAINT));
    tokio::try_join!(stdout.read_to_end(&mut result), stderr.read_to_end(&mut complaint))?;
    ensure!(result.len() as u64 <= LONGEST_RESULT, "the child printed more than a boundary");
    // So that a child that waits for its pipes to be read ends.
    drop((stdout, stderr));
    let status = child.wait().await?;
    ensure!(status.success(), "the child ended with {status}: {}", String::from_utf8_lossy(&complaint).trim());
    Ok(serde_json::from_slice(&result)?)
}

#[async_trait]
impl Measuring for InChild {
    async fn measure(&self, drawn: &DrawnOn) -> Result<Map<String, Value>, BadPolygon> {
        let fields = self.run(drawn).await.unwrap_or_else(|error| {
            tracing::warn!(error = format!("{error:#}"), "cannot measure a boundary");
            let fields = [("boundary", Value::Null), ("boundary_reason", "not_measured".into())];
            fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
        });
        match fields.get(BAD_POLYGON).and_then(Value::as_str) {
            Some(why) => Err(BadPolygon(why.to_owned())),
            None => Ok(fields),
        }
    }
}
