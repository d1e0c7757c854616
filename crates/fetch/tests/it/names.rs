//! Names that resolve to addresses which are not public, now or later, over a real name server. 127.0.0.2 is allowed and plays the
//! public network; a canary listens at the same port on the addresses that are not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aerie_fetch::{FetchError, Fetcher, Limits, Lookup, Policy};
use aerie_test_data::name_server::{A, AAAA, NameServer, Record};
use aerie_test_data::picture_server::PictureServer;

const PUBLIC: Record = Record::A(Ipv4Addr::new(127, 0, 0, 2));
const LOOPBACK: Record = Record::A(Ipv4Addr::LOCALHOST);
const METADATA: Record = Record::A(Ipv4Addr::new(169, 254, 169, 254));

/// A resolver that asks one name server over UDP.
struct StubResolver(SocketAddr);

#[async_trait::async_trait]
impl Lookup for StubResolver {
    async fn lookup(&self, host: &str) -> std::io::Result<Vec<IpAddr>> {
        let (server, host) = (self.0, host.trim_end_matches('.').to_owned());
        let asked = tokio::task::spawn_blocking(move || {
            let v4 = ask(server, &host, A)?;
            Ok([v4, ask(server, &host, AAAA)?].concat())
        });
        asked.await.map_err(std::io::Error::other)?
    }
}

/// The addresses of one type in the answer to a query.
fn ask(server: SocketAddr, name: &str, kind: u16) -> std::io::Result<Vec<IpAddr>> {
    let bad = || std::io::Error::other("not an answer");
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(Duration::from_secs(5)))?;
    socket.connect(server)?;
    let mut query = vec![0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.') {
        query.push(u8::try_from(label.len()).map_err(|_| bad())?);
        query.extend(label.bytes());
    }
    query.push(0);
    query.extend(kind.to_be_bytes());
    query.extend([0, 1]);
    socket.send(&query)?;
    let mut buffer = [0; 512];
    let length = socket.recv(&mut buffer)?;
    let answer = &buffer[..length];
    let (mut at, mut found) = (query.len(), Vec::new());
    for _ in 0..*answer.get(7).ok_or_else(bad)? {
        // The owner: a pointer, or labels.
        while *answer.get(at).ok_or_else(bad)? & 0xc0 == 0 && answer[at] != 0 {
            at += 1 + usize::from(answer[at]);
        }
        at += if answer[at] == 0 { 1 } else { 2 };
        let head = answer.get(at..at + 10).ok_or_else(bad)?;
        let (of, length) =
            (u16::from_be_bytes([head[0], head[1]]), usize::from(u16::from_be_bytes([head[8], head[9]])));
        let data = answer.get(at + 10..at + 10 + length).ok_or_else(bad)?;
        at += 10 + length;
        match of {
            A => found.push(IpAddr::from(<[u8; 4]>::try_from(data).map_err(|_| bad())?)),
            AAAA => found.push(IpAddr::from(<[u8; 16]>::try_from(data).map_err(|_| bad())?)),
            _ => {}
        }
    }
    Ok(found)
}

fn v6(text: &str) -> Record {
    Record::Aaaa(text.parse::<Ipv6Addr>().unwrap())
}

fn fetcher(names: &NameServer) -> Fetcher {
    let policy = Policy::new(vec!["127.0.0.2/32".parse().unwrap()]);
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    Fetcher::with(policy, &std::env::temp_dir(), limits, Arc::new(StubResolver(names.address))).unwrap()
}

/// A picture server in the public network, and a canary at the same port of the other addresses of this machine.
async fn servers() -> (PictureServer, PictureServer, PictureServer) {
    loop {
        let public = PictureServer::start("127.0.0.2:0").await;
        let port = public.address.port();
        let is_free = |address: &str| std::net::TcpListener::bind((address, port)).is_ok();
        if is_free("127.0.0.1") && is_free("::1") {
            let v4 = PictureServer::start(&format!("127.0.0.1:{port}")).await;
            let v6 = PictureServer::start(&format!("[::1]:{port}")).await;
            return (public, v4, v6);
        }
    }
}

#[tokio::test]
async fn a_name_that_is_rebound_after_each_query_never_leads_to_another_address() {
    let (public, v4, v6_canary) = servers().await;
    let port = public.address.port();
    let zone = vec![
        ("rebind.test", vec![vec![PUBLIC], vec![LOOPBACK]]),
        ("metadata.test", vec![vec![PUBLIC], vec![METADATA]]),
        ("family.test", vec![vec![PUBLIC], vec![v6("::1")]]),
        ("flip.test", [[PUBLIC], [LOOPBACK]].concat().chunks(1).cycle().take(40).map(<[Record]>::to_vec).collect()),
    ];
    let names = NameServer::start("127.0.0.1:0", zone).unwrap();
    for name in ["rebind.test", "metadata.test", "family.test"] {
        let fetcher = fetcher(&names);
        let (url, before) = (format!("http://{name}:{port}/png"), names.queries());
        assert!(fetcher.fetch(&url).await.is_ok(), "{name} is public at first");
        assert_eq!(names.queries() - before, 2, "each type is asked once, and the connection uses what was checked");
        assert_eq!(fetcher.fetch(&url).await.unwrap_err(), FetchError::NotPublic, "{name}");
    }
    let fetcher = fetcher(&names);
    for at in 0..40 {
        let fetched = fetcher.fetch(&format!("http://flip.test:{port}/png")).await;
        assert_eq!(fetched.is_ok(), at % 2 == 0 && at < 40, "the {at}th");
    }
    // Names are resolved anew after a redirect.
    let again = format!("http://flip.test:{port}/to/http://flip.test:{port}/png");
    let refused = fetcher.fetch(&again).await.unwrap_err();
    assert_eq!(refused, FetchError::NotPublic);
    assert_eq!((v4.connections(), v6_canary.connections()), (0, 0));
}

#[tokio::test]
async fn a_name_with_one_address_that_is_not_public_is_refused_whatever_the_others_are() {
    let (public, v4, v6_canary) = servers().await;
    let port = public.address.port();
    let refused: Vec<(&'static str, Vec<Record>)> = vec![
        ("mixed.test", vec![PUBLIC, LOOPBACK]),
        ("mixed-last.test", vec![LOOPBACK, PUBLIC]),
        ("mixed-families.test", vec![PUBLIC, v6("::1")]),
        ("mapped.test", vec![v6("::ffff:127.0.0.1")]),
        ("mapped-metadata.test", vec![PUBLIC, v6("::ffff:169.254.169.254")]),
        ("translated.test", vec![v6("64:ff9b::7f00:1")]),
        ("tunneled.test", vec![v6("2002:7f00:1::1")]),
        ("unique-local.test", vec![v6("fd00:ec2::254")]),
        ("any.test", vec![Record::A(Ipv4Addr::UNSPECIFIED)]),
        ("alias.test", vec![Record::Cname("public.test"), Record::Cname("other.test"), LOOPBACK]),
        ("alias-mixed.test", vec![Record::Cname("public.test"), PUBLIC, Record::Cname("other.test"), LOOPBACK]),
        ("nothing.test", vec![]),
        ("cut-off.test", vec![PUBLIC, Record::CutOff]),
    ];
    let zone = refused.iter().map(|(name, records)| (*name, vec![records.clone()])).collect();
    let names = NameServer::start("127.0.0.1:0", zone).unwrap();
    for (name, _) in &refused {
        let url = format!("http://{name}:{port}/png");
        assert_eq!(fetcher(&names).fetch(&url).await.unwrap_err(), FetchError::NotPublic, "{name}");
    }
    let unknown = fetcher(&names).fetch(&format!("http://unknown.test:{port}/png")).await.unwrap_err();
    assert_eq!(unknown, FetchError::NotPublic, "the same error, so that it does not tell which names exist");
    assert_eq!((public.connections(), v4.connections(), v6_canary.connections()), (0, 0, 0));
}

#[tokio::test]
async fn an_alias_of_a_public_address_is_fetched_and_a_silent_name_server_is_abandoned_in_time() {
    let (public, ..) = servers().await;
    let port = public.address.port();
    let zone = vec![
        ("alias.test", vec![vec![Record::Cname("a.test"), Record::Cname("b.test"), PUBLIC]]),
        ("mapped.test", vec![vec![v6("::ffff:127.0.0.2")]]),
        ("silent.test", vec![vec![Record::Silence]]),
    ];
    let names = NameServer::start("127.0.0.1:0", zone).unwrap();
    assert!(fetcher(&names).fetch(&public.url("/png")).await.is_ok());
    for name in ["alias.test", "ALIAS.test.", "mapped.test"] {
        assert!(fetcher(&names).fetch(&format!("http://{name}:{port}/png")).await.is_ok(), "{name}");
    }
    let started = Instant::now();
    let refused = fetcher(&names).fetch(&format!("http://silent.test:{port}/png")).await.unwrap_err();
    assert_eq!(refused, FetchError::TooSlow(2));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}
