//! The part of a photo of a house that is available to the camera, pixel by pixel.

use aerie_photo::sky::Matte;
use glam::DVec2;
use rayon::prelude::*;

use crate::plate::Frame;
use crate::proxy::Proxy;

/// The available pixels of a photo of a house.
pub(super) struct Place<'a> {
    pub(super) proxy: &'a Proxy,
    pub(super) frame: &'a Frame,
    /// The photo's size.
    pub(super) photo: [usize; 2],
    pub(super) width: usize,
    pub(super) height: usize,
    /// Whether a pixel shows the ground.
    pub(super) ground: Vec<bool>,
    /// L*, a*, b*.
    pub(super) tones: Vec<[f32; 3]>,
}

impl<'a> Place<'a> {
    pub(super) fn of(proxy: &'a Proxy, frame: &'a Frame, photo: [usize; 2]) -> Self {
        let [left, top, right, bottom] = frame.shown;
        let (width, height) = ((right - left) as usize, (bottom - top) as usize);
        let mut place = Self { proxy, frame, photo, width, height, ground: Vec::new(), tones: Vec::new() };
        let is_ground = |i| proxy.is_ground(place.pixel(i));
        place.ground = (0..width * height).into_par_iter().map(is_ground).collect();
        place
    }

    /// How much of a pixel is sky, 0 to 1.
    pub(super) fn sky(&self, i: usize, sky: &Matte) -> f32 {
        let at = (self.pixel(i) + DVec2::from_array(self.frame.offset)) / self.frame.scale;
        let x = (at.x / self.photo[0] as f64 * sky.width as f64).clamp(0.0, sky.width as f64 - 1.0) as usize;
        let y = (at.y / self.photo[1] as f64 * sky.height as f64).clamp(0.0, sky.height as f64 - 1.0) as usize;
        sky.alpha[y * sky.width + x]
    }

    /// The pixel of the frame.
    pub(super) fn pixel(&self, i: usize) -> DVec2 {
        let [left, top, ..] = self.frame.shown;
        DVec2::new((i % self.width) as f64 + 0.5 + left, (i / self.width) as f64 + 0.5 + top)
    }
}
