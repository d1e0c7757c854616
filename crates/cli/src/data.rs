//! Opens the data folder: the database, media and the secret that signs links.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use aerie_domain::{Clock, OrgId, SystemClock};
use aerie_storage::limiter::day_of;
use aerie_storage::{
    Capacity, DayCounts, Limiter, LinkSecret, LocalMedia, MediaError, MediaLinks, MediaStore, MemoryLimiter, Store,
    TenantStore,
};
use aerie_storage_postgres::{PostgresStore, TimeSource};
use aerie_storage_sqlite::SqliteStore;
use anyhow::{Context, ensure};
use rustix::fs::Mode;

use crate::config::{Config, Database, MediaPlace};

/// An open data folder.
pub(crate) struct Data {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) media: MediaStore,
    /// The same media, if they are in a folder of this machine.
    pub(crate) local_media: Option<LocalMedia>,
    /// The limiter of all servers on this database, if it has one.
    shared_limiter: Option<Arc<dyn Limiter>>,
}

/// Creates the data folder if it does not exist; only its owner can enter it.
pub(crate) fn make_folder(data_dir: &Path) -> anyhow::Result<()> {
    let create = || -> io::Result<()> {
        if data_dir.is_dir() {
            return Ok(());
        }
        if let Some(above) = data_dir.parent() {
            fs::create_dir_all(above)?;
        }
        match fs::DirBuilder::new().mode(0o700).create(data_dir) {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && data_dir.is_dir() => Ok(()),
            created => created,
        }
    };
    create()
        .with_context(|| format!("cannot create the data folder {}; use --data to choose another", data_dir.display()))
}

/// Keeps what this process and its children create from everyone but their user, whatever the umask: media, uploads and copies
/// of them belong to customers. Where the operator shares the data folder with its group, and with nobody else, the umask
/// decides for the group.
pub(crate) fn restrict_new_files(data_dir: &Path) {
    let shared = fs::metadata(data_dir).is_ok_and(|folder| folder.permissions().mode() & 0o077 & !0o020 == 0o050);
    let denied = if shared { Mode::RWXO } else { Mode::RWXG | Mode::RWXO };
    let umask = rustix::process::umask(denied);
    rustix::process::umask(umask | denied);
}

impl Data {
    /// Opens the data folder, creating it if it does not exist.
    pub(crate) async fn open(config: &Config) -> anyhow::Result<Self> {
        let data_dir = &config.data_dir;
        make_folder(data_dir)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let (store, shared_limiter) = open_store(config, &clock).await?;
        store.plan_weights_set(config.plans.weights());
        let (media, local_media) = open_media(config)?;
        Ok(Self { clock, store, media, local_media, shared_limiter })
    }

    /// Capacity of the disks that jobs and media are written to.
    pub(crate) fn capacity(&self, config: &Config) -> Capacity {
        match &self.local_media {
            Some(media) => media.capacity(&config.data_dir, config.disk_limits()),
            None => Capacity::of_folder(&config.data_dir, config.disk_limits()),
        }
    }

    /// Returns the rate limiter of all servers on the database, or opens one of this server, which continues the counts of the
    /// current day.
    pub(crate) fn limiter(&self, config: &Config) -> anyhow::Result<Arc<dyn Limiter>> {
        if let Some(shared) = &self.shared_limiter {
            return Ok(Arc::clone(shared));
        }
        let file = config.data_dir.join("requests.today");
        let counts = match DayCounts::open(&file, day_of(self.clock.now())) {
            Ok(counts) => counts,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                tracing::warn!("another server uses this data folder: each server applies rate limits separately");
                DayCounts::in_memory()
            }
            Err(error) => return Err(error).with_context(|| format!("cannot open {}", file.display())),
        };
        Ok(Arc::new(MemoryLimiter::new(counts, Arc::clone(&self.clock))))
    }

    /// Signs links to media with the configured secret, or else with the one in the database. A database that has none gets a random
    /// one.
    pub(crate) async fn links(&self, config: &Config) -> anyhow::Result<MediaLinks> {
        if let Some(secret) = config.link_secret() {
            return Ok(MediaLinks::new(secret));
        }
        let proposed = LinkSecret::generate().context("cannot generate the secret that signs links")?;
        let secret =
            self.store.link_secret_init(&proposed).await.context("cannot store the secret that signs links")?;
        Ok(MediaLinks::new(secret))
    }
}

/// Opens the media; returns the folder as well, if they are in one.
pub(crate) fn open_media(config: &Config) -> anyhow::Result<(MediaStore, Option<LocalMedia>)> {
    open_place(&config.media()?)
}

/// Opens media in a place.
pub(crate) fn open_place(place: &MediaPlace) -> anyhow::Result<(MediaStore, Option<LocalMedia>)> {
    match place {
        MediaPlace::Folder(folder) => {
            let media = LocalMedia::open(folder)
                .with_context(|| format!("cannot open the media folder {}", folder.display()))?;
            Ok((media.store().clone(), Some(media)))
        }
        MediaPlace::Bucket(place) => {
            let (bucket, access) = &**place;
            let media = aerie_storage_s3::open(bucket, access).with_context(|| format!("cannot open {bucket}"))?;
            Ok((media, None))
        }
    }
}

/// Reads from the bucket with the media, if they are in one; writes to it first if asked to, or if there is nothing to read.
///
/// # Errors
/// What is wrong, with the key to correct.
pub(crate) async fn check_bucket(place: &MediaPlace, media: &MediaStore, writes: bool) -> Result<(), String> {
    let MediaPlace::Bucket(_) = place else { return Ok(()) };
    let used = match writes {
        true => media.media_check_use().await,
        false => match media.media_check().await {
            Err(MediaError::NotFound) => media.media_check_use().await,
            read => read,
        },
    };
    used.map_err(|error| explained(place, &error))
}

/// Lists, deletes and aborts in the bucket with the media, if they are in one.
///
/// # Errors
/// What is wrong, with the key to correct.
pub(crate) async fn check_bucket_upkeep(place: &MediaPlace, media: &MediaStore) -> Result<(), String> {
    let used = media.media_check_upkeep().await;
    used.map_err(|(operation, error)| format!("cannot {operation}: {}", explained(place, &error)))
}

fn explained(place: &MediaPlace, error: &MediaError) -> String {
    let MediaPlace::Bucket(place) = place else { return error.to_string() };
    let (bucket, access) = &**place;
    aerie_storage_s3::explain(bucket, aerie_storage_s3::endpoint(access).as_deref(), error)
}

/// Opens the database, and its limiter, if several servers may share it.
async fn open_store(
    config: &Config,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<(Arc<dyn Store>, Option<Arc<dyn Limiter>>)> {
    // Only a folder can be looked into without cost; in a bucket, only what rows name is ever deleted.
    let media = config.media_folder().ok();
    match config.database()? {
        Database::Sqlite(file) => {
            if fs::metadata(&file).map_or(true, |file| file.len() == 0) {
                refuse_lost_database(&file.display(), "missing or empty", media.as_deref())?;
            }
            let store = SqliteStore::open(&file, Arc::clone(clock))
                .with_context(|| format!("cannot open the database {}", file.display()))?;
            Ok((Arc::new(store), None))
        }
        Database::Postgres(url) => {
            let context = || format!("cannot open the database {url}");
            let opened = PostgresStore::open(&url, config.connections(), TimeSource::Database).await;
            let store = opened.with_context(context)?;
            if store.org_list().await.with_context(context)?.is_empty() {
                refuse_lost_database(&url, "without organizations", media.as_deref())?;
            }
            let store = Arc::new(store);
            Ok((Arc::clone(&store) as Arc<dyn Store>, Some(store)))
        }
    }
}

/// Fails if there are media although the database is new: it knows none of them, and the next sweep would delete them.
fn refuse_lost_database(database: &dyn std::fmt::Display, state: &str, media: Option<&Path>) -> anyhow::Result<()> {
    let Some(media) = media else { return Ok(()) };
    let has_media = fs::read_dir(media).is_ok_and(|mut entries| {
        entries.any(|entry| {
            entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(|name| name.parse::<OrgId>().is_ok()))
        })
    });
    ensure!(
        !has_media,
        "the database {database} is lost or corrupt: it is {state}, but there are media in {}; restore a backup, or move the \
         media away to start anew",
        media.display()
    );
    Ok(())
}
