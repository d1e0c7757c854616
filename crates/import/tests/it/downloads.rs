//! Downloads by URL from a loopback server that honors ranges, ignores them, or hangs up half way.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aerie_import::{DownloadError, download};
use aerie_test_data::server::Server;

fn whole() -> Vec<u8> {
    (0..3_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

/// A server that sends a limited number of bytes per connection and supports ranges; also returns the `Range` headers received.
fn hanging_up(after: usize, etag: &'static str) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/maps/region.osm.pbf?key=secret", listener.local_addr().unwrap());
    let ranges = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&ranges);
    std::thread::spawn(move || {
        let whole = whole();
        for mut stream in listener.incoming().flatten() {
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).map(|l| l.to_lowercase()).collect();
            let header = |name: &str| head.iter().find_map(|l| l.strip_prefix(name)).map(|v| v.trim().to_owned());
            let fresh = header("if-range:").is_none_or(|tag| tag == etag.to_lowercase());
            let range = header("range:").filter(|_| fresh).unwrap_or_default();
            let from: usize = range.trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap_or(0);
            seen.lock().unwrap().push(range.clone());
            let rest = &whole[from..];
            let code = if range.is_empty() { "200 OK".to_owned() } else { "206 Partial Content".to_owned() };
            let part = format!("Content-Range: bytes {from}-{}/{}\r\n", whole.len() - 1, whole.len());
            let part = if range.is_empty() { "" } else { &part };
            let head = format!("HTTP/1.1 {code}\r\nContent-Length: {}\r\nETag: {etag}\r\n{part}\r\n", rest.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&rest[..after.min(rest.len())]));
        }
    });
    (url, ranges)
}

fn fetch(url: &str, folder: &Path) -> Result<std::path::PathBuf, DownloadError> {
    download(url, folder, &|_| {}, &|| false)
}

#[test]
fn a_file_comes_whole_though_the_connection_is_lost_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let (url, ranges) = hanging_up(900_000, "\"v1\"");
    let reported = AtomicUsize::new(0);
    let path =
        download(&url, folder.path(), &|p| reported.store(p.done as usize, Ordering::Relaxed), &|| false).unwrap();
    assert_eq!(path, folder.path().join("region.osm.pbf"));
    assert!(std::fs::read(&path).unwrap() == whole());
    assert_eq!(reported.load(Ordering::Relaxed), 3_000_000);
    let ranges = ranges.lock().unwrap();
    assert_eq!(ranges.len(), 4);
    assert!(ranges[0].is_empty() && ranges[1..].iter().all(|r| r.starts_with("bytes=")), "{ranges:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn a_later_try_goes_on_where_an_earlier_one_ended_but_not_with_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let (url, ranges) = hanging_up(usize::MAX, "\"v1\"");
    let stop = AtomicBool::new(false);
    let stopped =
        download(&url, folder.path(), &|_| stop.store(true, Ordering::Relaxed), &|| stop.load(Ordering::Relaxed));
    assert!(matches!(stopped, Err(DownloadError::Canceled)), "{stopped:?}");
    let have = std::fs::metadata(folder.path().join("region.osm.pbf.part")).unwrap().len();
    assert!((1..3_000_000).contains(&have), "{have}");
    let notes = std::fs::read_to_string(folder.path().join("region.osm.pbf.part.json")).unwrap();
    assert!(!notes.contains("secret"), "{notes}");
    assert!(std::fs::read(fetch(&url, folder.path()).unwrap()).unwrap() == whole());
    assert_eq!(ranges.lock().unwrap()[1], format!("bytes={have}-"));

    // The file on the server has changed since.
    std::fs::write(folder.path().join("region.osm.pbf.part"), b"of the older file").unwrap();
    std::fs::write(folder.path().join("region.osm.pbf.part.json"), notes).unwrap();
    let (changed, _) = hanging_up(usize::MAX, "\"v2\"");
    assert!(std::fs::read(fetch(&changed, folder.path()).unwrap()).unwrap() == whole());
}

#[test]
fn what_a_server_does_not_give_is_told_without_the_url() {
    let folder = tempfile::tempdir().unwrap();
    for (code, part) in [(404, "no such file"), (403, "another key"), (418, "HTTP 418"), (503, "HTTP 503")] {
        let server = Server::start(move |_| (code, Vec::new()));
        let error = fetch(&format!("{}/a.osm.pbf?key=secret", server.url), folder.path()).unwrap_err().to_string();
        assert!(error.contains("a.osm.pbf") && error.contains(part), "{error}");
        assert!(!error.contains("secret") && !error.contains("127.0.0.1"), "{error}");
    }
    let error = fetch("http://127.0.0.1:9/a.osm.pbf", folder.path()).unwrap_err().to_string();
    assert!(error.contains("cannot be reached"), "{error}");
    assert!(matches!(fetch("https://maps.example/", folder.path()), Err(DownloadError::NoFile(_))));
}
