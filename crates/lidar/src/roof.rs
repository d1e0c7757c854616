//! Roofs of flat faces, from an outline and the points of a survey above it.
//!
//! Planes are found by growing regions (`segments`); the outline is cut into cells of one plane each (`subdivide`) on a mosaic whose
//! cells share corners (`mosaic`); `zones` gives each cell the plane that fits and unites cells, and `faces` straightens borders and
//! adds heights. Below 4 points per square meter, a simple shape (`template`) is used where it fits better.

mod cloud;
mod courtyard;
mod faces;
mod mosaic;
mod plane;
mod segments;
mod subdivide;
mod template;
#[cfg(test)]
mod tests;
mod zones;

use aerie_math::geometry::{bounds, distance, edges, level_spans, ring_contains, signed_area};

pub use crate::outline::Outline;
use cloud::Cloud;
use mosaic::Mosaic;
use plane::Plane;
use segments::{Demands, NONE};
use subdivide::{Site, Sites};
use template::{Frame, Shape};
use zones::Zones;

/// Fewest points per square meter from which a roof is reconstructed.
const SPARSEST: f64 = 2.0;
/// Points per square meter below which simple shapes are tried.
const SPARSE: f64 = 4.0;
/// Smallest share of the outline that must be covered.
const LEAST_COVERED: f64 = 0.5;
/// Largest width of an outline, meters.
const WIDEST: f64 = 1000.0;
/// Distance from the outline within which points may belong to a neighbor's roof or to a wall, meters.
const MARGIN: f64 = 0.45;
/// How far a place may be from the points of its plane, meters.
const REACH: f64 = 5.0;

/// A point of the survey that may belong to a roof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoofPoint {
    /// Position, meters, in the coordinate system of the outline.
    pub at: [f64; 3],
    /// Whether the survey classifies it as building. Where it does so nowhere, all points that are not ground are passed with `false`.
    pub is_building: bool,
}

/// A reconstructed roof.
#[derive(Debug, Clone, PartialEq)]
pub struct Roof {
    /// Flat rings without holes, counter-clockwise seen from above, with absolute heights. In plan they cover the outline without gaps or
    /// overlaps; where the corner of one lies on the edge of another, both have it. Where heights differ at a common edge, there is a
    /// wall.
    pub faces: Vec<Vec<[f64; 3]>>,
    /// How the faces were made.
    pub method: Method,
    /// Root mean square of the vertical distances between points and faces, meters. Points farther away than half a meter (chimneys,
    /// trees) are left out.
    pub rms: f64,
    /// Share of the outline with points of the roof nearby, 0 to 1.
    pub covered: f64,
}

/// How the faces of a roof were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Planes found in the points.
    Planes,
    /// A simple shape fitted to the points.
    Template,
}

/// Why a roof was not reconstructed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Unmeasured {
    /// The outline is too small or too large, crosses itself, or has too many corners.
    #[error("the outline is not a simple polygon of reasonable size")]
    Outline,
    /// There are too few points.
    #[error("only {density:.1} points per square meter")]
    TooSparse {
        /// Points per square meter of outline.
        density: f64,
    },
    /// Points cover too little of the outline.
    #[error("points cover only {:.0} % of the outline", covered * 100.0)]
    TooLittleCovered {
        /// Share of the outline with points of the roof nearby, 0 to 1.
        covered: f64,
    },
    /// The points lie on no plane and no simple shape.
    #[error("the points do not form a roof")]
    NoPlanes,
}

/// Reconstructs the roof over an outline.
///
/// # Errors
///
/// If the outline is not usable, or the points are too few, cover too little or form no roof.
pub fn reconstruct(outline: &Outline, points: &[RoofPoint]) -> Result<Roof, Unmeasured> {
    let plot = Plot::new(outline)?;
    let cloud = plot.cloud(points);
    let density = cloud.points.len() as f64 / plot.area;
    if density < SPARSEST || cloud.points.len() < 8 {
        return Err(Unmeasured::TooSparse { density });
    }
    let planes = plot.draft_of_planes(&cloud, density);
    let fits = planes.as_ref().is_ok_and(|draft| density >= SPARSE && draft.cost(&cloud.points) < 0.5);
    let shape = if fits { None } else { plot.draft_of_shape(&cloud, density) };
    let (draft, method) = match (planes, shape) {
        (Ok(planes), Some(shape)) => {
            // Many faces from few points are rather noise than roof.
            let effort = 0.01 * planes.rings.len() as f64 * (1.0 - density / 8.0).max(0.2);
            if planes.cost(&cloud.points) + effort <= shape.cost(&cloud.points) + 0.01 * shape.rings.len() as f64 * 0.5
            {
                (planes, Method::Planes)
            } else {
                (shape, Method::Template)
            }
        }
        (Ok(planes), None) => (planes, Method::Planes),
        (Err(_), Some(shape)) => (shape, Method::Template),
        (Err(reason), None) => return Err(reason),
    };
    let rms = draft.rms(&cloud.points);
    let [x, y, z] = plot.origin;
    let lift =
        |ring: Vec<[f64; 3]>| ring.into_iter().map(|corner| [corner[0] + x, corner[1] + y, corner[2] + z]).collect();
    Ok(Roof { faces: draft.rings.into_iter().map(lift).collect(), method, rms, covered: draft.covered })
}

/// An outline that was checked, around its own origin.
struct Plot {
    origin: [f64; 3],
    rings: Vec<Vec<[f64; 2]>>,
    mosaic: Mosaic,
    area: f64,
    /// Directions of the outline's edges and their perpendiculars, most frequent first.
    directions: Vec<[f64; 2]>,
}

/// Faces, before they are moved back to where they are.
struct Draft {
    rings: Vec<Vec<[f64; 3]>>,
    planes: Vec<Plane>,
    covered: f64,
}

impl Plot {
    fn new(outline: &Outline) -> Result<Self, Unmeasured> {
        let all = outline.outer.iter().chain(outline.holes.iter().flatten());
        if outline.outer.len() < 3 || !all.flatten().all(|part| part.is_finite() && part.abs() < 1e9) {
            return Err(Unmeasured::Outline);
        }
        let [west, south, east, north] = bounds(&outline.outer);
        if east - west > WIDEST || north - south > WIDEST {
            return Err(Unmeasured::Outline);
        }
        let origin = [(west + east) / 2.0, (south + north) / 2.0, 0.0];
        let local = |ring: &Vec<[f64; 2]>| ring.iter().map(|[x, y]| [x - origin[0], y - origin[1]]).collect::<Vec<_>>();
        let outer = local(&outline.outer);
        let holes: Vec<Vec<[f64; 2]>> = outline.holes.iter().map(local).collect();
        let directions = directions(std::iter::once(&outer).chain(&holes));
        let along = directions.first().copied().unwrap_or([1.0, 0.0]);
        let mosaic = courtyard::cells(&outer, &holes, along).ok_or(Unmeasured::Outline)?;
        let area: f64 = (0..mosaic.cells.len()).map(|cell| mosaic.area(cell)).sum();
        let expected = signed_area(&outer).abs() - holes.iter().map(|hole| signed_area(hole).abs()).sum::<f64>();
        if area < 2.0 || (area - expected).abs() > 0.2 + 0.001 * area {
            return Err(Unmeasured::Outline);
        }
        Ok(Plot { origin, rings: std::iter::once(outer).chain(holes).collect(), mosaic, area, directions })
    }

    /// The points inside the outline; only those classified as building, where there are enough of them.
    fn cloud(&self, points: &[RoofPoint]) -> Cloud {
        let [west, south, east, north] = bounds(&self.rings[0]);
        let inside = |at: [f64; 2]| {
            at[0] >= west && at[0] <= east && at[1] >= south && at[1] <= north && {
                self.rings.iter().fold(false, |inside, ring| inside ^ ring_contains(ring, at))
            }
        };
        let [x, y, _] = self.origin;
        let all: Vec<(bool, [f64; 3])> = points
            .iter()
            .map(|point| (point.is_building, [point.at[0] - x, point.at[1] - y, point.at[2]]))
            .filter(|(_, at)| at[2].abs() < 1e5 && inside([at[0], at[1]]))
            .collect();
        let buildings = all.iter().filter(|(is_building, _)| *is_building).count();
        let only = buildings > 0;
        let kept: Vec<[f64; 3]> =
            all.into_iter().filter(|(is_building, _)| *is_building || !only).map(|(_, at)| at).collect();
        let density = kept.len() as f64 / self.area;
        Cloud::new(kept, density)
    }

    fn draft_of_planes(&self, cloud: &Cloud, density: f64) -> Result<Draft, Unmeasured> {
        let borders: Vec<_> = self.rings.iter().flat_map(|ring| edges(ring)).collect();
        let deep: Vec<bool> = cloud
            .points
            .iter()
            .map(|&[x, y, _]| borders.iter().all(|&(a, b)| square_to_segment([x, y], a, b) > MARGIN * MARGIN))
            .collect();
        let demands =
            Demands { points: ((1.2 * density) as usize).max(6), roughness: if density < 6.0 { 0.1 } else { 0.07 } };
        let found = segments::segments(cloud, &deep, demands);
        if found.planes.is_empty() {
            return Err(Unmeasured::NoPlanes);
        }
        let nearby = 0.3 + 1.5 / density.sqrt();
        let mut covered = 0_usize;
        let mut sites = self.sites();
        for site in &mut sites.sites {
            if let Some((index, away)) = cloud.nearest(site.at, REACH, |index| found.labels[index] != NONE) {
                site.label = found.labels[index];
                covered += usize::from(away < nearby);
            }
        }
        let covered = covered as f64 / sites.sites.len().max(1) as f64;
        if covered < LEAST_COVERED {
            return Err(Unmeasured::TooLittleCovered { covered });
        }
        Ok(self.draft(&sites, found.planes, found.ranges, covered))
    }

    fn draft_of_shape(&self, cloud: &Cloud, density: f64) -> Option<Draft> {
        let shape: Shape = template::fit(&cloud.points, Frame::around(&self.rings[0], &self.directions)?)?;
        let mut sites = self.sites();
        let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; shape.planes.len()];
        for &[x, y, z] in &cloud.points {
            let label = shape.lowest([x, y]);
            let surface = shape.planes[label].at([x, y]);
            if (surface - z).abs() < 0.5 {
                let [low, high] = &mut ranges[label];
                (*low, *high) = (low.min(surface), high.max(surface));
            }
        }
        let nearby = 0.3 + 1.5 / density.sqrt();
        let mut covered = 0_usize;
        for site in &mut sites.sites {
            let label = shape.lowest(site.at);
            if ranges[label][0] <= ranges[label][1] {
                site.label = label as u16;
            }
            covered += usize::from(cloud.nearest(site.at, nearby, |_| true).is_some());
        }
        let covered = covered as f64 / sites.sites.len().max(1) as f64;
        (covered >= LEAST_COVERED && shape.cost < 0.7).then(|| self.draft(&sites, shape.planes, ranges, covered))
    }

    /// Sites on a grid in the outline, without planes.
    fn sites(&self) -> Sites {
        let step = (self.area / 6000.0).sqrt().clamp(0.2, 0.5).max((self.area / 40000.0).sqrt());
        let [_, south, _, north] = bounds(&self.rings[0]);
        let mut sites = Vec::new();
        for row in 0..((north - south) / step) as usize + 1 {
            // The odd share keeps sites off edges with round coordinates.
            let y = south + (row as f64 + 0.487) * step;
            for (from, to) in level_spans(&self.rings, y) {
                let first = (from / step - 0.487).ceil() as i64;
                let last = (to / step - 0.487).floor() as i64;
                sites
                    .extend((first..=last).map(|column| Site { at: [(column as f64 + 0.487) * step, y], label: NONE }));
            }
        }
        Sites { step, sites }
    }

    fn draft(&self, sites: &Sites, planes: Vec<Plane>, ranges: Vec<[f64; 2]>, covered: f64) -> Draft {
        let mut mosaic = self.mosaic.clone();
        let members = subdivide::subdivide(&mut mosaic, sites, &planes, &self.directions);
        let labels = vec![0; mosaic.cells.len()];
        let mut zones = Zones { mosaic, labels, planes, ranges, sites: members, unit: sites.step * sites.step };
        zones.settle();
        let (rings, planes) = faces::faces(&mut zones).into_iter().unzip();
        Draft { rings, planes, covered }
    }
}

impl Draft {
    /// Vertical distances of the points from the faces.
    fn residuals(&self, points: &[[f64; 3]]) -> Vec<f64> {
        let rings: Vec<Vec<[f64; 2]>> =
            self.rings.iter().map(|ring| ring.iter().map(|&[x, y, _]| [x, y]).collect()).collect();
        let boxes: Vec<[f64; 4]> = rings.iter().map(|ring| bounds(ring)).collect();
        let mut residuals = Vec::with_capacity(points.len());
        for &[x, y, z] in points {
            let face = (0..rings.len()).find(|&face| {
                let [west, south, east, north] = boxes[face];
                x >= west && x <= east && y >= south && y <= north && ring_contains(&rings[face], [x, y])
            });
            residuals.extend(face.map(|face| z - self.planes[face].at([x, y])));
        }
        residuals
    }

    fn cost(&self, points: &[[f64; 3]]) -> f64 {
        template::wrong(self.residuals(points))
    }

    fn rms(&self, points: &[[f64; 3]]) -> f64 {
        let near: Vec<f64> = self.residuals(points).into_iter().filter(|residual| residual.abs() < 0.5).collect();
        (near.iter().map(|residual| residual * residual).sum::<f64>() / near.len().max(1) as f64).sqrt()
    }
}

/// Directions of edges and their perpendiculars, by total length.
fn directions<'a>(rings: impl Iterator<Item = &'a Vec<[f64; 2]>>) -> Vec<[f64; 2]> {
    let mut all: Vec<(f64, [f64; 2])> = Vec::new();
    for ring in rings {
        for (a, b) in edges(ring) {
            let length = distance(a, b);
            if length > 0.5 {
                all.push((length, [(b[0] - a[0]) / length, (b[1] - a[1]) / length]));
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut found: Vec<(f64, [f64; 2])> = Vec::new();
    for (length, along) in all {
        for (weight, direction) in [(length, along), (length * 0.3, [-along[1], along[0]])] {
            let same =
                found.iter_mut().find(|(_, other)| (other[0] * direction[0] + other[1] * direction[1]).abs() > 0.9976);
            match same {
                Some((sum, _)) => *sum += weight,
                None => found.push((weight, direction)),
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(8).map(|(_, direction)| direction).collect()
}

/// Square of the distance between a point and a segment.
fn square_to_segment([x, y]: [f64; 2], [ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    let ([dx, dy], [px, py]) = ([bx - ax, by - ay], [x - ax, y - ay]);
    let share = ((px * dx + py * dy) / (dx * dx + dy * dy).max(1e-12)).clamp(0.0, 1.0);
    (px - share * dx).powi(2) + (py - share * dy).powi(2)
}
