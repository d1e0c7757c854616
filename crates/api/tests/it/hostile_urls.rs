//! URLs that try to reach private addresses: none may lead to a connection, which a canary would detect, and the API stays
//! responsive.

use std::time::{Duration, Instant};

use aerie_test_data::picture_server::PictureServer;
use serde_json::json;

use crate::harness::Service;

/// Spellings of addresses of this machine and of its surroundings.
const HOSTS: &[&str] = &[
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "127.0.0.3",
    "0",
    "0.0.0.0",
    "0x0",
    "00",
    "0x7f.0.0.1",
    "0x7f000001",
    "0X7F000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0177.0.0.01",
    "127.0x0.0.1",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "\u{ff11}\u{ff12}\u{ff17}.0.0.1",
    "127\u{3002}0\u{3002}0\u{3002}1",
    "\u{2460}\u{2461}\u{2466}.0.0.1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost",
    "a.localhost",
    "loc%61lhost",
    "\u{24db}ocalhost",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::0001]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:7F00:0001]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:7f00:0001::1]",
    "[2002:a9fe:a9fe::]",
    "[2001:0:7f00:1::]",
    "[2001::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
    "[5f00::1]",
    "[3fff::1]",
    "10.0.0.1",
    "10.255.255.254",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.170.2",
    "2852039166",
    "0xa9fea9fe",
    "0xA9.0xFE.0xA9.0xFE",
    "025177524776",
    "0251.0376.0251.0376",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "100.100.100.200",
    "100.64.0.1",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "127-0-0-1.test",
    "10-0-0-1.test",
    "169-254-169-254.test",
    "192-168-0-1.test",
    "0-0-0-0.test",
    "100-64-0-1.test",
    "127-0-0-2-and-127-0-0-1.test",
    "127-0-0-1-and-127-0-0-2.test",
    "127-0-0-2-and-10-0-0-1.test",
    "--1.test",
    "127-0-0-2-and---1.test",
    "64-ff9b--7f00-1.test",
    "2002-7f00-1--.test",
    "--ffff-7f00-1.test",
    "fe80--1.test",
    "fd00--1.test",
    "127-0-0-2-and---ffff-7f00-1.test",
];

/// URLs that are invalid for other reasons; `PORT` is the canary's.
const OTHERS: &[&str] = &[
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "file:/etc/passwd",
    "FILE:///etc/passwd",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_GET",
    "dict://127.0.0.1:PORT/",
    "ldap://127.0.0.1:PORT/",
    "tftp://127.0.0.1:PORT/",
    "jar:http://127.0.0.1:PORT/!/",
    "netdoc:///etc/passwd",
    "data:image/png;base64,iVBORw0KGgo=",
    "javascript:alert(1)",
    "about:blank",
    "blob:http://127.0.0.1:PORT/x",
    "view-source:http://127.0.0.1:PORT/",
    "ws://127.0.0.1:PORT/",
    "unix:///run/docker.sock",
    "s3://bucket/key",
    "php://filter/x",
    "//127.0.0.1:PORT/png",
    "/etc/passwd",
    "../x.png",
    "http:",
    "http://",
    "http:///",
    "http://:PORT/",
    "https://",
    "http://[",
    "http://[::1",
    "http://]",
    "http://[::1]x/",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1:-1/",
    "http://1.2.3.4.5/",
    "http://256.256.256.256/",
    "http://999/x/../",
    "http:127.0.0.1:PORT/png",
    "http:/127.0.0.1:PORT/png",
    "http:\\\\127.0.0.1:PORT\\png",
    "http:///127.0.0.1:PORT/png",
    "http://user@127.0.0.1:PORT/png",
    "http://user:word@127.0.0.1:PORT/png",
    "http://127.0.0.2@127.0.0.1:PORT/png",
    "http://127.0.0.2:80@127.0.0.1:PORT/png",
    "http://127.0.0.1:PORT#@127.0.0.2/",
    "http://127.0.0.1:PORT?@127.0.0.2/",
    "http://127.0.0.1:PORT\\@127.0.0.2/",
    "http://127.0.0.2\\@127.0.0.1:PORT/",
    "http://127.0.0.2 @127.0.0.1:PORT/",
    "http://127.0.0.2%23@127.0.0.1:PORT/",
    "http://127.0.0.1%00.test:PORT/png",
    "http://127.0.0.1%0d%0aHost:x:PORT/",
    "http://127.0.0.1 .test:PORT/",
    "http://local\u{ad}host:PORT/png",
    "http://xn--localhost:PORT/",
    "http://%6c%6f%63alhost:PORT/",
    "http://aerie.test@127.0.0.1:PORT/media/x",
    "http://aerie.test/media/../../test.db",
    "http://aerie.test/media/",
    "http://aerie.test/media/%2e%2e/test.db",
    "http://aerie.test.127.0.0.1:PORT/media/x",
    "not a url",
    "http://\u{10ffff}.test/",
    "http://a..b.test/",
    "http://-.test/",
    "http://unknown.invalid/x.png",
];

/// Targets of redirects.
const REDIRECTS: &[&str] = &[
    "http://127.0.0.1:PORT/png",
    "http://localhost:PORT/png",
    "http://[::1]:PORT/png",
    "http://2130706433:PORT/png",
    "http://0x7f.1:PORT/png",
    "//127.0.0.1:PORT/png",
    "http://[::ffff:127.0.0.1]:PORT/png",
    "http://0:PORT/png",
    "http://127-0-0-1.test:PORT/png",
    "http://127-0-0-2-and-127-0-0-1.test:PORT/png",
    "file:///etc/passwd",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/",
    "http://user:word@127.0.0.2/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/",
    "http://10.0.0.1/",
    "http://[64:ff9b::7f00:1]:PORT/png",
    "http:",
    "http://",
    "data:image/png;base64,AA",
    "javascript:1",
    "\\\\127.0.0.1:PORT\\png",
    "https://127.0.0.1:PORT/png",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_hostile_url_leads_to_a_connection_and_the_api_stays_responsive() {
    let service = Service::new().await;
    let server = PictureServer::start("127.0.0.2:0").await;
    // The canary listens on every address of this machine, in both families; the "public" server has another port.
    let canary = PictureServer::start("[::]:0").await;
    let port = canary.address.port().to_string();
    tokio::net::TcpStream::connect(("127.0.0.1", canary.address.port())).await.expect("the canary hears IPv4");
    let mut heard = 0;
    while heard < 1 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        heard = canary.connections();
    }

    let mut urls: Vec<String> = HOSTS.iter().map(|host| format!("http://{host}:{port}/png")).collect();
    urls.extend(HOSTS.iter().step_by(3).map(|host| format!("https://{host}:{port}/png")));
    urls.extend(OTHERS.iter().map(|url| url.replace("PORT", &port)));
    urls.extend(REDIRECTS.iter().map(|to| server.url(&format!("/to/{}", to.replace("PORT", &port)))));
    assert!(urls.len() >= 200, "{} URLs", urls.len());

    for (at, url) in urls.iter().enumerate() {
        let body = json!({"image_url": url});
        let started = Instant::now();
        let (answer, polled) =
            tokio::join!(service.post("/v1/image-enhance/generate", &body), service.get("/v1/jobs?limit=1"));
        let (status, code, message) = answer.refusal();
        assert_eq!((status, code.as_str()), (400, "INVALID_URL"), "{url:?}: {message}");
        assert!(started.elapsed() < Duration::from_secs(5), "{url:?}");
        assert_eq!(polled.status, 200);
        assert_eq!(canary.connections(), 1, "{url:?}, the {at}th, led to a connection");
    }
    // A valid URL is accepted.
    let good = service.post("/v1/image-enhance/generate", &json!({"image_url": server.url("/png")})).await;
    assert_eq!(good.status, 202);
    assert_eq!(service.get("/v1/jobs").await.json()["pagination"]["total"], 1);
    eprintln!(
        "{} hostile URLs, {} connections to the canary beside the test's own",
        urls.len(),
        canary.connections() - 1
    );
}
