use std::path::PathBuf;

use las::point::{Classification, Format};
use las::{Builder, Vlr, Writer};
use tempfile::TempDir;

use super::*;

/// Writes points into a file of this version and format; a name that ends in `laz` compresses it.
fn write(folder: &TempDir, name: &str, minor: u8, format: u8, vlrs: Vec<Vlr>, points: &[las::Point]) -> PathBuf {
    let mut builder = Builder::from((1, minor));
    builder.point_format = Format::new(format).unwrap();
    builder.vlrs = vlrs;
    let path = folder.path().join(name);
    let mut writer = Writer::from_path(&path, builder.into_header().unwrap()).unwrap();
    for point in points {
        let mut point = point.clone();
        let format = Format::new(format).unwrap();
        point.gps_time = format.has_gps_time.then(|| point.gps_time.unwrap_or(3e8));
        point.color = format.has_color.then(|| point.color.unwrap_or_default());
        writer.write_point(point).unwrap();
    }
    writer.close().unwrap();
    path
}

fn point(number: usize) -> las::Point {
    las::Point {
        x: (number % 100) as f64,
        y: (number / 100) as f64,
        z: 5.0 + (number % 7) as f64 * 0.5,
        return_number: 1,
        number_of_returns: 2,
        classification: Classification::Ground,
        intensity: (number % 500) as u16,
        ..Default::default()
    }
}

fn points(count: usize) -> Vec<las::Point> {
    (0..count).map(point).collect()
}

fn read(path: &Path, region: Option<[f64; 4]>) -> Result<Vec<Point>, LidarError> {
    let mut all = Vec::new();
    Reader::open(path)?.read(region, &mut |points| {
        all.extend_from_slice(points);
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

#[test]
fn every_version_and_packing_gives_the_same_points() {
    let folder = tempfile::tempdir().unwrap();
    for (minor, format) in [(0, 0), (1, 1), (2, 2), (2, 3), (4, 6), (4, 7)] {
        for name in ["a.las", "a.laz"] {
            let path = write(&folder, name, minor, format, Vec::new(), &points(1234));
            let read = read(&path, None).unwrap();
            assert_eq!(read.len(), 1234, "{name} 1.{minor}, format {format}");
            assert_eq!(read[1033].at.map(|part| (part * 1000.0).round()), [33_000.0, 10_000.0, 7_000.0]);
            assert_eq!((read[1033].class, read[1033].number_of_returns), (2, 2));
        }
    }
}

#[test]
fn noise_withheld_and_overlap_points_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut points = points(10);
    points[0].classification = Classification::LowPoint;
    points[1].classification = Classification::HighNoise;
    points[2].is_withheld = true;
    points[3].is_overlap = true;
    points[3].is_withheld = true;
    points[4].is_overlap = true;
    let path = write(&folder, "a.laz", 4, 6, Vec::new(), &points);
    assert_eq!(read(&path, None).unwrap().len(), 6);
    points[1].classification = Classification::Ground;
    points[4].is_overlap = false;
    points[3].is_overlap = false;
    let path = write(&folder, "b.las", 2, 0, Vec::new(), &points);
    assert_eq!(read(&path, None).unwrap().len(), 7);
}

#[test]
fn a_region_has_only_its_points_and_reading_can_be_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(&folder, "a.laz", 2, 1, Vec::new(), &points(120_000));
    assert_eq!(read(&path, Some([10.0, 20.0, 19.0, 29.0])).unwrap().len(), 100);
    let mut calls = 0;
    let reader = Reader::open(&path).unwrap();
    reader
        .read(None, &mut |_| {
            calls += 1;
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!(calls, 1);
}

#[test]
fn a_file_that_was_read_before_is_decoded_only_where_the_region_needs_it() {
    let folder = tempfile::tempdir().unwrap();
    // Three chunks of 50,000 points, 500 rows each.
    let path = write(&folder, "a.laz", 4, 6, Vec::new(), &points(150_000));
    let reader = Reader::open(&path).unwrap();
    let count = |region| {
        let mut count = 0;
        let each = &mut |points: &[Point]| {
            count += points.len();
            ControlFlow::Continue(())
        };
        reader.read(Some(region), each).unwrap();
        count
    };
    let regions = [[10.0, 490.0, 19.0, 509.0], [0.0, 700.0, 99.0, 700.0], [0.0, 2_000.0, 99.0, 2_100.0]];
    for _ in 0..2 {
        assert_eq!(regions.map(count), [200, 100, 0]);
    }
    // Chunks beside the region are not even loaded: their bytes are gone.
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(500).unwrap();
    assert_eq!(count(regions[2]), 0);
    assert!(reader.read(Some(regions[0]), &mut |_| ControlFlow::Continue(())).is_err());
}

#[test]
fn the_header_has_the_system_and_the_year() {
    let folder = tempfile::tempdir().unwrap();
    let keys: Vec<u8> = [1_u16, 1, 0, 1, 3072, 0, 1, 28992].iter().flat_map(|number| number.to_le_bytes()).collect();
    let vlr = Vlr { user_id: "LASF_Projection".into(), record_id: 34735, description: String::new(), data: keys };
    let path = write(&folder, "a.laz", 2, 1, vec![vlr], &points(1000));
    let reader = Reader::open(&path).unwrap();
    let header = reader.header();
    assert_eq!(header.crs.as_ref().unwrap().definition, "EPSG:28992");
    assert_eq!((header.year, header.is_flight_year), (Some(2021), true));
    let mut week = points(10);
    week.iter_mut().for_each(|point| point.gps_time = Some(300_000.0));
    let path = write(&folder, "b.las", 2, 1, Vec::new(), &week);
    assert!(!Reader::open(&path).unwrap().header().is_flight_year);
}

/// Two nodes of 50,000 points each, the length of a chunk: the lower half in the root, the upper half in a child.
fn copc(folder: &TempDir) -> PathBuf {
    let vlr = Vlr { user_id: "copc".into(), record_id: 1, description: String::new(), data: vec![0; 160] };
    let path = write(folder, "a.copc.laz", 4, 6, vec![vlr], &points(100_000));
    let mut bytes = std::fs::read(&path).unwrap();
    let reader = Reader::open(&path);
    assert!(matches!(reader, Err(LidarError::Damaged(_))), "an empty COPC record has no cube");
    let start = u64::from(u32::from_le_bytes(bytes[96..100].try_into().unwrap()));
    let laz = las::Reader::from_path(&path).unwrap().header().laz_vlr().unwrap();
    let file = File::open(&path).unwrap();
    let chunks = table::compressed(&file, &laz, false, start, 100_000, bytes.len() as u64).unwrap();
    let page = bytes.len() as u64;
    // The cube is [0, 1024]; points lie in x < 100 and y < 1000, the child at level 1 in y >= 512 has the second chunk.
    for (key, chunk) in [([0, 0, 0, 0], chunks[0]), ([1, 0, 1, 0], chunks[1])] {
        bytes.extend(key.iter().flat_map(|part: &i32| part.to_le_bytes()));
        bytes.extend(chunk.offset.to_le_bytes());
        bytes.extend((chunk.bytes as u32).to_le_bytes());
        bytes.extend((chunk.points as u32).to_le_bytes());
    }
    let info = [512.0_f64, 512.0, 512.0, 512.0, 1.0].into_iter().flat_map(f64::to_le_bytes);
    let info = info
        .chain([page, 64].into_iter().flat_map(u64::to_le_bytes))
        .chain([3e8_f64; 2].into_iter().flat_map(f64::to_le_bytes));
    for (at, byte) in info.enumerate() {
        bytes[375 + 54 + at] = byte;
    }
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn an_octree_is_read_where_the_region_needs_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = copc(&folder);
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.header().year, Some(2021));
    assert_eq!(read(&path, None).unwrap().len(), 100_000);
    assert_eq!(read(&path, Some([0.0, 600.0, 9.0, 609.0])).unwrap().len(), 100);
    let Content::Octree(octree) = &reader.content else { panic!("no octree") };
    assert_eq!(octree.nodes(&reader.file, Some([0.0, 0.0, 50.0, 50.0]), reader.length).unwrap().len(), 1);
    assert_eq!(octree.nodes(&reader.file, Some([0.0, 600.0, 50.0, 650.0]), reader.length).unwrap().len(), 2);
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.las");
    let message = |path: &Path| read(path, None).unwrap_err().to_string();
    assert!(message(&path).contains("cannot be read"));
    std::fs::write(&path, "<html>no such tile</html>").unwrap();
    assert!(message(&path).contains("not a LAS or LAZ file"));
    let las = std::fs::read(write(&folder, "b.las", 2, 0, Vec::new(), &points(100))).unwrap();
    std::fs::write(&path, &las[..las.len() - 30]).unwrap();
    assert!(message(&path).contains("the header counts 100 points, and the file has room for 98"));
    std::fs::write(&path, &las[..150]).unwrap();
    assert!(message(&path).contains("the header is cut off"));
    let laz = std::fs::read(write(&folder, "b.laz", 2, 0, Vec::new(), &points(100))).unwrap();
    std::fs::write(&path, &laz[..laz.len() - 20]).unwrap();
    assert!(message(&path).contains("chunk table"), "{}", message(&path));
}

/// Damages a file in many ways and reads it: an error or points, but no panic and no more points than a file can hold.
fn damage(path: &Path, rounds: u64) {
    let folder = tempfile::tempdir().unwrap();
    let sound = std::fs::read(path).unwrap();
    let target = folder.path().join("damaged");
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..rounds {
        let mut bytes = sound.clone();
        // Half of the damage hits the head, where the counts and offsets are.
        let area = if round % 2 == 0 { bytes.len().min(700) } else { bytes.len() };
        for _ in 0..=random(4) {
            let at = random(area);
            bytes[at] = [0, 255, 127, random(256) as u8][random(4)];
        }
        if round % 8 == 7 {
            bytes.truncate(random(sound.len()));
        }
        if round % 16 == 5 {
            let at = random(sound.len() - 8);
            bytes[at..at + 8].fill(255);
        }
        std::fs::write(&target, &bytes).unwrap();
        if let Ok(points) = read(&target, None) {
            assert!(points.len() <= sound.len() * 64);
        }
    }
}

#[test]
fn damaged_files_are_errors_and_never_panics() {
    let folder = tempfile::tempdir().unwrap();
    for (name, minor, format) in [("a.las", 2, 1), ("a.laz", 2, 1), ("b.laz", 4, 6), ("c.laz", 4, 7)] {
        damage(&write(&folder, name, minor, format, Vec::new(), &points(500)), 200);
    }
    damage(&copc(&folder), 60);
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn damaged_real_files_are_errors_and_never_panics() {
    damage_real_files(20);
}

/// Damages each real file in this many ways.
fn damage_real_files(rounds: u64) {
    for name in ["trees/ahn_2386_9702.laz", "lidar/test_data_77050_627755_LA93_IGN69.laz"] {
        damage(&aerie_test_data::test_data(Path::new("measured").join(name)), rounds);
    }
}

mod measurements {
    #[test]
    #[ignore = "needs AERIE_TEST_DATA"]
    fn real_surveys_damaged_in_eight_hundred_ways_are_errors_and_never_panics() {
        super::damage_real_files(400);
    }
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn real_files_have_their_points_and_years() {
    let folder = aerie_test_data::test_data("measured");
    for (name, count, year, is_flight_year, has_crs) in [
        ("trees/ahn_2386_9702.laz", 43_536, 2021, false, false),
        ("delft/ahn3_cropped_1.laz", 640_510, 2014, false, false),
        ("lidar/test_data_77050_627755_LA93_IGN69.laz", 73_355, 2021, true, true),
    ] {
        let reader = Reader::open(&folder.join(name)).unwrap();
        let header = reader.header();
        assert_eq!((header.year, header.is_flight_year), (Some(year), is_flight_year), "{name}");
        assert_eq!(header.crs.is_some(), has_crs, "{name}");
        assert_eq!(read(&folder.join(name), None).unwrap().len(), count, "{name}");
    }
}
