//! Places assembled from real extracts and from the sample town: shapes are valid, the property is right, nothing is
//! random.

use std::sync::OnceLock;

use aerie_geocode::geocode;
use aerie_geodata::place::{Place, Point, Polygon, Provenance, RoofShape};
use aerie_sample_town::SAMPLE_ADDRESSES;

use crate::fixtures;

/// An extract, and addresses in it.
const CASES: [(usize, &[&str]); 4] = [
    (0, &["Dorfstrasse 24, 9495 Triesen", "Landstrasse 117, 9490 Vaduz", "Bühelstrasse 19b, Triesenberg"]),
    (1, &["Theta 18, 95463 Bindlach", "Hauptstraße 2, 95500 Heinersreuth"]),
    (2, &["Simonkatu 8, 00100", "Uudenmaankatu 9-11, 00120"]),
    (3, &["Spreeweg 1, 10557", "Großer Stern 1, 10557"]),
];

/// Places of the sample town, made once for all tests.
fn sample_places() -> &'static [(String, Place)] {
    static PLACES: OnceLock<Vec<(String, Place)>> = OnceLock::new();
    PLACES.get_or_init(make_sample_places)
}

/// Real places, made once for all tests.
fn real_places() -> &'static [(String, Place)] {
    static PLACES: OnceLock<Vec<(String, Place)>> = OnceLock::new();
    PLACES.get_or_init(make_real_places)
}

fn make_real_places() -> Vec<(String, Place)> {
    let mut out = Vec::new();
    for (extract, addresses) in CASES {
        let pack = aerie_sample_town::open(fixtures::imported(aerie_test_data::EXTRACTS[extract])).unwrap();
        for address in addresses {
            let m = geocode(&pack, address).unwrap_or_else(|e| panic!("{address}: {e}"));
            out.push(((*address).to_owned(), pack.place(&m, 1200.0).unwrap()));
        }
    }
    out
}

fn make_sample_places() -> Vec<(String, Place)> {
    let pack = aerie_sample_town::open(fixtures::sample_town()).unwrap();
    let place = |address: &&str| pack.place(&geocode(&pack, address).unwrap(), 1200.0).unwrap();
    SAMPLE_ADDRESSES[..2].iter().map(|address| ((*address).to_owned(), place(address))).collect()
}

fn area(ring: &[Point]) -> f64 {
    let n = ring.len();
    (0..n).map(|i| ring[i][0] * ring[(i + 1) % n][1] - ring[(i + 1) % n][0] * ring[i][1]).sum::<f64>() / 2.0
}

fn inside(ring: &[Point], [x, y]: Point) -> bool {
    let n = ring.len();
    (0..n).fold(false, |inside, i| {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        inside ^ ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
    })
}

/// Whether two edges of a ring properly cross.
fn crosses(ring: &[Point]) -> bool {
    let n = ring.len();
    let side = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    (0..n).any(|i| {
        (i + 1..n).any(|j| {
            let (a, b, c, d) = (ring[i], ring[(i + 1) % n], ring[j], ring[(j + 1) % n]);
            side(a, b, c) * side(a, b, d) < -1e-3 && side(c, d, a) * side(c, d, b) < -1e-3
        })
    })
}

fn sound(what: &str, polygon: &Polygon) {
    for (at, ring) in std::iter::once(&polygon.outer).chain(&polygon.holes).enumerate() {
        assert!(ring.len() >= 3, "{what}: a ring of {} points", ring.len());
        assert!(ring.iter().flatten().all(|v| v.is_finite()), "{what}");
        assert_eq!(area(ring) > 0.0, at == 0, "{what}: outer rings run counter-clockwise, holes clockwise");
        assert!((0..ring.len()).all(|i| ring[i] != ring[(i + 1) % ring.len()]), "{what}: a repeated neighbor");
        assert!(ring.len() > 600 || !crosses(ring), "{what}: crosses itself");
    }
}

#[test]
fn every_shape_of_a_place_is_sound() {
    assert_shapes_are_sound(sample_places());
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn every_shape_of_a_real_place_is_sound() {
    assert_shapes_are_sound(real_places());
}

fn assert_shapes_are_sound(places: &[(String, Place)]) {
    for (address, place) in places {
        let far = place.radius * 2.5 + 1.0;
        for b in &place.buildings {
            sound(&format!("{address}: {}", b.id), &b.footprint);
            assert!(
                b.base >= 0.0 && b.eaves > b.base && b.ridge >= b.eaves && b.ridge < 400.0 && b.stories >= 1,
                "{b:?}"
            );
            assert!(b.roof != RoofShape::Flat || b.ridge - b.eaves < 60.0);
        }
        for a in &place.areas {
            sound(&format!("{address}: {}", a.id), &a.polygon);
            assert!(a.polygon.outer.iter().flatten().all(|v| v.abs() <= far), "{address}: {} is clipped", a.id);
        }
        for line in place
            .ways
            .iter()
            .map(|w| &w.line)
            .chain(place.waterways.iter().map(|w| &w.line))
            .chain(place.barriers.iter().map(|b| &b.line))
        {
            assert!(line.len() >= 2 && line.iter().flatten().all(|v| v.abs() <= far));
        }
        assert!(place.ways.iter().all(|w| w.width > 0.3 && w.lanes >= 1));
        assert!(place.trees.len() <= 14_000 && place.trees.iter().all(|t| t.height > 0.3 && t.crown > 0.2));
        let t = &place.terrain;
        assert!(t.heights.len() == t.columns * t.rows && t.heights.iter().all(|h| h.is_finite() && h.abs() < 3_000.0));
        assert!(t.height([0.0, 0.0]).abs() < 0.5, "local zero is the ground at the origin");
        assert!(!place.attributions.is_empty());
    }
}

#[test]
fn the_property_is_the_building_of_the_address_and_looks_at_its_street() {
    assert_property_is_the_addressed_building(sample_places());
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn a_real_property_is_the_building_of_the_address_and_looks_at_its_street() {
    assert_property_is_the_addressed_building(real_places());
}

fn assert_property_is_the_addressed_building(places: &[(String, Place)]) {
    for (address, place) in places {
        let property = &place.property;
        sound(address, &property.footprint);
        if let Some(building) = property.building {
            assert_eq!(place.buildings[building].footprint, property.footprint, "{address}");
        } else {
            assert!((area(&property.footprint.outer) - 324.0).abs() < 1.0, "{address}: a plausible plot");
        }
        // One address is a point at a gate; all others are inside their building.
        if !address.starts_with("Spreeweg") {
            assert!(property.building.is_some(), "{address}");
        }
        let street = &place.ways[property.street.unwrap_or_else(|| panic!("{address} has a street"))];
        // The main road through Heinersreuth has no name on the map; all other streets do.
        assert_eq!(property.front_known, !address.starts_with("Hauptstraße"), "{address}: {:?}", street.name);
        let middle = property.footprint.outer.iter().fold([0.0, 0.0], |s, p| [s[0] + p[0], s[1] + p[1]]);
        let n = property.footprint.outer.len() as f64;
        let middle = [middle[0] / n, middle[1] / n];
        let nearest = street.line.iter().min_by(|a, b| {
            (a[0] - middle[0]).hypot(a[1] - middle[1]).total_cmp(&(b[0] - middle[0]).hypot(b[1] - middle[1]))
        });
        let nearest = nearest.unwrap();
        let view = (nearest[0] - middle[0]).atan2(nearest[1] - middle[1]);
        let off = (view - property.front_bearing + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        assert!(off.abs() < 1.75, "{address}: the front looks {:.0} degrees away from the street", off.to_degrees());
    }
}

#[test]
fn nothing_is_planted_on_the_property_on_roads_or_in_houses() {
    assert_nothing_is_planted_where_it_must_not(sample_places());
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn nothing_is_planted_on_a_real_property_on_roads_or_in_houses() {
    assert_nothing_is_planted_where_it_must_not(real_places());
}

fn assert_nothing_is_planted_where_it_must_not(places: &[(String, Place)]) {
    for (address, place) in places {
        for tree in place.trees.iter().filter(|t| !t.mapped) {
            let reach = place
                .property
                .footprint
                .outer
                .iter()
                .map(|p| (p[0] - tree.at[0]).hypot(p[1] - tree.at[1]))
                .fold(f64::INFINITY, f64::min);
            assert!(reach >= 24.0, "{address}: a planted tree {reach:.1} m from the property");
            assert!(!inside(&place.property.footprint.outer, tree.at));
        }
        let near: Vec<_> = place.trees.iter().filter(|t| !t.mapped && t.at[0].hypot(t.at[1]) < 500.0).collect();
        for b in &place.buildings {
            assert!(!near.iter().any(|t| inside(&b.footprint.outer, t.at)), "{address}: a tree in {}", b.id);
        }
        for way in place.ways.iter().filter(|w| !w.tunnel) {
            for w in way.line.windows(2) {
                let m = [f64::midpoint(w[0][0], w[1][0]), f64::midpoint(w[0][1], w[1][1])];
                let on = near.iter().find(|t| (t.at[0] - m[0]).hypot(t.at[1] - m[1]) < way.width / 2.0 - 0.8);
                assert!(on.is_none(), "{address}: {on:?} on {}", way.id);
            }
        }
    }
}

#[test]
fn there_is_no_sea_in_the_sample_town() {
    for (address, place) in sample_places() {
        assert!(!place.areas.iter().any(|a| a.id.starts_with("sea")), "{address}");
        assert!(place.missed.is_empty(), "{:?}", place.missed);
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn the_sea_lies_where_the_coast_says_and_nothing_grows_in_it() {
    let mut found = 0;
    for (address, place) in real_places() {
        let sea: Vec<_> = place.areas.iter().filter(|a| a.id == "sea" || a.id.starts_with("sea#")).collect();
        assert_eq!(sea.is_empty(), !address.contains(", 001"), "{address}: there is sea in Helsinki alone");
        if sea.is_empty() {
            continue;
        }
        found += 1;
        let local = |lat: f64, lon: f64| -> Point {
            let meters = 111_195.0;
            [(lon - place.origin.lon) * meters * place.origin.lat.to_radians().cos(), (lat - place.origin.lat) * meters]
        };
        let wet = |[x, y]: Point| {
            let within = |p: &Polygon| inside(&p.outer, [x, y]) && !p.holes.iter().any(|h| inside(h, [x, y]));
            sea.iter().any(|a| within(&a.polygon))
        };
        // Under the bridge Pitkäsilta, before it, and in the bay Kaisaniemenlahti.
        for [lat, lon] in [[60.1765, 24.9503], [60.1772, 24.9528], [60.1780, 24.9433]] {
            assert!(wet(local(lat, lon)), "{address}: {lat}, {lon}");
        }
        // The Senate Square, the railway station, the botanical garden, and the square Hakaniementori.
        for [lat, lon] in [[60.1695, 24.9523], [60.1717, 24.9414], [60.1750, 24.9460], [60.1791, 24.9512]] {
            assert!(!wet(local(lat, lon)), "{address}: {lat}, {lon}");
        }
        assert!(!place.trees.iter().any(|t| !t.mapped && wet(t.at)), "{address}");
        // A ship, a landing stage and a boathouse.
        let afloat = place.buildings.iter().filter(|b| wet(b.footprint.outer[0])).count();
        assert!(afloat <= 3, "{address}: {afloat} buildings");
        assert!(place.missed.is_empty(), "{:?}", place.missed);
    }
    assert_eq!(found, 2);
}

fn bytes(places: &[(String, Place)]) -> Vec<String> {
    places.iter().map(|(_, p)| serde_json::to_string(p).unwrap()).collect()
}

#[test]
fn the_same_address_gives_the_same_place_to_the_byte() {
    assert!(bytes(sample_places()) == bytes(&make_sample_places()));
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn the_same_real_address_gives_the_same_place_to_the_byte() {
    assert!(bytes(real_places()) == bytes(&make_real_places()));
}

#[test]
fn mapped_heights_and_terrain_of_the_sample_town_are_used() {
    for (address, place) in sample_places() {
        let mapped = place.buildings.iter().filter(|b| b.height_from != Provenance::Guessed).count();
        assert!(mapped > 20, "{address}: {mapped} buildings with mapped heights or levels");
        assert!(place.terrain.known && (150.0..300.0).contains(&place.terrain.datum), "{}", place.terrain.datum);
        assert_eq!(place.attributions, ["Aerie sample town (invented)"]);
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn mapped_heights_parts_and_terrain_are_used() {
    let found = real_places();
    let (_, helsinki) = found.iter().find(|(a, _)| a.starts_with("Simonkatu")).unwrap();
    let mapped = helsinki.buildings.iter().filter(|b| b.height_from != Provenance::Guessed).count();
    assert!(mapped > 150, "{mapped} buildings with mapped heights or levels");
    assert!(helsinki.buildings.iter().filter(|b| b.roof_from == Provenance::Mapped).count() > 10);
    let (_, column) = found.iter().find(|(a, _)| a.starts_with("Großer Stern")).unwrap();
    let own = &column.buildings[column.property.building.unwrap()];
    assert!(own.replaced_by_parts, "the parts stand in for the outline: {own:?}");
    let top = column.buildings.iter().map(|b| b.ridge).fold(0.0, f64::max);
    assert!((50.0..80.0).contains(&top), "the victory column is 67 m high, not {top}");
    let (_, theta) = found.iter().find(|(a, _)| a.starts_with("Theta")).unwrap();
    assert!(theta.terrain.known && (350.0..500.0).contains(&theta.terrain.datum), "{}", theta.terrain.datum);
    assert!(theta.attributions.iter().any(|a| a.contains("SRTM")));
    let (_, triesen) = found.iter().find(|(a, _)| a.starts_with("Dorfstrasse")).unwrap();
    assert!(!triesen.terrain.known && triesen.attributions == ["© OpenStreetMap contributors"]);
}
