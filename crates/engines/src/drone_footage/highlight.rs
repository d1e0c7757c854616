//! What `highlight` draws: the boundary of the property's parcel on the ground, or the outline of its building over the frame.

use aerie_geodata::place::Place;
use aerie_render::Picture;
use aerie_render::marking::{Marking, MarkingState};
use aerie_render::scene::Camera;
use aerie_scenery::FRAME_RATE;

use crate::silhouette::{self, Silhouette};
use crate::timing::{Timing, smooth};

/// Start and duration of the fade-in of a building's outline, seconds.
const APPEARS: (f32, f32) = (0.5, 1.0);

/// The highlight of a property.
pub(super) enum Highlight {
    /// A line on the ground, drawn from one corner on.
    Land(Marking),
    /// The outline of the building, hidden by other buildings alone.
    Building(Silhouette),
}

impl Highlight {
    /// The highlight of a property, and what it represents. Without a parcel the plot is not guessed.
    pub(super) fn of(place: &Place) -> (Self, &'static str) {
        let land = |ring: &[aerie_geodata::place::Point]| {
            let ring = ring.iter().map(|p| glam::Vec2::new(p[0] as f32, p[1] as f32)).collect();
            Self::Land(Marking {
                rings: vec![ring],
                color: silhouette::COLOR.map(|v| f32::from(v) / 255.0),
                width: 0.3,
            })
        };
        if let Some(parcel) = &place.property.parcel {
            let of = "The outline on the ground is that of the imported parcel; it is approximate and not a survey. ";
            return (land(&parcel.outer), of);
        }
        match Silhouette::of(place) {
            Some(silhouette) => (
                Self::Building(silhouette),
                "The outlined building is the property's; no parcel is imported, and no boundary is shown. ",
            ),
            None => (
                land(&place.property.footprint.outer),
                "The outline on the ground is a square of 18 m around the address, because neither parcel nor building is mapped. ",
            ),
        }
    }

    /// The line on the ground, if that is what it is.
    pub(super) fn marking(&self) -> Option<Marking> {
        match self {
            Self::Land(marking) => Some(marking.clone()),
            Self::Building(_) => None,
        }
    }

    /// How much of the line on the ground a frame shows.
    pub(super) fn drawn(&self, timing: Timing, frame: u32) -> MarkingState {
        match self {
            Self::Land(_) => timing.drawn(frame),
            Self::Building(_) => MarkingState::HIDDEN,
        }
    }

    /// Draws the outline of the building into a frame of a film.
    pub(super) fn blend(&self, camera: &Camera, frame: u32, picture: Picture, nv12: &mut [u8]) {
        let seconds = frame as f32 / FRAME_RATE as f32;
        self.draw(camera, smooth((seconds - APPEARS.0) / APPEARS.1), picture, nv12);
    }

    /// Draws the outline of the building into a frame, with this opacity.
    pub(super) fn draw(&self, camera: &Camera, strength: f32, picture: Picture, nv12: &mut [u8]) {
        if let Self::Building(silhouette) = self {
            silhouette.blend(camera, strength, picture, nv12);
        }
    }
}
