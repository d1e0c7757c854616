//! `inspect_room` on files.

use aerie_engine_api::EngineError;
use aerie_engines::inspect_room::inspect_room;
use aerie_synthetic::{Developing, LitRoom, Style, imagine};

#[test]
fn a_room_is_reported_and_drawn_and_its_faces_lie_within_the_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let (image, drawn) = (folder.path().join("room.png"), folder.path().join("overlay.png"));
    let style = Style { width: 720, height: 480, casual: 0.0, ..Style::default() };
    let imagined = imagine(1, &style);
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
    let photo = view.developed(&Developing::default());
    let pixels = photo.pixels.iter().flatten().map(|v| (v / 257) as u8).collect();
    let finished = aerie_photo::Picture { width: photo.width, height: photo.height, pixels };
    std::fs::write(&image, aerie_photo::room::png(&finished).expect("a PNG")).expect("a file");

    let report = inspect_room(&image, Some(&drawn)).expect("a photo");
    assert!(report["confidence"].as_f64().is_some_and(|c| (0.0..=1.0).contains(&c)), "{report}");
    assert_eq!(report["confident"], report["reasons"].as_array().is_some_and(Vec::is_empty), "{report}");
    let faces = report["faces"].as_array().expect("faces");
    assert!(faces.iter().any(|f| f["face"] == "floor"), "{report}");
    for point in faces.iter().flat_map(|f| f["polygon"].as_array().expect("points")) {
        let at = |i: usize| point[i].as_f64().expect("a number");
        assert!((0.0..=720.0).contains(&at(0)) && (0.0..=480.0).contains(&at(1)), "{point}");
    }
    let overlay = aerie_photo::decode_file(&drawn).expect("the drawing");
    assert_eq!((overlay.width, overlay.height), (720, 480));
}

#[test]
fn a_file_that_is_not_a_picture_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("room.jpg");
    std::fs::write(&path, "not a picture").expect("a file");
    assert!(matches!(inspect_room(&path, None), Err(EngineError::Fail(_))));
}
