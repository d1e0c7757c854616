//! The console for operators: who may use it, where it is, and what it shows.

use std::sync::Arc;

use aerie_api::{ConnectionLimits, Doctor, Environment, Finding, OperatorConsole, Transport, admin_router};
use aerie_domain::{ApiKey, Clock, Failure, FailureCode, JobType, OperatorKey};
use aerie_storage::{Node, NodeRole};
use axum::body::Body;
use axum::http::Request;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::browser::{self, Browser, cookie_of};
use crate::harness::{Answer, Service};
use crate::served::{Served, exchange};

const SESSION: &str = "/operator/api/session";

/// Every request of the console but those of its session; `ORG` and `KEY` stand for ids.
const REQUESTS: [(&str, &str); 16] = [
    ("GET", "/operator/api/session"),
    ("GET", "/operator/api/organizations"),
    ("POST", "/operator/api/organizations"),
    ("GET", "/operator/api/organizations/ORG"),
    ("PATCH", "/operator/api/organizations/ORG"),
    ("POST", "/operator/api/organizations/ORG/keys"),
    ("DELETE", "/operator/api/organizations/ORG/keys/KEY"),
    ("GET", "/operator/api/usage"),
    ("GET", "/operator/api/plans"),
    ("GET", "/operator/api/queue"),
    ("GET", "/operator/api/nodes"),
    ("GET", "/operator/api/failures"),
    ("GET", "/operator/api/disk"),
    ("GET", "/operator/api/doctor"),
    ("POST", "/operator/api/doctor"),
    ("GET", "/operator/api/failures?kind=markup"),
];

/// Finds a clock and a full disk.
struct StubDoctor;

impl Doctor for StubDoctor {
    fn check(&self, found: &mut dyn FnMut(Finding) -> bool) {
        let finding = |what: &str, ok, remedy: Option<&str>| Finding {
            what: what.into(),
            ok,
            found: "as found".into(),
            remedy: remedy.map(str::to_owned),
        };
        found(finding("clock", true, None));
        found(finding("disk space", false, Some("free disk space")));
    }
}

/// The admin listener of a service.
fn admin(service: &Service) -> Service {
    let state = service.state(Environment::Production);
    let console = OperatorConsole::new(Arc::clone(&state), Arc::new(StubDoctor), Some("/etc/aerie/aerie.toml".into()));
    Service { router: admin_router(state.operations(), Some(Arc::new(console))), ..service.clone() }
}

/// An operator's browser on the admin listener, and the service that clients see.
struct Desk {
    browser: Browser,
    service: Service,
    key: String,
}

impl Desk {
    async fn new() -> Self {
        Self::of(Service::new().await).await
    }

    async fn of(service: Service) -> Self {
        let key = OperatorKey::generate().unwrap();
        service.store.operator_key_create(&key, "Ada", None).await.unwrap();
        let browser = Browser::at(&admin(&service), SESSION, key.reveal()).await;
        Self { browser, service, key: key.reveal().to_owned() }
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.browser.get(&format!("/operator/api{path}")).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.json());
        answer.json()["data"].clone()
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.browser.send(method, &format!("/operator/api{path}"), body).await
    }

    async fn is_signed_in(&self) -> bool {
        match self.browser.get("/operator/api/queue").await {
            answer if answer.status == 200 => true,
            answer => {
                answer.assert_refused(401, "UNAUTHORIZED", "sign in to the operator console");
                false
            }
        }
    }

    /// Paths with ids that exist.
    async fn requests(&self) -> Vec<(&'static str, String)> {
        let org = self.service.org;
        let key = self.service.store.key_list(Some(org)).await.unwrap()[0].id;
        let filled = |path: &str| path.replace("ORG", &org.to_string()).replace("KEY", &key.to_string());
        REQUESTS.iter().map(|(method, path)| (*method, filled(path))).collect()
    }
}

async fn send(service: &Service, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = Request::builder().method(method).uri(path).header("Content-Type", "application/json");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    service.send(request.body(Body::from("{}")).unwrap()).await
}

#[tokio::test]
async fn every_request_needs_an_operators_session_and_what_changes_something_its_proof() {
    let desk = Desk::new().await;
    let admin = &desk.browser.service;
    let client = Browser::at(&desk.service, "/console/api/session", &desk.service.key).await;
    // A client's cookie, as it is and under the name of the operators'.
    let renamed = client.cookie.replace("aerie_console=", "aerie_operator=");
    let borrowed = desk.browser.cookie.replace("aerie_operator=", "aerie_console=");
    for (method, path) in desk.requests().await {
        for cookie in ["", "aerie_operator=", &client.cookie, &renamed, &borrowed] {
            let headers =
                [("Cookie", cookie), ("X-CSRF-Token", client.csrf.as_str()), ("X-API-Key", desk.service.key.as_str())];
            let answer = send(admin, method, &path, &headers).await;
            answer.assert_refused(401, "UNAUTHORIZED", "sign in to the operator console");
        }
        let answer = send(admin, method, &path, &[("X-API-Key", desk.key.as_str())]).await;
        answer.assert_refused(401, "UNAUTHORIZED", "sign in to the operator console");
        if method != "GET" {
            for proof in ["", "0", &client.csrf, &desk.browser.csrf.to_uppercase()] {
                let headers = [("Cookie", desk.browser.cookie.as_str()), ("X-CSRF-Token", proof)];
                let answer = send(admin, method, &path, &headers).await;
                answer.assert_refused(403, "FORBIDDEN", "`X-CSRF-Token` must be");
            }
        }
    }
    desk.send("DELETE", "/session", &Value::Null).await;
    assert!(!desk.is_signed_in().await);
    assert_eq!(desk.service.get("/v1/jobs").await.status, 200, "nothing was revoked");
}

#[tokio::test]
async fn every_request_is_answered_for_an_operator() {
    let desk = Desk::new().await;
    for (method, path) in desk.requests().await {
        let body = if path.ends_with("/organizations") { json!({"name": "New", "plan": "ample"}) } else { json!({}) };
        let answer = desk.browser.send(method, &path, &body).await;
        assert!(answer.status.is_success(), "{method} {path}: {}", String::from_utf8_lossy(&answer.bytes));
    }
    desk.browser.get("/operator/api/nothing").await.assert_refused(404, "NOT_FOUND", "");
    desk.send("PUT", "/queue", &json!({})).await.assert_refused(405, "METHOD_NOT_ALLOWED", "");
}

#[tokio::test]
async fn nothing_of_it_is_on_the_listener_for_clients_and_nothing_for_clients_on_the_other() {
    let desk = Desk::new().await;
    let paths = desk.requests().await;
    let pages = ["/operator", "/operator/", "/operator/operator.js"].map(|path| ("GET", path.to_owned()));
    for environment in [Environment::Development, Environment::Production] {
        let router = aerie_api::router(desk.service.state(environment));
        let public = Service { router, ..desk.service.clone() };
        for (method, path) in paths.iter().chain(&pages) {
            let headers = [("Cookie", desk.browser.cookie.as_str()), ("X-CSRF-Token", desk.browser.csrf.as_str())];
            send(&public, method, path, &headers).await.assert_refused(404, "NOT_FOUND", "");
        }
        browser::sign_in(&public, SESSION, &desk.key, &[]).await.assert_refused(404, "NOT_FOUND", "");
        let as_client = browser::sign_in(&public, "/console/api/session", &desk.key, &[]).await;
        as_client.assert_refused(401, "UNAUTHORIZED", "not a valid API key");
    }
    for path in ["/v1/jobs", "/console/", "/console/api/session", "/docs/"] {
        desk.browser.get(path).await.assert_refused(404, "NOT_FOUND", "");
    }
    // Without the console, the listener has none for operators either.
    let off = Service {
        router: admin_router(desk.service.state(Environment::Production).operations(), None),
        ..desk.service.clone()
    };
    browser::sign_in(&off, SESSION, &desk.key, &[]).await.assert_refused(404, "NOT_FOUND", "");
}

#[tokio::test]
async fn no_answer_contains_a_secret() {
    let desk = Desk::new().await;
    let (service, store) = (&desk.service, &desk.service.store);
    let secret_url = "https://user:hunter2@photos.test/a.jpg?X-Signature=h0neyp0t&token=h0neyp0t";
    let secret = service
        .post("/v1/webhooks", &json!({"url": "https://hooks.test/in?token=h0neyp0t", "events": ["job.failed"]}))
        .await;
    assert_eq!(secret.status, 201, "{}", secret.json());
    let webhook_secret = secret.json()["data"]["secret"].as_str().unwrap().to_owned();
    let id = service.submit().await;
    let claim = service.claim().await;
    let link = service.links.sign(&format!("{}/{id}/1/a.jpg", service.org), service.clock.now());
    let message = format!("cannot fetch {secret_url} or {link}, with aerie_live_h0neyp0t");
    store.job_fail(&claim.lease, Failure::new(FailureCode::EngineError, message)).await.unwrap();
    let created = desk.send("POST", &format!("/organizations/{}/keys", service.org), &json!({})).await;
    let created = created.json()["data"]["key"].as_str().unwrap().to_owned();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let keys = [service.key.as_str(), &created, &service.other_key];
    let hashes: Vec<String> = keys
        .iter()
        .map(|key| hex(&ApiKey::parse(key).unwrap().hash().0))
        .chain([hex(&OperatorKey::parse(&desk.key).unwrap().hash().0)])
        .collect();
    let signature = link.split_once('?').unwrap().1.to_owned();
    let secrets = keys.iter().map(|key| (*key).to_owned()).chain(hashes).chain([
        "h0neyp0t".to_owned(),
        "hunter2".to_owned(),
        signature,
        webhook_secret.trim_start_matches("whsec_").to_owned(),
        desk.key.clone(),
    ]);
    let secrets: Vec<String> = secrets.collect();
    for (_, path) in desk.requests().await.into_iter().filter(|(method, _)| *method == "GET") {
        let text = String::from_utf8(desk.browser.get(&path).await.bytes).unwrap();
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{path}: {secret} in {text}");
        }
    }
    let failure = &desk.get("/failures").await["failures"][0];
    assert!(failure["message"].as_str().unwrap().contains("https://photos.test/a.jpg?…"), "{failure}");
    let organization = desk.get(&format!("/organizations/{}", service.org)).await;
    assert_eq!(organization["webhooks"][0]["url"], "https://hooks.test/in?…");
}

#[tokio::test]
async fn an_operator_signs_in_with_an_operator_key_alone() {
    let desk = Desk::new().await;
    let admin = &desk.browser.service;
    let session = desk.get("/session").await;
    assert_eq!((&session["key"]["name"], &session["environment"]), (&json!("Ada"), &json!("production")));
    assert_eq!(session["csrf_token"], desk.browser.csrf.as_str());
    let answer = browser::sign_in(admin, SESSION, &desk.key, &[]).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.ends_with("; Max-Age=43200; HttpOnly; SameSite=Strict"), "{cookie}");
    let unknown = OperatorKey::generate().unwrap();
    for key in [desk.service.key.as_str(), unknown.reveal(), "aerie_op_nothing"] {
        let answer = browser::sign_in(admin, SESSION, key, &[]).await;
        answer.assert_refused(401, "UNAUTHORIZED", "aerie admin operator create");
        assert_eq!(answer.header("set-cookie"), "");
    }
    for site in ["cross-site", "same-site"] {
        let answer = browser::sign_in(admin, SESSION, &desk.key, &[("Sec-Fetch-Site", site)]).await;
        answer.assert_refused(403, "FORBIDDEN", "itself starts sessions");
    }
    // A token that was planted before never becomes a session.
    let planted = format!("aerie_operator={}", "a".repeat(64));
    let answer = browser::sign_in(admin, SESSION, &desk.key, &[("Cookie", &planted)]).await;
    assert_ne!(cookie_of(&answer), planted);
}

#[tokio::test]
async fn a_session_ends_with_its_key_and_its_sign_out() {
    let desk = Desk::new().await;
    let other = Desk::of(desk.service.clone()).await;
    assert!(desk.is_signed_in().await && other.is_signed_in().await);
    let keys = desk.service.store.operator_key_list().await.unwrap();
    desk.service.store.operator_key_revoke(keys[0].id).await.unwrap();
    assert!(!desk.is_signed_in().await && other.is_signed_in().await);
    let answer = other.send("DELETE", "/session", &Value::Null).await;
    assert_eq!(answer.header("set-cookie"), "aerie_operator=; Max-Age=0; HttpOnly; SameSite=Strict");
    assert!(!other.is_signed_in().await);
}

#[tokio::test]
async fn a_session_is_over_after_1_hour_without_use_and_after_12_hours_in_any_case() {
    let desk = Desk::new().await;
    let unused = Desk::of(desk.service.clone()).await;
    for _ in 0..14 {
        desk.service.clock.advance(SignedDuration::from_mins(50));
        assert!(desk.is_signed_in().await);
    }
    assert!(!unused.is_signed_in().await);
    desk.service.clock.advance(SignedDuration::from_mins(20));
    assert!(!desk.is_signed_in().await, "12 hours have passed");
}

#[tokio::test]
async fn many_attempts_to_sign_in_have_to_wait_and_only_this_machine_is_answered() {
    let service = Service::new().await;
    let key = OperatorKey::generate().unwrap();
    service.store.operator_key_create(&key, "Ada", None).await.unwrap();
    let admin = admin(&service);
    let transport = Transport { limits: ConnectionLimits::admin(), ..Transport::plain() };
    let router = admin.router.clone();
    let served = Served::with(admin, router, transport).await;
    let attempt = async |key: &str, headers: &str| {
        let body = json!({"key": key}).to_string();
        let request = format!(
            "POST {SESSION} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
             {headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        exchange(served.connect().await, &request).await
    };
    let answer = attempt(key.reveal(), "X-Forwarded-Proto: http\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("ssh -L"), "{answer}");
    assert!(served.ask("/operator/", "X-Forwarded-Proto: http\r\n").await.starts_with("HTTP/1.1 403 "));
    assert!(served.ask("/operator/", "X-Forwarded-Proto: https\r\n").await.starts_with("HTTP/1.1 200 "));
    for _ in 0..20 {
        assert!(attempt("aerie_op_nothing", "").await.starts_with("HTTP/1.1 401 "));
    }
    let answer = attempt(key.reveal(), "").await;
    assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("retry-after: "), "{answer}");
    served.service.clock.advance(SignedDuration::from_secs(10));
    assert!(attempt(key.reveal(), "").await.starts_with("HTTP/1.1 201 "));
}

#[tokio::test]
async fn an_organization_is_created_and_its_terms_are_changed() {
    let desk = Desk::new().await;
    let created = desk.send("POST", "/organizations", &json!({"name": " Lakeside Homes ", "plan": "growth"})).await;
    assert_eq!(created.status, 201, "{}", created.json());
    let created = &created.json()["data"];
    assert_eq!((&created["name"], &created["plan"]), (&json!("Lakeside Homes"), &json!("growth")));
    let path = format!("/organizations/{}", created["id"].as_str().unwrap());
    let changes = json!({
        "plan": "starter", "disabled": ["video_clip"], "monthly_quota": 50, "keep_days": 30, "prices": {"markup": 700},
        "reject_duplicates": true, "truth_pages": true,
    });
    let changed = desk.send("PATCH", &path, &changes).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
    let shown = desk.get(&path).await;
    for (name, value) in changes.as_object().unwrap() {
        assert_eq!(&shown[name], value, "{name}");
    }
    let changed = desk.send("PATCH", &path, &json!({"monthly_quota": null, "prices": {"markup": null}})).await.json();
    let changed = &changed["data"];
    assert_eq!((&changed["monthly_quota"], &changed["prices"]), (&json!(null), &json!({})));
    assert_eq!((&changed["keep_days"], &changed["disabled"]), (&json!(30), &json!(["video_clip"])));
    for (body, part) in [
        (json!({"plan": "huge"}), "`plan` must be a plan of the configuration: ample"),
        (json!({"disclosure_profile": "none such"}), "`disclosure_profile` must be one of"),
        (json!({"disabled": ["films"]}), "`disabled[0]` must be one of"),
    ] {
        desk.send("PATCH", &path, &body).await.assert_refused(400, "VALIDATION_ERROR", part);
    }
    for (body, part) in [
        (json!({}), "`name` is required"),
        (json!({"name": "New", "plan": "huge"}), "`plan` must be a plan of the configuration"),
        (json!({"name": "New"}), "`plan` must be a plan of the configuration"),
    ] {
        desk.send("POST", "/organizations", &body).await.assert_refused(400, "VALIDATION_ERROR", part);
    }
    let nobody = desk.send("PATCH", "/organizations/01980c7e-0000-7000-8000-000000000000", &json!({})).await;
    nobody.assert_refused(404, "NOT_FOUND", "No organization has the id");
    let found = desk.browser.get("/operator/api/organizations?search=LAKE&limit=1").await.json();
    assert_eq!((&found["data"][0]["name"], &found["pagination"]["total"]), (&json!("Lakeside Homes"), &json!(1)));
    let page = desk.browser.get("/operator/api/organizations?limit=1&offset=1").await.json();
    assert_eq!((&page["pagination"]["total"], &page["pagination"]["has_more"]), (&json!(3), &json!(true)));
}

#[tokio::test]
async fn a_key_is_created_for_an_organization_shown_once_and_revoked() {
    let desk = Desk::new().await;
    let path = format!("/organizations/{}", desk.service.org);
    let body = json!({"scopes": ["read"], "expires_at": "2026-03-11"});
    let created = desk.send("POST", &format!("{path}/keys"), &body).await;
    assert_eq!(created.status, 201, "{}", created.json());
    let created = created.json()["data"].clone();
    assert_eq!((&created["scopes"], &created["expires_at"]), (&json!(["read"]), &json!("2026-03-12T00:00:00.000Z")));
    let by_key = Service { key: created["key"].as_str().unwrap().to_owned(), ..desk.service.clone() };
    assert_eq!(by_key.get("/v1/jobs").await.status, 200);
    by_key.post("/v1/listings", &json!({})).await.assert_refused(403, "FORBIDDEN", "scope `generate`");
    let shown = desk.get(&path).await;
    assert_eq!(shown["keys"].as_array().unwrap().len(), 2);
    let key_path = format!("{path}/keys/{}", created["id"].as_str().unwrap());
    let other = desk.service.store.org_list().await.unwrap()[1].id;
    let of_other = key_path.replace(&desk.service.org.to_string(), &other.to_string());
    desk.send("DELETE", &of_other, &json!({})).await.assert_refused(404, "NOT_FOUND", "has no key with the id");
    assert_eq!(desk.send("DELETE", &key_path, &json!({})).await.status, 204);
    by_key.get("/v1/jobs").await.assert_refused(401, "UNAUTHORIZED", "");
    for (body, part) in [
        (json!({"expires_at": "2026-03-09"}), "`expires_at` lies in the past"),
        (json!({"expires_at": "soon"}), "`expires_at` must be the last valid day"),
        (json!({"scopes": ["write"]}), "`scopes[0]` must be one of read, generate, usage"),
    ] {
        let refused = desk.send("POST", &format!("{path}/keys"), &body).await;
        refused.assert_refused(400, "VALIDATION_ERROR", part);
    }
}

#[tokio::test]
async fn usage_of_a_month_is_summed_by_organization() {
    let desk = Desk::new().await;
    desk.service.completed().await;
    desk.service.completed().await;
    desk.service.store.org_create("Idle", "ample").await.unwrap();
    let usage = desk.get("/usage").await;
    assert_eq!((&usage["from"], &usage["to"]), (&json!("2026-03-01"), &json!("2026-03-31")));
    assert_eq!((&usage["jobs"], &usage["cents"]), (&json!(2), &json!(3000)));
    let organizations = usage["organizations"].as_array().unwrap();
    assert_eq!((organizations.len(), &organizations[0]["name"]), (1, &json!("Acme")));
    assert_eq!(
        organizations[0]["by_type"],
        json!([{"event_type": "drone_footage.generate", "jobs": 2, "cents": 3000}])
    );
    assert_eq!(desk.get("/usage?month=2026-02").await["jobs"], 0);
    let wrong = desk.browser.get("/operator/api/usage?month=2026-2").await;
    wrong.assert_refused(400, "VALIDATION_ERROR", "`month` must be a real month");
}

#[tokio::test]
async fn plans_and_prices_are_shown_with_the_file_that_has_them() {
    let plans = Desk::new().await.get("/plans").await;
    assert_eq!(plans["configuration"], "/etc/aerie/aerie.toml");
    let few = plans["plans"].as_array().unwrap().iter().find(|plan| plan["name"] == "few jobs").unwrap().clone();
    assert_eq!((&few["queued_jobs"], &few["failed_per_day"], &few["weight"]), (&json!(2), &json!(1), &json!(1)));
    assert!(plans["prices"].as_array().unwrap().contains(&json!({"kind": "drone_footage", "cents": 1500})));
    assert!(!plans["disclosure_profiles"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn the_queue_is_shown_by_kind_with_the_workers_that_claim_it() {
    let desk = Desk::new().await;
    desk.service.submit().await;
    desk.service.submit().await;
    desk.service.claim().await;
    let node = |name: &str, role, kinds: &[JobType]| Node {
        name: name.into(),
        role,
        version: "1".into(),
        kinds: kinds.to_vec(),
        host: "here".into(),
        pack: None,
    };
    let store = &desk.service.store;
    store.node_beat(&node("lost", NodeRole::Worker, &JobType::ALL)).await.unwrap();
    desk.service.clock.advance(SignedDuration::from_secs(40));
    store.node_beat(&node("live", NodeRole::Worker, &[JobType::DroneFootage])).await.unwrap();
    store.node_beat(&node("server", NodeRole::Api, &[])).await.unwrap();
    let queue = desk.get("/queue").await;
    let of = |kind: &str| queue["kinds"].as_array().unwrap().iter().find(|one| one["kind"] == kind).unwrap().clone();
    let footage = of("drone_footage");
    assert_eq!((&footage["queued"], &footage["running"], &footage["workers"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(footage["oldest_queued_at"], "2026-03-10T12:00:00.250Z");
    assert_eq!((&of("markup")["queued"], &of("markup")["workers"]), (&json!(0), &json!(0)));
    assert_eq!(queue["lacking"], json!([]));
    desk.service.readiness.found(aerie_api::Check::Encoder, false);
    assert_eq!(desk.get("/queue").await["lacking"], json!(["encoder"]));
    let nodes = desk.get("/nodes").await["nodes"].clone();
    let live =
        |name: &str| nodes.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()["is_live"].clone();
    assert_eq!((live("server"), live("live"), live("lost")), (json!(true), json!(true), json!(false)));
}

#[tokio::test]
async fn failures_of_seven_days_are_listed_with_their_reasons_and_inputs() {
    let mut desk = Desk::new().await;
    let fail = async |desk: &Desk, code, message: &str| {
        let id = desk.service.submit().await;
        let claim = desk.service.claim().await;
        let failure = Failure::new(code, message);
        desk.service.store.job_fail(&claim.lease, failure).await.unwrap();
        id
    };
    fail(&desk, FailureCode::EngineError, "an old one").await;
    desk.service.clock.advance(SignedDuration::from_hours(7 * 24 + 1));
    // The session is over by now.
    desk.browser = Browser::at(&admin(&desk.service), SESSION, &desk.key).await;
    let first = fail(&desk, FailureCode::AddressNotFound, "No such house.").await;
    let canceled = desk.service.submit().await;
    assert_eq!(desk.service.post(&format!("/v1/jobs/{canceled}/cancel"), &json!({})).await.status, 200);
    desk.service.clock.advance(SignedDuration::from_secs(60));
    let second = fail(&desk, FailureCode::AttemptsExhausted, "Lost three times.").await;
    let listed = desk.get("/failures").await;
    let failures = listed["failures"].as_array().unwrap();
    let ids: Vec<_> = failures.iter().map(|failure| failure["job_id"].as_str().unwrap()).collect();
    assert_eq!((ids, &listed["next_offset"]), (vec![second.as_str(), &first], &Value::Null));
    let shown = &failures[1];
    assert_eq!((&shown["code"], &shown["message"]), (&json!("ADDRESS_NOT_FOUND"), &json!("No such house.")));
    assert_eq!((&shown["organization"], &shown["input"]["address"]), (&json!("Acme"), &json!("1 Main St")));
    // Page by page; a canceled job takes a place and is not shown.
    let page = desk.get("/failures?limit=1").await;
    assert_eq!((page["failures"].as_array().unwrap().len(), &page["next_offset"]), (1, &json!(1)));
    let rest = desk.get("/failures?limit=1&offset=1").await;
    assert_eq!((&rest["failures"][0]["job_id"], &rest["next_offset"]), (&json!(first), &Value::Null));
    assert_eq!(desk.get("/failures?kind=markup").await["failures"], json!([]));
    let other = desk.service.store.org_list().await.unwrap()[1].id;
    assert_eq!(desk.get(&format!("/failures?organization={other}")).await["failures"], json!([]));
    for (query, part) in [("kind=films", "`kind` must be one of"), ("organization=1", "`organization` must be the id")]
    {
        let refused = desk.browser.get(&format!("/operator/api/failures?{query}")).await;
        refused.assert_refused(400, "VALIDATION_ERROR", part);
    }
}

#[tokio::test]
async fn the_disk_is_shown_with_what_uses_it() {
    let desk = Desk::new().await;
    desk.service.capacity.set_media_size(1234);
    let disk = desk.get("/disk").await;
    assert!(disk["free"].as_u64().unwrap() > 0 && disk["total"].as_u64() >= disk["free"].as_u64(), "{disk}");
    assert!(disk["database"].as_u64().unwrap() > 10_000);
    assert_eq!((&disk["media"], &disk["media_in"], &disk["uploads"]), (&json!(1234), &json!("folder"), &json!(0)));
    assert_eq!(disk["refuses_jobs"], Value::Null);
    let full = desk.service.with_limits(aerie_storage::Limits { reserve: u64::MAX, budget: None });
    let disk = Desk::of(full).await.get("/disk").await;
    assert!(disk["refuses_jobs"].as_str().unwrap().contains("less than the reserve"), "{disk}");
}

#[tokio::test]
async fn the_doctor_checks_in_the_background() {
    let desk = Desk::new().await;
    assert_eq!(desk.get("/doctor").await, Value::Null);
    assert_eq!(desk.send("POST", "/doctor", &json!({})).await.status, 202);
    let mut run = desk.get("/doctor").await;
    while run["status"] == "running" {
        tokio::task::yield_now().await;
        run = desk.get("/doctor").await;
    }
    assert_eq!((&run["status"], &run["ok"]), (&json!("ended"), &json!(false)));
    assert_eq!(run["findings"][1]["remedy"], "free disk space");
    assert_eq!(run["findings"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_page_loads_everything_from_this_server_and_runs_nothing_inline() {
    let desk = Desk::new().await;
    let admin = &desk.browser.service;
    for path in ["/", "/operator"] {
        let moved = admin.get(path).await;
        assert_eq!((moved.status.as_u16(), moved.header("location")), (307, "operator/"), "{path}");
    }
    let page = admin.get("/operator/").await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("require-trusted-types-for 'script'"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("data:"), "{policy}");
    let text = String::from_utf8(page.bytes.clone()).unwrap();
    assert!(!text.contains("://") && !text.contains("<style") && !text.contains(" style="), "{text}");
    assert_eq!(text.matches("<script").count(), 1, "{text}");
    let mut sent = 0;
    for name in text.split('"').filter_map(|part| part.strip_prefix("./")) {
        let request = Request::get(format!("/operator/{name}")).header("Accept-Encoding", "gzip");
        let file = admin.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(file.status, 200, "{name}");
        sent += file.bytes.len();
    }
    assert!(sent > 1000 && sent <= 120 << 10, "the first load is {sent} bytes");
    admin.get("/operator/operator.js").await.assert_refused(404, "NOT_FOUND", "");
    admin.get("/operator/..%2fconfig.toml").await.assert_refused(404, "NOT_FOUND", "");
}
