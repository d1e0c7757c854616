//! Top-down pictures of a property in four orientations: geocode, gather the place, cut the picture from imagery where that
//! covers it or else render the scene once without perspective; rotate it, grade it. Each picture comes with the transform
//! from its pixels to the ground.

mod aerial;
mod framing;
mod nv12;
mod ornaments;

use aerie_boundary::{GroundTransform, Signature};
use aerie_engine_api::kinds::markup::MarkupRequest;
use aerie_engine_api::{EngineContext, EngineError, Produced, ProducedFile};
use aerie_geodata::place::Place;
use aerie_render::caption::{Caption, Corner};
use aerie_render::{Gpu, RenderError, still};
use aerie_render::{Picture, SceneRenderer};
use aerie_scenery::Flight;
use serde_json::{Value, json};

use crate::location::find;
use crate::report;
use framing::{Frame, PICTURE, SIDE};
use ornaments::Ornaments;

/// Distance from the property to which objects are gathered, meters: those in view and those that cast shadows into it.
const RADIUS: f64 = 350.0;

/// A variant: the edge at which the street front lies, and its two pictures.
struct Variant {
    key: &'static str,
    /// Quarter turns clockwise from the one with the front at the bottom.
    turns: usize,
    preview: (&'static str, &'static str),
    enhanced: (&'static str, &'static str),
}

/// In the order of the output. Rotating the picture clockwise moves the bottom edge to the left.
const VARIANTS: [Variant; 4] = [
    Variant {
        key: "bottom",
        turns: 0,
        preview: ("orientation_variants/0/preview_url", "bottom_preview.jpg"),
        enhanced: ("orientation_variants/0/enhanced_url", "bottom_enhanced.jpg"),
    },
    Variant {
        key: "left",
        turns: 1,
        preview: ("orientation_variants/1/preview_url", "left_preview.jpg"),
        enhanced: ("orientation_variants/1/enhanced_url", "left_enhanced.jpg"),
    },
    Variant {
        key: "top",
        turns: 2,
        preview: ("orientation_variants/2/preview_url", "top_preview.jpg"),
        enhanced: ("orientation_variants/2/enhanced_url", "top_enhanced.jpg"),
    },
    Variant {
        key: "right",
        turns: 3,
        preview: ("orientation_variants/3/preview_url", "right_preview.jpg"),
        enhanced: ("orientation_variants/3/enhanced_url", "right_enhanced.jpg"),
    },
];

/// Makes the four variants. Files link from `orientation_variants/N/preview_url` and `orientation_variants/N/enhanced_url`,
/// paths into the output; the field `orientation_variants` holds their keys and `ground`, and `suggested_boundary` the parcel
/// as GeoJSON, where one is imported. The note `ground` holds for each key the [`GroundTransform`] of its enhanced picture.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`, [`EngineError::Retry`] when the device or the
/// disk failed, [`EngineError::Canceled`].
pub fn run(request: &MarkupRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    context.report("finding the address", 0, 0);
    let mut place = find(context, &request.address, RADIUS)?;
    context.stop_if_canceled()?;
    let mut frame = Frame::around(&place);
    let aerial = aerial::view(context, &mut place, &mut frame)?;
    context.stop_if_canceled()?;
    context.report("building the scene", 0, 0);
    let drawn = match &aerial {
        Some(aerial) => nv12::from_rgba(&aerial.rgba),
        None => draw(&place, &frame)?,
    };
    context.stop_if_canceled()?;

    let (report, notice) = match &aerial {
        Some(_) => (report::imagery(&place), "Aerial imagery"),
        None => (report::still(&place), "Map-based aerial visual"),
    };
    let wanted = Ornaments::of(request.options.as_ref());
    let origin = if aerial.is_some() { report::mosaic(&place, &report) } else { report::drawn(&place, &report, false) };
    let mut produced = Produced { origin: Some(Box::new(origin)), ..Produced::default() };
    let (mut keys, mut ground) = (Vec::new(), serde_json::Map::new());
    for (done, variant) in VARIANTS.iter().enumerate() {
        context.report("drawing", done as u64, VARIANTS.len() as u64);
        context.stop_if_canceled()?;
        let mut nv12 = drawn.clone();
        (0..variant.turns).for_each(|_| nv12 = nv12::turned(&nv12, SIDE as usize));
        caption(&place, notice, &mut nv12).map_err(retry)?;
        wanted.draw(&frame, variant.turns, &mut nv12).map_err(retry)?;
        let mut plain = still::rgb_from_nv12(PICTURE, &nv12);
        let write = |(field, name): (&'static str, &'static str), side: u32, rgb: &[u8], quality: u8| {
            let path = context.out_dir.join(name);
            still::write_rgb_jpeg(&path, side, side, rgb, quality, Some(&report)).map_err(retry)?;
            Ok::<_, EngineError>(ProducedFile::new(field, path, "image/jpeg"))
        };
        produced.files.push(write(variant.preview, SIDE / 2, &nv12::halved(&plain, SIDE as usize), 88)?);
        if let Some(aerial) = &aerial {
            plain.iter_mut().for_each(|v| *v = aerial.tones[usize::from(*v)]);
        }
        let graded = nv12::graded(&plain, SIDE as usize);
        produced.files.push(write(variant.enhanced, SIDE, &graded, 92)?);
        let georeference = transform(&place, &frame, variant.turns, &graded);
        // Clients measure with it while they draw. The signature is of use to the server alone.
        keys.push(json!({"key": variant.key, "ground": json(&GroundTransform { signature: None, ..georeference })?}));
        ground.insert(variant.key.to_owned(), json(&georeference)?);
    }
    produced.fields.insert("orientation_variants".into(), Value::Array(keys));
    if let Some(parcel) = &place.property.parcel {
        let boundary = aerie_boundary::parcel(&parcel.outer, place.origin);
        produced.fields.insert("suggested_boundary".into(), boundary);
    }
    produced.notes.insert("ground".into(), Value::Object(ground));
    Ok(produced)
}

/// Renders the place from above with the street front at the bottom, NV12.
fn draw(place: &Place, frame: &Frame) -> Result<Vec<u8>, EngineError> {
    let gpu = Gpu::open().map_err(retry)?;
    // The detail of plants follows from their distance to the flight; this one is low.
    let flight = Flight { cameras: vec![frame.camera(place, 90.0)] };
    let mut scene = aerie_scenery::scene(place, &flight);
    // The picture is orthographic, so the views of the flight do not apply.
    scene.views.clear();
    // No haze, and the finest ground level under the picture only.
    scene.light.haze_density = 0.0;
    if let Some(finest) = scene.ground_levels.first_mut() {
        finest.center.x = frame.center[0] as f32;
        finest.center.y = frame.center[1] as f32;
        finest.half_extent = finest.half_extent.min(frame.half as f32 * 1.5);
    }
    let supersampling = if gpu.is_software() { 1.414 } else { 2.0 };
    let renderer = SceneRenderer::new(&gpu, &scene, Picture { supersampling, ..PICTURE }).map_err(retry)?;
    let mut drawn = Vec::new();
    let camera = frame.camera(place, framing::FAR);
    renderer
        .render(
            1,
            |_| camera,
            |_, nv12| {
                drawn = nv12.to_vec();
                Ok(())
            },
        )
        .map_err(retry)?;
    Ok(drawn)
}

fn caption(place: &Place, notice: &str, nv12: &mut [u8]) -> Result<(), RenderError> {
    let size = SIDE as f32 / 72.0;
    Caption::new(PICTURE, notice, size, Corner::BottomLeft)?.blend(PICTURE, nv12, 0.75);
    Caption::new(PICTURE, &report::credits(place), size, Corner::BottomRight)?.blend(PICTURE, nv12, 0.9);
    Ok(())
}

/// The transform of the variant with `turns` quarter turns, with the signature of its picture.
fn transform(place: &Place, frame: &Frame, turns: usize, rgb: &[u8]) -> GroundTransform {
    let (pixels, _) = rgb.as_chunks::<3>();
    let picture = aerie_boundary::Picture::new(SIDE as usize, SIDE as usize, pixels.to_vec());
    let (origin, to_local) = (place.origin, frame.to_local(SIDE, turns));
    let signature = Some(Signature::of(&picture));
    GroundTransform { width: SIDE, height: SIDE, origin, to_local, signature }
}

fn json(ground: &GroundTransform) -> Result<Value, EngineError> {
    serde_json::to_value(ground).map_err(|e| EngineError::Retry(format!("cannot write the ground transform: {e}")))
}

fn retry(error: RenderError) -> EngineError {
    EngineError::Retry(error.to_string())
}

#[cfg(test)]
mod tests {
    use aerie_engine_api::kinds::markup::ORIENTATIONS;

    use super::*;

    #[test]
    fn pictures_are_named_as_the_command_line_expects() {
        assert_eq!(VARIANTS.map(|variant| variant.key), ORIENTATIONS);
        for (index, variant) in VARIANTS.iter().enumerate() {
            for (kind, (field, file)) in [("preview", variant.preview), ("enhanced", variant.enhanced)] {
                assert_eq!(field, format!("orientation_variants/{index}/{kind}_url"));
                assert_eq!(file, format!("{}_{kind}.jpg", variant.key));
            }
        }
    }
}
