//! Evidence for regions of an exterior: the network's fine classes.

use crate::segmentation::{FineClass, Segmentation};

use super::canvas::Canvas;
use super::evidence::Evidence;
use super::region::{REGIONS, Region};

/// Regions with the classes that look like them: mistakes for parts of a room included.
const CLASSES: [(Region, &[FineClass]); 8] = [
    (Region::Sky, &[FineClass::Sky]),
    (Region::Lawn, &[FineClass::Lawn]),
    (Region::Paving, &[FineClass::Paving, FineClass::Floor]),
    (Region::Water, &[FineClass::Water]),
    (Region::Plants, &[FineClass::Plants]),
    (Region::Facade, &[FineClass::Facade, FineClass::Window, FineClass::Door, FineClass::Wall, FineClass::Ceiling]),
    (Region::Roof, &[FineClass::Roof]),
    (Region::Other, &[FineClass::Vehicle, FineClass::Furniture]),
];

/// Probability that the network leaves for a class that it excludes, and how much its log likelihoods count: its cells are coarse, and
/// it has seen imagined exteriors only.
const LEAST: f32 = 0.02;
const TRUST: f32 = 0.7;

/// Log likelihoods by the network.
#[must_use]
pub fn evidence(canvas: &Canvas, network: &Segmentation) -> Evidence {
    let cell = |i: usize| {
        let at = canvas.place(i);
        let mut odds = [0.0; REGIONS];
        for (region, classes) in CLASSES {
            let p: f32 = classes.iter().map(|class| network.fine_class(*class, at)).sum();
            odds[region as usize] = TRUST * libm::logf(p + LEAST);
        }
        odds
    };
    Evidence::of((0..canvas.lab.len()).map(cell).collect())
}
