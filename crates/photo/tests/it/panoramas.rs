//! Panoramas keep their projection and what describes it.

use aerie_photo::report::ENHANCED;
use aerie_photo::{Disclosure, EnhanceOptions, Format, OutputOptions, Preset, decode, enhance};
use aerie_test_data::tiff::{self, Directory};

use crate::hostile_files::picture;

const WHOLE: &str = "GPano:ProjectionType=\"equirectangular\" GPano:FullPanoWidthPixels=\"128\" GPano:FullPanoHeightPixels=\"64\" \
    GPano:CroppedAreaImageWidthPixels=\"128\" GPano:CroppedAreaImageHeightPixels=\"64\" GPano:CroppedAreaLeftPixels=\"0\" \
    GPano:CroppedAreaTopPixels=\"0\" GPano:InitialViewHeadingDegrees=\"90\" GPano:PoseHeadingDegrees='12.5'";

fn jpeg(width: u32, height: u32, tags: &str, exif: Option<&[u8]>) -> Vec<u8> {
    let packet = format!(
        "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description \
         xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\" {tags}/></x:xmpmeta>"
    );
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    encoder.add_app_segment(1, packet.into_bytes()).unwrap();
    if let Some(exif) = exif {
        encoder.add_exif_metadata(exif).unwrap();
    }
    let rgb = picture(width, height).into_rgb8();
    encoder.encode(rgb.as_raw(), width as u16, height as u16, jpeg_encoder::ColorType::Rgb).unwrap();
    bytes
}

#[test]
fn tags_are_scaled_with_the_picture_and_kept_in_each_format() {
    let photo = decode(&jpeg(128, 64, WHOLE, None)).unwrap();
    assert_eq!(photo.readings, ["read as a 360-degree panorama: its projection is kept"]);
    let panorama = photo.panorama.clone();
    let options = EnhanceOptions::new(Preset::Natural, Some("straighten the verticals"));
    let enhanced = enhance(photo, &options, None);
    let said = &enhanced.report.stepped_back;
    assert!(
        said.iter().any(|note| note.starts_with("not straightened: the photo is a 360-degree panorama")),
        "{said:?}"
    );
    let disclosure = Disclosure { text: "text".into(), digital_source_type: ENHANCED, altered: false };
    for format in Format::ALL {
        for (max_size, width) in [(None, 128), (Some(64), 64)] {
            let options = OutputOptions { format, max_size, panorama: panorama.clone(), ..OutputOptions::default() };
            let file = aerie_photo::encode(&enhanced.picture, &options, &disclosure, &[], None).unwrap().bytes;
            let again = decode(&file).unwrap();
            let tags = again.panorama.expect("a panorama").tags(again.width, again.height);
            let tag = |name: &str| tags.iter().find(|(tag, _)| *tag == name).map(|(_, value)| value.as_str());
            let [across, down] = [width, width / 2].map(|side: usize| side.to_string());
            assert_eq!(tag("ProjectionType"), Some("equirectangular"));
            assert_eq!((tag("FullPanoWidthPixels"), tag("FullPanoHeightPixels")), (Some(&across[..]), Some(&down[..])));
            assert_eq!(tag("CroppedAreaImageWidthPixels"), Some(&across[..]));
            assert_eq!((tag("InitialViewHeadingDegrees"), tag("PoseHeadingDegrees")), (Some("90"), Some("12.5")));
        }
    }
}

#[test]
fn a_panorama_is_one_by_evidence_and_not_by_its_proportions() {
    let camera = tiff::file(&[Directory::new().text(271, "RICOH").text(272, "RICOH THETA Z1")]);
    let other = tiff::file(&[Directory::new().text(271, "RICOH").text(272, "RICOH GR III")]);
    let is_panorama = |bytes: &[u8]| decode(bytes).unwrap().panorama.is_some();
    assert!(is_panorama(&jpeg(128, 64, "", Some(&camera))));
    assert!(is_panorama(&jpeg(128, 64, "GPano:UsePanoramaViewer=\"True\"", None)));
    assert!(is_panorama(&jpeg(128, 40, "GPano:ProjectionType=\"cylindrical\"", None)));
    assert!(!is_panorama(&jpeg(128, 64, "", None)));
    assert!(!is_panorama(&jpeg(128, 64, "", Some(&other))));
    assert!(!is_panorama(&jpeg(96, 64, "", Some(&camera))));
    // A part that was cut out, with the tags of the whole.
    assert!(!is_panorama(&jpeg(96, 64, WHOLE, None)));
}

#[test]
fn a_part_of_a_sphere_is_reported_with_the_degrees_that_it_covers() {
    for (full, name) in [
        (["256", "128"], "a panorama of 180 x 90 degrees"),
        (["128", "128"], "a panorama of 360 x 90 degrees"),
        (["128", "64"], "a 360-degree panorama"),
        (["0", "64"], "a 360-degree panorama"),
    ] {
        let [across, down] = full;
        let tags = WHOLE.replace("FullPanoWidthPixels=\"128", &format!("FullPanoWidthPixels=\"{across}"));
        let tags = tags.replace("FullPanoHeightPixels=\"64", &format!("FullPanoHeightPixels=\"{down}"));
        let photo = decode(&jpeg(128, 64, &tags, None)).unwrap();
        assert_eq!(photo.readings, [format!("read as {name}: its projection is kept")]);
    }
}
