//! Image enhancement end to end: the requested file, and matching photos of one listing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aerie_domain::kinds::image_enhance::ImageEnhanceRequest;
use aerie_engines::{Cancel, EngineContext, Notes, Produced, image_enhance};
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
        image::Rgb(aerie_photo::color::encoded([value; 3]).map(|v| (v / 257) as u8))
    });
    picture.save(&path).expect("a photo");
    path
}

fn made(photo: &Path, options: &Value, listing: &[Notes], out: &Path) -> Produced {
    let request = ImageEnhanceRequest::from_body(&json!({"image_url": "u", "options": options})).expect("a request");
    let inputs = BTreeMap::from([("image_url".to_owned(), photo.to_owned())]);
    let context = EngineContext {
        data_dir: out,
        pack_dir: out,
        sources: &aerie_engines::Sources::default(),
        out_dir: out,
        inputs: &inputs,
        listing,
        parent: None,
        progress: &|_| {},
        cancel: &Cancel::default(),
    };
    image_enhance::run(&request, &context).expect("an enhanced photo")
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
    for c in ('\0'..='\u{10000}').filter(|c| aerie_domain::photo::is_printable(*c)) {
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
            photo.pixels.iter().map(|p| f64::from(aerie_photo::color::lab(aerie_photo::color::linear(*p))[0])).sum();
        sum / photo.pixels.len() as f64
    };
    let wanted = lightness(&first);
    let alone = lightness(&made(&dark, &options, &[], folder.path()));
    // Notes that cannot be read are as good as none.
    let notes = [Notes::from_iter([("intent".to_owned(), json!("?"))]), first.notes.clone(), first.notes];
    let together = lightness(&made(&dark, &options, &notes, folder.path()));
    assert!(alone < wanted && (together - wanted).abs() < (alone - wanted).abs() - 0.5, "{wanted} {alone} {together}");
}
