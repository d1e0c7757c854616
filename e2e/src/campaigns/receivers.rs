//! Receivers of webhooks that stall, flood, lie, redirect to loopback or refuse, beside an honest one, while the server is killed.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Tenant;
use crate::{Client, wait_until};

/// Submits between two kills.
const SUBMITS: usize = 25;
/// What a hostile receiver makes of a request.
const HOSTILE: [(&str, Hostility); 8] = [
    ("stalls", |_, _| hold()),
    ("drips", |stream, _| drip(stream)),
    ("floods the body", |stream, _| flood(stream, b"HTTP/1.1 200 OK\r\n\r\n")),
    ("floods the headers", |stream, _| flood(stream, b"HTTP/1.1 200 OK\r\nX-Flood: ")),
    ("redirects to loopback", |stream, trap| redirect(stream, "307 Temporary Redirect", trap)),
    ("moves to loopback for good", |stream, trap| redirect(stream, "308 Permanent Redirect", trap)),
    ("speaks no HTTP", |stream, _| reply(stream, b"SSH-2.0-OpenSSH_9.2\r\n")),
    ("hangs up", |_, _| {}),
];
/// Longest time in which an honest receiver gets an event although others are hostile.
const PROMPT: Duration = Duration::from_secs(15);
/// Longest time in which it gets what a killed server was sending: a claim of a delivery lasts a minute.
const AFTER_KILL: Duration = Duration::from_secs(150);
/// Upper bound on the growth of the server's memory, bytes.
const MAX_GROWTH: u64 = 96 << 20;

/// Handles a connection whose request was read; also gets the address that must never be asked.
type Hostility = fn(&mut TcpStream, SocketAddr);

/// Result of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Kills of the server.
    pub kills: u32,
    /// Jobs submitted.
    pub jobs: usize,
    /// Requests to the honest receiver beyond one for each job: events that it was sent again after a kill.
    pub repeated: usize,
    /// Requests to hostile receivers.
    pub hostile: usize,
    /// Longest time from a submit to the honest receiver, without a kill.
    pub slowest: Duration,
    /// Slowest response of the API meanwhile.
    pub slowest_response: Duration,
    /// Growth of the server's memory, MiB.
    pub growth: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, jobs, repeated, hostile, slowest, slowest_response, growth } = self;
        write!(
            f,
            "{kills} kills; {hostile} requests to {} hostile receivers; the honest receiver got the events of all {jobs} jobs, {repeated} of them \
             again after a kill, without a kill within {slowest:.1?}; 0 redirects followed; slowest response of the API {slowest_response:.1?}; \
             memory grew by {growth} MiB",
            HOSTILE.len()
        )
    }
}

/// Kills the server while it sends events to hostile receivers and an honest one.
///
/// # Panics
/// When the honest receiver misses an event, a redirect is followed, or the server suffers from hostile receivers.
#[must_use]
pub fn campaign(kills: u32, data: &Path) -> Report {
    let tenant = Tenant::new(data, "");
    let trapped = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&trapped);
    let trap = listen(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
    });
    let hostile_requests = Arc::new(AtomicUsize::new(0));
    let mut server = tenant.serve();
    let mut hostile = BTreeMap::new();
    for (name, hostility) in HOSTILE {
        let requests = Arc::clone(&hostile_requests);
        let address = listen(move |mut stream| {
            if read_request(&mut stream).is_some() {
                requests.fetch_add(1, Ordering::SeqCst);
                hostility(&mut stream, trap);
            }
        });
        hostile.insert(name, register(&server.client, address));
    }
    let received: Arc<Mutex<BTreeMap<String, (Instant, usize)>>> = Arc::default();
    let kept = Arc::clone(&received);
    let honest = listen(move |mut stream| {
        let Some(event) = read_request(&mut stream) else { return };
        let job = event["data"]["job_id"].as_str().expect("an id").to_owned();
        kept.lock().unwrap_or_else(PoisonError::into_inner).entry(job).or_insert((Instant::now(), 0)).1 += 1;
        reply(&mut stream, b"HTTP/1.1 204 No Content\r\n\r\n");
    });
    let honest = register(&server.client, honest);
    let has = |job: &String| received.lock().unwrap_or_else(PoisonError::into_inner).get(job).copied();

    let (mut jobs, mut slowest, mut slowest_response, mut growth) = (Vec::new(), Duration::ZERO, Duration::ZERO, 0);
    for kill in 0..=kills {
        let before = server.resident();
        let sent: Vec<(String, Instant)> = (0..SUBMITS)
            .map(|number| {
                let began = Instant::now();
                let job = server.client.submit(&format!("{kill} {number} Main St"), "north");
                slowest_response = slowest_response.max(began.elapsed());
                (job, Instant::now())
            })
            .collect();
        if kill == kills {
            for (job, at) in &sent {
                let (got, _) = wait_until("an event for the honest receiver", PROMPT, || has(job));
                slowest = slowest.max(got.saturating_duration_since(*at));
            }
            growth = server.resident().saturating_sub(before);
        }
        jobs.extend(sent.into_iter().map(|(job, _)| job));
        if kill < kills {
            server.kill();
            server = tenant.serve();
        }
    }
    for job in &jobs {
        wait_until("an event that was being sent at a kill", AFTER_KILL, || has(job));
    }
    assert_eq!(trapped.load(Ordering::SeqCst), 0, "a redirect was followed");
    assert!(slowest_response < Duration::from_secs(5), "the API answered after {slowest_response:?}");
    assert!(growth < MAX_GROWTH, "the server's memory grew by {growth} bytes");
    for (name, webhook) in &hostile {
        let deliveries = server.client.get(&format!("/v1/webhooks/{webhook}/deliveries?limit=100")).json();
        for delivery in deliveries["data"].as_array().expect("deliveries") {
            // A body without an end does not matter: the status says that the event has arrived.
            let is_wrong = delivery["status"] == "delivered" && *name != "floods the body";
            assert!(!is_wrong, "a receiver that {name}: {delivery}");
        }
    }
    let shown = server.client.get(&format!("/v1/webhooks/{honest}")).json();
    assert_eq!(shown["data"]["enabled"], json!(true), "{shown}");
    let requests: usize =
        received.lock().unwrap_or_else(PoisonError::into_inner).values().map(|(_, times)| times).sum();
    server.kill();
    Report {
        kills,
        jobs: jobs.len(),
        repeated: requests - jobs.len(),
        hostile: hostile_requests.load(Ordering::SeqCst),
        slowest,
        slowest_response,
        growth: growth >> 20,
    }
}

/// Registers a webhook; returns its id.
fn register(client: &Client, address: SocketAddr) -> String {
    let body = json!({"url": format!("http://{address}/hook"), "events": ["job.queued"]});
    let added = client.post("/v1/webhooks", &body);
    assert_eq!(added.status, 201, "{}", added.json());
    added.json()["data"]["webhook_id"].as_str().expect("an id").to_owned()
}

/// Handles each connection in a thread of its own until the process ends.
fn listen(handle: impl Fn(TcpStream) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let handle = Arc::new(handle);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let handle = Arc::clone(&handle);
            std::thread::spawn(move || handle(stream));
        }
    });
    address
}

/// Reads a request; returns its body unless the connection was lost.
fn read_request(stream: &mut TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line).ok()? > 2 {
        if let Some(given) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = given.trim().parse().ok()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn reply(stream: &mut TcpStream, bytes: &[u8]) {
    // The server may have given up.
    let _ = stream.write_all(bytes);
}

fn redirect(stream: &mut TcpStream, status: &str, to: SocketAddr) {
    reply(stream, format!("HTTP/1.1 {status}\r\nLocation: http://{to}/\r\nContent-Length: 0\r\n\r\n").as_bytes());
}

/// Keeps the connection without a response, longer than any campaign.
fn hold() {
    std::thread::sleep(Duration::from_secs(24 * 3600));
}

fn drip(stream: &mut TcpStream) {
    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX-Slow: ");
    while stream.write_all(b"x").is_ok() {
        std::thread::sleep(Duration::from_millis(500));
    }
}

fn flood(stream: &mut TcpStream, head: &[u8]) {
    let _ = stream.write_all(head);
    let block = [b'x'; 1 << 16];
    while stream.write_all(&block).is_ok() {}
}
