//! Camera height in meters. A single photo has no absolute scale, so it follows from things of usual height: a posterior over the camera
//! height from how high people hold cameras, and how high ceilings and doors are.

/// What the scale rests on most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruler {
    /// A length that the user gave.
    KnownLength,
    /// Doors of usual height.
    Door,
    /// A ceiling of usual height.
    Ceiling,
    /// The usual height of a camera.
    Camera,
}

impl Ruler {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::KnownLength => "known_length",
            Self::Door => "door",
            Self::Ceiling => "ceiling",
            Self::Camera => "camera",
        }
    }

    /// The basis of the estimate, for users.
    #[must_use]
    pub fn basis(self) -> &'static str {
        match self {
            Self::KnownLength => "a known length",
            Self::Door => "the usual height of doors (2.03 m and their casing)",
            Self::Ceiling => "the usual height of ceilings (2.3 to 2.7 m, now and then 3 m)",
            Self::Camera => "the usual height of cameras (1.1 to 1.7 m)",
        }
    }
}

/// Camera height in meters, and what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Most likely value.
    pub meters: f64,
    /// 90 % interval.
    pub range: [f64; 2],
    /// What the estimate rests on most.
    pub ruler: Ruler,
}

/// Medians, meters, and logarithmic standard deviations.
const CAMERA: [f64; 2] = [1.39, 0.23];
const CEILING: [f64; 2] = [2.46, 0.115];
const HIGH_CEILING: [f64; 2] = [2.95, 0.14];
const DOOR: [f64; 2] = [2.09, 0.06];
/// Share of high ceilings, and of doors that are none or of unusual height.
const HIGH: f64 = 0.17;
const ODD_DOOR: f64 = 0.25;
/// Logarithmic standard deviation of a ceiling that is not in the picture.
const UNSEEN: f64 = 0.3;

/// Camera heights that are considered, meters.
const LEAST: f64 = 0.5;
const STEPS: usize = 320;
const RATIO: f64 = 1.005;

fn likelihood(meters: f64, [median, spread]: [f64; 2]) -> f64 {
    let off = (meters / median).ln() / spread;
    (-0.5 * off * off).exp() / spread
}

impl Scale {
    /// A scale from a length that the user gave.
    #[must_use]
    pub fn known(meters: f64) -> Self {
        Self { meters, range: [meters * 0.97, meters * 1.03], ruler: Ruler::KnownLength }
    }

    /// Estimate from the height of the room and of its doors, in camera heights.
    pub(super) fn estimate(room: f64, sees_ceiling: bool, doors: &[f64]) -> Self {
        let of_ceiling = |camera: f64| {
            let wider = |[median, spread]: [f64; 2]| [median, if sees_ceiling { spread } else { spread.hypot(UNSEEN) }];
            let usual = likelihood(camera * room, wider(CEILING));
            (1.0 - HIGH) * usual + HIGH * likelihood(camera * room, wider(HIGH_CEILING)) + 1e-3
        };
        let of_door = |camera: f64| {
            let usual = |tall: &f64| (1.0 - ODD_DOOR) * likelihood(camera * tall, DOOR) + ODD_DOOR;
            doors.iter().map(usual).product::<f64>()
        };
        let heights: Vec<f64> = (0..STEPS).map(|i| LEAST * RATIO.powi(i as i32)).collect();
        let density: Vec<f64> = heights.iter().map(|h| likelihood(*h, CAMERA) * of_ceiling(*h) * of_door(*h)).collect();
        let total: f64 = density.iter().sum();
        let quantile = |share: f64| {
            let mut sum = 0.0;
            let reached = density.iter().position(|d| {
                sum += d;
                sum >= share * total
            });
            heights[reached.unwrap_or(STEPS - 1)]
        };
        let meters = quantile(0.5);
        let agrees = |tall: &f64| (meters * tall / DOOR[0]).ln().abs() < 2.0 * DOOR[1];
        let ruler = if doors.iter().any(agrees) {
            Ruler::Door
        } else if sees_ceiling && (meters * room / CEILING[0]).ln().abs() < 2.0 * CEILING[1] {
            Ruler::Ceiling
        } else {
            Ruler::Camera
        };
        Self { meters, range: [quantile(0.05), quantile(0.95)], ruler }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_rooms_are_scaled_by_their_ceiling() {
        let scale = Scale::estimate(2.5 / 1.5, true, &[]);
        assert!((scale.meters - 1.5).abs() < 0.08 && scale.ruler == Ruler::Ceiling, "{scale:?}");
        assert!(scale.range[0] < 1.5 && scale.range[1] > 1.5, "{scale:?}");
    }

    #[test]
    fn a_ceiling_that_looks_high_means_a_low_camera_rather_than_a_hall() {
        let scale = Scale::estimate(2.5 / 0.9, true, &[]);
        assert!(scale.meters < 1.1 && scale.range[0] < 0.92, "{scale:?}");
    }

    #[test]
    fn doors_tell_a_high_room_from_a_low_camera() {
        let without = Scale::estimate(3.3 / 1.3, true, &[]);
        let with = Scale::estimate(3.3 / 1.3, true, &[2.09 / 1.3]);
        assert!(without.meters < 1.15, "{without:?}");
        assert!((with.meters - 1.3).abs() < 0.06 && with.ruler == Ruler::Door, "{with:?}");
        assert!(with.range[1] - with.range[0] < without.range[1] - without.range[0]);
    }

    #[test]
    fn a_door_that_contradicts_everything_else_is_no_ruler() {
        let scale = Scale::estimate(2.5 / 1.5, true, &[0.8]);
        assert!((scale.meters - 1.5).abs() < 0.15 && scale.ruler != Ruler::Door, "{scale:?}");
    }

    #[test]
    fn without_a_ceiling_the_usual_camera_height_decides() {
        let scale = Scale::estimate(1.86, false, &[]);
        assert!(scale.ruler == Ruler::Camera && (scale.meters - 1.37).abs() < 0.06, "{scale:?}");
    }
}
