//! The paths of flights, and the duration and aspect ratio of their videos.

/// The path to fly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Establishing approach to the street front, then part of an orbit.
    Original,
    /// Approach from this side.
    From(Side),
    /// Looking straight down, ascending.
    TopdownRising,
    /// Looking straight down, descending.
    TopdownSinking,
}

/// Sides of the compass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// North.
    North,
    /// East.
    East,
    /// South.
    South,
    /// West.
    West,
}

/// Frames per second.
pub const FRAME_RATE: u32 = 30;
/// Duration that paths are authored for, seconds. A shorter flight covers less of its path, a longer one is slower.
const AUTHORED_SECONDS: f64 = 10.0;
/// Aspect ratio that fields of view are authored for.
const AUTHORED_ASPECT: f64 = 16.0 / 9.0;

/// Duration and aspect ratio of a video.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VideoFormat {
    /// Duration, seconds.
    pub seconds: u32,
    /// Width over height.
    pub aspect: f64,
}

impl Default for VideoFormat {
    fn default() -> Self {
        Self { seconds: 10, aspect: AUTHORED_ASPECT }
    }
}

impl VideoFormat {
    pub(super) fn frames(self) -> usize {
        (FRAME_RATE * self.seconds) as usize
    }

    /// Share of the authored path that is flown, which bounds the speed.
    pub(super) fn share(self) -> f64 {
        (f64::from(self.seconds) / AUTHORED_SECONDS).clamp(0.6, 1.0)
    }

    /// The vertical field of view, radians: wider in a narrower frame, so that the property stays in view.
    pub(super) fn field(self, authored: f64) -> f64 {
        let narrowing = (AUTHORED_ASPECT / self.aspect).max(1.0);
        2.0 * ((authored * 0.5).tan() * narrowing.powf(0.72)).atan()
    }
}
