//! Disoccluded parts of a clip: what the photo does not show.

use glam::DVec2;

use crate::bodies::Bodies;
use crate::camera_path::CameraPath;
use crate::cutout::Cutouts;
use crate::proxy::Proxy;

/// Sample points across and down the frame.
const COLUMNS: usize = 192;
const ROWS: usize = 128;

/// Largest share of the frame along a path that shows something the photo does not.
#[must_use]
pub fn synthesized_share(
    proxy: &Proxy,
    course: &CameraPath,
    bodies: Option<&Bodies>,
    cutouts: Option<&Cutouts>,
) -> f64 {
    let of = |way: f64| {
        let pose = course.pose(proxy, way);
        let is_unseen = |i: &usize| {
            let share = |at: usize, of: usize| (at as f64 + 0.5) / of as f64;
            let x = share(i % COLUMNS, COLUMNS) * proxy.camera.width as f64;
            let y = share(i / COLUMNS, ROWS) * proxy.camera.height as f64;
            let pixel = DVec2::new(x, y);
            let by_bodies = bodies.and_then(|bodies| bodies.is_unseen(proxy, &pose, pixel));
            by_bodies.unwrap_or_else(|| cutouts.is_some_and(|cutouts| cutouts.is_filled(proxy, &pose, pixel)))
        };
        (0..COLUMNS * ROWS).filter(is_unseen).count() as f64 / (COLUMNS * ROWS) as f64
    };
    [0.5, 1.0].map(of).into_iter().fold(0.0, f64::max)
}
