//! Films of several pictures, through the engine and ffmpeg.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use aerie_engine_api::kinds::video_clip::VideoClipRequest;
use aerie_engine_api::{Cancel, EngineContext, EngineError, Failure, FailureCode, Produced, Sources};
use aerie_engines::video_clip;
use aerie_math::Rng;
use aerie_photo::Picture;
use serde_json::{Value, json};

const SIZE: [usize; 2] = [960, 540];

/// A picture of blots, enlarged about its middle.
fn picture(path: &Path, seed: u64, enlarged: f64) {
    let value = |x: f64, y: f64, level: i32| {
        let lattice = |u: f64, v: f64| {
            let place = (u as i64).cast_unsigned() << 32 ^ (v as i64).cast_unsigned() & 0xFFFF_FFFF;
            Rng::scattered(place ^ seed << 60 ^ (level.cast_unsigned() as u64) << 56).unit_f64()
        };
        let (x, y) = (x / f64::from(8 << level), y / f64::from(8 << level));
        let (left, top) = (x.floor(), y.floor());
        let row = |v: f64| lattice(left, v) * (left + 1.0 - x) + lattice(left + 1.0, v) * (x - left);
        row(top) * (top + 1.0 - y) + row(top + 1.0) * (y - top)
    };
    let pixel = |i: usize| {
        let [x, y] = [(i % SIZE[0]) as f64 - 480.0, (i / SIZE[0]) as f64 - 270.0].map(|v| v / enlarged + 5000.0);
        let light = (0..4).map(|level| value(x, y, level)).sum::<f64>() / 4.0;
        [(255.0 * light) as u8, (240.0 * light) as u8, (200.0 * light) as u8]
    };
    let pixels = (0..SIZE[0] * SIZE[1]).flat_map(pixel).collect();
    let picture = Picture { width: SIZE[0], height: SIZE[1], pixels };
    std::fs::write(path, aerie_photo::room::png(&picture).expect("a PNG")).expect("a file");
}

/// Three pictures: one, what a camera sees that came nearer to it, and another.
fn pictures(folder: &Path) -> [PathBuf; 3] {
    let paths = ["one.png", "nearer.png", "other.png"].map(|name| folder.join(name));
    for (path, (seed, enlarged)) in paths.iter().zip([(1, 1.0), (1, 1.25), (2, 1.0)]) {
        picture(path, seed, enlarged);
    }
    paths
}

fn film(photos: &[PathBuf], out_dir: &Path, cancel: &Cancel) -> Result<Produced, EngineError> {
    let further: Vec<Value> = (1..photos.len()).map(|_| json!({"image_url": "u"})).collect();
    let mut options = json!({"resolution": "720p", "aspect_ratio": "1:1", "caption": "Hall", "photos": further});
    options["photos"][1]["caption"] = "Kitchen".into();
    let request = VideoClipRequest::from_body(&json!({"image_url": "u", "options": options})).expect("a request");
    let further = (0..photos.len() - 1).map(|at| format!("options/photos/{at}/image_url"));
    let names = std::iter::once("image_url".to_owned()).chain(further);
    let inputs: BTreeMap<String, PathBuf> = names.zip(photos.iter().cloned()).collect();
    let context = EngineContext {
        data_dir: out_dir,
        pack_dir: out_dir,
        sources: &Sources::default(),
        out_dir,
        inputs: &inputs,
        listing: &[],
        parent: None,
        progress: &|_| {},
        cancel,
    };
    video_clip::run(&request, &context)
}

/// Every frame's luma, 8 bits, with an eighth of the pixels across and down.
fn frames(video: &Path) -> Vec<Vec<u8>> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(video)
        .args(["-vf", "scale=160:90:flags=area", "-f", "rawvideo", "-pix_fmt", "gray", "pipe:1"])
        .output()
        .expect("ffmpeg");
    assert!(output.status.success());
    output.stdout.chunks_exact(160 * 90).map(<[u8]>::to_vec).collect()
}

/// Mean difference of frames, code values.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.len() as f64
}

#[test]
fn a_film_goes_through_its_photos_along_what_two_of_them_share_and_fades_into_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let produced = film(&pictures(folder.path()), folder.path(), &Cancel::default()).expect("a film");
    let (motion, disclosure) = (&produced.fields["motion"], &produced.fields["disclosure"]["text"]);
    assert_eq!(produced.fields["duration"], 15);
    let kinds: Vec<&Value> = motion["joins"].as_array().expect("joins").iter().map(|join| &join["kind"]).collect();
    assert_eq!(kinds, ["geometric", "cross_fade"], "{motion}");
    assert!(motion["joins"][1]["reason"].is_string(), "{motion}");
    let photos = motion["photos"].as_array().expect("photos");
    assert_eq!(photos.iter().map(|photo| &photo["photo"]).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(
        photos.iter().map(|photo| &photo["caption"]).collect::<Vec<_>>(),
        [&json!("Hall"), &Value::Null, &json!("Kitchen")]
    );
    // The camera comes nearer on the way, and before and after it.
    for photo in &photos[..2] {
        assert_eq!(photo["moves"][0]["move"], "push_in", "{motion}");
    }
    let text = disclosure.as_str().expect("a text");
    assert!(text.contains("made from 3 photos") && text.contains("photos 1 to 2."), "{text}");
    assert!(folder.path().join("thumbnail.jpg").is_file());

    let frames = frames(&folder.path().join("video.mp4"));
    assert_eq!(frames.len(), 450);
    let steps: Vec<f64> = frames.windows(2).map(|pair| difference(&pair[0], &pair[1])).collect();
    let at = |value: &Value| (value.as_f64().expect("seconds") * 30.0).round() as usize;
    let [way, fade] = [0, 1].map(|number| {
        let join = &motion["joins"][number];
        at(&join["starts_at"])..at(&join["ends_at"])
    });
    // Frames without captions, which change by themselves.
    let moves_on = |range: std::ops::Range<usize>| steps[range].iter().all(|step| *step > 0.05);
    assert!(moves_on(way.start - 3..way.end + 3) && moves_on(fade.start - 3..fade.end + 3), "the camera stands still");
    let most = steps[way.start - 3..way.end + 3].iter().copied().fold(0.0, f64::max);
    let between = difference(&frames[way.start - 1], &frames[way.end]);
    assert!(most < 0.4 * between, "a jump of {most} on a way of {between}");
    assert!(steps[0] < 0.5 * steps[40], "it does not start at rest");
}

#[test]
fn a_bad_photo_is_named_before_anything_is_filmed() {
    let folder = tempfile::tempdir().expect("a folder");
    let photos = pictures(folder.path());
    std::fs::write(&photos[2], "not a picture").expect("a file");
    let error = film(&photos, folder.path(), &Cancel::default()).expect_err("no film");
    let EngineError::Fail(Failure { code: FailureCode::ImageUnreadable, message, .. }) = error else {
        panic!("{error}")
    };
    assert!(message.starts_with("photo 3 of 3, `options.photos[1]`: "), "{message}");
    assert!(!folder.path().join("video.mp4").exists());
}

#[test]
fn a_canceled_film_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let cancel = Cancel::default();
    cancel.cancel();
    assert!(matches!(film(&pictures(folder.path()), folder.path(), &cancel), Err(EngineError::Canceled)));
}
