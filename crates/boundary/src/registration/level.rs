//! Levels of the image pyramid.

use super::affine::Affine;
use crate::picture::{Image, Plane};

/// Both pictures downscaled to about the same pixel size.
pub(super) struct Level {
    pub(super) annotated: Plane,
    pub(super) clean: Plane,
    /// Converts pixels of the downscaled annotated picture to those of the downscaled clean one.
    pub(super) map: Affine,
    to_annotated: Affine,
    to_clean: Affine,
}

impl Level {
    pub(super) fn new(a: &Plane, c: &Plane, map: &Affine, side: usize) -> Self {
        let down = (a.width.max(a.height) as f64 / side as f64).max(1.0);
        let annotated = downscaled(a, down);
        let clean = downscaled(c, (down * map.scale()).max(1.0));
        let ratio = |to: &Plane, from: &Plane| {
            Affine::scaling(to.width as f64 / from.width as f64, to.height as f64 / from.height as f64, 0.0, 0.0)
        };
        let to_annotated = ratio(a, &annotated);
        let to_clean = ratio(c, &clean);
        let down_clean = ratio(&clean, c);
        let map = down_clean.after(map).after(&to_annotated);
        Self { annotated, clean, map, to_annotated, to_clean }
    }

    /// Converts a map at this level to full resolution.
    pub(super) fn full_resolution(&self, map: &Affine) -> Affine {
        let back = self.to_annotated.inverse().unwrap_or(Affine::scaling(1.0, 1.0, 0.0, 0.0));
        self.to_clean.after(map).after(&back)
    }
}

pub(super) fn downscaled(plane: &Plane, factor: f64) -> Plane {
    let side = |s: usize| ((s as f64 / factor).round() as usize).clamp(1, s);
    let (width, height) = (side(plane.width), side(plane.height));
    if (width, height) == (plane.width, plane.height) {
        return plane.clone();
    }
    let values = plane.values.iter().map(|v| [*v, 0.0, 0.0]).collect();
    Image { width: plane.width, height: plane.height, values }.resized(width, height).channel(0)
}
