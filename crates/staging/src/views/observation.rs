//! What is known of one photo for the registration: its camera, and its features with the places that the room's shape gives them.

use aerie_photo::Photo;
use aerie_photo::segmentation::{Class, Segmentation};
use glam::{DVec2, DVec3};

use super::feature::{self, Feature};
use super::sheet;
use crate::space::{Space, Surface};

/// A photo of a room, and the room's shape by it.
#[derive(Clone, Copy)]
pub struct RoomView<'a> {
    /// The photo.
    pub photo: &'a Photo,
    /// The room's shape.
    pub space: &'a Space,
    /// What the photo shows.
    pub segmentation: &'a Segmentation,
}

/// How far away a feature is by the room's shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Depth {
    /// On the floor.
    Floor,
    /// On a wall or the ceiling, meters.
    Surface(f64),
    /// Anywhere: seen through a window, or hidden.
    Unknown,
}

/// Probability of a window from which a feature is taken to be outside.
const OUTSIDE: f32 = 0.5;
/// Distance beyond which the shape of a room says nothing, meters.
const FARTHEST: f32 = 15.0;

/// A feature with where it is seen.
pub(super) struct Sighting {
    /// Direction in room axes, unit length.
    pub(super) ray: DVec3,
    /// Pixel off the middle of the photo.
    pub(super) offset: DVec2,
    /// Its distance.
    pub(super) depth: Depth,
    /// Its descriptor.
    pub(super) feature: Feature,
}

/// The features of a photo by direction of view.
pub(super) struct Observation<'a> {
    /// The photo.
    pub(super) view: RoomView<'a>,
    /// Features of each face.
    pub(super) faces: Vec<Vec<Sighting>>,
}

impl<'a> Observation<'a> {
    /// Finds the features of a photo.
    pub(super) fn of(view: RoomView<'a>) -> Self {
        let mut faces: Vec<Vec<Sighting>> = (0..sheet::FACES).map(|_| Vec::new()).collect();
        for sheet in sheet::sheets(view.photo, &view.space.camera) {
            let sightings = feature::features(&sheet).into_iter().filter_map(|feature| {
                let ray = sheet.ray(feature.at).normalize();
                let pixel = view.space.camera.pixel(ray)?;
                let depth = depth(&view, pixel, ray);
                Some(Sighting { ray, offset: pixel - view.space.camera.center, depth, feature })
            });
            faces[sheet.face] = sightings.collect();
        }
        Self { view, faces }
    }
}

/// The distance of what a pixel shows.
fn depth(view: &RoomView<'_>, pixel: DVec2, ray: DVec3) -> Depth {
    let space = view.space;
    let at = (pixel / DVec2::new(space.camera.width as f64, space.camera.height as f64)).to_array();
    if view.segmentation.class(Class::Window, at) > OUTSIDE {
        return Depth::Unknown;
    }
    let (reach, surface) = space.intersect(space.eye, ray.as_vec3());
    match surface {
        Surface::Floor if reach < FARTHEST => Depth::Floor,
        _ if reach >= FARTHEST => Depth::Unknown,
        Surface::Wall(side) if !space.sides[side].seen => Depth::Unknown,
        _ => Depth::Surface(f64::from(reach)),
    }
}
