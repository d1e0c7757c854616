//! Meters to a camera height, as an interval: one photo cannot say more.

/// Meters to one camera height, and what that rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// The likeliest.
    pub meters: f64,
    /// The least and the most that fit.
    pub range: [f64; 2],
    /// What it rests on, in words.
    pub ground: &'static str,
}

/// Heights that photographers hold cameras at, meters.
const CAMERA: [f64; 2] = [1.15, 1.60];
/// Heights of ceilings, meters: 2.6 give or take 0.25.
const CEILING: [f64; 2] = [2.35, 2.85];

/// From the usual heights of ceilings and cameras; the ceiling is `ceiling` camera heights above the camera.
pub(super) fn usual(ceiling: f64) -> Scale {
    let by_ceiling = CEILING.map(|h| h / (1.0 + ceiling));
    let range = [by_ceiling[0].max(CAMERA[0]), by_ceiling[1].min(CAMERA[1])];
    if range[0] <= range[1] {
        let ground = "a ceiling of 2.35 to 2.85 m and a camera at 1.15 to 1.60 m";
        return Scale { meters: (range[0] + range[1]) / 2.0, range, ground };
    }
    // A high or a low room: the camera is the better ruler then, for people are more alike than rooms.
    let range = [CAMERA[0].min(by_ceiling[1]), CAMERA[1].max(by_ceiling[0])];
    let ground = "a camera at 1.15 to 1.60 m, as the ceiling would be unusual";
    Scale { meters: (CAMERA[0] + CAMERA[1]) / 2.0, range, ground }
}

/// From a length that someone knows.
pub(super) fn known(meters: f64, camera_heights: f64) -> Scale {
    let scale = meters / camera_heights.max(1e-6);
    Scale { meters: scale, range: [scale * 0.97, scale * 1.03], ground: "a length that was given" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_room_is_scaled_by_its_ceiling_and_a_high_one_by_its_camera() {
        let ordinary = usual(1.2 / 1.4);
        assert!((ordinary.meters - 1.4).abs() < 0.1, "{ordinary:?}");
        assert!(ordinary.range[0] <= 1.4 && ordinary.range[1] >= 1.4);
        let high = usual(2.6 / 1.4);
        assert!((high.meters - 1.4).abs() < 0.1 && high.ground.starts_with("a camera"), "{high:?}");
    }
}
