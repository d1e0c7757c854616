//! Sides of houses: stories of windows, doors, balconies and garage doors in a wall.

use aerie_math::Rng;
use glam::Vec3;

use super::site::Site;
use crate::scene::{Brush, Builder, Label, Material};

/// What all sides of a house share.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    pub(crate) wall: Brush,
    pub(crate) upper: Brush,
    pub(crate) trim: Brush,
    pub(crate) roof: Brush,
    frame: u16,
    shutter: Option<u16>,
    door: u16,
    garage: u16,
    panes: [u16; 5],
    pub(crate) railing: Brush,
    pub(crate) story: f32,
    window: [f32; 2],
    bay: f32,
    recess: f32,
    bars: [usize; 2],
    sill: bool,
    surround: f32,
    big: bool,
    balconies: f32,
}

impl Style {
    pub(crate) fn random(rng: &mut Rng, b: &mut Builder) -> Self {
        let facade = Brush::new(Label::Facade, Material::Facade, b.group()).reflecting(rng.range_f32(0.2, 0.7));
        let upper = if rng.random_bool(0.3) { Brush { group: b.group(), ..facade } } else { facade };
        let trim = Brush::new(Label::Facade, Material::Trim, b.group()).reflecting(0.7);
        let railing = Brush::new(
            Label::Facade,
            rng.pick(&[Material::Metal, Material::Trim, Material::Wood, Material::Pane, Material::Facade]),
            b.group(),
        );
        let big = rng.random_bool(0.25);
        Self {
            wall: facade,
            upper,
            trim,
            roof: Brush::new(Label::Roof, Material::Roof, b.group()).reflecting(0.3),
            frame: b.group(),
            shutter: rng.random_bool(0.2).then(|| b.group()),
            door: b.group(),
            garage: b.group(),
            panes: std::array::from_fn(|_| b.group()),
            railing,
            story: rng.range_f32(2.5, 3.3),
            window: [
                if big { rng.range_f32(1.2, 2.4) } else { rng.range_f32(0.7, 1.5) },
                if big { rng.range_f32(1.4, 2.1) } else { rng.range_f32(1.0, 1.7) },
            ],
            bay: rng.range_f32(2.0, 4.2),
            recess: rng.range_f32(0.03, 0.22),
            bars: rng.pick(&[[1, 1], [1, 2], [2, 1], [2, 1], [2, 2], [3, 1], [2, 3], [3, 4], [1, 1]]),
            sill: rng.random_bool(0.6),
            surround: if rng.random_bool(0.4) { rng.range_f32(0.06, 0.2) } else { 0.0 },
            big,
            balconies: if rng.random_bool(0.3) { rng.range_f32(0.1, 0.9) } else { 0.0 },
        }
    }

    fn pane(&self, rng: &mut Rng) -> Brush {
        Brush::new(Label::Window, Material::Pane, rng.pick(&self.panes)).reflecting(0.1)
    }
}

/// What a side faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Street,
    Garden,
    Neighbor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Window,
    Door,
    Garage,
    GlassDoor,
}

struct Opening {
    kind: Kind,
    x: [f32; 2],
    z: [f32; 2],
}

/// Builds a side of some length and number of stories. Returns where its door is.
pub(crate) fn side(
    rng: &mut Rng,
    b: &mut Builder,
    site: &Site,
    length: f32,
    stories: usize,
    style: &Style,
    side: Side,
) -> Option<f32> {
    if length < 1.0 {
        site.panel(b, [0.0, length], 0.0, [0.0, style.story * stories as f32], style.wall);
        return None;
    }
    let busy = match side {
        Side::Street | Side::Garden => rng.range_f32(0.65, 1.0),
        Side::Neighbor => rng.range_f32(0.0, 0.7),
    };
    let columns = ((length - 0.4) / style.bay).floor().max(1.0) as usize;
    let wide = (length - 0.4) / columns as f32;
    let entrance = match side {
        Side::Street => Some(rng.below(columns)),
        _ => None,
    };
    let garage = (side == Side::Street && length > 7.0 && rng.random_bool(0.35)).then(|| rng.pick(&[0, columns - 1]));
    let mut door = None;
    for story in 0..stories {
        let low = style.story * story as f32;
        let mut openings = Vec::new();
        for column in 0..columns {
            let middle = 0.2 + wide * (column as f32 + 0.5);
            let across = |w: f32| [middle - w.min(wide - 0.25) / 2.0, middle + w.min(wide - 0.25) / 2.0];
            let lintel = low + (style.story - rng.range_f32(0.3, 0.5));
            let head = lintel.min(low + 0.75 + style.window[1]);
            if story == 0 && garage == Some(column) {
                let z = [0.02, (low + 2.15).min(style.story - 0.2)];
                openings.push(Opening { kind: Kind::Garage, x: across(5.0), z });
            } else if story == 0 && entrance == Some(column) {
                door = Some(middle);
                let z = [0.02, (low + 2.1).min(style.story - 0.2)];
                openings.push(Opening { kind: Kind::Door, x: across(rng.pick(&[0.95_f32, 1.0, 1.3, 1.7])), z });
            } else if side == Side::Garden && story == 0 && rng.random_bool(0.5) {
                openings.push(Opening { kind: Kind::GlassDoor, x: across(rng.range_f32(1.4, 4.0)), z: [0.05, head] });
            } else if rng.random_bool_f32(busy) {
                if story > 0 && side != Side::Neighbor && rng.random_bool_f32(style.balconies) {
                    openings.push(Opening {
                        kind: Kind::GlassDoor,
                        x: across(style.window[0] + 0.4),
                        z: [low + 0.08, head],
                    });
                    balcony(rng, b, site, across(wide), low, style);
                } else {
                    let sill = (head - style.window[1]).max(low + if style.big { 0.1 } else { 0.4 });
                    openings.push(Opening { kind: Kind::Window, x: across(style.window[0]), z: [sill, head] });
                }
            }
        }
        let wall = if story > 0 { style.upper } else { style.wall };
        pierced(b, site, [0.0, length], [low, low + style.story], &openings, wall);
        for o in &openings {
            opening(rng, b, site, o, style, wall);
        }
        if story > 0 && style.surround > 0.12 {
            site.bar(b, [0.0, length], [-0.05, 0.0], [low - 0.1, low + 0.1], style.trim);
        }
    }
    if rng.random_bool(0.4) {
        // A plinth.
        let plinth = Brush { group: style.trim.group, ..style.wall };
        let high = rng.range_f32(0.15, 0.6);
        let mut from = 0.0;
        if let Some(x) = door {
            site.bar(b, [from, x - 0.9], [-0.03, 0.0], [-0.3, high.min(0.4)], plinth);
            from = x + 0.9;
        }
        if garage.is_none() {
            site.bar(b, [from, length], [-0.03, 0.0], [-0.3, high.min(0.4)], plinth);
        }
    }
    if rng.random_bool(0.5) {
        // A downpipe.
        let x = rng.pick(&[0.1_f32, length - 0.2]);
        site.bar(b, [x, x + 0.09], [-0.1, -0.01], [0.0, style.story * stories as f32], style.trim);
    }
    door
}

/// A wall around openings that lie side by side.
fn pierced(b: &mut Builder, site: &Site, x: [f32; 2], z: [f32; 2], openings: &[Opening], wall: Brush) {
    let mut from = x[0];
    for o in openings {
        site.panel(b, [from, o.x[0]], 0.0, z, wall);
        site.panel(b, o.x, 0.0, [z[0], o.z[0]], wall);
        site.panel(b, o.x, 0.0, [o.z[1], z[1]], wall);
        from = o.x[1];
    }
    site.panel(b, [from, x[1]], 0.0, z, wall);
}

fn opening(rng: &mut Rng, b: &mut Builder, site: &Site, o: &Opening, style: &Style, wall: Brush) {
    let deep = if o.kind == Kind::Garage { 0.15 } else { style.recess };
    let ([x0, x1], [z0, z1]) = (o.x, o.z);
    let label = if matches!(o.kind, Kind::Window | Kind::GlassDoor) { Label::Window } else { Label::Door };
    // Reveals.
    let (up, into, along) = (Vec3::Z * (z1 - z0), site.way(0.0, deep, 0.0), site.way(x1 - x0, 0.0, 0.0));
    b.quad(site.at(x0, 0.0, z0), into, up, wall);
    b.quad(site.at(x1, 0.0, z0), up, into, wall);
    b.quad(site.at(x0, 0.0, z1), along, into, wall);
    b.quad(site.at(x0, 0.0, z0), into, along, wall);
    let frame = Brush::new(label, Material::Trim, style.frame).reflecting(0.6);
    if style.surround > 0.0 && o.kind != Kind::Garage {
        let s = style.surround;
        let surround = frame;
        site.bar(b, [x0 - s, x0], [-0.03, 0.0], [z0, z1], surround);
        site.bar(b, [x1, x1 + s], [-0.03, 0.0], [z0, z1], surround);
        site.bar(b, [x0 - s, x1 + s], [-0.04, 0.0], [z1, z1 + s], surround);
    }
    match o.kind {
        Kind::Window | Kind::GlassDoor => {
            if style.sill && o.kind == Kind::Window {
                site.bar(b, [x0 - 0.08, x1 + 0.08], [-0.08, 0.0], [z0 - 0.06, z0], style.trim);
            }
            let columns =
                if o.kind == Kind::GlassDoor { ((x1 - x0) / 0.9).round().max(1.0) as usize } else { style.bars[0] };
            let rows = if o.kind == Kind::GlassDoor { 1 } else { style.bars[1] };
            glazed(rng, b, site, [o.x, o.z], [columns, rows], deep, style);
            if let Some(group) = style.shutter.filter(|_| o.kind == Kind::Window) {
                let shutter = Brush::new(Label::Window, Material::Blind, group);
                let half = (x1 - x0) / 2.0;
                site.bar(b, [x0 - half - 0.02, x0 - 0.02], [-0.05, -0.01], [z0, z1], shutter);
                site.bar(b, [x1 + 0.02, x1 + half + 0.02], [-0.05, -0.01], [z0, z1], shutter);
            } else if rng.random_bool(0.12) {
                let blind = Brush::new(Label::Window, Material::Blind, style.frame);
                site.panel(b, o.x, deep * 0.6, [z1 - (z1 - z0) * rng.unit_f32(), z1], blind);
            }
        }
        Kind::Door => entrance(rng, b, site, o, deep, style),
        Kind::Garage => {
            let leaf = Brush::new(Label::Door, Material::Door, style.garage);
            site.panel(b, o.x, deep, o.z, leaf);
            let rows = rng.pick(&[1_usize, 4, 5, 7]);
            let columns = rng.pick(&[1_usize, 1, 4, 6]);
            for r in 0..rows {
                for c in 0..columns {
                    let (w, h) = ((x1 - x0) / columns as f32, (z1 - z0) / rows as f32);
                    let (x, z) = (x0 + w * c as f32, z0 + h * r as f32);
                    let glass = r + 1 == rows && rows > 1 && style.bars[0] == 3;
                    let brush = if glass { Brush { label: Label::Door, ..style.pane(rng) } } else { leaf };
                    site.bar(
                        b,
                        [x + 0.03, x + w - 0.03],
                        [deep - 0.03, deep - 0.002],
                        [z + 0.025, z + h - 0.025],
                        brush,
                    );
                }
            }
        }
    }
}

/// Panes in a frame with bars.
fn glazed(
    rng: &mut Rng,
    b: &mut Builder,
    site: &Site,
    [x, z]: [[f32; 2]; 2],
    [columns, rows]: [usize; 2],
    deep: f32,
    style: &Style,
) {
    let frame = Brush::new(Label::Window, Material::Trim, style.frame).reflecting(0.6);
    site.panel(b, x, deep, z, style.pane(rng));
    let w = rng.range_f32(0.04, 0.09);
    let front = (deep - 0.03).max(0.004);
    for i in 0..=columns {
        let at = x[0] + (x[1] - x[0]) * i as f32 / columns as f32;
        let half = if i == 0 || i == columns || columns < 3 { w } else { w * 0.5 };
        site.panel(b, [(at - half / 2.0).max(x[0]), (at + half / 2.0).min(x[1])], front, z, frame);
    }
    for j in 0..=rows {
        let at = z[0] + (z[1] - z[0]) * j as f32 / rows as f32;
        let half = if j == 0 || j == rows { w } else { w * 0.6 };
        site.panel(b, x, front - 0.002, [(at - half / 2.0).max(z[0]), (at + half / 2.0).min(z[1])], frame);
    }
}

fn entrance(rng: &mut Rng, b: &mut Builder, site: &Site, o: &Opening, deep: f32, style: &Style) {
    let leaf = Brush::new(Label::Door, Material::Door, style.door);
    let pane = Brush { label: Label::Door, ..style.pane(rng) };
    let ([x0, x1], [z0, z1]) = (o.x, o.z);
    let (from, to) = if x1 - x0 > 1.2 { (x0 + (x1 - x0 - 0.95) * 0.5, x0 + (x1 - x0 + 0.95) * 0.5) } else { (x0, x1) };
    site.panel(b, o.x, deep + 0.01, o.z, pane);
    site.panel(b, [from, to], deep, o.z, leaf);
    let rows = rng.below(4);
    for r in 0..rows {
        let h = (z1 - z0 - 0.3) / rows as f32;
        let z = z0 + 0.15 + h * r as f32;
        let brush = if r + 1 == rows && rng.random_bool(0.5) { pane } else { leaf };
        site.bar(b, [from + 0.13, to - 0.13], [deep - 0.02, deep - 0.002], [z, z + h - 0.1], brush);
    }
    // Steps, a canopy, a porch on posts.
    let middle = (x0 + x1) / 2.0;
    if rng.random_bool(0.6) {
        let step = Brush::new(Label::Paving, Material::Paving, b.group());
        for k in 0..1 + rng.below(3) {
            let out = 0.35 * (k + 1) as f32 + 0.5;
            site.bar(
                b,
                [middle - 1.0, middle + 1.0],
                [-out, 0.0],
                [-0.3, 0.02 - 0.005 * k as f32 - 0.14 * k as f32],
                step,
            );
        }
    }
    if rng.random_bool(0.5) {
        let (half, out) = (rng.range_f32(0.8, 2.4), rng.range_f32(0.8, 2.4));
        let top = z1 + rng.range_f32(0.15, 0.4);
        site.bar(b, [middle - half, middle + half], [-out, 0.0], [top, top + rng.range_f32(0.06, 0.3)], style.trim);
        if out > 1.2 || rng.random_bool(0.3) {
            let thick = rng.range_f32(0.08, 0.4);
            for x in [middle - half, middle + half - thick] {
                site.bar(b, [x, x + thick], [-out, -out + thick], [0.0, top], style.trim);
            }
        }
        if rng.random_bool(0.5) {
            let peak = site.at(middle, -out - 0.1, top + half * 0.6);
            let (l, r) = (
                site.at(middle - half - 0.1, -out - 0.1, top + 0.1),
                site.at(middle + half + 0.1, -out - 0.1, top + 0.1),
            );
            b.triangle([l, r, peak], style.upper);
            let back = site.way(0.0, out + 0.1, 0.0);
            b.quad(l, peak - l, back, style.roof);
            b.quad(r, back, peak - r, style.roof);
        }
    }
}

fn balcony(rng: &mut Rng, b: &mut Builder, site: &Site, x: [f32; 2], z: f32, style: &Style) {
    let out = rng.range_f32(0.9, 2.0);
    site.bar(b, x, [-out, 0.0], [z - 0.15, z + 0.02], style.trim);
    railing(b, site, x, -out, z, style.railing);
    for x in [x[0], x[1] - 0.04] {
        railing(b, &site.moved(x, 0.0, 3), [0.0, out], 0.0, z, style.railing);
    }
}

/// Bars under a handrail, or a solid or glass parapet.
pub(crate) fn railing(b: &mut Builder, site: &Site, x: [f32; 2], y: f32, z: f32, brush: Brush) {
    let y = [y, y + 0.04];
    if matches!(brush.material, Material::Pane | Material::Facade) {
        site.bar(b, x, y, [z, z + 1.0], brush);
        return;
    }
    site.bar(b, x, y, [z + 0.95, z + 1.02], brush);
    let count = ((x[1] - x[0]) / 0.13) as usize;
    for k in 0..=count {
        let at = x[0] + 0.13 * k as f32;
        site.bar(b, [at, at + 0.025], y, [z, z + 0.96], brush);
    }
}
