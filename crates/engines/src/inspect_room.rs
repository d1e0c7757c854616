//! Reports what is recognized of the room in a photo.

use std::path::Path;

use aerie_engine_api::{EngineError, FailureCode};
use aerie_photo::lines;
use aerie_photo::room::{Hints, Layout, overlay, png};
use serde_json::{Value, json};

use crate::photos;

/// Reconstructs the room in a photo, returns it as JSON, and draws it over the photo into the PNG file `drawn`.
///
/// Lengths are in camera heights unless noted otherwise; positions in the picture are in pixels, angles in degrees.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE`; [`EngineError::Retry`] when the drawing cannot be written.
pub fn inspect_room(image: &Path, drawn: Option<&Path>) -> Result<Value, EngineError> {
    let fail = |message: String| EngineError::fail(FailureCode::ImageUnreadable, message);
    let photo = aerie_photo::decode_file(image).map_err(|e| fail(e.to_string()))?;
    if let Some(message) = photos::not_flat(&photo) {
        return Err(fail(message));
    }
    let segments = lines::segments(&photo);
    let Some(layout) = Layout::of_segments(&photo, &segments, &Hints::of(&photo)) else {
        return Ok(json!({
            "confident": false,
            "confidence": 0.0,
            "segments": segments.len(),
            "reasons": ["the photo shows hardly any straight lines"],
        }));
    };
    if let Some(path) = drawn {
        let bytes = png(&overlay(&photo, &segments, &layout)).map_err(|e| fail(e.to_string()))?;
        std::fs::write(path, bytes).map_err(|e| EngineError::Retry(format!("cannot write {}: {e}", path.display())))?;
    }
    Ok(report(&layout, segments.len()))
}

fn report(layout: &Layout, segments: usize) -> Value {
    let camera = &layout.frame.camera;
    let rounded = |value: f64, steps: f64| (value * steps).round() / steps;
    let polygons: Vec<Value> = layout
        .polygons()
        .into_iter()
        .map(|(face, polygon)| {
            let points: Vec<[f64; 2]> = polygon.iter().map(|p| p.map(|v| rounded(v, 10.0))).collect();
            json!({"face": face.name(), "polygon": points})
        })
        .collect();
    let walls: Vec<Value> = layout
        .walls
        .iter()
        .map(|w| {
            let azimuths = w.azimuths.map(|a| rounded(a.to_degrees(), 100.0));
            json!({"face": w.face().name(), "distance": rounded(w.at.abs(), 1000.0), "azimuths": azimuths})
        })
        .collect();
    let reasons: Vec<&str> = layout.doubts.iter().map(|doubt| doubt.reason()).collect();
    json!({
        "confident": layout.is_confident(),
        "confidence": rounded(layout.confidence, 1000.0),
        "reasons": reasons,
        "segments": segments,
        "camera": {
            "focal": rounded(camera.focal, 10.0),
            "focal_range": layout.frame.focal_range.map(|f| rounded(f, 10.0)),
            "focal_sharpness": rounded(layout.frame.focal_sharpness, 100.0),
            "pitch": rounded(camera.pitch().to_degrees(), 100.0),
            "roll": rounded(camera.roll().to_degrees(), 100.0),
            "yaw": rounded(camera.yaw().to_degrees(), 100.0),
            "horizon": camera.horizon(),
        },
        "share_along_axes": layout.frame.shares.map(|s| rounded(s, 1000.0)),
        "distances": {
            "ceiling": rounded(layout.distances.ceiling, 1000.0),
            "left": rounded(layout.distances.left, 1000.0),
            "right": rounded(layout.distances.right, 1000.0),
            "far": rounded(layout.distances.far, 1000.0),
        },
        "evidence": {
            "edges": rounded(layout.evidence.edges, 1000.0),
            "foot": rounded(layout.evidence.foot, 1000.0),
            "violations": rounded(layout.evidence.violations, 1000.0),
            "colors": rounded(layout.evidence.colors, 1000.0),
            "segmentation": rounded(layout.evidence.segmentation, 1000.0),
            "agreement": rounded(layout.evidence.agreement, 1000.0),
        },
        "walls": walls,
        "faces": polygons,
        "scale": {
            "meters": rounded(layout.scale.meters, 1000.0),
            "range": layout.scale.range.map(|s| rounded(s, 1000.0)),
            "ruler": layout.scale.ruler.name(),
            "ground": layout.scale.ruler.basis(),
        },
    })
}
