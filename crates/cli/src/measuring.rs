//! Measuring a boundary in a child process of the server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aerie_api::{BadPolygon, DrawnOn, Measuring};
use aerie_engine_api::messages::{DrawnBoundary, Task};
use aerie_engine_api::{BAD_POLYGON, Cancel};
use aerie_storage::MediaStore;
use anyhow::Context;
use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use crate::engine_child::{Within, ask_confined};

/// Timeout of a child process.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long an annotation waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum number of children at once: each uses one core.
const AT_ONCE: usize = 2;

/// Measures on copies of the pictures.
pub(crate) struct InChild {
    media: MediaStore,
    data_dir: PathBuf,
    turns: Arc<Semaphore>,
}

impl InChild {
    pub(crate) fn new(media: MediaStore, data_dir: &Path) -> Self {
        Self { media, data_dir: data_dir.to_owned(), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    async fn run(&self, drawn: &DrawnOn) -> anyhow::Result<Map<String, Value>> {
        let turns = Arc::clone(&self.turns);
        let turn = tokio::time::timeout(TURN_TIMEOUT, turns.acquire_owned())
            .await
            .context("too many annotations are waiting")??;
        let folder = tempfile::Builder::new().prefix("measure-").tempdir_in(&self.data_dir)?;
        let [annotated, clean, ground] = ["annotated", "clean", "ground.json"].map(|name| folder.path().join(name));
        self.media.media_fetch(&drawn.annotated, &annotated).await?;
        self.media.media_fetch(&drawn.clean, &clean).await?;
        let transform = match &drawn.ground {
            Some(transform) => {
                tokio::fs::write(&ground, transform.to_string()).await?;
                Some(ground)
            }
            None => None,
        };
        let task = Task::MeasureBoundary(DrawnBoundary { annotated, clean, transform, polygon: drawn.polygon.clone() });
        // A client that hangs up ends the child.
        let cancel = Cancel::default();
        let _canceling = cancel.on_drop();
        let measure = move || {
            // Held, with the folder, until the child has ended.
            let _turn = turn;
            ask_confined(task, folder.path(), None, Within { limit: TIMEOUT, cancel: Some(&cancel) })
        };
        tokio::task::spawn_blocking(measure).await?
    }
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
