//! Boundaries, drawn and as GeoJSON.

use aerie_boundary::geojson::{ParsedBoundary, parse};
use aerie_boundary::{GroundTransform, Picture, measure};
use serde_json::{Value, json};

/// A drawing: width and height in a byte each, the ground transform as JSON up to a line feed, then strokes of four bytes: position,
/// color, and pen size, of which 0 lifts the pen.
pub fn boundary_drawing(bytes: &[u8]) {
    let [width, height, rest @ ..] = bytes else { return };
    let [width, height] = [width, height].map(|side| 24 + usize::from(*side) % 105);
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let ground: Option<GroundTransform> = serde_json::from_slice(&rest[..end]).ok();
    let clean = scene(width, height);
    let mut drawn = clean.clone();
    let mut pen: Option<[usize; 2]> = None;
    let (strokes, _) = rest[end..].get(1..).unwrap_or_default().as_chunks::<4>();
    for [x, y, color, size] in strokes.iter().take(256) {
        let at = [usize::from(*x) * width / 256, usize::from(*y) * height / 256];
        if let Some(from) = pen.filter(|_| *size > 0) {
            stroke(&mut drawn, from, at, [*color, 255 - color, color.wrapping_mul(7)], 1 + usize::from(*size) % 6);
        }
        pen = Some(at);
    }
    // Of another picture, it is refused.
    let ground = ground.filter(|ground| ground.check(&clean).is_ok());
    let measured = measure(&drawn, &clean, ground.as_ref()).expect("the transform is checked");
    assert_eq!(measured.boundary.is_null(), measured.boundary_reason.is_some(), "{measured:?}");
    if measured.boundary.is_null() {
        return;
    }
    let confidence = measured.boundary["properties"]["confidence"].as_f64();
    assert!(confidence.is_some_and(|share| (0.0..=1.0).contains(&share)), "{measured:?}");
    // A transform may lie anywhere, even off the earth.
    if ground.is_none() {
        let parsed = parse(&measured.boundary).expect("a measured boundary can be read again");
        assert_eq!(parsed.image, Some([width as f64, height as f64]));
    }
    assert_eq!(measure(&drawn, &clean, ground.as_ref()), Ok(measured), "the same drawing gives the same boundary");
}

/// A boundary as GeoJSON.
pub fn boundary_geojson(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let Ok(parsed) = parse(&value) else { return };
    let positions = parsed.polygons.iter().flatten().map(Vec::len);
    assert!(positions.clone().sum::<usize>() <= 2000 && positions.min().is_some_and(|least| least >= 3));
    let printed = json!({
        "type": "Feature",
        "geometry": {"type": "MultiPolygon", "coordinates": parsed.polygons},
        "properties": properties(&parsed),
    });
    assert_eq!(parse(&printed).as_ref(), Ok(&parsed), "a boundary is the same when printed and read again");
}

fn properties(parsed: &ParsedBoundary) -> Value {
    match parsed.image {
        Some([width, height]) => json!({"coordinates": "image", "image_width": width, "image_height": height}),
        None => json!({}),
    }
}

/// A picture with structure everywhere, so that two can be registered.
fn scene(width: usize, height: usize) -> Picture {
    let pixel = |i: usize| {
        let (x, y) = (i % width, i / width);
        let block = (x / 5 * 31 + y / 7 * 17) * 2_654_435_761 % 251;
        [block as u8, (x * 3 + y) as u8 / 2 + 40, (y * 5 + block) as u8 / 3 + 60]
    };
    Picture::new(width, height, (0..width * height).map(pixel).collect())
}

fn stroke(picture: &mut Picture, from: [usize; 2], to: [usize; 2], color: [u8; 3], size: usize) {
    let steps = from[0].abs_diff(to[0]).max(from[1].abs_diff(to[1])).max(1);
    for step in 0..=steps {
        let [x, y] = [0, 1].map(|axis| (from[axis] * (steps - step) + to[axis] * step) / steps);
        for v in y..(y + size).min(picture.height) {
            for u in x..(x + size).min(picture.width) {
                picture.pixels[v * picture.width + u] = color;
            }
        }
    }
}
