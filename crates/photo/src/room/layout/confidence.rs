//! Confidence in a layout.

use crate::room::frame::Frame;

use super::evidence::Evidence;
use super::face::Distances;

/// Share of the photo that shows an exterior from which it is no room, and the same where its light and colors are those of an exterior.
const OUTDOORS: [f64; 2] = [0.3, 0.015];

/// Reason not to rely on a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Too few segments along three perpendicular directions.
    FewLinesAlongAxes,
    /// The edges of the layout are not supported by segments.
    EdgesNotSeen,
    /// Many segments contradict the layout.
    LinesContradict,
    /// The floor of the layout is not the floor that the segmentation sees.
    FloorDisagrees,
    /// Different layouts explain the photo about as well.
    Ambiguous,
    /// Too little of the floor is visible.
    LittleFloor,
    /// Proportions that rooms do not have.
    UnusualProportions,
    /// The photo shows an exterior.
    Outdoors,
}

impl Doubt {
    /// Explanation for users.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Doubt::FewLinesAlongAxes => "too few lines run in three perpendicular directions",
            Doubt::EdgesNotSeen => "the edges between floor, walls and ceiling are not clearly visible",
            Doubt::LinesContradict => "many lines contradict a room of simple shape",
            Doubt::FloorDisagrees => "the outline of the floor is not clear",
            Doubt::Ambiguous => "rooms of other shapes would explain the photo equally well",
            Doubt::LittleFloor => "too little of the floor is visible",
            Doubt::UnusualProportions => "the room would have unusual proportions",
            Doubt::Outdoors => "it shows a building from outside",
        }
    }
}

/// Confidence from 0 to 1, and doubts. `floor` is the share of the image that shows floor, `side` its longer side, `outdoors` the share
/// that shows an exterior; `likely_outdoors` is the probability that it was taken outdoors.
pub(super) fn assess(
    frame: &Frame,
    distances: &Distances,
    evidence: &Evidence,
    floor: f64,
    side: f64,
    outdoors: f64,
    likely_outdoors: f32,
) -> (f64, Vec<Doubt>) {
    // Each measure becomes a margin: 0 at its limit, 1 when it is beyond doubt. Two independent views of the room, its lines and its
    // segmentation, have to agree on the floor. The better they agree, the less the lines alone have to prove: lines inside windows,
    // on ceilings and in reflections contradict many a room that is understood.
    let margin = |value: f64, limit: f64, sure: f64| ((value - limit) / (sure - limit)).clamp(-1.0, 1.0);
    let lens = frame.camera.focal / side;
    let is_usual = (0.25..4.0).contains(&distances.ceiling) && (0.3..1.7).contains(&lens);
    // What looks like an exterior has to prove by its lines that it is a room.
    let indoors = ((0.5 - outdoors) / 0.3).clamp(0.0, 1.0);
    let agreed = ((evidence.segmentation - 0.74) / 0.13).clamp(0.0, 1.0) * indoors;
    let relaxed = |limit: f64, least: f64| limit + (least - limit) * agreed;
    // The other way round, lines that leave no doubt carry a floor that the network sees less of, as where the sun falls on it.
    let by_lines = frame.share() > 0.55
        && evidence.edges > 0.55
        && evidence.foot > 0.5
        && evidence.violations < 0.03
        && evidence.agreement > 0.93;
    let least_overlap = if by_lines && outdoors < 0.02 { 0.62 } else { 0.74 };
    let is_exterior = outdoors > OUTDOORS[0] || outdoors > OUTDOORS[1] && likely_outdoors > 0.5;
    let measures = [
        (Doubt::FloorDisagrees, margin(evidence.segmentation, least_overlap, 0.95)),
        (Doubt::FewLinesAlongAxes, margin(frame.share(), relaxed(0.55, 0.2), 0.9)),
        (Doubt::EdgesNotSeen, margin(evidence.edges, relaxed(0.55, 0.05), 0.8)),
        (Doubt::EdgesNotSeen, margin(evidence.foot, relaxed(0.5, 0.05), 0.8)),
        (Doubt::LinesContradict, margin(evidence.violations, relaxed(0.03, 0.4), 0.005)),
        (Doubt::Ambiguous, margin(evidence.agreement, relaxed(0.93, 0.3), 0.995)),
        (Doubt::LittleFloor, margin(floor, 0.03, 0.15)),
        (Doubt::UnusualProportions, if is_usual { 1.0 } else { -1.0 }),
        (Doubt::Outdoors, if is_exterior { -1.0 } else { 1.0 }),
    ];
    let mut doubts: Vec<Doubt> = measures.iter().filter(|(_, m)| *m < 0.0).map(|(doubt, _)| *doubt).collect();
    doubts.dedup();
    let least = measures.iter().map(|(_, m)| *m).fold(1.0, f64::min);
    let mean = measures.iter().map(|(_, m)| *m).sum::<f64>() / measures.len() as f64;
    let confidence =
        if least < 0.0 { 0.5 * (1.0 + least).max(0.0) * mean.max(0.0) } else { 0.5 + 0.25 * (least + mean) };
    (confidence, doubts)
}
