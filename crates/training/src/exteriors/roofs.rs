//! Roofs with dormers, chimneys, skylights and solar panels.

use aerie_math::Rng;
use glam::Vec3;

use super::facade::Style;
use super::site::Site;
use crate::scene::{Brush, Builder, Label, Material};

/// Covers a rectangle from the origin of a site with a random roof whose eaves are at height `z`.
pub(crate) fn cover(rng: &mut Rng, b: &mut Builder, site: &Site, [w, d]: [f32; 2], z: f32, style: &Style, flat: bool) {
    let over = rng.range_f32(0.1, 0.8);
    if flat {
        return level(rng, b, site, [w, d], z, style);
    }
    // The ridge runs along the longer side, mostly.
    let across = if rng.random_bool(0.75) { d > w } else { w > d };
    let (site, w, d) = if across { (site.moved(w, 0.0, 1), d, w) } else { (*site, w, d) };
    let pitch = if rng.random_bool(0.5) { rng.range_f32(0.25, 0.6) } else { rng.range_f32(0.5, 1.2) };
    match rng.below(10) {
        0..=4 => gable(rng, b, &site, [w, d], z, [pitch, over], style),
        5..=7 => hip(b, &site, [w, d], z, [pitch.min(0.8), over], style),
        8 => gambrel(b, &site, [w, d], z, over.min(0.3), style),
        _ => shed(b, &site, [w, d], z, [pitch.min(0.35), over], style),
    }
    if rng.random_bool(0.5) {
        let (x, y) = (rng.range_f32(0.1, 0.9) * w, rng.range_f32(0.3, 0.7) * d);
        let (a, c) = (rng.range_f32(0.4, 0.9), rng.range_f32(0.4, 0.7));
        let masonry = Brush::new(Label::Roof, Material::Masonry, b.group());
        let top = z + d / 2.0 * pitch.min(0.8) + rng.range_f32(0.4, 1.5);
        site.bar(b, [x, x + a], [y, y + c], [z, top], masonry);
    }
}

fn level(rng: &mut Rng, b: &mut Builder, site: &Site, [w, d]: [f32; 2], z: f32, style: &Style) {
    if rng.random_bool(0.5) {
        // Eaves that stand out.
        let over = rng.range_f32(0.2, 1.4);
        let edge = Brush { label: Label::Roof, ..style.trim };
        site.bar(b, [-over, w + over], [-over, d + over], [z, z + rng.range_f32(0.15, 0.45)], edge);
        return;
    }
    site.sheet(b, [0.0, w], [0.0, d], z, style.roof);
    let (up, thick) = (rng.range_f32(0.2, 0.9), 0.25);
    for (x, y) in
        [([0.0, w], [0.0, thick]), ([0.0, w], [d - thick, d]), ([0.0, thick], [0.0, d]), ([w - thick, w], [0.0, d])]
    {
        site.bar(b, x, y, [z, z + up], style.upper);
    }
    for _ in 0..rng.below(3) {
        let (x, y) = (rng.range_f32(0.2, 0.8) * w, rng.range_f32(0.2, 0.8) * d);
        let unit = Brush::new(Label::Roof, Material::Metal, b.group());
        site.bar(b, [x, x + rng.range_f32(0.6, 2.0)], [y, y + 1.0], [z, z + rng.range_f32(0.5, 2.2)], unit);
    }
}

/// A slope from its lower edge, with a fascia.
fn slope(b: &mut Builder, corner: Vec3, along: Vec3, up: Vec3, style: &Style) {
    b.quad(corner, along, up, style.roof);
    b.quad(corner - Vec3::Z * 0.18, along, Vec3::Z * 0.18, Brush { label: Label::Roof, ..style.trim });
}

fn gable(
    rng: &mut Rng,
    b: &mut Builder,
    site: &Site,
    [w, d]: [f32; 2],
    z: f32,
    [pitch, over]: [f32; 2],
    style: &Style,
) {
    let ridge = z + d / 2.0 * pitch;
    let low = z - over * pitch;
    let run = d / 2.0 + over;
    let along = site.way(w + 2.0 * over, 0.0, 0.0);
    slope(b, site.at(-over, -over, low), along, site.way(0.0, run, run * pitch), style);
    slope(b, site.at(-over, d + over, low), along, site.way(0.0, -run, run * pitch), style);
    for x in [0.0, w] {
        b.triangle([site.at(x, 0.0, z), site.at(x, d, z), site.at(x, d / 2.0, ridge)], style.upper);
        // Barge boards.
        let edge = if x > 0.0 { w + over } else { -over };
        let board = Brush { label: Label::Roof, ..style.trim };
        for (y, way) in [(-over, run), (d + over, -run)] {
            b.quad(site.at(edge, y, low - 0.2), site.way(0.0, way, run * pitch), Vec3::Z * 0.2, board);
        }
    }
    if ridge - z > 1.6 && rng.random_bool(0.7) {
        // Windows in the gables.
        let (half, low, high) = (rng.range_f32(0.3, 0.8), z + 0.3, z + (0.55 * (ridge - z)).min(1.6));
        for face in [site.moved(0.0, d, 3), site.moved(w, 0.0, 1)] {
            let x = [d / 2.0 - half, d / 2.0 + half];
            let frame = Brush::new(Label::Window, Material::Trim, style.trim.group);
            face.bar(b, [x[0] - 0.06, x[1] + 0.06], [-0.02, 0.0], [low - 0.06, high + 0.06], frame);
            face.panel(b, x, -0.025, [low, high], Brush::new(Label::Window, Material::Pane, style.trim.group));
        }
    }
    on_slope(rng, b, site, [w, d], [z, pitch], style);
}

/// Dormers, skylights or solar panels on both slopes.
fn on_slope(rng: &mut Rng, b: &mut Builder, site: &Site, [w, d]: [f32; 2], [z, pitch]: [f32; 2], style: &Style) {
    let height = |y: f32| z + y * pitch;
    for face in [*site, site.moved(w, d, 2)] {
        match rng.below(6) {
            0 | 1 if pitch > 0.55 && d > 6.0 => {
                let count = 1 + rng.below(3);
                let wide = rng.range_f32(1.2, 2.2).min(w / count as f32 * 0.8);
                let tall = rng.range_f32(1.3, 1.9);
                let y = rng.range_f32(0.3, 0.8);
                let peaked = rng.random_bool(0.6);
                for k in 0..count {
                    let x = w * (k as f32 + 0.5) / count as f32;
                    let (x0, x1) = (x - wide / 2.0, x + wide / 2.0);
                    let (low, high) = (height(y), height(y) + tall);
                    face.bar(
                        b,
                        [x0, x1],
                        [y, y + tall / pitch],
                        [low - 0.3, high],
                        Brush { label: Label::Roof, ..style.upper },
                    );
                    face.panel(b, [x0, x1], y - 0.005, [low, high], style.upper);
                    let frame = Brush::new(Label::Window, Material::Trim, style.trim.group);
                    face.bar(b, [x0 + 0.12, x1 - 0.12], [y - 0.03, y], [low + 0.1, high - 0.1], frame);
                    let pane = Brush::new(Label::Window, Material::Pane, style.trim.group);
                    face.panel(b, [x0 + 0.2, x - 0.03], y - 0.04, [low + 0.18, high - 0.18], pane);
                    face.panel(b, [x + 0.03, x1 - 0.2], y - 0.04, [low + 0.18, high - 0.18], pane);
                    if peaked {
                        let peak = high + wide * 0.4;
                        let (l, r, p) = (
                            face.at(x0 - 0.15, y - 0.2, high),
                            face.at(x1 + 0.15, y - 0.2, high),
                            face.at(x, y - 0.2, peak),
                        );
                        b.triangle([l, r, p], style.upper);
                        let back = face.way(0.0, (peak - height(y)) / pitch + 0.2, 0.0);
                        b.quad(l, p - l, back, style.roof);
                        b.quad(r, back, p - r, style.roof);
                    } else {
                        face.bar(b, [x0 - 0.1, x1 + 0.1], [y - 0.2, y + tall / pitch], [high, high + 0.12], style.roof);
                    }
                }
            }
            2 => {
                let up = rng.range_f32(0.9, 1.4);
                for _ in 0..1 + rng.below(4) {
                    let (x, y) = (rng.range_f32(0.05, 0.85) * w, rng.range_f32(0.2, 0.6) * d / 2.0);
                    let corner = face.at(x, y, height(y) + 0.05);
                    let (a, c) = (face.way(rng.range_f32(0.6, 1.0), 0.0, 0.0), face.way(0.0, up, up * pitch));
                    b.quad(corner, a, c, Brush::new(Label::Window, Material::Pane, style.trim.group));
                }
            }
            3 => {
                let solar = Brush::new(Label::Roof, Material::Solar, b.group());
                let (x, y) = (rng.range_f32(0.05, 0.3) * w, rng.range_f32(0.1, 0.25) * d);
                let corner = face.at(x, y, height(y) + 0.08);
                let up = rng.range_f32(1.6, 3.3).min(d / 2.0 - y - 0.2);
                b.quad(corner, face.way(rng.range_f32(0.3, 0.6) * w, 0.0, 0.0), face.way(0.0, up, up * pitch), solar);
            }
            _ => {}
        }
    }
}

fn hip(b: &mut Builder, site: &Site, [w, d]: [f32; 2], z: f32, [pitch, over]: [f32; 2], style: &Style) {
    let low = z - over * pitch;
    let half = d.min(w) / 2.0 + over;
    let top = low + half * pitch;
    let [x0, x1, y0, y1] = [-over, w + over, -over, d + over];
    let (a, c) = if w >= d {
        (site.at(x0 + half, d / 2.0, top), site.at(x1 - half, d / 2.0, top))
    } else {
        (site.at(w / 2.0, y0 + half, top), site.at(w / 2.0, y1 - half, top))
    };
    let corners = [site.at(x0, y0, low), site.at(x1, y0, low), site.at(x1, y1, low), site.at(x0, y1, low)];
    let [p, q, r, s] = corners;
    let four = if w >= d {
        [[p, q, c, a], [q, r, c, c], [r, s, a, c], [s, p, a, a]]
    } else {
        [[p, q, a, a], [q, r, c, a], [r, s, c, c], [s, p, a, c]]
    };
    for [i, j, k, l] in four {
        b.triangle([i, j, k], style.roof);
        if (k - l).length() > 1e-3 {
            b.triangle([i, k, l], style.roof);
        }
    }
    let edge = Brush { label: Label::Roof, ..style.trim };
    for k in 0..4 {
        let (from, to) = (corners[k], corners[(k + 1) % 4]);
        b.quad(from - Vec3::Z * 0.2, to - from, Vec3::Z * 0.2, edge);
    }
    // The underside of the eaves.
    site.sheet(b, [x0, x1], [y0, y1], low - 0.01, edge);
}

fn gambrel(b: &mut Builder, site: &Site, [w, d]: [f32; 2], z: f32, over: f32, style: &Style) {
    let (run, rise, top) = (d * 0.16, d * 0.3, d * 0.12);
    let along = site.way(w + 2.0 * over, 0.0, 0.0);
    let knee = z + rise;
    slope(b, site.at(-over, 0.0, z), along, site.way(0.0, run, rise), style);
    slope(b, site.at(-over, d, z), along, site.way(0.0, -run, rise), style);
    b.quad(site.at(-over, run, knee), along, site.way(0.0, d / 2.0 - run, top), style.roof);
    b.quad(site.at(-over, d - run, knee), along, site.way(0.0, run - d / 2.0, top), style.roof);
    for x in [0.0, w] {
        let p = |y: f32, z: f32| site.at(x, y, z);
        b.triangle([p(0.0, z), p(d, z), p(run, knee)], style.upper);
        b.triangle([p(d, z), p(d - run, knee), p(run, knee)], style.upper);
        b.triangle([p(run, knee), p(d - run, knee), p(d / 2.0, knee + top)], style.upper);
    }
}

fn shed(b: &mut Builder, site: &Site, [w, d]: [f32; 2], z: f32, [pitch, over]: [f32; 2], style: &Style) {
    let run = d + 2.0 * over;
    let along = site.way(w + 2.0 * over, 0.0, 0.0);
    slope(b, site.at(-over, -over, z - over * pitch + 0.02), along, site.way(0.0, run, run * pitch), style);
    for x in [0.0, w] {
        b.triangle([site.at(x, 0.0, z), site.at(x, d, z), site.at(x, d, z + d * pitch)], style.upper);
    }
    site.panel(b, [0.0, w], d, [z, z + d * pitch], style.upper);
}
