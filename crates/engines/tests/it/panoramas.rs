//! What needs a flat photo refuses a panorama, and says so.

use std::path::{Path, PathBuf};

use aerie_engine_api::{EngineError, Failure, FailureCode};
use aerie_engines::inspect_room::inspect_room;
use serde_json::json;

use crate::{video_clip, virtual_staging};

/// Inserts an XMP packet that says "equirectangular" into a JPEG of twice its height.
fn panorama(folder: &Path) -> PathBuf {
    let path = folder.join("sphere.jpg");
    let shade = |x: u32, y: u32| image::Rgb([(x % 256) as u8, (y % 256) as u8, 120]);
    image::RgbImage::from_fn(640, 320, shade).save(&path).expect("a picture");
    let mut file = std::fs::read(&path).expect("a picture");
    let packet = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description \
        xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\" GPano:ProjectionType=\"equirectangular\"/></x:xmpmeta>";
    let mut segment = vec![0xFF, 0xE1];
    segment.extend((packet.len() as u16 + 2).to_be_bytes());
    segment.extend(packet.as_bytes());
    file.splice(2..2, segment);
    std::fs::write(&path, file).expect("a file");
    path
}

#[test]
fn staging_clips_and_measurements_of_a_room_refuse_a_panorama_with_the_reason_and_a_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let image = panorama(folder.path());
    let staged = virtual_staging::run(&image, folder.path(), json!({})).map(|_| ());
    let filmed = video_clip::clip(&image, folder.path(), &json!({"duration": 3})).map(|_| ());
    let inspected = inspect_room(&image, None).map(|_| ());
    for (refused, expected) in [
        (staged, FailureCode::NotARoom),
        (filmed, FailureCode::ImageUnreadable),
        (inspected, FailureCode::ImageUnreadable),
    ] {
        match refused {
            Err(EngineError::Fail(Failure { code, message, .. })) => {
                assert_eq!(code, expected, "{message}");
                assert!(message.contains("a 360-degree panorama, not a flat photo"), "{message}");
                assert!(message.contains("export one from the panorama"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
