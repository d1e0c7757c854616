//! Image URLs that try to reach addresses which are not public: 10,000 generated ones, redirects to them, and names on a name server
//! that changes its mind. 127.0.0.2 is allowed and plays the public network; canaries listen at the same port elsewhere.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aerie_test_data::hostile_urls::{Meaning, cases};
use aerie_test_data::name_server::{NameServer, Record, Zone};
use serde_json::json;

use crate::campaigns::{Finding, Tenant};
use crate::{Client, Server};

const CASES: usize = 10_000;
const REDIRECTS: usize = 400;
/// Requests at once, fewer than the fetches that one organization may have at once.
const THREADS: usize = 4;
/// A loopback address for the name server: the system's resolver always asks port 53.
const NAME_SERVER: &str = "127.0.0.77:53";

const PUBLIC: Record = Record::A(Ipv4Addr::new(127, 0, 0, 2));
const LOOPBACK: Record = Record::A(Ipv4Addr::LOCALHOST);

/// Submits all of them.
pub(super) fn check(data: &Path) -> Finding {
    let (port, canaries) = listen();
    let tenant = Tenant::new(data, "[intake]\nallow_networks = [\"127.0.0.2/32\"]");
    let (server, names) = serve(&tenant);
    let good = format!("http://127.0.0.2:{port}/png");
    let is_good_accepted = submit(&server.client, &good) == Outcome::Accepted;

    let mut public = 0;
    let hostile = cases(2026, port).filter_map(|case| match case.meaning {
        Meaning::Refused => Some((case.form, case.url)),
        Meaning::Public(address) => {
            public += usize::from(address.is_ipv4() || address.is_ipv6());
            None
        }
    });
    let mut urls: Vec<(&str, String)> = hostile.take(CASES).collect();
    let redirects: Vec<_> = urls.iter().filter(|(_, url)| is_location(url)).take(REDIRECTS).cloned().collect();
    urls.extend(redirects.into_iter().map(|(form, url)| (form, format!("http://127.0.0.2:{port}/to/{url}"))));
    let mut wrong = submit_all(&server.client, &urls);

    let named = match &names {
        None => "names: not tested, because the server cannot have a name server of its own here".to_owned(),
        Some(names) => {
            let before = names.queries();
            let (urls, unexpected) = resolve(&server.client, port);
            wrong.extend(unexpected);
            format!("{urls} fetches by name with {} queries", names.queries() - before)
        }
    };
    let (touched, peak) = (canaries.load(Ordering::SeqCst), peak_memory(server.pid()));
    Finding {
        held: is_good_accepted && wrong.is_empty() && touched == 0 && peak < 256,
        measured: format!(
            "{CASES} generated URLs and {REDIRECTS} redirects, beside {public} that spell public addresses; {named}: {} not refused \
             before a connection{}; {touched} connections to canaries; a good URL is accepted: {is_good_accepted}; peak memory \
             {peak} MiB",
            wrong.len(),
            wrong.first().map(|first| format!(", first {first}")).unwrap_or_default(),
        ),
    }
}

/// Whether a redirect through a path of our picture server leads to a URL: its characters stand in a header, it is not relative, and
/// no part of it is removed from the path.
fn is_location(url: &str) -> bool {
    let is_relative = !url.contains("://") && !url.starts_with("//");
    url.chars().all(|character| character.is_ascii_graphic())
        && !is_relative
        && !url.contains("..")
        && !url.contains("%2e")
}

/// What became of a submit.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Accepted,
    /// Refused without a connection.
    Refused,
    /// Anything else, such as an error after an attempt to connect.
    Other(String),
}

fn submit(client: &Client, url: &str) -> Outcome {
    loop {
        let answer = client.post("/v1/image-enhance/generate", &json!({"image_url": url}));
        let body = answer.json();
        let (code, message) = (&body["error"]["code"], body["error"]["message"].as_str().unwrap_or_default());
        let is_attempt = message.contains("cannot be reached") || message.contains("could not be downloaded");
        return match answer.status {
            202 => Outcome::Accepted,
            400 if (code == "INVALID_URL" || code == "VALIDATION_ERROR") && !is_attempt => Outcome::Refused,
            429 => continue,
            status => Outcome::Other(format!("{status} {message}")),
        };
    }
}

/// Submits URLs that must be refused, on several threads; returns descriptions of those that were not.
fn submit_all(client: &Client, urls: &[(&str, String)]) -> Vec<String> {
    std::thread::scope(|scope| {
        let parts = urls.chunks(urls.len().div_ceil(THREADS)).map(|part| {
            scope.spawn(move || {
                let outcomes = part.iter().map(|(form, url)| (form, url, submit(client, url)));
                let wrong = outcomes.filter(|(_, _, outcome)| *outcome != Outcome::Refused);
                wrong.map(|(form, url, outcome)| format!("{form}: {url:?}: {outcome:?}")).collect::<Vec<_>>()
            })
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|part| part.join().expect("answers")).collect()
    })
}

/// A name, its answers in turn, and whether the fetches in turn are accepted.
type Named = (&'static str, Vec<Vec<Record>>, Vec<bool>);

fn zone() -> Vec<Named> {
    let v6 = |text: &str| Record::Aaaa(text.parse::<Ipv6Addr>().expect("an address"));
    let flip = [[PUBLIC], [LOOPBACK]].concat().chunks(1).cycle().take(20).map(<[Record]>::to_vec).collect();
    let never = |records: Vec<Record>| (vec![records], vec![false; 3]);
    let mut zone = vec![
        ("good.test", vec![vec![PUBLIC]], vec![true; 3]),
        ("alias.test", vec![vec![Record::Cname("a.test"), Record::Cname("b.test"), PUBLIC]], vec![true; 2]),
        ("rebind.test", vec![vec![PUBLIC], vec![LOOPBACK]], vec![true, false, false, false]),
        (
            "metadata.test",
            vec![vec![PUBLIC], vec![Record::A(Ipv4Addr::new(169, 254, 169, 254))]],
            vec![true, false, false],
        ),
        ("family.test", vec![vec![PUBLIC], vec![v6("::1")]], vec![true, false, false]),
        ("flip.test", flip, [true, false].repeat(10)),
    ];
    for (name, records) in [
        ("mixed.test", vec![PUBLIC, LOOPBACK]),
        ("mixed-last.test", vec![LOOPBACK, PUBLIC]),
        ("mixed-families.test", vec![PUBLIC, v6("::1")]),
        ("mapped.test", vec![v6("::ffff:127.0.0.1")]),
        ("translated.test", vec![v6("64:ff9b::7f00:1")]),
        ("tunneled.test", vec![v6("2002:7f00:1::1")]),
        ("local.test", vec![v6("fd00:ec2::254")]),
        ("any.test", vec![Record::A(Ipv4Addr::UNSPECIFIED)]),
        ("alias-inside.test", vec![Record::Cname("a.test"), Record::Cname("b.test"), LOOPBACK]),
        ("cut-off.test", vec![PUBLIC, Record::CutOff]),
        ("silent.test", vec![Record::Silence]),
    ] {
        let (answers, accepted) = never(records);
        zone.push((name, answers, accepted));
    }
    zone
}

/// Fetches by name; returns the number of fetches, and descriptions of unexpected outcomes.
fn resolve(client: &Client, port: u16) -> (usize, Vec<String>) {
    let (mut fetches, mut wrong) = (0, Vec::new());
    for (name, _, accepted) in zone() {
        for (turn, is_accepted) in accepted.into_iter().enumerate() {
            fetches += 1;
            let outcome = submit(client, &format!("http://{name}:{port}/png"));
            let expected = if is_accepted { Outcome::Accepted } else { Outcome::Refused };
            if outcome != expected {
                wrong.push(format!("{name}, fetch {turn}: {outcome:?}"));
            }
        }
    }
    (fetches, wrong)
}

/// Starts a server that resolves names at a name server of its own, or, where that is not possible, as usual.
fn serve(tenant: &Tenant) -> (Server, Option<NameServer>) {
    let zone: Zone = zone().into_iter().map(|(name, answers, _)| (name, answers)).collect();
    let config = tenant.config.to_str().unwrap_or_default();
    if let Ok(names) = NameServer::start(NAME_SERVER, zone) {
        let settings = tenant.data.with_extension("resolv.conf");
        let text = format!("nameserver {}\noptions timeout:1 attempts:1\n", names.address.ip());
        std::fs::write(&settings, text).expect("a file");
        let arguments = ["--config", config];
        let started = Server::restart_resolving(&settings, &arguments, &tenant.data, 0, &tenant.org, &tenant.key);
        if let Ok(server) = started {
            return (server, Some(names));
        }
    }
    (tenant.serve(), None)
}

/// Serves a picture and redirects on 127.0.0.2, and counts connections at the same port of other addresses of this machine.
fn listen() -> (u16, Arc<AtomicUsize>) {
    let canaries = Arc::new(AtomicUsize::new(0));
    loop {
        let public = TcpListener::bind("127.0.0.2:0").expect("a port");
        let port = public.local_addr().expect("an address").port();
        let others: Vec<_> =
            ["127.0.0.1", "127.0.0.3", "::1"].iter().filter_map(|host| TcpListener::bind((*host, port)).ok()).collect();
        if others.len() < 3 {
            continue;
        }
        for canary in others {
            let counter = Arc::clone(&canaries);
            std::thread::spawn(move || {
                for _ in canary.incoming() {
                    counter.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        std::thread::spawn(move || {
            for connection in public.incoming().flatten() {
                // A client may close the connection early.
                let _ = answer(connection);
            }
        });
        return (port, canaries);
    }
}

fn answer(mut connection: TcpStream) -> std::io::Result<()> {
    let mut head = BufReader::new(connection.try_clone()?).lines();
    let request = head.next().transpose()?.unwrap_or_default();
    while head.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or_default();
    if let Some(target) = path.strip_prefix("/to/") {
        return write!(
            connection,
            "HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    }
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    png.extend([0, 0, 2, 128, 0, 0, 1, 224, 8, 2, 0, 0, 0, 0, 0, 0, 0]);
    write!(connection, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", png.len())?;
    connection.write_all(&png)
}

/// Peak resident memory of a process, MiB.
fn peak_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}
