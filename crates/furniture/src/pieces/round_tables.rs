//! Round dining tables.

use std::f32::consts::{PI, TAU};

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use super::dining::{HEIGHT, column, tulip};
use super::{household, trays, vases};
use crate::joinery::{disc, fluted_drum, slanted, smooth_line, spun};
use crate::palette::{Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{lathe, leg, square_leg};

/// A small round dining table for two to four.
#[must_use]
pub fn round_table(palette: &Palette, form: usize, width: f32, rng: &mut Rng) -> Piece {
    let mut piece = Piece::new(PieceKind::RoundTable, Vec3::new(width, width, HEIGHT));
    let top = |thick: f32| disc(width, width, thick).grained(0, 2.0).moved(0.0, 0.0, HEIGHT - thick);
    match form {
        1 => tulip(&mut piece, width, width, false),
        2 => {
            piece.add(top(0.028), Role::Wood);
            for i in 0..4 {
                let away = Vec2::from_angle(TAU * (i as f32 + 0.5) / 4.0);
                let solid = slanted(leg(HEIGHT - 0.026, 0.029, 0.016), HEIGHT - 0.026, away * 0.10);
                piece.add(
                    solid.grained(2, i as f32).moved(away.x * width * 0.29, away.y * width * 0.29, 0.0),
                    Role::Wood,
                );
            }
            let apron = spun(
                &[[width * 0.29, HEIGHT - 0.085], [width * 0.30, HEIGHT - 0.085], [width * 0.30, HEIGHT - 0.028]],
                64,
            );
            piece.add(apron.grained(0, 3.0), Role::Wood);
        }
        3 => {
            // A stone top in a metal rim on a cast foot.
            piece.add(disc(width - 0.006, width - 0.006, 0.022).moved(0.0, 0.0, HEIGHT - 0.022), Role::Marble);
            let r = width / 2.0;
            piece.add(
                spun(
                    &[
                        [r - 0.006, HEIGHT - 0.024],
                        [r, HEIGHT - 0.024],
                        [r, HEIGHT - 0.002],
                        [r - 0.004, HEIGHT - 0.002],
                    ],
                    72,
                ),
                Role::Brass,
            );
            let stem = smooth_line(
                &[
                    [0.03, 0.06],
                    [0.034, 0.10],
                    [0.022, 0.13],
                    [0.022, 0.50],
                    [0.032, 0.53],
                    [0.022, 0.56],
                    [0.026, 0.66],
                    [0.11, HEIGHT - 0.024],
                ],
                5,
            );
            piece.add(lathe(&stem, 32), Role::DarkMetal);
            for i in 0..4 {
                let away = Vec2::from_angle(TAU * (i as f32 + 0.5) / 4.0);
                let path: Vec<Vec3> = (0..=8)
                    .map(|k| k as f32 / 8.0)
                    .map(|t| (away * (0.02 + 0.25 * t)).extend(0.105 - 0.085 * t.powf(0.7)))
                    .collect();
                piece.add(super::foliage::tapered(&path, 0.022, 0.015), Role::DarkMetal);
            }
        }
        4 => {
            piece.add(top(0.034), Role::Wood);
            piece.add(fluted_drum(width * 0.24, HEIGHT - 0.060, 48).moved(0.0, 0.0, 0.026), Role::Wood);
            piece.add(disc(width * 0.45, width * 0.45, 0.028), Role::DarkWood);
        }
        5 => {
            piece.add(top(0.042), Role::Wood);
            for turn in [PI / 4.0, -PI / 4.0] {
                for side in [-1.0, 1.0] {
                    let solid =
                        square_leg(HEIGHT * 0.99, 0.055, 0.055).moved(0.0, 0.0, -HEIGHT * 0.5).pitched(side * 0.50);
                    piece.add(
                        solid.yawed(turn).grained(2, turn + side).moved(0.0, 0.0, HEIGHT * 0.455),
                        Role::DarkMetal,
                    );
                }
            }
            for v in &mut piece.mesh_mut().vertices {
                v.place.z = v.place.z.clamp(0.0, HEIGHT);
            }
        }
        _ => {
            piece.add(top(0.026), Role::Wood);
            piece.add(
                disc(width - 0.05, width - 0.05, 0.016).grained(0, 2.0).moved(0.0, 0.0, HEIGHT - 0.042),
                Role::Wood,
            );
            column(&mut piece, 0.0, 4, 1.0, width * 0.36);
        }
    }
    if rng.random_bool_f32(0.4) {
        piece.attach(&household::fruit_bowl(rng), 0.0, Vec3::new(0.02, 0.03, HEIGHT));
    } else {
        let form = if rng.random_bool_f32(0.5) { vases::low(rng) } else { vases::tall(palette.style, rng) };
        piece.attach(&vases::vase(form, rng), 0.0, Vec3::new(0.0, 0.02, HEIGHT));
        piece.attach(&trays::candle(0.08, rng), 0.0, Vec3::new(0.13, -0.06, HEIGHT));
    }
    piece
}
