//! A service with its own store, a clock that stands still, and two organizations.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aerie_api::{
    AddressMap, AddressPlan, Addresses, ApiState, BadKeys, BadPolygon, CredentialsCheck, Delivery, DrawnOn,
    Environment, Fetching, InProgress, Measuring, Metrics, MetricsReaders, NoSuggestions, Readiness, Streams,
    SuggestedAddress, SuggestedPrecision, Suggestions, TruthPages, TypedAddress, Verifying,
};
use aerie_domain::{
    ApiKey, Clock, JobId, JobLimits, JobType, ManualClock, OrgChanges, OrgId, Plan, Plans, RateLimits, Scopes,
    UploadPlan,
};
use aerie_fetch::{Fetcher, Limits, Lookup, Policy, Poster, SystemLookup};
use aerie_storage::{
    Capacity, Claim, DayCounts, DirectLink, JobOutput, Limiter, Limits as DiskLimits, LinkSecret, LocalMedia,
    MediaLinks, MediaStore, MemoryLimiter, SignsLinks, Store,
};
use aerie_storage_sqlite::SqliteStore;
use aerie_storage_sqlite::testing::Faults;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use object_store::memory::InMemory;
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use crate::stalls::without_stalls;

/// Resolves names that end in `.test` to the addresses in the name, with dashes for dots and `and` between several, and
/// `localhost` as usual.
struct TestNames;

#[async_trait::async_trait]
impl Lookup for TestNames {
    async fn lookup(&self, host: &str) -> std::io::Result<Vec<IpAddr>> {
        let none = || std::io::Error::other("no such host");
        let host = host.trim_end_matches('.');
        if host == "localhost" || host.ends_with(".localhost") {
            return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
        }
        let listed = host.strip_suffix(".test").ok_or_else(none)?;
        let address = |text: &str| {
            let v4 = text.replace('-', ".").parse().map(IpAddr::V4);
            v4.or_else(|_| text.replace('-', ":").parse().map(IpAddr::V6)).map_err(|_| none())
        };
        listed.split("-and-").map(address).collect()
    }
}

#[derive(Clone)]
pub(crate) struct Service {
    pub(crate) router: Router,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) media: MediaStore,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) links: MediaLinks,
    pub(crate) org: OrgId,
    pub(crate) key: String,
    pub(crate) other_key: String,
    pub(crate) folder: Arc<tempfile::TempDir>,
    pub(crate) capacity: Arc<Capacity>,
    pub(crate) readiness: Arc<Readiness>,
    pub(crate) limiter: Arc<dyn Limiter>,
    pub(crate) wakes: Arc<AtomicUsize>,
    pub(crate) delivery: Delivery,
    /// How long truth pages are kept.
    pub(crate) keep_pages: Option<Duration>,
    pub(crate) console: bool,
    /// Start of links.
    pub(crate) base_url: String,
    /// Start of the addresses of truth pages.
    pub(crate) public_url: String,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).expect("a JSON body")
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Code and message of a refusal.
    pub(crate) fn refusal(&self) -> (u16, String, String) {
        let body = self.json();
        let text = |name: &str| body["error"][name].as_str().expect("an error").to_owned();
        (self.status.as_u16(), text("code"), text("message"))
    }

    #[track_caller]
    pub(crate) fn assert_refused(&self, status: u16, code: &str, part_of_message: &str) {
        let (given_status, given_code, message) = self.refusal();
        assert_eq!((given_status, given_code.as_str()), (status, code), "{message}");
        assert!(message.contains(part_of_message), "{message}");
    }
}

/// The plans that tests refer to, and one whose limits are never reached.
fn plans() -> Plans {
    let plan = |name: &str, per_minute, per_day| {
        let jobs = match name {
            "few jobs" => JobLimits { queued_jobs: Some(2), failed_per_day: Some(1) },
            _ => JobLimits::default(),
        };
        let previews = match name {
            "few jobs" => RateLimits { per_minute: 2, per_day: 3 },
            _ => RateLimits { per_minute: 1000, per_day: 1000 },
        };
        let uploads = match name {
            "few uploads" => UploadPlan::new(3, 7_000),
            _ => UploadPlan::new(1000, 0),
        };
        let addresses = RateLimits::by_minute(if name == "few addresses" { 3 } else { 1000 });
        let rates = RateLimits { per_minute, per_day };
        (name.to_owned(), Plan { rates, jobs, previews, uploads, addresses, weight: 1 })
    };
    [
        plan("starter", 30, 1000),
        plan("growth", 100, 10_000),
        plan("ample", 1_000_000, 1_000_000),
        plan("few jobs", 1000, 1000),
        plan("few uploads", 2, 1000),
        plan("few addresses", 2, 1000),
    ]
    .into_iter()
    .collect()
}

/// Links as a bucket would sign them.
#[derive(Debug)]
struct BucketLinks;

#[async_trait::async_trait]
impl SignsLinks for BucketLinks {
    async fn signed_link(&self, link: DirectLink<'_>) -> Result<String, object_store::Error> {
        let (method, seconds) = (if link.head { "HEAD" } else { "GET" }, link.lifetime.as_secs());
        Ok(format!("https://bucket.test/{}?method={method}&expires={seconds}&type={}", link.key, link.content_type))
    }
}

impl Service {
    /// A service with its own store. Pictures may come from 127.0.0.2, which stands for public addresses.
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-10T12:00:00.250Z".parse().unwrap()));
        let store = SqliteStore::open(&folder.path().join("test.db"), Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        let local = LocalMedia::open(&folder.path().join("media")).unwrap();
        let media = local.store().clone();
        let mut keys = Vec::new();
        for name in ["Acme", "Other"] {
            let key = ApiKey::generate().unwrap();
            let org = store.org_create(name, "ample").await.unwrap().id;
            store.key_create(org, &key, Scopes::ALL, None).await.unwrap();
            keys.push((org, key.reveal().to_owned()));
        }
        let wakes = Arc::new(AtomicUsize::new(0));
        let (org, key) = keys[0].clone();
        let links = MediaLinks::new(LinkSecret::new([7; 32]));
        let folder = Arc::new(folder);
        let (router, other_key) = (Router::new(), keys[1].1.clone());
        let capacity = Arc::new(local.capacity(folder.path(), DiskLimits::default()));
        let readiness = Arc::default();
        let limiter: Arc<dyn Limiter> =
            Arc::new(MemoryLimiter::new(DayCounts::in_memory(), Arc::clone(&clock) as Arc<dyn Clock>));
        let service = Self {
            router,
            store,
            media,
            clock,
            links,
            org,
            key,
            other_key,
            folder,
            capacity,
            readiness,
            limiter,
            wakes,
            delivery: Delivery::Proxy,
            keep_pages: None,
            console: true,
            base_url: "http://aerie.test".into(),
            public_url: "http://aerie.test".into(),
        };
        Self { router: service.connected(), ..service }
    }

    /// The same service with its media in a bucket, and clients redirected to it.
    pub(crate) fn with_bucket(&self) -> Self {
        let media = MediaStore::with_signer(Arc::new(InMemory::new()), Arc::new(BucketLinks));
        let service = Self { media, delivery: Delivery::Redirect, ..self.clone() };
        Self { router: service.connected(), ..service }
    }

    /// The same service without the console.
    pub(crate) fn without_console(&self) -> Self {
        let service = Self { console: false, ..self.clone() };
        Self { router: service.connected(), ..service }
    }

    /// The same service, which clients reach under another URL.
    pub(crate) fn under(&self, base_url: &str) -> Self {
        let service = Self { base_url: base_url.to_owned(), ..self.clone() };
        Self { router: service.connected(), ..service }
    }

    /// The same service with its media in these objects.
    pub(crate) fn with_media(&self, media: MediaStore) -> Self {
        let service = Self { media, ..self.clone() };
        Self { router: service.connected(), ..service }
    }

    /// The same service behind a connection to its store that can fail.
    pub(crate) fn with_faults(&self) -> (Self, Arc<Faults>) {
        let faults = Arc::default();
        let store = SqliteStore::open(&self.database(), Arc::clone(&self.clock) as Arc<dyn Clock>).unwrap();
        let service = Self { store: Arc::new(store.with_faults(&faults)), ..self.clone() };
        (Self { router: service.connected(), ..service }, faults)
    }

    /// The same service with other limits on its disk.
    pub(crate) fn with_limits(&self, limits: DiskLimits) -> Self {
        let local = LocalMedia::open(&self.folder.path().join("media")).unwrap();
        let capacity = Arc::new(local.capacity(self.folder.path(), limits));
        let service = Self { capacity, ..self.clone() };
        Self { router: service.connected(), ..service }
    }

    /// The same service, which keeps truth pages for so long.
    pub(crate) fn keeping_pages(&self, keep: Duration) -> Self {
        let service = Self { keep_pages: Some(keep), ..self.clone() };
        Self { router: service.connected(), ..service }
    }

    /// The same service, whose truth pages the public reaches under another URL.
    pub(crate) fn with_pages_under(&self, public_url: &str) -> Self {
        let service = Self { public_url: public_url.to_owned(), ..self.clone() };
        Self { router: service.connected(), ..service }
    }

    /// Another node of the same service: it shares the database, the media and the limiter, and nothing in memory.
    pub(crate) fn node(&self) -> Self {
        Self { router: self.connected(), ..self.clone() }
    }

    /// The database file.
    pub(crate) fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("test.db")
    }

    fn connected(&self) -> Router {
        aerie_api::router(self.state(Environment::Development))
    }

    /// The state of the same service in an environment.
    pub(crate) fn state(&self, environment: Environment) -> Arc<ApiState> {
        let policy = Policy::new(vec!["127.0.0.2/32".parse().unwrap()]);
        let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
        let counter = Arc::clone(&self.wakes);
        Arc::new(ApiState {
            store: Arc::clone(&self.store),
            media: self.media.clone(),
            delivery: self.delivery,
            links: self.links.clone(),
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            prices: [(JobType::DroneFootage, 1500)].into_iter().collect(),
            plans: plans(),
            limiter: Arc::clone(&self.limiter),
            bad_keys: BadKeys::new(20),
            in_progress: InProgress::default(),
            fetching: Fetching::default(),
            webhooks: Poster::new(Policy::default(), Arc::new(SystemLookup), Duration::from_secs(5), false).unwrap(),
            profiles: Arc::default(),
            truth_pages: TruthPages::new(self.public_url.clone(), self.keep_pages, 100, Arc::new(StubCredentials)),
            streams: Streams::default(),
            measuring: Arc::new(StubElevation),
            addresses: Arc::new(EchoedAddresses),
            console: self.console,
            base_url: self.base_url.clone(),
            environment,
            intake: Fetcher::with(policy, self.folder.path(), limits, Arc::new(TestNames)).unwrap(),
            capacity: Arc::clone(&self.capacity),
            readiness: Arc::clone(&self.readiness),
            metrics: Arc::new(Metrics::new(environment)),
            metrics_readers: MetricsReaders::new(vec!["127.0.0.0/8".parse().unwrap()], "a token for figures"),
            submitted: Arc::new(move || {
                counter.fetch_add(1, Ordering::SeqCst);
            }),
        })
    }

    /// Changes the first organization's terms.
    pub(crate) async fn terms(&self, changes: OrgChanges) {
        self.store.org_change(self.org, changes).await.unwrap().unwrap();
    }

    pub(crate) fn wakes(&self) -> usize {
        self.wakes.load(Ordering::SeqCst)
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let what = format!("{} {}", request.method(), request.uri().path());
        let answer = async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let bytes = to_bytes(body, usize::MAX).await.unwrap().to_vec();
            Answer { status: parts.status, headers: parts.headers, bytes }
        };
        without_stalls(&what, answer).await
    }

    /// A request with the first organization's key.
    pub(crate) fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder().method(method).uri(path).header("X-API-Key", &self.key)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.with_method("POST", path, body).await
    }

    /// Sends JSON.
    pub(crate) async fn with_method(&self, method: &str, path: &str, body: &Value) -> Answer {
        let request = self.request(method, path).header("Content-Type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Submits drone footage; returns the new job's id.
    pub(crate) async fn submit(&self) -> String {
        let answer = self.post("/v1/drone-footage/generate", &json!({"address": "1 Main St"})).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
        answer.json()["data"]["job_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn claim(&self) -> Claim {
        self.store.job_claim(&JobType::ALL, "worker", Duration::from_secs(60)).await.unwrap().unwrap()
    }

    /// Submits a job and completes it with a film of ten bytes.
    pub(crate) async fn completed(&self) -> String {
        let id = self.submit().await;
        let claim = self.claim().await;
        let file = self.folder.path().join("film");
        std::fs::write(&file, "0123456789").unwrap();
        let mut output = JobOutput::default();
        output.fields.insert("duration".into(), json!(10.5));
        for (pointer, name) in [("/video_url", "video.mp4"), ("/thumbnail_url", "thumbnail.jpg")] {
            let key = format!("{}/{id}/1/{name}", self.org);
            self.media.media_put(&key, &file).await.unwrap();
            output.media.insert(pointer.into(), key);
        }
        self.store.job_complete(&claim.lease, output).await.unwrap();
        id
    }

    /// POSTs JSON with the other organization's key.
    pub(crate) async fn post_as_other(&self, path: &str, body: &Value) -> Answer {
        let request = Request::post(path).header("X-API-Key", &self.other_key);
        let request = request.header("Content-Type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// GETs with the other organization's key.
    pub(crate) async fn get_as_other(&self, path: &str) -> Answer {
        let request = Request::get(path).header("X-API-Key", &self.other_key);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Submits a job; returns its id.
    pub(crate) async fn accepted(&self, path: &str, body: &Value) -> String {
        let answer = self.post(path, body).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.json());
        answer.json()["data"]["job_id"].as_str().unwrap().to_owned()
    }

    /// Submits a markup and completes its four variants.
    pub(crate) async fn markup_awaiting_input(&self) -> String {
        let id = self.accepted("/v1/markup/generate", &json!({"address": "1 Main St"})).await;
        let claim = self.claim().await;
        let mut output = JobOutput::default();
        let keys = ["bottom", "left", "top", "right"];
        let variants: Vec<Value> = keys.iter().map(|key| json!({"key": key})).collect();
        output.fields.insert("orientation_variants".into(), Value::Array(variants));
        let file = self.folder.path().join("variant.png");
        for (at, key) in keys.iter().enumerate() {
            std::fs::write(&file, aerie_test_data::picture_server::png(1024, 1024 + u32::try_from(at).unwrap()))
                .unwrap();
            for name in ["preview", "enhanced"] {
                let media = format!("{}/{id}/1/{key}-{name}.png", self.org);
                self.media.media_put(&media, &file).await.unwrap();
                output.media.insert(format!("/orientation_variants/{at}/{name}_url"), media);
            }
        }
        let grounds = keys.into_iter().map(|key| (key.to_owned(), json!({"of": key})));
        output.notes.insert("ground".into(), grounds.collect());
        self.store.job_ask_input(&claim.lease, output).await.unwrap();
        id
    }

    /// A markup annotated with its own pictures.
    pub(crate) async fn markup_completed(&self) -> String {
        let id = self.markup_awaiting_input().await;
        let steps = format!("/v1/markup/jobs/{id}");
        let selected = self.post(&format!("{steps}/select"), &json!({"orientation": "left"})).await.json();
        let url = &selected["data"]["selected_url"];
        let body = json!({"annotated_image_url": url, "clean_image_url": url});
        let answer = self.post(&format!("{steps}/annotate"), &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json());
        id
    }

    pub(crate) fn job_id(text: &str) -> JobId {
        text.parse().unwrap()
    }
}

/// Finds all Content Credentials intact.
struct StubCredentials;

#[async_trait::async_trait]
impl Verifying for StubCredentials {
    async fn verify(&self, _: &str) -> CredentialsCheck {
        CredentialsCheck::Valid(Some("a test".into()))
    }
}

/// Finds no boundary, and reports the ground that it was given.
struct StubElevation;

#[async_trait::async_trait]
impl Measuring for StubElevation {
    async fn measure(&self, drawn: &DrawnOn) -> Result<Map<String, Value>, BadPolygon> {
        if let Some(polygon) = &drawn.polygon {
            return match polygon[0][0] {
                ..0.0 => Err(BadPolygon("must lie within the clean picture".into())),
                _ => Ok([("boundary".to_owned(), json!({"drawn": polygon}))].into_iter().collect()),
            };
        }
        let reason = drawn.ground.as_ref().map_or("no ground".to_owned(), |ground| format!("ground {}", ground["of"]));
        Ok([("boundary".to_owned(), Value::Null), ("boundary_reason".to_owned(), reason.into())].into_iter().collect())
    }
}

/// Suggests what is typed as a house and as a street. Certain texts stand for a missing map, a busy server and a failure.
struct EchoedAddresses;

#[async_trait::async_trait]
impl Addresses for EchoedAddresses {
    async fn suggest(&self, typed: TypedAddress) -> Result<Suggestions, NoSuggestions> {
        let TypedAddress { text, limit, with_plans } = typed;
        match text.as_str() {
            "busy" => return Err(NoSuggestions::Busy),
            "fail" => return Err(NoSuggestions::Failed("the file /secret is damaged".into())),
            "nowhere" => return Ok(Suggestions { addresses: Vec::new(), map: None, hint: Some("import one".into()) }),
            _ => {}
        }
        let address = |precision, id: Option<&str>| SuggestedAddress {
            address: text.clone(),
            id: id.map(str::to_owned),
            lat: 47.5,
            lon: 9.5,
            precision,
            locality: Some("Triesen".into()),
            postcode: None,
            plan: id.filter(|_| with_plans).map(|_| AddressPlan {
                reach: 40.0,
                house: Some(vec![[0.0, 0.0], [8.0, 0.0], [8.0, 9.5]]),
                buildings: Vec::new(),
                roads: Vec::new(),
            }),
        };
        let addresses =
            [address(SuggestedPrecision::Building, Some("way/1")), address(SuggestedPrecision::Street, None)];
        let map = AddressMap { source: "a map".into(), is_sample: false, attributions: vec!["© a".into()] };
        let addresses = addresses.into_iter().take(limit).collect();
        Ok(Suggestions { addresses, map: Some(map), hint: None })
    }
}
