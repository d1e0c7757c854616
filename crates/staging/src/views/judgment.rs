//! Whether a pose is beyond doubt.

use aerie_photo::room::Camera;
use glam::{DMat3, DVec2, Vec2};

use super::observation::{Depth, RoomView};
use super::plan::PlanTransform;
use super::pose::{FLOOR_SPREAD, FOCALS, Pair, Rig, SURFACE_SPREAD, TILTS, Unknowns, X, YAW};
use super::refine::Setup;
use super::search::cell;

/// The second view in the room of the first one.
#[derive(Debug, Clone)]
pub struct Registration {
    /// From the floor of the second view to that of the first one.
    pub plan: PlanTransform,
    /// Both cameras with corrected tilt and focal length.
    pub cameras: [Camera; 2],
    /// Exact transform of the floors for the corrected cameras.
    pub exact: PlanTransform,
    /// What it rests on.
    pub evidence: Evidence,
}

/// Why two views were not registered.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Unregistered {
    /// No pose explains matches.
    #[error("the photos have too little in common")]
    NothingInCommon,
    /// The best pose explains too few matches.
    #[error("too few details agree between the photos")]
    FewMatches(Evidence),
    /// Another pose explains nearly as many.
    #[error("the photos fit together in more than one way")]
    Ambiguous(Evidence),
    /// The matches scatter around where the best pose expects them, as matches of different rooms do.
    #[error("details of the photos look alike but do not fit together")]
    Scattered(Evidence),
    /// The shapes of the rooms contradict each other.
    #[error("the shapes of the room in the photos do not agree")]
    Contradiction(Evidence),
}

impl Unregistered {
    /// What the best pose rests on, if there is one.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence> {
        match self {
            Self::NothingInCommon => None,
            Self::FewMatches(e) | Self::Ambiguous(e) | Self::Scattered(e) | Self::Contradiction(e) => Some(*e),
        }
    }
}

/// What a pose rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// Matches that it explains.
    pub matches: usize,
    /// Their share of all matches near where it expects them: a third if they lie there by chance.
    pub agreement: f64,
    /// Different directions in which they are seen, in the photo where that is less.
    pub support: usize,
    /// Of these, those whose distance agrees with the shape of the room in both views.
    pub anchored: usize,
    /// Support of the best other pose.
    pub rival: usize,
    /// Directions in which matches by look alone agreed with it before it was refined.
    pub votes: usize,
    /// Median distance between the places of a match by both views, meters.
    pub residual: f64,
    /// Root mean square of what no similarity between both floors explains, meters.
    pub bend: f64,
    /// Deviation of the turn between the axes of both rooms from a multiple of a quarter, radians.
    pub turned: f64,
    /// Lengths of the first view relative to the second one.
    pub scale: f64,
    /// Greatest correction of a tilt or focal length, in standard deviations.
    pub corrected: f64,
    /// Confidence, 0 to 1.
    pub confidence: f64,
}

/// Least directions in which matches agree, at all, with both rooms, and before refinement.
const LEAST_SUPPORT: usize = 16;
const LEAST_ANCHORED: usize = 8;
const LEAST_VOTES: usize = 8;
/// Greatest support of another pose, as a share.
const MOST_RIVAL: f64 = 0.6;
/// Least share of matches that agree.
const LEAST_AGREEMENT: f64 = 0.6;
/// Greatest angle between a match and its expected direction, radians.
const INLIER: f64 = 0.004;
/// Greatest differences of the rooms' shapes: distance of places, bend of the floor, meters; turn, radians; logarithm of the scale.
const MOST_RESIDUAL: f64 = 0.25;
const MOST_BEND: f64 = 0.1;
const MOST_TURNED: f64 = 0.14;
const MOST_SCALED: f64 = 0.4;
/// Greatest correction of a camera, standard deviations.
const MOST_CORRECTED: f64 = 5.0;

/// A refined pose.
pub(super) struct Candidate<'a> {
    rig: Rig,
    unknowns: Unknowns,
    cameras: [&'a Camera; 2],
    /// What it rests on.
    pub(super) evidence: Evidence,
}

impl<'a> Candidate<'a> {
    /// Counts the matches that a pose explains.
    pub(super) fn new(setup: &Setup<'a>, unknowns: Unknowns, near: &[Pair], votes: usize) -> Self {
        let rig = setup.rig(&unknowns);
        let mut cells = [Vec::new(), Vec::new()];
        let (mut anchored, mut apart, mut matches) = (Vec::new(), Vec::new(), 0);
        for pair in near {
            let Some(fit) = rig.fit(pair, INLIER / 2.0).filter(|f| f.off.length() < INLIER) else { continue };
            matches += 1;
            (0..2).for_each(|i| cells[i].push(cell(pair.rays[i])));
            let allowed = |i: usize| match pair.depths[i] {
                Depth::Floor => 2.5 * FLOOR_SPREAD,
                Depth::Surface(_) => 1.7 * SURFACE_SPREAD,
                Depth::Unknown => 0.0,
            };
            if (0..2).all(|i| fit.deeper[i].abs() < allowed(i)) {
                anchored.push(cell(pair.rays[0]));
                let reach = (fit.place - rig.places[0]).length();
                apart.push((fit.deeper[0] - fit.deeper[1]).abs() * reach);
            }
        }
        apart.sort_by(f64::total_cmp);
        let distinct = |cells: &mut Vec<u32>| {
            cells.sort_unstable();
            cells.dedup();
            cells.len()
        };
        let evidence = Evidence {
            matches,
            agreement: matches as f64 / near.len().max(1) as f64,
            support: cells.iter_mut().map(distinct).min().unwrap_or(0),
            anchored: distinct(&mut anchored),
            rival: 0,
            votes,
            residual: apart.get(apart.len() / 2).copied().unwrap_or(f64::INFINITY),
            bend: f64::INFINITY,
            turned: unknowns[YAW] - setup.turn(),
            scale: rig.scale,
            corrected: setup.correction(&unknowns),
            confidence: 0.0,
        };
        Self { rig, unknowns, cameras: setup.cameras, evidence }
    }

    /// The transform for the corrected cameras.
    fn exact(&self) -> PlanTransform {
        let shift = DVec2::new(self.unknowns[X], self.unknowns[X + 1]);
        PlanTransform { yaw: self.unknowns[YAW], scale: self.rig.scale, shift }
    }

    /// Whether another candidate says much the same.
    fn is_like(&self, other: &Self) -> bool {
        let [a, b] = [self, other].map(Self::exact);
        let turn = DVec2::from_angle(a.yaw).dot(DVec2::from_angle(b.yaw));
        turn > 0.98 && a.shift.distance(b.shift) < 0.5 && (a.scale / b.scale).ln().abs() < 0.15
    }

    /// A camera with what it lacked.
    fn camera(&self, i: usize) -> Camera {
        let tilt =
            DMat3::from_rotation_x(self.unknowns[TILTS[i]]) * DMat3::from_rotation_y(self.unknowns[TILTS[i] + 1]);
        let camera = self.cameras[i];
        let rotation = camera.rotation * tilt.transpose();
        Camera { focal: camera.focal * self.unknowns[FOCALS[i]].exp(), rotation, ..*camera }
    }

    /// The similarity between both floors as they were estimated, from places that both photos show.
    fn plan(&self, views: [RoomView<'_>; 2]) -> Option<(PlanTransform, f64)> {
        const STEP: f32 = 0.25;
        let floor = |i: usize, offset: DVec2| {
            let space = views[i].space;
            let ray = space.camera.ray(offset + space.camera.center);
            (ray.z < -0.05).then(|| (ray / -ray.z * f64::from(space.eye.z)).truncate())
        };
        let common = (0..48 * 32).filter_map(|i| {
            let place = Vec2::new((i % 48) as f32 * STEP - 6.0, (i / 48) as f32 * STEP);
            let [first, second] = views.map(|v| v.space);
            let pixel =
                first.pixel(place.extend(0.0)).filter(|_| first.shows(place.extend(0.0)) && first.holds(place))?;
            let true_place = self.rig.on_floor(0, self.rig.ray(0, pixel - first.camera.center))?;
            let offset = self.rig.offset(1, true_place - self.rig.places[1])?;
            let other = floor(1, offset)?;
            second.shows(other.as_vec2().extend(0.0)).then(|| [place.as_dvec2(), other])
        });
        let common: Vec<[DVec2; 2]> = common.collect();
        (common.len() >= 6).then(|| PlanTransform::between(&common)).flatten()
    }
}

/// The best candidate if it is beyond doubt. Candidates come best first.
pub(super) fn judged(views: [RoomView<'_>; 2], candidates: &[Candidate<'_>]) -> Result<Registration, Unregistered> {
    let Some(best) = candidates.first() else { return Err(Unregistered::NothingInCommon) };
    let mut evidence = best.evidence;
    let rival = candidates.iter().skip(1).find(|other| !best.is_like(other));
    evidence.rival = rival.map_or(0, |r| r.evidence.support);
    let exact = best.exact();
    let (plan, bend) = best.plan(views).unwrap_or((exact, 0.0));
    evidence.bend = bend;
    evidence.confidence = confidence(&evidence);
    if evidence.support < LEAST_SUPPORT || evidence.anchored < LEAST_ANCHORED || evidence.votes < LEAST_VOTES {
        return Err(Unregistered::FewMatches(evidence));
    }
    if evidence.rival as f64 > MOST_RIVAL * evidence.support as f64 {
        return Err(Unregistered::Ambiguous(evidence));
    }
    if evidence.agreement < LEAST_AGREEMENT {
        return Err(Unregistered::Scattered(evidence));
    }
    let is_odd = evidence.residual > MOST_RESIDUAL
        || evidence.bend > MOST_BEND
        || evidence.turned.abs() > MOST_TURNED
        || evidence.scale.ln().abs() > MOST_SCALED
        || evidence.corrected > MOST_CORRECTED;
    if is_odd {
        return Err(Unregistered::Contradiction(evidence));
    }
    Ok(Registration { plan, cameras: [0, 1].map(|i| best.camera(i)), exact, evidence })
}

/// Confidence by how many directions agree, how alone the pose is, and how closely matches lie where it expects them.
fn confidence(evidence: &Evidence) -> f64 {
    let enough = (evidence.support as f64 / (3.0 * LEAST_SUPPORT as f64)).min(1.0);
    let alone = 1.0 - evidence.rival as f64 / evidence.support.max(1) as f64;
    let close = ((evidence.agreement - 0.33) / 0.5).clamp(0.0, 1.0);
    (enough * alone * close).max(0.0).cbrt()
}
