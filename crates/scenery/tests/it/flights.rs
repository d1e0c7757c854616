//! All flights over sample and real places: no collisions, the property in view, smooth motion.

use std::sync::LazyLock;

use aerie_geocode::geocode;
use aerie_geodata::place::{Place, Point};
use aerie_render::scene::Camera;
use aerie_sample_town::SAMPLE_ADDRESSES;
use aerie_scenery::{FRAME_RATE, Flight, Path, Side, VideoFormat};
use glam::{DVec3, Vec3, Vec4};

use crate::flight_checks::{self, hits, out_of_view};

pub(crate) const PATHS: [Path; 7] = [
    Path::Original,
    Path::From(Side::North),
    Path::From(Side::South),
    Path::From(Side::East),
    Path::From(Side::West),
    Path::TopdownRising,
    Path::TopdownSinking,
];

/// Every path in every format.
fn flights() -> impl Iterator<Item = (Path, VideoFormat)> {
    PATHS.into_iter().flat_map(|path| formats().map(|format| (path, format)))
}

/// The default; short and portrait; long and square.
fn formats() -> [VideoFormat; 3] {
    [VideoFormat::default(), VideoFormat { seconds: 6, aspect: 9.0 / 16.0 }, VideoFormat { seconds: 20, aspect: 1.0 }]
}

/// Places of the sample town, made once for all tests.
fn sample_places() -> &'static [Place] {
    static PLACES: LazyLock<Vec<Place>> = LazyLock::new(make_sample_places);
    &PLACES
}

/// Real places of the test data, made once for all tests: dense, rural with terrain, suburban.
fn real_places() -> &'static [Place] {
    static PLACES: LazyLock<Vec<Place>> = LazyLock::new(make_real_places);
    &PLACES
}

fn make_sample_places() -> Vec<Place> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pack = aerie_sample_town::open(folder.path()).expect("the sample town is built");
    SAMPLE_ADDRESSES
        .iter()
        .map(|address| {
            let found = geocode(&pack, address).expect("a sample address is found");
            pack.place(&found, 600.0).expect("a place is made")
        })
        .collect()
}

fn make_real_places() -> Vec<Place> {
    let data = aerie_test_data::test_data("");
    let addresses: [&[&str]; 3] = [
        &["Dorfstrasse 24, 9495 Triesen", "Landstrasse 117, 9490 Vaduz", "Bühelstrasse 19b, Triesenberg"],
        &["Theta 18, 95463 Bindlach", "Waldmeisterstraße 10, 95463 Bindlach"],
        &["Simonkatu 8, 00100", "Uudenmaankatu 9-11, 00120"],
    ];
    let mut places = Vec::new();
    for (extract, addresses) in flight_checks::EXTRACTS.iter().zip(addresses) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        flight_checks::import_into(folder.path(), &data, extract);
        let pack = aerie_sample_town::open(folder.path()).expect("the pack opens");
        for address in addresses {
            let found = geocode(&pack, address).expect("the address is found");
            places.push(pack.place(&found, 1200.0).expect("a place is made"));
        }
    }
    places
}

#[test]
fn no_flight_enters_ground_roof_or_tree() {
    assert_no_flight_hits_anything(sample_places());
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn no_flight_over_real_places_enters_ground_roof_or_tree() {
    assert_no_flight_hits_anything(real_places());
}

fn assert_no_flight_hits_anything(places: &[Place]) {
    for place in places {
        for (path, format) in flights() {
            for (frame, camera) in Flight::plan(place, path, format).cameras.iter().enumerate() {
                let hit = hits(place, camera.eye.as_dvec3());
                assert_eq!(hit, None, "{} {path:?} frame {frame}", place.address);
            }
        }
    }
}

#[test]
fn the_whole_property_is_in_view_in_every_frame() {
    assert_property_is_in_view(sample_places());
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn the_whole_real_property_is_in_view_in_every_frame() {
    assert_property_is_in_view(real_places());
}

fn assert_property_is_in_view(places: &[Place]) {
    for place in places {
        for (path, format) in flights() {
            for (frame, camera) in Flight::plan(place, path, format).cameras.iter().enumerate() {
                let lost = out_of_view(place, camera, format);
                assert_eq!(lost, None, "{} {path:?} frame {frame}", place.address);
            }
        }
    }
}

#[test]
fn motion_starts_and_ends_still_and_has_no_jerk() {
    assert_motion_is_smooth(sample_places());
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn motion_over_real_places_starts_and_ends_still_and_has_no_jerk() {
    assert_motion_is_smooth(real_places());
}

fn assert_motion_is_smooth(places: &[Place]) {
    for place in places {
        for (path, format) in flights() {
            let cameras = Flight::plan(place, path, format).cameras;
            assert_eq!(cameras.len() as u32, FRAME_RATE * format.seconds);
            let steps: Vec<f32> = cameras.windows(2).map(|w| w[0].eye.distance(w[1].eye)).collect();
            let fastest = steps.iter().copied().fold(0.0, f32::max);
            assert!(
                steps[0] < fastest * 0.1 && steps[steps.len() - 1] < fastest * 0.1,
                "{path:?} starts or ends abruptly"
            );
            assert!(fastest * FRAME_RATE as f32 * format.seconds as f32 > 30.0, "{path:?} hardly moves");
            for pair in steps.windows(2) {
                assert!((pair[1] - pair[0]).abs() < fastest * 0.08, "{} {path:?} jerks", place.address);
            }
        }
    }
}

/// Outlines of plots around a property: of normal size, long and off-center, and a farm's.
fn plots(place: &Place) -> [Vec<Point>; 3] {
    let [x, y] = place.property.point;
    let around = |w: f64, s: f64, e: f64, n: f64| vec![[x - w, y - s], [x + e, y - s], [x + e, y + n], [x - w, y + n]];
    [around(14.0, 12.0, 13.0, 21.0), around(8.0, 6.0, 70.0, 9.0), around(90.0, 130.0, 60.0, 40.0)]
}

#[test]
fn a_plot_is_entirely_in_view_in_every_frame_and_the_flight_passes_the_checks() {
    // The hilliest one, with the church.
    for place in sample_places().iter().filter(|place| place.address.contains("Church Hill")) {
        for (path, format) in flights() {
            for plot in plots(place) {
                let cameras = Flight::plan_with_plot(place, path, format, &plot).cameras;
                for (frame, camera) in cameras.iter().enumerate() {
                    let hit = hits(place, camera.eye.as_dvec3());
                    assert_eq!(hit, None, "{} {path:?} frame {frame}", place.address);
                    let view = camera.view_projection(format.aspect as f32);
                    for corner in &plot {
                        let at = Vec3::new(corner[0] as f32, corner[1] as f32, place.terrain.height(*corner) as f32);
                        let clip: Vec4 = view * at.extend(1.0);
                        let margin = 0.9 * clip.w;
                        let seen = clip.w > 0.0 && clip.x.abs() < margin && clip.y.abs() < margin;
                        assert!(seen, "{} {path:?} {format:?} frame {frame}: {corner:?} is out of view", place.address);
                    }
                }
                let steps: Vec<f32> = cameras.windows(2).map(|w| w[0].eye.distance(w[1].eye)).collect();
                let fastest = steps.iter().copied().fold(0.0, f32::max);
                for (frame, pair) in steps.windows(2).enumerate() {
                    let jump = (pair[1] - pair[0]).abs() / fastest;
                    assert!(jump < 0.08, "{} {path:?} {format:?} jerks by {jump} in frame {frame}", place.address);
                }
                for pair in cameras.windows(2) {
                    assert!((pair[1].field / pair[0].field - 1.0).abs() < 0.03, "{path:?} zooms abruptly");
                }
            }
        }
    }
}

/// Share of the frame that a prism over `ring` covers, by a coarse raster of its roof and walls.
fn share_of_frame(place: &Place, ring: &[Point], rise: f64, camera: &Camera, format: VideoFormat) -> f64 {
    let view = camera.view_projection(format.aspect as f32);
    let seen = |p: Point, z: f64| {
        let clip: Vec4 = view * Vec3::new(p[0] as f32, p[1] as f32, (place.terrain.height(p) + z) as f32).extend(1.0);
        (clip.w > 1.0).then(|| [f64::from(clip.x / clip.w), f64::from(clip.y / clip.w)])
    };
    let n = ring.len();
    let walls =
        (0..n).map(|i| vec![(ring[i], 0.0), (ring[(i + 1) % n], 0.0), (ring[(i + 1) % n], rise), (ring[i], rise)]);
    let roof = ring.iter().map(|&p| (p, rise)).collect();
    let faces: Vec<Vec<Point>> =
        walls.chain([roof]).filter_map(|face| face.into_iter().map(|(p, z)| seen(p, z)).collect()).collect();
    let (columns, rows) = (160, 90);
    let middle = |i: i32, of: i32| (2.0 * f64::from(i) + 1.0) / f64::from(of) - 1.0;
    let covered = (0..columns * rows).filter(|at| {
        let p = DVec3::new(middle(at % columns, columns), middle(at / columns, rows), 0.0);
        faces.iter().any(|face| flight_checks::is_inside(p, face))
    });
    covered.count() as f64 / f64::from(columns * rows)
}

#[test]
fn the_property_fills_more_of_the_last_frame_than_any_neighbor() {
    assert_property_fills_most(sample_places(), 0.9);
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn the_real_property_fills_more_of_the_last_frame_than_most_neighbors() {
    // A small house beside a large one may fill less.
    assert_property_fills_most(real_places(), 0.7);
}

fn assert_property_fills_most(places: &[Place], kept: f64) {
    let (mut ends, mut largest, mut weak) = (0, 0_usize, 0_usize);
    for place in places {
        let format = VideoFormat::default();
        for path in PATHS.into_iter().filter(|path| matches!(path, Path::Original | Path::From(_))) {
            let cameras = Flight::plan(place, path, format).cameras;
            let own = &place.property.footprint.outer;
            let ridge = place.property.building.map_or(4.0, |b| place.buildings[b].ridge);
            for (camera, last) in [(cameras[0], false), (cameras[cameras.len() - 1], true)] {
                let mine = share_of_frame(place, own, ridge, &camera, format);
                let others = place.buildings.iter().filter(|b| {
                    let [x, y] = b.footprint.outer[0];
                    b.footprint.outer != *own && (x - own[0][0]).hypot(y - own[0][1]) < 160.0
                });
                let most = others.map(|b| share_of_frame(place, &b.footprint.outer, b.ridge, &camera, format));
                let most = most.fold(0.0, f64::max);
                ends += usize::from(last);
                largest += usize::from(last && mine > most);
                // At first, a neighbor in front may be nearer to the camera.
                weak += usize::from(!last && mine < 0.3 * most);
                if mine <= most {
                    eprintln!("{} {path:?}: {mine:.3} of the frame, a neighbor {most:.3}", place.address);
                }
            }
        }
    }
    assert!(weak as f64 <= 0.2 * ends as f64, "a neighbor dominates {weak} of {ends} first frames");
    assert!(largest as f64 >= kept * ends as f64, "the largest in {largest} of {ends} last frames");
}

#[test]
fn flights_open_with_the_horizon_near_the_upper_third() {
    let from_top = |place: &Place, path: Path| {
        let camera = Flight::plan(place, path, VideoFormat::default()).cameras[0];
        let ahead = (camera.target - camera.eye).truncate().normalize();
        let clip = camera.view_projection(16.0 / 9.0) * ahead.extend(0.0).extend(0.0);
        0.5 - 0.5 * clip.y / clip.w
    };
    for mut place in sample_places().to_vec() {
        place.covered = None;
        let shares = [Path::Original, Path::From(Side::South)].map(|path| from_top(&place, path));
        // Where a neighbor stands right in front, the camera rises to see over it.
        assert!(shares.iter().all(|share| (0.05..0.4).contains(share)), "{}: {shares:?}", place.address);
        // With the edge of the map nearby, there is less to see.
        let [x, y] = place.property.point;
        place.covered = Some([[x - 300.0, y - 900.0], [x + 900.0, y + 900.0]]);
        let near = [Path::Original, Path::From(Side::South)].map(|path| from_top(&place, path));
        assert!(near.iter().zip(shares).all(|(near, far)| *near < far - 0.02 || far < 0.12), "{near:?} {shares:?}");
    }
}

#[test]
fn the_view_from_above_ends_with_the_property_filling_half_of_the_frame() {
    for place in sample_places() {
        for format in formats() {
            let cameras = Flight::plan(place, Path::TopdownSinking, format).cameras;
            let view = cameras[cameras.len() - 1].view_projection(format.aspect as f32);
            let top = place.property.building.map_or(4.0, |b| place.buildings[b].ridge);
            let center = place.terrain.height(place.property.footprint.outer[0]) + top;
            let seen = place.property.footprint.outer.iter().map(|p| {
                let seen = view.project_point3(Vec3::new(p[0] as f32, p[1] as f32, center as f32));
                seen.x.abs().max(seen.y.abs())
            });
            let filled = seen.fold(0.0, f32::max);
            assert!((0.42..0.6).contains(&filled), "{} {format:?}: {filled}", place.address);
        }
    }
}

#[test]
fn the_seven_flights_differ() {
    let place = &sample_places()[0];
    let flights: Vec<Flight> = PATHS.iter().map(|&p| Flight::plan(place, p, VideoFormat::default())).collect();
    for (i, a) in flights.iter().enumerate() {
        for b in &flights[..i] {
            assert!((0..300).any(|f| a.cameras[f].eye.distance(b.cameras[f].eye) > 20.0));
        }
    }
}
