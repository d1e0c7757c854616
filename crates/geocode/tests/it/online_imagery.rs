//! Online imagery, from a loopback tile server.

use std::io::{BufRead, BufReader, Cursor, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use aerie_geodata::place::GeoPoint;
use aerie_geodata::{GeodataError, Grid, Orthophoto, Sources, XyzTiles};
use image::{ImageFormat, Rgb, RgbImage};
use tempfile::TempDir;

const ORIGIN: GeoPoint = GeoPoint { lat: 47.1, lon: 9.5 };

/// A data folder with a map, copied rather than built for each test.
fn folder() -> TempDir {
    static BUILT: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        aerie_sample_town::open(folder.path()).unwrap();
        folder
    });
    let folder = tempfile::tempdir().unwrap();
    copy(&BUILT.path().join("sample"), &folder.path().join("sample"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Behavior of the server.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Serves,
    /// Has tiles up to this zoom only.
    ServesTo(u32),
    Says(u16),
    SendsNoPicture,
    NeverEnds,
    /// Fails the first requests, then serves.
    Stumbles(usize),
}

/// A server of tiles that have one color each.
struct TileServer {
    address: String,
    mood: Arc<Mutex<Mood>>,
    /// Heads of the requests so far.
    asked: Arc<Mutex<Vec<String>>>,
}

fn color(z: u32, x: u32, y: u32) -> [u8; 3] {
    [(x % 8 * 30) as u8, (y % 8 * 30) as u8, (z * 10) as u8]
}

fn tile(path: &str) -> (u32, Vec<u8>) {
    let numbers: Vec<u32> = path.split(['/', '.', '?']).filter_map(|part| part.parse().ok()).collect();
    let [z, x, y] = numbers[..3] else { panic!("{path} names no tile") };
    let mut png = Cursor::new(Vec::new());
    RgbImage::from_pixel(256, 256, Rgb(color(z, x, y))).write_to(&mut png, ImageFormat::Png).unwrap();
    (z, png.into_inner())
}

impl TileServer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (mood, asked) = (Arc::new(Mutex::new(Mood::Serves)), Arc::new(Mutex::new(Vec::new())));
        let (its_mood, heads) = (Arc::clone(&mood), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
                let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else { continue };
                let (zoom, png) = tile(path);
                let count = {
                    let mut heads = heads.lock().unwrap();
                    heads.push(head.join("\n"));
                    heads.len()
                };
                let mood = *its_mood.lock().unwrap();
                let (code, body) = match mood {
                    Mood::ServesTo(finest) if zoom > finest => (404, Vec::new()),
                    Mood::Stumbles(times) if count <= times => (503, Vec::new()),
                    Mood::Says(code) => (code, Vec::new()),
                    Mood::SendsNoPicture => (200, b"<html>no tile today</html>".to_vec()),
                    Mood::NeverEnds => (200, vec![0; 5 << 20]),
                    _ => (200, png),
                };
                let head = format!("HTTP/1.1 {code} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            }
        });
        Self { address, mood, asked }
    }

    fn becomes(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    fn source(&self) -> XyzTiles {
        XyzTiles {
            url: format!("{}/tiles/{{z}}/{{x}}/{{y}}.png?key=secret", self.address),
            attribution: "© Town of Tiles".into(),
            min_zoom: 10,
            max_zoom: 18,
            tile_size: 256,
            bounds: None,
            requests_per_second: 100.0,
            keep_days: 90,
            cache_mib: 64,
        }
    }
}

/// 60 m of ground around the origin, north up, 0.6 m per pixel: zoom 18 fits.
fn look(data: &Path, source: &XyzTiles) -> Result<Option<Orthophoto>, GeodataError> {
    let grid = Grid { origin: ORIGIN, to_local: [0.6, 0.0, -30.0, 0.0, -0.6, 30.0], width: 100, height: 100 };
    let sources = Sources { imagery: [("town".to_owned(), source.clone())].into(), ..Sources::default() };
    sources.check().unwrap();
    aerie_sample_town::open(data).unwrap().imagery(&grid, &sources)
}

/// Color of the tile that the textbook's formula finds at the origin.
fn expected(z: u32) -> [u8; 3] {
    let lat = ORIGIN.lat.to_radians();
    let n = f64::from(1_u32 << z);
    let y = (1.0 - (lat.tan() + 1.0 / lat.cos()).ln() / std::f64::consts::PI) / 2.0;
    color(z, ((ORIGIN.lon + 180.0) / 360.0 * n) as u32, (y * n) as u32)
}

fn middle(photo: &Orthophoto) -> [u8; 3] {
    let at = (50 * photo.width + 50) * 4;
    [photo.rgba[at], photo.rgba[at + 1], photo.rgba[at + 2]]
}

#[test]
fn tiles_are_fetched_once_politely_and_with_their_credit() {
    let (data, server) = (folder(), TileServer::start());
    let photo = look(data.path(), &server.source()).unwrap().expect("the place is covered");
    assert_eq!((middle(&photo), photo.known()), (expected(18), 1.0));
    assert_eq!(photo.attributions, ["© Town of Tiles"]);
    let asked = server.asked();
    assert!((1..=4).contains(&asked), "{asked} tiles for 60 m");
    assert!(server.asked.lock().unwrap().iter().all(|head| head.to_lowercase().contains("user-agent: aerie/")));
    // From disk the second time, even with the server gone.
    server.becomes(Mood::Says(500));
    assert_eq!(look(data.path(), &server.source()).unwrap().as_ref(), Some(&photo));
    assert_eq!(server.asked(), asked);
    let kept = rusqlite::Connection::open(data.path().join("cache/imagery/town.mbtiles")).unwrap();
    let count: i64 = kept.query_row("SELECT count(*) FROM tiles", [], |r| r.get(0)).unwrap();
    assert_eq!(count as usize, asked);
    // The key in the template is not stored on disk.
    let bytes = std::fs::read(data.path().join("cache/imagery/town.mbtiles")).unwrap();
    assert!(!bytes.windows(6).any(|w| w == b"secret"));
}

#[test]
fn another_template_under_the_same_name_is_another_source_and_rows_may_be_counted_from_the_south() {
    let (data, server) = (folder(), TileServer::start());
    look(data.path(), &server.source()).unwrap();
    let url = format!("{}/tms/{{z}}/{{x}}/{{-y}}.png", server.address);
    let photo = look(data.path(), &XyzTiles { url, ..server.source() }).unwrap().expect("the place is covered");
    let [red, _, blue] = expected(18);
    let lat = ORIGIN.lat.to_radians();
    let north = ((1.0 - (lat.tan() + 1.0 / lat.cos()).ln() / std::f64::consts::PI) / 2.0 * f64::from(1 << 18)) as u32;
    let south = (1 << 18) - 1 - north;
    assert_eq!(middle(&photo), [red, (south % 8 * 30) as u8, blue]);
}

#[test]
fn where_a_source_has_no_fine_tiles_coarser_ones_show_the_place_and_no_tile_is_asked_for_twice() {
    let (data, server) = (folder(), TileServer::start());
    server.becomes(Mood::ServesTo(17));
    let photo = look(data.path(), &server.source()).unwrap().expect("coarser tiles");
    assert_eq!(middle(&photo), expected(17));
    assert!(photo.resolution > 0.7, "{} is reported as the resolution of the coarser one", photo.resolution);
    let asked = server.asked();
    assert!(look(data.path(), &server.source()).unwrap().is_some());
    assert_eq!(server.asked(), asked, "that there is no tile is kept as well");
    // No tiles here: no picture, and no error.
    server.becomes(Mood::Says(404));
    let empty = folder();
    assert_eq!(look(empty.path(), &server.source()).unwrap(), None);
    let elsewhere = XyzTiles { bounds: Some([0.0, 0.0, 1.0, 1.0]), ..server.source() };
    let asked = server.asked();
    assert_eq!(look(empty.path(), &elsewhere).unwrap(), None);
    assert_eq!(server.asked(), asked, "outside its bounds it is not asked");
}

#[test]
fn a_source_that_stumbles_is_asked_again_and_one_that_fails_is_named_without_its_url() {
    let (data, server) = (folder(), TileServer::start());
    server.becomes(Mood::Stumbles(2));
    assert!(look(data.path(), &server.source()).unwrap().is_some());
    for (mood, part) in [
        (Mood::Says(503), "HTTP 503"),
        (Mood::Says(403), "look at the key"),
        (Mood::Says(418), "HTTP 418"),
        (Mood::SendsNoPicture, "no picture"),
        (Mood::NeverEnds, "larger than 4 MiB"),
    ] {
        server.becomes(mood);
        let empty = folder();
        let error = look(empty.path(), &server.source()).unwrap_err().to_string();
        assert!(error.contains("`town`") && error.contains(part), "{error}");
        assert!(!error.contains("secret") && !error.contains("127.0.0.1"), "{error}");
    }
    let gone = XyzTiles { url: "http://127.0.0.1:9/{z}/{x}/{y}".into(), ..server.source() };
    let error = look(folder().path(), &gone).unwrap_err().to_string();
    assert!(error.contains("cannot be reached"), "{error}");
    server.becomes(Mood::Serves);
    let error = look(folder().path(), &XyzTiles { tile_size: 512, ..server.source() });
    assert!(error.unwrap_err().to_string().contains("have 256 pixels a side; set tile_size so"));
}

#[test]
fn old_tiles_are_asked_for_again_and_kept_where_the_source_does_not_answer() {
    let (data, server) = (folder(), TileServer::start());
    look(data.path(), &server.source()).unwrap();
    let asked = server.asked();
    let kept = rusqlite::Connection::open(data.path().join("cache/imagery/town.mbtiles")).unwrap();
    kept.execute("UPDATE tiles SET fetched_at = fetched_at - 91 * 24 * 3600", []).unwrap();
    server.becomes(Mood::Says(403));
    assert!(look(data.path(), &server.source()).unwrap().is_some(), "the old ones do");
    assert_eq!(server.asked(), 2 * asked);
    server.becomes(Mood::Serves);
    look(data.path(), &server.source()).unwrap();
    look(data.path(), &server.source()).unwrap();
    assert_eq!(server.asked(), 3 * asked);
}

#[test]
fn requests_keep_their_pace_and_the_disk_its_room() {
    let (data, server) = (folder(), TileServer::start());
    let started = Instant::now();
    let slow = XyzTiles { requests_per_second: 4.0, ..server.source() };
    look(data.path(), &slow).unwrap();
    let least = Duration::from_millis(250) * (server.asked() as u32 - 1);
    assert!(started.elapsed() >= least, "{:?} for {} tiles", started.elapsed(), server.asked());

    let kept = rusqlite::Connection::open(data.path().join("cache/imagery/town.mbtiles")).unwrap();
    let filler = vec![7_u8; 64 << 10];
    for i in 0..40 {
        kept.execute("INSERT INTO tiles VALUES (1, ?1, 0, ?2, ?1)", (i, &filler)).unwrap();
    }
    let small = XyzTiles { cache_mib: 1, url: format!("{}/b/{{z}}/{{x}}/{{y}}", server.address), ..server.source() };
    // A changed template empties the cache, so fill it again after the new template is stored.
    look(data.path(), &small).unwrap();
    for i in 0..40 {
        kept.execute("INSERT INTO tiles VALUES (1, ?1, 0, ?2, ?1)", (i, &filler)).unwrap();
    }
    kept.execute("DELETE FROM tiles WHERE zoom_level > 1", []).unwrap();
    look(data.path(), &small).unwrap();
    let count = |zoom: &str| {
        let sql = format!("SELECT count(*) FROM tiles WHERE zoom_level {zoom}");
        kept.query_row(&sql, [], |r| r.get::<_, i64>(0)).unwrap()
    };
    assert!(count("= 1") < 40, "the oldest go first");
    assert!(count("> 1") > 0, "the newest stay");
}
