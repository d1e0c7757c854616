//! Furnishes synthetic rooms as if they had been analyzed without error, and checks the result by rules of its own. Shared by a test
//! and the example of the same name.

use std::collections::{BTreeMap, BinaryHeap};

use aerie_furniture::{Catalog, OperatorModels, Style, StylePrompt};
use aerie_photo::room::Scale;
use aerie_staging::RoomPlan;
use aerie_staging::arrange::{Arrangement, Placed, arrange};
use aerie_staging::light::Shell;
use aerie_staging::site::{Door, Footprint, Site};
use aerie_staging::space::{Side, Space, Surface};
use aerie_synthetic::room::OpeningKind;
use aerie_synthetic::{Imagined, Style as RoomStyle, imagine};
use glam::{DMat2, DMat3, Vec2, Vec3};
use strum::VariantArray;

/// Results of a campaign over many rooms.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Rooms tried.
    pub(crate) rooms: usize,
    /// Rooms that were furnished.
    pub(crate) furnished: usize,
    /// Pieces in all.
    pub(crate) pieces: usize,
    /// Rooms that could not be furnished, by reason.
    pub(crate) refused: BTreeMap<&'static str, usize>,
    /// Pairs of pieces that stand in one another.
    pub(crate) collisions: usize,
    /// Pieces that reach out of their room.
    pub(crate) outside: usize,
    /// Doors with furniture within 0.6 m.
    pub(crate) blocked: usize,
    /// Narrowest walkway of each furnished room whose walkways are 0.75 m wide when it is empty.
    pub(crate) ways: Vec<f32>,
    /// Refused and tried rooms, by plan.
    pub(crate) plans: BTreeMap<&'static str, [usize; 2]>,
    /// Descriptions of failures.
    pub(crate) faults: Vec<String>,
}

impl Tally {
    /// Share of rooms whose walkways are at least 0.75 m wide.
    pub(crate) fn wide_ways(&self) -> f64 {
        self.ways.iter().filter(|w| **w >= 0.75).count() as f64 / self.ways.len().max(1) as f64
    }

    /// Merges two tallies.
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.rooms += other.rooms;
        self.furnished += other.furnished;
        self.pieces += other.pieces;
        self.collisions += other.collisions;
        self.outside += other.outside;
        self.blocked += other.blocked;
        self.ways.extend(other.ways);
        self.faults.extend(other.faults);
        for (why, count) in other.refused {
            *self.refused.entry(why).or_default() += count;
        }
        for (plan, [refused, tried]) in other.plans {
            let sum = self.plans.entry(plan).or_default();
            *sum = [sum[0] + refused, sum[1] + tried];
        }
        self
    }
}

/// Furnishes the room of a seed.
pub(crate) fn furnished(seed: u64, plan: RoomPlan) -> Tally {
    let shapes = RoomStyle { l_shapes: 0.2, jogs: 0.2, casual: 0.1, ..RoomStyle::default() };
    let (shell, doors) = understood(&imagine(seed, &shapes));
    let style = Style::VARIANTS[seed as usize % Style::VARIANTS.len()];
    let catalog = Catalog::new(&StylePrompt::parse(Some(style.as_str())), &OperatorModels::default(), seed);
    let site = site(&shell, &doors);
    let mut tally = Tally { rooms: 1, ..Tally::default() };
    let Some(done) = arrange(&site, plan, &catalog, seed) else {
        let mut bare = shell.clone();
        bare.windows.clear();
        let fits = |shell: &Shell, doors: &[Door]| arrange(&self::site(shell, doors), plan, &catalog, seed).is_some();
        let why = match () {
            () if !doors.is_empty() && fits(&shell, &[]) => "doors leave no space",
            () if fits(&bare, &doors) => "windows leave no space",
            () if fits(&bare, &[]) => "doors and windows leave no space",
            () => "too little floor before a wall in view",
        };
        tally.refused.insert(why, 1);
        tally.plans.insert(plan.as_str(), [1, 1]);
        return tally;
    };
    tally.plans.insert(plan.as_str(), [0, 1]);
    tally.furnished = 1;
    judge(seed, &shell, &doors, &done, &mut tally);
    tally
}

fn site<'a>(shell: &'a Shell, doors: &[Door]) -> Site<'a> {
    Site::with_doors(shell, doors.to_vec(), vec![Vec::new(); shell.space.sides.len()])
}

fn judge(seed: u64, shell: &Shell, doors: &[Door], done: &Arrangement, tally: &mut Tally) {
    let space = &shell.space;
    let solid: Vec<&Placed> = done.placed.iter().filter(|p| p.is_solid()).collect();
    tally.pieces = done.placed.len();
    for (i, a) in solid.iter().enumerate() {
        for b in &solid[i + 1..] {
            if a.footprint().overlaps(&b.footprint()) {
                tally.collisions += 1;
                tally.faults.push(format!("room {seed}: {} in {}", a.piece.kind, b.piece.kind));
            }
        }
        if a.footprint().corners().iter().any(|c| !space.holds(*c)) {
            tally.outside += 1;
            tally.faults.push(format!("room {seed}: {} outside", a.piece.kind));
        }
    }
    for door in doors {
        let side = &space.sides[door.side];
        let [from, to] = door.across;
        let before = (0..=8).flat_map(|i| {
            let at = from + (to - from) * i as f32 / 8.0;
            [0.1_f32, 0.35, 0.6].map(|off| side.at(at, 0.0).truncate() + side.inward * off)
        });
        let is_blocked = |p: Vec2| solid.iter().find(|s| s.footprint().distance(p) <= 0.0);
        if let Some(what) = before.filter_map(is_blocked).next() {
            tally.blocked += 1;
            tally.faults.push(format!("room {seed}: {} before a door", what.piece.kind));
        }
    }
    let prints: Vec<Footprint> = solid.iter().map(|p| p.footprint()).collect();
    let empty = narrowest_way(space, &[], doors);
    if empty >= 0.75 {
        let way = narrowest_way(space, &prints, doors);
        if way < 0.75 {
            tally.faults.push(format!("room {seed}: a way of {way:.2} m"));
        }
        tally.ways.push(way);
    }
}

/// Width of the narrowest of the widest ways from where the camera stands to each door, meters.
fn narrowest_way(space: &Space, pieces: &[Footprint], doors: &[Door]) -> f32 {
    const STEP: f32 = 0.05;
    let [low, high] = space.extent(Surface::Floor);
    let size = ((high - low) / STEP).ceil().as_ivec2() + 1;
    let place = |i: usize| low + Vec2::new((i as i32 % size.x) as f32, (i as i32 / size.x) as f32) * STEP;
    let count = (size.x * size.y) as usize;
    let free: Vec<f32> = (0..count)
        .map(|i| {
            let p = place(i);
            let walls = if space.holds(p) { space.clearance(p) } else { 0.0 };
            pieces.iter().map(|f| f.distance(p)).fold(walls, f32::min)
        })
        .collect();
    // The widest way to each cell: of all ways the one whose least clearance is greatest.
    let mut reached = vec![0.0_f32; count];
    let mut open: BinaryHeap<(u32, usize)> = BinaryHeap::new();
    let key = |v: f32| (v * 1e5) as u32;
    for i in (0..count).filter(|i| place(*i).length() < 0.6) {
        reached[i] = free[i];
        open.push((key(free[i]), i));
    }
    while let Some((width, i)) = open.pop() {
        if width < key(reached[i]) {
            continue;
        }
        let (x, y) = (i as i32 % size.x, i as i32 / size.x);
        for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            if (0..size.x).contains(&x) && (0..size.y).contains(&y) {
                let next = (y * size.x + x) as usize;
                let through = reached[i].min(free[next]);
                if through > reached[next] {
                    reached[next] = through;
                    open.push((key(through), next));
                }
            }
        }
    }
    let to = |door: &Door| {
        let side = &space.sides[door.side];
        let at = side.at((door.across[0] + door.across[1]) / 2.0, 0.0).truncate() + side.inward * 0.45;
        (0..count).filter(|i| (place(*i) - at).length() < 0.15).map(|i| reached[i]).fold(0.0, f32::max)
    };
    // Cells are 5 cm apart: the true way is up to as much wider.
    doors.iter().map(|d| 2.0 * to(d) + STEP / 2.0).fold(f32::MAX, f32::min).min(9.9)
}

/// An imagined room in the axes of one that was understood: the camera over the origin, looking along Y.
pub(crate) fn understood(imagined: &Imagined) -> (Shell, Vec<Door>) {
    let (room, from) = (&imagined.room, &imagined.viewpoint);
    let ahead = from.camera.ray(from.camera.center);
    let quarter = (ahead.x.atan2(ahead.y) / std::f64::consts::FRAC_PI_2).round() * std::f64::consts::FRAC_PI_2;
    let turn = DMat2::from_angle(quarter);
    let corners: Vec<Vec2> = room.corners.iter().map(|c| (turn * (*c - from.place.truncate())).as_vec2()).collect();
    let mut camera = from.camera;
    camera.rotation *= DMat3::from_rotation_z(-quarter);
    let count = corners.len();
    let sides: Vec<Side> = (0..count)
        .map(|i| {
            let (from, to) = (corners[i], corners[(i + 1) % count]);
            Side { from, to, inward: (to - from).normalize().perp(), seen: true }
        })
        .collect();
    let scale = Scale::known(from.place.z);
    let eye = Vec3::new(0.0, 0.0, from.place.z as f32);
    let mut space = Space { camera, eye, height: room.height as f32, sides, scale };
    let seen: Vec<bool> = (0..count)
        .map(|i| {
            let side = &space.sides[i];
            (0..60).any(|k| {
                let to = side.at((k % 12) as f32 / 11.0 * side.length(), 0.2 + (k / 12) as f32 * 0.5);
                let way = to - space.eye;
                space.shows(to) && space.intersect(space.eye, way.normalize()).0 > way.length() - 0.05
            })
        })
        .collect();
    for (side, seen) in space.sides.iter_mut().zip(seen) {
        side.seen = seen;
    }
    let (mut doors, mut windows) = (Vec::new(), Vec::new());
    for o in &room.openings {
        let across = o.across.map(|v| v as f32);
        if o.kind == OpeningKind::Window {
            windows.push((o.wall, [Vec2::new(across[0], o.up[0] as f32), Vec2::new(across[1], o.up[1] as f32)]));
        } else {
            doors.push(Door { side: o.wall, across });
        }
    }
    (Shell::even(space, Vec3::splat(0.5)).with_windows(&windows, Vec3::splat(3.0)), doors)
}
