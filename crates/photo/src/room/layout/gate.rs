//! Whether a room is understood well enough to build on.

use super::clues::Clues;
use super::{Face, Layout};

/// Why a room should not be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Too few segments run along three right-angled directions.
    FewLinesAlongAxes,
    /// The edges of the room found are not seen as lines.
    EdgesNotSeen,
    /// Many lines run where, in such a room, they cannot.
    LinesContradict,
    /// Rooms of different shape explain the photo about as well.
    Ambiguous,
    /// Too little floor is in view.
    LittleFloor,
    /// The room would have proportions that rooms do not have.
    UnusualProportions,
}

impl Doubt {
    /// In words, for messages.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Doubt::FewLinesAlongAxes => "too few lines run along three right-angled directions",
            Doubt::EdgesNotSeen => "the edges between floor, walls and ceiling are not seen clearly",
            Doubt::LinesContradict => "many lines contradict a room of simple shape",
            Doubt::Ambiguous => "rooms of different shape would explain the photo as well",
            Doubt::LittleFloor => "too little of the floor is in view",
            Doubt::UnusualProportions => "the room would have unusual proportions",
        }
    }
}

/// How sure a room is, 0 to 1, and why it is not where it is not.
pub(super) fn judge(layout: &Layout, clues: &Clues) -> (f64, Vec<Doubt>) {
    // The limits are where, over imagined rooms of all shapes, floors that are wrong become rare among those accepted;
    // furnished rooms fall to them as a rule, as is wanted. Each measure as a margin: 0 at its limit, 1 where it is beyond doubt.
    let margin = |value: f64, limit: f64, sure: f64| ((value - limit) / (sure - limit)).clamp(-1.0, 1.0);
    let Layout { frame, distances, evidence, .. } = layout;
    let floor = clues.colors.iter().filter(|(p, _)| layout.face_at([p.x, p.y]) == Face::Floor).count();
    let floor = floor as f64 / clues.colors.len() as f64;
    let lens = frame.camera.focal / clues.width.max(clues.height);
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
