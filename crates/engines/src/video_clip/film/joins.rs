//! Which photos of a film show the same place, and how the camera may go from one to the next.

use aerie_clip::prompt::CameraMove;
use aerie_clip::two_view::{Drift, Features, Plane, Transit, TwoView};
use aerie_clip::{Frame, compose};
use aerie_photo::Photo;
use aerie_render::Picture;

use super::timeline::Join;

/// Longer side of the pictures that are compared, pixels.
const SIDE: usize = 960;
/// How far things may move in a second on the way between two photos, as a share of the width, and bounds of its duration, seconds.
const SPEED: f64 = 0.13;
const SECONDS: [f64; 2] = [1.2, 2.6];
/// Weight of the growth of a picture against its shift: how far it moves things half way to the edge.
const GROWTH: f64 = 0.25;

/// A join and how the camera seems to move in it, or why it is not geometric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlannedJoin {
    pub(super) join: Join,
    /// Number of points that both photos show.
    pub(super) matches: usize,
    pub(super) drift: Option<Drift>,
    pub(super) reason: Option<&'static str>,
}

/// Why two photos are joined by a cross-fade.
pub(super) const NOT_SHARED: &str = "the two photos do not surely show the same things";
pub(super) const NOT_SHOWN: &str = "the way between the two photos would show what neither of them holds";

/// What is compared of a photo: what a film of a size shows of it.
pub(super) fn features(photo: &Photo, [width, height]: [usize; 2]) -> Features {
    let factor = (SIDE as f64 / width.max(height) as f64).min(1.0);
    let size = [width, height].map(|side| (side as f64 * factor).round() as usize);
    let whole = [photo.width, photo.height];
    let frame = Frame::cut(whole, size, compose::focus(photo));
    let [across, down] = whole.map(|side| (side as f64 * frame.scale).round() as usize);
    let reduced = photo.scaled(across.max(size[0]), down.max(size[1]));
    let [left, top] = frame.offset.map(|offset| offset.round() as usize);
    let value = |i: usize| {
        let x = (left + i % size[0]).min(reduced.width - 1);
        let y = (top + i / size[0]).min(reduced.height - 1);
        let [r, g, b] = reduced.pixels[y * reduced.width + x];
        (0.2126 * r + 0.7152 * g + 0.0722 * b).max(0.0).powf(1.0 / 2.2)
    };
    Features::of(&Plane { width: size[0], height: size[1], values: (0..size[0] * size[1]).map(value).collect() })
}

/// Plans the join of two photos.
pub(super) fn plan(before: &Features, after: &Features) -> PlannedJoin {
    let fade = |matches: usize, reason: &'static str| PlannedJoin {
        join: Join::CrossFade,
        matches,
        drift: None,
        reason: Some(reason),
    };
    let Some(two) = TwoView::of(before, after, None) else { return fade(0, NOT_SHARED) };
    if !two.is_strong() {
        return fade(two.matches.len(), NOT_SHARED);
    }
    let Some(way) = Transit::plan(&two, before.size) else { return fade(two.matches.len(), NOT_SHOWN) };
    let seconds = (way.displacement / SPEED).clamp(SECONDS[0], SECONDS[1]);
    let (matches, drift) = (two.matches.len(), Some(two.drift()));
    PlannedJoin { join: Join::Geometric(seconds), matches, drift, reason: None }
}

/// The way between two frames of the film, NV12, if their geometry is as certain as that of their photos.
pub(super) fn way(picture: Picture, frames: [&[u8]; 2]) -> Option<Transit> {
    let [width, height] = [picture.width as usize, picture.height as usize];
    let factor = width.max(height).div_ceil(SIDE);
    let [before, after] = frames.map(|nv12| Features::of(&reduced(&nv12[..width * height], width, factor)));
    let two = TwoView::of(&before, &after, None).filter(TwoView::is_strong)?;
    Transit::under_way(&two.scaled(factor as f64), [width, height])
}

/// Lightness, each pixel the mean of a square.
fn reduced(luma: &[u8], width: usize, factor: usize) -> Plane {
    let (across, down) = (width / factor, luma.len() / width / factor);
    let mean = |i: usize| {
        let (x, y) = (i % across * factor, i / across * factor);
        let rows = (y..y + factor).map(|y| &luma[y * width + x..][..factor]);
        rows.flatten().map(|value| f32::from(*value)).sum::<f32>() / (255 * factor * factor) as f32
    };
    Plane { width: across, height: down, values: (0..across * down).map(mean).collect() }
}

/// The move of a photo that goes on as a way to or from it does.
pub(super) fn along(drift: Drift) -> CameraMove {
    if GROWTH * drift.forward.abs() > drift.right.abs() {
        if drift.forward > 0.0 { CameraMove::PushIn } else { CameraMove::PullOut }
    } else if drift.right > 0.0 {
        CameraMove::SlideRight
    } else {
        CameraMove::SlideLeft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_moves_on_as_the_way_to_it_does() {
        for (right, forward, verb) in [
            (0.3, 0.1, CameraMove::SlideRight),
            (-0.3, 0.1, CameraMove::SlideLeft),
            (0.02, 0.5, CameraMove::PushIn),
            (-0.02, -0.5, CameraMove::PullOut),
        ] {
            assert_eq!(along(Drift { right, forward }), verb);
        }
    }
}
