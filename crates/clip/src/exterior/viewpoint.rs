//! The camera of a photo taken outdoors.

use aerie_photo::Photo;
use aerie_photo::room::{Camera, Frame as Axes};

/// Focal length of a photo without metadata, in longer sides.
const USUAL_FOCAL: f64 = 0.75;
/// Least share of all lines, and of upright ones, that axes must explain.
const LEAST_SHARE: f64 = 0.42;
const LEAST_UPRIGHT: f64 = 0.07;
/// Largest roll and pitch of a camera held by a person, degrees.
const MOST_ROLL: f64 = 6.0;
const MOST_PITCH: f64 = 22.0;

/// The camera and its confidence, 0 to 1: that of the lines' axes if they are plausible, otherwise a level one.
pub(super) fn camera(photo: &Photo, axes: Option<&Axes>) -> (Camera, f64) {
    if let Some(axes) = axes {
        let camera = &axes.camera;
        let is_upright = axes.shares[2] >= LEAST_UPRIGHT && camera.roll().abs().to_degrees() <= MOST_ROLL;
        if axes.share() >= LEAST_SHARE && is_upright && camera.pitch().abs().to_degrees() <= MOST_PITCH {
            return (*camera, ((axes.share() - LEAST_SHARE) / 0.3).clamp(0.2, 1.0));
        }
    }
    let focal = photo.focal().unwrap_or(USUAL_FOCAL * photo.width.max(photo.height) as f64);
    (Camera::turned(photo.width, photo.height, focal, 0.0, 0.0, 0.0), 0.0)
}
