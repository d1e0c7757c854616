//! No z-fighting: faces of different materials must not overlap in one plane.

use std::collections::BTreeMap;

use aerie_geocode::geocode;
use aerie_render::scene::Solids;
use aerie_sample_town::SAMPLE_ADDRESSES;
use aerie_scenery::{Flight, Path, VideoFormat};
use glam::Vec3;

/// Side of the grid cells that index faces, meters.
const CELL: f32 = 4.0;
/// Faces nearer to each other than this are coplanar, meters.
const APART: f32 = 0.004;
/// How far inside a face a point must lie, meters: neighbors share edges.
const INSIDE: f32 = 0.03;

struct Face {
    corners: [Vec3; 3],
    normal: Vec3,
    material: [u32; 4],
}

fn faces(solids: &Solids) -> Vec<Face> {
    let face = |t: &[u32]| {
        let corners = [0, 1, 2].map(|i| Vec3::from_array(solids.vertices[t[i] as usize].position));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        (normal.length() > 0.02).then(|| Face {
            corners,
            normal: normal.normalize(),
            material: solids.vertices[t[0] as usize].material,
        })
    };
    solids.indices.chunks_exact(3).filter_map(face).collect()
}

fn holds(face: &Face, p: Vec3) -> bool {
    (p - face.corners[0]).dot(face.normal).abs() < APART
        && (0..3).all(|i| {
            let (a, b) = (face.corners[i], face.corners[(i + 1) % 3]);
            face.normal.cross((b - a).normalize()).dot(p - a) > INSIDE
        })
}

/// Points where two coplanar faces of different materials overlap.
fn fights(solids: &Solids) -> Vec<Vec3> {
    let faces = faces(solids);
    let cell = |p: Vec3| ((p / CELL).floor()).as_ivec3();
    let mut cells: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
    for (index, face) in faces.iter().enumerate() {
        let [a, b, c] = face.corners;
        let (low, high) = (cell(a.min(b).min(c) - APART), cell(a.max(b).max(c) + APART));
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    cells.entry([x, y, z]).or_default().push(index);
                }
            }
        }
    }
    let weights = [[1.0, 1.0, 1.0], [4.0, 1.0, 1.0], [1.0, 4.0, 1.0], [1.0, 1.0, 4.0]];
    let mut out = Vec::new();
    for (index, face) in faces.iter().enumerate() {
        for w in weights {
            let [a, b, c] = face.corners;
            let p = (a * w[0] + b * w[1] + c * w[2]) / (w[0] + w[1] + w[2]);
            let near = cells.get(&cell(p).to_array()).into_iter().flatten().filter(|other| **other > index);
            let fights = |other: &&usize| {
                let other = &faces[**other];
                other.material != face.material && other.normal.dot(face.normal) > 0.999 && holds(other, p)
            };
            out.extend(near.filter(fights).map(|_| p));
        }
    }
    out
}

#[test]
fn no_two_faces_of_the_sample_town_fight_for_a_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pack = aerie_sample_town::open(folder.path()).expect("the sample town is built");
    let found = geocode(&pack, SAMPLE_ADDRESSES[0]).expect("a sample address is found");
    let place = pack.place(&found, 900.0).expect("a place is made");
    let mut solids = aerie_scenery::scene(&place, &Flight::plan(&place, Path::Original, VideoFormat::default())).solids;
    let found = fights(&solids);
    assert!(
        found.is_empty(),
        "{} of {} faces, at {:?}",
        found.len(),
        solids.indices.len() / 3,
        &found[..found.len().min(12)]
    );
    // Check the check: duplicates of all faces in another material must z-fight with the originals.
    let base = solids.vertices.len() as u32;
    let again: Vec<_> =
        solids.vertices.iter().map(|v| aerie_render::scene::SolidVertex { material: [7; 4], ..*v }).collect();
    let indices: Vec<u32> = solids.indices.iter().map(|i| i + base).collect();
    solids.vertices.extend(again);
    solids.indices.extend(indices);
    assert!(fights(&solids).len() > 1000);
}
