//! Measuring a boundary in a child process of the server.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use aerie_api::{DrawnOn, Measuring};
use aerie_storage::MediaStore;
use anyhow::{Context, ensure};
use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::process::Command;
use tokio::sync::Semaphore;

/// Timeout of a child process.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long an annotation waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);

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
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("measure-boundary").arg(&annotated).arg(&clean);
        if let Some(transform) = &drawn.ground {
            tokio::fs::write(&ground, transform.to_string()).await?;
            command.arg("--transform").arg(&ground);
        }
        let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true).output();
        let ended = tokio::time::timeout(TIMEOUT, child).await.context("measuring takes too long")??;
        let stderr = String::from_utf8_lossy(&ended.stderr);
        ensure!(ended.status.success(), "the child ended with {}: {}", ended.status, stderr.trim());
        Ok(serde_json::from_slice(&ended.stdout)?)
    }
}

#[async_trait]
impl Measuring for InChild {
    async fn measure(&self, drawn: &DrawnOn) -> Map<String, Value> {
        self.run(drawn).await.unwrap_or_else(|error| {
            tracing::warn!(error = format!("{error:#}"), "cannot measure a boundary");
            let fields = [("boundary", Value::Null), ("boundary_reason", "not_measured".into())];
            fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
        })
    }
}
