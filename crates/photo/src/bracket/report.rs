//! What was merged, and why not.

use aerie_register::{Frame, Homography};
use serde::Serialize;

use super::motion::Motion;
use crate::report::rounded;

/// What was merged into a photo.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MergeReport {
    /// Number of merged exposures, with the reference.
    pub merged: usize,
    /// True for camera raw, which is added up in linear light.
    pub linear: bool,
    /// Share of the pixels that are those of the reference alone, because something moved in all other exposures.
    pub from_reference: f32,
    /// The exposures beside the reference, in their order.
    pub others: Vec<ExposureReport>,
}

/// What was done with an exposure.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ExposureReport {
    /// Whether it was merged.
    pub merged: bool,
    /// How much lighter than the reference it is, EV.
    pub exposure: f32,
    /// How far its center was shifted against the reference, to the right and down, pixels.
    pub shift: [f32; 2],
    /// By which angle it was turned against the reference, clockwise, degrees.
    pub rotation: f32,
    /// Share of its pixels that were not used, because something moved.
    pub moved: f32,
    /// Why it was not merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

impl MergeReport {
    pub(super) fn new(others: Vec<ExposureReport>, from_reference: f32, linear: bool) -> Self {
        let merged = 1 + others.iter().filter(|other| other.merged).count();
        Self { merged, linear: linear && merged > 1, from_reference: rounded(from_reference), others }
    }
}

impl ExposureReport {
    pub(super) fn merged(map: &Homography, size: [usize; 2], light: f32, motion: &Motion) -> Self {
        let (shift, rotation) = map.motion(&Frame::of(size));
        let moved = (0..motion.mask.len()).filter(|i| motion.is_at(*i)).count() as f32 / motion.mask.len() as f32;
        Self {
            merged: true,
            exposure: rounded(light),
            shift: shift.map(|v| rounded(v as f32)),
            rotation: rounded(rotation as f32),
            moved: rounded(moved),
            left_out: None,
        }
    }

    pub(super) fn left_out(is_plain: bool, darker: bool) -> Self {
        let why = match (is_plain, darker) {
            (true, true) => "it is too dark to be aligned with the other exposures",
            (true, false) => "it is too light to be aligned with the other exposures",
            (false, _) => "it could not be aligned with the other exposures",
        };
        Self { left_out: Some(why.to_owned()), ..Self::default() }
    }

    pub(super) fn of_other_size([width, height]: [usize; 2], [own_width, own_height]: [usize; 2]) -> Self {
        let why = format!(
            "it has {width} x {height} pixels, but `image_url` has {own_width} x {own_height}: exposures are merged as the camera \
             recorded them, not cropped or scaled"
        );
        Self { left_out: Some(why), ..Self::default() }
    }
}
