//! Virtual staging on files.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};

use aerie_engine_api::kinds::virtual_staging::VirtualStagingRequest;
use aerie_engine_api::{Cancel, EngineContext, EngineError, Failure, FailureCode, Produced, Sources};
use aerie_engines::virtual_staging;
use aerie_photo::room::Camera;
use aerie_synthetic::{Developing, LitRoom, Style, Viewpoint, imagine};
use glam::{DMat3, DVec2, DVec3};
use serde_json::json;

pub(crate) fn run(image: &Path, out: &Path, options: serde_json::Value) -> Result<Produced, EngineError> {
    run_with(image, None, out, options)
}

fn run_with(
    image: &Path,
    first_view: Option<&Path>,
    out: &Path,
    options: serde_json::Value,
) -> Result<Produced, EngineError> {
    let body = json!({"image_url": "u", "room_type": "sunroom", "options": options});
    let request = VirtualStagingRequest::from_body(&body).expect("a request");
    let mut inputs = BTreeMap::from([("image_url".to_owned(), image.to_owned())]);
    inputs.extend(first_view.map(|first| ("options/first_view_url".to_owned(), first.to_owned())));
    let context = EngineContext {
        data_dir: out,
        pack_dir: out,
        sources: &Sources::default(),
        out_dir: out,
        inputs: &inputs,
        listing: &[],
        parent: None,
        progress: &|_| {},
        cancel: &Cancel::default(),
    };
    virtual_staging::run(&request, &context)
}

/// An imagined empty room as a photo of 480 x 320 in a folder.
fn room(folder: &Path) -> PathBuf {
    imagined_room(folder, 2, 480)
}

/// One of the imagined rooms, in a photo of a width.
fn imagined_room(folder: &Path, number: u64, width: usize) -> PathBuf {
    let image = folder.join(format!("room{number}.jpg"));
    let style = Style { width, height: width * 2 / 3, casual: 0.0, ..Style::default() };
    let imagined = imagine(number, &style);
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2);
    std::fs::write(&image, view.jpeg(&Developing::default(), 92)).expect("a file");
    image
}

#[test]
fn an_empty_room_is_furnished_with_mask_pieces_and_disclosure() {
    let folder = tempfile::tempdir().expect("a folder");
    let image = room(folder.path());
    let options = json!({"quality": "draft", "variations": 2, "style_prompt": "coastal, unicorns"});
    let made = run(&image, folder.path(), options).expect("furnished");
    let fields: Vec<&str> = made.files.iter().map(|f| f.field.as_ref()).collect();
    for field in ["image_url", "mask_url", "thumbnail_url", "variations/0/image_url", "variations/1/mask_url"] {
        assert!(fields.contains(&field), "{fields:?}");
    }
    assert_eq!(made.fields["width"], 480);
    assert_eq!(
        (&made.fields["room_type"], &made.fields["room_type_asked"]),
        (&json!("living_room"), &json!("sunroom"))
    );
    assert_eq!(made.fields["style"]["style"], "coastal");
    // Without a known length, the output says that sizes are estimated.
    assert!(made.fields["doubts"].to_string().contains("known_length"), "{}", made.fields["doubts"]);
    assert_eq!(made.fields["style"]["not_understood"], json!(["unicorns"]));
    assert_eq!(made.fields["variations"].as_array().map(Vec::len), Some(2));
    assert!(made.fields["furniture"].as_array().is_some_and(|f| f.iter().any(|p| p["piece"] == "sofa")));
    let source = made.fields["disclosure"]["digital_source_type"].as_str().expect("a source type");
    assert!(source.ends_with("compositeSynthetic"));
    let file = |field: &str| {
        std::fs::read(&made.files.iter().find(|f| f.field == field).expect("a file").path).expect("bytes")
    };
    assert!(file("image_url").windows(18).any(|w| w == b"compositeSynthetic"));
    let mask = aerie_photo::decode(&file("mask_url")).expect("a mask");
    assert_eq!((mask.width, mask.height), (480, 320));
    assert!(mask.pixels.contains(&[0; 3]) && mask.pixels.contains(&[u16::MAX; 3]));
}

#[test]
fn a_png_keeps_every_pixel_of_the_photo_outside_the_mask() {
    let folder = tempfile::tempdir().expect("a folder");
    let image = room(folder.path());
    let made = run(&image, folder.path(), json!({"quality": "draft", "format": "png"})).expect("furnished");
    let file = |field: &str| made.files.iter().find(|f| f.field == field).expect("a file");
    assert_eq!(file("image_url").content_type, "image/png");
    let pixels = |path: &Path| aerie_photo::decode_file(path).expect("a picture").pixels;
    let [before, after, mask] = [image.as_path(), &file("image_url").path, &file("mask_url").path].map(pixels);
    let outside: Vec<usize> = (0..mask.len()).filter(|i| mask[*i] == [0; 3]).collect();
    assert!(outside.len() > 2_000 && outside.len() < mask.len(), "{} of {}", outside.len(), mask.len());
    for i in outside {
        assert_eq!(before[i].map(|v| (u32::from(v) + 128) / 257), after[i].map(|v| (u32::from(v) + 128) / 257));
    }
}

#[test]
fn a_blank_photo_is_not_a_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let image = folder.path().join("grey.png");
    let gray = aerie_photo::Picture { width: 320, height: 240, pixels: vec![128; 320 * 240 * 3] };
    std::fs::write(&image, aerie_photo::room::png(&gray).expect("a PNG")).expect("a file");
    match run(&image, folder.path(), json!({})) {
        Err(EngineError::Fail(Failure { code: FailureCode::NotARoom, message, .. })) => {
            assert!(message.contains("Send a photo"))
        }
        other => panic!("{other:?}"),
    }
}

/// Two photos of one imagined room and the camera of each: its place in the room and that of the other, which moved and turned.
fn two_views(folder: &Path, number: u64) -> [(PathBuf, DVec3); 2] {
    let imagined = imagine(number, &Style::default());
    let room = LitRoom::new(imagined.room);
    let first = imagined.viewpoint;
    let corners = &room.room().corners;
    let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
    let step = ((middle - first.place.truncate()) * 0.4).clamp_length_max(0.8).extend(0.1);
    let rotation = first.camera.rotation * DMat3::from_rotation_z(0.3);
    let second = Viewpoint { place: first.place + step, camera: Camera { rotation, ..first.camera } };
    [(first, "a"), (second, "b")].map(|(from, name)| {
        let image = folder.join(format!("view{number}{name}.jpg"));
        std::fs::write(&image, room.view(&from, 2).jpeg(&Developing::default(), 92)).expect("a file");
        (image, from.place)
    })
}

/// Kind and place of each piece, in lengths of the camera's true height.
fn places(made: &Produced, height: f64) -> Vec<(String, DVec2)> {
    let unit = height / made.fields["scale"]["camera_height"].as_f64().expect("a height");
    let one = |piece: &serde_json::Value| {
        let at = |i: usize| piece["position"][i].as_f64().expect("a number");
        (piece["piece"].to_string(), DVec2::new(at(0), at(1)) * unit)
    };
    made.fields["furniture"].as_array().expect("furniture").iter().map(one).collect()
}

#[test]
fn another_photo_of_a_room_shows_the_same_furniture_and_one_of_another_room_says_that_it_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let [(first, from), (second, to)] = two_views(folder.path(), 14);
    let other = imagined_room(folder.path(), 6, 960);
    let out = folder.path();
    let options = |more: serde_json::Value| {
        let mut options = json!({"quality": "draft", "room_id": "salon"});
        options.as_object_mut().expect("options").extend(more.as_object().cloned().unwrap_or_default());
        options
    };
    let alone = run(&first, out, options(json!({}))).expect("furnished");
    assert_eq!(alone.fields["view"], json!({"is_first": true, "room_id": "salon"}));
    let view = |image: &Path, more: serde_json::Value| {
        let mut options = options(json!({"first_view_url": "u"}));
        options.as_object_mut().expect("options").extend(more.as_object().cloned().unwrap_or_default());
        run_with(image, Some(&first), out, options).expect("furnished")
    };
    let same = view(&second, json!({}));
    assert_eq!(same.fields["view"]["registered"], json!(true), "{}", same.fields["view"]);
    let (expected, shown) = (places(&alone, from.z), places(&same, to.z));
    assert!(shown.iter().any(|(piece, _)| piece.contains("sofa")), "{shown:?}");
    // The axes of each photo are those of the walls, in the order in which the camera sees them.
    let farthest = |quarter: f64| {
        let there = |at: DVec2| DVec2::from_angle(quarter * FRAC_PI_2).rotate(at - (to - from).truncate());
        let nearest = |(piece, at): &(String, DVec2)| {
            let same = expected.iter().filter(|(kind, _)| kind == piece);
            same.map(|(_, place)| there(*place).distance(*at)).fold(f64::MAX, f64::min)
        };
        shown.iter().map(nearest).fold(0.0, f64::max)
    };
    let off = [0.0, 1.0, 2.0, 3.0].map(farthest).into_iter().fold(f64::MAX, f64::min);
    assert!((to - from).truncate().length() > 0.5, "the camera moved");
    assert!(off < 0.15, "a piece is {off} m from its place: {expected:?} {shown:?}");
    // Another room is furnished on its own, and places of the first one are not used there.
    let arrangement = json!([{"piece": "stool", "position": [0.0, 2.0]}]);
    let apart = view(&other, json!({"arrangement": arrangement}));
    assert_eq!(apart.fields["view"]["registered"], json!(false));
    assert!(apart.fields["view"]["reason"].is_string());
    let doubts = apart.fields["doubts"].to_string();
    for part in ["furnished on its own", "`options.arrangement` was not used", "name a first view"] {
        assert!(doubts.contains(part), "{doubts}");
    }
    assert!(apart.fields["furniture"].to_string().contains("sofa"), "{}", apart.fields["furniture"]);
}
