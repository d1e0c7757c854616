//! Background checks of the server: whether it is ready to work, and how full the disk is.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_api::{Check, Readiness};
use aerie_engine_api::Finding;
use aerie_engine_api::messages::Task;
use aerie_storage::{Capacity, Limiter, MaintenanceStore, MediaStore, Store, StoreError};
use tokio::task::{JoinHandle, JoinSet};

use crate::config::{Config, Database, MediaPlace};
use crate::data::check_bucket;
use crate::engine_child::ask_confined;
use crate::probe;
use crate::registration::unique_name;
use crate::sweeping::Sweeper;

/// Interval and timeout of the checks that the database and the disk can be used. The first check delays the start.
const STORAGE_EVERY: Duration = Duration::from_secs(5);
const STORAGE_TIMEOUT: Duration = Duration::from_secs(15);
const FIRST_TIMEOUT: Duration = Duration::from_secs(3);

/// The same where database or media are on another machine, which answers soon or not at all: a server that cannot reach it
/// is not ready within five seconds.
const REMOTE_EVERY: Duration = Duration::from_secs(2);
const REMOTE_TIMEOUT: Duration = Duration::from_millis(2500);

/// Of so many checks of a bucket, one writes, about twice in an hour: services charge more for that, and a bucket may keep every
/// version. After a write that failed, every check writes until one succeeds.
const WRITES_EVERY: u32 = 900;

/// The same for a worker on other machines' services: it does not receive requests, and there are many of them.
const WORKER_EVERY: Duration = Duration::from_secs(10);

/// Interval and time limit of the check of the whole database.
const VERIFY_EVERY: Duration = Duration::from_secs(24 * 60 * 60);
const VERIFY_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// Time limit of the check of a database of a fleet, which one process reads for all; and how often the others ask whether it
/// is their turn.
const VERIFY_SHARED_TIMEOUT: Duration = Duration::from_secs(6 * 60 * 60);
const VERIFY_RETRY: Duration = Duration::from_secs(60 * 60);

/// Interval and timeout of the check of encoder and renderer.
const ENGINES_EVERY: Duration = Duration::from_secs(60);
const ENGINES_TIMEOUT: Duration = Duration::from_secs(45);

/// Measuring the media takes at most one fiftieth of the time, with a minimum wait in between.
const MEASURING_SHARE: u32 = 50;
const MEASURED_EVERY: Duration = Duration::from_secs(10);

/// Interval between removals of counts that no longer matter.
const LIMITER_EVERY: Duration = Duration::from_secs(60);

/// Runs the checks until it is dropped.
pub(crate) struct Watching {
    _tasks: JoinSet<()>,
}

impl Watching {
    /// Starts the checks, after the first check of database and disk; encoder and renderer are checked only if this server
    /// runs workers.
    pub(crate) async fn start(
        store: &Arc<dyn Store>,
        limiter: &Arc<dyn Limiter>,
        config: &Config,
        capacity: &Arc<Capacity>,
        readiness: &Arc<Readiness>,
        sweeper: Sweeper,
    ) -> anyhow::Result<Self> {
        let storage = Storage::start(store, config, &sweeper.media, readiness).await?;
        let mut tasks = JoinSet::new();
        let is_shared = matches!(config.database()?, Database::Postgres(_));
        let duty = is_shared.then(|| unique_name(&*sweeper.clock));
        tasks.spawn(verify_database(Arc::clone(&storage.store), Arc::clone(readiness), duty));
        tasks.spawn(storage.watch());
        // Listing a bucket takes long, and only a budget needs the sum.
        if let Some(media) = &sweeper.local_media {
            tasks.spawn(measure_media(media.store().clone(), Arc::clone(capacity)));
        }
        tasks.spawn(sweeper.run());
        tasks.spawn(sweep_limiter(Arc::clone(limiter)));
        if config.workers > 0 {
            tasks.spawn(watch_engines(Arc::clone(readiness)));
        }
        Ok(Self { _tasks: tasks })
    }

    /// Starts the checks of a worker: those of what its jobs need.
    pub(crate) async fn start_worker(
        store: &Arc<dyn Store>,
        config: &Config,
        media: &MediaStore,
        readiness: &Arc<Readiness>,
    ) -> anyhow::Result<Self> {
        let mut storage = Storage::start(store, config, media, readiness).await?;
        storage.every = storage.every.max(WORKER_EVERY);
        let mut tasks = JoinSet::new();
        tasks.spawn(storage.watch());
        tasks.spawn(watch_engines(Arc::clone(readiness)));
        Ok(Self { _tasks: tasks })
    }
}

/// The database, the folders that requests and jobs write to, and the bucket.
struct Storage {
    store: Arc<dyn MaintenanceStore>,
    folders: Vec<PathBuf>,
    bucket: Option<Arc<(MediaPlace, MediaStore)>>,
    /// Interval and timeout of the checks.
    every: Duration,
    timeout: Duration,
    probe: Running,
    using: Running,
    reaching: Running,
    writes: Writes,
    readiness: Arc<Readiness>,
}

impl Storage {
    /// Checks them for the first time.
    async fn start(
        store: &Arc<dyn Store>,
        config: &Config,
        media: &MediaStore,
        readiness: &Arc<Readiness>,
    ) -> anyhow::Result<Self> {
        let place = config.media()?;
        let bucket = matches!(place, MediaPlace::Bucket(_)).then(|| Arc::new((place, media.clone())));
        let is_remote = bucket.is_some() || matches!(config.database()?, Database::Postgres(_));
        let (every, timeout) =
            if is_remote { (REMOTE_EVERY, REMOTE_TIMEOUT) } else { (STORAGE_EVERY, STORAGE_TIMEOUT) };
        let mut storage = Self {
            store: Arc::clone(store) as Arc<dyn MaintenanceStore>,
            folders: probe::written_folders(config),
            bucket,
            every,
            timeout,
            probe: Running::default(),
            using: Running::default(),
            reaching: Running::default(),
            writes: Writes::default(),
            readiness: Arc::clone(readiness),
        };
        storage.check(FIRST_TIMEOUT).await;
        Ok(storage)
    }

    async fn watch(mut self) {
        loop {
            tokio::time::sleep(self.every).await;
            self.check(self.timeout).await;
        }
    }

    /// Reads and writes what requests read and write.
    async fn check(&mut self, timeout: Duration) {
        let folders = self.folders.clone();
        let probe = || tokio::task::spawn_blocking(move || probe::check(&folders));
        let store = Arc::clone(&self.store);
        let using = || tokio::spawn(async move { store.store_check_use().await.err().map(|error| error.to_string()) });
        let (bucket, writes) = (self.bucket.clone(), &mut self.writes);
        let reaching = || {
            let is_due = writes.begin();
            tokio::spawn(async move {
                let (place, media) = &*bucket?;
                check_bucket(place, media, is_due).await.err()
            })
        };
        let (database, disk, media) = tokio::join!(
            self.using.fault(timeout, using),
            self.probe.fault(timeout, probe),
            self.reaching.fault(timeout, reaching),
        );
        if self.reaching.task.is_none() {
            self.writes.ended(media.is_none());
        }
        note(&self.readiness, Check::Database, database.as_deref());
        note(&self.readiness, Check::Disk, disk.as_deref());
        note(&self.readiness, Check::Media, media.as_deref());
    }
}

/// A check that may hang. It is not joined by others then, and what it finds in the end is of the past: an answer that was held up
/// on its way says nothing of now.
#[derive(Debug, Default)]
struct Running {
    task: Option<JoinHandle<Option<String>>>,
    /// Whether it has taken too long already.
    is_late: bool,
}

impl Running {
    /// What is at fault, by the check that runs, or by a new one.
    async fn fault(&mut self, timeout: Duration, begin: impl FnOnce() -> JoinHandle<Option<String>>) -> Option<String> {
        if self.task.take_if(|task| task.is_finished()).is_some() {
            self.is_late = false;
        }
        let slow = || Some(format!("takes longer than {timeout:?}"));
        let Ok(ended) = tokio::time::timeout(timeout, self.task.get_or_insert_with(begin)).await else {
            self.is_late = true;
            return slow();
        };
        self.task = None;
        let was_late = std::mem::take(&mut self.is_late);
        ended.unwrap_or_else(|error| Some(error.to_string())).or_else(|| if was_late { slow() } else { None })
    }
}

/// Which checks of a bucket write.
#[derive(Debug, Default)]
struct Writes {
    /// Checks since the last write that succeeded.
    since: Option<u32>,
    is_writing: bool,
}

impl Writes {
    /// Begins a check; returns whether it writes.
    fn begin(&mut self) -> bool {
        self.since = self.since.map(|since| since + 1);
        self.is_writing = self.since.is_none_or(|since| since >= WRITES_EVERY);
        self.is_writing
    }

    /// Ends a check that found the bucket in order, or not.
    fn ended(&mut self, is_ok: bool) {
        if self.is_writing {
            self.since = is_ok.then_some(0);
        }
    }
}

/// Checks the whole database at the start, and every day. `holder`: the name of this process where others read the same
/// database; then one of them checks it every day.
async fn verify_database(store: Arc<dyn MaintenanceStore>, readiness: Arc<Readiness>, holder: Option<String>) {
    let limit = if holder.is_some() { VERIFY_SHARED_TIMEOUT } else { VERIFY_TIMEOUT };
    loop {
        let is_due = match &holder {
            None => true,
            Some(holder) => store.duty_acquire("verify", holder, VERIFY_EVERY).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "cannot find out whether the whole database is to be checked");
                false
            }),
        };
        if !is_due {
            tokio::time::sleep(VERIFY_RETRY).await;
            continue;
        }
        match tokio::time::timeout(limit, store.store_verify()).await {
            Ok(Ok(())) => {}
            // The store remembers it: the next check of its use fails as well.
            Ok(Err(error @ StoreError::Corrupt(_))) => note(&readiness, Check::Database, Some(&error.to_string())),
            Ok(Err(error)) => tracing::warn!(%error, "the whole database could not be checked"),
            Err(_) => tracing::warn!("the check of the whole database was stopped after {limit:?}"),
        }
        tokio::time::sleep(VERIFY_EVERY).await;
    }
}

async fn sweep_limiter(limiter: Arc<dyn Limiter>) {
    loop {
        tokio::time::sleep(LIMITER_EVERY).await;
        if let Err(error) = limiter.limiter_sweep().await {
            tracing::warn!(%error, "counts of requests that no longer matter could not be removed");
        }
    }
}

async fn measure_media(media: MediaStore, capacity: Arc<Capacity>) {
    loop {
        let started = Instant::now();
        match media.media_size().await {
            Ok(size) => capacity.set_media_size(size),
            Err(error) => tracing::warn!(%error, "the size of the media could not be measured"),
        }
        tokio::time::sleep((started.elapsed() * MEASURING_SHARE).max(MEASURED_EVERY)).await;
    }
}

async fn watch_engines(readiness: Arc<Readiness>) {
    loop {
        // Retry once: a check that was killed says nothing about the engines.
        let found = match check_engines().await {
            Err(_) => check_engines().await,
            found => found,
        };
        for (check, what) in [(Check::Encoder, "encoder"), (Check::Renderer, "graphics device")] {
            let fault = match &found {
                Ok(found) => match found.iter().find(|found| found.what == what) {
                    Some(found) if found.ok => None,
                    Some(found) => Some(found.found.clone()),
                    None => Some("not checked".to_owned()),
                },
                Err(error) => Some(format!("{error:#}")),
            };
            note(&readiness, check, fault.as_deref());
        }
        tokio::time::sleep(ENGINES_EVERY).await;
    }
}

/// Checks them in a child process, because a crashing graphics driver takes its process down.
async fn check_engines() -> anyhow::Result<Vec<Finding>> {
    let check = || ask_confined(Task::CheckMachine, &std::env::temp_dir(), None, ENGINES_TIMEOUT.into());
    tokio::task::spawn_blocking(check).await?
}

fn note(readiness: &Readiness, check: Check, fault: Option<&str>) {
    if !readiness.found(check, fault.is_none()) {
        return;
    }
    let check = check.as_str();
    match fault {
        Some(fault) => tracing::warn!(check, fault, "not ready"),
        None => tracing::info!(check, "ready again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_check_that_hung_finds_in_the_end_is_not_what_is_found_now() {
        let [soon, enough] = [Duration::from_millis(1), Duration::from_secs(60)];
        let finding = |fault: Option<&'static str>| move || tokio::spawn(async move { fault.map(str::to_owned) });
        let hanging = || {
            let (release, released) = tokio::sync::oneshot::channel::<()>();
            let task = tokio::spawn(async move {
                released.await.ok();
                None
            });
            (release, || task)
        };
        let mut running = Running::default();
        assert_eq!(running.fault(enough, finding(None)).await, None);
        assert_eq!(running.fault(enough, finding(Some("full"))).await.as_deref(), Some("full"));
        // It hangs, and answers during the next check.
        let (release, begin) = hanging();
        assert!(running.fault(soon, begin).await.is_some());
        release.send(()).expect("it waits");
        assert!(running.fault(enough, finding(None)).await.is_some());
        assert_eq!(running.fault(enough, finding(None)).await, None);
        // It hangs, and answers between two checks.
        let (release, begin) = hanging();
        assert!(running.fault(soon, begin).await.is_some());
        release.send(()).expect("it waits");
        while !running.task.as_ref().expect("it hung").is_finished() {
            tokio::task::yield_now().await;
        }
        assert_eq!(running.fault(enough, finding(Some("full"))).await.as_deref(), Some("full"));
    }

    #[test]
    fn after_a_failed_write_every_check_of_a_bucket_writes_until_one_succeeds_and_then_few_do() {
        let mut writes = Writes::default();
        for is_ok in [false, false, true] {
            assert!(writes.begin());
            writes.ended(is_ok);
        }
        // What fails when nothing is written is no failed write.
        for check in 1..WRITES_EVERY {
            assert!(!writes.begin(), "{check}");
            writes.ended(check % 7 != 0);
        }
        assert!(writes.begin());
    }
}
