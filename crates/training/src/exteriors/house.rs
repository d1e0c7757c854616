//! Houses: detached, bungalows, terraced, blocks of flats, flat-roofed villas, with wings, bays, porches and garages.

use aerie_math::Rng;

use super::facade::{Side, Style, railing, side};
use super::roofs;
use super::site::Site;
use crate::scene::{Brush, Builder, Label, Material};

/// A kind of house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Detached,
    Bungalow,
    Terraced,
    Flats,
    Villa,
}

/// A house on its plot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct House {
    pub(crate) width: f32,
    pub(crate) depth: f32,
    /// Of its eaves.
    pub(crate) height: f32,
    /// Along the front.
    pub(crate) door: Option<f32>,
    /// Where a drive leads, along the front.
    pub(crate) garage: Option<f32>,
}

/// Builds a house whose front left corner is the site's origin.
pub(crate) fn build(rng: &mut Rng, b: &mut Builder, site: &Site, kind: Kind, style: &Style) -> House {
    let (width, depth, stories) = match kind {
        Kind::Detached => (rng.range_f32(7.0, 15.0), rng.range_f32(7.0, 11.0), 1 + rng.below(2)),
        Kind::Bungalow => (rng.range_f32(10.0, 22.0), rng.range_f32(7.0, 11.0), 1),
        Kind::Terraced => (rng.range_f32(4.5, 8.0), rng.range_f32(8.0, 12.0), 2 + rng.below(3)),
        Kind::Flats => (rng.range_f32(14.0, 40.0), rng.range_f32(10.0, 15.0), 3 + rng.below(5)),
        Kind::Villa => (rng.range_f32(8.0, 18.0), rng.range_f32(7.0, 12.0), 1 + rng.below(3)),
    };
    let flat = match kind {
        Kind::Villa => true,
        Kind::Flats => rng.random_bool(0.75),
        Kind::Terraced => rng.random_bool(0.3),
        _ => rng.random_bool(0.06),
    };
    let beside = if kind == Kind::Terraced { rng.random_bool(0.2) } else { true };
    let mut house = House { width, depth, height: style.story * stories as f32, door: None, garage: None };
    house.door = wing(rng, b, site, [width, depth], stories, style, beside);
    roofs::cover(rng, b, site, [width, depth], house.height, style, flat);
    if kind == Kind::Terraced {
        return house;
    }
    if rng.random_bool(0.5) && kind != Kind::Flats {
        // A wing before the front.
        let (w, d) = (rng.range_f32(0.25, 0.5) * width, rng.range_f32(1.0, 4.0));
        let x = if rng.random_bool(0.5) { 0.0 } else { width - w };
        let front = site.moved(x, -d, 0);
        let up = (1 + rng.below(stories)).min(stories);
        wing(rng, b, &front, [w, d + 0.2], up, style, true);
        let deep = if up == stories { d + depth * 0.4 } else { d };
        roofs::cover(rng, b, &front, [w, deep], style.story * up as f32 - 0.02, style, flat);
    }
    if rng.random_bool(0.4) && kind != Kind::Flats {
        // A garage beside it.
        let (w, d) = (rng.range_f32(3.2, 6.5), rng.range_f32(5.5, 7.0));
        let left = rng.random_bool(0.5);
        let beside = site.moved(if left { -w } else { width }, rng.range_f32(-1.0, 3.0), 0);
        garage(rng, b, &beside, [w, d], style);
        let flat = flat || rng.random_bool(0.4);
        roofs::cover(rng, b, &beside, [w, d], 2.6, style, flat);
        house.garage = Some(if left { -w / 2.0 } else { width + w / 2.0 });
    }
    match rng.below(8) {
        0 | 1 => porch(rng, b, site, width, style),
        2 => bay(rng, b, site, width, style),
        3 if stories > 1 => {
            let x = rng.range_f32(0.0, 0.4) * width;
            let x = [x, x + rng.range_f32(0.3, 0.6) * width];
            let out = rng.range_f32(1.0, 2.2);
            site.bar(b, x, [-out, 0.0], [style.story - 0.15, style.story], style.trim);
            railing(b, site, x, -out, style.story, style.railing);
        }
        _ => {}
    }
    if rng.random_bool(0.3) {
        // A conservatory or an annex at the back.
        let (w, d) = (rng.range_f32(2.5, 0.7 * width), rng.range_f32(1.5, 4.0));
        let back = site.moved(rng.range_f32(0.0, width - w), depth, 0);
        let turned = back.moved(w, d, 2);
        side(rng, b, &turned, w, 1, style, Side::Garden);
        for s in [back.moved(w, 0.0, 1), back.moved(0.0, d, 3)] {
            side(rng, b, &s, d, 1, style, Side::Garden);
        }
        roofs::cover(rng, b, &back, [w, d], style.story, style, true);
    }
    house
}

/// Four walls. Returns where the front door is.
fn wing(
    rng: &mut Rng,
    b: &mut Builder,
    site: &Site,
    [w, d]: [f32; 2],
    stories: usize,
    style: &Style,
    beside: bool,
) -> Option<f32> {
    let door = side(rng, b, site, w, stories, style, Side::Street);
    side(rng, b, &site.moved(w, d, 2), w, stories, style, Side::Garden);
    for s in [site.moved(w, 0.0, 1), site.moved(0.0, d, 3)] {
        if beside {
            side(rng, b, &s, d, stories, style, Side::Neighbor);
        } else {
            s.panel(b, [0.0, d], 0.0, [0.0, style.story * stories as f32], style.upper);
        }
    }
    door
}

fn garage(rng: &mut Rng, b: &mut Builder, site: &Site, [w, d]: [f32; 2], style: &Style) {
    let h = 2.6;
    site.bar(b, [0.0, w], [0.0, d], [-0.3, h], style.wall);
    let leaf = Brush::new(Label::Door, Material::Door, b.group());
    let gates = if w > 5.5 && rng.random_bool(0.5) { 2 } else { 1 };
    for k in 0..gates {
        let (from, to) = (w * k as f32 / gates as f32 + 0.3, w * (k + 1) as f32 / gates as f32 - 0.3);
        let rows = rng.pick(&[1_usize, 4, 5]);
        for r in 0..rows {
            let z = [0.05 + 2.1 * r as f32 / rows as f32, 0.03 + 2.1 * (r + 1) as f32 / rows as f32];
            site.bar(b, [from, to], [-0.02, 0.0], z, leaf);
        }
    }
}

/// A roofed porch or veranda along the front.
fn porch(rng: &mut Rng, b: &mut Builder, site: &Site, width: f32, style: &Style) {
    let (from, out) = (rng.range_f32(0.0, 0.4) * width, rng.range_f32(1.5, 3.0));
    let to = (from + rng.range_f32(0.4, 1.0) * width).min(width);
    let top = style.story - 0.35;
    let deck = Brush::new(Label::Paving, Material::Paving, b.group());
    site.bar(b, [from, to], [-out, 0.0], [-0.3, 0.02], deck);
    let low = site.at(from - 0.2, -out - 0.2, top);
    b.quad(low, site.way(to - from + 0.4, 0.0, 0.0), site.way(0.0, out + 0.2, 0.5), style.roof);
    site.bar(b, [from, to], [-out, -out + 0.15], [top - 0.25, top], style.trim);
    let posts = 2 + rng.below(4);
    let thick = rng.range_f32(0.08, 0.35);
    for k in 0..=posts {
        let x = from + (to - from - thick) * k as f32 / posts as f32;
        site.bar(b, [x, x + thick], [-out, -out + thick], [0.0, top - 0.2], style.trim);
    }
    if rng.random_bool(0.5) {
        let half = (to - from) * 0.4;
        railing(b, site, [from, from + half], -out, 0.0, style.railing);
        railing(b, site, [to - half, to], -out, 0.0, style.railing);
    }
}

/// A bay window.
fn bay(rng: &mut Rng, b: &mut Builder, site: &Site, width: f32, style: &Style) {
    let (w, out) = (rng.range_f32(2.0, 3.5), rng.range_f32(0.6, 1.2));
    let x = rng.range_f32(0.3, (width - w - 0.3).max(0.4));
    let face = site.moved(x, -out, 0);
    side(rng, b, &face, w, 1, style, Side::Garden);
    for s in [face.moved(w, 0.0, 1), face.moved(0.0, out, 3)] {
        side(rng, b, &s, out, 1, style, Side::Garden);
    }
    let roof = style.roof;
    face.bar(b, [-0.15, w + 0.15], [-0.15, out], [style.story, style.story + 0.2], roof);
}
