//! Share links: what people without a key see of a listing, and what they say about it.

use std::collections::BTreeSet;

use aerie_domain::JobType;
use aerie_storage::JobOutput;
use aerie_test_data::picture_server::{PictureServer, png};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::harness::{Answer, Service};

const LISTINGS: &str = "/v1/listings";
const UNKNOWN: &str = "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27";

impl Service {
    /// A listing with two photos, of which the first is enhanced; returns its path.
    async fn reviewed_listing(&self) -> String {
        let server = PictureServer::start("127.0.0.2:0").await;
        let body = json!({
            "address": "1 Main St",
            "photos": [
                {"id": "front", "image_url": server.url("/png/640/480"), "title": "Street front"},
                {"id": "kitchen", "image_url": server.url("/png/641/480"), "room_type": "kitchen"},
            ],
        });
        let created = self.post(LISTINGS, &body).await.json();
        let path = format!("{LISTINGS}/{}", created["data"]["listing_id"].as_str().unwrap());
        let answer = self.post(&format!("{path}/generate"), &json!({"enhance": true, "photos": ["front"]})).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.json());
        let claim = self.claim().await;
        assert_eq!(claim.job.job_type, JobType::ImageEnhance);
        let file = self.folder.path().join("enhanced.png");
        std::fs::write(&file, png(64, 48)).unwrap();
        let key = format!("{}/{}/1/enhanced.png", self.org, claim.job.id);
        self.media.media_put(&key, &file).await.unwrap();
        let mut output = JobOutput::default();
        output.media.insert("/image_url".into(), key);
        output.fields.insert("width".into(), json!(64));
        output.fields.insert("height".into(), json!(48));
        output.fields.insert("disclosure".into(), json!("Light was corrected."));
        self.store.job_complete(&claim.lease, output).await.unwrap();
        path
    }

    /// Creates a link; returns it.
    async fn share(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(&format!("{path}/share-links"), body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
        answer.json()["data"].clone()
    }

    /// Sends a request without a key.
    async fn view(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let request = Request::builder().method(method).uri(path).header("Content-Type", "application/json");
        self.send(request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string()))).unwrap()).await
    }

    /// Posts a form without a key.
    async fn form(&self, path: &str, form: &str) -> Answer {
        let request = Request::post(path).header("Content-Type", "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form.to_owned())).unwrap()).await
    }
}

fn shared(link: &Value) -> String {
    format!("/v1/shared/{}", link["token"].as_str().unwrap())
}

fn page(link: &Value) -> String {
    format!("/s/{}", link["token"].as_str().unwrap())
}

#[tokio::test]
async fn a_viewer_sees_photos_and_results_approves_and_comments_and_the_organization_reads_it() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({"name": "The sellers"})).await;
    assert_eq!((&link["name"], &link["status"]), (&json!("The sellers"), &json!("active")));
    assert_eq!(link["expires_at"], "2026-04-09T12:00:00.250Z");
    let token = link["token"].as_str().unwrap();
    assert_eq!(link["url"], format!("http://aerie.test/s/{token}"));

    let seen = service.view("GET", &shared(&link), None).await;
    assert_eq!(seen.status, StatusCode::OK, "{}", seen.json());
    let data = &seen.json()["data"];
    assert_eq!((&data["address"], &data["videos"], &data["comments"]), (&json!("1 Main St"), &json!([]), &json!([])));
    let ids: Vec<_> = data["photos"].as_array().unwrap().iter().map(|photo| photo["photo_id"].clone()).collect();
    assert_eq!(ids, ["front", "kitchen"]);
    assert_eq!((&data["photos"][1]["media"], &data["photos"][1]["room_type"]), (&json!([]), &json!("kitchen")));
    let media = &data["photos"][0]["media"][0];
    assert_eq!((&media["job_type"], &media["width"]), (&json!("image_enhance"), &json!(64)));
    assert_eq!(media["disclosure"], "Light was corrected.");
    let file = media["url"].as_str().unwrap().strip_prefix("http://aerie.test").unwrap();
    assert_eq!(service.view("GET", file, None).await.bytes, png(64, 48));

    let approvals = format!("{}/approvals", shared(&link));
    for decision in ["approved", "rejected"] {
        service.clock.advance(SignedDuration::from_secs(1));
        let body = json!({"photo_id": "front", "decision": decision, "name": "Maria"});
        let answer = service.view("POST", &approvals, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json());
        assert_eq!(
            (&answer.json()["data"]["decision"], &answer.json()["data"]["name"]),
            (&json!(decision), &json!("Maria"))
        );
    }
    let body = json!({"photo_id": "kitchen", "text": "Brighter,\nplease", "name": "Maria"});
    let answer = service.view("POST", &format!("{}/comments", shared(&link)), Some(&body)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
    let data = service.view("GET", &shared(&link), None).await.json()["data"].clone();
    assert_eq!(data["photos"][0]["approval"]["decision"], "rejected");
    assert_eq!(
        (&data["comments"][0]["text"], &data["comments"][0]["photo_id"]),
        (&json!("Brighter,\nplease"), &json!("kitchen"))
    );

    let reviews = service.get(&format!("{path}/reviews?limit=1")).await.json();
    assert_eq!(reviews["pagination"], json!({"total": 2, "limit": 1, "offset": 0, "has_more": true}));
    let comment = &reviews["data"][0];
    assert_eq!((&comment["decision"], &comment["share_link_id"]), (&Value::Null, &link["share_link_id"]));
    let all = service.get(&format!("{path}/reviews")).await.json();
    assert_eq!((&all["data"][1]["decision"], &all["data"][1]["text"]), (&json!("rejected"), &Value::Null));

    let links = service.get(&format!("{path}/share-links")).await;
    let text = String::from_utf8(links.bytes.clone()).unwrap();
    assert!(!text.contains(token), "{text}");
    assert_eq!(links.json()["data"][0]["share_link_id"], link["share_link_id"]);
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_stored() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({})).await;
    let token = link["token"].as_str().unwrap();
    assert_eq!(token.len(), 32);
    let folder = service.database().parent().unwrap().to_owned();
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        if file.is_file() {
            let bytes = std::fs::read(&file).unwrap();
            assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()), "{}", file.display());
        }
    }
}

#[tokio::test]
async fn a_link_shows_and_allows_only_what_it_was_made_for() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let body = json!({"show_address": false, "allow_approval": false, "allow_comments": false});
    let link = service.share(&path, &body).await;
    let data = service.view("GET", &shared(&link), None).await.json()["data"].clone();
    assert_eq!((&data["address"], &data["allow_approval"]), (&Value::Null, &json!(false)));
    let html = String::from_utf8(service.view("GET", &page(&link), None).await.bytes).unwrap();
    assert!(!html.contains("1 Main St") && !html.contains("<form"), "{html}");
    let approval = json!({"photo_id": "front", "decision": "approved"});
    let comment = json!({"text": "a", "name": "b"});
    for (step, body, what) in [("approvals", &approval, "approvals"), ("comments", &comment, "comments")] {
        let answer = service.view("POST", &format!("{}/{step}", shared(&link)), Some(body)).await;
        answer.assert_refused(403, "FORBIDDEN", &format!("does not allow {what}"));
    }
    let open = service.share(&path, &json!({})).await;
    for (step, body, why) in [
        ("approvals", json!({"photo_id": "front", "decision": "maybe"}), "`decision` must be one of"),
        ("approvals", json!({"photo_id": "other", "decision": "approved"}), "`photo_id` must be that of a photo"),
        ("approvals", json!({"decision": "approved"}), "`photo_id` is required"),
        ("comments", json!({"text": "a"}), "`name` is required"),
        ("comments", json!({"text": "a\u{1b}[2J", "name": "b"}), "`text` must not contain control characters"),
        ("comments", json!({"text": "a", "name": "b", "photo_id": "other"}), "`photo_id` must be that of a photo"),
    ] {
        let answer = service.view("POST", &format!("{}/{step}", shared(&open)), Some(&body)).await;
        answer.assert_refused(400, "VALIDATION_ERROR", why);
    }
    assert_eq!(service.get(&format!("{path}/reviews")).await.json()["pagination"]["total"], 0);
    for (days, why) in [(json!(0), "from 1 to 365"), (json!(366), "from 1 to 365")] {
        let answer = service.post(&format!("{path}/share-links"), &json!({"expires_in_days": days})).await;
        answer.assert_refused(400, "VALIDATION_ERROR", why);
    }
}

#[tokio::test]
async fn an_expired_or_revoked_link_is_gone_and_an_unknown_one_not_found() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let (short, long) = (
        service.share(&path, &json!({"expires_in_days": 1})).await,
        service.share(&path, &json!({"expires_in_days": 2})).await,
    );
    let comment = json!({"text": "a", "name": "b"});
    let assert_all = async |link: &Value, status: u16, code: &str| {
        service.view("GET", &shared(link), None).await.assert_refused(status, code, "");
        let answer = service.view("POST", &format!("{}/comments", shared(link)), Some(&comment)).await;
        answer.assert_refused(status, code, "");
        let html = service.view("GET", &page(link), None).await;
        assert_eq!((html.status.as_u16(), html.header("Content-Type")), (status, "text/html; charset=utf-8"));
    };
    service.clock.advance(SignedDuration::from_secs(24 * 3600));
    assert_all(&short, 410, "SHARE_LINK_GONE").await;
    let one = format!("{path}/share-links/{}", long["share_link_id"].as_str().unwrap());
    assert_eq!(service.with_method("DELETE", &one, &json!({})).await.status, StatusCode::NO_CONTENT);
    assert_all(&long, 410, "SHARE_LINK_GONE").await;
    for token in ["A".repeat(32), "short".into(), "%00".into()] {
        assert_all(&json!({"token": token}), 404, "SHARE_LINK_NOT_FOUND").await;
    }
    let links = service.get(&format!("{path}/share-links")).await.json();
    let statuses: Vec<_> = links["data"].as_array().unwrap().iter().map(|link| link["status"].clone()).collect();
    assert_eq!(statuses, ["revoked", "expired"]);
    assert_eq!(service.with_method("DELETE", &path, &json!({})).await.status, StatusCode::NO_CONTENT);
    assert_all(&short, 404, "SHARE_LINK_NOT_FOUND").await;
    assert_all(&long, 404, "SHARE_LINK_NOT_FOUND").await;
}

#[tokio::test]
async fn another_organizations_links_and_reviews_get_the_response_of_unknown_ones() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({})).await;
    let id = link["share_link_id"].as_str().unwrap();
    let unknown = format!("{LISTINGS}/{UNKNOWN}");
    for suffix in ["/share-links", "/reviews"] {
        let theirs = service.get_as_other(&format!("{path}{suffix}")).await;
        theirs.assert_refused(404, "LISTING_NOT_FOUND", "");
        assert_eq!(theirs.refusal(), service.get_as_other(&format!("{unknown}{suffix}")).await.refusal());
    }
    let created = service.post_as_other(&format!("{path}/share-links"), &json!({})).await;
    created.assert_refused(404, "LISTING_NOT_FOUND", "");
    let other = service.post_as_other(LISTINGS, &json!({})).await.json();
    let others = format!("{LISTINGS}/{}", other["data"]["listing_id"].as_str().unwrap());
    let revoke = async |path: String| {
        let request = Request::delete(path).header("X-API-Key", &service.other_key);
        service.send(request.body(Body::empty()).unwrap()).await
    };
    revoke(format!("{path}/share-links/{id}")).await.assert_refused(404, "LISTING_NOT_FOUND", "");
    let theirs = revoke(format!("{others}/share-links/{id}")).await;
    theirs.assert_refused(404, "SHARE_LINK_NOT_FOUND", "");
    assert_eq!(theirs.refusal(), revoke(format!("{others}/share-links/{UNKNOWN}")).await.refusal());
    assert_eq!(service.view("GET", &shared(&link), None).await.status, StatusCode::OK);
}

#[tokio::test]
async fn creating_and_revoking_links_needs_another_scope_than_reading_them() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({})).await;
    let links = format!("{path}/share-links");
    let one = format!("{links}/{}", link["share_link_id"].as_str().unwrap());
    let reviews = format!("{path}/reviews");
    let send = async |scope: &str, method: &str, path: &str| {
        let key = aerie_domain::ApiKey::generate().unwrap();
        service.store.key_create(service.org, &key, scope.parse().unwrap(), None).await.unwrap();
        let request = Request::builder().method(method).uri(path).header("X-API-Key", key.reveal());
        service.send(request.body(Body::empty()).unwrap()).await
    };
    for (scope, method, path) in
        [("read", "POST", &links), ("read", "DELETE", &one), ("generate", "GET", &links), ("generate", "GET", &reviews)]
    {
        send(scope, method, path).await.assert_refused(403, "FORBIDDEN", "needs a key with the scope");
    }
    assert_eq!(send("read", "GET", &reviews).await.status, StatusCode::OK);
    assert_eq!(send("generate", "DELETE", &one).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn the_page_works_without_scripts_and_says_what_is_wrong() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({})).await;
    let shown = service.view("GET", &page(&link), None).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert_eq!(shown.header("Referrer-Policy"), "no-referrer");
    assert_eq!(shown.header("X-Robots-Tag"), "noindex, nofollow");
    assert_eq!(shown.header("Cache-Control"), "no-store");
    let policy = shown.header("Content-Security-Policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-") && policy.contains("form-action 'self'"),
        "{policy}"
    );
    let html = String::from_utf8(shown.bytes.clone()).unwrap();
    assert!(!html.contains("<script"), "{html}");
    let source = html.split("<img src=\"../media/").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    assert_eq!(service.view("GET", &format!("/media/{source}"), None).await.bytes, png(64, 48));

    let approved =
        service.form(&format!("{}/approvals", page(&link)), "photo_id=front&name=Maria&decision=approved").await;
    let token = link["token"].as_str().unwrap();
    assert_eq!(
        (approved.status, approved.header("Location")),
        (StatusCode::SEE_OTHER, &*format!("../{token}#photo-front"))
    );
    let said =
        service.form(&format!("{}/comments", page(&link)), "photo_id=&name=Maria&text=One%0D%0Atwo+%3Cb%3E").await;
    assert_eq!((said.status, said.header("Location")), (StatusCode::SEE_OTHER, &*format!("../{token}#comments")));
    let html = String::from_utf8(service.view("GET", &page(&link), None).await.bytes).unwrap();
    assert!(html.contains("Approved by Maria") && html.contains("One\ntwo &lt;b&gt;"), "{html}");

    for (form, why) in [
        ("photo_id=&name=&text=a", "`name` is required"),
        ("photo_id=&name=a&text=%1B", "`text` must not contain control characters"),
        ("photo_id=other&name=a&text=a", "`photo_id` must be that of a photo"),
        ("name=a&name=b&text=a", "`name` must be given once"),
    ] {
        let refused = service.form(&format!("{}/comments", page(&link)), form).await;
        let html = String::from_utf8(refused.bytes).unwrap();
        assert!(refused.status == StatusCode::BAD_REQUEST && html.contains(why), "{form}: {html}");
        assert!(html.contains("action=\"comments\"") && html.contains("src=\"../../media/"), "{html}");
    }
    let json = service.view("POST", &format!("{}/comments", page(&link)), Some(&json!({}))).await;
    assert_eq!(json.status, StatusCode::BAD_REQUEST);
    assert_eq!(service.get(&format!("{path}/reviews")).await.json()["pagination"]["total"], 2);
}

#[tokio::test]
async fn reviews_through_a_link_are_limited_in_a_minute_and_in_all() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({})).await;
    let comments = format!("{}/comments", shared(&link));
    let comment = json!({"text": "a", "name": "b"});
    let mut statuses = BTreeSet::new();
    let mut added = 0;
    while added < 500 {
        let answer = service.view("POST", &comments, Some(&comment)).await;
        statuses.insert(answer.status.as_u16());
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            answer.assert_refused(429, "RATE_LIMITED", "60 such requests in a minute");
            let wait: i64 = answer.header("Retry-After").parse().unwrap();
            assert!((1..=3).contains(&wait), "{wait}");
            service.clock.advance(SignedDuration::from_secs(60));
            continue;
        }
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json());
        added += 1;
    }
    assert_eq!(statuses, BTreeSet::from([201, 429]));
    service.clock.advance(SignedDuration::from_secs(60));
    let answer = service.view("POST", &comments, Some(&comment)).await;
    answer.assert_refused(403, "INSUFFICIENT_QUOTA", "500 comments and decisions");
    let seen = service.view("GET", &shared(&link), None).await.json();
    assert_eq!(seen["data"]["comments"].as_array().unwrap().len(), 500);
    let other = service.share(&path, &json!({})).await;
    let answer = service.view("POST", &format!("{}/comments", shared(&other)), Some(&comment)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "each link has its own limits");
}

#[tokio::test]
async fn media_of_a_link_are_valid_for_an_hour() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({})).await;
    let seen = service.view("GET", &shared(&link), None).await.json();
    let url = seen["data"]["photos"][0]["media"][0]["url"].as_str().unwrap().to_owned();
    let file = url.strip_prefix("http://aerie.test").unwrap();
    service.clock.advance(SignedDuration::from_secs(3599));
    assert_eq!(service.view("GET", file, None).await.status, StatusCode::OK);
    service.clock.advance(SignedDuration::from_secs(1));
    service.view("GET", file, None).await.assert_refused(403, "FORBIDDEN", "expired");
    let expired = service.store.job_expire(service.org, std::time::Duration::from_secs(1), 10).await.unwrap();
    assert_eq!(expired.len(), 1);
    let seen = service.view("GET", &shared(&link), None).await.json();
    assert_eq!(seen["data"]["photos"][0]["media"], json!([]), "media that are not kept any more are not shown");
}

#[tokio::test]
async fn what_viewers_say_is_an_event_with_identifiers_alone() {
    let service = Service::new().await;
    let path = service.reviewed_listing().await;
    let link = service.share(&path, &json!({})).await;
    let hook =
        service.post("/v1/webhooks", &json!({"url": "https://example.com/a", "events": ["listing.reviewed"]})).await;
    let hook = hook.json()["data"]["webhook_id"].as_str().unwrap().to_owned();
    let request = service.request("GET", "/v1/events").body(Body::empty()).unwrap();
    let mut stream = service.router.clone().oneshot(request).await.unwrap().into_body().into_data_stream();
    let approval = json!({"photo_id": "front", "decision": "approved", "name": "Maria Miller"});
    let answer = service.view("POST", &format!("{}/approvals", shared(&link)), Some(&approval)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json());
    let mut text = String::new();
    let message: Value = loop {
        let event = text.split_once("event: listing.reviewed\n").and_then(|(_, event)| event.split_once("\n\n"));
        if let Some(data) = event.and_then(|(event, _)| event.lines().find_map(|line| line.strip_prefix("data: "))) {
            break serde_json::from_str(data).unwrap();
        }
        let chunk = tokio::time::timeout(std::time::Duration::from_secs(20), stream.next()).await.expect("an event");
        text += std::str::from_utf8(&chunk.unwrap().unwrap()).unwrap();
    };
    let review = service.get(&format!("{path}/reviews")).await.json()["data"][0].clone();
    let listing = path.rsplit('/').next().unwrap();
    let expected = json!({
        "listing_id": listing, "share_link_id": link["share_link_id"], "review_id": review["review_id"], "photo_id": "front",
    });
    assert_eq!((&message["type"], &message["data"]), (&json!("listing.reviewed"), &expected));
    assert_eq!(message["timestamp"], review["created_at"]);
    let delivery = service.get(&format!("/v1/webhooks/{hook}/deliveries")).await.json()["data"][0].clone();
    assert_eq!((&delivery["event"], &delivery["job_id"]), (&json!("listing.reviewed"), &Value::Null));
}
