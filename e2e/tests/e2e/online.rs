//! Online sources through the real binary, against a local server that imitates Nominatim, Overpass and a tile server.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use aerie_e2e::{run, run_json};
use serde_json::json;

const ADDRESS: &str = "Lindenweg 7, 12345 Oberau";

/// A street with two houses.
fn map() -> String {
    let (mut nodes, mut ways) = (String::new(), String::new());
    for (house, number) in ["7", "9"].into_iter().enumerate() {
        let west = 9.5 + 0.0005 * house as f64;
        let mut refs = String::new();
        for (corner, [x, y]) in [[0.0, 0.0], [0.00016, 0.0], [0.00016, 0.00009], [0.0, 0.00009]].into_iter().enumerate()
        {
            let id = 10 * (house + 1) + corner;
            writeln!(nodes, r#"<node id="{id}" lon="{:.7}" lat="{:.7}"/>"#, west + x, 47.1 + y).expect("text");
            write!(refs, r#"<nd ref="{id}"/>"#).expect("text");
        }
        let first = 10 * (house + 1);
        write!(
            ways,
            r#"<way id="{}">{refs}<nd ref="{first}"/><tag k="building" v="house"/><tag k="addr:housenumber" v="{number}"/>
               <tag k="addr:street" v="Lindenweg"/><tag k="addr:postcode" v="12345"/><tag k="addr:city" v="Oberau"/></way>"#,
            500 + house
        )
        .expect("text");
    }
    format!(
        r#"<osm version="0.6"><node id="1" lon="9.498" lat="47.0998"/><node id="2" lon="9.503" lat="47.0998"/>{nodes}{ways}
           <way id="900"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Lindenweg"/></way></osm>"#
    )
}

/// Geocoder response for `Lindenweg 7`; number 5 is only interpolated.
fn lookup(head: &str) -> String {
    let is_interpolated = head.contains("lindenweg%205");
    let (number, category) = if is_interpolated { ("5", "place") } else { ("7", "building") };
    json!([{
        "osm_type": "way", "osm_id": if is_interpolated { 77 } else { 500 }, "lat": "47.10004", "lon": "9.50008",
        "category": category, "type": "house", "display_name": "Lindenweg, Oberau",
        "address": {"house_number": number, "road": "Lindenweg", "village": "Oberau", "postcode": "12345"}
    }])
    .to_string()
}

fn drawn(filter: &str) -> Vec<u8> {
    let arguments =
        ["-v", "error", "-f", "lavfi", "-i", filter, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"];
    let made = Command::new("ffmpeg").args(arguments).output().expect("ffmpeg starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    made.stdout
}

/// Serves all sources, by path; only imagery is down.
fn serve() -> (String, Arc<Mutex<BTreeSet<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    // 612 m, in the Terrarium encoding.
    let hill = drawn("color=c=0x826400:s=256x256");
    let agents = Arc::new(Mutex::new(BTreeSet::new()));
    let seen = Arc::clone(&agents);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            let head: Vec<String> =
                reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let header = |name: &str| {
                head.iter().find(|line| line.to_lowercase().starts_with(name)).and_then(|line| line.split_once(": "))
            };
            let length = header("content-length:").and_then(|(_, n)| n.parse().ok()).unwrap_or(0);
            let mut body = vec![0; length];
            if reader.read_exact(&mut body).is_err() || head.is_empty() {
                continue;
            }
            seen.lock().expect("agents").extend(header("user-agent:").map(|(_, agent)| agent.to_owned()));
            let (code, body) = match head[0].split(['/', '?', ' ']).nth(2) {
                Some("search") => (200, lookup(&head[0]).into_bytes()),
                Some("interpreter" | "oberau.osm") => (200, map().into_bytes()),
                Some("hills") => (200, hill.clone()),
                _ => (503, Vec::new()),
            };
            let head = format!("HTTP/1.1 {code} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    (url, agents)
}

fn config(folder: &Path, url: &str) -> String {
    let path = folder.join("aerie.toml");
    let text = format!(
        "[sources]\ncontact = 'maps@acme.example'\n\
         [sources.geocoder.lookup]\nurl = '{url}/search'\nrequests_per_second = 50.0\n\
         [sources.features.around]\nurl = '{url}/interpreter'\nrequests_per_second = 50.0\n\
         [sources.terrain.hills]\nurl = '{url}/hills/{{z}}/{{x}}/{{y}}.png'\nattribution = '© Survey of Hills'\n\
         requests_per_second = 100.0\nmax_zoom = 12\n\
         [sources.imagery.town]\nurl = '{url}/imagery/{{z}}/{{x}}/{{y}}?key=secret'\nattribution = '© Town of Tiles'\n"
    );
    fs::write(&path, text).expect("the configuration is written");
    path.display().to_string()
}

#[test]
fn an_address_that_is_not_imported_is_found_and_rendered_without_sources_that_are_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (url, agents) = serve();
    let config = config(folder.path(), &url);
    // Off by default.
    assert!(!run(&["geocode", ADDRESS], &data).status.success());
    let found = run_json(&["geocode", "--config", &config, ADDRESS], &data);
    assert_eq!((&found["source"], &found["precision"]), (&json!("around way/500"), &json!("building")), "{found}");
    assert_eq!(found["terrain_known"], true);

    let film = folder.path().join("film.mp4");
    let film_path = film.display().to_string();
    let made = run(
        &[
            "generate",
            "drone-footage",
            "--config",
            &config,
            "--address",
            ADDRESS,
            "--direction",
            "topdown_zoomin",
            "--duration",
            "6",
            "--resolution",
            "720p",
            "--aspect-ratio",
            "1:1",
            "-o",
            &film_path,
        ],
        &data,
    );
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let film = fs::read(&film).expect("the film");
    for text in [
        "© OpenStreetMap contributors",
        "© Survey of Hills",
        "Ground: from elevation data.",
        "The imagery source \"town\" was not available: it answers with HTTP 503.",
        "footprint mapped (way/500)",
    ] {
        assert!(film.windows(text.len()).any(|w| w == text.as_bytes()), "the video's metadata lacks: {text}");
    }
    assert!(!film.windows(6).any(|w| w == b"secret"));
    let agents = agents.lock().expect("agents").clone();
    assert!(agents.iter().all(|a| a.starts_with("Aerie/") && a.ends_with("(maps@acme.example)")), "{agents:?}");

    // An interpolated house number is found, but not rendered.
    let interpolated = run_json(&["geocode", "--config", &config, "Lindenweg 5, Oberau"], &data);
    assert_eq!(interpolated["precision"], "interpolated");
    let refused = run(
        &["generate", "drone-footage", "--config", &config, "--address", "Lindenweg 5, Oberau", "-o", &film_path],
        &data,
    );
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && stderr.contains("only interpolated between neighboring house numbers"),
        "{stderr}"
    );

    // Import a map by URL.
    let imported = run_json(&["import", &format!("{url}/oberau.osm")], &data);
    assert_eq!(imported["files"][0]["buildings"], 2, "{imported}");
    assert_eq!(run_json(&["geocode", ADDRESS], &data)["source"], "OpenStreetMap way/500");
    assert_eq!(
        fs::read_dir(data.join("cache/downloads")).expect("its folder").count(),
        0,
        "the download is removed after its import"
    );
}
