//! Suggesting addresses on threads of their own, each with the map open.
//!
//! The map is that of the engines: the published pack, or else what was imported into the data folder, or else the sample town. A map
//! that replaces another one is opened by the next request. Of a published pack that no worker keeps in the data folder, the database
//! with the addresses is fetched to `addresses/SHA256`.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aerie_api::{
    AddressMap, AddressPlan, Addresses, NoSuggestions, SuggestedAddress, SuggestedPrecision, Suggestions, TypedAddress,
};
use aerie_domain::ContentHash;
use aerie_engine_api::SampleTown;
use aerie_geocode::{Suggestion, SuggestionKind, suggest};
use aerie_geodata::place::GeoPoint;
use aerie_geodata::{GeodataError, Pack, Plan, pack};
use aerie_storage::pack_files::{fetch_file, fetch_manifest};
use aerie_storage::{MediaStore, Store};
use anyhow::Context;
use async_trait::async_trait;
use tokio::sync::{Semaphore, mpsc, oneshot};

/// Number of threads.
const THREADS: usize = 2;
/// Folder in the data folder for the addresses of published packs.
const FETCHED: &str = "addresses";
/// Time until another attempt to fetch them.
const RETRY: Duration = Duration::from_secs(30);
/// How far the plan of a house reaches in each direction, meters.
const PLAN_REACH: f64 = 40.0;
/// Maximum number of requests that wait for a thread.
const MAX_WAITING: usize = 64;

/// Builds the sample town in a data folder, if it is missing.
type BuildSampleTown = fn(&Path) -> anyhow::Result<SampleTown>;

/// A request with where to send its answer.
struct Typed {
    typed: TypedAddress,
    published: Option<ContentHash>,
    answer: oneshot::Sender<Result<Suggestions, NoSuggestions>>,
}

/// Threads that suggest addresses. They end when this is dropped.
pub(crate) struct OnThreads {
    store: Arc<dyn Store>,
    typed: mpsc::Sender<Typed>,
    fetching: Arc<Fetching>,
}

impl OnThreads {
    pub(crate) fn start(
        store: &Arc<dyn Store>,
        media: &MediaStore,
        data_dir: &Path,
        sample_town: BuildSampleTown,
    ) -> io::Result<Self> {
        let (typed, waiting) = mpsc::channel::<Typed>(MAX_WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..THREADS {
            let waiting = Arc::clone(&waiting);
            let data_dir = data_dir.to_owned();
            std::thread::Builder::new().name("addresses".to_owned()).spawn(move || {
                let mut map = Map { data_dir, sample_town, open: None };
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
                    let Some(typed) = next else { return };
                    // Who types on has sent another request.
                    if !typed.answer.is_closed() {
                        let _ = typed.answer.send(map.suggest(&typed.typed, typed.published));
                    }
                }
            })?;
        }
        let fetching = Fetching { media: media.clone(), folder: data_dir.join(FETCHED), turn: Semaphore::new(1) };
        Ok(Self { store: Arc::clone(store), typed, fetching: Arc::new(fetching) })
    }
}

#[async_trait]
impl Addresses for OnThreads {
    async fn suggest(&self, typed: TypedAddress) -> Result<Suggestions, NoSuggestions> {
        let current = self.store.pack_current().await;
        let published = current.map_err(|error| NoSuggestions::Failed(error.to_string()))?;
        let (answer, answered) = oneshot::channel();
        let typed = Typed { typed, published, answer };
        self.typed.try_send(typed).map_err(|_| NoSuggestions::Busy)?;
        let found = answered
            .await
            .map_err(|_| NoSuggestions::Failed("the threads that suggest addresses have ended".to_owned()))?;
        if let (Ok(Suggestions { map: None, .. }), Some(pack)) = (&found, published) {
            self.fetching.begin(pack);
        }
        found
    }
}

/// Fetches the addresses of a published pack to an API node that has no worker.
struct Fetching {
    media: MediaStore,
    /// The folder with the packs.
    folder: PathBuf,
    /// Taken while one is fetched, and for a while after it could not be.
    turn: Semaphore,
}

impl Fetching {
    fn begin(self: &Arc<Self>, pack: ContentHash) {
        let fetching = Arc::clone(self);
        tokio::spawn(async move {
            let Ok(_turn) = fetching.turn.try_acquire() else { return };
            if let Err(error) = fetching.fetch(pack).await {
                tracing::warn!(%pack, error = format!("{error:#}"), "cannot fetch the addresses of the published pack");
                tokio::time::sleep(RETRY).await;
            }
        });
    }

    async fn fetch(&self, id: ContentHash) -> anyhow::Result<()> {
        let place = pack::region_folder(&self.folder.join(id.to_string()));
        if place.join(pack::FILE).exists() {
            return Ok(());
        }
        let manifest = fetch_manifest(&self.media, id).await?;
        let name = pack::region_folder(Path::new("")).join(pack::FILE);
        let file = manifest.files().iter().find(|file| Path::new(&file.path) == name);
        let file = file.context("the pack has no map")?;
        tracing::info!(pack = %id, bytes = file.size, "fetching the addresses of the published pack");
        tokio::fs::create_dir_all(&self.folder).await?;
        // Those of other packs. A thread that has one open goes on reading it.
        let mut others = tokio::fs::read_dir(&self.folder).await?;
        while let Some(other) = others.next_entry().await? {
            tokio::fs::remove_dir_all(other.path()).await?;
        }
        tokio::fs::create_dir_all(&place).await?;
        let partial = place.join("partial");
        fetch_file(&self.media, file, &partial).await?;
        tokio::fs::rename(partial, place.join(pack::FILE)).await?;
        Ok(())
    }
}

/// The map as a thread has it open.
struct Map {
    data_dir: PathBuf,
    /// Builds the sample town.
    sample_town: BuildSampleTown,
    open: Option<Open>,
}

struct Open {
    pack: Pack,
    stamp: Stamp,
}

/// What identifies the file of a map: another file that replaces it has another number or time.
#[derive(PartialEq, Eq)]
struct Stamp {
    folder: PathBuf,
    file: Option<(u64, i64, i64)>,
}

impl Stamp {
    fn of(folder: &Path) -> Self {
        let file = fs::metadata(pack::region_folder(folder).join(pack::FILE)).ok();
        let file = file.map(|file| (file.ino(), file.mtime(), file.mtime_nsec()));
        Self { folder: folder.to_owned(), file }
    }
}

impl Map {
    /// Opens what was imported into a folder, or the sample town where nothing was.
    fn open_map(&self, folder: &Path) -> anyhow::Result<Pack> {
        if let Some(pack) = Pack::open_imported_from(folder, &self.data_dir)? {
            return Ok(pack);
        }
        let SampleTown { folder: town, example_address } = (self.sample_town)(&self.data_dir)?;
        Ok(Pack::open_sample(&town, folder, &self.data_dir, &example_address)?)
    }

    fn suggest(&mut self, typed: &TypedAddress, published: Option<ContentHash>) -> Result<Suggestions, NoSuggestions> {
        let failed =
            |error: &dyn std::error::Error| NoSuggestions::Failed(format!("cannot suggest addresses: {error}"));
        let mut folder = match published {
            Some(pack) => aerie_worker::pack_folder(&self.data_dir, pack),
            None => self.data_dir.clone(),
        };
        let mut stamp = Stamp::of(&folder);
        if let Some(pack) = published.filter(|_| stamp.file.is_none()) {
            folder = self.data_dir.join(FETCHED).join(pack.to_string());
            stamp = Stamp::of(&folder);
            if stamp.file.is_none() {
                return Ok(without_map());
            }
        }
        let open = match self.open.take() {
            Some(open) if open.stamp == stamp => open,
            _ => {
                let pack = self.open_map(&folder).map_err(|error| failed(&*error))?;
                Open { pack, stamp }
            }
        };
        let found = suggest(&open.pack, &typed.text, typed.limit);
        let map = AddressMap {
            source: open.pack.source_name().to_owned(),
            is_sample: open.pack.is_sample(),
            attributions: open.pack.map_credits().to_vec(),
        };
        // After a failure, the map is opened again.
        let mut addresses: Vec<_> = found.map_err(|error| failed(&error))?.into_iter().map(suggested).collect();
        if typed.with_plans {
            for address in &mut addresses {
                address.plan = plan(&open.pack, address).map_err(|error| failed(&error))?;
            }
        }
        self.open = Some(open);
        let hint = map.is_sample.then(|| SAMPLE.to_owned());
        Ok(Suggestions { addresses, map: Some(map), hint })
    }
}

/// Hints.
const SAMPLE: &str =
    "No map is imported: these are addresses of the sample town. The operator can import a map with `aerie import`";
const ABSENT: &str =
    "The published map is being fetched; try again in a minute. If it does not come, the log of the server says why";

fn without_map() -> Suggestions {
    Suggestions { addresses: Vec::new(), map: None, hint: Some(ABSENT.to_owned()) }
}

/// What stands around a house; nothing of a street.
fn plan(pack: &Pack, address: &SuggestedAddress) -> Result<Option<AddressPlan>, GeodataError> {
    if address.precision == SuggestedPrecision::Street {
        return Ok(None);
    }
    let Plan { house, buildings, roads } = pack.plan(GeoPoint { lat: address.lat, lon: address.lon }, PLAN_REACH)?;
    // Decimeters are enough for a small picture.
    let rounded =
        |line: Vec<[f64; 2]>| line.into_iter().map(|point| point.map(|m| (m * 10.0).round() / 10.0)).collect();
    Ok(Some(AddressPlan {
        reach: PLAN_REACH,
        house: house.map(rounded),
        buildings: buildings.into_iter().map(rounded).collect(),
        roads: roads.into_iter().map(rounded).collect(),
    }))
}

fn suggested(suggestion: Suggestion) -> SuggestedAddress {
    SuggestedAddress {
        address: suggestion.address,
        id: suggestion.id,
        lat: suggestion.lat,
        lon: suggestion.lon,
        precision: match suggestion.kind {
            SuggestionKind::Building => SuggestedPrecision::Building,
            SuggestionKind::AddressPoint => SuggestedPrecision::AddressPoint,
            SuggestionKind::Street => SuggestedPrecision::Street,
        },
        locality: suggestion.locality,
        postcode: suggestion.postcode,
        plan: None,
    }
}

#[cfg(test)]
mod tests {
    use aerie_domain::SystemClock;
    use aerie_storage::PackSource;
    use aerie_storage_sqlite::SqliteStore;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn addresses_are_those_of_the_sample_town_and_then_of_the_published_pack() {
        let folder = tempfile::tempdir().unwrap();
        let [data, maps] = ["data", "maps"].map(|name| folder.path().join(name));
        fs::create_dir_all(&data).unwrap();
        let store = SqliteStore::open(&data.join("a.db"), Arc::new(SystemClock)).unwrap();
        let (store, media): (Arc<dyn Store>, _) = (Arc::new(store), MediaStore::in_memory());
        let sample_town = |data_dir: &Path| {
            let folder = aerie_sample_town::build_if_missing(data_dir)?;
            Ok(SampleTown { folder, example_address: aerie_sample_town::SAMPLE_ADDRESSES[0].to_owned() })
        };
        let threads = OnThreads::start(&store, &media, &data, sample_town).unwrap();
        let typed = async || {
            let typed = TypedAddress { text: "12 Larkspur La".to_owned(), limit: 5, with_plans: true };
            threads.suggest(typed).await.unwrap()
        };
        let best = "12 Larkspur Lane, 10001 Featherstone Vale";
        let found = typed().await;
        assert_eq!((found.addresses[0].address.as_str(), found.map.unwrap().is_sample), (best, true));
        let plan = found.addresses[0].plan.clone().unwrap();
        let wall = plan.house.as_ref().unwrap().iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max);
        assert!((3.0..30.0).contains(&wall) && !plan.buildings.is_empty() && !plan.roads.is_empty(), "{plan:?}");
        assert!(found.hint.unwrap().contains("aerie import"));

        let pack = pack::region_folder(&maps);
        fs::create_dir_all(&pack).unwrap();
        fs::copy(data.join("sample").join(pack::FILE), pack.join(pack::FILE)).unwrap();
        let source = PackSource::read(&maps, &|_| {}).unwrap();
        source.publish(&*store, &media, false, &|_| {}).await.unwrap();
        let mut found = typed().await;
        assert_eq!((found.map.is_none(), found.addresses.len()), (true, 0));
        for _ in 0..200 {
            if found.map.is_some() {
                break;
            }
            assert!(found.hint.unwrap().contains("being fetched"));
            tokio::time::sleep(Duration::from_millis(50)).await;
            found = typed().await;
        }
        assert_eq!((found.addresses[0].address.as_str(), found.map.unwrap().is_sample), (best, false));
        assert_eq!(found.hint, None);
    }
}
