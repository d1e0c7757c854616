//! Addresses, surroundings and elevation from online services, by loopback servers with the APIs of Nominatim, Overpass
//! and Terrarium tiles.

use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use aerie_geocode::{GeocodeError, Located};
use aerie_geodata::{Precision, Service, Sources, XyzTiles};
use aerie_test_data::server::Server;
use serde_json::{Value, json};

use crate::fixtures;

const HERE: [f64; 2] = [9.5, 47.1];
const ADDRESS: &str = "Lindenweg 7, 12345 Oberau";

/// A result in the form of Nominatim's `jsonv2` with `addressdetails`.
fn result(number: &str, at: [f64; 2]) -> Value {
    json!({
        "place_id": 101_234_567, "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
        "osm_type": "way", "osm_id": 500, "lat": format!("{:.7}", at[1]), "lon": format!("{:.7}", at[0]),
        "category": "building", "type": "house", "place_rank": 30, "importance": 0.000_05, "addresstype": "building",
        "name": "", "display_name": format!("{number}, Lindenweg, Oberau, Bezirk Au, 12345, Germany"),
        "address": {
            "house_number": number, "road": "Lindenweg", "village": "Oberau", "county": "Bezirk Au",
            "ISO3166-2-lvl4": "DE-BY", "postcode": "12345", "country": "Germany", "country_code": "de"
        },
        "boundingbox": ["47.09995", "47.10005", "9.49992", "9.50008"]
    })
}

fn service(url: String) -> Service {
    serde_json::from_value::<Sources>(json!({"contact": "maps@acme.example", "geocoder": {"a": {"url": url}}}))
        .unwrap()
        .geocoder["a"]
        .clone()
}

/// A geocoder with the same answer to every query.
fn geocoder(results: &[Value]) -> Server {
    let body = Value::from(results.to_vec()).to_string();
    Server::start(move |_| (200, body.clone().into_bytes()))
}

fn features() -> Server {
    let body = aerie_test_data::map::osm(HERE, &["7", "9"]);
    Server::start(move |_| (200, body.clone().into_bytes()))
}

fn sources(geocoder: &Server, features: Option<&Server>) -> Sources {
    let fast = |url: String| Service { requests_per_second: 100.0, ..service(url) };
    let sources = Sources {
        contact: Some("maps@acme.example".into()),
        geocoder: [("lookup".to_owned(), fast(format!("{}/search?key=secret", geocoder.url)))].into(),
        features: features
            .map(|s| ("around".to_owned(), fast(format!("{}/api/interpreter", s.url))))
            .into_iter()
            .collect(),
        ..Sources::default()
    };
    sources.check().unwrap();
    sources
}

/// A data folder with a map of another place.
fn abroad() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    imported(data.path(), [30.0, 60.0], &["301", "303"]);
    data
}

fn imported(data: &Path, at: [f64; 2], numbers: &[&str]) {
    let file = aerie_test_data::map::osm_file(data, at, numbers);
    fixtures::import(data, &[file]).unwrap();
}

fn locate(data: &Path, online: &Sources, address: &str) -> Result<Located, GeocodeError> {
    let pack = aerie_sample_town::open(data).unwrap();
    aerie_geocode::locate(pack, online, aerie_import::overpass::surroundings, address)
}

fn error(data: &Path, online: &Sources, address: &str) -> String {
    locate(data, online, address).map(|l| l.found).expect_err(address).to_string()
}

#[test]
fn an_address_that_no_imported_map_has_is_found_online_with_its_surroundings_and_asked_for_once() {
    let data = tempfile::tempdir().unwrap();
    let (lookup, around) = (geocoder(&[result("7", HERE)]), features());
    let online = sources(&lookup, Some(&around));
    let Located { found, pack } = locate(data.path(), &online, ADDRESS).unwrap();
    assert_eq!((found.precision, found.building_id.as_deref()), (Precision::Building, Some("way/500")));
    assert_eq!((found.matched.as_str(), found.source.as_str()), (ADDRESS, "around way/500"));
    assert!(!found.terrain_known);
    let place = pack.place(&found, 300.0).unwrap();
    assert_eq!(place.buildings.len(), 2);
    assert!(place.property.building.is_some() && place.property.front_known, "its own house, and its street");
    assert_eq!(place.attributions, ["© OpenStreetMap contributors"]);

    let asked = [lookup.asked(), around.asked()].concat();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|a| a.head.to_lowercase().contains("(maps@acme.example)")), "{asked:?}");
    assert!(asked[0].head.starts_with(
        "GET /search?key=secret&q=lindenweg%207%2C%2012345%20oberau&format=jsonv2&addressdetails=1&limit="
    ));
    assert!(asked[1].head.starts_with("POST /api/interpreter") && asked[1].body.starts_with("data=%5Bout%3Axml%5D"));
    // From disk the second time, even with the services gone.
    lookup.becomes(|_| (500, Vec::new()));
    around.becomes(|_| (500, Vec::new()));
    let again = locate(data.path(), &online, "LINDENWEG 7,  12345 Oberau").unwrap();
    assert_eq!(again.found, found);
    assert_eq!(lookup.asked().len() + around.asked().len(), 2);
    // The key is not stored on disk.
    let bytes = std::fs::read(data.path().join("cache/geocoder/lookup.sqlite")).unwrap();
    assert!(!bytes.windows(6).any(|w| w == b"secret"));
}

#[test]
fn a_geocoder_is_not_asked_for_what_is_imported_and_its_houses_stand_on_the_imported_map() {
    let data = tempfile::tempdir().unwrap();
    imported(data.path(), HERE, &["7", "9"]);
    let lookup = geocoder(&[result("11", [HERE[0] + 0.000_01, HERE[1]])]);
    let online = sources(&lookup, None);
    assert_eq!(locate(data.path(), &online, ADDRESS).unwrap().found.source, "OpenStreetMap way/500");
    assert!(lookup.asked().is_empty());
    // A number that the extract lacks; the point is in one of its buildings.
    let found = locate(data.path(), &online, "Lindenweg 11, Oberau").unwrap().found;
    assert_eq!((found.source.as_str(), found.building_id.as_deref()), ("lookup way/500", Some("way/500")));
    assert_eq!(found.precision, Precision::Building);
}

#[test]
fn a_geocoder_never_gives_another_house_nor_anything_coarser() {
    let (around, asked) = (features(), ["7", "9", "11"]);
    let mut street = result("7", HERE);
    street["address"].as_object_mut().unwrap().remove("house_number");
    let mut elsewhere = result("7", HERE);
    elsewhere["address"]["road"] = json!("Eichenweg");
    let mut town = result("7", HERE);
    (town["address"]["village"], town["address"]["postcode"]) = (json!("Unterau"), json!("54321"));
    let mut alike = result("7", HERE);
    alike["address"]["road"] = json!("Lindenwege");
    for (wrong, why) in [
        (alike, "a street that is written alike"),
        (result("9", HERE), "a neighbor"),
        (result("7a", HERE), "a neighbor with a letter"),
        (result("70", HERE), "another number"),
        (street, "the street alone"),
        (elsewhere, "another street"),
        (town, "another town"),
    ] {
        let data = abroad();
        let online = sources(&geocoder(&[wrong]), Some(&around));
        assert!(locate(data.path(), &online, ADDRESS).is_err(), "{why} was taken");
    }
    assert!(around.asked().is_empty(), "nothing is fetched for what is not found");
    // Several answers: the one that fits; two distant matches are reported as an error.
    let data = abroad();
    let all: Vec<Value> =
        asked.iter().enumerate().map(|(i, n)| result(n, [HERE[0] + 0.0004 * i as f64, HERE[1]])).collect();
    let online = sources(&geocoder(&all), Some(&around));
    assert_eq!(locate(data.path(), &online, ADDRESS).unwrap().found.building_id.as_deref(), Some("way/500"));
    let data = abroad();
    let online = sources(&geocoder(&[result("7", HERE), result("7", [9.6, 47.2])]), Some(&around));
    let error = locate(data.path(), &online, ADDRESS).map(|l| l.found).unwrap_err();
    assert!(matches!(&error, GeocodeError::Ambiguous { candidates } if candidates.len() == 2), "{error}");
}

#[test]
fn what_a_geocoder_only_reckons_is_marked_as_such() {
    let mut interpolated = result("5", [HERE[0] - 0.0004, HERE[1]]);
    (interpolated["category"], interpolated["type"], interpolated["osm_id"]) =
        (json!("place"), json!("house"), json!(77));
    let data = abroad();
    let online = sources(&geocoder(&[interpolated]), Some(&features()));
    let found = locate(data.path(), &online, "Lindenweg 5, Oberau").unwrap().found;
    assert_eq!((found.precision, found.building_id), (Precision::Interpolated, None));
    assert_eq!(
        (found.matched.as_str(), found.source.as_str()),
        ("Lindenweg 5, 12345 Oberau (interpolated)", "lookup way/77")
    );
    assert_eq!(serde_json::to_value(found.precision).unwrap(), "interpolated");
}

#[test]
fn a_house_without_a_map_around_it_is_an_error_that_says_what_to_do() {
    let data = abroad();
    let lookup = geocoder(&[result("7", HERE)]);
    let message = error(data.path(), &sources(&lookup, None), ADDRESS);
    assert!(message.contains("no imported map covers") && message.contains("47.10000, 9.50000"), "{message}");
}

#[test]
fn services_that_fail_or_lie_are_named_without_their_urls() {
    type Says = fn() -> (u16, Vec<u8>);
    let hostile: [(Says, &str); 6] = [
        (|| (200, b"<html>Access blocked</html>".to_vec()), "no list of places"),
        (|| (200, vec![b'['; 200_000]), "no list of places"),
        (|| (200, vec![b' '; 2 << 20]), "larger than 1 MiB"),
        (|| (403, Vec::new()), "look at the key"),
        (|| (503, Vec::new()), "HTTP 503"),
        (|| (404, Vec::new()), "leads nowhere"),
    ];
    for (says, part) in hostile {
        let data = abroad();
        let lookup = Server::start(move |_| says());
        let message = error(data.path(), &sources(&lookup, None), ADDRESS);
        assert!(message.contains("`lookup`") && message.contains(part), "{message}");
        assert!(!message.contains("secret") && !message.contains("127.0.0.1"), "{message}");
    }
    // Malformed results are skipped, and nothing of them appears in the error.
    let mut odd = result("7", HERE);
    (odd["lat"], odd["osm_id"]) = (json!("NaN"), json!("x"));
    let mut control = result("7", HERE);
    control["address"]["road"] = json!("Lindenweg\u{7}\n");
    let long = result(&"7".repeat(4000), HERE);
    let data = abroad();
    let lookup = geocoder(&[odd, control, long, json!(7), json!({"lat": 1}), result("7", [9.5, 470.0])]);
    assert!(locate(data.path(), &sources(&lookup, None), ADDRESS).is_err());

    let lookup = geocoder(&[result("7", HERE)]);
    for (says, part) in [
        ((|| (200, b"<html>Busy</html>".to_vec())) as Says, "does not send OpenStreetMap data"),
        (
            || (200, b"<osm version=\"0.6\"><remark> runtime error: Query timed out </remark></osm>".to_vec()),
            "out of time",
        ),
        (|| (429, Vec::new()), "HTTP 429"),
        (|| (400, Vec::new()), "HTTP 400"),
    ] {
        let data = abroad();
        let around = Server::start(move |_| says());
        let message = error(data.path(), &sources(&lookup, Some(&around)), ADDRESS);
        assert!(message.contains("`around`") && message.contains(part), "{message}");
    }
}

#[test]
fn a_service_is_asked_at_its_pace_whoever_asks() {
    let data = abroad();
    let lookup = geocoder(&[]);
    let mut online = sources(&lookup, None);
    online.geocoder.get_mut("lookup").unwrap().requests_per_second = 4.0;
    std::thread::scope(|scope| {
        for number in 0..4 {
            let (online, data) = (&online, data.path());
            scope.spawn(move || locate(data, online, &format!("Nowhere Lane {number}, Atlantis")).map(|l| l.found));
        }
    });
    let asked = lookup.asked();
    assert_eq!(asked.len(), 4);
    let took = asked[3].at - asked[0].at;
    assert!(took >= Duration::from_millis(700), "{took:?} for four questions, a quarter of a second apart");
}

fn hills() -> Server {
    Server::start(|_| {
        // 612.5 m everywhere.
        let mut png = Cursor::new(Vec::new());
        let picture = image::RgbImage::from_pixel(256, 256, image::Rgb([130, 100, 128]));
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        (200, png.into_inner())
    })
}

#[test]
fn elevation_comes_online_where_none_is_imported_and_is_done_without_where_it_does_not() {
    let data = abroad();
    let (lookup, around, hills) = (geocoder(&[result("7", HERE)]), features(), hills());
    let mut online = sources(&lookup, Some(&around));
    let tiles: XyzTiles = serde_json::from_value(json!({
        "url": format!("{}/{{z}}/{{x}}/{{y}}.png?key=secret", hills.url), "attribution": "© Survey of Hills",
        "max_zoom": 15, "requests_per_second": 100.0
    }))
    .unwrap();
    online.terrain.insert("hills".into(), tiles);
    online.check().unwrap();
    let located = locate(data.path(), &online, ADDRESS).unwrap();
    assert!(located.found.terrain_known);
    let place = located.place(300.0, &online).unwrap();
    assert!(place.terrain.known && (place.terrain.datum - 612.5).abs() < 0.01, "{}", place.terrain.datum);
    assert_eq!(place.attributions, ["© OpenStreetMap contributors", "© Survey of Hills"]);
    assert!(place.missed.is_empty());
    let asked = hills.asked().len();
    assert!((4..40).contains(&asked), "{asked} tiles for six kilometers");
    assert_eq!(located.place(300.0, &online).unwrap().terrain.heights, place.terrain.heights);
    assert_eq!(hills.asked().len(), asked, "tiles are kept");

    let empty = abroad();
    hills.becomes(|_| (503, Vec::new()));
    let located = locate(empty.path(), &online, ADDRESS).unwrap();
    let place = located.place(300.0, &online).unwrap();
    assert!(!place.terrain.known && !located.found.terrain_known);
    assert_eq!(place.missed, ["The elevation source \"hills\" was not available: it answers with HTTP 503."]);
    assert_eq!(place.attributions, ["© OpenStreetMap contributors"]);
}
