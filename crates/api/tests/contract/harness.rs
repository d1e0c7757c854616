//! A service with a store of its own, a clock that stands still, and two organisations.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aerie_api::{ApiState, Environment};
use aerie_domain::{ApiKey, Clock, JobId, JobType, ManualClock, OrgId};
use aerie_stores::{Claim, JobOutput, JobStore, MediaLinks, MediaStore, SqliteStore};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;

pub(crate) struct Service {
    pub(crate) router: Router,
    pub(crate) store: Arc<dyn JobStore>,
    pub(crate) media: MediaStore,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) org: OrgId,
    pub(crate) key: String,
    pub(crate) other_key: String,
    pub(crate) folder: tempfile::TempDir,
    wakes: Arc<AtomicUsize>,
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

impl Service {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-10T12:00:00.250Z".parse().unwrap()));
        let store = SqliteStore::open(&folder.path().join("test.db"), Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
        let store: Arc<dyn JobStore> = Arc::new(store);
        let media = MediaStore::local(&folder.path().join("media")).unwrap();
        let mut keys = Vec::new();
        for name in ["Acme", "Other"] {
            let key = ApiKey::generate().unwrap();
            let org = store.org_create(name).await.unwrap().id;
            store.key_create(org, &key).await.unwrap();
            keys.push((org, key.reveal().to_owned()));
        }
        let wakes = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&wakes);
        let state = ApiState {
            store: Arc::clone(&store),
            media: media.clone(),
            links: MediaLinks::new([7; 32]),
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            prices: [(JobType::DroneFootage, 1500)].into_iter().collect(),
            base_url: "http://aerie.test".into(),
            environment: Environment::Development,
            installed: JobType::ALL.to_vec(),
            submitted: Arc::new(move || {
                counter.fetch_add(1, Ordering::SeqCst);
            }),
        };
        let router = aerie_api::router(Arc::new(state));
        let (org, key) = keys[0].clone();
        Self { router, store, media, clock, org, key, other_key: keys[1].1.clone(), folder, wakes }
    }

    pub(crate) fn wakes(&self) -> usize {
        self.wakes.load(Ordering::SeqCst)
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer { status: parts.status, headers: parts.headers, bytes }
    }

    /// A request with the first organisation's key.
    pub(crate) fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder().method(method).uri(path).header("X-API-Key", &self.key)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        let request = self.request("POST", path).header("Content-Type", "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Submits drone footage; the new job's id.
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

    pub(crate) fn job_id(text: &str) -> JobId {
        text.parse().unwrap()
    }
}
