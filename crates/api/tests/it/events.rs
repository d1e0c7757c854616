//! Streams of events.

use std::time::Duration;

use aerie_domain::KeyId;
use aerie_storage::JobOutput;
use axum::body::{Body, BodyDataStream};
use axum::http::StatusCode;
use futures_util::StreamExt;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::harness::Service;

const EVENTS: &str = "/v1/events";

/// An event as a client gets it.
#[derive(Debug, Clone, PartialEq)]
struct Got {
    id: Option<String>,
    event: String,
    data: Value,
}

/// A stream that a client reads.
struct Stream {
    body: BodyDataStream,
    text: String,
}

impl Service {
    async fn follow(&self, last: Option<&str>) -> Stream {
        let mut request = self.request("GET", EVENTS);
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        let response = self.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        Stream { body: response.into_body().into_data_stream(), text: String::new() }
    }
}

impl Stream {
    /// The next event; `None` when the stream has ended.
    async fn next(&mut self) -> Option<Got> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
                let data = field("data").map(|data| serde_json::from_str(data).unwrap());
                let got = data.map(|data| Got {
                    id: field("id").map(str::to_owned),
                    event: field("event").unwrap().to_owned(),
                    data,
                });
                self.text = rest.to_owned();
                match got {
                    Some(got) => return Some(got),
                    // What keeps the connection alive.
                    None => continue,
                }
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.body.next()).await.expect("an event");
            self.text += std::str::from_utf8(&chunk?.unwrap()).unwrap();
        }
    }

    async fn take(&mut self, count: usize) -> Vec<Got> {
        let mut found = Vec::new();
        while found.len() < count {
            found.push(self.next().await.expect("the stream goes on"));
        }
        found
    }
}

#[tokio::test]
async fn a_client_follows_its_jobs_and_continues_where_it_was() {
    let service = Service::new().await;
    service.submit().await;
    let mut stream = service.follow(None).await;
    let ready = stream.next().await.unwrap();
    assert_eq!(ready.event, "ready");
    let claim = service.claim().await;
    service.store.progress_report(&claim.lease, "drawing", 40).await.unwrap();
    let seen = stream.take(2).await;
    let id = claim.job.id;
    let data = json!({"job_id": id, "job_type": "drone_footage", "status": "running"});
    assert_eq!((seen[0].event.as_str(), &seen[0].data["data"]), ("job.running", &data));
    assert_eq!(seen[0].data["type"], "job.running");
    let mut reached = data.clone();
    (reached["stage"], reached["percent"]) = (json!("drawing"), json!(40));
    assert_eq!((seen[1].event.as_str(), &seen[1].data["data"], &seen[1].id), ("job.progress", &reached, &None));
    drop(stream);
    service.store.job_complete(&claim.lease, JobOutput::default()).await.unwrap();
    let second = service.submit().await;

    let mut again = service.follow(seen[0].id.as_deref()).await;
    assert_eq!(again.next().await.unwrap().event, "ready");
    let rest = again.take(2).await;
    assert_eq!((rest[0].event.as_str(), &rest[0].data["data"]["job_id"]), ("job.completed", &json!(id)));
    assert_eq!((rest[1].event.as_str(), &rest[1].data["data"]["job_id"]), ("job.queued", &json!(second)));
    let mut whole = service.follow(ready.id.as_deref()).await;
    let events: Vec<String> = whole.take(4).await.into_iter().map(|got| got.event).collect();
    assert_eq!(events, ["ready", "job.running", "job.completed", "job.queued"]);
}

#[tokio::test]
async fn a_client_that_comes_back_after_events_were_removed_is_told() {
    let service = Service::new().await;
    let ready = service.follow(None).await.next().await.unwrap();
    service.clock.advance(SignedDuration::from_hours(7 * 24 + 1));
    let mut stream = service.follow(ready.id.as_deref()).await;
    let told = stream.next().await.unwrap();
    assert_eq!(told.event, "events.missed");
    assert!(told.data["data"]["message"].as_str().unwrap().contains("list the jobs"));
    let ready = stream.next().await.unwrap();
    let mut again = service.follow(ready.id.as_deref()).await;
    assert_eq!(again.next().await.unwrap().event, "ready", "the gap is reported once");
}

#[tokio::test]
async fn a_client_of_a_database_that_was_restored_is_told_and_follows_what_is_new() {
    let service = Service::new().await;
    let mut ahead = service.follow(Some("5-0-99")).await;
    assert_eq!(ahead.next().await.unwrap().event, "events.missed");
    assert_eq!(ahead.next().await.unwrap().event, "ready");
    let new = service.submit().await;
    assert_eq!(ahead.next().await.unwrap().data["data"]["job_id"], json!(new));
}

#[tokio::test]
async fn a_last_event_id_that_is_none_is_refused() {
    let service = Service::new().await;
    for wrong in ["", "5", "a-b-c", "1-2-3-4"] {
        let request = service.request("GET", EVENTS).header("Last-Event-ID", wrong).body(Body::empty()).unwrap();
        let answer = service.send(request).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert!(answer.json()["error"]["message"].as_str().unwrap().contains("`Last-Event-ID`"), "{wrong}");
    }
}

#[tokio::test]
async fn another_organizations_jobs_are_not_streamed() {
    let service = Service::new().await;
    let mut stream = service.follow(None).await;
    stream.next().await.unwrap();
    service.post_as_other("/v1/drone-footage/generate", &json!({"address": "2 Main St"})).await;
    let own = service.submit().await;
    assert_eq!(stream.next().await.unwrap().data["data"]["job_id"], json!(own));
}

#[tokio::test]
async fn an_organization_has_ten_streams_and_a_closed_one_makes_room() {
    let service = Service::new().await;
    let mut open = Vec::new();
    for _ in 0..10 {
        open.push(service.follow(None).await);
    }
    let refused = service.get(EVENTS).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!refused.header("retry-after").is_empty());
    open.pop();
    service.follow(None).await;
}

#[tokio::test]
async fn a_stream_ends_soon_after_its_key_was_revoked() {
    let service = Service::new().await;
    let mut stream = service.follow(None).await;
    stream.next().await.unwrap();
    let keys = service.store.key_list(Some(service.org)).await.unwrap();
    for id in keys.iter().map(|key| key.id).collect::<Vec<KeyId>>() {
        assert!(service.store.key_revoke(id).await.unwrap());
    }
    let began = std::time::Instant::now();
    assert_eq!(stream.next().await, None);
    assert!(began.elapsed() < Duration::from_secs(15));
}
