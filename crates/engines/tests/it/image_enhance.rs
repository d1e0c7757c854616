//! Image enhancement end to end: the requested file, and matching photos of one listing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aerie_engine_api::kinds::image_enhance::ImageEnhanceRequest;
use aerie_engine_api::{Cancel, EngineContext, EngineError, Failure, FailureCode, Notes, Produced, Sources};
use aerie_engines::image_enhance;
use aerie_synthetic::{Developing, LitRoom, Style, View, imagine};
use serde_json::{Value, json};

fn room() -> View {
    let imagined = imagine(4, &Style { width: 600, height: 400, casual: 0.0, ..Style::default() });
    LitRoom::new(imagined.room).view(&imagined.viewpoint, 1)
}

fn photo(folder: &Path, exposure: f64) -> PathBuf {
    let path = folder.join(format!("in{exposure}.jpg"));
    std::fs::write(&path, room().jpeg(&Developing { exposure, ..Developing::default() }, 92)).expect("a photo");
    path
}

/// Walls, a ceiling and a floor, all far from blown, in some light.
fn plain_room(folder: &Path, light: f32) -> PathBuf {
    let path = folder.join(format!("plain{light}.jpg"));
    let picture = image::RgbImage::from_fn(600, 400, |x, y| {
        let surface = match y {
            0..60 => 0.75,
            330.. => 0.25,
            _ => 0.6,
        };
        let grain = 1.0 + 0.02 * ((x * 7 + y * 13) % 11) as f32 / 11.0;
        let value = surface * (0.7 + 0.3 * x as f32 / 600.0) * grain * light;
        image::Rgb(aerie_math::color::encoded([value; 3]).map(|v| (v / 257) as u8))
    });
    picture.save(&path).expect("a photo");
    path
}

fn made(photo: &Path, options: &Value, listing: &[Notes], out: &Path) -> Produced {
    run(&[photo.to_owned()], options, listing, out, &Cancel::default()).expect("an enhanced photo")
}

/// Enhances the first photo; the others are its exposures.
fn run(
    photos: &[PathBuf],
    options: &Value,
    listing: &[Notes],
    out: &Path,
    cancel: &Cancel,
) -> Result<Produced, EngineError> {
    let request = ImageEnhanceRequest::from_body(&json!({"image_url": "u", "options": options})).expect("a request");
    let exposures = photos.iter().skip(1).enumerate();
    let mut inputs: BTreeMap<_, _> =
        exposures.map(|(at, photo)| (format!("options/exposures/{at}"), photo.clone())).collect();
    inputs.insert("image_url".to_owned(), photos[0].clone());
    let context = EngineContext {
        data_dir: out,
        pack_dir: out,
        sources: &Sources::default(),
        out_dir: out,
        inputs: &inputs,
        listing,
        parent: None,
        progress: &|_| {},
        cancel,
    };
    image_enhance::run(&request, &context)
}

#[test]
fn the_file_has_the_requested_format_size_and_label() {
    let folder = tempfile::tempdir().expect("a folder");
    let photo = photo(folder.path(), 0.0);
    for (format, ending, media_type) in
        [("jpeg", "jpg", "image/jpeg"), ("png", "png", "image/png"), ("webp", "webp", "image/webp")]
    {
        let options = |label: Value| json!({"format": format, "max_size": 300, "label": label});
        let plain = made(&photo, &options(Value::Null), &[], folder.path());
        assert_eq!((&plain.fields["width"], plain.fields["height"].as_u64()), (&json!(300), Some(200)));
        let file = plain.files.iter().find(|f| f.field == "image_url").expect("the photo");
        assert_eq!(
            (file.content_type.as_ref(), file.path.extension().and_then(|e| e.to_str())),
            (media_type, Some(ending))
        );
        let bytes = std::fs::read(&file.path).expect("a file");
        let decoded = aerie_photo::decode(&bytes).expect("a picture");
        assert_eq!((decoded.width, decoded.height), (300, 200), "{format}");

        let labeled = made(&photo, &options(json!("Digitally altered")), &[], folder.path());
        let foot = |photo: &aerie_photo::Photo| {
            let strip = &photo.pixels[300 * 190..];
            strip.iter().map(|p| u64::from(p[1])).sum::<u64>() / strip.len() as u64
        };
        let path = &labeled.files.iter().find(|f| f.field == "image_url").expect("the photo").path;
        let labeled = aerie_photo::decode_file(path).expect("a picture");
        assert!(foot(&labeled) < foot(&decoded) * 3 / 4, "{format}: {} of {}", foot(&labeled), foot(&decoded));
    }
}

#[test]
fn every_printable_character_has_a_glyph() {
    for c in ('\0'..='\u{10000}').filter(|c| aerie_engine_api::photo::is_printable(*c)) {
        assert!(aerie_photo::encode::has_glyph(c), "{c:?} has no glyph");
    }
}

#[test]
fn photos_of_a_listing_are_matched_to_the_notes_of_earlier_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = json!({"listing_id": "a", "prompt": "indoors, do not straighten"});
    let (bright, dark) = (plain_room(folder.path(), 0.9), plain_room(folder.path(), 0.3));
    let first = made(&bright, &options, &[], folder.path());
    let lightness = |produced: &Produced| {
        let path = &produced.files.iter().find(|f| f.field == "image_url").expect("the photo").path;
        let photo = aerie_photo::decode_file(path).expect("a picture");
        let sum: f64 =
            photo.pixels.iter().map(|p| f64::from(aerie_math::color::lab(aerie_math::color::linear(*p))[0])).sum();
        sum / photo.pixels.len() as f64
    };
    let wanted = lightness(&first);
    let alone = lightness(&made(&dark, &options, &[], folder.path()));
    // Notes that cannot be read are as good as none.
    let notes = [Notes::from_iter([("intent".to_owned(), json!("?"))]), first.notes.clone(), first.notes];
    let together = lightness(&made(&dark, &options, &notes, folder.path()));
    assert!(alone < wanted && (together - wanted).abs() < (alone - wanted).abs() - 0.5, "{wanted} {alone} {together}");
}

#[test]
fn exposures_are_merged_and_the_output_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let photos = [0.0, -2.0, 2.0].map(|exposure| photo(folder.path(), exposure));
    let options = json!({"exposures": ["a", "b"], "prompt": "do not straighten"});
    let make = || run(&photos, &options, &[], folder.path(), &Cancel::default()).expect("a merged photo");
    let produced = make();
    let exposures = &produced.fields["exposures"];
    assert_eq!((&exposures["merged"], exposures["others"].as_array().map(Vec::len)), (&json!(3), Some(2)));
    for (other, stops) in exposures["others"].as_array().into_iter().flatten().zip([-2.0, 2.0]) {
        assert_eq!(other["merged"], true);
        let exposure = other["exposure"].as_f64().expect("a number");
        assert!((exposure - stops).abs() < 0.5, "{other}");
        assert!(other["shift"][0].as_f64().expect("pixels").abs() < 0.3, "{other}");
        assert!(other["moved"].as_f64().expect("a share") < 0.05, "{other}");
    }
    let disclosure = &produced.fields["disclosure"];
    let source = "http://cv.iptc.org/newscodes/digitalsourcetype/computationalCapture";
    assert_eq!((&disclosure["digital_source_type"], &disclosure["altered"]), (&json!(source), &json!(false)));
    assert_eq!((&produced.fields["width"], &produced.fields["height"]), (&json!(600), &json!(400)));
    let file = |produced: &Produced| {
        let file = produced.files.iter().find(|file| file.field == "image_url").expect("the photo");
        std::fs::read(&file.path).expect("a file")
    };
    let bytes = file(&produced);
    assert!(bytes.windows(source.len()).any(|window| window == source.as_bytes()));
    assert_eq!(bytes, file(&make()));
}

#[test]
fn an_exposure_that_does_not_fit_is_refused_by_its_field_and_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let [own, dark] = [0.0, -2.0].map(|exposure| photo(folder.path(), exposure));
    let scene = folder.path().join("scene.jpg");
    let imagined = imagine(11, &Style { width: 600, height: 400, casual: 0.0, ..Style::default() });
    let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
    std::fs::write(&scene, view.jpeg(&Developing::default(), 92)).expect("a photo");
    let broken = folder.path().join("broken.jpg");
    std::fs::write(&broken, "no photo").expect("a file");
    let options = json!({"exposures": ["a", "b"]});
    for (bad, expected, message) in [
        (scene, FailureCode::ExposureMismatch, "`options.exposures[1]` does not show the view of `image_url`"),
        (broken, FailureCode::ImageUnreadable, "`options.exposures[1]`: "),
    ] {
        let photos = [own.clone(), dark.clone(), bad];
        match run(&photos, &options, &[], folder.path(), &Cancel::default()) {
            Err(EngineError::Fail(Failure { code, message: why, .. })) => {
                assert!(code == expected && why.starts_with(message), "{code:?} {why}");
            }
            other => panic!("{other:?}"),
        }
    }
    // One of another size is left out.
    let small = folder.path().join("small.jpg");
    image::RgbImage::from_pixel(500, 400, image::Rgb([120; 3])).save(&small).expect("a photo");
    let photos = [own.clone(), dark.clone(), small];
    let produced = run(&photos, &options, &[], folder.path(), &Cancel::default()).expect("a merged photo");
    let exposures = &produced.fields["exposures"];
    assert_eq!(exposures["merged"], 2);
    let why = exposures["others"][1]["left_out"].as_str().expect("a reason");
    assert!(why.starts_with("it has 500 x 400 pixels, but `image_url` has 600 x 400"), "{why}");
    let cancel = Cancel::default();
    cancel.cancel();
    let canceled = run(&[own, dark], &json!({"exposures": ["a"]}), &[], folder.path(), &cancel);
    assert!(matches!(canceled, Err(EngineError::Canceled)));
}
