//! Virtual staging on files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aerie_domain::FailureCode;
use aerie_domain::kinds::virtual_staging::VirtualStagingRequest;
use aerie_engines::{Cancel, EngineContext, EngineError, Produced, virtual_staging};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};
use serde_json::json;

fn run(image: &Path, out: &Path, options: serde_json::Value) -> Result<Produced, EngineError> {
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
        sources: &aerie_engines::Sources::default(),
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
        Err(EngineError::Fail { code: FailureCode::NotARoom, message }) => assert!(message.contains("Send a photo")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn another_photo_of_a_room_shows_the_same_furniture_and_one_of_another_room_says_that_it_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, other] = [2, 6].map(|number| imagined_room(folder.path(), number, 960));
    let out = folder.path();
    let options = |more: serde_json::Value| {
        let mut options = json!({"quality": "draft", "room_id": "salon"});
        options.as_object_mut().expect("options").extend(more.as_object().cloned().unwrap_or_default());
        options
    };
    let alone = run(&first, out, options(json!({}))).expect("furnished");
    assert_eq!(alone.fields["view"], json!({"is_first": true, "room_id": "salon"}));
    let view =
        |image: &Path| run_with(image, Some(&first), out, options(json!({"first_view_url": "u"}))).expect("furnished");
    let same = view(&first);
    assert_eq!(same.fields["view"]["registered"], json!(true), "{}", same.fields["view"]);
    let places = |made: &Produced| -> Vec<(String, [f64; 2])> {
        let one = |piece: &serde_json::Value| {
            let at = |i: usize| piece["position"][i].as_f64().expect("a number");
            (piece["piece"].to_string(), [at(0), at(1)])
        };
        made.fields["furniture"].as_array().expect("furniture").iter().map(one).collect()
    };
    let (expected, shown) = (places(&alone), places(&same));
    assert!(shown.iter().any(|(piece, _)| piece.contains("sofa")), "{shown:?}");
    for (piece, [x, y]) in &shown {
        let is_there = |(kind, at): &(String, [f64; 2])| kind == piece && (at[0] - x).hypot(at[1] - y) < 0.05;
        assert!(expected.iter().any(is_there), "{piece} at {x} {y}: {expected:?}");
    }
    // Another room, which is furnished on its own.
    let apart = view(&other);
    assert_eq!(apart.fields["view"]["registered"], json!(false));
    assert!(apart.fields["view"]["reason"].is_string());
    assert!(apart.fields["doubts"].to_string().contains("furnished on its own"), "{}", apart.fields["doubts"]);
}
