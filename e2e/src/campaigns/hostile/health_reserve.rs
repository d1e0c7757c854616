//! Idle, half-sent and slow requests that hold every connection, from loopback, where addresses are not limited, while monitoring
//! asks for health.

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use crate::Server;
use crate::campaigns::{Finding, Tenant};
use crate::sockets::{allow_many, connect, time_of};

/// Connections: more than the default of `[connections] most` and the reserve together.
const CLIENTS: usize = 1200;

/// Health checks during each attack, and the upper bound on their time.
const CHECKS: usize = 5;
const MAX_TIME: Duration = Duration::from_secs(1);

/// Holds connections that send nothing, half a head, and a head without its body.
pub(super) fn check(data: &Path) -> Finding {
    allow_many();
    let tenant = Tenant::new(data, "");
    let server = tenant.serve();
    let body = format!(
        "POST /v1/drone-footage/generate HTTP/1.1\r\nHost: x\r\nX-API-Key: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\n\r\n{{",
        server.key
    );
    let attacks = [("idle", ""), ("half a head", "GET /healthz HTTP/1.1\r\nHost: "), ("no body", &body)];
    let (mut held, mut shown) = (true, Vec::new());
    for (name, sent) in attacks {
        let times = attack(&server, sent);
        held &= times.iter().all(|time| time.is_some_and(|time| time <= MAX_TIME));
        let answered = times.iter().flatten().count();
        let worst = times.iter().flatten().max().copied().unwrap_or_default();
        shown.push(format!("{name}: {answered} of {} answered, within {worst:.1?}", times.len()));
    }
    Finding { held, measured: format!("health checks while {CLIENTS} connections are held; {}", shown.join("; ")) }
}

fn attack(server: &Server, sent: &str) -> Vec<Option<Duration>> {
    let streams: Vec<TcpStream> = (0..CLIENTS)
        .map(|_| {
            let mut stream = connect(server);
            let _ = stream.write_all(sent.as_bytes());
            stream
        })
        .collect();
    let mut times = Vec::new();
    for _ in 0..CHECKS {
        for path in ["/healthz", "/readyz"] {
            times.push(time_of(server, path));
            if times.ends_with(&[None]) {
                return times;
            }
        }
    }
    drop(streams);
    times
}
