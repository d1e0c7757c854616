//! The shipped configuration behind a proxy on the same machine that sets only `X-Forwarded-Proto`: clients must not read the
//! metrics, Prometheus must, and a second server must start.

use std::path::Path;

use crate::Server;
use crate::campaigns::Finding;

const CONFIG: &str = include_str!("../../../../packaging/aerie.toml");

/// Requests the metrics as clients of the proxy and as Prometheus, from two servers.
pub(super) fn check(data: &Path) -> Finding {
    let servers = [serve(&data.with_file_name("first")), serve(&data.with_file_name("second"))];
    let (mut public, mut scraped) = (Vec::new(), 0);
    for server in &servers {
        let client = server.client.with_key(None);
        for headers in [&[][..], &[("X-Forwarded-Proto", "https")], &[("X-Forwarded-Proto", "http")]] {
            let status = client.send("GET", "/metrics", headers, &[]).status;
            if status == 200 {
                public.push(headers.first().map_or("none", |(_, protocol)| protocol));
            }
        }
        let healthy = client.get("/healthz").status == 200;
        let figures =
            server.admin_url().and_then(|url| client.try_send("GET", &format!("{url}/metrics"), &[], &[]).ok());
        let is_scraped = figures.is_some_and(|answer| {
            answer.status == 200 && String::from_utf8_lossy(&answer.bytes).contains("aerie_build_info{")
        });
        scraped += usize::from(healthy && is_scraped);
    }
    Finding {
        held: public.is_empty() && scraped == servers.len(),
        measured: format!(
            "two servers with the shipped configuration: {scraped} scraped on the admin listener; on the main listener the metrics \
             are open to requests with X-Forwarded-Proto: {public:?}"
        ),
    }
}

fn serve(data: &Path) -> Server {
    let config = data.with_extension("toml");
    std::fs::write(&config, CONFIG).expect("a file");
    Server::restart_with(&["--config", config.to_str().expect("a path")], data, 0, "", "")
}
