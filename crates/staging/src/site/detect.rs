//! Detection of doors, passages, fixtures and obstacles in a photo.

use aerie_math::color::luminance;
use aerie_photo::lines::Segment;
use aerie_photo::segmentation::{Class, Segmentation};
use glam::{DVec2, Vec2, Vec3};

use super::footprint::{Door, Footprint, STEP};
use crate::light::Shell;
use crate::space::{Space, Surface};

/// What stays free in front of a door or a fixture, `deep` meters into the room.
pub(super) fn zone(shell: &Shell, door: &Door, deep: f32) -> Footprint {
    let side = &shell.space.sides[door.side];
    let [from, to] = door.across;
    let center = side.at((from + to) / 2.0, 0.0).truncate() + side.inward * deep / 2.0;
    Footprint { center, half: Vec2::new((to - from) / 2.0 + 0.05, deep / 2.0), yaw: side.along().to_angle() }
}

/// Mean probability of a class at the places that the photo shows; `None` where it shows none.
pub(super) fn mean_class(
    space: &Space,
    segmentation: &Segmentation,
    class: Class,
    places: impl Iterator<Item = Vec3>,
) -> Option<f32> {
    let size = DVec2::new(space.camera.width as f64, space.camera.height as f64);
    let shown = places.filter(|place| space.shows(*place)).filter_map(|place| space.pixel(place));
    let (sum, count) = shown.fold((0.0, 0.0_f32), |(sum, count), pixel| {
        (sum + segmentation.class(class, (pixel / size).to_array()), count + 1.0)
    });
    (count > 0.0).then(|| sum / count)
}

/// Detects stretches of wall by the segmentation: where it sees one of `classes` at heights up to 0.9 m, of a width within `widths`.
pub(super) fn stretches(
    shell: &Shell,
    segmentation: &Segmentation,
    classes: &[Class],
    widths: std::ops::Range<f32>,
) -> Vec<Door> {
    const PROBABILITY: f32 = 0.5;
    let space = &shell.space;
    let mut found = Vec::new();
    for (i, side) in space.sides.iter().enumerate().filter(|(_, s)| s.seen) {
        let is_class = |cell: usize| {
            let heights = || (0..6_u8).map(|k| side.at((cell as f32 + 0.5) * STEP, 0.2 + 0.14 * f32::from(k)));
            let shares = classes.iter().filter_map(|class| mean_class(space, segmentation, *class, heights()));
            shares.sum::<f32>() > PROBABILITY
        };
        let cells = (side.length() / STEP) as usize;
        let found_here = runs(cells, is_class).filter(|across| widths.contains(&(across[1] - across[0])));
        found.extend(found_here.map(|across| Door { side: i, across }));
    }
    found
}

/// Runs of cells for which something holds, as stretches in meters.
fn runs(cells: usize, holds: impl Fn(usize) -> bool) -> impl Iterator<Item = [f32; 2]> {
    let mut start = None;
    (0..=cells).filter_map(move |cell| match (start, cell < cells && holds(cell)) {
        (None, true) => {
            start = Some(cell);
            None
        }
        (Some(from), false) => {
            start = None;
            Some([from, cell].map(|c| c as f32 * STEP))
        }
        _ => None,
    })
}

/// Upright lines on a wall: where along it, from which height and to which.
pub(super) fn uprights(space: &Space, side: usize, segments: &[Segment]) -> Vec<[f32; 3]> {
    const MARGIN: f32 = 0.06;
    let side = &space.sides[side];
    if !side.seen {
        return Vec::new();
    }
    let on_wall = |pixel: [f64; 2]| -> Option<Vec2> {
        let ray = space.ray(DVec2::from_array(pixel));
        let facing = side.inward.dot(ray.truncate());
        let t = side.inward.dot(side.from) / facing;
        (facing < -1e-4).then(|| {
            let place: Vec3 = space.eye + ray * t;
            Vec2::new(side.along().dot(place.truncate() - side.from), place.z)
        })
    };
    let upright = |segment: &Segment| {
        let (a, b) = (on_wall(segment.a)?, on_wall(segment.b)?);
        let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
        let is_inside =
            low.x > MARGIN && low.x < side.length() - MARGIN && high.y < space.height + 0.1 && low.y > -0.15;
        let is_upright = high.y - low.y > 0.35 && (high.x - low.x).abs() < 0.03 * (high.y - low.y) + 0.02;
        (is_inside && is_upright).then(|| [(low.x + high.x) / 2.0, low.y, high.y])
    };
    segments.iter().filter_map(upright).collect()
}

/// Detects doors by pairs of vertical edges that stand on the floor and end at the height of doors.
pub(super) fn doors(shell: &Shell, segments: &[Segment]) -> Vec<Door> {
    let space = &shell.space;
    let mut found = Vec::new();
    for i in (0..space.sides.len()).filter(|i| space.sides[*i].seen) {
        let mut uprights: Vec<(f32, f32, f32)> =
            uprights(space, i, segments).into_iter().map(|[at, low, high]| (at, low, high)).collect();
        uprights.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut joined: Vec<(f32, f32, f32)> = Vec::new();
        for u in uprights {
            match joined.last_mut() {
                Some(last) if u.0 - last.0 < 0.045 => *last = (last.0, last.1.min(u.1), last.2.max(u.2)),
                _ => joined.push(u),
            }
        }
        let jambs: Vec<_> = joined.into_iter().filter(|u| u.1 < 0.35 && (1.75..2.45).contains(&u.2)).collect();
        let mut from = 0.0;
        for (k, a) in jambs.iter().enumerate() {
            if a.0 < from {
                continue;
            }
            let pair = jambs[k + 1..].iter().find(|b| (0.6..1.9).contains(&(b.0 - a.0)) && (b.2 - a.2).abs() < 0.15);
            if let Some(b) = pair {
                found.push(Door { side: i, across: [a.0, b.0] });
                from = b.0;
            }
        }
    }
    found
}

/// Windows whose sills are lower than `sill` meters.
pub(super) fn low_windows(shell: &Shell, sill: f32) -> impl Iterator<Item = Door> {
    let windows = shell.windows.iter().filter(move |w| w.rect[0].y < sill);
    windows.filter_map(|w| Some(Door { side: w.side()?, across: [w.rect[0].x, w.rect[1].x] }))
}

/// Detects doors with windows in them, curtained ones too: glass at the height of doors whose casing stands on the floor at both sides.
pub(super) fn cased(shell: &Shell, segments: &[Segment]) -> Vec<Door> {
    /// Height of glass in a door: its sill at most, and where it ends, meters.
    const SILL: f32 = 1.1;
    const HEAD: std::ops::Range<f32> = 1.6..2.5;
    /// Height at which a casing begins at most, by how much it ends above the glass at most, and how far aside it is, meters.
    const FOOT: f32 = 0.35;
    const ABOVE: std::ops::Range<f32> = -0.15..0.45;
    const ASIDE: std::ops::Range<f32> = -0.08..0.40;
    let space = &shell.space;
    let door = |window: &crate::light::Window| {
        let side = window.side()?;
        let [low, high] = window.rect;
        if low.y > SILL || !HEAD.contains(&high.y) {
            return None;
        }
        let all = uprights(space, side, segments);
        let jambs = || all.iter().filter(|[_, from, to]| *from < FOOT && ABOVE.contains(&(to - high.y)));
        let left = jambs().map(|u| u[0]).filter(|at| ASIDE.contains(&(low.x - at))).fold(f32::MIN, f32::max);
        let right = jambs().map(|u| u[0]).filter(|at| ASIDE.contains(&(at - high.x))).fold(f32::MAX, f32::min);
        (left > f32::MIN && right < f32::MAX).then_some(Door { side, across: [left, right] })
    };
    shell.windows.iter().filter_map(door).collect()
}

/// Mean probability of a class in a stretch of wall up to the height of a door; `None` where the photo does not show it.
pub(super) fn share(shell: &Shell, segmentation: &Segmentation, class: Class, door: &Door) -> Option<f32> {
    let [from, to] = door.across;
    let side = &shell.space.sides[door.side];
    let places =
        (0..20_u8).map(|i| side.at(from + (to - from) * (f32::from(i % 5) + 0.5) / 5.0, 0.3 + 0.5 * f32::from(i / 5)));
    mean_class(&shell.space, segmentation, class, places)
}

/// Whether the segmentation sees something other than bare wall where a door or a passage was found. The posts of a wall of glass look
/// like those of doors.
pub(super) fn is_seen(shell: &Shell, segmentation: &Segmentation, door: &Door) -> bool {
    const LEAST: f32 = 0.35;
    const GLAZED: f32 = 0.5;
    const LONG: f32 = 3.0;
    let space = &shell.space;
    let side = &space.sides[door.side];
    let mean = |class, across| share(shell, segmentation, class, &Door { side: door.side, across });
    let Some(wall) = mean(Class::Wall, door.across) else { return true };
    let of = |class: Class| mean(class, door.across).unwrap_or(0.0);
    let is_glazed =
        side.length() > LONG && mean(Class::Window, [0.0, side.length()]).is_some_and(|share| share > GLAZED);
    let glass = if is_glazed { of(Class::Window) } else { 0.0 };
    1.0 - wall - of(Class::Floor) - glass > LEAST
}

/// Points of the floor where the segmentation sees a wall, a fixture or furniture: what stands there covers or hides the floor. What
/// looks like a window is a reflection.
pub(super) fn covered(shell: &Shell, segmentation: &Segmentation) -> Vec<Vec2> {
    const STEPS: u32 = 120;
    /// Distance from walls within which the outline of the floor may be inaccurate, meters.
    const RIM: f32 = 0.25;
    let space = &shell.space;
    let camera = &space.camera;
    let cells = (0..STEPS * STEPS).map(|i| [i % STEPS, i / STEPS].map(|k| (f64::from(k) + 0.5) / f64::from(STEPS)));
    let things = cells.filter(|at| {
        [Class::Wall, Class::Fixture, Class::Furniture].map(|class| segmentation.class(class, *at)).iter().sum::<f32>()
            > 0.5
    });
    let places = things.filter_map(|[x, y]| {
        let ray = space.ray(DVec2::new(x * camera.width as f64, y * camera.height as f64));
        let (reach, surface) = space.intersect(space.eye, ray);
        (surface == Surface::Floor).then(|| (space.eye + ray * reach).truncate())
    });
    places.filter(|place| space.clearance(*place) > RIM).collect()
}

/// Whether a stretch of wall overlaps none of the doors.
fn is_new(doors: &[Door], side: usize, across: [f32; 2]) -> bool {
    !doors.iter().any(|d| d.side == side && d.across[0] < across[1] && across[0] < d.across[1])
}

/// Detects fireplaces: dark openings low in a wall.
pub(super) fn hearths(shell: &Shell, doors: &[Door]) -> Vec<Door> {
    let mut found = Vec::new();
    for (side, wall) in shell.space.sides.iter().enumerate().filter(|(_, s)| s.seen) {
        let level = luminance(shell.median_color(side).to_array());
        let is_dark = |cell: usize| {
            let dark = (0..8).filter(|k| {
                let at = Vec2::new((cell as f32 + 0.5) * STEP, 0.25 + 0.05 * *k as f32);
                luminance(shell.radiance(Surface::Wall(side), at).to_array()) < 0.16 * level
            });
            dark.count() >= 6
        };
        let dark = runs((wall.length() / STEP) as usize, is_dark);
        let hearths = dark.filter(|a| (0.4..1.8).contains(&(a[1] - a[0])) && is_new(doors, side, *a));
        found.extend(hearths.map(|across| Door { side, across }));
    }
    found
}

/// Detects passages and built-in shelves: wide stretches that are not bare wall from the floor up.
pub(super) fn passages(shell: &Shell, odd: &[Vec<Option<f32>>], doors: &[Door]) -> Vec<Door> {
    let mut found = Vec::new();
    for (side, cells) in odd.iter().enumerate().filter(|(side, _)| shell.space.sides[*side].seen) {
        let is_odd = |cell: usize| cells[cell].is_some_and(|c| c > 0.8);
        let share = cells.iter().flatten().filter(|c| **c > 0.8).count() as f32 / cells.len().max(1) as f32;
        // A wall of another color or of glass is not a passage.
        if share <= 0.6 {
            let wide = runs(cells.len(), is_odd).filter(|a| a[1] - a[0] >= 0.6 && is_new(doors, side, *a));
            found.extend(wide.map(|across| Door { side, across }));
        }
    }
    found
}
