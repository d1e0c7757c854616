//! Fronts of doors and drawers, with their handles.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use super::handles::{handle, knob};
use super::makes::{Cell, Make};
use crate::joinery::{bent, board, brick, disc, fluted, frame};
use crate::palette::Role;
use crate::piece::Piece;
use crate::shape::{lathe, plate, rounded, sheet};

/// A door or a drawer's front with its handle: `at` is its lower middle on the plane of the front, `size` its width and height.
pub(super) fn front(piece: &mut Piece, make: Make, cell: Cell, at: Vec3, size: Vec3) {
    let (w, h) = (size.x, size.z);
    let is_door = cell != Cell::Drawer;
    // Toward the edge that opens.
    let open = match cell {
        Cell::DoorLeft => 1.0,
        Cell::DoorRight => -1.0,
        _ => 0.0,
    };
    match make {
        Make::Slab => slab(piece, at, w, h, is_door, open),
        Make::Shaker => {
            panelled(piece, at, w, h, if h < 0.19 { 0.036 } else { 0.055 }, false);
            let z = if is_door { at.z + h * if h > 0.9 { 0.45 } else { 0.72 } } else { at.z + h / 2.0 };
            for x in knobs(is_door, open, w) {
                knob(piece, 0.015, Vec3::new(at.x + x, at.y, z), Role::Metal);
            }
        }
        Make::Fluted => {
            board(piece, [w, 0.012, h], [at.x, at.y + 0.012, at.z], Role::Wood);
            piece.add(fluted(w, h, 0.022).moved(at.x, at.y + 0.007, at.z), Role::Wood);
            if is_door {
                let x = at.x + open * (w / 2.0 - 0.004);
                board(piece, [0.010, 0.020, 0.16], [x, at.y - 0.006, at.z + h / 2.0 - 0.08], Role::Metal);
            } else {
                board(piece, [0.14, 0.020, 0.010], [at.x, at.y - 0.006, at.z + h - 0.008], Role::Metal);
            }
        }
        Make::Cane => caned(piece, at, [w, h], is_door, open),
        Make::Splayed => {
            piece.add(
                brick(Vec3::new(w, 0.018, h), 0.0025).grained(grain(w, h), at.z * 0.7).moved(at.x, at.y + 0.010, at.z),
                Role::Wood,
            );
            sculpted_pull(piece, at, [w, h], is_door, open);
        }
        Make::Campaign => {
            piece.add(
                brick(Vec3::new(w, 0.018, h), 0.002).grained(grain(w, h), at.z + at.x).moved(at.x, at.y + 0.010, at.z),
                Role::Wood,
            );
            campaign_hardware(piece, at, [w, h], is_door, open);
        }
        Make::Industrial => {
            let count = if is_door { (w / 0.11).round().max(2.0) } else { 1.0 };
            for i in 0..count as usize {
                let wide = w / count;
                let x = at.x - w / 2.0 + wide * (i as f32 + 0.5);
                board(piece, [wide - 0.0015, 0.020, h], [x, at.y + 0.011, at.z], Role::Wood);
            }
            if is_door {
                for z in [at.z + 0.03, at.z + h - 0.06] {
                    board(piece, [w - 0.01, 0.004, 0.030], [at.x, at.y - 0.001, z], Role::DarkMetal);
                }
            }
            let z = at.z + h * 0.5;
            let x = at.x + open * (w / 2.0 - 0.035);
            handle(piece, if is_door { 0.16 } else { 0.14 }, is_door, Vec3::new(x, at.y, z), Role::DarkMetal);
        }
        Make::Corniced => {
            panelled(piece, at, w, h, if h < 0.19 { 0.028 } else { 0.060 }, true);
            if is_door {
                knob(piece, 0.013, Vec3::new(at.x + open * (w / 2.0 - 0.03), at.y, at.z + h * 0.5), Role::Brass);
            } else {
                for x in knobs(false, 0.0, w) {
                    drop_handle(piece, Vec3::new(at.x + x, at.y, at.z + h * 0.52));
                }
            }
        }
        Make::Deco => {
            let role = Role::Front;
            piece.add(brick(Vec3::new(w, 0.018, h), 0.002).moved(at.x, at.y + 0.010, at.z), role);
            let inset = 0.03_f32.min(h * 0.2);
            frame(
                piece,
                [w - 2.0 * inset, h - 2.0 * inset],
                [0.005, 0.003],
                [at.x, at.y + 0.0005, at.z + inset],
                Role::Brass,
            );
            half_moon(piece, at, [w, h], is_door, open);
        }
    }
}

/// The axis of the grain of a front: along its longer side, but for doors of low cabinets.
fn grain(w: f32, h: f32) -> usize {
    if h > w * 1.6 { 2 } else { 0 }
}

/// Where knobs are across a front.
fn knobs(is_door: bool, open: f32, w: f32) -> Vec<f32> {
    if is_door {
        vec![open * (w / 2.0 - 0.03)]
    } else if w > 0.55 {
        vec![-w * 0.27, w * 0.27]
    } else {
        vec![0.0]
    }
}

/// A plain front with a groove for fingers over or beside it.
fn slab(piece: &mut Piece, at: Vec3, w: f32, h: f32, is_door: bool, open: f32) {
    const GROOVE: f32 = 0.020;
    let (wide, tall) = if is_door { (w - GROOVE, h) } else { (w, h - GROOVE) };
    let x = at.x - open * GROOVE / 2.0;
    piece.add(
        brick(Vec3::new(wide, 0.019, tall), 0.002).grained(grain(w, h), at.z * 0.6).moved(x, at.y + 0.010, at.z),
        Role::Wood,
    );
    if is_door {
        board(piece, [GROOVE, 0.010, h], [at.x + open * (w - GROOVE) / 2.0, at.y + 0.035, at.z], Role::DarkWood);
    } else {
        board(piece, [w, 0.010, GROOVE], [at.x, at.y + 0.035, at.z + tall], Role::DarkWood);
    }
}

/// A frame around a panel that is recessed or raised.
fn panelled(piece: &mut Piece, at: Vec3, w: f32, h: f32, wide: f32, is_raised: bool) {
    let role = if is_raised { Role::Wood } else { Role::Front };
    frame(piece, [w, h], [wide, 0.021], [at.x, at.y + 0.011, at.z], role);
    let (pw, ph) = (w - 2.0 * wide, h - 2.0 * wide);
    board(piece, [pw, 0.008, ph], [at.x, at.y + 0.016, at.z + wide], role);
    if is_raised && pw > 0.06 && ph > 0.05 {
        // The bevel of a raised field.
        let bevel = 0.022_f32.min(ph * 0.25);
        let field = rounded(Vec3::new(pw - 0.010, ph - 0.010, 0.020), 0.001, 1, 1, |p, _| {
            let inset = if p.z > 0.0 { bevel } else { 0.0 };
            Vec3::new(p.x - p.x.signum() * inset, p.y - p.y.signum() * inset, p.z)
        });
        let solid = field.moved(0.0, 0.0, -0.010).pitched(PI / 2.0).grained(if h > w { 2 } else { 0 }, at.x + at.z);
        piece.add(solid.moved(at.x, at.y + 0.012, at.z + h / 2.0), role);
        frame(piece, [pw + 0.008, ph + 0.008], [0.008, 0.010], [at.x, at.y + 0.006, at.z + wide - 0.004], role);
    }
}

fn caned(piece: &mut Piece, at: Vec3, [w, h]: [f32; 2], is_door: bool, open: f32) {
    if is_door || h > 0.22 {
        let wide = 0.042;
        frame(piece, [w, h], [wide, 0.021], [at.x, at.y + 0.011, at.z], Role::Wood);
        board(piece, [w - 2.0 * wide, 0.004, h - 2.0 * wide], [at.x, at.y + 0.024, at.z + wide], Role::Wood);
        let webbing = sheet(2, 2, |u, v| Vec3::new((u - 0.5) * (w - 2.0 * wide), 0.0, v * (h - 2.0 * wide)));
        piece.add(webbing.moved(at.x, at.y + 0.012, at.z + wide), Role::Webbing);
        // The cord that holds the cane in its groove.
        let [cw, ch] = [w - 2.0 * wide, h - 2.0 * wide];
        frame(piece, [cw, ch], [0.005, 0.005], [at.x, at.y + 0.010, at.z + wide], Role::Cane);
    } else {
        piece.add(brick(Vec3::new(w, 0.019, h), 0.003).grained(0, at.z).moved(at.x, at.y + 0.010, at.z), Role::Wood);
    }
    let z = at.z + h * if is_door { 0.55 } else { 0.5 };
    for x in knobs(is_door, open, w) {
        let x = if is_door { x + open * 0.009 } else { x };
        knob(piece, 0.013, Vec3::new(at.x + x, at.y, z), Role::Brass);
    }
}

/// A long low pull turned of wood on drawers, a dished disc on doors.
fn sculpted_pull(piece: &mut Piece, at: Vec3, [w, h]: [f32; 2], is_door: bool, open: f32) {
    if is_door {
        let dish = [[0.0, 0.0], [0.026, 0.0], [0.030, 0.008], [0.028, 0.013], [0.024, 0.011], [0.0, 0.003]];
        let x = at.x + open * (w / 2.0 - 0.055);
        piece.add(lathe(&dish, 28).pitched(PI / 2.0).moved(x, at.y + 0.002, at.z + h * 0.55), Role::DarkWood);
        return;
    }
    let outline: Vec<Vec2> = (0..24)
        .map(|i| Vec2::from_angle(PI * 2.0 * i as f32 / 24.0))
        .map(|p| Vec2::new(p.x * 0.075, if p.y > 0.0 { p.y * 0.010 } else { p.y * 0.022 }))
        .collect();
    let solid = plate(&outline, 0.018, 0.007).pitched(PI / 2.0).grained(0, at.z);
    piece.add(solid.moved(at.x, at.y + 0.004, at.z + h * 0.58), Role::DarkWood);
}

/// Brass angles on the corners, and a pull let into a plate.
fn campaign_hardware(piece: &mut Piece, at: Vec3, [w, h]: [f32; 2], is_door: bool, open: f32) {
    let (arm, wide) = (0.055_f32.min(h * 0.35), 0.013);
    for sx in [-1.0, 1.0] {
        for top in [false, true] {
            let x = at.x + sx * (w / 2.0 - wide / 2.0);
            let z = if top { at.z + h - arm } else { at.z };
            board(piece, [wide, 0.003, arm], [x, at.y, z], Role::Brass);
            let z = if top { at.z + h - wide } else { at.z };
            board(piece, [arm, 0.003, wide], [at.x + sx * (w - arm) / 2.0, at.y, z], Role::Brass);
        }
    }
    let (pw, ph) = if is_door { (0.042, 0.085) } else { (0.095, 0.042) };
    let places = if is_door { vec![open * (w / 2.0 - 0.05)] } else { knobs(false, 0.0, w) };
    for x in places {
        let (x, z) = (at.x + x, at.z + h / 2.0);
        board(piece, [pw, 0.004, ph], [x, at.y, z - ph / 2.0], Role::Brass);
        board(piece, [pw * 0.72, 0.002, ph * 0.62], [x, at.y - 0.0025, z - ph * 0.31], Role::DarkMetal);
        frame(piece, [pw * 0.62, ph * 0.42], [0.005, 0.005], [x, at.y - 0.004, z - ph * 0.24], Role::Brass);
    }
}

/// A drop handle between two rosettes.
fn drop_handle(piece: &mut Piece, at: Vec3) {
    let rosette = [[0.0, 0.0], [0.013, 0.0], [0.013, 0.003], [0.007, 0.006], [0.006, 0.012], [0.0, 0.014]];
    for side in [-1.0, 1.0] {
        let solid = lathe(&rosette, 12).pitched(PI / 2.0);
        piece.add(solid.moved(at.x + side * 0.038, at.y, at.z), Role::Brass);
    }
    let drop: Vec<[f32; 2]> = (0..=12)
        .map(|i| PI * i as f32 / 12.0)
        .map(|a| [at.x - 0.038 * a.cos(), at.z - 0.030 * a.sin().max(0.0).powf(0.7)])
        .collect();
    piece.add(bent(&drop, at.y - 0.013, 0.0032), Role::Brass);
}

/// Half discs of brass that meet over the gap between doors; a bar on drawers.
fn half_moon(piece: &mut Piece, at: Vec3, [w, h]: [f32; 2], is_door: bool, open: f32) {
    if !is_door {
        board(piece, [0.16_f32.min(w * 0.4), 0.020, 0.012], [at.x, at.y - 0.009, at.z + h / 2.0 - 0.006], Role::Brass);
        return;
    }
    let radius = 0.075_f32.min(w * 0.3).min(h * 0.3);
    let outline: Vec<Vec2> = (0..=24)
        .map(|i| PI * (i as f32 / 24.0 + 0.5))
        .map(|a| Vec2::new(a.cos() * radius * open, a.sin() * radius))
        .collect();
    let outline: Vec<Vec2> = if open < 0.0 { outline.into_iter().rev().collect() } else { outline };
    let solid = plate(&outline, 0.008, 0.002).pitched(PI / 2.0);
    piece.add(solid.moved(at.x + open * w / 2.0, at.y + 0.003, at.z + h / 2.0), Role::Brass);
    let pin = disc(0.016, 0.016, 0.012).pitched(PI / 2.0);
    piece.add(pin.moved(at.x + open * (w / 2.0 - radius * 0.45), at.y - 0.003, at.z + h / 2.0), Role::DarkMetal);
}
