//! Finds the boundary drawn on a picture by comparing it with the same picture without it.
//!
//! [`find`] registers the two pictures, segments what was drawn, and returns polygons in pixels of the clean picture.
//! [`measure`] projects them to the ground where a [`GroundTransform`] is known. The same pictures give the same polygons.
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

/// Longest side that is worked on, pixels: a line of three pixels on a larger picture is still seen.
const SIDE: usize = 1600;
/// Shortest side that can be worked on, pixels.
const SHORTEST: usize = 32;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// Outer rings in pixels of the clean picture, the largest first: the first pixel covers 0 to 1. They run clockwise
    /// as seen.
    pub rings: Vec<Ring>,
    /// How sure this is, 0 to 1: how well the pictures agree, and how much of the boundary is drawn.
    pub confidence: f64,
}

/// Why there is no boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// Under 32 pixels a side.
    #[error("the images are too small to compare")]
    TooSmall,
    /// The pictures show different things.
    #[error("the annotated image does not show the same as the clean one")]
    ImagesDoNotMatch,
    /// They are the same.
    #[error("nothing is drawn on the annotated image")]
    NothingDrawn,
    /// Lines, but none that come back to where they began.
    #[error("what is drawn encloses no area; close the line")]
    NotClosed,
    /// Pins, arrows, text.
    #[error("only small marks are drawn, no line round an area")]
    OnlyMarks,
}

impl NotFound {
    /// Its name in answers.
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

/// Finds the boundary drawn on `annotated`, which otherwise shows what `clean` shows: it may be re-encoded, rescaled,
/// cropped a little, or moved in its colors.
///
/// # Errors
/// Why there is none.
pub fn find(annotated: &Picture, clean: &Picture) -> Result<Boundary, NotFound> {
    let sides = [annotated.width, annotated.height, clean.width, clean.height];
    if sides.into_iter().any(|s| s < SHORTEST) {
        return Err(NotFound::TooSmall);
    }
    let (worked, _) = reduced(annotated);
    let (clean_worked, to_clean) = reduced(clean);
    let Some(found) = registration::register(&worked, &clean_worked) else {
        return Err(NotFound::ImagesDoNotMatch);
    };
    let side = worked.width.max(worked.height);
    let difference = Difference::new(worked, &clean_worked, &found.map);
    let drawn = regions::find(&difference);
    let to_clean = to_clean.after(&found.map);
    let mut rings = Vec::new();
    let (mut seen, mut length) = (0.0, 0.0);
    for region in &drawn.regions {
        let Some(course) = outline::course(&difference, region) else { continue };
        let ring: Ring = polygon::fitted(&course.points, course.width).iter().map(|p| to_clean.map(*p)).collect();
        if ring.len() < 3 {
            continue;
        }
        seen += course.seen * course.points.len() as f64;
        length += course.points.len() as f64;
        rings.push(ring);
    }
    if rings.is_empty() {
        return Err(match drawn {
            d if d.marked == 0 => NotFound::NothingDrawn,
            d if d.longest > side / 6 => NotFound::NotClosed,
            _ => NotFound::OnlyMarks,
        });
    }
    rings.sort_by(|a, b| polygon::signed_area(b).abs().total_cmp(&polygon::signed_area(a).abs()));
    let confidence = (found.agreement / 0.8).min(1.0) * (0.25 + 0.75 * (seen / length));
    Ok(Boundary { rings, confidence })
}

/// The picture no larger than is worked on, and the way back to its own pixels.
fn reduced(picture: &Picture) -> (picture::Image, Affine) {
    let down = (picture.width.max(picture.height) as f64 / SIDE as f64).max(1.0);
    let side = |s: usize| ((s as f64 / down).round() as usize).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    let back = Affine::scaling(picture.width as f64 / width as f64, picture.height as f64 / height as f64, 0.0, 0.0);
    (picture.image(width, height), back)
}
