//! Connections over real sockets: TLS, proxies, graceful shutdown, and security headers.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_api::{Tls, Transport};
use axum::http::HeaderMap;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::Service;
use crate::served::{SUBMIT, Served, assert_answer, behind_proxy, exchange, get, limits, read_to_end, submit};

// TLS.

/// Writes a certificate for `localhost` to `cert.pem` and `key.pem`; returns it as the only root.
fn certificate(folder: &Path) -> RootCertStore {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    roots(folder)
}

fn roots(folder: &Path) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap()).unwrap();
    roots
}

fn open(folder: &Path) -> Result<Transport, aerie_api::TlsError> {
    let tls = Tls::open(&folder.join("cert.pem"), &folder.join("key.pem"))?;
    Ok(Transport { tls: Some(tls), ..Transport::plain() })
}

/// Sends a request over TLS; `None` if the certificate is not trusted.
async fn ask_over_tls(served: &Served, roots: &RootCertStore, path: &str) -> Option<String> {
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots.clone())
        .with_no_client_auth();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let name = ServerName::try_from("localhost").unwrap();
    let stream = connector.connect(name, served.connect().await).await.ok()?;
    Some(exchange(stream, &get(&served.service.key, path, "")).await)
}

#[tokio::test]
async fn over_tls_the_service_responds_and_sets_hsts() {
    let folder = tempfile::tempdir().unwrap();
    let roots = certificate(folder.path());
    let served = Served::new(open(folder.path()).unwrap()).await;
    let answer = ask_over_tls(&served, &roots, "/v1/jobs").await.unwrap();
    assert_answer(&answer, 200, "strict-transport-security: max-age=63072000");
}

#[tokio::test]
async fn plain_http_on_a_tls_port_gets_no_response() {
    let folder = tempfile::tempdir().unwrap();
    let _ = certificate(folder.path());
    let served = Served::new(open(folder.path()).unwrap()).await;
    let answer = served.ask("/healthz", "").await;
    assert!(!answer.contains("HTTP/1.1"), "{answer}");
}

#[tokio::test]
async fn a_replaced_certificate_is_served_and_a_broken_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let first = certificate(folder.path());
    let served = Served::new(open(folder.path()).unwrap()).await;
    assert!(ask_over_tls(&served, &first, "/healthz").await.is_some());

    // A certificate without its key, then a malformed key: the old pair stays in use.
    let key = std::fs::read(folder.path().join("key.pem")).unwrap();
    let second = certificate(folder.path());
    let second_key = std::fs::read(folder.path().join("key.pem")).unwrap();
    std::fs::write(folder.path().join("key.pem"), &key).unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(ask_over_tls(&served, &first, "/healthz").await.is_some());
    std::fs::write(folder.path().join("key.pem"), "nonsense").unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(ask_over_tls(&served, &first, "/healthz").await.is_some());

    std::fs::write(folder.path().join("key.pem"), second_key).unwrap();
    let changed = Instant::now();
    while ask_over_tls(&served, &second, "/healthz").await.is_none() {
        assert!(changed.elapsed() < Duration::from_secs(10), "the new certificate is not served");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(ask_over_tls(&served, &first, "/healthz").await.is_none(), "the old certificate is gone");
}

#[test]
fn unusable_tls_files_are_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = || open(folder.path()).err().unwrap().to_string();
    assert!(refusal().contains("cert.pem"), "{}", refusal());
    let _ = certificate(folder.path());
    let cert = std::fs::read(folder.path().join("cert.pem")).unwrap();
    let _ = certificate(folder.path());
    std::fs::write(folder.path().join("cert.pem"), cert).unwrap();
    assert!(refusal().contains("cannot be used together"), "{}", refusal());
    std::fs::write(folder.path().join("key.pem"), "").unwrap();
    assert!(refusal().ends_with("key.pem contains no private key in PEM format"), "{}", refusal());
    std::fs::write(folder.path().join("cert.pem"), "").unwrap();
    assert!(refusal().ends_with("cert.pem contains no certificate in PEM format"), "{}", refusal());
}

// Proxies.

#[tokio::test]
async fn a_trusted_proxy_that_says_https_is_served() {
    let served = Served::new(behind_proxy()).await;
    let answer = served.ask("/v1/jobs", "X-Forwarded-Proto: https\r\n").await;
    assert_answer(&answer, 200, "strict-transport-security: ");
}

#[tokio::test]
async fn a_trusted_proxy_that_does_not_say_https_may_only_check_health() {
    let served = Served::new(behind_proxy()).await;
    for headers in ["", "X-Forwarded-Proto: http\r\n", "X-Forwarded-Proto: https, http\r\n"] {
        for path in ["/v1/jobs", "/openapi.json", "/docs/", "/media/x"] {
            let answer = served.ask(path, headers).await;
            assert_answer(&answer, 403, r#""code":"FORBIDDEN","message":"Requests are made over HTTPS only"#);
            assert!(!answer.contains("strict-transport-security"), "{answer}");
        }
        assert_answer(&served.ask("/healthz", headers).await, 200, "ok");
    }
}

// Shutdown.

#[tokio::test]
async fn at_shutdown_requests_in_progress_are_answered_and_new_ones_are_not_accepted() {
    let mut served = Served::new(Transport::plain()).await;
    let mut idle = served.connect().await;
    let mut busy = served.connect().await;
    busy.write_all(submit(&served.service.key).as_bytes()).await.unwrap();
    busy.write_all(&SUBMIT.as_bytes()[..5]).await.unwrap();
    // Connections are accepted in order: once a later one is answered, these have been accepted too.
    assert_answer(&served.ask("/healthz", "").await, 200, "ok");
    served.request_shutdown();
    assert_eq!(read_to_end(&mut idle).await, "");
    assert!(TcpStream::connect(served.address).await.is_err());
    busy.write_all(&SUBMIT.as_bytes()[5..]).await.unwrap();
    assert_answer(&read_to_end(&mut busy).await, 202, "job_id");
    tokio::time::timeout(Duration::from_secs(5), served.ended).await.expect("it ends").unwrap();
}

#[tokio::test]
async fn a_request_that_does_not_end_is_aborted_at_the_deadline() {
    let mut served = Served::new(limits(|limits| limits.ends_within = Duration::from_millis(300))).await;
    let mut busy = served.connect().await;
    busy.write_all(submit(&served.service.key).as_bytes()).await.unwrap();
    assert_answer(&served.ask("/healthz", "").await, 200, "ok");
    served.request_shutdown();
    let started = Instant::now();
    tokio::time::timeout(Duration::from_secs(5), served.ended).await.expect("it ends").unwrap();
    assert!(started.elapsed() >= Duration::from_millis(300));
    assert_eq!(read_to_end(&mut busy).await, "");
}

// Security headers.

#[tokio::test]
async fn every_response_carries_the_security_headers() {
    let service = Service::new().await;
    let expected = |headers: &HeaderMap, name: &str, value: &str, path: &str| {
        assert_eq!(headers.get(name).map(|value| value.to_str().unwrap()), Some(value), "{name} of {path}");
    };
    for path in ["/v1/jobs", "/v1/jobs/x", "/v1/nothing", "/nothing", "/healthz", "/media/x", "/openapi.json", "/docs/"]
    {
        let caching = if matches!(path, "/openapi.json" | "/docs/") { "public, no-cache" } else { "no-store" };
        let headers = service.get(path).await.headers;
        expected(&headers, "x-content-type-options", "nosniff", path);
        expected(&headers, "x-frame-options", "DENY", path);
        expected(&headers, "referrer-policy", "no-referrer", path);
        expected(&headers, "cache-control", caching, path);
        assert!(headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"), "{path}");
        assert!(!headers.contains_key("strict-transport-security"), "over plain HTTP it would mean nothing");
    }
}
