//! Room layout: a box around the camera of floor, ceiling, and the walls to the left, to the right and ahead.
//!
//! The box is given by four distances in units of the camera height. A pixel shows the face whose plane its ray meets first,
//! which is the greatest of five linear functions of the pixel, so that faces are convex polygons. A layout is scored by segments
//! along its edges, by segments that contradict its faces (Lee, Hebert and Kanade 2009), and by how well its faces explain the
//! colors (after Hedau, Hoiem and Forsyth 2009). Coordinate descent starts from distances that segments propose. Further walls
//! are then added where the evidence supports them.
mod confidence;
mod evidence;
mod face;
mod image_evidence;
mod outline;
mod score;
mod search;
mod walls;

use aerie_segmentation::{Class, Segmentation};
use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::frame::{Frame, Hints};
use super::rulers;
use super::scale::Scale;
use crate::Photo;
use crate::lines::{self, Segment};
use crate::setting::SettingEstimate;
use image_evidence::ImageEvidence;

pub use confidence::Doubt;
pub use evidence::Evidence;
pub use face::{Distances, Face};
pub use walls::Wall;

/// Share of the photo that the ceiling takes where it counts as seen.
const LEAST_CEILING: f32 = 0.02;

/// Confidence beyond which one look is enough, and overlap with the segmented floor below which further ones do not help.
const BEYOND_DOUBT: f64 = 0.72;
const HOPELESS: f64 = 0.4;
/// Further sizes in which a doubtful photo is looked at, as shares of the first.
const SIZES: [f64; 4] = [0.9, 0.8, 0.7, 0.6];
/// Difference of confidence that is none.
const NEARLY: f64 = 0.05;

/// An estimated room layout.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The camera and the room's axes.
    pub frame: Frame,
    /// Distances of the best-fitting box, in camera heights.
    pub distances: Distances,
    /// Visible walls from left to right: those of the box, or more where the room has further corners.
    pub walls: Vec<Wall>,
    /// Evidence for the layout.
    pub evidence: Evidence,
    /// Confidence, 0 to 1; at least 0.5 if there are no doubts.
    pub confidence: f64,
    /// Reasons not to rely on it; empty if it is reliable.
    pub doubts: Vec<Doubt>,
    /// Camera height in meters.
    pub scale: Scale,
    /// What the photo shows, by the network.
    pub segmentation: Segmentation,
}

impl Layout {
    /// Estimates the layout of a photo; `None` if there are too few segments for a frame.
    #[must_use]
    pub fn of(photo: &Photo, hints: &Hints) -> Option<Self> {
        Self::of_segments(photo, &lines::segments(photo), hints)
    }

    /// Estimates the layout from segments detected before.
    #[must_use]
    pub fn of_segments(photo: &Photo, segments: &[Segment], hints: &Hints) -> Option<Self> {
        let segmentation = crate::segment(photo);
        let setting = SettingEstimate::of_photo(photo, &segmentation);
        Self::of_evidence(photo, segments, hints, &segmentation, &setting)
    }

    /// Estimates the layout from evidence gathered before.
    ///
    /// Where the result is not beyond doubt, the photo is looked at in further sizes, and the majority decides whether the room is
    /// understood: an answer must not depend on the size or the crop of a file.
    #[must_use]
    pub fn of_evidence(
        photo: &Photo,
        segments: &[Segment],
        hints: &Hints,
        segmentation: &Segmentation,
        setting: &SettingEstimate,
    ) -> Option<Self> {
        let first = Self::estimate(photo, segments, hints, segmentation, setting);
        if first.as_ref().is_some_and(|l| l.confidence > BEYOND_DOUBT || l.evidence.segmentation < HOPELESS) {
            return first;
        }
        let side = lines::WORKING_SIDE.min(photo.width.max(photo.height));
        let further = SIZES.par_iter().map(|share| {
            let segments = lines::segments_at(photo, (side as f64 * share) as usize);
            Self::estimate(photo, &segments, hints, segmentation, setting)
        });
        let mut all: Vec<Self> = std::iter::once(first).chain(further.collect::<Vec<_>>()).flatten().collect();
        let understood = all.iter().filter(|l| l.is_confident()).count();
        let is_understood = 2 * understood > SIZES.len() + 1;
        // The first of the best: sizes are in order of detail.
        all.retain(|l| l.is_confident() == is_understood);
        all.into_iter().reduce(|best, l| if l.confidence > best.confidence + NEARLY { l } else { best })
    }

    fn estimate(
        photo: &Photo,
        segments: &[Segment],
        hints: &Hints,
        segmentation: &Segmentation,
        setting: &SettingEstimate,
    ) -> Option<Self> {
        let frame = Frame::find(segments, photo.width, photo.height, hints)?;
        let image = ImageEvidence::new(photo, segments, segmentation, &frame);
        let (distances, evidence, proposals) = search::best(&image, &frame.camera);
        let walls = walls::better(&image, &frame.camera, &proposals, &distances)
            .unwrap_or_else(|| walls::of_box(&distances, &frame.camera));
        let doors = rulers::doors(segmentation, &frame.camera, &walls);
        let sees_ceiling = segmentation.share(Class::Ceiling) > LEAST_CEILING;
        let scale = Scale::estimate(1.0 + distances.ceiling, sees_ceiling, &doors);
        let segmentation = segmentation.clone();
        let mut layout =
            Self { frame, distances, walls, evidence, confidence: 0.0, doubts: Vec::new(), scale, segmentation };
        layout.evidence.foot = walls::foot(&image, &layout.frame.camera, &layout.walls);
        layout.evidence.violations = image.violations(|pixel| layout.face_at(pixel).axis());
        layout.evidence.segmentation = image.floor_overlap(|pixel| layout.face_at(pixel) == Face::Floor);
        let floor = image.colors.iter().filter(|(p, _)| layout.face_at([p.x, p.y]) == Face::Floor).count();
        let floor = floor as f64 / image.colors.len() as f64;
        let side = image.width.max(image.height);
        let outdoors = f64::from(layout.segmentation.share(Class::Outdoors));
        (layout.confidence, layout.doubts) = confidence::assess(
            &layout.frame,
            &layout.distances,
            &layout.evidence,
            floor,
            side,
            outdoors,
            setting.outdoors,
        );
        Some(layout)
    }

    /// Whether the layout is reliable.
    #[must_use]
    pub fn is_confident(&self) -> bool {
        self.doubts.is_empty()
    }

    /// The face that a pixel shows.
    #[must_use]
    pub fn face_at(&self, pixel: [f64; 2]) -> Face {
        let ray = self.frame.camera.ray(DVec2::from_array(pixel));
        let azimuth = ray.x.atan2(ray.y);
        let along = ray.truncate().length().max(1e-9);
        let wall = self.walls.iter().find(|w| azimuth < w.azimuths[1]).or(self.walls.last());
        let (reach, side) = wall.map_or((f64::INFINITY, Face::Far), |w| (w.reach(azimuth) / along, w.face()));
        let (level, flat) =
            if ray.z < 0.0 { (-1.0 / ray.z, Face::Floor) } else { (self.distances.ceiling / ray.z, Face::Ceiling) };
        if level < reach { flat } else { side }
    }

    /// Visible polygon of each face, in pixels: floor, ceiling, then walls from left to right.
    #[must_use]
    pub fn polygons(&self) -> Vec<(Face, Vec<[f64; 2]>)> {
        let corner = |wall: &Wall, end: usize, height: f64| {
            let azimuth = wall.azimuths[end];
            let reach = wall.reach(azimuth);
            DVec3::new(azimuth.sin() * reach, azimuth.cos() * reach, height)
        };
        let ceiling = self.distances.ceiling;
        let level = |height: f64| -> Vec<DVec3> {
            let rim = self.walls.iter().flat_map(|w| [corner(w, 0, height), corner(w, 1, height)]);
            std::iter::once(DVec3::Z * height).chain(rim).collect()
        };
        let mut faces = vec![(Face::Floor, level(-1.0)), (Face::Ceiling, level(ceiling))];
        faces.extend(self.walls.iter().map(|w| {
            let corners = [corner(w, 0, -1.0), corner(w, 1, -1.0), corner(w, 1, ceiling), corner(w, 0, ceiling)];
            (w.face(), corners.to_vec())
        }));
        let visible = faces.into_iter().map(|(face, corners)| (face, outline::visible(&corners, &self.frame.camera)));
        visible.filter(|(_, polygon)| polygon.len() >= 3).collect()
    }
}
