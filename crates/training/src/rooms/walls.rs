//! Walls with their openings, floor, and the rooms beyond.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::plan::{Groups, Plan};
use crate::scene::{Brush, Builder, Label, Material, Pane};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Window,
    Door,
    Passage,
    Wide,
}

#[derive(Debug, Clone, Copy)]
struct Opening {
    kind: Kind,
    across: [f32; 2],
    up: [f32; 2],
}

/// A wall's frame: points from distances along it, out of the room, and up.
#[derive(Clone, Copy)]
struct Face {
    from: Vec2,
    along: Vec2,
    out: Vec2,
    length: f32,
}

impl Face {
    fn at(&self, along: f32, out: f32, up: f32) -> Vec3 {
        (self.from + self.along * along + self.out * out).extend(up)
    }

    /// A rectangle in the wall's plane that faces the room, `out` behind it.
    fn panel(&self, b: &mut Builder, across: [f32; 2], up: [f32; 2], out: f32, brush: Brush) {
        if across[1] - across[0] > 1e-3 && up[1] - up[0] > 1e-3 {
            let (a, u) = (self.along * (across[1] - across[0]), Vec3::Z * (up[1] - up[0]));
            b.quad(self.at(across[1], out, up[0]), -a.extend(0.0), u, brush);
        }
    }

    /// A box on the wall, from `out[0]` to `out[1]`; negative is inside the room.
    fn bar(&self, b: &mut Builder, across: [f32; 2], up: [f32; 2], out: [f32; 2], brush: Brush) {
        if across[1] - across[0] > 1e-3 && up[1] - up[0] > 1e-3 {
            let corner = self.from + self.along * across[0] + self.out * out[0];
            b.prism(corner, self.along * (across[1] - across[0]), self.out * (out[1] - out[0]), up, brush);
        }
    }
}

pub(super) fn build(rng: &mut Rng, b: &mut Builder, plan: &Plan, groups: &Groups, level: f32) {
    let [low, high] = plan.extent();
    // The floor reaches beyond the walls, under the passages.
    let floor = Brush { label: Label::Floor, ..Brush::new(Label::Floor, Material::Floor, groups.floor) };
    let floor = floor.on(1).reflecting(rng.range_f32(0.1, 0.5));
    let margin = 0.01;
    b.quad(
        (low - margin).extend(0.0),
        Vec3::X * (high.x - low.x + 2.0 * margin),
        Vec3::Y * (high.y - low.y + 2.0 * margin),
        floor,
    );
    let count = plan.corners.len();
    let accent = rng.random_bool(0.25).then(|| (rng.below(count), b.group()));
    let skirting = if rng.random_bool(0.85) { rng.range_f32(0.05, 0.2) } else { 0.0 };
    let cornice = if rng.random_bool(0.3) { rng.range_f32(0.04, 0.16) } else { 0.0 };
    let wainscot = rng.random_bool(0.2).then(|| (rng.range_f32(0.7, 1.3), b.group()));
    let big_windows = rng.random_bool(0.25);
    let cased = rng.random_bool(0.75);
    let sills = if big_windows { 0.1 } else { rng.range_f32(0.35, 1.15) };
    let head = (plan.height - rng.range_f32(0.08, 0.6)).min(rng.range_f32(2.0, 3.4)).max(1.7);
    let grid = [rng.below(4), rng.below(4)];
    for i in 0..count {
        let (from, to) = (plan.corners[i], plan.corners[(i + 1) % count]);
        let length = (to - from).length();
        if length < 0.02 {
            continue;
        }
        let along = (to - from) / length;
        let face = Face { from, along, out: Vec2::new(along.y, -along.x), length };
        let group = accent.filter(|(wall, _)| *wall == i).map_or(groups.wall, |(_, g)| g);
        let mut openings = openings(rng, length, plan.height, [sills, head], big_windows);
        openings.sort_by(|a, b| a.across[0].total_cmp(&b.across[0]));
        let wall = Brush::wall(Material::Wall, group).reflecting(level);
        let trim = Brush::wall(Material::Trim, groups.trim).reflecting(0.8);
        let top = plan.top;
        let mut start = 0.0;
        for o in &openings {
            surface(b, &face, [start, o.across[0]], [0.0, top], wall, wainscot);
            surface(b, &face, o.across, [0.0, o.up[0]], wall, wainscot);
            surface(b, &face, o.across, [o.up[1], top], wall, None);
            foot(
                b,
                &face,
                [start, o.across[0] - if cased && o.kind != Kind::Window { 0.07 } else { 0.0 }],
                skirting,
                trim,
            );
            if o.kind == Kind::Window {
                foot(b, &face, o.across, skirting.min(o.up[0]), trim);
            }
            start = o.across[1] + if cased && o.kind != Kind::Window { 0.07 } else { 0.0 };
            opening(rng, b, &face, o, groups, cased, grid, plan.height);
            start = start.min(face.length);
            // The strip under the casing.
            surface(b, &face, [o.across[1], start], [0.0, top], wall, wainscot);
        }
        surface(b, &face, [start, length], [0.0, top], wall, wainscot);
        foot(b, &face, [start, length], skirting, trim);
        if cornice > 0.0 {
            face.bar(b, [0.0, length], [plan.height - cornice, plan.height], [-cornice * 0.7, 0.0], trim);
        }
        if let Some((up, _)) = wainscot {
            let mut from = 0.0;
            for o in openings.iter().filter(|o| o.up[0] < up) {
                face.bar(b, [from, o.across[0]], [up, up + 0.05], [-0.025, 0.0], trim);
                from = o.across[1];
            }
            face.bar(b, [from, length], [up, up + 0.05], [-0.025, 0.0], trim);
        }
        fittings(rng, b, &face, &openings, groups);
    }
}

fn surface(b: &mut Builder, face: &Face, across: [f32; 2], up: [f32; 2], wall: Brush, wainscot: Option<(f32, u16)>) {
    match wainscot {
        Some((line, group)) if up[0] < line => {
            face.panel(b, across, [up[0], line.min(up[1])], 0.0, Brush { group, ..wall });
            face.panel(b, across, [line, up[1]], 0.0, wall);
        }
        _ => face.panel(b, across, up, 0.0, wall),
    }
}

fn foot(b: &mut Builder, face: &Face, across: [f32; 2], high: f32, trim: Brush) {
    if high > 0.02 {
        face.bar(b, across, [0.0, high], [-0.016, 0.0], trim);
    }
}

fn openings(rng: &mut Rng, length: f32, height: f32, [sill, head]: [f32; 2], big: bool) -> Vec<Opening> {
    let mut all: Vec<Opening> = Vec::new();
    if length < 0.9 {
        if length > 0.5 && rng.random_bool(0.3) && sill < head - 0.4 {
            all.push(Opening { kind: Kind::Window, across: [0.1, length - 0.1], up: [sill, head] });
        }
        return all;
    }
    let tries = (length / 1.6) as usize + 1;
    let busy = rng.range_f32(0.1, 0.75);
    for _ in 0..tries {
        if !rng.random_bool_f32(busy) {
            continue;
        }
        let kind = match rng.below(10) {
            0..=4 => Kind::Window,
            5 | 6 => Kind::Door,
            7 | 8 => Kind::Passage,
            _ => Kind::Wide,
        };
        let wide = match kind {
            Kind::Window if big => rng.range_f32(1.2, 5.0),
            Kind::Window => rng.range_f32(0.5, 2.4),
            Kind::Door => rng.range_f32(0.62, 0.95) * if rng.random_bool(0.2) { 2.0 } else { 1.0 },
            Kind::Passage => rng.range_f32(0.75, 1.5),
            Kind::Wide => rng.range_f32(1.7, 4.5),
        };
        let wide = wide.min(length - 0.2);
        if wide < 0.45 {
            continue;
        }
        let from = rng.range_f32(0.1, (length - wide - 0.1).max(0.11));
        let up = match kind {
            Kind::Window => {
                let glass_door = rng.random_bool(0.18);
                [if glass_door { 0.03 } else { sill }, head.min(height - 0.05)]
            }
            Kind::Door => {
                [0.0, 2.03_f32.min(height - 0.1) + if rng.random_bool(0.2) { rng.range_f32(0.0, 0.4) } else { 0.0 }]
            }
            Kind::Passage => [0.0, rng.range_f32(2.0, 2.4).min(height - 0.08)],
            Kind::Wide => [0.0, rng.range_f32(2.05, height.max(2.2)).min(height - 0.05)],
        };
        if up[1] - up[0] < 0.4 || up[1] > height - 0.02 {
            continue;
        }
        let across = [from, from + wide];
        if all.iter().all(|o| across[1] < o.across[0] - 0.2 || across[0] > o.across[1] + 0.2) {
            all.push(Opening { kind, across, up });
        }
    }
    all
}

#[expect(clippy::too_many_arguments, reason = "an opening depends on its wall and on the style of all others")]
fn opening(
    rng: &mut Rng,
    b: &mut Builder,
    face: &Face,
    o: &Opening,
    groups: &Groups,
    cased: bool,
    grid: [usize; 2],
    height: f32,
) {
    let thick = rng.range_f32(0.1, 0.32);
    let [a, z] = o.across;
    let [low, high] = o.up;
    let label = if o.kind == Kind::Window { Label::Window } else { Label::Door };
    let label = if o.kind == Kind::Wide { Label::Wall } else { label };
    let trim = Brush::new(label, Material::Trim, groups.trim).reflecting(0.8);
    // Reveals.
    let deep = if o.kind == Kind::Door { 0.05 } else { thick };
    let reveal = Brush::new(
        label,
        if cased { Material::Trim } else { Material::Wall },
        if cased { groups.trim } else { groups.wall },
    );
    let (up, out) = (Vec3::Z * (high - low), face.out.extend(0.0) * deep);
    b.quad(face.at(a, 0.0, low), up, out, reveal);
    b.quad(face.at(z, 0.0, low), out, up, reveal);
    b.quad(face.at(a, 0.0, high), face.along.extend(0.0) * (z - a), out, reveal);
    if o.kind == Kind::Window {
        b.quad(face.at(a, 0.0, low), out, face.along.extend(0.0) * (z - a), reveal);
    }
    if cased {
        let w = rng.range_f32(0.05, 0.13);
        let bottom = if o.kind == Kind::Window { low - w * 0.6 } else { 0.0 };
        face.bar(b, [a - w, a], [bottom, high + w], [-0.022, 0.0], trim);
        face.bar(b, [z, z + w], [bottom, high + w], [-0.022, 0.0], trim);
        face.bar(b, [a - w, z + w], [high, high + w], [-0.022, 0.0], trim);
        if o.kind == Kind::Window {
            face.bar(b, [a - w, z + w], [low - 0.03, low], [-0.06, 0.0], trim);
        }
    }
    match o.kind {
        Kind::Window => window(rng, b, face, o, groups, grid, thick),
        Kind::Door => door(rng, b, face, o, groups),
        Kind::Passage | Kind::Wide => beyond(rng, b, face, o, groups, thick, height),
    }
}

fn window(rng: &mut Rng, b: &mut Builder, face: &Face, o: &Opening, groups: &Groups, grid: [usize; 2], thick: f32) {
    let [a, z] = o.across;
    let [low, high] = o.up;
    let out = thick * rng.range_f32(0.3, 0.9);
    let glass = Brush::new(Label::Window, Material::Glass, groups.glass);
    face.panel(b, o.across, o.up, out, glass);
    b.panes.push(Pane {
        corner: face.at(a, out * 0.98, low),
        edges: [face.along.extend(0.0) * (z - a), Vec3::Z * (high - low)],
        strength: 1.0,
    });
    let frame = Brush::new(Label::Window, Material::Trim, groups.frame).reflecting(0.6);
    let w = rng.range_f32(0.03, 0.08);
    let depth = [out - 0.04, out - 0.005];
    face.bar(b, [a, z], [low, low + w], depth, frame);
    face.bar(b, [a, z], [high - w, high], depth, frame);
    // Sashes, each perhaps with glazing bars.
    let sashes = ((z - a) / rng.range_f32(0.6, 1.3)).round().max(1.0) as usize;
    let wide = (z - a) / sashes as f32;
    for i in 0..=sashes {
        let x = a + wide * i as f32;
        face.bar(b, [(x - w / 2.0).max(a), (x + w / 2.0).min(z)], o.up, depth, frame);
    }
    if rng.random_bool(0.4) {
        let y = low + (high - low) * rng.range_f32(0.35, 0.65);
        face.bar(b, [a, z], [y - w / 2.0, y + w / 2.0], depth, frame);
    }
    if grid[0] + grid[1] > 2 {
        let thin = 0.018;
        for s in 0..sashes {
            for k in 1..=grid[0] {
                let x = a + wide * (s as f32 + k as f32 / (grid[0] + 1) as f32);
                face.bar(b, [x - thin / 2.0, x + thin / 2.0], o.up, depth, frame);
            }
        }
        for k in 1..=grid[1] {
            let y = low + (high - low) * k as f32 / (grid[1] + 1) as f32;
            face.bar(b, [a, z], [y - thin / 2.0, y + thin / 2.0], depth, frame);
        }
    }
    match rng.below(10) {
        0 | 1 => {
            // A blind, partly drawn.
            let down = low + (high - low) * rng.unit_f32().powi(2);
            let blind = Brush::new(Label::Window, Material::Blind, b.group()).reflecting(0.7);
            face.panel(b, o.across, [down, high], out * 0.5 - 0.01, blind);
        }
        2 => {
            let cloth = Brush::new(Label::Window, Material::Curtain, b.group()).reflecting(0.5);
            let bottom = if rng.random_bool(0.7) { 0.02 } else { low - 0.1 };
            let wide = rng.range_f32(0.2, 0.6);
            for [from, to] in [[a - 0.25, a - 0.25 + wide], [z + 0.25 - wide, z + 0.25]] {
                let folds = ((to - from) / 0.09).ceil().max(1.0) as usize;
                for k in 0..folds {
                    let x = |t: usize| from + (to - from) * t as f32 / folds as f32;
                    let deep = |t: usize| if t.is_multiple_of(2) { -0.06 } else { -0.13 };
                    let [p, q] = [face.at(x(k + 1), deep(k + 1), bottom), face.at(x(k), deep(k), bottom)];
                    b.quad(p, q - p, Vec3::Z * (high + 0.1 - bottom), cloth);
                }
            }
            let rod = Brush::new(Label::Window, Material::Metal, b.group());
            face.bar(b, [a - 0.35, z + 0.35], [high + 0.1, high + 0.13], [-0.11, -0.08], rod);
        }
        _ => {}
    }
}

fn door(rng: &mut Rng, b: &mut Builder, face: &Face, o: &Opening, groups: &Groups) {
    let leaf = Brush::new(Label::Door, Material::Door, groups.door).reflecting(0.7);
    let [a, z] = o.across;
    let leaves = if z - a > 1.1 { 2 } else { 1 };
    let wide = (z - a) / leaves as f32;
    for i in 0..leaves {
        let from = a + wide * i as f32;
        let across = [from + 0.003, from + wide - 0.003];
        face.panel(b, across, o.up, 0.04, leaf);
        // Raised or sunk panels, as frames.
        let rows = rng.pick(&[0_usize, 1, 2, 3, 5]);
        for r in 0..rows {
            let tall = (o.up[1] - 0.3) / rows as f32;
            let low = 0.2 + tall * r as f32;
            face.bar(b, [across[0] + 0.11, across[1] - 0.11], [low, low + tall - 0.12], [0.028, 0.04], leaf);
        }
        let metal = Brush::new(Label::Door, Material::Metal, b.group());
        let x = if i == 0 { across[1] - 0.07 } else { across[0] + 0.07 };
        face.bar(b, [x - 0.05, x + 0.02], [0.98, 1.03], [-0.02, 0.03], metal);
    }
}

/// A room beyond a passage.
fn beyond(rng: &mut Rng, b: &mut Builder, face: &Face, o: &Opening, groups: &Groups, thick: f32, height: f32) {
    let wide = o.kind == Kind::Wide;
    let deep = rng.range_f32(1.2, 6.0);
    let (left, right) = (rng.range_f32(0.0, 2.0), rng.range_f32(0.0, 2.0));
    let across = [o.across[0] - left, o.across[1] + right];
    let same = rng.random_bool(0.7);
    let wall_group = if rng.random_bool(0.6) { groups.wall } else { b.group() };
    let floor_group = if same { groups.floor } else { b.group() };
    let of = |label: Label| if wide { label } else { Label::Door };
    let plane = |n: u8| if wide { n } else { 0 };
    let floor = Brush::new(of(Label::Floor), Material::Floor, floor_group).on(plane(1)).reflecting(0.3);
    let walls = if wide {
        Brush::wall(Material::Wall, wall_group)
    } else {
        Brush::new(Label::Door, Material::Wall, wall_group)
    };
    let ceiling = Brush::new(of(Label::Ceiling), Material::Ceiling, groups.ceiling).on(plane(2)).reflecting(0.8);
    let (w, out) = (across[1] - across[0], [thick, thick + deep]);
    let a3 = face.along.extend(0.0);
    let o3 = face.out.extend(0.0);
    // The threshold belongs to what is beyond, then floor, ceiling and three walls.
    b.quad(face.at(o.across[0], 0.0, 0.0), o3 * thick, a3 * (o.across[1] - o.across[0]), floor);
    b.quad(face.at(across[0], out[0], 0.0), o3 * deep, a3 * w, floor);
    b.quad(face.at(across[0], out[0], height), a3 * w, o3 * deep, ceiling);
    let up = Vec3::Z * height;
    // With a window, mostly at the end.
    if rng.random_bool(0.5) && w > 1.2 {
        let [p, q] = [across[0] + w * rng.range_f32(0.1, 0.4), across[0] + w * rng.range_f32(0.6, 0.9)];
        let sill = if rng.random_bool(0.3) { 0.03 } else { rng.range_f32(0.4, 1.0) };
        let label = if wide { Label::Window } else { Label::Door };
        let glass = Brush::new(label, Material::Glass, groups.glass);
        face.panel(b, [p, q], [sill, height - 0.3], out[1] - 0.005, glass);
        b.panes.push(Pane {
            corner: face.at(p, out[1] - 0.02, sill),
            edges: [a3 * (q - p), Vec3::Z * (height - 0.3 - sill)],
            strength: 1.0,
        });
        let frame = Brush::new(label, Material::Trim, groups.frame);
        face.bar(
            b,
            [p, q],
            [(sill + height) / 2.0, (sill + height) / 2.0 + 0.05],
            [out[1] - 0.04, out[1] - 0.01],
            frame,
        );
        face.bar(
            b,
            [(p + q) / 2.0 - 0.03, (p + q) / 2.0 + 0.03],
            [sill, height - 0.3],
            [out[1] - 0.04, out[1] - 0.01],
            frame,
        );
    }
    b.quad(face.at(across[1], out[1], 0.0), -a3 * w, up, walls);
    b.quad(face.at(across[0], out[1], 0.0), -o3 * deep, up, walls);
    b.quad(face.at(across[1], out[0], 0.0), o3 * deep, up, walls);
    // The back of the wall with the opening.
    face.panel(b, [across[0], o.across[0]], [0.0, height], thick, walls);
    face.panel(b, [o.across[1], across[1]], [0.0, height], thick, walls);
    let trim = Brush { material: Material::Trim, group: groups.trim, ..walls };
    face.bar(b, across, [0.0, 0.1], [out[1] - 0.016, out[1]], trim);
    if rng.random_bool(0.35) {
        // Something stands there.
        let x = rng.range_f32(across[0], across[1]);
        let label = if wide { Label::Fixture } else { Label::Door };
        let brush = Brush::new(label, Material::Cabinet, b.group());
        let top = rng.pick(&[0.9_f32, 2.1]);
        face.bar(b, [x, (x + rng.range_f32(0.5, 2.5)).min(across[1])], [0.0, top], [out[1] - 0.6, out[1]], brush);
    }
    if !wide && rng.random_bool(0.3) {
        // The leaf, open into the room.
        let turn = rng.range_f32(0.2, 1.7);
        let way = face.along * turn.cos() - face.out * turn.sin();
        let leaf = Brush::new(Label::Door, Material::Door, groups.door);
        b.prism(
            face.from + face.along * o.across[0],
            way * (o.across[1] - o.across[0]),
            way.perp() * 0.04,
            [0.01, o.up[1]],
            leaf,
        );
    }
}

fn fittings(rng: &mut Rng, b: &mut Builder, face: &Face, openings: &[Opening], groups: &Groups) {
    let clear =
        |across: [f32; 2]| openings.iter().all(|o| across[1] < o.across[0] - 0.1 || across[0] > o.across[1] + 0.1);
    let put = |rng: &mut Rng, wide: f32, up: [f32; 2], deep: f32, brush: Brush, b: &mut Builder| {
        if face.length > wide + 0.3 {
            let x = rng.range_f32(0.1, face.length - wide - 0.1);
            if clear([x, x + wide]) {
                face.bar(b, [x, x + wide], up, [-deep, 0.0], brush);
            }
        }
    };
    let plate = Brush::wall(Material::Trim, groups.trim);
    for _ in 0..rng.below(3) {
        put(rng, 0.08, [0.3, 0.42], 0.006, plate, b);
    }
    if rng.random_bool(0.4) {
        put(rng, 0.08, [1.08, 1.2], 0.006, plate, b);
    }
    if rng.random_bool(0.12) {
        let (wide, low) = (rng.range_f32(0.5, 1.6), rng.range_f32(0.05, 0.15));
        let brush = Brush::new(Label::Fixture, Material::Metal, b.group()).reflecting(0.7);
        let high = low + rng.range_f32(0.12, 0.65);
        put(rng, wide, [low, high], 0.09, brush, b);
    }
    if rng.random_bool(0.12) {
        let (wide, low) = (rng.range_f32(0.3, 1.5), rng.range_f32(1.1, 1.6));
        let brush = Brush::wall(Material::Object, b.group());
        let high = low + rng.range_f32(0.3, 0.9);
        put(rng, wide, [low, high], 0.02, brush, b);
    }
    if rng.random_bool(0.1) {
        // A vent or a hatch.
        let brush = Brush::wall(Material::Metal, b.group());
        let low = rng.pick(&[0.08_f32, 2.0]);
        put(rng, 0.3, [low, low + 0.15], 0.008, brush, b);
    }
}
