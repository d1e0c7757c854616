//! How a path is traveled in time.

use std::f64::consts::PI;

/// Share of the duration over which the camera accelerates, and over which it slows down.
const EASE: f64 = 0.25;

/// Where the camera is at rest. Elsewhere, it moves on at an even speed into the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// At the beginning.
    pub starts_at_rest: bool,
    /// At the end.
    pub ends_at_rest: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self { starts_at_rest: true, ends_at_rest: true }
    }
}

impl Pace {
    /// Share of the path at a share of the time, without jerks.
    #[must_use]
    pub fn gone(self, moment: f64) -> f64 {
        let t = moment.clamp(0.0, 1.0);
        let ramp = |t: f64| 0.5 * (t - EASE / PI * (PI * t / EASE).sin());
        let lost = |rests: bool| if rests { EASE / 2.0 } else { 0.0 };
        let whole = 1.0 - lost(self.starts_at_rest) - lost(self.ends_at_rest);
        let gone = if self.starts_at_rest && t < EASE {
            ramp(t)
        } else if self.ends_at_rest && t > 1.0 - EASE {
            whole - ramp(1.0 - t)
        } else {
            t - lost(self.starts_at_rest)
        };
        gone / whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(pace: Pace) -> Vec<f64> {
        (0..150).map(|i| pace.gone(f64::from(i + 1) / 150.0) - pace.gone(f64::from(i) / 150.0)).collect()
    }

    #[test]
    fn motion_starts_and_ends_at_rest_and_is_smooth_between() {
        let pace = Pace::default();
        assert_eq!((pace.gone(0.0), pace.gone(1.0)), (0.0, 1.0));
        let steps = steps(pace);
        let most = steps.iter().copied().fold(0.0, f64::max);
        assert!(steps.iter().all(|s| *s > 0.0) && steps[0] < most / 50.0 && steps[149] < most / 50.0);
        let jerk = steps.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
        assert!(jerk < most / 15.0, "{jerk} of {most}");
        assert!((pace.gone(0.3) + pace.gone(0.7) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn motion_goes_on_at_full_speed_into_a_cut() {
        for (starts_at_rest, ends_at_rest) in [(true, false), (false, false), (false, true)] {
            let pace = Pace { starts_at_rest, ends_at_rest };
            assert!(pace.gone(0.0) == 0.0 && (pace.gone(1.0) - 1.0).abs() < 1e-12);
            let steps = steps(pace);
            let most = steps.iter().copied().fold(0.0, f64::max);
            assert_eq!(steps[0] > 0.99 * most, !starts_at_rest, "{pace:?}");
            assert_eq!(steps[149] > 0.99 * most, !ends_at_rest, "{pace:?}");
            assert!(steps.windows(2).all(|w| (w[1] - w[0]).abs() < most / 15.0), "{pace:?}");
        }
    }
}
