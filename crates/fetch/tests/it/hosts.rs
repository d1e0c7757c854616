//! Picture hosts that lie about what they send, stop in the middle or never end: each gives a clear error within the time limit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_fetch::{FetchError, Fetcher, Limits, Picture, Policy, SystemLookup, Unsupported};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

const TIME: Duration = Duration::from_secs(1);

/// How a host answers: what it sends once, what it repeats until the client leaves, and what then happens.
#[derive(Debug, Clone, Default)]
struct Script {
    once: Vec<u8>,
    repeated: Vec<u8>,
    then: Then,
}

#[derive(Debug, Clone, Copy, Default)]
enum Then {
    #[default]
    Close,
    Wait,
}

fn png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend([0, 0, 2, 128, 0, 0, 1, 224, 8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

fn once(head: &str, body: &[u8]) -> Script {
    Script { once: [head.as_bytes(), b"\r\n\r\n", body].concat(), ..Script::default() }
}

/// A body in chunks of one byte.
fn chunked(body: &[u8]) -> Vec<u8> {
    body.iter().flat_map(|byte| [b"1\r\n", &[*byte][..], b"\r\n"].concat()).chain(*b"0\r\n\r\n").collect()
}

async fn play(mut connection: impl AsyncRead + AsyncWrite + Unpin, script: &Script) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let _ = connection.read(&mut request).await?;
    connection.write_all(&script.once).await?;
    while !script.repeated.is_empty() {
        connection.write_all(&script.repeated).await?;
    }
    if matches!(script.then, Then::Wait) {
        let _ = connection.read(&mut request).await?;
        tokio::time::sleep(10 * TIME).await;
    }
    connection.shutdown().await
}

/// Serves a script; returns the URL.
async fn serve(script: Script) -> String {
    let listener = TcpListener::bind("127.0.0.2:0").await.unwrap();
    let url = format!("http://{}/photo.jpg", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            let script = script.clone();
            tokio::spawn(async move { play(connection, &script).await });
        }
    });
    url
}

fn policy() -> Policy {
    Policy::new(vec!["127.0.0.2/32".parse().unwrap()])
}

async fn fetch_with(policy: Policy, url: &str) -> Result<Picture, FetchError> {
    let limits = Limits { time: TIME, size: 1 << 20, ..Limits::default() };
    let fetcher = Fetcher::with(policy, &std::env::temp_dir(), limits, Arc::new(SystemLookup)).unwrap();
    let started = Instant::now();
    let fetched = fetcher.fetch(url).await;
    assert!(started.elapsed() < 4 * TIME, "{:?} for {fetched:?}", started.elapsed());
    fetched
}

async fn refusal(script: Script) -> FetchError {
    fetch_with(policy(), &serve(script).await).await.unwrap_err()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_that_break_the_protocol_are_unreachable() {
    let ok = "HTTP/1.1 200 OK";
    let length = |length: &str| once(&format!("{ok}\r\nContent-Length: {length}"), &png());
    for (name, script) in [
        ("less than promised", length("5000")),
        ("a length that is no number", length("many")),
        ("a negative length", length("-1")),
        ("a length beyond 64 bits", length("99999999999999999999")),
        ("two lengths", once(&format!("{ok}\r\nContent-Length: 33\r\nContent-Length: 34"), &png())),
        ("a chunk of no length", once(&format!("{ok}\r\nTransfer-Encoding: chunked"), b"zz\r\n")),
        ("a chunk beyond 64 bits", once(&format!("{ok}\r\nTransfer-Encoding: chunked"), b"fffffffffffffffff\r\n")),
        ("chunks without an end", once(&format!("{ok}\r\nTransfer-Encoding: chunked"), b"1\r\n\x89\r\n")),
        ("HTTP/0.9", Script { once: png(), ..Script::default() }),
        ("a page of HTTP/0.9", Script { once: b"<html>hello</html>".to_vec(), ..Script::default() }),
        ("another protocol", Script { once: b"220 mail ESMTP\r\n".to_vec(), ..Script::default() }),
        ("nothing", Script::default()),
        ("half a head", Script { once: format!("{ok}\r\nContent-Le").into(), ..Script::default() }),
        ("a version from the future", once("HTTP/7.0 200 OK\r\nContent-Length: 33", &png())),
        ("a NUL in a header", once(&format!("{ok}\r\nX: a\0b"), &png())),
        (
            "an endless header",
            Script { once: format!("{ok}\r\nX: ").into(), repeated: vec![b'x'; 65536], then: Then::Close },
        ),
        (
            "endless headers",
            Script { once: format!("{ok}\r\n").into(), repeated: b"X: y\r\n".repeat(9000), then: Then::Close },
        ),
    ] {
        assert_eq!(refusal(script).await, FetchError::Unreachable, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_that_never_finish_are_abandoned_in_time_or_at_the_size_limit() {
    let ok = "HTTP/1.1 200 OK";
    let wait = |script: Script| Script { then: Then::Wait, ..script };
    for (name, script) in [
        ("no answer", wait(Script::default())),
        ("half a head", wait(Script { once: format!("{ok}\r\nContent-Length: 33\r\n").into(), ..Script::default() })),
        ("half a body", wait(once(&format!("{ok}\r\nContent-Length: 34"), &png()))),
        ("half a chunk", wait(once(&format!("{ok}\r\nTransfer-Encoding: chunked"), b"ff\r\n\x89PNG"))),
        ("interim responses", Script { repeated: b"HTTP/1.1 100 Continue\r\n\r\n".repeat(100), ..Script::default() }),
        (
            "chunks of one byte",
            Script {
                once: format!("{ok}\r\nTransfer-Encoding: chunked\r\n\r\n").into(),
                repeated: b"1\r\nx\r\n".repeat(1000),
                then: Then::Close,
            },
        ),
        (
            "a body without end",
            Script { once: format!("{ok}\r\n\r\n").into(), repeated: vec![0; 65536], then: Then::Close },
        ),
    ] {
        let refused = refusal(script).await;
        assert!(matches!(refused, FetchError::TooSlow(1) | FetchError::TooLarge(1_048_576)), "{name}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_host_says_about_its_content_is_not_believed() {
    let ok = "HTTP/1.1 200 OK";
    let bomb = [&[0x1f, 0x8b, 8, 0][..], &[0; 4096]].concat();
    for (name, script, expected) in [
        (
            "a compressed body",
            once(&format!("{ok}\r\nContent-Encoding: gzip\r\nContent-Length: {}", bomb.len()), &bomb),
            FetchError::NotAnImage(Unsupported::new("compressed data")),
        ),
        (
            "a page called a picture",
            once(&format!("{ok}\r\nContent-Type: image/png\r\nContent-Length: 18"), b"<html>hello</html>"),
            FetchError::NotAnImage(Unsupported::new("a web page or other markup")),
        ),
        (
            "an empty picture",
            once(&format!("{ok}\r\nContent-Length: 0"), b""),
            FetchError::NotAnImage(Unsupported::new("not an image")),
        ),
        (
            "no picture",
            once(&format!("{ok}\r\nContent-Length: 4"), b"\x89PNG"),
            FetchError::NotAnImage(Unsupported::new("not an image")),
        ),
        ("a promise too large", once(&format!("{ok}\r\nContent-Length: 1048577"), b""), FetchError::TooLarge(1 << 20)),
        ("a switch of protocols", once("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x", b""), FetchError::Status(101)),
        ("part of it", once("HTTP/1.1 206 Partial Content\r\nContent-Length: 33", &png()), FetchError::Status(206)),
    ] {
        assert_eq!(refusal(script).await, expected, "{name}");
    }
    for (name, script) in [
        ("another type", once(&format!("{ok}\r\nContent-Type: text/html\r\nContent-Length: 33"), &png())),
        ("more than promised", once(&format!("{ok}\r\nContent-Length: 33"), &[png(), vec![7; 5000]].concat())),
        ("no length", once(ok, &png())),
        ("chunks of one byte", once(&format!("{ok}\r\nTransfer-Encoding: chunked"), &chunked(&png()))),
        ("HTTP/1.0", once("HTTP/1.0 200 OK", &png())),
    ] {
        let found = fetch_with(policy(), &serve(script).await).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((found.width, found.height, found.size), (640, 480, 33), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_must_have_the_name_of_its_host() {
    let answer = once("HTTP/1.1 200 OK\r\nContent-Length: 33", &png());
    for (name, good) in [("127.0.0.2", true), ("127.0.0.3", false), ("pictures.test", false)] {
        let pair = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        let key = rustls::pki_types::PrivateKeyDer::Pkcs8(pair.signing_key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let tls = tls.with_no_client_auth().with_single_cert(vec![pair.cert.der().clone()], key).unwrap();
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(tls));
        let listener = TcpListener::bind("127.0.0.2:0").await.unwrap();
        let url = format!("https://{}/png", listener.local_addr().unwrap());
        let script = answer.clone();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                if let Ok(connection) = acceptor.accept(connection).await {
                    let _ = play(connection, &script).await;
                }
            }
        });
        let fetched = fetch_with(policy().trusting(pair.cert.pem().into()), &url).await;
        match good {
            true => assert!(fetched.is_ok(), "{fetched:?}"),
            false => assert_eq!(fetched.unwrap_err(), FetchError::Unreachable, "{name}"),
        }
    }
    // Neither plain HTTP nor a handshake that never ends is TLS.
    let plain = serve(answer).await.replace("http://", "https://");
    assert_eq!(fetch_with(policy(), &plain).await.unwrap_err(), FetchError::Unreachable);
    let stalled = serve(Script { then: Then::Wait, ..Script::default() }).await.replace("http://", "https://");
    assert_eq!(fetch_with(policy(), &stalled).await.unwrap_err(), FetchError::TooSlow(1));
}
