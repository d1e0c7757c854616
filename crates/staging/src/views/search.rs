//! Proposes poses of the second camera: every pair of features with a place in both rooms gives one, and the others vote on it.

use std::cmp::Reverse;

use glam::{DVec2, DVec3};

use super::observation::Depth;
use super::pose::{HEIGHT, Pair, UNKNOWNS, Unknowns, X, YAW};
use super::refine::Setup;

/// Scales of the second view relative to the first that are tried.
const SCALES: [f64; 5] = [1.0, 0.88, 1.14, 0.77, 1.3];
/// Allowed difference of two places: in meters, and as a share of their distances.
const APART: [f64; 2] = [0.12, 0.06];
/// Distance between the second camera's places by two proposals from which they differ, meters.
const OTHER: f64 = 0.4;
/// Proposals that are kept.
const KEPT: usize = 6;

/// A proposed pose.
pub(super) struct Proposal {
    /// The pose.
    pub(super) start: Unknowns,
    /// Directions in which pairs agree with it.
    pub(super) votes: usize,
}

/// A pair with its places by the shapes of both rooms.
struct Anchor {
    places: [DVec3; 2],
    reaches: [f64; 2],
    cell: u32,
}

/// Small area of directions that a direction lies in.
pub(super) fn cell(ray: DVec3) -> u32 {
    const DEGREES: f64 = 4.0;
    let azimuth = ray.x.atan2(ray.y).to_degrees() + 180.0;
    let height = ray.z.clamp(-1.0, 1.0).asin().to_degrees() + 90.0;
    (height / DEGREES) as u32 * 128 + (azimuth / DEGREES) as u32
}

fn anchor(pair: &Pair, eyes: [f64; 2]) -> Option<Anchor> {
    let reach = |i: usize| match pair.depths[i] {
        Depth::Floor => (pair.rays[i].z < -0.05).then(|| eyes[i] / -pair.rays[i].z),
        Depth::Surface(reach) => Some(reach),
        Depth::Unknown => None,
    };
    let reaches = [reach(0)?, reach(1)?];
    let places = [0, 1].map(|i| DVec3::Z * eyes[i] + pair.rays[i] * reaches[i]);
    Some(Anchor { places, reaches, cell: cell(pair.rays[0]) })
}

/// The most voted poses, best first.
pub(super) fn proposals(setup: &Setup<'_>, pairs: &[Pair]) -> Vec<Proposal> {
    let anchors: Vec<Anchor> = pairs.iter().filter_map(|pair| anchor(pair, setup.eyes)).collect();
    let turn = DVec2::from_angle(setup.turn());
    let turned = |place: DVec3| turn.rotate(place.truncate());
    let mut all: Vec<Proposal> = Vec::new();
    for own in &anchors {
        for scale in SCALES {
            if (own.places[0].z - scale * own.places[1].z).abs() > APART[0] + APART[1] * own.reaches[0] {
                continue;
            }
            let shift = own.places[0].truncate() - turned(own.places[1]) * scale;
            let mut cells: Vec<u32> = anchors
                .iter()
                .filter(|other| {
                    let place = (turned(other.places[1]) * scale + shift).extend(other.places[1].z * scale);
                    let allowed = APART[0] + APART[1] * (other.reaches[0] + scale * other.reaches[1]) / 2.0;
                    (place - other.places[0]).length_squared() < 2.0 * allowed * allowed
                })
                .map(|other| other.cell)
                .collect();
            cells.sort_unstable();
            cells.dedup();
            let mut start = [0.0; UNKNOWNS];
            start[YAW] = setup.turn();
            (start[X], start[X + 1]) = (shift.x, shift.y);
            start[HEIGHT] = (scale * setup.eyes[1]).ln();
            all.push(Proposal { start, votes: cells.len() });
        }
    }
    all.sort_by_key(|proposal| Reverse(proposal.votes));
    let mut kept: Vec<Proposal> = Vec::new();
    for proposal in all {
        let apart = |other: &Proposal| {
            let [a, b] = [&proposal, other].map(|p| DVec2::new(p.start[X], p.start[X + 1]));
            a.distance(b) > OTHER || (proposal.start[HEIGHT] - other.start[HEIGHT]).abs() > 0.2
        };
        if proposal.votes >= 3 && kept.iter().all(apart) {
            kept.push(proposal);
        }
        if kept.len() == KEPT {
            break;
        }
    }
    kept
}
