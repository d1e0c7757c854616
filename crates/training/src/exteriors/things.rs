//! Cars, fences and what stands in gardens.

use std::f32::consts::TAU;

use aerie_furniture::palette::{Palette, Role};
use aerie_furniture::style::Style;
use aerie_furniture::{PieceKind, StylePrompt, pieces};
use aerie_math::Rng;
use glam::{Vec2, Vec3};
use strum::VariantArray;

use super::site::Site;
use crate::scene::{Brush, Builder, Label, Material};

/// A car whose middle is the site's origin, along X.
pub(crate) fn car(rng: &mut Rng, b: &mut Builder, site: &Site) {
    let paint = Brush::new(Label::Vehicle, Material::CarPaint, b.group()).reflecting(0.4);
    let glass = Brush::new(Label::Vehicle, Material::Pane, b.group()).reflecting(0.1);
    let dark = Brush::new(Label::Vehicle, Material::Soot, b.group()).reflecting(0.03);
    let metal = Brush::new(Label::Vehicle, Material::Metal, b.group());
    let light = Brush::new(Label::Vehicle, Material::Flowers, b.group());
    let (long, half) = (rng.range_f32(3.8, 4.9), rng.range_f32(0.82, 0.95));
    // Outline from the rear bumper to the front one, and where the cabin begins and ends on it.
    let (lower, cabin): (Vec<[f32; 2]>, Vec<[f32; 2]>) = match rng.below(5) {
        0 => (
            vec![[0.0, 0.35], [0.01, 0.95], [0.16, 1.0], [0.7, 0.98], [0.96, 0.78], [1.0, 0.4]],
            vec![[0.14, 1.0], [0.28, 1.42], [0.52, 1.44], [0.7, 0.98]],
        ),
        1 => (
            vec![[0.0, 0.4], [0.01, 1.0], [0.72, 1.0], [0.97, 0.85], [1.0, 0.4]],
            vec![[0.02, 1.0], [0.1, 1.5], [0.55, 1.52], [0.73, 1.0]],
        ),
        2 => (
            // A tall off-roader.
            vec![[0.0, 0.5], [0.01, 1.15], [0.73, 1.15], [0.98, 1.05], [1.0, 0.5]],
            vec![[0.02, 1.15], [0.07, 1.78], [0.58, 1.8], [0.73, 1.15]],
        ),
        3 => (
            // A van.
            vec![[0.0, 0.4], [0.01, 1.1], [0.85, 1.1], [0.98, 0.9], [1.0, 0.4]],
            vec![[0.01, 1.1], [0.02, 1.95], [0.7, 1.95], [0.86, 1.1]],
        ),
        _ => (
            // A pickup.
            vec![[0.0, 0.5], [0.01, 1.05], [0.73, 1.1], [0.98, 1.0], [1.0, 0.5]],
            vec![[0.38, 1.05], [0.42, 1.72], [0.6, 1.72], [0.73, 1.1]],
        ),
    };
    let x = |t: f32| (t - 0.5) * long;
    let extrude = |b: &mut Builder, outline: &[[f32; 2]], y: [f32; 2], brush: &dyn Fn(usize) -> Brush| {
        let last = outline.len() - 1;
        for k in 0..last {
            let ([t, z], [t1, z1]) = (outline[k], outline[k + 1]);
            let from = site.at(x(t), y[0], z);
            b.quad(from, site.at(x(t1), y[0], z1) - from, site.way(0.0, y[1] - y[0], 0.0), brush(k));
        }
        for y in y {
            for k in 1..last {
                b.triangle(
                    [outline[0], outline[k], outline[k + 1]].map(|[t, z]| site.at(x(t), y, z)),
                    brush(usize::MAX),
                );
            }
        }
    };
    extrude(b, &lower, [-half, half], &|_| paint);
    let top = [-half + 0.14, half - 0.14];
    // The roof is painted, its ends are glass; the sides have windows in a painted frame.
    extrude(b, &cabin, top, &|k| if k == 1 || k == usize::MAX { paint } else { glass });
    let middle = |t: f32, z: f32| {
        let m = cabin.iter().fold([0.0, 0.0], |s, p| [s[0] + p[0] / 4.0, s[1] + p[1] / 4.0]);
        [m[0] + (t - m[0]) * 0.86, m[1] + (z - m[1]) * 0.78]
    };
    let inner: Vec<[f32; 2]> = cabin.iter().map(|p| middle(p[0], p[1])).collect();
    for y in [top[0] - 0.006, top[1] + 0.006] {
        for k in 1..3 {
            b.triangle([inner[0], inner[k], inner[k + 1]].map(|[t, z]| site.at(x(t), y, z)), glass);
        }
        let post = (inner[1][0] + inner[2][0]) / 2.0;
        let s = if y < 0.0 { -0.006 } else { 0.006 };
        site.panel(b, [x(post) - 0.04, x(post) + 0.04], y + s, [inner[0][1], inner[1][1]], paint);
    }
    let base = lower[0][1];
    site.bar(b, [x(0.02), x(0.98)], [-half + 0.05, half - 0.05], [base - 0.18, base], dark);
    let r = rng.range_f32(0.3, 0.4);
    for t in [0.19, 0.81] {
        for y in [-half - 0.01, half - 0.2] {
            wheel(b, site, [x(t), y, r], r, [dark, metal]);
        }
    }
    for y in [-half + 0.08, half - 0.43] {
        site.bar(b, [x(1.0) - 0.06, x(1.0) + 0.01], [y, y + 0.35], [base + 0.25, base + 0.4], metal);
        site.bar(b, [x(0.0) - 0.01, x(0.0) + 0.06], [y, y + 0.35], [base + 0.3, base + 0.48], light);
    }
}

fn wheel(b: &mut Builder, site: &Site, [x, y, z]: [f32; 3], r: f32, [tire, hub]: [Brush; 2]) {
    let rim = |k: usize, r: f32, y: f32| {
        let turn = TAU * k as f32 / 14.0;
        site.at(x + r * turn.cos(), y, z + r * turn.sin())
    };
    let mut black = Vec::new();
    let mut bright = Vec::new();
    for k in 0..14 {
        for (y, out) in [(y, -0.005), (y + 0.21, 0.005)] {
            black.push([site.at(x, y, z), rim(k, r, y), rim(k + 1, r, y)]);
            bright.push([site.at(x, y + out, z), rim(k, r * 0.62, y + out), rim(k + 1, r * 0.62, y + out)]);
        }
        let [p, q, s, t] = [rim(k, r, y), rim(k + 1, r, y), rim(k + 1, r, y + 0.21), rim(k, r, y + 0.21)];
        black.extend([[p, q, s], [p, s, t]]);
    }
    b.soup(black, tire);
    b.soup(bright, hub);
}

/// A fence or a garden wall along X of a site.
pub(crate) fn fence(rng: &mut Rng, b: &mut Builder, site: &Site, length: f32) {
    let high = rng.range_f32(0.7, 2.0);
    let kinds = [Material::Wood, Material::Trim, Material::Metal];
    let brush = Brush::new(Label::Facade, rng.pick(&kinds), b.group());
    match rng.below(4) {
        0 => {
            let wall = Brush::new(Label::Facade, rng.pick(&[Material::Masonry, Material::Facade]), b.group());
            site.bar(b, [0.0, length], [0.0, 0.22], [-0.3, high], wall);
            site.bar(b, [0.0, length], [-0.03, 0.25], [high, high + 0.06], brush);
        }
        1 => {
            // Boards close to each other.
            let posts = (length / 2.0) as usize + 1;
            for k in 0..posts {
                let x = 2.0 * k as f32;
                site.bar(b, [x, x + 1.97_f32.min(length - x)], [0.0, 0.03], [0.05, high], brush);
            }
        }
        2 => {
            // Rails.
            for k in 0..3 {
                let z = high * (0.3 + 0.3 * k as f32);
                site.bar(b, [0.0, length], [0.0, 0.05], [z, z + 0.1], brush);
            }
            for k in 0..=(length / 2.2) as usize {
                let x = 2.2 * k as f32;
                site.bar(b, [x, x + 0.1], [0.0, 0.1], [0.0, high], brush);
            }
        }
        _ => {
            let gap = rng.range_f32(0.11, 0.2);
            let wide = if brush.material == Material::Metal { 0.02 } else { gap * 0.55 };
            for z in [0.2 * high, 0.8 * high] {
                site.bar(b, [0.0, length], [0.03, 0.06], [z, z + 0.06], brush);
            }
            for k in 0..((length / gap) as usize).min(220) {
                let x = gap * k as f32;
                site.bar(b, [x, x + wide], [0.0, 0.025], [0.05, high], brush);
            }
        }
    }
}

/// Seats and tables of ours around a point.
pub(crate) fn seating(rng: &mut Rng, b: &mut Builder, site: &Site) {
    let style = rng.pick(Style::VARIANTS).as_str();
    let palette = Palette::new(&StylePrompt::parse(Some(style)), rng.next_u64());
    let groups: Vec<u16> = palette.materials.iter().map(|_| b.group()).collect();
    let put = |rng: &mut Rng, b: &mut Builder, kind: PieceKind, at: Vec2, yaw: f32| {
        let piece = pieces::build(kind, &palette, rng);
        b.mesh(&piece.mesh, yaw, at.extend(0.02), |role| {
            let wood = role == Role::Wood as usize || role == Role::DarkWood as usize;
            let material = if wood { Material::Wood } else { Material::Cloth };
            Brush::new(Label::Furniture, material, groups.get(role).copied().unwrap_or(0)).reflecting(0.35)
        });
    };
    let turn = rng.range_f32(0.0, TAU);
    if rng.random_bool(0.6) {
        let round = rng.random_bool(0.4);
        put(rng, b, if round { PieceKind::RoundTable } else { PieceKind::DiningTable }, site.origin, turn);
        let count = 2 + rng.below(5);
        for k in 0..count {
            let way = turn + TAU * k as f32 / count as f32;
            let at = site.origin + Vec2::from_angle(way) * rng.range_f32(0.8, 1.2);
            put(rng, b, PieceKind::DiningChair, at, way + std::f32::consts::FRAC_PI_2);
        }
    } else {
        put(rng, b, PieceKind::Sofa, site.flat(0.0, 1.1), turn);
        put(rng, b, PieceKind::CoffeeTable, site.origin, turn);
        put(rng, b, PieceKind::Armchair, site.flat(1.4, 0.0), turn + 1.5);
    }
    for _ in 0..rng.below(4) {
        let at = site.flat(rng.range_f32(-2.5, 2.5), rng.range_f32(-2.5, 2.5));
        let kind = rng.pick(&[PieceKind::PottedPlant, PieceKind::Planter, PieceKind::Lantern]);
        put(rng, b, kind, at, 0.0);
    }
}

/// A parasol.
pub(crate) fn parasol(rng: &mut Rng, b: &mut Builder, at: Vec2) {
    let pole = Brush::new(Label::Furniture, Material::Metal, b.group());
    let cloth = Brush::new(Label::Furniture, Material::Cloth, b.group());
    b.prism(at - 0.025, Vec2::X * 0.05, Vec2::Y * 0.05, [0.0, 2.4], pole);
    let (r, low, high) = (rng.range_f32(1.1, 1.8), rng.range_f32(1.9, 2.1), 2.5);
    let rim = |k: usize| (at + Vec2::from_angle(TAU * k as f32 / 8.0) * r).extend(low);
    b.soup((0..8).map(|k| [at.extend(high), rim(k), rim(k + 1)]), cloth);
}

/// A lounger along X of a site.
pub(crate) fn lounger(rng: &mut Rng, b: &mut Builder, site: &Site, group: u16) {
    let cloth = Brush::new(Label::Furniture, Material::Cloth, group);
    let frame = Brush::new(Label::Furniture, Material::Wood, group);
    site.bar(b, [0.0, 1.3], [0.0, 0.62], [0.28, 0.38], cloth);
    let rise = rng.range_f32(0.0, 0.6);
    let back = site.at(1.3, 0.0, 0.38);
    b.quad(back, site.way(0.7, 0.0, rise), site.way(0.0, 0.62, 0.0), cloth);
    for x in [0.1, 1.2] {
        site.bar(b, [x, x + 0.05], [0.02, 0.6], [0.0, 0.28], frame);
    }
}

/// Posts with beams, along X of a site.
pub(crate) fn pergola(rng: &mut Rng, b: &mut Builder, site: &Site, [w, d]: [f32; 2]) {
    let brush = Brush::new(Label::Facade, rng.pick(&[Material::Wood, Material::Trim, Material::Metal]), b.group());
    let high = rng.range_f32(2.2, 2.8);
    for x in [0.0, w] {
        for y in [0.0, d] {
            site.bar(b, [x - 0.07, x + 0.07], [y - 0.07, y + 0.07], [0.0, high], brush);
        }
    }
    for y in [0.0, d] {
        site.bar(b, [-0.2, w + 0.2], [y - 0.05, y + 0.05], [high, high + 0.16], brush);
    }
    if rng.random_bool(0.3) {
        site.bar(b, [-0.2, w + 0.2], [-0.2, d + 0.2], [high + 0.3, high + 0.36], brush);
        return;
    }
    let mut x = 0.0;
    while x < w {
        site.bar(b, [x, x + 0.06], [-0.3, d + 0.3], [high + 0.16, high + 0.3], brush);
        x += rng.range_f32(0.25, 0.6);
    }
}

/// A pole of a street lamp.
pub(crate) fn lamp_post(b: &mut Builder, at: Vec2, group: u16) {
    let pole = Brush::new(Label::Facade, Material::Metal, group);
    b.prism(at, Vec2::X * 0.12, Vec2::Y * 0.12, [0.0, 5.0], pole);
    b.block(at.extend(5.0) - Vec3::new(0.5, 0.1, 0.0), at.extend(5.12) + Vec3::new(0.1, 0.1, 0.0), pole);
}
