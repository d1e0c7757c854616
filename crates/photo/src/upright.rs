//! Perspective correction: rotates the camera so that verticals are vertical in the image.
//!
//! Pitch and roll follow from the vanishing point of the upright segments. Leveling the camera is a homography, `K R K⁻¹`, which
//! needs no depth. How much of it is done depends on how certain the vertical is, on the area that the crop loses, and on
//! whether the photo looks up or down on purpose; all three scale the correction, and what they leave is reported.
mod turn;
mod verticals;

use std::fmt;

use crate::Photo;
use crate::border::Borders;
use crate::lines;
use crate::room::camera::Camera;
use turn::turned;
use verticals::{Lens, Verticals};

pub use turn::{Turn, tilted};
pub use verticals::Tilt;

/// Least lean that is visible and worth a tighter crop, degrees: of the whole image, and of verticals at its sides.
const LEAST_ROLL: f64 = 0.6;
const LEAST_LEAN: f64 = 1.0;
/// The same where the correction was requested.
const LEAST_LEAN_ON_REQUEST: f64 = 0.35;
/// Pitch that is corrected fully, and pitch that is intentional and left alone, degrees; less and less is corrected between them.
const ACCIDENTAL_PITCH: f64 = 13.0;
const INTENTIONAL_PITCH: f64 = 26.0;
/// Least support of the vertical, in segments of ordinary length.
const LEAST_SUPPORT: f64 = 0.8;
/// Greatest share of the expected lean that may remain.
const MOST_REMAINING: f64 = 0.7;
/// Greatest expected lean of a photo that is called level, degrees.
const MOST_EXPECTED: f64 = 2.0;
/// Least share of the area that is kept where the correction was requested, in other photos of rooms, and of houses: a house that leans
/// a little is worth more than one without its roof.
pub const LEAST_KEPT: f64 = 0.66;
const LEAST_KEPT_INDOORS: f64 = 0.72;
const LEAST_KEPT_OUTDOORS: f64 = 0.82;
/// What the pitch may cost outdoors, relative to rooms.
const BY_PITCH_OUTDOORS: f64 = 0.5;
/// Greatest share of what a correction of the roll alone keeps that the pitch may cost in addition: the edges of the image are
/// worth more than the last degrees, the more so where nobody asked for the correction. Then a lean that is hardly seen is worth less
/// than one that is: so much, and for each degree so much more.
const MOST_CROPPED_BY_PITCH: f64 = 0.11;
const CROPPED_BY_PITCH: [f64; 2] = [0.025, 0.0125];
const MOST_CROPPED_BY_PITCH_ON_REQUEST: f64 = 0.2;
/// Focal length of a phone, in longer sides, for photos that do not say.
const USUAL_FOCAL: f64 = 0.8;

/// Why a photo stays as it is, or is corrected in part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Its verticals are upright within these degrees.
    Level(f64),
    /// It has too few or too short upright lines.
    FewVerticals,
    /// Its upright lines do not agree; the most probable lean, degrees.
    Uncertain(f64),
    /// It looks up or down, as one does on purpose.
    Steep {
        /// Upward pitch, degrees.
        pitch: f64,
        /// Lean of verticals at its sides, degrees.
        lean: f64,
    },
    /// More correction would crop too much of it.
    Crop,
}

impl Limit {
    /// Lean of verticals at the sides of the photo as it is, if it is known, degrees.
    #[must_use]
    pub fn lean(&self) -> Option<f64> {
        match self {
            Self::Level(lean) | Self::Uncertain(lean) | Self::Steep { lean, .. } => Some(*lean),
            Self::FewVerticals | Self::Crop => None,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(lean) => write!(f, "verticals are already upright within {:.1} degrees", lean.max(0.1)),
            Self::FewVerticals => write!(f, "too few clear upright lines were found"),
            Self::Uncertain(lean) => {
                write!(f, "upright lines do not agree on how far the photo leans, perhaps by {lean:.1} degrees")
            }
            Self::Steep { pitch, .. } if *pitch > 0.0 => {
                write!(f, "the photo looks up by {pitch:.0} degrees, which seems intended")
            }
            Self::Steep { pitch, .. } => {
                write!(f, "the photo looks down by {:.0} degrees, which seems intended", -pitch)
            }
            Self::Crop => write!(f, "a full correction would crop too much"),
        }
    }
}

/// Perspective correction of a photo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Upright {
    /// Needs a correction.
    Turn(Correction),
    /// Stays as it is.
    Stay(Limit),
}

/// A correction, and what it leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correction {
    /// The rotation and crop.
    pub turn: Turn,
    /// Worst lean of verticals at the sides of the photo before and after, degrees.
    pub leans: [f64; 2],
    /// What kept it from being full.
    pub limit: Option<Limit>,
}

/// Determines the perspective correction. `focal` is the focal length in pixels, if known. Borders of the photo are cropped.
/// `on_request`, smaller leans are corrected as well, at a greater cost. `is_outdoors` is asked only where something would be cropped.
#[must_use]
pub fn upright(photo: &Photo, focal: Option<f64>, on_request: bool, is_outdoors: impl FnOnce() -> bool) -> Upright {
    let lens = lens(photo, focal);
    let Some(verticals) = Verticals::find(&lines::segments(photo), lens) else {
        return Upright::Stay(Limit::FewVerticals);
    };
    let tilt = verticals.tilt;
    let lean = lens.worst_lean(tilt);
    if verticals.support < LEAST_SUPPORT {
        return Upright::Stay(Limit::FewVerticals);
    }
    let upright = Tilt::default();
    let is_level =
        if on_request { lean < LEAST_LEAN_ON_REQUEST } else { tilt.roll.abs() < LEAST_ROLL && lean < LEAST_LEAN };
    if is_level {
        let is_known = verticals.expected_lean(tilt) < MOST_EXPECTED;
        return Upright::Stay(if is_known { Limit::Level(lean) } else { Limit::FewVerticals });
    }
    let wanted = intended(tilt);
    if wanted == upright {
        return Upright::Stay(Limit::Steep { pitch: tilt.pitch, lean });
    }
    let share = |share: f64| Tilt { pitch: wanted.pitch * share, roll: wanted.roll * share };
    // The part of it that leaves the least lean over all tilts that the segments allow.
    let (certain, expected) = [1.0, 0.85, 0.7, 0.55, 0.4, 0.25]
        .map(|s| (s, verticals.expected_lean(share(s))))
        .into_iter()
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((1.0, 0.0));
    if certain < 1.0 && expected > MOST_REMAINING * verticals.expected_lean(upright) {
        return Upright::Stay(Limit::Uncertain(lean));
    }
    let [least, of_degree] = CROPPED_BY_PITCH;
    let most_by_pitch = MOST_CROPPED_BY_PITCH.min(least + of_degree * lean);
    let limits = if on_request {
        CropLimits { kept: LEAST_KEPT, by_pitch: MOST_CROPPED_BY_PITCH_ON_REQUEST }
    } else if is_outdoors() {
        CropLimits { kept: LEAST_KEPT_OUTDOORS, by_pitch: most_by_pitch * BY_PITCH_OUTDOORS }
    } else {
        CropLimits { kept: LEAST_KEPT_INDOORS, by_pitch: most_by_pitch }
    };
    let Some((turn, is_full)) = cropped(photo, lens, tilt, share(certain), limits) else {
        return Upright::Stay(Limit::Crop);
    };
    let left = lens.worst_lean(Tilt { pitch: tilt.pitch - turn.pitch, roll: tilt.roll - turn.roll });
    let limit = match () {
        () if !is_full => Some(Limit::Crop),
        () if certain < 1.0 => Some(Limit::Uncertain(lean)),
        () if (wanted.pitch - tilt.pitch).abs() > 0.5 => Some(Limit::Steep { pitch: tilt.pitch, lean }),
        () => None,
    };
    Upright::Turn(Correction { turn, leans: [lean, left], limit })
}

/// How much may be cropped.
#[derive(Clone, Copy)]
struct CropLimits {
    /// Least share of the area that is kept.
    kept: f64,
    /// Greatest share of what a correction of the roll alone keeps that the pitch may cost in addition.
    by_pitch: f64,
}

/// The part of a tilt that was not meant.
fn intended(tilt: Tilt) -> Tilt {
    let steep = tilt.pitch.abs();
    let share = ((INTENTIONAL_PITCH - steep) / (INTENTIONAL_PITCH - ACCIDENTAL_PITCH)).clamp(0.0, 1.0);
    if share <= 0.0 {
        return Tilt::default();
    }
    Tilt { pitch: tilt.pitch.signum() * steep.min(ACCIDENTAL_PITCH) * share, roll: tilt.roll }
}

/// The largest part of a correction that keeps enough of the photo, the pitch giving way first; and whether it is the whole.
fn cropped(photo: &Photo, lens: Lens, tilt: Tilt, wanted: Tilt, limits: CropLimits) -> Option<(Turn, bool)> {
    let camera = camera(lens, tilt);
    let borders = Borders::detect(photo);
    let part = |pitch: f64, roll: f64| {
        turned(&camera, (wanted.pitch * pitch).to_radians(), (wanted.roll * roll).to_radians(), None, borders)
    };
    let by_roll = part(0.0, 1.0).map_or(0.0, |t| t.kept);
    let least = limits.kept.max(by_roll * (1.0 - limits.by_pitch));
    for tenths in (0..=20).rev() {
        let share = f64::from(tenths) / 20.0;
        if let Some(turn) = part(share, 1.0).filter(|t| t.kept >= least) {
            return Some((turn, tenths == 20));
        }
    }
    for tenths in (1..20).rev() {
        let share = f64::from(tenths) / 20.0;
        if let Some(turn) = part(0.0, share).filter(|t| t.kept >= limits.kept) {
            return Some((turn, false));
        }
    }
    None
}

fn lens(photo: &Photo, focal: Option<f64>) -> Lens {
    let focal = focal.unwrap_or(USUAL_FOCAL * photo.width.max(photo.height) as f64);
    Lens { width: photo.width, height: photo.height, focal }
}

fn camera(lens: Lens, tilt: Tilt) -> Camera {
    Camera::turned(lens.width, lens.height, lens.focal, tilt.pitch.to_radians(), tilt.roll.to_radians(), 0.0)
}

/// Pitch and roll of the camera, if upright segments determine them.
#[must_use]
pub fn estimated_tilt(photo: &Photo, focal: Option<f64>) -> Option<Tilt> {
    let verticals = Verticals::find(&lines::segments(photo), lens(photo, focal))?;
    (verticals.support >= LEAST_SUPPORT).then_some(verticals.tilt)
}

/// The full correction, regardless of its size and of the area it crops; `None` if the segments do not determine it.
#[must_use]
pub fn full_correction(photo: &Photo, focal: Option<f64>) -> Option<Turn> {
    let tilt = estimated_tilt(photo, focal)?;
    let camera = camera(lens(photo, focal), tilt);
    turned(&camera, camera.pitch(), camera.roll(), None, Borders::default())
}

#[cfg(test)]
mod tests;
