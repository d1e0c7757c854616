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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::Camera;
    use crate::{Photo, segment};
    use aerie_math::color;

    #[test]
    fn the_network_says_where_the_sky_is_and_where_the_lawn() {
        let (width, height) = (320, 240);
        let pixels = (0..width * height).map(|i| {
            let v = (i / width) as f32 / height as f32;
            let grain = (i * 2_654_435_761 % 97) as f32 / 97.0;
            color::encoded(match v {
                v if v < 0.5 => [0.20 + 0.4 * v, 0.36 + 0.4 * v, 0.75],
                _ => [0.09, 0.17, 0.03].map(|c| c * (0.7 + 0.6 * grain)),
            })
        });
        let photo = Photo::new(width, height, pixels.collect());
        let canvas = Canvas::of(&photo, 64, &Camera::turned(width, height, 300.0, 0.0, 0.0, 0.0), &[]);
        let evidence = evidence(&canvas, &segment(&photo));
        let lead = |row: usize| {
            let cell = evidence.cells()[row * canvas.width + canvas.width / 2];
            cell[Region::Sky as usize] - cell[Region::Lawn as usize]
        };
        assert!(lead(4) > 1.5 && lead(canvas.height - 4) < -1.5, "{} {}", lead(4), lead(canvas.height - 4));
    }
}
