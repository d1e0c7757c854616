//! City models and point clouds.

use std::fs;
use std::ops::ControlFlow;

use aerie_lidar::ground;
use aerie_lidar::reader::Reader;
use aerie_lidar::roof::{Outline, RoofPoint, reconstruct};

/// Greatest size of a file read here: what is larger takes long.
const MAX_BYTES: usize = 1 << 18;

/// A city model in any of its formats, or an archive of them.
pub fn city_model(bytes: &[u8]) {
    if bytes.len() > MAX_BYTES {
        return;
    }
    let folder = super::folder();
    let path = folder.path().join("city");
    fs::write(&path, bytes).expect("a file");
    // Whatever the format claims to be.
    let _ = aerie_city_model::recognize(&bytes[..bytes.len().min(4_096)]);
    let _ = aerie_city_model::is_city_model_zip(&path);
    let _ = aerie_city_model::header(&path);
    let mut found = 0_u64;
    let summary = aerie_city_model::read(&path, &mut |building| {
        found += 1;
        assert!(building.roof.iter().all(|face| face.len() >= 3), "a face has three corners");
        assert!(building.roof.iter().flatten().flatten().all(|v| v.is_finite()), "corners are finite");
        assert!(building.ground.is_finite(), "the ground is finite");
        ControlFlow::Continue(())
    });
    if let Ok(summary) = summary {
        assert_eq!(summary.read, found, "every building is counted");
    }
}

/// A point cloud. Where it can be read, the ground of its middle is surveyed.
pub fn point_cloud(bytes: &[u8]) {
    if bytes.len() > MAX_BYTES {
        return;
    }
    let folder = super::folder();
    let path = folder.path().join("points.laz");
    fs::write(&path, bytes).expect("a file");
    let Ok(reader) = Reader::open(&path) else { return };
    let mut count = 0_u64;
    let read = reader.read(None, &mut |points| {
        count += points.len() as u64;
        if count > 1 << 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let [low, high] = reader.header().bounds;
    if read.is_ok() && low.iter().chain(&high).all(|v| v.abs() < 1e9) {
        let [x, y] = [0, 1].map(|axis| f64::midpoint(low[axis], high[axis]));
        let _ = ground::survey(&reader, Some([x - 20.0, y - 20.0, x + 20.0, y + 20.0]));
    }
}

/// Points over an outline, three bytes each: the first four are corners of the outline.
pub fn roof_points(bytes: &[u8]) {
    let points: Vec<[f64; 3]> =
        bytes.chunks_exact(3).take(3_000).map(|b| [b[0], b[1], b[2]].map(|byte| f64::from(byte) / 8.0)).collect();
    if points.len() < 12 {
        return;
    }
    let outer: Vec<[f64; 2]> = points[..4].iter().map(|p| [p[0], p[1]]).collect();
    let outline = Outline { outer, holes: Vec::new() };
    let points: Vec<RoofPoint> = points[4..].iter().map(|at| RoofPoint { at: *at, is_building: true }).collect();
    if let Ok(roof) = reconstruct(&outline, &points) {
        let heights = || points.iter().map(|point| point.at[2]);
        let (low, high) = (heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max));
        for corner in roof.faces.iter().flatten() {
            assert!((low - 0.51..=high + 0.51).contains(&corner[2]), "{} is not between {low} and {high}", corner[2]);
        }
        assert_eq!(reconstruct(&outline, &points).as_ref(), Ok(&roof), "the same points give the same roof");
    }
}
