//! Finds a boundary drawn on a picture by comparison with the clean picture.
//!
//! [`find`] registers the two, segments the drawing and returns its polygons in pixels of the clean picture.
//! [`measure`] converts them to WGS 84 and measures them, given a [`GroundTransform`]. The result is deterministic.
mod difference;
pub mod geojson;
mod ground;
mod ink;
mod mask;
mod measure;
mod outline;
mod picture;
pub mod polygon;
mod regions;
pub mod registration;

pub use ground::GroundTransform;
pub use measure::{Measured, measure, parcel};
pub use picture::Picture;
pub use polygon::Ring;
pub use registration::{Affine, Registration};

use difference::Difference;

/// Larger pictures are downscaled to this longer side, in pixels. A line three pixels wide survives that.
const MAX_SIDE: usize = 1600;
/// Minimum side in pixels.
const MIN_SIDE: usize = 32;

/// A detected boundary.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// Outer rings in pixels of the clean picture, largest first, clockwise on screen. The first pixel covers 0 to 1.
    pub rings: Vec<Ring>,
    /// 0 to 1, from how well the pictures agree and how much of the boundary is visible.
    pub confidence: f64,
}

/// Why no boundary was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// A side is under 32 pixels.
    #[error("the images are too small to compare")]
    TooSmall,
    /// The pictures show different scenes.
    #[error("the annotated and the clean image do not show the same scene")]
    ImagesDoNotMatch,
    /// The pictures do not differ.
    #[error("nothing is drawn on the annotated image")]
    NothingDrawn,
    /// There are lines, but none is closed.
    #[error("the drawn line encloses no area; close it")]
    NotClosed,
    /// Only pins, arrows or text.
    #[error("only small marks are drawn, no line around an area")]
    OnlyMarks,
}

impl NotFound {
    /// The value of `boundary_reason`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            NotFound::TooSmall => "images_too_small",
            NotFound::ImagesDoNotMatch => "images_do_not_match",
            NotFound::NothingDrawn => "nothing_drawn",
            NotFound::NotClosed => "not_closed",
            NotFound::OnlyMarks => "only_marks",
        }
    }
}

/// Finds the boundary drawn on `annotated`, a copy of `clean` that may be re-encoded, rescaled, slightly cropped or
/// color-shifted.
///
/// # Errors
/// [`NotFound`] when there is no closed boundary or the pictures do not match.
pub fn find(annotated: &Picture, clean: &Picture) -> Result<Boundary, NotFound> {
    let sides = [annotated.width, annotated.height, clean.width, clean.height];
    if sides.into_iter().any(|s| s < MIN_SIDE) {
        return Err(NotFound::TooSmall);
    }
    let (annotated, _) = downscaled(annotated);
    let (clean, to_clean) = downscaled(clean);
    let Some(registration) = registration::register(&annotated, &clean) else {
        return Err(NotFound::ImagesDoNotMatch);
    };
    let side = annotated.width.max(annotated.height);
    let difference = Difference::new(annotated, &clean, &registration.map);
    let detections = regions::find(&difference);
    let to_clean = to_clean.after(&registration.map);
    let mut rings = Vec::new();
    let (mut visible, mut length) = (0.0, 0.0);
    for region in &detections.regions {
        let Some(outline) = outline::measure(&difference, region) else { continue };
        let ring: Ring = polygon::fit(&outline.points, outline.width).iter().map(|p| to_clean.map(*p)).collect();
        if ring.len() < 3 {
            continue;
        }
        visible += outline.visible * outline.points.len() as f64;
        length += outline.points.len() as f64;
        rings.push(ring);
    }
    if rings.is_empty() {
        return Err(match detections {
            d if d.marked == 0 => NotFound::NothingDrawn,
            d if d.longest > side / 6 => NotFound::NotClosed,
            _ => NotFound::OnlyMarks,
        });
    }
    rings.sort_by(|a, b| polygon::signed_area(b).abs().total_cmp(&polygon::signed_area(a).abs()));
    let confidence = (registration.agreement / 0.8).min(1.0) * (0.25 + 0.75 * (visible / length));
    Ok(Boundary { rings, confidence })
}

/// Downscales to [`MAX_SIDE`]; also returns the map back to the original pixels.
fn downscaled(picture: &Picture) -> (picture::Image, Affine) {
    let down = (picture.width.max(picture.height) as f64 / MAX_SIDE as f64).max(1.0);
    let side = |s: usize| ((s as f64 / down).round() as usize).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    let back = Affine::scaling(picture.width as f64 / width as f64, picture.height as f64 / height as f64, 0.0, 0.0);
    (picture.image(width, height), back)
}
