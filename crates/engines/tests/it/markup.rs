//! A markup of the sample town: four pictures from above, and a boundary drawn on one of them measured on the ground.

use std::collections::BTreeMap;
use std::path::Path;

use aerie_boundary::{GroundTransform, NotItsPicture, Picture};
use aerie_engine_api::kinds::markup::MarkupRequest;
use aerie_engine_api::{Cancel, EngineContext, Produced, Sources};
use aerie_engines::markup;
use image::RgbImage;

fn made(out: &Path, data: &Path) -> Produced {
    let request = MarkupRequest { address: aerie_sample_town::SAMPLE_ADDRESSES[0].to_owned(), options: None };
    let context = EngineContext {
        data_dir: data,
        pack_dir: data,
        sources: &Sources::default(),
        out_dir: out,
        inputs: &BTreeMap::new(),
        listing: &[],
        parent: None,
        progress: &|_| {},
        cancel: &Cancel::default(),
    };
    markup::run(&request, &context).expect("the pictures are made")
}

fn open(produced: &Produced, field: &str) -> RgbImage {
    let file = produced.files.iter().find(|f| f.field == field).expect("the file is there");
    image::open(&file.path).expect("a JPEG").into_rgb8()
}

fn picture(image: &RgbImage) -> Picture {
    Picture::new(image.width() as usize, image.height() as usize, image.pixels().map(|p| p.0).collect())
}

/// A closed red line, `width` pixels wide.
fn draw(image: &mut RgbImage, ring: &[[f64; 2]], width: f64) {
    let to_segment = |p: [f64; 2], a: [f64; 2], b: [f64; 2]| {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        (p[0] - a[0] - t * dx).hypot(p[1] - a[1] - t * dy)
    };
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        let p = [f64::from(x) + 0.5, f64::from(y) + 0.5];
        let near = (0..ring.len()).map(|i| to_segment(p, ring[i], ring[(i + 1) % ring.len()])).fold(f64::MAX, f64::min);
        if near < 0.5 * width {
            *pixel = image::Rgb([230, 20, 30]);
        }
    }
}

#[test]
fn four_rotated_pictures_have_ground_transforms_and_a_boundary_drawn_on_one_is_measured() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).expect("a folder for the pictures");
    let produced = made(&out, folder.path());

    let variants = produced.fields["orientation_variants"].as_array().expect("a list").clone();
    let keys: Vec<&str> = variants.iter().filter_map(|v| v["key"].as_str()).collect();
    assert_eq!(keys, ["bottom", "left", "top", "right"]);
    let ground = &produced.notes["ground"];
    for index in 0..4 {
        let preview = open(&produced, &format!("orientation_variants/{index}/preview_url"));
        let enhanced = open(&produced, &format!("orientation_variants/{index}/enhanced_url"));
        assert_eq!((preview.dimensions(), enhanced.dimensions()), ((1024, 1024), (2048, 2048)));
    }

    // Turned, the second is the first, but for the captions below.
    let [first, second] = [0, 1].map(|i| open(&produced, &format!("orientation_variants/{i}/preview_url")));
    let mut off = 0.0;
    for (x, y, pixel) in image::imageops::rotate90(&first).enumerate_pixels().filter(|(x, y, _)| *x > 100 && *y < 900) {
        off += (0..3).map(|c| f64::from(pixel.0[c].abs_diff(second.get_pixel(x, y).0[c]))).sum::<f64>();
    }
    assert!(off / f64::from(3 * 1024 * 1024) < 2.0, "{}", off / f64::from(3 * 1024 * 1024));

    // A plot of 24 by 18 meters, drawn on the picture with the front at the top, comes back as what it was.
    let transform: GroundTransform = serde_json::from_value(ground["top"].clone()).expect("a ground transform");
    let middle = transform.local([1024.0, 1024.0]);
    let plot = [[-12.0, -9.0], [12.0, -9.0], [12.0, 9.0], [-12.0, 9.0]].map(|[x, y]| [middle[0] + x, middle[1] + y]);
    let ring = plot.map(|p| transform.pixel(p).expect("it can be undone"));
    let clean = open(&produced, "orientation_variants/2/enhanced_url");
    let mut annotated = clean.clone();
    draw(&mut annotated, &ring, 9.0);
    let measured = aerie_boundary::measure(&picture(&annotated), &picture(&clean), Some(&transform))
        .expect("the transform of this picture");
    assert_eq!(measured.boundary_reason, None);
    let properties = &measured.boundary["properties"];
    let area = properties["area_m2"].as_f64().expect("an area");
    assert!((area / (24.0 * 18.0) - 1.0).abs() < 0.01, "{area} m2");
    let mut edges: Vec<f64> = serde_json::from_value(properties["edge_lengths_m"][0].clone()).expect("lengths");
    edges.sort_by(f64::total_cmp);
    for (edge, truth) in edges.iter().zip([18.0, 18.0, 24.0, 24.0]) {
        assert!((edge - truth).abs() < 0.12, "{edges:?}");
    }
    // The preview of the same variant lies on the same ground.
    let small = open(&produced, "orientation_variants/2/preview_url");
    let mut annotated = small.clone();
    draw(&mut annotated, &ring.map(|p| p.map(|v| 0.5 * v)), 5.0);
    let measured = aerie_boundary::measure(&picture(&annotated), &picture(&small), Some(&transform))
        .expect("the transform of this picture");
    let of_another: GroundTransform = serde_json::from_value(ground["left"].clone()).expect("a ground transform");
    let refused = aerie_boundary::measure(&picture(&annotated), &picture(&small), Some(&of_another));
    assert_eq!(refused, Err(NotItsPicture::Content), "the transform of another orientation");
    let area = measured.boundary["properties"]["area_m2"].as_f64().expect("an area");
    assert!((area / (24.0 * 18.0) - 1.0).abs() < 0.015, "{area} m2 on the preview");
}

/// Green tiles of zoom 19 around a place with a white dot on it, as a tile file of the operator.
fn imagery(path: &Path, at: aerie_geodata::place::GeoPoint) {
    let world = 256.0 * 19_f64.exp2();
    let y = 0.5 - at.lat.to_radians().tan().asinh() / (2.0 * std::f64::consts::PI);
    let dot = [(at.lon + 180.0) / 360.0 * world, y * world];
    let [column, row] = dot.map(|v| (v / 256.0) as u32);
    let db = rusqlite::Connection::open(path).expect("a database");
    db.execute_batch(
        "CREATE TABLE metadata (name TEXT, value TEXT); INSERT INTO metadata VALUES ('attribution', '&copy; Flyers');
         CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);",
    )
    .expect("tables");
    for (x, y) in (row - 3..=row + 3).flat_map(|y| (column - 3..=column + 3).map(move |x| (x, y))) {
        let tile = RgbImage::from_fn(256, 256, |i, j| {
            let away = [f64::from(x * 256 + i) + 0.5 - dot[0], f64::from(y * 256 + j) + 0.5 - dot[1]];
            let white = (-(away[0] * away[0] + away[1] * away[1]) / 18.0).exp();
            image::Rgb([60.0, 90.0, 50.0].map(|v| (v + (230.0 - v) * white) as u8))
        });
        let mut jpeg = std::io::Cursor::new(Vec::new());
        tile.write_to(&mut jpeg, image::ImageFormat::Jpeg).expect("a tile");
        db.execute("INSERT INTO tiles VALUES (19, ?1, ?2, ?3)", (x, (1 << 19) - 1 - y, jpeg.into_inner()))
            .expect("a row");
    }
}

#[test]
fn where_imagery_covers_the_property_the_pictures_show_it_at_the_right_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pack = aerie_sample_town::open(folder.path()).expect("the sample town");
    let found = aerie_geocode::geocode(&pack, aerie_sample_town::SAMPLE_ADDRESSES[0]).expect("the address");
    let file = folder.path().join("imagery.mbtiles");
    imagery(&file, aerie_geodata::place::GeoPoint { lat: found.lat, lon: found.lon });
    let options = aerie_import::ImportOptions::new(folder.path());
    aerie_import::import(&[file], &options).expect("imagery");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).expect("a folder for the pictures");
    let produced = made(&out, folder.path());
    for (index, key) in ["bottom", "left", "top", "right"].into_iter().enumerate() {
        let transform: GroundTransform =
            serde_json::from_value(produced.notes["ground"][key].clone()).expect("a ground transform");
        let want = transform.pixel([0.0, 0.0]).expect("it can be undone");
        let picture = open(&produced, &format!("orientation_variants/{index}/enhanced_url"));
        let mut sum = [0.0; 3];
        for (x, y, pixel) in picture.enumerate_pixels() {
            let p = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let weight = f64::from(pixel.0[0]) - 130.0;
            if weight > 0.0 && (p[0] - want[0]).hypot(p[1] - want[1]) < 90.0 {
                sum = [sum[0] + weight * p[0], sum[1] + weight * p[1], sum[2] + weight];
            }
        }
        let off = (sum[0] / sum[2] - want[0]).hypot(sum[1] / sum[2] - want[1]);
        assert!(off < 1.0, "{key}: the dot lies {off:.2} pixels from {want:?}");
    }
    let bytes = std::fs::read(out.join("top_enhanced.jpg")).expect("the picture");
    let says = |text: &str| bytes.windows(text.len()).any(|w| w == text.as_bytes());
    assert!(says("© Flyers") && says("Aerial imagery from straight above"), "the picture says whom to credit");
}
