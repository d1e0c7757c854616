//! Timing of a boundary's animation: when its line and fill appear.

use aerie_render::marking::MarkingState;
use aerie_scenery::FRAME_RATE;

/// Start of the line's animation, seconds.
const BEGIN: f32 = 0.5;
/// Maximum duration of the line's animation, in seconds and as a share of the film.
const TAKES: (f32, f32) = (3.2, 0.34);
/// Duration of the fill's fade-in, seconds. It starts slightly before the line closes.
const FILL: f32 = 0.9;

/// Opacity of the complete fill; the ground stays visible.
const FULL: f32 = 0.19;

/// The timing in a film of a given number of frames.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    takes: f32,
}

impl Timing {
    pub(crate) fn of(count: u32) -> Self {
        Self { takes: (count as f32 / FRAME_RATE as f32 * TAKES.1).min(TAKES.0) }
    }

    /// How much of the boundary `frame` shows.
    pub(crate) fn drawn(self, frame: u32) -> MarkingState {
        let time = frame as f32 / FRAME_RATE as f32 - BEGIN;
        let fill = smooth((time - self.takes + 0.3) / FILL);
        MarkingState { line: smooth(time / self.takes), fill: FULL * fill }
    }

    /// The complete boundary.
    pub(crate) const COMPLETE: MarkingState = MarkingState { line: 1.0, fill: FULL };

    /// The first frame that shows the complete boundary.
    pub(crate) fn complete(self) -> u32 {
        ((BEGIN + self.takes + FILL) * FRAME_RATE as f32).ceil() as u32
    }

    /// Opacity of a label that belongs to the line at this share of its length.
    pub(crate) fn label(self, frame: u32, share: f32) -> f32 {
        let since = self.drawn(frame).line - share;
        let closed = frame as f32 / FRAME_RATE as f32 - BEGIN - self.takes;
        smooth(since / 0.08 + 0.2).max(smooth(closed / 0.5))
    }
}

/// Smootherstep: from 0 to 1 with zero first and second derivatives at both ends.
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
