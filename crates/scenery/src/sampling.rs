//! Which cameras of a flight stand for all of them.

use aerie_render::scene::Camera;

/// Number of cameras up to which all of them count: those are stills, not a film.
const STILLS: usize = 30;

/// Every `step`-th camera and the last; all of them where there are few.
pub(crate) fn sampled(cameras: &[Camera], step: usize) -> impl Iterator<Item = &Camera> {
    let step = if cameras.len() <= STILLS { 1 } else { step };
    let last = cameras.len().saturating_sub(1);
    cameras.iter().enumerate().filter(move |(index, _)| index % step == 0 || *index == last).map(|(_, camera)| camera)
}
