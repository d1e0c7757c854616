//! Limits of a camera path: nothing beyond the edges of the photo, and no surface enlarged until it smears.

use glam::{DMat2, DVec2};

use crate::pose::Pose;
use crate::proxy::Proxy;

/// Largest closing of the lens to keep the edges of the photo out of view.
const MOST_CLOSING: f64 = 0.38;
/// Number of poses that are checked.
const STEPS: usize = 12;
/// Points along each edge of the frame, and columns and rows inside it.
const ALONG: usize = 24;
const INSIDE: usize = 14;
/// Largest enlargement at the 95th percentile.
const MOST_ENLARGED: f64 = 2.5;
/// Pixels by which an edge may be exceeded: half a pixel still shows the edge.
const SLACK: f64 = 0.3;

/// The smallest closing of the lens that keeps all of a path within the photo; `None` if no closing does, or if surfaces would be
/// enlarged too much. `pose` returns the pose at a share of the path and a closing.
pub(crate) fn least_closing(proxy: &Proxy, pose: impl Fn(f64, f64) -> Pose) -> Option<f64> {
    let within = |closing: f64| {
        (1..=STEPS).all(|step| {
            let pose = pose(step as f64 / STEPS as f64, closing);
            edges(proxy).all(|pixel| is_shown(proxy, &pose, pixel)) && keeps_cuts_out(proxy, &pose)
        })
    };
    let mut closing = 0.0;
    if !within(0.0) {
        let (mut low, mut high) = (0.0, MOST_CLOSING);
        if !within(high) {
            return None;
        }
        for _ in 0..12 {
            let middle = (low + high) / 2.0;
            if within(middle) { high = middle } else { low = middle }
        }
        closing = high;
    }
    let end = pose(1.0, closing);
    (enlargement(proxy, &end) <= MOST_ENLARGED && bears(proxy, &end)).then_some(closing)
}

/// Whether objects cut off by the photo stay cut off by the frame.
fn keeps_cuts_out(proxy: &Proxy, pose: &Pose) -> bool {
    let (width, height) = (proxy.camera.width as f64, proxy.camera.height as f64);
    // Cuts are sampled slightly inside the edge of the photo.
    let slack = SLACK + 2.0;
    proxy.marks.iter().filter(|mark| mark.is_cut).all(|mark| {
        proxy
            .seen_at(pose, mark.pixel, mark.nearness)
            .is_none_or(|(p, _)| p.x <= slack || p.y <= slack || p.x >= width - slack || p.y >= height - slack)
    })
}

/// Whether no object comes so close that its pixels become visible.
fn bears(proxy: &Proxy, pose: &Pose) -> bool {
    let (width, height) = (proxy.camera.width as f64, proxy.camera.height as f64);
    let lens = pose.focal / proxy.camera.focal;
    let mut all: Vec<f64> = proxy
        .marks
        .iter()
        .filter_map(|mark| {
            let (p, distance) = proxy.seen_at(pose, mark.pixel, mark.nearness)?;
            let is_seen = p.x > 0.0 && p.y > 0.0 && p.x < width && p.y < height;
            is_seen.then(|| lens / (distance * mark.nearness))
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() * 95 / 100).is_none_or(|most| *most <= MOST_ENLARGED)
}

fn edges(proxy: &Proxy) -> impl Iterator<Item = DVec2> {
    let (width, height) = (proxy.camera.width as f64, proxy.camera.height as f64);
    (0..=ALONG).flat_map(move |i| {
        let t = i as f64 / ALONG as f64;
        [
            DVec2::new(t * width, 0.0),
            DVec2::new(t * width, height),
            DVec2::new(0.0, t * height),
            DVec2::new(width, t * height),
        ]
    })
}

fn is_shown(proxy: &Proxy, pose: &Pose, pixel: DVec2) -> bool {
    let [left, top, right, bottom] = proxy.shown;
    proxy.surfaces.iter().all(|surface| {
        let seen = proxy.photo_pixel_of(surface, pose, pixel);
        seen.is_some_and(|p| p.x >= left - SLACK && p.x <= right + SLACK && p.y >= top - SLACK && p.y <= bottom + SLACK)
    })
}

/// The 95th percentile, over the frame, of how much a pose enlarges the photo in the direction in which it does so most.
pub(crate) fn enlargement(proxy: &Proxy, pose: &Pose) -> f64 {
    let (width, height) = (proxy.camera.width as f64, proxy.camera.height as f64);
    let mut all: Vec<f64> = (0..INSIDE * INSIDE)
        .filter_map(|i| {
            let share = |n: usize| (n as f64 + 0.5) / INSIDE as f64;
            let pixel = DVec2::new(share(i % INSIDE) * width, share(i / INSIDE) * height);
            let at = |by: DVec2| proxy.photo_pixel(pose, pixel + by);
            let center = at(DVec2::ZERO)?;
            let change = DMat2::from_cols(at(DVec2::X)? - center, at(DVec2::Y)? - center);
            // The least singular value: the pixels of the photo that make a pixel of the frame.
            let sum = change.x_axis.length_squared() + change.y_axis.length_squared();
            let product = change.determinant();
            let least = ((sum - (sum * sum - 4.0 * product * product).max(0.0).sqrt()) / 2.0).max(1e-9).sqrt();
            Some(1.0 / least)
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() * 95 / 100).copied().unwrap_or(f64::INFINITY)
}
