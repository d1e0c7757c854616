//! Clients that are slow or disconnect midway: other clients are not affected, and no connection is leaked.

use std::fmt;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{Tenant, quantile};
use crate::{Server, wait_until};

/// Time after which the server drops a slow client.
const DROPPED_AFTER: Duration = Duration::from_secs(2);

/// Result of a campaign.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// Connections that sent their request byte by byte.
    pub slow: usize,
    /// Connections closed in the middle of a request or a response.
    pub vanished: usize,
    /// Requests of a well-behaved client meanwhile, all answered.
    pub answered: usize,
    /// Median response time of the well-behaved client before and during the attack.
    pub median: (Duration, Duration),
    /// Open files of the server before and after.
    pub open_files: (usize, usize),
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { slow, vanished, answered, median, open_files } = self;
        write!(
            f,
            "{slow} slow and {vanished} disconnecting clients: {answered} requests of another client all answered, median {:?} \
             before and {:?} meanwhile; {} open files of the server before, {} after",
            median.0, median.1, open_files.0, open_files.1
        )
    }
}

/// Lets twenty clients at a time misbehave for `time`.
///
/// # Panics
/// When a request of the well-behaved client is not answered, or files stay open.
#[must_use]
pub fn campaign(time: Duration, data: &Path) -> Report {
    let seconds = DROPPED_AFTER.as_secs();
    let tenant = Tenant::new(data, &format!("[connections]\nhead_seconds = {seconds}\nstalled_seconds = {seconds}"));
    let server = tenant.serve();
    let job = server.client.submit("1 Main St", "north");
    let good = |time: Duration| {
        let (until, mut times) = (Instant::now() + time, Vec::new());
        while Instant::now() < until {
            let started = Instant::now();
            assert_eq!(server.client.get(&format!("/v1/jobs/{job}")).status, 200);
            times.push(started.elapsed());
            std::thread::sleep(Duration::from_millis(5));
        }
        times
    };
    let mut before = good(time / 4);
    let open_before = open_files(&server);
    let address = server.client.base_url().strip_prefix("http://").expect("plain HTTP").to_owned();
    let (stop, slow, vanished) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let mut during = std::thread::scope(|scope| {
        for number in 0..20 {
            let (address, key, stop, slow, vanished) = (&address, &tenant.key, &stop, &slow, &vanished);
            scope.spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    match number % 4 {
                        0 => {
                            drip(address, key, stop);
                            slow.fetch_add(1, Ordering::SeqCst);
                        }
                        way => {
                            vanish(address, key, way);
                            vanished.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
        }
        let during = good(time);
        stop.store(true, Ordering::SeqCst);
        during
    });
    let open_after = wait_until("their connections are closed", DROPPED_AFTER * 5, || {
        Some(open_files(&server)).filter(|open| *open <= open_before + 2)
    });
    Report {
        slow: slow.into_inner(),
        vanished: vanished.into_inner(),
        answered: before.len() + during.len(),
        median: (quantile(&mut before, 0.5), quantile(&mut during, 0.5)),
        open_files: (open_before, open_after),
    }
}

fn open_files(server: &Server) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", server.pid())).map_or(0, Iterator::count)
}

fn request(address: &str, key: &str) -> String {
    let head = "POST /v1/drone-footage/generate HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 30000";
    format!("{head}\r\nHost: {address}\r\nX-API-Key: {key}\r\n\r\n{{\"address\": \"")
}

/// Sends a request byte by byte until the server closes the connection.
fn drip(address: &str, key: &str, stop: &AtomicBool) {
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    for byte in request(address, key).bytes() {
        if stream.write_all(&[byte]).is_err() || stop.load(Ordering::SeqCst) {
            return;
        }
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// Disconnects in the middle of the body, before reading the response, or in the middle of the response.
fn vanish(address: &str, key: &str, way: usize) {
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    let list = format!("GET /openapi.json HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\n\r\n");
    let _ = match way {
        1 => stream.write_all(request(address, key).as_bytes()),
        2 => stream.write_all(list.as_bytes()),
        _ => stream.write_all(list.as_bytes()).and_then(|()| stream.read_exact(&mut [0; 100])),
    };
    let _ = stream.shutdown(Shutdown::Both);
}
