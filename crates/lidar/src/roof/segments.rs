//! Planes of a roof, found by growing regions from the flattest spots of its points.

use std::collections::VecDeque;

use super::cloud::Cloud;
use super::plane::{Plane, Sums};

/// A point that no plane explains: a chimney, an antenna, a tree.
pub(super) const NONE: u16 = u16::MAX;

/// Steepest plane that counts as roof, rise per meter: steeper ones are walls.
const STEEPEST: f64 = 4.0;
/// Largest distance of a point from the plane whose region it joins, meters.
const NEAR: f64 = 0.12;
/// Cosine of the largest angle between the surface at a point and the plane of its region: 16 degrees.
const ALIKE: f64 = 0.961;
/// Least width of the points of a plane, meters: chimneys and parapets are narrower.
const NARROWEST: f64 = 0.6;
/// Largest number of planes in a roof.
const MOST: usize = 300;

/// Planes, and the plane of each point.
pub(super) struct Segments {
    /// The planes.
    pub(super) planes: Vec<Plane>,
    /// Index of each point's plane, or [`NONE`].
    pub(super) labels: Vec<u16>,
    /// Heights of the lowest and the highest point on each plane.
    pub(super) ranges: Vec<[f64; 2]>,
}

/// What is required of a region.
pub(super) struct Demands {
    /// Smallest number of points.
    pub(super) points: usize,
    /// Largest roughness of a spot from which a region grows, meters.
    pub(super) roughness: f64,
}

struct Growth<'a> {
    cloud: &'a Cloud,
    neighbors: Vec<Vec<u32>>,
    /// Plane and roughness of the surface at each point.
    surface: Vec<Option<(Plane, f64)>>,
    demands: Demands,
}

/// Finds the planes in a cloud. `deep` says which points are away from the outline: regions that only follow the outline belong to a
/// neighbor's roof or wall.
pub(super) fn segments(cloud: &Cloud, deep: &[bool], demands: Demands) -> Segments {
    let neighbors: Vec<Vec<u32>> = (0..cloud.points.len()).map(|index| cloud.neighbors(index)).collect();
    let fits: Vec<Option<(Plane, f64)>> = neighbors
        .iter()
        .enumerate()
        .map(|(index, near)| {
            let own = std::iter::once(index).chain(near.iter().map(|&other| other as usize));
            let (plane, rms) = Sums::of(own.map(|other| cloud.points[other])).fit()?;
            (plane.steepness() < STEEPEST).then(|| (plane, rms * plane.flatness()))
        })
        .collect();
    let surface = (0..cloud.points.len()).map(|index| best_fit(cloud, &neighbors[index], &fits, index)).collect();
    let growth = Growth { cloud, neighbors, surface, demands };
    let mut found = growth.regions(&fits);
    for _ in 0..2 {
        growth.merge(&mut found);
        growth.settle(&mut found, 3);
        growth.refit(&mut found);
        growth.drop_small(&mut found, deep);
    }
    growth.settle(&mut found, 2);
    growth.refit(&mut found);
    growth.measure(&mut found);
    found
}

/// The surface at a point: of the fits around its neighbors, the smoothest that the point lies on. Beside a ridge, that is the fit of a
/// neighbor farther down, which does not straddle the ridge.
fn best_fit(cloud: &Cloud, near: &[u32], fits: &[Option<(Plane, f64)>], index: usize) -> Option<(Plane, f64)> {
    let candidates = std::iter::once(index).chain(near.iter().map(|&other| other as usize));
    candidates
        .filter_map(|other| fits[other])
        .filter(|(plane, _)| plane.distance(cloud.points[index]).abs() < 0.08)
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

impl Growth<'_> {
    fn regions(&self, fits: &[Option<(Plane, f64)>]) -> Segments {
        let mut seeds: Vec<(f64, usize)> = fits
            .iter()
            .enumerate()
            .filter_map(|(index, fit)| fit.map(|(_, rms)| (rms, index)))
            .filter(|(rms, _)| *rms < self.demands.roughness)
            .collect();
        seeds.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut found =
            Segments { planes: Vec::new(), labels: vec![NONE; self.cloud.points.len()], ranges: Vec::new() };
        for (_, seed) in seeds {
            if found.labels[seed] != NONE || found.planes.len() >= MOST {
                continue;
            }
            let Some((plane, _)) = fits[seed] else { continue };
            let label = found.planes.len() as u16;
            let (members, plane) = self.grow(seed, plane, label, &mut found.labels);
            if members.len() >= self.demands.points && plane.steepness() < STEEPEST {
                found.planes.push(plane);
            } else {
                members.iter().for_each(|&member| found.labels[member] = NONE);
            }
        }
        found
    }

    fn grow(&self, seed: usize, start: Plane, label: u16, labels: &mut [u16]) -> (Vec<usize>, Plane) {
        let points = &self.cloud.points;
        let mut plane = start;
        let mut sums = Sums::of([points[seed]]);
        let mut members = vec![seed];
        let mut refit_at = 12.0;
        let mut queue = VecDeque::from([seed]);
        labels[seed] = label;
        while let Some(from) = queue.pop_front() {
            for &next in &self.neighbors[from] {
                let next = next as usize;
                if labels[next] != NONE || plane.distance(points[next]).abs() > NEAR {
                    continue;
                }
                if self.surface[next].is_none_or(|(surface, _)| surface.cosine(&plane) < ALIKE) {
                    continue;
                }
                labels[next] = label;
                sums.add(points[next]);
                members.push(next);
                queue.push_back(next);
                if sums.count >= refit_at {
                    refit_at = sums.count * 1.3;
                    plane = sums.fit().map_or(plane, |(plane, _)| plane);
                }
            }
        }
        (members, sums.fit().map_or(plane, |(plane, _)| plane))
    }

    /// Unites planes that agree within the noise of the points.
    fn merge(&self, found: &mut Segments) {
        let mut sums = self.sums(found);
        let mut target: Vec<usize> = (0..found.planes.len()).collect();
        loop {
            let mut best: Option<(f64, usize, usize)> = None;
            for a in 0..found.planes.len() {
                for b in a + 1..found.planes.len() {
                    if target[a] == a
                        && target[b] == b
                        && let Some(apart) = apart(&found.planes, &sums, a, b)
                        && best.is_none_or(|(least, ..)| apart < least)
                    {
                        best = Some((apart, a, b));
                    }
                }
            }
            let Some((_, a, b)) = best else { break };
            sums[a] = sums[a].plus(&sums[b]);
            target.iter_mut().filter(|target| **target == b).for_each(|target| *target = a);
            found.planes[a] = sums[a].fit().map_or(found.planes[a], |(plane, _)| plane);
        }
        for label in found.labels.iter_mut().filter(|label| **label != NONE) {
            *label = target[usize::from(*label)] as u16;
        }
        keep(found, |label| target[label] == label);
    }

    fn sums(&self, found: &Segments) -> Vec<Sums> {
        let mut sums = vec![Sums::default(); found.planes.len()];
        for (&label, &point) in found.labels.iter().zip(&self.cloud.points) {
            if label != NONE {
                sums[usize::from(label)].add(point);
            }
        }
        sums
    }

    /// Gives each point the plane, of those around it, that it fits best and that most of its neighbors have.
    fn settle(&self, found: &mut Segments, sweeps: usize) {
        for _ in 0..sweeps {
            for index in 0..found.labels.len() {
                let mut tally: Vec<(u16, f64)> = Vec::with_capacity(4);
                for &other in &self.neighbors[index] {
                    let label = found.labels[other as usize];
                    match tally.iter_mut().find(|(known, _)| *known == label) {
                        _ if label == NONE => {}
                        Some((_, votes)) => *votes += 1.0,
                        None => tally.push((label, 1.0)),
                    }
                }
                let point = self.cloud.points[index];
                let all = self.neighbors[index].len().max(1) as f64;
                let best = tally
                    .into_iter()
                    .map(|(label, votes)| (label, found.planes[usize::from(label)].distance(point).abs(), votes / all))
                    .filter(|(_, distance, _)| *distance < 0.2)
                    .map(|(label, distance, votes)| (label, distance / 0.1 - votes))
                    .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                found.labels[index] = best.map_or(NONE, |(label, _)| label);
            }
        }
    }

    /// Fits each plane to its points, first to all and then to those near it.
    fn refit(&self, found: &mut Segments) {
        for _ in 0..2 {
            let mut sums = vec![Sums::default(); found.planes.len()];
            for (&label, &point) in found.labels.iter().zip(&self.cloud.points) {
                if label != NONE && found.planes[usize::from(label)].distance(point).abs() < 0.15 {
                    sums[usize::from(label)].add(point);
                }
            }
            for (plane, sums) in found.planes.iter_mut().zip(sums) {
                if let Some((fit, _)) = sums.fit().filter(|(fit, _)| fit.steepness() < STEEPEST) {
                    *plane = fit;
                }
            }
        }
    }

    /// Finds the range of heights of each plane, from its points and from those beside them that lie near it.
    fn measure(&self, found: &mut Segments) {
        found.ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; found.planes.len()];
        for (index, point) in self.cloud.points.iter().enumerate() {
            let near = self.neighbors[index].iter().map(|&other| found.labels[other as usize]);
            for label in near.chain([found.labels[index]]).filter(|label| *label != NONE).map(usize::from) {
                if label == usize::from(found.labels[index]) || found.planes[label].distance(*point).abs() < 0.4 {
                    let [low, high] = &mut found.ranges[label];
                    (*low, *high) = (low.min(point[2]), high.max(point[2]));
                }
            }
        }
    }

    fn drop_small(&self, found: &mut Segments, deep: &[bool]) {
        let mut counts = vec![[0; 2]; found.planes.len()];
        for (&label, &deep) in found.labels.iter().zip(deep) {
            if label != NONE {
                let count = &mut counts[usize::from(label)];
                *count = [count[0] + 1, count[1] + usize::from(deep)];
            }
        }
        let sums = self.sums(found);
        let stays: Vec<bool> = counts
            .iter()
            .zip(&sums)
            .map(|(&[all, deep], sums)| {
                all >= self.demands.points && deep * 5 >= all && deep >= 3 && sums.width() > NARROWEST
            })
            .collect();
        keep(found, |label| stays[label]);
    }
}

/// How far two planes are apart where their points are, if they are near enough to be one.
fn apart(planes: &[Plane], sums: &[Sums], a: usize, b: usize) -> Option<f64> {
    if planes[a].cosine(&planes[b]) < 0.9945 {
        return None;
    }
    let apart = planes[a].distance(sums[b].center()).abs().min(0.3).max(planes[b].distance(sums[a].center()).abs());
    if apart > 0.2 {
        return None;
    }
    let (plane, rms) = sums[a].plus(&sums[b]).fit()?;
    let scale = plane.flatness();
    let before = [sums[a].fit()?.1, sums[b].fit()?.1].map(|rms| rms * scale);
    let limit = (1.25 * before[0].max(before[1])).clamp(0.035, 0.07);
    let off = plane.distance(sums[a].center()).abs().max(plane.distance(sums[b].center()).abs());
    (rms * scale < limit && off < 0.05).then_some(rms)
}

/// Removes planes and numbers the rest anew.
fn keep(found: &mut Segments, stays: impl Fn(usize) -> bool) {
    let mut numbers = vec![NONE; found.planes.len()];
    let mut planes = Vec::new();
    for (label, plane) in found.planes.iter().enumerate() {
        if stays(label) {
            numbers[label] = planes.len() as u16;
            planes.push(*plane);
        }
    }
    found.planes = planes;
    for label in found.labels.iter_mut().filter(|label| **label != NONE) {
        *label = numbers[usize::from(*label)];
    }
}
