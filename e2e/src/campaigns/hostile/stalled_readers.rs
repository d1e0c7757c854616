//! A thousand clients that request something large and never read it.

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::campaigns::{Finding, Tenant};
use crate::sockets::{LINK_SECRET, allow_many, connect, get, store_media};
use crate::{Server, wait_until};

/// Clients at once: somewhat fewer than the default of `[connections] most`.
const CLIENTS: usize = 1000;

/// Upper bound on the memory that they may cost the server, bytes.
const MAX_GROWTH: u64 = 80 << 20;

/// Jobs on the largest page, each with the largest input.
const JOBS: usize = 100;
const INPUT: usize = 8000;

/// Requests each document from all clients in turn, from a new server each time.
pub(super) fn check(data: &Path) -> Finding {
    allow_many();
    let tenant = Tenant::new(data, &format!("[media]\nlink_secret = \"{LINK_SECRET}\""));
    let server = tenant.serve();
    let options = json!({"note": "x".repeat(INPUT)});
    for number in 0..JOBS {
        let body = json!({"address": format!("{number} Main St"), "options": options});
        assert_eq!(server.client.post("/v1/markup/generate", &body).status, 202);
    }
    let media = store_media(data, 64 << 20);
    drop(server);
    let paths = ["/openapi.json", "/docs/", "/v1/jobs?limit=100", media.as_str()];
    let growths = paths.map(|path| growth(&tenant.serve(), path));
    let shown: Vec<_> = paths
        .iter()
        .zip(growths)
        .map(|(path, growth)| format!("{} {}", path.split('?').next().unwrap_or_default(), growth >> 20))
        .collect();
    Finding {
        held: growths.iter().all(|growth| *growth <= MAX_GROWTH),
        measured: format!("{CLIENTS} clients that read nothing cost the server, in MiB: {}", shown.join(", ")),
    }
}

/// How much the server's memory grows.
fn growth(server: &Server, path: &str) -> u64 {
    // Whatever is made once is made.
    let _ = server.client.get(path);
    let before = server.resident();
    let streams: Vec<TcpStream> = (0..CLIENTS)
        .map(|_| {
            let mut stream = connect(server);
            stream.write_all(get(server, path).as_bytes()).expect("the server reads");
            stream
        })
        .collect();
    let mut last = 0;
    let settled = wait_until("the server's memory settles", Duration::from_secs(20), || {
        let now = server.resident();
        let is_settled = now.abs_diff(last) < 1 << 18;
        last = now;
        is_settled.then_some(now)
    });
    drop(streams);
    settled.saturating_sub(before)
}
