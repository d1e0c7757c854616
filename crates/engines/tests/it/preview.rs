//! A preview of a flight over the sample town: a still of each direction.

use std::collections::{BTreeMap, BTreeSet};

use aerie_engine_api::{Cancel, EngineContext, JobInput, JobType, Sources};
use image::RgbImage;
use serde_json::json;

#[test]
fn a_preview_is_a_still_of_each_direction_with_ground_all_over_and_the_house_outlined() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).expect("a folder for the stills");
    let context = EngineContext {
        data_dir: folder.path(),
        pack_dir: folder.path(),
        sources: &Sources::default(),
        out_dir: &out,
        inputs: &BTreeMap::new(),
        listing: &[],
        parent: None,
        progress: &|_| {},
        cancel: &Cancel::default(),
    };
    let options = json!({"aspect_ratio": "1:1", "label": false});
    let body = json!({"address": aerie_sample_town::SAMPLE_ADDRESSES[0], "options": options});
    let mut input = JobInput::from_body(JobType::DroneFootage, &body).expect("a request");
    input.request_mut().make_preview();
    let produced = aerie_engines::run(&input, &context).expect("the stills are made");

    let directions: Vec<&str> = produced.fields["previews"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|preview| preview["direction"].as_str())
        .collect();
    assert_eq!(directions, ["original", "north", "south", "east", "west", "topdown_zoomout", "topdown_zoomin"]);
    assert_eq!(produced.files.len(), 7);
    let mut seen = BTreeSet::new();
    for (index, file) in produced.files.iter().enumerate() {
        assert_eq!(file.field, format!("previews/{index}/image_url"));
        let still: RgbImage = image::open(&file.path).expect("a JPEG").into_rgb8();
        assert_eq!(still.dimensions(), (640, 640));
        // Ground that no camera was expected to see is black; leaves in the shade are so in small spots alone.
        let is_dark = |x: u32, y: u32| still.get_pixel(x, y).0.iter().all(|value| *value < 12);
        let is_black = |tile: u32| {
            let (left, top) = (tile % 40 * 16, tile / 40 * 16);
            (0..16).all(|y| (0..16).all(|x| is_dark(left + x, top + y)))
        };
        let black = (0..40 * 40).filter(|tile| is_black(*tile)).count();
        assert_eq!(black, 0, "{}: squares without ground", directions[index]);
        // No roof or plant is of this yellow.
        let is_ink = |pixel: &&image::Rgb<u8>| pixel.0[0] > 190 && pixel.0[1] > 150 && pixel.0[2] < 105;
        let ink = still.pixels().filter(is_ink).count();
        assert!((80..6_000).contains(&ink), "{}: {ink} pixels of the outline", directions[index]);
        seen.insert(still.into_raw());
    }
    assert_eq!(seen.len(), 7, "each direction is seen from elsewhere");
}
