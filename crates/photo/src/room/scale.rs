//! Camera height in meters, as an interval: a single photo has no absolute scale.

/// Camera height in meters, and the assumption behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Most likely value.
    pub meters: f64,
    /// Least and greatest plausible value.
    pub range: [f64; 2],
    /// Basis of the estimate, for users.
    pub ground: &'static str,
}

/// Usual camera heights, meters.
const CAMERA: [f64; 2] = [1.15, 1.60];
/// Usual ceiling heights, meters.
const CEILING: [f64; 2] = [2.35, 2.85];

/// Estimate from usual ceiling and camera heights; `ceiling` is in camera heights above the camera.
pub(super) fn usual(ceiling: f64) -> Scale {
    let by_ceiling = CEILING.map(|h| h / (1.0 + ceiling));
    let range = [by_ceiling[0].max(CAMERA[0]), by_ceiling[1].min(CAMERA[1])];
    if range[0] <= range[1] {
        let ground = "assuming a ceiling of 2.35 to 2.85 m and a camera at 1.15 to 1.60 m";
        return Scale { meters: (range[0] + range[1]) / 2.0, range, ground };
    }
    // With an unusual ceiling the camera height is the better reference, as it varies less.
    let range = [CAMERA[0].min(by_ceiling[1]), CAMERA[1].max(by_ceiling[0])];
    let ground = "assuming a camera at 1.15 to 1.60 m, as the ceiling height is unusual";
    Scale { meters: (CAMERA[0] + CAMERA[1]) / 2.0, range, ground }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_rooms_are_scaled_by_ceiling_height_and_high_ones_by_camera_height() {
        let ordinary = usual(1.2 / 1.4);
        assert!((ordinary.meters - 1.4).abs() < 0.1, "{ordinary:?}");
        assert!(ordinary.range[0] <= 1.4 && ordinary.range[1] >= 1.4);
        let high = usual(2.6 / 1.4);
        assert!((high.meters - 1.4).abs() < 0.1 && high.ground.starts_with("assuming a camera"), "{high:?}");
    }
}
