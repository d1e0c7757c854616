//! Connections over real sockets: TLS, proxies, limits, slow clients, security headers and graceful shutdown.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_api::{ConnectionLimits, Tls, Transport, TrustedProxies};
use axum::body::Body;
use axum::http::HeaderMap;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::harness::Service;

const SUBMIT: &str = r#"{"address": "1 Main St"}"#;

struct Served {
    service: Service,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<()>,
}

impl Served {
    async fn new(transport: Transport) -> Self {
        let service = Service::new().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let router = service.router.clone();
        let ended = tokio::spawn(async move {
            aerie_api::serve(listener, router, transport, async {
                let _ = stopped.await;
            })
            .await;
        });
        Self { service, address, stop: Some(stop), ended }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends a request with extra headers on a connection of its own.
    async fn ask(&self, path: &str, headers: &str) -> String {
        exchange(self.connect().await, &get(&self.service.key, path, headers)).await
    }

    fn request_shutdown(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }
}

fn get(key: &str, path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nConnection: close\r\n{headers}\r\n")
}

fn submit(key: &str) -> String {
    let length = SUBMIT.len();
    format!(
        "POST /v1/drone-footage/generate HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    )
}

async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    read_to_end(&mut stream).await
}

/// Reads until the connection ends, cleanly or not.
async fn read_to_end(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await.expect("an end");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn limits(change: impl FnOnce(&mut ConnectionLimits)) -> Transport {
    let mut transport = Transport::plain();
    change(&mut transport.limits);
    transport
}

fn behind_proxy() -> Transport {
    let proxies = TrustedProxies::from(vec!["127.0.0.1/32".parse().unwrap()]);
    Transport { proxies, ..Transport::plain() }
}

fn assert_answer(answer: &str, status: u16, part: &str) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert!(answer.contains(part), "{part}: {answer}");
}

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

// Limits and slow clients.

#[tokio::test]
async fn connections_over_the_limit_are_asked_to_retry_and_further_ones_wait() {
    let served = Served::new(limits(|limits| limits.most = 2)).await;
    let mut held = vec![served.connect().await, served.connect().await];
    for connection in &mut held {
        connection.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        assert!(connection.read_u8().await.is_ok());
    }
    let answer = served.ask("/v1/jobs", "").await;
    assert_answer(&answer, 429, "RATE_LIMITED");
    assert!(answer.contains("retry-after: 1\r\n") && answer.contains("connection: close\r\n"), "{answer}");
    let _third = served.connect().await;
    let mut fourth = served.connect().await;
    fourth.write_all(get(&served.service.key, "/v1/jobs", "").as_bytes()).await.unwrap();
    let waited = tokio::time::timeout(Duration::from_millis(300), fourth.read_u8()).await;
    assert!(waited.is_err(), "it is not taken while there is no place");
    drop(held);
    assert_answer(&read_to_end(&mut fourth).await, 200, "pagination");
}

#[tokio::test]
async fn a_client_that_sends_its_head_too_slowly_is_disconnected_and_so_is_an_idle_one() {
    let served = Served::new(limits(|limits| limits.head_within = Duration::from_millis(500))).await;
    let started = Instant::now();
    let mut slow = served.connect().await;
    let (mut from, mut to) = slow.split();
    let drip = async {
        loop {
            if to.write_all(b"G").await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = drip => {}
        _ = read_to_end(&mut from) => {}
    }
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());

    let mut idle = served.connect().await;
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let started = Instant::now();
    assert_answer(&read_to_end(&mut idle).await, 200, "ok");
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_client_that_reads_nothing_of_a_response_is_disconnected() {
    let mut served = Served::new(limits(|limits| limits.stalled_after = Duration::from_millis(500))).await;
    let file = served.service.folder.path().join("large");
    std::fs::write(&file, vec![0; 64 << 20]).unwrap();
    served.service.media.media_put("org/job/1/large.mp4", &file).await.unwrap();
    let now = "2026-03-10T12:00:00Z".parse().unwrap();
    let link = aerie_storage::MediaLinks::new(aerie_storage::LinkSecret::new([7; 32])).sign("org/job/1/large.mp4", now);
    let mut idle = served.connect().await;
    idle.write_all(get("", &link, "").as_bytes()).await.unwrap();
    assert_eq!(idle.read_u8().await.unwrap(), b'H');
    // Only what is already in the system's buffers still arrives.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let rest = read_to_end(&mut idle).await.len();
    assert!(rest < 63 << 20, "{rest}");
    served.request_shutdown();
    served.ended.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_end_in_time_is_400() {
    let service = Service::new().await;
    let never = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    let request = service.request("POST", "/v1/drone-footage/generate").header("Content-Type", "application/json");
    let answer = service.send(request.body(Body::from_stream(never)).unwrap()).await;
    answer.assert_refused(400, "VALIDATION_ERROR", "within 30 seconds");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused_in_the_envelope_and_an_endless_one_closes_the_connection() {
    let served = Served::new(Transport::plain()).await;
    let long = |length: usize| format!("X-Long: {}\r\n", "x".repeat(length));
    assert_answer(&served.ask("/v1/jobs", &long(12 << 10)).await, 200, "data");
    assert_answer(&served.ask("/v1/jobs", &long(17 << 10)).await, 400, "16 KiB");
    let answer = served.ask(&format!("/v1/jobs?job_type={}", "x".repeat(9 << 10)), "").await;
    assert_answer(&answer, 400, r#""code":"VALIDATION_ERROR","message":"The path and the query must be at most 8 KiB"#);
    // Without a key, the missing key is reported first.
    let nobody = exchange(served.connect().await, &get("", "/v1/jobs", &long(17 << 10))).await;
    assert_answer(&nobody, 401, "UNAUTHORIZED");
    let mut endless = served.connect().await;
    let _ = endless.write_all(get("", "/v1/jobs", &long(1 << 20)).as_bytes()).await;
    let answer = read_to_end(&mut endless).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert_answer(&served.ask("/v1/jobs", "").await, 200, "data");
}

#[tokio::test]
async fn garbage_on_a_connection_closes_only_that_connection() {
    let served = Served::new(Transport::plain()).await;
    for nonsense in
        ["\r\n\r\n\0", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\0", "PRI * HTTP/2.0\r\n\r\n"]
    {
        let mut connection = served.connect().await;
        connection.write_all(nonsense.as_bytes()).await.unwrap();
        connection.shutdown().await.unwrap();
        let answer = read_to_end(&mut connection).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{nonsense:?}: {answer}");
    }
    assert_answer(&served.ask("/v1/jobs", "").await, 200, "data");
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
        let headers = service.get(path).await.headers;
        expected(&headers, "x-content-type-options", "nosniff", path);
        expected(&headers, "x-frame-options", "DENY", path);
        expected(&headers, "referrer-policy", "no-referrer", path);
        expected(&headers, "cache-control", "no-store", path);
        assert!(headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"), "{path}");
        assert!(!headers.contains_key("strict-transport-security"), "over plain HTTP it would mean nothing");
    }
}

#[tokio::test]
async fn the_docs_page_loads_everything_from_this_server() {
    let service = Service::new().await;
    let moved = service.get("/docs").await;
    assert_eq!((moved.status.as_u16(), moved.header("location")), (308, "docs/"));
    let page = service.get("/docs/").await;
    let text = String::from_utf8(page.bytes.clone()).unwrap();
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html"));
    let mut files = 0;
    for part in text.split(['"', '\'']).filter(|part| part.ends_with(".js") || part.ends_with(".css")) {
        let file = service.get(&format!("/docs/{}", part.trim_start_matches("./"))).await;
        assert_eq!(file.status, 200, "{part}");
        files += 1;
    }
    assert!(files >= 3, "{text}");
    assert!(!text.contains("://"), "the page asks another host: {text}");
    assert!(!text.contains("<script>"), "the policy lets no script run that stands in the page: {text}");
    let initializer = String::from_utf8(service.get("/docs/swagger-initializer.js").await.bytes).unwrap();
    assert!(initializer.contains("../openapi.json") && !initializer.contains("petstore"), "{initializer}");
    service.get("/docs/nothing.js").await.assert_refused(404, "NOT_FOUND", "");
    service.get("/docs/..%2f..%2fconfig.toml").await.assert_refused(404, "NOT_FOUND", "");
}
