//! Refines a rough region to an outline: points on the center of its line, or on the edge of its fill.
//!
//! Profiles across the contour give the share of ink: the difference to the clean picture relative to that of full ink,
//! pooled along the contour. The boundary is located in the mean of the aligned profiles, and each point then moves to
//! where its own profile best fits the mean.
mod contour;
mod profile;

use aerie_math::geometry::{Point, distance, edges};

use crate::difference::Difference;
use crate::regions::{Kind, Region};
use profile::{Fit, Profiles};

/// Distance between neighboring points of an outline, in pixels.
pub(crate) use contour::SPACING;

/// Number of points in a row that are visible by chance within a gap.
const CHANCE: usize = 5;

/// The measured outline of one region.
pub(crate) struct Outline {
    /// Closed line in pixels of the annotated picture.
    pub(crate) points: Vec<Point>,
    /// Whether the boundary is visible at a point. Elsewhere the line is straight.
    pub(crate) seen: Vec<bool>,
    /// Line width in pixels; 0 for a fill without a line.
    pub(crate) width: f64,
    /// Share of the contour along which the boundary is visible.
    pub(crate) visible: f64,
    /// The ends of each gap: where ink would be visible and is not.
    pub(crate) gaps: Vec<[Point; 2]>,
}

impl Outline {
    /// Length of the outline in pixels.
    pub(crate) fn perimeter(&self) -> f64 {
        edges(&self.points).map(|(a, b)| distance(a, b)).sum()
    }
}

/// Measures a region's outline. `None` if too little of it is visible.
pub(crate) fn measure(difference: &Difference, region: &Region) -> Option<Outline> {
    let rough = contour::trace(&region.mask)?;
    let mut line = contour::smoothed(&contour::resampled(&rough, SPACING), 2);
    let mut seen = Vec::new();
    let mut outline = None;
    let mut width = f64::from(region.stroke);
    // The second pass starts from the result of the first: smoother tangents, smaller search range.
    for round in 0..2 {
        let profiles = Profiles::sample(difference, &line, width, region.kind == Kind::Fill, round == 0)?;
        let fit = profiles.fit()?;
        width = fit.width;
        let kept: Vec<Point> = fit.points.iter().zip(&fit.visible).filter(|(_, v)| **v).map(|(p, _)| *p).collect();
        (line, seen) = contour::resampled_with_gaps(&kept, SPACING);
        if line.len() < 12 {
            return None;
        }
        outline = Some(fit);
    }
    let fit = outline?;
    let visible = fit.visible.iter().filter(|v| **v).count() as f64 / fit.visible.len() as f64;
    Some(Outline { points: line, seen, width, visible, gaps: gaps(&fit) })
}

/// Spans without ink. A few visible points within one are chance.
fn gaps(fit: &Fit) -> Vec<[Point; 2]> {
    let n = fit.points.len();
    let runs = |is: &dyn Fn(usize) -> bool| -> Vec<(usize, usize)> {
        let starts = (0..n).filter(|i| is(*i) && !is((i + n - 1) % n));
        starts.map(|i| (i, (0..n).take_while(|d| is((i + d) % n)).count())).collect()
    };
    let mut visible = fit.visible.clone();
    for (from, count) in runs(&|i| fit.visible[i]) {
        if count <= CHANCE {
            (0..count).for_each(|d| visible[(from + d) % n] = false);
        }
    }
    let mut gaps = Vec::new();
    for (from, count) in runs(&|i| !visible[i]) {
        let legible = (0..count).filter(|d| fit.legible[(from + d) % n]).count();
        if 3 * legible > 2 * count {
            gaps.push([fit.points[(from + n - 1) % n], fit.points[(from + count) % n]]);
        }
    }
    gaps
}
