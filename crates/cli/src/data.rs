//! The data folder, opened.

use std::sync::Arc;

use aerie_domain::{Clock, SystemClock};
use aerie_storage::{DayCounts, JobStore, Limiter, MediaLinks, MediaStore, SqliteStore};
use anyhow::Context;

use crate::config::Config;

/// What lies in the data folder.
pub(crate) struct Data {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) store: Arc<dyn JobStore>,
    pub(crate) media: MediaStore,
}

/// Makes the data folder if it is not there.
pub(crate) fn make_folder(data_dir: &std::path::Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(data_dir)
        .with_context(|| format!("cannot make the data folder {}; name another with --data", data_dir.display()))
}

impl Data {
    /// Opens the data folder, and makes it if it is not there.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Self> {
        let data_dir = &config.data_dir;
        make_folder(data_dir)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let database = config.database()?;
        let store = SqliteStore::open(&database, Arc::clone(&clock))
            .with_context(|| format!("cannot open the database {}", database.display()))?;
        let folder = config.media()?;
        let media =
            MediaStore::local(&folder).with_context(|| format!("cannot open the media folder {}", folder.display()))?;
        Ok(Self { clock, store: Arc::new(store), media })
    }

    /// Counts requests, from where the day's counts stand.
    pub(crate) fn limiter(&self, config: &Config) -> anyhow::Result<Limiter> {
        let file = config.data_dir.join("requests.today");
        let counts = match DayCounts::open(&file, Limiter::day_of(self.clock.now())) {
            Ok(counts) => counts,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                tracing::warn!(
                    "another server counts requests in this data folder: each holds keys to their limits apart"
                );
                DayCounts::in_memory()
            }
            Err(error) => return Err(error).with_context(|| format!("cannot open {}", file.display())),
        };
        Ok(Limiter::new(counts))
    }

    /// What signs links to media.
    pub(crate) fn links(config: &Config) -> anyhow::Result<MediaLinks> {
        let file = config.data_dir.join("media.key");
        MediaLinks::open(&file).with_context(|| format!("cannot open the secret that signs links, {}", file.display()))
    }
}
