//! Limits on connections, and clients that are slow or send nothing.

use std::time::{Duration, Instant};

use aerie_api::Transport;
use axum::body::Body;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::Service;
use crate::served::{SUBMIT, Served, assert_answer, exchange, get, limits, read_to_end, submit};

/// Sends a submit without its body, once the service has read its head.
async fn begin_submit(served: &Served) -> TcpStream {
    let mut stream = served.connect().await;
    let head = submit(&served.service.key).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut line = [0; 25];
    stream.read_exact(&mut line).await.unwrap();
    assert_eq!(&line, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

#[tokio::test]
async fn a_new_connection_replaces_the_one_that_has_waited_longest() {
    let served = Served::new(limits(|limits| limits.most = 2)).await;
    let [mut first, mut second] = [served.connect().await, served.connect().await];
    for connection in [&mut first, &mut second] {
        connection.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        assert!(connection.read_u8().await.is_ok());
    }
    assert_answer(&served.ask("/v1/jobs", "").await, 200, "pagination");
    assert!(read_to_end(&mut first).await.ends_with('}'), "it ends after its response");
    second.write_all(get("", "/healthz", "").as_bytes()).await.unwrap();
    assert_eq!(read_to_end(&mut second).await.matches("HTTP/1.1 200").count(), 1, "the other stays");
}

#[tokio::test]
async fn while_all_connections_are_busy_health_checks_are_answered_and_other_requests_are_asked_to_retry() {
    let served = Served::new(limits(|limits| limits.most = 2)).await;
    let mut busy = vec![begin_submit(&served).await, begin_submit(&served).await];
    for _ in 0..3 {
        let mut client = served.connect().await;
        client.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let answer = read_to_end(&mut client).await;
        assert_answer(&answer, 200, "connection: close\r\n");
        let answer = served.ask("/v1/jobs", "").await;
        assert_answer(&answer, 429, "RATE_LIMITED");
        assert!(answer.contains("retry-after: 1\r\n") && answer.contains("connection: close\r\n"), "{answer}");
    }
    // Idle connections of the reserve do not keep out a health check either.
    let _idle = [served.connect().await, served.connect().await, served.connect().await];
    assert_answer(&served.ask("/readyz", "").await, 200, "ready");
    for connection in &mut busy {
        connection.write_all(SUBMIT.as_bytes()).await.unwrap();
        let mut line = [0; 12];
        connection.read_exact(&mut line).await.unwrap();
        assert_eq!(&line, b"HTTP/1.1 202");
    }
    assert_answer(&served.ask("/v1/jobs", "").await, 200, "pagination");
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
    let mut served = Served::new(limits(|limits| limits.response_window = Duration::from_millis(500))).await;
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

#[tokio::test]
async fn a_body_that_trickles_in_is_400_and_closes_the_connection() {
    let transport = limits(|limits| {
        limits.body_window = Duration::from_millis(500);
        limits.least_per_second = 1000;
    });
    let served = Served::new(transport).await;
    let mut slow = begin_submit(&served).await;
    let (mut from, mut to) = slow.split();
    let drip = async {
        loop {
            let _ = to.write_all(b" ").await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let answer = tokio::select! {
        () = drip => unreachable!("it never ends"),
        answer = read_to_end(&mut from) => answer,
    };
    assert_answer(&answer, 400, "The body arrives too slowly");
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
