//! A small house as a city model: 10 by 8 meters, eaves at 5, the ridge from west to east at 8.

use std::ops::ControlFlow;

use aerie_city_model::{Building, CityModelError, Summary, read};

/// Its corners.
pub(crate) const CORNERS: [[f64; 3]; 10] = [
    [0.0, 0.0, 0.0],
    [10.0, 0.0, 0.0],
    [10.0, 8.0, 0.0],
    [0.0, 8.0, 0.0],
    [0.0, 0.0, 5.0],
    [10.0, 0.0, 5.0],
    [10.0, 8.0, 5.0],
    [0.0, 8.0, 5.0],
    [0.0, 4.0, 8.0],
    [10.0, 4.0, 8.0],
];

/// Its surfaces by kind, looking outward.
pub(crate) const SURFACES: [(&str, &[usize]); 7] = [
    ("GroundSurface", &[0, 3, 2, 1]),
    ("RoofSurface", &[4, 5, 9, 8]),
    ("RoofSurface", &[6, 7, 8, 9]),
    ("WallSurface", &[0, 1, 5, 4]),
    ("WallSurface", &[2, 3, 7, 6]),
    ("WallSurface", &[1, 2, 6, 9, 5]),
    ("WallSurface", &[3, 0, 4, 8, 7]),
];

/// Reads a file with this content.
pub(crate) fn read_bytes(content: &[u8]) -> Result<(Summary, Vec<Building>), CityModelError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    std::fs::write(&path, content).unwrap();
    let mut buildings = Vec::new();
    let summary = read(&path, &mut |building| {
        buildings.push(building);
        ControlFlow::Continue(())
    })?;
    Ok((summary, buildings))
}

/// The one building of a file.
pub(crate) fn only(content: &str) -> Building {
    let (summary, mut buildings) = read_bytes(content.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((summary.read, summary.left_out_total()), (1, 0), "{:?}", summary.left_out);
    buildings.remove(0)
}

/// Why the one building of a file was left out.
pub(crate) fn reason(content: &str) -> String {
    let (summary, _) = read_bytes(content.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((summary.read, summary.left_out_total()), (0, 1), "{:?}", summary.left_out);
    summary.left_out.into_keys().next().unwrap()
}

/// Asserts that a building is the house, moved east and north.
pub(crate) fn assert_is_house(building: &Building, east: f64, north: f64) {
    let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
    assert_eq!(building.roof.len(), 2, "{:?}", building.roof);
    for face in &building.roof {
        assert_eq!(face.len(), 4);
        assert!(
            face.iter().all(|corner| close(corner[2], if close(corner[1], north + 4.0) { 8.0 } else { 5.0 })),
            "{face:?}"
        );
    }
    assert_eq!(building.outline.len(), 1);
    assert_eq!(building.outline[0].len(), 1);
    let ring = &building.outline[0][0];
    assert_eq!(ring.len(), 4);
    assert!(close(aerie_math::geometry::signed_area(ring), 80.0));
    assert!(ring.iter().any(|&[x, y]| close(x, east) && close(y, north)), "{ring:?}");
    assert_eq!(building.ground, 0.0);
}
