//! Fetching from well-behaved, slow, endless and malicious servers. 127.0.0.2 is allowed and plays the public network; other
//! loopback addresses are not, and a canary listens there.

use std::io::Read;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aerie_fetch::{FetchError, Fetcher, Format, Limits, Lookup, Picture, Policy, SystemLookup, Unsupported};
use aerie_test_data::picture_server::{self, PictureServer};

/// Lookup that returns a list of answers in turn, and then the last one forever.
#[derive(Default)]
struct Names {
    answers: Mutex<Vec<Vec<IpAddr>>>,
    lookups: AtomicUsize,
}

impl Names {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |addresses: &&[&str]| addresses.iter().map(|address| address.parse().unwrap()).collect();
        let answers = answers.iter().rev().map(parse).collect();
        Arc::new(Self { answers: Mutex::new(answers), lookups: AtomicUsize::new(0) })
    }
}

#[async_trait::async_trait]
impl Lookup for Names {
    async fn lookup(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        Ok(if answers.len() > 1 { answers.pop().unwrap() } else { answers[0].clone() })
    }
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(1), ..Limits::default() }
}

fn fetcher_with(limits: Limits, lookup: Arc<dyn Lookup>) -> Fetcher {
    let policy = Policy::new(vec!["127.0.0.2/32".parse().unwrap()]);
    Fetcher::with(policy, &std::env::temp_dir(), limits, lookup).unwrap()
}

async fn fetch(url: &str) -> Result<Picture, FetchError> {
    fetcher_with(limits(), Arc::new(SystemLookup)).fetch(url).await
}

async fn server() -> PictureServer {
    PictureServer::start("127.0.0.2:0").await
}

#[tokio::test]
async fn a_picture_is_fetched_whole() {
    let server = server().await;
    let mut found = fetch(&server.url("/png")).await.unwrap();
    assert_eq!((found.format, found.width, found.height), (Format::Png, 640, 480));
    let mut bytes = Vec::new();
    found.file.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, picture_server::png(640, 480));
}

#[tokio::test]
async fn tls_requires_a_trusted_certificate() {
    let pair = rcgen::generate_simple_self_signed(["127.0.0.2".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(pair.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let tls = tls.with_no_client_auth().with_single_cert(vec![pair.cert.der().clone()], key).unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(tls));
    let listener = tokio::net::TcpListener::bind("127.0.0.2:0").await.unwrap();
    let url = format!("https://{}/png", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            if let Ok(connection) = acceptor.accept(connection).await {
                picture_server::answer(connection).await;
            }
        }
    });
    assert_eq!(fetch(&url).await.unwrap_err(), FetchError::Unreachable);
    let policy = Policy::new(vec!["127.0.0.2/32".parse().unwrap()]).trusting(pair.cert.pem().into());
    let trusting = Fetcher::with(policy, &std::env::temp_dir(), limits(), Arc::new(SystemLookup)).unwrap();
    let found = trusting.fetch(&url).await.unwrap();
    assert_eq!((found.format, found.width, found.height), (Format::Png, 640, 480));
}

#[tokio::test]
async fn three_redirects_are_followed_and_a_fourth_is_not() {
    let server = server().await;
    assert!(fetch(&server.url("/hops/3")).await.is_ok());
    assert_eq!(fetch(&server.url("/hops/4")).await.unwrap_err(), FetchError::Redirects);
    assert_eq!(fetch(&server.url("/loop")).await.unwrap_err(), FetchError::Redirects);
    assert_eq!(fetch(&server.url("/nowhere")).await.unwrap_err(), FetchError::Redirects);
}

#[tokio::test]
async fn redirects_to_addresses_that_are_not_public_are_not_followed() {
    let (server, canary) = (server().await, PictureServer::start("127.0.0.1:0").await);
    let port = canary.address.port();
    for target in [canary.url("/png"), format!("http://localhost:{port}/png"), format!("//127.0.0.1:{port}/png")] {
        let refused = fetch(&server.url(&format!("/to/{target}"))).await.unwrap_err();
        assert_eq!(refused, FetchError::NotPublic, "{target}");
    }
    for (target, reason) in [
        ("file:///etc/passwd", FetchError::Scheme),
        ("gopher://127.0.0.1/", FetchError::Scheme),
        ("http://user:word@127.0.0.2/", FetchError::Credentials),
    ] {
        assert_eq!(fetch(&server.url(&format!("/to/{target}"))).await.unwrap_err(), reason, "{target}");
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn a_name_is_rejected_if_one_of_its_addresses_is_not_public() {
    let canary = PictureServer::start("127.0.0.1:0").await;
    let url = format!("http://mixed.test:{}/png", canary.address.port());
    for addresses in [["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["127.0.0.2", "::1"]] {
        let fetcher = fetcher_with(limits(), Names::new(&[&addresses]));
        assert_eq!(fetcher.fetch(&url).await.unwrap_err(), FetchError::NotPublic);
    }
    let nothing = fetcher_with(limits(), Names::new(&[&[]]));
    assert_eq!(nothing.fetch(&url).await.unwrap_err(), FetchError::NotPublic);
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn dns_rebinding_does_not_reach_other_addresses() {
    let server = server().await;
    let port = server.address.port();
    let canary = PictureServer::start(&format!("127.0.0.1:{port}")).await;
    // Public at the first lookup, loopback afterwards.
    let names = Names::new(&[&["127.0.0.2"], &["127.0.0.1"]]);
    let fetcher = fetcher_with(limits(), Arc::clone(&names) as Arc<dyn Lookup>);
    let url = format!("http://rebinding.test:{port}/png");
    assert!(fetcher.fetch(&url).await.is_ok());
    assert_eq!(names.lookups.load(Ordering::SeqCst), 1, "the connection uses the checked address");
    assert_eq!(fetcher.fetch(&url).await.unwrap_err(), FetchError::NotPublic);
    assert_eq!((server.connections(), canary.connections()), (1, 0));
}

#[tokio::test]
async fn servers_that_hang_drip_or_never_end_are_abandoned_in_time() {
    let server = server().await;
    for path in ["/hang", "/drip", "/drip-head"] {
        let started = Instant::now();
        let refused = fetch(&server.url(path)).await.unwrap_err();
        assert!(matches!(refused, FetchError::TooSlow(1)), "{path}: {refused}");
        assert!(started.elapsed() < Duration::from_secs(3), "{path}");
    }
    let small = Limits { size: 1 << 20, time: Duration::from_secs(20), ..Limits::default() };
    let refused = fetcher_with(small, Arc::new(SystemLookup)).fetch(&server.url("/endless")).await.unwrap_err();
    assert_eq!(refused, FetchError::TooLarge(1 << 20));
}

#[tokio::test]
async fn sixty_megabytes_are_accepted_but_not_one_byte_more() {
    let server = server().await;
    let patient = Limits { time: Duration::from_secs(30), ..Limits::default() };
    let fetcher = fetcher_with(patient, Arc::new(SystemLookup));
    assert_eq!(fetcher.fetch(&server.url("/large/60000000")).await.unwrap().size, 60_000_000);
    let refused = fetcher.fetch(&server.url("/large/60000001")).await.unwrap_err();
    assert_eq!(refused, FetchError::TooLarge(60_000_000));
    assert_eq!(fetch(&server.url("/claims-huge")).await.unwrap_err(), FetchError::TooLarge(60_000_000));
}

#[tokio::test]
async fn other_content_is_rejected_whatever_its_name_and_content_type() {
    let server = server().await;
    assert_eq!(
        fetch(&server.url("/gif/x.png")).await.unwrap_err(),
        FetchError::NotAnImage(Unsupported::new("a GIF image"))
    );
    for status in [204, 206, 300, 304, 401, 403, 404, 500, 503] {
        assert_eq!(fetch(&server.url(&format!("/status/{status}"))).await.unwrap_err(), FetchError::Status(status));
    }
    assert_eq!(fetch(&server.url("/not-http")).await.unwrap_err(), FetchError::Unreachable);
    let refused = fetch(&server.url("/png/10000/10001")).await.unwrap_err();
    assert!(matches!(refused, FetchError::TooManyPixels { .. }));
}

#[tokio::test]
async fn proxies_in_the_environment_are_ignored() {
    // If the client used the proxy, it would connect to this address.
    let (server, proxy) = (server().await, PictureServer::start("127.0.0.1:0").await);
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_picture_is_fetched_whole"])
        .env("http_proxy", proxy.url(""))
        .env("HTTP_PROXY", proxy.url(""))
        .env("ALL_PROXY", proxy.url(""))
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert_eq!((server.connections(), proxy.connections()), (0, 0));
}

#[tokio::test]
async fn fetches_over_the_concurrency_limit_are_rejected_as_busy() {
    let server = server().await;
    let fetcher = fetcher_with(Limits { at_once: 1, ..limits() }, Arc::new(SystemLookup));
    let (slow, url) = (fetcher.clone(), server.url("/hang"));
    let hanging = tokio::spawn(async move { slow.fetch(&url).await });
    while server.connections() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(fetcher.fetch(&server.url("/png")).await.unwrap_err(), FetchError::Busy);
    assert!(hanging.await.unwrap().is_err());
    assert!(fetcher.fetch(&server.url("/png")).await.is_ok());
}
