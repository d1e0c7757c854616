//! Clients that send or read a byte at a time, and one on a slow line that must be served.

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Server;
use crate::campaigns::{Finding, Tenant};
use crate::sockets::{LINK_SECRET, connect, get, store_media};

/// Clients of each kind.
const EACH: usize = 8;

/// Time after which all that are too slow must be disconnected.
const DISCONNECTED: Duration = Duration::from_secs(20);

/// Rate of the client on the slow line, bytes per second, and size of its download: more than the buffers of both systems.
const RATE: usize = 8 << 10;
const DOWNLOAD: usize = 200 << 10;

/// Runs all clients side by side.
pub(super) fn check(data: &Path) -> Finding {
    let extra = format!("[connections]\nstalled_seconds = 6\n[media]\nlink_secret = \"{LINK_SECRET}\"");
    let tenant = Tenant::new(data, &extra);
    let server = tenant.serve();
    let [large, small] = [64 << 20, DOWNLOAD].map(|size| store_media(data, size));
    let _ = server.client.get("/healthz");
    let open = server.open_files();
    let (senders, readers, received) = std::thread::scope(|scope| {
        let slow_line = scope.spawn(|| download(&server, &small));
        let senders: Vec<_> = (0..EACH).map(|_| scope.spawn(|| trickle(&server))).collect();
        for _ in 0..EACH {
            scope.spawn(|| nibble(&server, &large));
        }
        let senders: Vec<_> = senders.into_iter().map(|sender| sender.join().expect("a time")).collect();
        // What a reader has not read yet hides from it that it is disconnected. The slow line has a connection and a file open.
        let are_readers_gone = (0..150).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            server.open_files() <= open + 4
        });
        (senders, are_readers_gone, slow_line.join().expect("a size"))
    });
    let ended = senders.iter().flatten().filter(|time| **time <= DISCONNECTED).count();
    let worst = senders.iter().flatten().max();
    Finding {
        held: ended == EACH && readers && received == DOWNLOAD,
        measured: format!(
            "{ended} of {EACH} bodies that trickle in ended within {DISCONNECTED:?}, the last after {worst:.1?}; readers of a byte \
             at a time ended: {readers}; a download at {} KiB/s received {received} of {DOWNLOAD} bytes",
            RATE >> 10
        ),
    }
}

/// Sends a body byte by byte; returns when the server ended that.
fn trickle(server: &Server) -> Option<Duration> {
    let mut stream = connect(server);
    let head = "POST /v1/drone-footage/generate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30000";
    stream.write_all(format!("{head}\r\nX-API-Key: {}\r\n\r\n", server.key).as_bytes()).ok()?;
    let begun = Instant::now();
    stream.set_read_timeout(Some(Duration::from_millis(100))).ok()?;
    while begun.elapsed() < DISCONNECTED * 2 {
        let is_open = stream.write_all(b" ").is_ok();
        let answer = stream.read(&mut [0; 512]);
        let is_waiting = matches!(&answer, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock);
        if !is_open || !is_waiting {
            return Some(begun.elapsed());
        }
    }
    None
}

/// Reads a download a byte at a time, for as long as the check takes.
fn nibble(server: &Server, path: &str) {
    let mut stream = connect(server);
    let _ = stream.write_all(get(server, path).as_bytes());
    let begun = Instant::now();
    while begun.elapsed() < DISCONNECTED * 2 && stream.read_exact(&mut [0]).is_ok() {
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Downloads at [`RATE`]; returns the size of what arrived.
fn download(server: &Server, path: &str) -> usize {
    let mut stream = connect(server);
    let _ = stream.write_all(get(server, path).as_bytes());
    let (mut received, mut part) = (Vec::new(), [0; RATE / 4]);
    loop {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(size) => received.extend_from_slice(&part[..size]),
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    let body = received.windows(4).position(|bytes| bytes == b"\r\n\r\n").map_or(received.len(), |head| head + 4);
    received.len() - body
}
