//! The console: its page, its sessions, and what they may do.

use std::time::Duration;

use aerie_domain::{ApiKey, Clock, Scopes};
use axum::body::Body;
use axum::http::Request;
use futures_util::StreamExt;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::browser::{self, Browser, cookie_of};
use crate::harness::{Answer, Service};
use crate::served::{Served, behind_proxy, exchange};

/// Signs in with a key; extra headers are those of the request.
async fn sign_in(service: &Service, key: &str, headers: &[(&str, &str)]) -> Answer {
    browser::sign_in(service, "/console/api/session", key, headers).await
}

impl Browser {
    async fn of(service: &Service, key: &str) -> Self {
        Self::at(service, "/console/api/session", key).await
    }

    async fn new() -> Self {
        let service = Service::new().await;
        let key = service.key.clone();
        Self::of(&service, &key).await
    }

    async fn create_key(&self, body: &Value) -> Answer {
        self.send("POST", "/console/api/keys", body).await
    }

    async fn sign_out(&self) -> Answer {
        self.send("DELETE", "/console/api/session", &Value::Null).await
    }

    async fn is_signed_in(&self) -> bool {
        match self.get("/console/api/v1/jobs").await {
            answer if answer.status == 200 => true,
            answer => {
                answer.assert_refused(401, "UNAUTHORIZED", "sign in to the console");
                false
            }
        }
    }
}

#[tokio::test]
async fn a_session_does_what_its_key_does() {
    let browser = Browser::new().await;
    let session = browser.get("/console/api/session").await.json()["data"].clone();
    assert_eq!(session["organization"]["name"], "Acme");
    assert_eq!(session["key"]["scopes"], json!(["read", "generate", "usage"]));
    assert_eq!(session["csrf_token"], browser.csrf.as_str());
    let created = browser.send("POST", "/console/api/v1/listings", &json!({"reference": "A 1"})).await;
    assert_eq!(created.status, 201, "{}", created.json());
    let id = created.json()["data"]["listing_id"].as_str().unwrap().to_owned();
    // The same listing, by the key.
    let listing = browser.service.get(&format!("/v1/listings/{id}")).await;
    assert_eq!(listing.json()["data"]["reference"], "A 1");
    assert_eq!(browser.get(&format!("/console/api/v1/listings/{id}")).await.status, 200);
    browser.get("/console/api/v1/nothing").await.assert_refused(404, "NOT_FOUND", "");
    let wrong = browser.send("PUT", "/console/api/v1/jobs", &json!({})).await;
    wrong.assert_refused(405, "METHOD_NOT_ALLOWED", "");
    let other = browser.service.other_key.clone();
    let other = Browser::of(&browser.service, &other).await;
    other.get(&format!("/console/api/v1/listings/{id}")).await.assert_refused(404, "LISTING_NOT_FOUND", "");
}

#[tokio::test]
async fn scopes_of_the_key_limit_its_sessions() {
    let service = Service::new().await;
    let key = ApiKey::generate().unwrap();
    let scopes: Scopes = "read".parse().unwrap();
    service.store.key_create(service.org, &key, scopes, None).await.unwrap();
    let browser = Browser::of(&service, key.reveal()).await;
    assert_eq!(browser.get("/console/api/v1/listings").await.status, 200);
    let refused = browser.send("POST", "/console/api/v1/listings", &json!({})).await;
    refused.assert_refused(403, "FORBIDDEN", "needs a key with the scope `generate`");
    browser.get("/console/api/keys").await.assert_refused(403, "FORBIDDEN", "needs a key with the scope `usage`");
}

#[tokio::test]
async fn a_cookie_is_no_key_and_a_key_is_no_session() {
    let browser = Browser::new().await;
    browser.get("/v1/jobs").await.assert_refused(401, "UNAUTHORIZED", "API key");
    browser.service.get("/console/api/v1/jobs").await.assert_refused(401, "UNAUTHORIZED", "sign in");
    // Of a key and a session, each counts on its own paths alone.
    let request = Request::get("/console/api/keys").header("Cookie", &browser.cookie);
    let request = request.header("X-API-Key", &browser.service.other_key);
    let keys = browser.service.send(request.body(Body::empty()).unwrap()).await.json();
    assert_eq!(keys["data"].as_array().unwrap().len(), 1);
    assert_eq!(keys["data"][0]["is_current"], true);
    assert!(!keys.to_string().contains(&browser.service.key), "a key itself is not shown");
}

#[tokio::test]
async fn what_changes_something_needs_the_token_of_the_page() {
    let browser = Browser::new().await;
    let other = Browser::of(&browser.service, &browser.service.key.clone()).await;
    for csrf in ["", "0", &other.csrf, &browser.csrf.to_uppercase(), &browser.csrf[1..]] {
        let answer = browser.send_with("POST", "/console/api/v1/listings", &json!({}), csrf).await;
        answer.assert_refused(403, "FORBIDDEN", "`X-CSRF-Token` must be");
        let answer = browser.send_with("DELETE", "/console/api/session", &Value::Null, csrf).await;
        answer.assert_refused(403, "FORBIDDEN", "`X-CSRF-Token` must be");
    }
    assert!(browser.is_signed_in().await, "it was not ended");
    assert_eq!(browser.get("/console/api/v1/listings").await.json()["pagination"]["total"], 0);
    assert_eq!(browser.send("POST", "/console/api/v1/listings", &json!({})).await.status, 201);
}

#[tokio::test]
async fn a_sign_in_that_another_site_causes_is_refused() {
    let service = Service::new().await;
    for site in ["cross-site", "same-site"] {
        let answer = sign_in(&service, &service.key, &[("Sec-Fetch-Site", site)]).await;
        answer.assert_refused(403, "FORBIDDEN", "Only the console itself");
        assert_eq!(answer.header("set-cookie"), "");
    }
    for site in ["same-origin", "none"] {
        assert_eq!(sign_in(&service, &service.key, &[("Sec-Fetch-Site", site)]).await.status, 201);
    }
    // A form of another site cannot send JSON.
    let body = json!({"key": service.key}).to_string();
    let form = Request::post("/console/api/session").header("Content-Type", "text/plain").body(Body::from(body));
    service.send(form.unwrap()).await.assert_refused(400, "VALIDATION_ERROR", "application/json");
}

#[tokio::test]
async fn a_token_that_was_planted_before_the_sign_in_never_becomes_a_session() {
    let service = Service::new().await;
    let planted = format!("aerie_console={}", "a".repeat(64));
    let answer = sign_in(&service, &service.key, &[("Cookie", &planted)]).await;
    assert_eq!(answer.status, 201);
    let browser = Browser::new().await;
    assert_ne!(cookie_of(&answer), planted);
    let as_planted = Browser { service: service.clone(), cookie: planted, csrf: browser.csrf };
    assert!(!as_planted.is_signed_in().await);
    // A session that somebody else had started is ended, and not used on.
    let theirs = Browser::of(&service, &service.other_key).await;
    let answer = sign_in(&service, &service.key, &[("Cookie", &theirs.cookie)]).await;
    assert_ne!(cookie_of(&answer), theirs.cookie);
    assert!(!theirs.is_signed_in().await);
    // Of two cookies, none counts.
    let ours = Browser::of(&service, &service.key).await;
    let both = format!("{}; aerie_console={}", ours.cookie, "b".repeat(64));
    assert!(!Browser { cookie: both, ..ours }.is_signed_in().await);
}

#[tokio::test]
async fn a_session_ends_with_its_sign_out_and_no_other_does() {
    let browser = Browser::new().await;
    let other = Browser::of(&browser.service, &browser.service.key.clone()).await;
    let answer = browser.sign_out().await;
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("set-cookie"), "aerie_console=; Max-Age=0; HttpOnly; SameSite=Strict");
    assert!(!browser.is_signed_in().await);
    assert!(other.is_signed_in().await);
    // On every node.
    let node = Browser { service: browser.service.node(), cookie: browser.cookie.clone(), csrf: browser.csrf.clone() };
    assert!(!node.is_signed_in().await);
    assert_eq!(browser.sign_out().await.status, 204, "again");
    browser.get("/console/api/session").await.assert_refused(401, "UNAUTHORIZED", "sign in");
}

#[tokio::test]
async fn a_session_ends_when_its_key_is_revoked() {
    let browser = Browser::new().await;
    let service = &browser.service;
    let key = service.store.key_list(Some(service.org)).await.unwrap()[0].id;
    assert!(browser.is_signed_in().await);
    service.store.key_revoke(key).await.unwrap();
    assert!(!browser.is_signed_in().await);
    let again = sign_in(service, &service.key, &[]).await;
    again.assert_refused(401, "UNAUTHORIZED", "`key` is not a valid API key");
}

#[tokio::test]
async fn a_key_is_created_used_and_revoked_in_the_console() {
    let browser = Browser::new().await;
    let created = browser.create_key(&json!({"scopes": ["read", "usage"], "expires_in_days": 30})).await;
    assert_eq!(created.status, 201, "{}", created.json());
    let created = created.json()["data"].clone();
    assert_eq!((&created["scopes"], &created["is_current"]), (&json!(["read", "usage"]), &json!(false)));
    let ends = browser.service.clock.now() + SignedDuration::from_hours(30 * 24);
    assert_eq!(created["expires_at"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap(), ends);
    let key = created["key"].as_str().unwrap();
    assert!(key.starts_with(created["hint"].as_str().unwrap().trim_end_matches('…')), "{created}");
    let by_key = async || {
        let request = Request::get("/v1/jobs").header("X-API-Key", key).body(Body::empty()).unwrap();
        browser.service.send(request).await.status.as_u16()
    };
    assert_eq!(by_key().await, 200);
    // Shown once.
    let listed = browser.get("/console/api/keys").await.json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
    assert!(!listed.to_string().contains(key));
    let path = format!("/console/api/keys/{}", created["id"].as_str().unwrap());
    assert_eq!(browser.send("DELETE", &path, &Value::Null).await.status, 204);
    assert_eq!(by_key().await, 401);
    assert_eq!(browser.send("DELETE", &path, &Value::Null).await.status, 204, "again");
    assert!(browser.get("/console/api/keys").await.json()["data"][1]["revoked_at"].is_string());
    // Without an end, it stays until it is revoked.
    let endless = browser.create_key(&json!({"scopes": ["generate"]})).await.json();
    assert_eq!(endless["data"]["expires_at"], Value::Null);
}

#[tokio::test]
async fn a_session_ends_with_its_own_key() {
    let browser = Browser::new().await;
    let id = browser.get("/console/api/keys").await.json()["data"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(browser.send("DELETE", &format!("/console/api/keys/{id}"), &Value::Null).await.status, 204);
    assert!(!browser.is_signed_in().await);
}

#[tokio::test]
async fn keys_of_other_organizations_are_not_found() {
    let browser = Browser::new().await;
    let service = &browser.service;
    let other = Browser::of(service, &service.other_key).await;
    let theirs = other.get("/console/api/keys").await.json()["data"][0]["id"].as_str().unwrap().to_owned();
    for id in [theirs.as_str(), "01980c7e-5d2b-7c41-9f0e-3a6b1d8e4f27"] {
        let answer = browser.send("DELETE", &format!("/console/api/keys/{id}"), &Value::Null).await;
        answer.assert_refused(404, "NOT_FOUND", "has no key with the id");
    }
    let answer = browser.send("DELETE", "/console/api/keys/1", &Value::Null).await;
    answer.assert_refused(400, "VALIDATION_ERROR", "`keyId` must be a UUID");
    assert!(other.is_signed_in().await);
    // A key belongs to the organization of the session that creates it.
    let created = other.create_key(&json!({"scopes": ["read"]})).await.json();
    let keys = service.store.key_list(Some(service.org)).await.unwrap();
    assert!(keys.iter().all(|key| key.id.to_string() != created["data"]["id"]));
}

#[tokio::test]
async fn a_session_cannot_widen_itself() {
    let service = Service::new().await;
    for scopes in ["usage", "read,usage", "generate,usage", "read,generate"] {
        let key = ApiKey::generate().unwrap();
        let id = service.store.key_create(service.org, &key, scopes.parse().unwrap(), None).await.unwrap().id;
        let browser = Browser::of(&service, key.reveal()).await;
        let why = if scopes.contains("usage") { "the scopes read,generate,usage" } else { "the scope `usage`" };
        for asked in [json!(["read", "generate", "usage"]), json!(["usage"])] {
            let refused = browser.create_key(&json!({"scopes": asked})).await;
            refused.assert_refused(403, "FORBIDDEN", why);
        }
        let refused = browser.send("DELETE", &format!("/console/api/keys/{id}"), &Value::Null).await;
        refused.assert_refused(403, "FORBIDDEN", why);
        assert!(browser.service.store.key_find(key.hash()).await.unwrap().is_some(), "it was not revoked");
    }
    // Nor can it outlive its key by another one.
    let key = ApiKey::generate().unwrap();
    let end = service.clock.now() + SignedDuration::from_hours(10 * 24);
    service.store.key_create(service.org, &key, Scopes::ALL, Some(end)).await.unwrap();
    let browser = Browser::of(&service, key.reveal()).await;
    for asked in [json!({"scopes": ["read"]}), json!({"scopes": ["read"], "expires_in_days": 11})] {
        let refused = browser.create_key(&asked).await;
        refused.assert_refused(400, "VALIDATION_ERROR", "`expires_in_days`: the key of this session expires on");
    }
    assert_eq!(browser.create_key(&json!({"scopes": ["read"], "expires_in_days": 10})).await.status, 201);
}

#[tokio::test]
async fn keys_are_created_and_revoked_by_the_page_alone() {
    let browser = Browser::new().await;
    let id = browser.get("/console/api/keys").await.json()["data"][0]["id"].as_str().unwrap().to_owned();
    let (path, body) = (format!("/console/api/keys/{id}"), json!({"scopes": ["read"]}));
    for csrf in ["", "0"] {
        let answer = browser.send_with("POST", "/console/api/keys", &body, csrf).await;
        answer.assert_refused(403, "FORBIDDEN", "`X-CSRF-Token` must be");
        let answer = browser.send_with("DELETE", &path, &Value::Null, csrf).await;
        answer.assert_refused(403, "FORBIDDEN", "`X-CSRF-Token` must be");
    }
    // A key alone is no session.
    for (method, path) in [("POST", "/console/api/keys"), ("DELETE", path.as_str())] {
        let request = browser.service.request(method, path).header("Content-Type", "application/json");
        let answer = browser.service.send(request.body(Body::from(body.to_string())).unwrap()).await;
        answer.assert_refused(401, "UNAUTHORIZED", "sign in to the console");
    }
    assert!(browser.is_signed_in().await);
    assert_eq!(browser.get("/console/api/keys").await.json()["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_key_that_cannot_be_created_is_refused_with_the_field_and_the_remedy() {
    let browser = Browser::new().await;
    for (body, part) in [
        (json!({}), "`scopes` is required: one or more of read, generate, usage"),
        (json!({"scopes": []}), "`scopes` must be an array of one or more of"),
        (json!({"scopes": ["admin"]}), "`scopes[0]` must be one of read, generate, usage"),
        (json!({"scopes": ["read", "read"]}), "`scopes[1]` must not repeat"),
        (json!({"scopes": ["read"], "expires_in_days": 0}), "`expires_in_days` must be an integer from 1 to"),
        (json!({"scopes": ["read"], "expires_in_days": "30"}), "`expires_in_days` must be an integer"),
    ] {
        browser.create_key(&body).await.assert_refused(400, "VALIDATION_ERROR", part);
    }
    for _ in 1..50 {
        assert_eq!(browser.create_key(&json!({"scopes": ["read"]})).await.status, 201);
    }
    let refused = browser.create_key(&json!({"scopes": ["read"]})).await;
    refused.assert_refused(400, "VALIDATION_ERROR", "50 active keys, the most it can have: revoke one first");
}

#[tokio::test]
async fn a_stream_of_events_ends_soon_after_the_sign_out() {
    let browser = Browser::new().await;
    let request = Request::get("/console/api/v1/events").header("Cookie", &browser.cookie).body(Body::empty()).unwrap();
    let response = browser.service.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    let mut stream = response.into_body().into_data_stream();
    assert!(stream.next().await.unwrap().unwrap().starts_with(b"event: ready"));
    browser.sign_out().await;
    let ended = tokio::time::timeout(Duration::from_secs(15), async { while stream.next().await.is_some() {} });
    ended.await.expect("an end");
}

#[tokio::test]
async fn a_session_is_over_after_8_hours_without_use_and_after_7_days_in_any_case() {
    let browser = Browser::new().await;
    let unused = Browser::of(&browser.service, &browser.service.key.clone()).await;
    let clock = &browser.service.clock;
    let hours = SignedDuration::from_hours;
    for _ in 0..23 {
        clock.advance(hours(7));
        assert!(browser.is_signed_in().await);
    }
    assert!(!unused.is_signed_in().await);
    clock.advance(hours(6));
    assert!(browser.is_signed_in().await);
    clock.advance(hours(1));
    assert!(!browser.is_signed_in().await, "168 hours have passed");
}

#[tokio::test]
async fn wrong_keys_are_refused_and_many_attempts_have_to_wait() {
    let served = Served::new(behind_proxy()).await;
    let attempt = async |key: &str, address: &str| {
        let body = json!({"key": key}).to_string();
        let request = format!(
            "POST /console/api/session HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-Proto: https\r\n\
             X-Forwarded-For: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        exchange(served.connect().await, &request).await
    };
    let key = served.service.key.clone();
    let unknown = ApiKey::generate().unwrap();
    for wrong in ["aerie_live_nothing", unknown.reveal(), "💥"].into_iter().cycle().take(20) {
        let answer = attempt(wrong, "192.0.2.1").await;
        assert!(answer.starts_with("HTTP/1.1 401 ") && !answer.contains("set-cookie"), "{answer}");
    }
    let answer = attempt(&key, "192.0.2.1").await;
    assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("retry-after: "), "{answer}");
    let answer = attempt(&key, "192.0.2.2").await;
    assert!(answer.starts_with("HTTP/1.1 201 "), "another address: {answer}");
    assert!(answer.contains("; HttpOnly; SameSite=Strict; Secure\r\n"), "off loopback: {answer}");
    served.service.clock.advance(SignedDuration::from_secs(10));
    assert!(attempt(&key, "192.0.2.1").await.starts_with("HTTP/1.1 201 "));
}

#[tokio::test]
async fn a_missing_or_malformed_key_is_refused_with_the_field() {
    let service = Service::new().await;
    for (body, part) in [(json!({}), "`key` is required"), (json!({"key": 1}), "`key` must be"), (json!([]), "object")]
    {
        let request = Request::post("/console/api/session").header("Content-Type", "application/json");
        let answer = service.send(request.body(Body::from(body.to_string())).unwrap()).await;
        answer.assert_refused(400, "VALIDATION_ERROR", part);
    }
}

#[tokio::test]
async fn an_upload_continues_with_the_session_that_began_it() {
    let browser = Browser::new().await;
    let begin = Request::post("/console/api/v1/uploads").header("Cookie", &browser.cookie);
    let begin = begin.header("X-CSRF-Token", &browser.csrf).header("Tus-Resumable", "1.0.0");
    let begun = browser.service.send(begin.header("Upload-Length", "1000").body(Body::empty()).unwrap()).await;
    assert_eq!(begun.status, 201);
    let location = begun.header("location").to_owned();
    assert!(location.starts_with("/console/api/v1/uploads/"), "{location}");
    let head = Request::head(&location).header("Cookie", &browser.cookie).header("Tus-Resumable", "1.0.0");
    let head = browser.service.send(head.body(Body::empty()).unwrap()).await;
    assert_eq!((head.status.as_u16(), head.header("upload-offset")), (200, "0"));
    // Uploads by a key stay where they are.
    let begin = browser.service.request("POST", "/v1/uploads").header("Tus-Resumable", "1.0.0");
    let begun = browser.service.send(begin.header("Upload-Length", "1000").body(Body::empty()).unwrap()).await;
    assert!(begun.header("location").starts_with("/v1/uploads/"));
}

#[tokio::test]
async fn under_a_path_that_a_proxy_removes_sessions_uploads_and_the_document_name_it() {
    let service = Service::new().await.under("https://example.com/aerie");
    let signed_in = sign_in(&service, &service.key, &[]).await;
    // Browsers send it to the folder of the address that they signed in at, whatever that is.
    assert!(!signed_in.header("set-cookie").contains("Path"), "{}", signed_in.header("set-cookie"));
    let browser = Browser::of(&service, &service.key).await;
    for (base, path) in [("/aerie", "/v1/uploads"), ("/aerie", "/console/api/v1/uploads")] {
        let begin = service.request("POST", path).header("Cookie", &browser.cookie);
        let begin = begin.header("X-CSRF-Token", &browser.csrf).header("Tus-Resumable", "1.0.0");
        let begun = service.send(begin.header("Upload-Length", "1000").body(Body::empty()).unwrap()).await;
        let location = begun.header("location");
        assert!(location.starts_with(&format!("{base}{path}/")), "{location}");
        // As the proxy forwards it.
        let head = Request::head(&location[base.len()..]).header("Cookie", &browser.cookie);
        let head = service.send(head.header("X-API-Key", &service.key).body(Body::empty()).unwrap()).await;
        assert_eq!((head.status.as_u16(), head.header("upload-offset")), (200, "0"));
    }
    assert_eq!(service.get("/openapi.json").await.json()["servers"], json!([{"url": "/aerie"}]));
    assert_eq!(Service::new().await.get("/openapi.json").await.json().get("servers"), None);
}

#[tokio::test]
async fn requests_from_the_console_do_not_count_in_those_of_the_key() {
    let browser = Browser::new().await;
    for left in (595..600).rev() {
        let answer = browser.get("/console/api/v1/jobs").await;
        assert!(answer.header("ratelimit-policy").starts_with("\"minute\";q=600;"));
        assert!(
            answer.header("ratelimit").starts_with(&format!("\"minute\";r={left};")),
            "{}",
            answer.header("ratelimit")
        );
    }
    let by_key = browser.service.get("/v1/jobs").await;
    assert!(by_key.header("ratelimit").starts_with("\"minute\";r=999999;"), "{}", by_key.header("ratelimit"));
}

#[tokio::test]
async fn the_page_loads_everything_from_this_server_by_names_that_change_with_the_content() {
    let service = Service::new().await;
    for path in ["/", "/console"] {
        let moved = service.get(path).await;
        assert_eq!((moved.status.as_u16(), moved.header("location")), (307, "console/"), "{path}");
    }
    let page = service.get("/console/").await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), "public, no-cache");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("data:"), "{policy}");
    let text = String::from_utf8(page.bytes.clone()).unwrap();
    assert!(!text.contains("://") && !text.contains("<style") && !text.contains(" style="), "{text}");
    let scripts = text.matches("<script").count();
    assert_eq!((scripts, text.matches("<script type=\"module\" crossorigin src=\"./app-").count()), (1, 1), "{text}");
    let mut sent = 0;
    for name in text.split('"').filter_map(|part| part.strip_prefix("./")) {
        let file = service.get(&format!("/console/{name}")).await;
        assert_eq!(file.status, 200, "{name}");
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable", "{name}");
        let request = Request::get(format!("/console/{name}")).header("Accept-Encoding", "gzip");
        sent += service.send(request.body(Body::empty()).unwrap()).await.bytes.len();
    }
    assert!(sent > 1000 && sent <= 120 << 10, "the first load is {sent} bytes");
    service.get("/console/app.js").await.assert_refused(404, "NOT_FOUND", "");
    service.get("/console/..%2fconfig.toml").await.assert_refused(404, "NOT_FOUND", "");
}

#[tokio::test]
async fn pictures_from_a_bucket_are_allowed_only_where_media_are_in_one() {
    let service = Service::new().await;
    assert!(service.with_bucket().get("/console/").await.header("content-security-policy").contains("blob: https:;"));
}

#[tokio::test]
async fn without_the_console_nothing_is_served_for_it() {
    let browser = Browser::new().await;
    let service = browser.service.without_console();
    for path in ["/", "/console", "/console/", "/console/api/session", "/console/api/keys", "/console/api/v1/jobs"] {
        let request = Request::get(path).header("Cookie", &browser.cookie).body(Body::empty()).unwrap();
        service.send(request).await.assert_refused(404, "NOT_FOUND", "");
    }
    sign_in(&service, &service.key, &[]).await.assert_refused(404, "NOT_FOUND", "");
    assert_eq!(service.get("/v1/jobs").await.status, 200);
}

#[tokio::test]
async fn the_picture_of_every_style_is_served() {
    let service = Service::new().await;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("console-assets/styles");
    let names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.contains(&"modern.webp".to_owned()), "{names:?}");
    for name in names {
        let picture = service.get(&format!("/console/styles/{name}")).await;
        assert_eq!((picture.status.as_u16(), picture.header("content-type")), (200, "image/webp"), "{name}");
    }
    service.get("/console/styles/none.webp").await.assert_refused(404, "NOT_FOUND", "");
}
