//! Refines a rough region to an outline: points on the center of its line, or on the edge of its fill.
//!
//! Profiles across the contour give the share of ink: the difference to the clean picture relative to that of full ink,
//! pooled along the contour. The boundary is located in the mean of the aligned profiles, and each point then moves to
//! where its own profile best fits the mean.
mod contour;
mod profile;

use crate::difference::Difference;
use crate::regions::{Kind, Region};
use contour::SPACING;
use profile::Profiles;

/// The measured outline of one region.
pub(crate) struct Outline {
    /// Closed line in pixels of the annotated picture.
    pub(crate) points: Vec<[f64; 2]>,
    /// Line width in pixels; 0 for a fill without a line.
    pub(crate) width: f64,
    /// Share of the contour along which the boundary is visible.
    pub(crate) visible: f64,
}

/// Measures a region's outline. `None` if too little of it is visible.
pub(crate) fn measure(difference: &Difference, region: &Region) -> Option<Outline> {
    let rough = contour::trace(&region.mask)?;
    let mut line = contour::smoothed(&contour::resampled(&rough, SPACING), 2);
    let mut width = f64::from(region.stroke);
    let mut visible = 0.0;
    // The second pass starts from the result of the first: smoother tangents, smaller search range.
    for round in 0..2 {
        let profiles = Profiles::sample(difference, &line, width, region.kind == Kind::Fill, round == 0)?;
        let fit = profiles.fit()?;
        visible = fit.visible;
        width = fit.width;
        line = contour::resampled(&fit.points, SPACING);
        if line.len() < 12 {
            return None;
        }
    }
    Some(Outline { points: line, width, visible })
}
