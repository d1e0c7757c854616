//! What operators look at: `/metrics`, `/readyz`, and reports of a full disk.

use std::net::SocketAddr;

use aerie_api::{Check, ConnectionLimits, Environment, Transport, admin_router, router};
use aerie_storage::{Limits, Node, NodeRole};
use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::harness::{Answer, Service};
use crate::served::{Served, assert_answer, behind_proxy};

const BEARER: &str = "Bearer a token for figures";

async fn figures(service: &Service) -> String {
    let request = Request::get("/metrics").header("Authorization", BEARER).body(Body::empty()).unwrap();
    let answer = service.send(request).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").starts_with("application/openmetrics-text; version=1.0.0"));
    String::from_utf8(answer.bytes).unwrap()
}

#[tokio::test]
async fn while_the_database_does_not_answer_there_are_metrics_without_the_figures_of_the_fleet() {
    let (service, faults) = Service::new().await.with_faults();
    assert!(figures(&service).await.contains("aerie_nodes{"));
    faults.set_silent(true);
    let metrics = tokio::time::timeout(std::time::Duration::from_secs(8), figures(&service)).await.expect("an answer");
    assert!(!metrics.contains("aerie_nodes{") && metrics.contains("aerie_media_requests_total{"), "{metrics}");
}

async fn ready(service: &Service) -> Answer {
    service.send(Request::get("/readyz").body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn metrics_need_the_token_outside_the_allowed_networks() {
    let service = Service::new().await;
    for authorization in [None, Some("Bearer nonsense")] {
        let mut request = Request::get("/metrics").header("X-API-Key", &service.key);
        if let Some(value) = authorization {
            request = request.header("Authorization", value);
        }
        let answer = service.send(request.body(Body::empty()).unwrap()).await;
        answer.assert_refused(403, "FORBIDDEN", "[metrics] allow_networks");
    }
    assert!(figures(&service).await.ends_with("# EOF\n"));
}

#[tokio::test]
async fn outside_development_the_main_listener_has_no_metrics_whatever_the_request_says() {
    for environment in [Environment::Staging, Environment::Production] {
        let service = Service::new().await;
        let router = router(service.state(environment));
        let served = Served::with(service, router, behind_proxy()).await;
        let bearer = format!("Authorization: {BEARER}\r\n");
        for headers in ["", bearer.as_str()] {
            let answer = served.ask("/metrics", &format!("X-Forwarded-Proto: https\r\n{headers}")).await;
            assert_answer(&answer, 404, r#""code":"NOT_FOUND""#);
        }
        assert_answer(&served.ask("/healthz", "").await, 200, "ok");
    }
}

#[tokio::test]
async fn the_admin_listener_serves_metrics_and_health_and_nothing_else() {
    let service = Service::new().await;
    let router = admin_router(service.state(Environment::Production).operations(), None);
    let transport = Transport { limits: ConnectionLimits::admin(), ..Transport::plain() };
    let served = Served::with(service, router, transport).await;
    assert_answer(&served.ask("/metrics", "").await, 200, "# EOF\n");
    assert_answer(&served.ask("/healthz", "").await, 200, "production");
    assert_answer(&served.ask("/readyz", "").await, 200, "ready");
    for path in ["/v1/jobs", "/docs/", "/openapi.json", "/media/x", "/", "/operator/", "/operator/api/session"] {
        assert_answer(&served.ask(path, "").await, 404, r#""code":"NOT_FOUND""#);
    }
    for header in ["X-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-Proto: https\r\n"] {
        assert_answer(&served.ask("/metrics", header).await, 403, "[metrics] allow_networks");
    }
    let token = format!("X-Forwarded-Proto: https\r\nAuthorization: {BEARER}\r\n");
    assert_answer(&served.ask("/metrics", &token).await, 200, "# EOF\n");
}

#[tokio::test]
async fn on_the_admin_listener_other_machines_need_an_allowed_network_or_the_token() {
    let service = Service::new().await;
    let router = admin_router(service.state(Environment::Production).operations(), None);
    let transport = Transport { limits: ConnectionLimits::admin(), ..Transport::plain() };
    let mut served = Served::with(service, router, transport).await;
    // The readers of this service are 127.0.0.0/8. A client on ::1 stands for another machine.
    let listener = tokio::net::TcpListener::bind("[::1]:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    let router = admin_router(served.service.state(Environment::Production).operations(), None);
    tokio::spawn(aerie_api::serve(listener, router, Transport::plain(), std::future::pending()));
    served.address = address;
    assert_answer(&served.ask("/metrics", "").await, 403, "[metrics] allow_networks");
    assert_answer(&served.ask("/metrics", &format!("Authorization: {BEARER}\r\n")).await, 200, "# EOF\n");
}

#[tokio::test]
async fn metrics_count_jobs_by_kind_and_status_and_show_the_age_of_the_queue() {
    let service = Service::new().await;
    service.completed().await;
    let id = service.submit().await;
    service.submit().await;
    service.clock.advance(jiff::SignedDuration::from_secs(90));
    let text = figures(&service).await;
    for line in [
        "aerie_jobs{kind=\"drone_footage\",status=\"completed\"} 1\n",
        "aerie_jobs{kind=\"drone_footage\",status=\"queued\"} 2\n",
        "aerie_jobs{kind=\"drone_footage\",status=\"running\"} 0\n",
        "aerie_queue_age_seconds{kind=\"drone_footage\"} 90.0\n",
        "aerie_queue_age_seconds{kind=\"markup\"} 0.0\n",
        "aerie_ready{check=\"database\"} 1\n",
        "aerie_build_info{version=\"",
        "aerie_disk_free_bytes ",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    service.store.job_delete(Service::job_id(&id)).await.unwrap();
    assert!(figures(&service).await.contains("{kind=\"drone_footage\",status=\"queued\"} 1\n"));
}

#[tokio::test]
async fn metrics_count_the_nodes_that_were_seen_in_the_last_half_minute() {
    let service = Service::new().await;
    let node = |name: &str, role| Node {
        name: name.into(),
        role,
        version: "1".into(),
        kinds: Vec::new(),
        host: "east-1".into(),
        pack: None,
    };
    service.store.node_beat(&node("lost", NodeRole::Worker)).await.unwrap();
    service.clock.advance(jiff::SignedDuration::from_secs(30));
    for (name, role) in [("a", NodeRole::Api), ("b", NodeRole::Worker), ("c", NodeRole::Worker)] {
        service.store.node_beat(&node(name, role)).await.unwrap();
    }
    let text = figures(&service).await;
    let media = "aerie_media_requests_total{operation=\"get\",outcome=\"error\"} 0\n";
    for line in ["aerie_nodes{role=\"api\"} 1\n", "aerie_nodes{role=\"worker\"} 2\n", media] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[tokio::test]
async fn requests_are_counted_by_route_template_and_name_nobody() {
    let service = Service::new().await;
    let id = service.completed().await;
    for path in [format!("/v1/jobs/{id}"), format!("/v1/jobs/{id}"), "/v1/jobs/1".to_owned()] {
        let _ = service.get(&path).await;
    }
    let _ = service.get("/invented/by/a/stranger").await;
    let _ = service.send(service.request("BREW", "/v1/jobs").body(Body::empty()).unwrap()).await;
    let text = figures(&service).await;
    for line in [
        "aerie_http_requests_total{method=\"GET\",route=\"/v1/jobs/{jobId}\",code=\"200\"} 2\n",
        "aerie_http_requests_total{method=\"GET\",route=\"/v1/jobs/{jobId}\",code=\"400\"} 1\n",
        "aerie_http_requests_total{method=\"GET\",route=\"none\",code=\"404\"} 1\n",
        "aerie_http_requests_total{method=\"other\",route=\"/v1/jobs\",code=\"405\"} 1\n",
        "aerie_http_request_duration_seconds_count{route=\"/v1/jobs/{jobId}\"} 3\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let org = service.org.to_string();
    for secret in [id.as_str(), &org, &service.key, "stranger", "Acme", "a token for figures"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[tokio::test]
async fn stages_of_engines_are_summed_over_runs() {
    use std::time::Duration;
    let service = Service::new().await;
    let kind = aerie_domain::JobType::DroneFootage;
    for milliseconds in [1500, 250] {
        let stages = vec![("drawing".to_owned(), Duration::from_millis(milliseconds))];
        service.store.stage_time_add(kind, stages).await.unwrap();
    }
    let text = figures(&service).await;
    let labels = "{kind=\"drone_footage\",stage=\"drawing\"}";
    assert!(text.contains(&format!("aerie_engine_seconds_total{labels} 1.75\n")), "{text}");
    assert!(text.contains(&format!("aerie_engine_stages_total{labels} 2\n")), "{text}");
}

#[tokio::test]
async fn a_failed_check_is_named_until_it_passes_again() {
    let service = Service::new().await;
    assert_eq!(ready(&service).await.json(), json!({"status": "ready"}));
    for check in Check::ALL {
        assert!(service.readiness.found(check, false));
        let answer = ready(&service).await;
        assert_eq!(answer.status, 503);
        assert_eq!(answer.json(), json!({"status": "unavailable", "lacking": [check.as_str()]}));
        assert!(figures(&service).await.contains(&format!("aerie_ready{{check=\"{}\"}} 0\n", check.as_str())));
        assert!(service.readiness.found(check, true));
        assert_eq!(ready(&service).await.status, 200);
    }
}

#[tokio::test]
async fn without_disk_space_new_jobs_are_429_with_retry_after_and_everything_else_works() {
    let service = Service::new().await;
    let id = service.completed().await;
    let used = service.media.media_size().await.unwrap();
    assert_eq!(used, 20, "a film and its thumbnail");
    for limits in [Limits { reserve: u64::MAX, budget: None }, Limits { reserve: 0, budget: Some(used) }] {
        let service = service.with_limits(limits);
        service.capacity.set_media_size(used);
        let answer = service.post("/v1/drone-footage/generate", &json!({"address": "1 Main St"})).await;
        answer.assert_refused(429, "RATE_LIMITED", "out of disk space");
        assert_eq!(answer.header("retry-after"), "60");
        assert_eq!(ready(&service).await.json()["lacking"], json!(["disk"]));
        assert_eq!(service.get(&format!("/v1/jobs/{id}")).await.status, 200);
    }
    assert_eq!(service.get("/v1/jobs").await.json()["pagination"]["total"], 1);
}
