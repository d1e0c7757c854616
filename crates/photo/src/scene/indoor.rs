//! Evidence for regions of a room: the network's classes, the planes of its layout, and small bright spots.

use crate::box_mean;
use crate::room::{Face, Layout};
use crate::segmentation::{Class, Segmentation};

use super::canvas::Canvas;
use super::evidence::Evidence;
use super::region::Region;

/// Regions with the classes of the network that they comprise.
const CLASSES: [(Region, &[Class]); 6] = [
    (Region::Floor, &[Class::Floor]),
    (Region::Wall, &[Class::Wall]),
    (Region::Ceiling, &[Class::Ceiling]),
    (Region::Window, &[Class::Window]),
    (Region::Door, &[Class::Door]),
    (Region::Furniture, &[Class::Fixture, Class::Furniture]),
];
const PLANES: [Region; 3] = [Region::Floor, Region::Wall, Region::Ceiling];

/// Probability that the network leaves for a class that it excludes.
const LEAST: f32 = 1e-3;
/// Log odds between planes of a layout beyond doubt, away from their edges and along them.
const PLANE: f32 = 1.2;
const ALONG_EDGES: f32 = 4.0;
/// Width of the surroundings of an edge, as a share of the longer side.
const EDGE: usize = 24;

/// Lightness of lamps that are on, and its excess over the surroundings, L*.
const BRIGHT: f32 = 88.0;
const BRIGHTER: f32 = 9.0;

/// Evidence for what each cell shows if the photo is a room.
#[must_use]
pub fn evidence(canvas: &Canvas, network: &Segmentation, layout: Option<&Layout>) -> Evidence {
    let count = canvas.lab.len();
    let mut prior: Vec<(Region, f32)> = CLASSES.iter().map(|(region, _)| (*region, 1.0)).collect();
    prior.extend([(Region::Lamp, LEAST), (Region::Other, LEAST)]);
    let class =
        |classes: &[Class], i: usize| -> f32 { classes.iter().map(|c| network.class(*c, canvas.place(i))).sum() };
    let mut evidence = Evidence::prior(count, &prior);
    for (region, classes) in CLASSES {
        evidence = evidence.with(&[region], |i| libm::logf(class(classes, i) + LEAST));
    }
    let bright = brightness(canvas);
    evidence = evidence.with(&[Region::Lamp], |i| {
        let above = if canvas.depression[i] < 0.0 { 0.4 } else { 0.0 };
        let holder = class(&[Class::Ceiling], i) + above * class(&[Class::Wall], i);
        if bright[i] > 0.0 { 8.0 * bright[i] + libm::logf(holder + LEAST) } else { -8.0 }
    });
    let Some(layout) = layout.filter(|l| l.is_confident()) else { return evidence };
    planes(canvas, layout)
        .into_iter()
        .zip(PLANES)
        .fold(evidence, |evidence, (odds, region)| evidence.with(&[region], |i| odds[i]))
}

/// How surely each cell is a lamp by its brightness, 0 to 1: small, and brighter than its surroundings.
fn brightness(canvas: &Canvas) -> Vec<f32> {
    let (width, height) = (canvas.width, canvas.height);
    let side = width.max(height);
    let plane: Vec<f32> = canvas.lab.iter().map(|v| v[0]).collect();
    let around = box_mean(&plane, width, height, (side / 14).max(2));
    let bright: Vec<f32> = plane
        .iter()
        .zip(&around)
        .map(|(l, mean)| ((l - BRIGHT) / 6.0).clamp(0.0, 1.0) * ((l - mean - BRIGHTER) / 8.0).clamp(0.0, 1.0))
        .collect();
    // Larger bright areas are windows, or walls that lamps shine on.
    let share = box_mean(&bright, width, height, (side / 24).max(2));
    bright.iter().zip(share).map(|(b, share)| b * ((0.5 - share) / 0.2).clamp(0.0, 1.0)).collect()
}

/// Log odds of each of [`PLANES`] by the layout: strong along its edges, where the network is blurred, and weak elsewhere.
fn planes(canvas: &Canvas, layout: &Layout) -> [Vec<f32>; 3] {
    let (width, height) = (canvas.width, canvas.height);
    let size = [layout.frame.camera.width as f64, layout.frame.camera.height as f64];
    let faces: Vec<Face> = (0..width * height)
        .map(|i| {
            let [x, y] = canvas.place(i);
            layout.face_at([x * size[0], y * size[1]])
        })
        .collect();
    let radius = (width.max(height) / EDGE).max(2);
    let strength = layout.confidence as f32;
    PLANES.map(|region| {
        let is_own = |face: Face| match region {
            Region::Floor => face == Face::Floor,
            Region::Ceiling => face == Face::Ceiling,
            _ => !matches!(face, Face::Floor | Face::Ceiling),
        };
        let mask: Vec<f32> = faces.iter().map(|face| f32::from(u8::from(is_own(*face)))).collect();
        let mean = box_mean(&mask, width, height, radius);
        let odds = mask.iter().zip(mean).map(|(own, mean)| {
            // 1 on the edge, 0 away from it.
            let edge = 1.0 - (2.0 * mean - 1.0).abs();
            (2.0 * own - 1.0) * strength * (PLANE + (ALONG_EDGES - PLANE) * edge)
        });
        odds.collect()
    })
}
