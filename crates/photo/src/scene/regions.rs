//! Map of what each part of a photo shows.

use crate::guided_filter::GuidedFilter;
use crate::setting::SettingEstimate;

use super::canvas::Canvas;
use super::evidence::Evidence;
use super::region::{REGIONS, Region};

/// Probability of each region in each cell of a grid over the photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Regions {
    /// Cells across.
    pub width: usize,
    /// Cells down.
    pub height: usize,
    /// Probabilities in the order of [`Region::ALL`], row by row; they add up to 1.
    pub cells: Vec<[f32; REGIONS]>,
}

impl Regions {
    /// Combines what a room and what an exterior would show by the probability of each, and fits the result to the edges of the photo.
    #[must_use]
    pub(super) fn of(canvas: &Canvas, inside: &Evidence, outside: &Evidence, setting: &SettingEstimate) -> Self {
        let known = 1.0 - setting.neither;
        let outdoors = known * setting.outdoors;
        let mut cells = inside.probabilities();
        for (cell, outside) in cells.iter_mut().zip(outside.probabilities()) {
            cell.iter_mut().zip(outside).for_each(|(c, o)| *c = *c * (known - outdoors) + o * outdoors);
            cell[Region::Other as usize] += setting.neither;
        }
        let mut regions = Self { width: canvas.width, height: canvas.height, cells };
        regions.fit(canvas);
        regions
    }

    /// Probability of a region at a point given as shares of the width and height.
    #[must_use]
    pub fn probability(&self, region: Region, at: [f64; 2]) -> f32 {
        self.any(&[region], at)
    }

    /// Probability of any of several regions at a point, by bilinear interpolation.
    #[must_use]
    pub fn any(&self, regions: &[Region], [x, y]: [f64; 2]) -> f32 {
        let place = |share: f64, count: usize| {
            let at = (share * count as f64 - 0.5).clamp(0.0, count as f64 - 1.0);
            (at as usize, (at as usize + 1).min(count - 1), at.fract() as f32)
        };
        let ((i, k, u), (j, l, v)) = (place(x, self.width), place(y, self.height));
        let sum = |x: usize, y: usize| -> f32 {
            let cell = &self.cells[y * self.width + x];
            regions.iter().map(|r| cell[*r as usize]).sum()
        };
        (sum(i, j) * (1.0 - u) + sum(k, j) * u) * (1.0 - v) + (sum(i, l) * (1.0 - u) + sum(k, l) * u) * v
    }

    /// Most probable region at a point.
    #[must_use]
    pub fn best(&self, at: [f64; 2]) -> Region {
        let most = Region::ALL.into_iter().map(|r| (r, self.probability(r, at)));
        most.reduce(|best, r| if r.1 > best.1 { r } else { best }).map_or(Region::Other, |r| r.0)
    }

    /// Probability of any of several regions in each cell, row by row.
    #[must_use]
    pub fn plane(&self, regions: &[Region]) -> Vec<f32> {
        self.cells.iter().map(|cell| regions.iter().map(|r| cell[*r as usize]).sum()).collect()
    }

    /// Fits the map to the edges of the photo by the guided filter.
    fn fit(&mut self, canvas: &Canvas) {
        let guide: Vec<f32> = canvas.lab.iter().map(|v| v[0]).collect();
        let radius = (self.width.max(self.height) / 60).max(2);
        let filter = GuidedFilter::new(&guide, self.width, self.height, radius, 20.0);
        for region in Region::ALL {
            let fitted = filter.filtered(&self.plane(&[region]));
            self.cells.iter_mut().zip(fitted).for_each(|(cell, v)| cell[region as usize] = v.clamp(0.0, 1.0));
        }
        for cell in &mut self.cells {
            let sum = cell.iter().sum::<f32>().max(1e-6);
            cell.iter_mut().for_each(|v| *v /= sum);
        }
    }
}
