//! Confidence in a layout.

use crate::room::frame::Frame;

use super::evidence::Evidence;
use super::face::Distances;

/// Reason not to rely on a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Too few segments along three perpendicular directions.
    FewLinesAlongAxes,
    /// The edges of the layout are not supported by segments.
    EdgesNotSeen,
    /// Many segments contradict the layout.
    LinesContradict,
    /// Different layouts explain the photo about as well.
    Ambiguous,
    /// Too little of the floor is visible.
    LittleFloor,
    /// Proportions that rooms do not have.
    UnusualProportions,
}

impl Doubt {
    /// Explanation for users.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Doubt::FewLinesAlongAxes => "too few lines run in three perpendicular directions",
            Doubt::EdgesNotSeen => "the edges between floor, walls and ceiling are not clearly visible",
            Doubt::LinesContradict => "many lines contradict a room of simple shape",
            Doubt::Ambiguous => "rooms of other shapes would explain the photo equally well",
            Doubt::LittleFloor => "too little of the floor is visible",
            Doubt::UnusualProportions => "the room would have unusual proportions",
        }
    }
}

/// Confidence from 0 to 1, and doubts. `floor` is the share of the image that shows floor, `side` its longer side.
pub(super) fn assess(
    frame: &Frame,
    distances: &Distances,
    evidence: &Evidence,
    floor: f64,
    side: f64,
) -> (f64, Vec<Doubt>) {
    // Each measure becomes a margin: 0 at its limit, 1 when it is beyond doubt. Limits were set on synthetic rooms so that wrong
    // floors are rare among accepted layouts; furnished rooms are mostly rejected, which is intended.
    let margin = |value: f64, limit: f64, sure: f64| ((value - limit) / (sure - limit)).clamp(-1.0, 1.0);
    let lens = frame.camera.focal / side;
    let is_usual = (0.4..3.0).contains(&distances.ceiling) && (0.3..1.7).contains(&lens);
    let measures = [
        (Doubt::FewLinesAlongAxes, margin(frame.share(), 0.55, 0.9)),
        (Doubt::EdgesNotSeen, margin(evidence.edges, 0.55, 0.8)),
        (Doubt::EdgesNotSeen, margin(evidence.foot, 0.5, 0.8)),
        (Doubt::LinesContradict, margin(evidence.violations, 0.03, 0.005)),
        (Doubt::Ambiguous, margin(evidence.agreement, 0.93, 0.995)),
        (Doubt::LittleFloor, margin(floor, 0.03, 0.15)),
        (Doubt::UnusualProportions, if is_usual { 1.0 } else { -1.0 }),
    ];
    let mut doubts: Vec<Doubt> = measures.iter().filter(|(_, m)| *m < 0.0).map(|(doubt, _)| *doubt).collect();
    doubts.dedup();
    let least = measures.iter().map(|(_, m)| *m).fold(1.0, f64::min);
    let mean = measures.iter().map(|(_, m)| *m).sum::<f64>() / measures.len() as f64;
    let confidence =
        if least < 0.0 { 0.5 * (1.0 + least).max(0.0) * mean.max(0.0) } else { 0.5 + 0.25 * (least + mean) };
    (confidence, doubts)
}
