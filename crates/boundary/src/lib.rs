//! Finds a boundary drawn on a picture by comparison with the clean picture.
//!
//! [`find`] registers the two, segments the drawing and returns its polygons in pixels of the clean picture.
//! [`measure`] converts them to WGS 84 and measures them, given a [`GroundTransform`]. The result is deterministic.
//!
//! # Invariants
//!
//! - A stroke is one edge, however much the hand trembles. Tests: `a_trembling_bowed_stroke_is_one_edge_and_the_area_is_as_drawn`,
//!   `a_round_outline_stays_round`.
//! - A transform applies to its own picture, at any size. Test: `a_transform_applies_to_its_picture_at_any_size_and_to_no_other`.
mod bridges;
mod difference;
mod gap;
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

pub use gap::Gap;
pub use ground::{GroundTransform, NotItsPicture, Signature};
pub use measure::{BadPolygon, Measured, NotMeasured, measure, measure_polygon, parcel};
pub use picture::Picture;
pub use polygon::Ring;
pub use registration::Registration;

use aerie_math::geometry::distance;
use aerie_register::Homography;

use difference::Difference;

/// Larger pictures are downscaled to this longer side, in pixels. A line three pixels wide survives that.
const MAX_SIDE: usize = 1600;
/// Minimum side in pixels.
const MIN_SIDE: usize = 32;
/// Maximum length of a gap as a share of the outline.
const MAX_GAP: f64 = 0.052;
/// Minimum length of a gap that is reported, as a share of the outline.
const MIN_GAP: f64 = 0.01;

/// A detected boundary.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// Outer rings in pixels of the clean picture, largest first, clockwise on screen. The first pixel covers 0 to 1.
    pub rings: Vec<Ring>,
    /// Gaps in the drawn lines that were closed, longest first.
    pub gaps: Vec<Gap>,
    /// 0 to 1, from how well the pictures agree and how much of the boundary is visible.
    pub confidence: f64,
}

/// Why no boundary was found.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
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
    /// There are lines, but none is closed. The gap is the longest of the line that comes closest.
    #[error("{}", gap::not_closed(.0.as_ref()))]
    NotClosed(Option<Gap>),
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
            NotFound::NotClosed(_) => "not_closed",
            NotFound::OnlyMarks => "only_marks",
        }
    }
}

/// Finds the boundary drawn on `annotated`, a copy of `clean` that may be re-encoded, rescaled, slightly cropped,
/// color-shifted, or rotated by up to 3 degrees.
///
/// # Errors
/// [`NotFound`] when there is no closed boundary or the pictures do not match.
pub fn find(annotated: &Picture, clean: &Picture) -> Result<Boundary, NotFound> {
    let sides = [annotated.width, annotated.height, clean.width, clean.height];
    if sides.into_iter().any(|s| s < MIN_SIDE) {
        return Err(NotFound::TooSmall);
    }
    let (annotated, _) = downscaled(annotated);
    let (clean_image, to_clean) = downscaled(clean);
    let Some(registration) = registration::register(&annotated, &clean_image) else {
        return Err(NotFound::ImagesDoNotMatch);
    };
    let side = annotated.width.max(annotated.height);
    let difference = Difference::new(annotated, &clean_image, &registration.map);
    let detections = regions::find(&difference);
    let to_clean = to_clean.after(&registration.map);
    let size = [clean.width, clean.height].map(|v| v as f64);
    let gap = |[a, b]: [[f64; 2]; 2], perimeter: f64| {
        let share = (a[0] - b[0]).hypot(a[1] - b[1]) / perimeter;
        Gap::new([to_clean.apply(a), to_clean.apply(b)], share, size)
    };
    let mut rings = Vec::new();
    let (mut gaps, mut open): (Vec<Gap>, Option<Gap>) = (Vec::new(), None);
    let (mut visible, mut length) = (0.0, 0.0);
    for region in &detections.regions {
        let Some(outline) = outline::measure(&difference, region) else { continue };
        let perimeter = outline.perimeter();
        // What a thick line such as an arrow covers is no area that a line surrounds.
        if polygon::signed_area(&outline.points).abs() < outline.width * perimeter {
            continue;
        }
        let mut found: Vec<Gap> = outline.gaps.iter().map(|ends| gap(*ends, perimeter)).collect();
        found.sort_by(|a, b| b.share.total_cmp(&a.share));
        // Gaps between dashes are no longer than three times the line's width.
        let most = MAX_GAP.max((3.0 * outline.width + 6.0) / perimeter);
        if let Some(longest) = found.first().filter(|gap| gap.share > most) {
            open = open.filter(|gap| gap.share < longest.share).or(Some(*longest));
            continue;
        }
        let ring = polygon::fit(&outline.points, &outline.seen, outline::SPACING, outline.width);
        if ring.len() < 3 {
            continue;
        }
        gaps.extend(found.into_iter().filter(|gap| gap.share >= MIN_GAP));
        visible += outline.visible * outline.points.len() as f64;
        length += outline.points.len() as f64;
        rings.push(ring.iter().map(|p| to_clean.apply(*p)).collect::<Ring>());
    }
    if rings.is_empty() {
        let ends = || detections.stroke.map(|s| gap(s.ends, s.length + distance(s.ends[0], s.ends[1])));
        return Err(match detections {
            _ if open.is_some() => NotFound::NotClosed(open),
            ref d if d.marked == 0 => NotFound::NothingDrawn,
            ref d if d.longest > side / 6 => NotFound::NotClosed(ends()),
            _ => NotFound::OnlyMarks,
        });
    }
    rings.sort_by(|a, b| polygon::signed_area(b).abs().total_cmp(&polygon::signed_area(a).abs()));
    gaps.sort_by(|a, b| b.share.total_cmp(&a.share));
    let confidence = (registration.agreement / 0.8).min(1.0) * (0.25 + 0.75 * (visible / length));
    Ok(Boundary { rings, gaps, confidence })
}

/// Downscales to [`MAX_SIDE`]; also returns the map back to the original pixels.
fn downscaled(picture: &Picture) -> (picture::Image, Homography) {
    let down = (picture.width.max(picture.height) as f64 / MAX_SIDE as f64).max(1.0);
    let side = |s: usize| ((s as f64 / down).round() as usize).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    let back = Homography::scaling([picture.width as f64 / width as f64, picture.height as f64 / height as f64]);
    (picture.image(width, height), back)
}
