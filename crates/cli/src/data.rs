//! Opening the data folder.

use std::sync::Arc;

use aerie_domain::{Clock, SystemClock};
use aerie_storage::{DayCounts, JobStore, Limiter, MediaLinks, MediaStore, SqliteStore};
use anyhow::Context;

use crate::config::Config;

/// Contents of the data folder.
pub(crate) struct Data {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) store: Arc<dyn JobStore>,
    pub(crate) media: MediaStore,
}

/// Creates the data folder if it does not exist.
pub(crate) fn make_folder(data_dir: &std::path::Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(data_dir)
        .with_context(|| format!("cannot create the data folder {}; use --data to choose another", data_dir.display()))
}

impl Data {
    /// Opens the data folder, creating it if it does not exist.
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

    /// Opens the rate limiter, continuing the counts of the current day.
    pub(crate) fn limiter(&self, config: &Config) -> anyhow::Result<Limiter> {
        let file = config.data_dir.join("requests.today");
        let counts = match DayCounts::open(&file, Limiter::day_of(self.clock.now())) {
            Ok(counts) => counts,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                tracing::warn!("another server uses this data folder: each server applies rate limits separately");
                DayCounts::in_memory()
            }
            Err(error) => return Err(error).with_context(|| format!("cannot open {}", file.display())),
        };
        Ok(Limiter::new(counts))
    }

    /// Opens the key that signs links to media.
    pub(crate) fn links(config: &Config) -> anyhow::Result<MediaLinks> {
        let file = config.data_dir.join("media.key");
        MediaLinks::open(&file)
            .with_context(|| format!("cannot open {}, the key that signs media links", file.display()))
    }
}
