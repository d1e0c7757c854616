//! How much a clip moves: measured in the picture, from the poses and depths by which it is drawn.

use glam::DVec2;

use crate::bodies::Bodies;
use crate::pose::Pose;
use crate::proxy::Proxy;

/// Sample points across and down the photo.
const COLUMNS: usize = 48;
const ROWS: usize = 32;

/// Motion of a clip from its first frame to its last, as shares of the width of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ImageMotion {
    /// The 95th percentile of how far things move that both frames show.
    pub displacement: f64,
    /// The 95th percentile of how far they move apart from what is far away.
    pub parallax: f64,
    /// Their mean motion: to the right, and down.
    pub mean: [f64; 2],
}

impl ImageMotion {
    /// Measures the way from the photo to a pose, or back.
    #[must_use]
    pub(crate) fn of(proxy: &Proxy, (end, is_back): (&Pose, bool), bodies: Option<&Bodies>) -> Self {
        let (width, height) = (proxy.camera.width as f64, proxy.camera.height as f64);
        let depths = proxy.depths();
        let far = depths[depths.len() / 20].max(1e-4);
        let start = proxy.ray_matrix(&proxy.start());
        let sign = if is_back { -1.0 } else { 1.0 };
        let (mut moved, mut apart, mut sum) = (Vec::new(), Vec::new(), DVec2::ZERO);
        for i in 0..COLUMNS * ROWS {
            let share = |at: usize, of: usize| (at as f64 + 0.5) / of as f64;
            let pixel = DVec2::new(share(i % COLUMNS, COLUMNS) * width, share(i / COLUMNS, ROWS) * height);
            let nearness = bodies
                .and_then(|bodies| bodies.nearness_at(pixel))
                .unwrap_or_else(|| proxy.main().nearness(start * pixel.extend(1.0)).max(1e-4));
            let (Some((there, _)), Some((distant, _))) =
                (proxy.seen_at(end, pixel, nearness), proxy.seen_at(end, pixel, far))
            else {
                continue;
            };
            if there.x < 0.0 || there.y < 0.0 || there.x > width || there.y > height {
                continue;
            }
            moved.push((there - pixel).length() / width);
            apart.push((there - distant).length() / width);
            sum += sign * (there - pixel) / width;
        }
        let count = moved.len().max(1) as f64;
        Self { displacement: most(&mut moved), parallax: most(&mut apart), mean: (sum / count).to_array() }
    }
}

/// The 95th percentile.
fn most(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() * 95 / 100).copied().unwrap_or(0.0)
}
