//! What a photo shows, computed once: where it was taken, the camera with the horizon, and what each part of it shows.
//!
//! Every question has an answer for every photo: where the evidence is weak, the confidence is low and priors decide. Evidence is
//! summed as log odds, so that each source of it joins with one function ([`Evidence`]).
pub mod canvas;
mod columns;
pub mod evidence;
pub mod horizon;
pub mod indoor;
pub mod outdoor;
pub mod region;
pub mod regions;
pub mod seen;
pub mod view;

use crate::Photo;
use crate::lines::{self, Segment};
use crate::room::{Frame, Hints, Layout};
use crate::segmentation::{self, Segmentation};
use crate::setting::{Setting, SettingEstimate};
use crate::sky::{self, Matte};

pub use canvas::Canvas;
pub use evidence::Evidence;
pub use horizon::Bounds;
pub use region::Region;
pub use regions::Regions;
pub use view::{Basis, View};

/// Longer side of the copy in which the sky is detected.
const SKY_SIDE: usize = 512;
/// Longer side of the map of regions, cells.
const REGIONS_SIDE: usize = 320;
/// Probability of an exterior from which no room is looked for.
const SURELY_OUTDOORS: f32 = 0.97;

/// What a photo shows.
#[derive(Debug, Clone)]
pub struct PhotoScene {
    /// Where it was taken.
    pub setting: SettingEstimate,
    /// The camera, its rotation and the horizon; never missing.
    pub view: View,
    /// What each part of the photo shows.
    pub regions: Regions,
    /// Line segments, longest first.
    pub segments: Vec<Segment>,
    /// Axes of a room or house, if there are enough segments; may be unreliable.
    pub frame: Option<Frame>,
    /// Layout of a room, if there are enough segments and it is not surely an exterior; may be unreliable.
    pub layout: Option<Layout>,
    /// The network's view of the photo as a room.
    pub segmentation: Segmentation,
    /// The sky, if one was detected; may be a pale wall or ceiling.
    pub sky: Option<Matte>,
}

impl PhotoScene {
    /// Analyzes a photo.
    #[must_use]
    pub fn of(photo: &Photo) -> Self {
        let segments = lines::segments(photo);
        let segmentation = segmentation::segment(photo);
        let reduced = photo.reduced(SKY_SIDE);
        let sky = sky::matte(&reduced);
        let setting = SettingEstimate::of(photo.light_value, &reduced, &segmentation, sky.as_ref());
        let hints = Hints::of(photo);
        let layout = (setting.outdoors < SURELY_OUTDOORS)
            .then(|| Layout::of_evidence(photo, &segments, &hints, &segmentation, &setting))
            .flatten();
        let frame = match &layout {
            Some(layout) => Some(layout.frame.clone()),
            None => Frame::find(&segments, photo.width, photo.height, &hints),
        };
        let bounds = Bounds::of(&setting, &segmentation, sky.as_ref());
        let view = View::of(photo, &segments, frame.as_ref(), &bounds);
        let canvas = Canvas::of(photo, REGIONS_SIDE, &view.camera, &segments);
        let inside = indoor::evidence(&canvas, &segmentation, layout.as_ref());
        let seen = seen::evidence(&canvas, &segmentation);
        let outside = outdoor::evidence(&canvas, sky.as_ref(), view.confidence as f32, &seen);
        let regions = Regions::of(&canvas, &inside, &outside, &setting);
        Self { setting, view, regions, segments, frame, layout, segmentation, sky }
    }

    /// Where the photo was most likely taken.
    #[must_use]
    pub fn is(&self, setting: Setting) -> bool {
        self.setting.setting == setting
    }
}
