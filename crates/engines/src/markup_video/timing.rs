//! When what of a boundary is drawn.

use aerie_render::marking::MarkingState;
use aerie_scenery::FRAME_RATE;

/// When the line begins to draw itself, seconds.
const BEGIN: f32 = 0.5;
/// Longest that it takes, seconds, and largest share of the film.
const TAKES: (f32, f32) = (3.2, 0.34);
/// Time that the fill takes, seconds; it starts a little before the line is closed.
const FILL: f32 = 0.9;

/// Strength of the whole fill: the ground is still seen.
const FULL: f32 = 0.19;

/// The course of a film of so many frames.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    takes: f32,
}

impl Timing {
    pub(crate) fn of(count: u32) -> Self {
        Self { takes: (count as f32 / FRAME_RATE as f32 * TAKES.1).min(TAKES.0) }
    }

    /// What frame `frame` shows.
    pub(crate) fn drawn(self, frame: u32) -> MarkingState {
        let time = frame as f32 / FRAME_RATE as f32 - BEGIN;
        let fill = smooth((time - self.takes + 0.3) / FILL);
        MarkingState { line: smooth(time / self.takes), fill: FULL * fill }
    }

    /// The first frame with all of it.
    pub(crate) fn complete(self) -> u32 {
        ((BEGIN + self.takes + FILL) * FRAME_RATE as f32).ceil() as u32
    }

    /// How strongly a label shows that belongs to the line at this share of it.
    pub(crate) fn label(self, frame: u32, share: f32) -> f32 {
        let since = self.drawn(frame).line - share;
        let closed = frame as f32 / FRAME_RATE as f32 - BEGIN - self.takes;
        smooth(since / 0.08 + 0.2).max(smooth(closed / 0.5))
    }
}

/// From 0 to 1 without a start or a stop that is felt.
pub(crate) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_drawn_steadily_from_nothing_to_all_and_stays() {
        for count in [180, 300, 600] {
            let timing = Timing::of(count);
            assert_eq!(timing.drawn(0), MarkingState::HIDDEN);
            let drawn: Vec<MarkingState> = (0..count).map(|frame| timing.drawn(frame)).collect();
            assert!(drawn.windows(2).all(|w| w[1].line >= w[0].line && w[1].line - w[0].line < 0.05));
            assert!(drawn.windows(2).all(|w| w[1].fill >= w[0].fill && w[1].fill - w[0].fill < 0.03));
            let complete = timing.complete();
            assert!(complete < count * 6 / 10, "{complete} of {count}");
            assert!(drawn[complete as usize..].iter().all(|d| d.line == 1.0 && d.fill == FULL));
            assert_eq!((timing.label(0, 0.0) < 0.3, timing.label(count - 1, 1.0)), (true, 1.0));
        }
    }
}
