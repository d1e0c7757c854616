//! Curtains on a rod: sheers, and heavier linen drapes.

use std::f32::consts::PI;

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::joinery::bar;
use crate::mesh::Solid;
use crate::noise::value_noise;
use crate::palette::Role;
use crate::piece::{Piece, PieceKind};
use crate::shape::{ball, sheet, tube};

/// The form of curtains that is sheers.
const SHEERS: usize = 0;

/// Depth of curtains with their rod, meters.
const DEEP: f32 = 0.16;
/// Distance of a panel from the end of the rod, meters.
const FROM_END: f32 = 0.05;
/// Share of the width of curtains that each of two panels has, and the least and most of it, meters.
const PANEL: f32 = 0.15;
const PANEL_WIDTH: [f32; 2] = [0.24, 0.36];

/// Width of a panel, drawn aside, of curtains of a width.
fn panel_width(width: f32) -> f32 {
    (PANEL * width).clamp(PANEL_WIDTH[0], PANEL_WIDTH[1])
}

/// Two panels on a rod, drawn aside, their backs to +Y.
#[must_use]
pub fn curtains(form: usize, width: f32, height: f32, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::Curtains, Vec3::new(width, DEEP, height));
    let is_sheer = form == SHEERS;
    let (thin, knob, role) = if is_sheer { (0.007, 0.014, Role::Sheer) } else { (0.012, 0.024, Role::Linen) };
    let rod = height - 0.03;
    bar(&mut piece, [-width / 2.0 + knob, 0.0, rod], [width / 2.0 - knob, 0.0, rod], thin, Role::Metal);
    let wide = panel_width(width - 2.0 * FROM_END);
    for side in [-1.0, 1.0] {
        piece.add(ball(knob).moved(side * (width / 2.0 - knob), 0.0, rod), Role::Metal);
        let x = side * (width / 2.0 - FROM_END * 0.6);
        bar(&mut piece, [x, DEEP / 2.0 - 0.002, rod], [x, 0.0, rod], thin * 0.6, Role::Metal);
        let seed = (rng.next_u64() & 0xFFFF) as u32;
        let middle = side * (width / 2.0 - FROM_END - wide / 2.0);
        piece.add(panel(wide, rod - 0.010, !is_sheer, seed).moved(middle, 0.0, 0.012), role);
        if !is_sheer {
            rings(&mut piece, middle, wide, rod);
        }
    }
    piece
}

/// Rings that carry a panel.
fn rings(piece: &mut Piece, middle: f32, wide: f32, rod: f32) {
    let count = (wide / 0.11) as usize;
    for i in 0..=count {
        let x = middle + wide * (i as f32 / count as f32 - 0.5);
        let ring: Vec<Vec3> = (0..16)
            .map(|k| Vec2::from_angle(PI * k as f32 / 8.0) * 0.020)
            .map(|p| Vec3::new(x, p.x, rod - 0.006 + p.y))
            .collect();
        piece.add(tube(&ring, 0.0022, 6, true), Role::Metal);
    }
}

/// Cloth gathered to folds that are tight at the rod, widen and wander downward, and end in an even hem.
fn panel(width: f32, height: f32, is_heavy: bool, seed: u32) -> Solid {
    let (pitch, full) = if is_heavy { (0.108, 1.25) } else { (0.068, 0.9) };
    let folds = (width / pitch).round().max(3.0);
    let noise = |a: f32, b: f32, more: u32| value_noise(Vec3::new(a, b, 0.5), seed + more) - 0.5;
    sheet((folds as usize) * 16 + 1, 40, |u, v| {
        let down = 1.0 - v;
        // No fold is as wide as the next one, and some run into each other on their way down.
        let uneven = 1.7 * noise(u * folds * 0.6, 0.0, 1) + 1.5 * down * noise(u * folds * 0.5, down * 1.3, 2);
        let phase = (u * folds + uneven) * PI * 2.0;
        let depth = full * (0.018 + 0.016 * down.sqrt()) * (1.0 + 1.0 * noise(u * folds * 0.8, 4.0, 3));
        let y = depth * phase.sin() + 0.006 * (phase * 0.5 + 1.0).sin() * down;
        // Folds overhang a little, and the panel is narrower where it is gathered.
        let gathered = 1.0 - 0.06 * (1.0 - down).powi(3) - 0.03 * (down * PI).sin();
        let x = (u - 0.5) * (width - 0.02) * gathered + 0.008 * full * (phase * 2.0).sin() * (0.4 + down);
        Vec3::new(x, y.clamp(-DEEP / 2.0 + 0.01, DEEP / 2.0 - 0.01), height * v)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_around_a_window_leave_the_window_open() {
        for window in [0.6_f32, 1.2, 2.4] {
            let width = window + 2.0 * (panel_width(window / (1.0 - 2.0 * PANEL)) + FROM_END);
            let piece = curtains(SHEERS, width, 2.3, &mut Rng::new(3));
            let inner = piece
                .mesh
                .triangles
                .iter()
                .filter(|(_, part)| piece.mesh.parts[*part as usize].material == Role::Sheer as usize);
            let nearest = inner
                .flat_map(|(corners, _)| corners.map(|i| piece.mesh.vertices[i as usize].place.x.abs()))
                .fold(f32::MAX, f32::min);
            assert!((nearest - window / 2.0).abs() < 0.06, "{window}: {nearest}");
        }
    }
}
