//! A pin with the address over the property: a plate, and a stem down to the roof.

use aerie_geodata::place::Place;
use aerie_render::Picture;
use aerie_render::RenderError;
use aerie_render::label::Label;
use aerie_render::layer::{Layer, PathBuilder, Rect};
use aerie_render::scene::Camera;
use aerie_scenery::{FRAME_RATE, Flight, aerial};
use glam::{Vec2, Vec3, vec2};

use crate::timing::smooth;

/// Start and duration of the pin's fade-in, seconds.
const APPEARS: (f32, f32) = (0.4, 0.7);
/// Length of the stem, as a share of the picture's shorter side.
const STEM: f32 = 0.085;
/// Height of the letters, as a share of the picture's shorter side.
const LETTERS: f32 = 1.0 / 32.0;

/// A pin throughout a flight.
pub(crate) struct Pin {
    label: Label,
    /// Where the stem meets the roof in each frame, pixels.
    feet: Vec<Vec2>,
    /// Height of the building's highest point in each frame, pixels from the top.
    tops: Vec<f32>,
    stem: f32,
}

impl Pin {
    /// Computes the pin's position in each frame of a film of this size, pixels.
    ///
    /// # Errors
    /// [`RenderError::Device`] where the font cannot be read.
    pub(crate) fn new(place: &Place, flight: &Flight, size: [u32; 2]) -> Result<Self, RenderError> {
        let [width, height] = size.map(|v| v as f32);
        let side = width.min(height);
        let [x, y] = aerial::center(place);
        let ridge = place.property.building.map_or(0.0, |b| place.buildings[b].ridge);
        let top = Vec3::new(x as f32, y as f32, (place.terrain.height([x, y]) + ridge) as f32);
        let pixel = |camera: &Camera, p: Vec3| {
            let seen = camera.view_projection(width / height).project_point3(p);
            vec2(seen.x + 1.0, 1.0 - seen.y) * 0.5 * vec2(width, height)
        };
        let [building, _] = aerie_scenery::building_triangles(place, 0.0);
        let highest = |camera: &Camera| {
            let heights = building.iter().flatten().map(|p| pixel(camera, *p).y);
            heights.fold(pixel(camera, top).y, f32::min)
        };
        let label = Label::new(&place.address, side * LETTERS)?;
        let feet = flight.cameras.iter().map(|camera| pixel(camera, top)).collect();
        Ok(Self { label, feet, tops: flight.cameras.iter().map(highest).collect(), stem: side * STEM })
    }

    /// Draws the pin into a frame.
    pub(crate) fn blend(&self, frame: u32, picture: Picture, nv12: &mut [u8]) {
        self.draw(frame, smooth((frame as f32 / FRAME_RATE as f32 - APPEARS.0) / APPEARS.1), picture, nv12);
    }

    /// Draws the pin into a frame, with this opacity.
    pub(crate) fn draw(&self, frame: u32, strength: f32, picture: Picture, nv12: &mut [u8]) {
        let Some(foot) = self.feet.get(frame as usize).filter(|_| strength > 0.004) else { return };
        let [half_width, half_height] = self.label.half();
        let size = vec2(picture.width as f32, picture.height as f32);
        let margin = size.min_element() / 60.0;
        let room = vec2(half_width + margin, half_height + margin);
        // Above the building, which it would hide.
        let lower = (foot.y - self.stem).min(self.tops[frame as usize] - margin);
        let plate = vec2(foot.x, lower - half_height).clamp(room, (size - room).max(room));
        stem(picture, nv12, *foot, plate.y + half_height, strength);
        self.label.blend(picture, nv12, plate.to_array(), strength);
    }
}

/// Minimum half width of the stem, pixels: a multiple of an eighth, which is drawn exactly.
const MIN_HALF: f32 = 0.875;

/// A white line straight up from `foot` to the height `top`, with a dark rim and a round foot, pixels.
fn stem(picture: Picture, nv12: &mut [u8], foot: Vec2, top: f32, strength: f32) {
    let half = (picture.width.min(picture.height) as f32 / 900.0).max(MIN_HALF);
    let mut path = PathBuilder::new();
    path.push_circle(foot.x, foot.y, half * 3.2);
    if let Some(line) = Rect::from_ltrb(foot.x - half, top, foot.x + half, foot.y) {
        path.push_rect(line);
    }
    let Some(path) = path.finish() else { return };
    let Some(mut layer) = Layer::around(&path, half * 2.0, picture, Layer::FINE) else { return };
    layer.light(&path, 1.0, 0.5, half * 1.6);
    layer.blend(picture, nv12, strength);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_is_bright_and_changes_nothing_beside_it() {
        let picture = Picture { width: 96, height: 64, supersampling: 1.0, vignette: 0.0 };
        let mut nv12 = vec![90; picture.frame_bytes()];
        stem(picture, &mut nv12, vec2(48.0, 50.0), 10.0, 1.0);
        assert!(nv12[30 * 96 + 48] > 190 && nv12[50 * 96 + 48] > 200);
        assert!(nv12[30 * 96 + 60] == 90 && nv12[5 * 96 + 48] == 90);
        // Outside the picture it is clipped, not wrapped.
        stem(picture, &mut nv12, vec2(-40.0, 90.0), -30.0, 1.0);
    }
}
