//! The exact course of a boundary: from a rough region to points in the middle of its line, or on the rim of its fill.
//!
//! Across the contour, the share of the pen's color is read as a profile: the difference to the clean picture in units of
//! what full ink would make there, pooled along the contour. Its mean over the whole contour, aligned to itself, shows
//! where in the profile the boundary runs; each place is then moved to where its own profile fits the mean.
mod contour;
mod profile;

use crate::difference::Difference;
use crate::regions::{Kind, Region};
use contour::SPACING;
use profile::Profiles;

/// The measured course of one boundary.
pub(crate) struct Course {
    /// Closed line in the annotated picture's pixels.
    pub(crate) points: Vec<[f64; 2]>,
    /// Width of the line, pixels; 0 for a fill without one.
    pub(crate) width: f64,
    /// Share of the contour along which the boundary was seen.
    pub(crate) seen: f64,
}

/// Measures the course of a region's boundary; none where it is nowhere seen.
pub(crate) fn course(difference: &Difference, region: &Region) -> Option<Course> {
    let rough = contour::trace(&region.mask)?;
    let mut line = contour::smoothed(&contour::spaced(&rough, SPACING), 2);
    let mut width = f64::from(region.stroke);
    let mut seen = 0.0;
    // The second time from where the first one led, with straighter tangents and less to search.
    for round in 0..2 {
        let profiles = Profiles::read(difference, &line, width, region.kind == Kind::Fill, round == 0)?;
        let fit = profiles.fit()?;
        seen = fit.seen;
        width = fit.width;
        line = contour::spaced(&fit.points, SPACING);
        if line.len() < 12 {
            return None;
        }
    }
    Some(Course { points: line, width, seen })
}
