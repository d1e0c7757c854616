//! Random finishes of the materials of rooms.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::finish::{Finish, Pattern};
use crate::outdoor_materials;
use crate::scene::Material;
use crate::tones::{masonry, tone, white, wood};

/// A random finish of a material.
pub(crate) fn random(material: Material, rng: &mut Rng) -> Finish {
    match material {
        Material::Floor => floor(rng),
        Material::Wall => wall(rng),
        Material::Ceiling => {
            let color = match rng.below(12) {
                0 => wood(rng),
                1 => Vec3::splat(rng.range_f32(0.01, 0.06)),
                2 => tone(rng, 0.3, 0.8, 0.3),
                _ => white(rng),
            };
            let mut f = Finish::new(color, rng);
            if rng.random_bool(0.1) {
                f.pattern = Pattern::Grooves { gap: rng.range_f32(0.08, 0.2), joint: 0.008 };
            } else if rng.random_bool(0.08) {
                f.pattern = Pattern::Courses { length: 0.6, width: 0.6, offset: 0.0, joint: 0.02, checkered: 0.0 };
            }
            f.speckle = (rng.range_f32(0.0, 0.06), rng.range_f32(30.0, 200.0));
            f
        }
        Material::Trim => {
            let color = match rng.below(10) {
                0 | 1 => wood(rng),
                2 => Vec3::splat(rng.range_f32(0.01, 0.2)),
                3 => tone(rng, 0.1, 0.8, 0.4),
                _ => white(rng),
            };
            Finish::new(color, rng)
        }
        Material::Door => {
            let color = match rng.below(10) {
                0..=2 => wood(rng),
                3 => tone(rng, 0.02, 0.6, 0.6),
                _ => white(rng),
            };
            let mut f = Finish::new(color, rng).upright();
            f.grain = (rng.range_f32(0.0, 0.25), 30.0);
            f
        }
        Material::Cabinet => {
            let color = match rng.below(10) {
                0..=3 => wood(rng),
                4 | 5 => tone(rng, 0.02, 0.6, 0.6),
                _ => white(rng),
            };
            let mut f = Finish::new(color, rng).upright();
            f.grain = (rng.range_f32(0.0, 0.3), 30.0);
            f.gloss = rng.range_f32(0.0, 0.05);
            f
        }
        Material::Counter => {
            let color = if rng.random_bool(0.5) { tone(rng, 0.01, 0.2, 0.2) } else { tone(rng, 0.3, 0.85, 0.2) };
            let mut f = Finish::new(color, rng);
            f.speckle = (rng.range_f32(0.0, 0.25), 60.0);
            f.gloss = rng.range_f32(0.0, 0.2);
            f
        }
        Material::Metal => {
            let level = rng.range_f32(0.02, 0.8);
            let mut f = Finish::new(Vec3::splat(level), rng);
            f.gloss = rng.range_f32(0.0, 0.3);
            if rng.random_bool(0.4) {
                f.pattern = Pattern::Grooves { gap: rng.range_f32(0.03, 0.08), joint: 0.015 };
                f.turn = Vec2::Y;
            }
            f
        }
        Material::Masonry => masonry(rng),
        Material::Soot => {
            let level = rng.range_f32(0.004, 0.04);
            Finish::new(Vec3::splat(level), rng)
        }
        Material::Rug => {
            let color = tone(rng, 0.05, 0.75, 0.7);
            let mut f = Finish::new(color, rng);
            f.second = tone(rng, 0.03, 0.8, 0.7);
            f.pattern = match rng.below(4) {
                0 => Pattern::Stripes { width: rng.range_f32(0.02, 0.3) },
                1 => Pattern::Motif { size: rng.range_f32(0.08, 0.5), share: rng.range_f32(0.2, 0.6) },
                _ => Pattern::Plain,
            };
            f.speckle = (rng.range_f32(0.02, 0.2), rng.range_f32(40.0, 150.0));
            f
        }
        Material::Cloth | Material::Curtain => {
            let color = tone(rng, 0.02, 0.85, 0.8);
            let mut f = Finish::new(color, rng);
            f.second = tone(rng, 0.03, 0.8, 0.6);
            f.pattern = match rng.below(8) {
                0 => Pattern::Stripes { width: rng.range_f32(0.01, 0.1) },
                1 => Pattern::Motif { size: rng.range_f32(0.04, 0.25), share: rng.range_f32(0.2, 0.6) },
                _ => Pattern::Plain,
            };
            f.speckle = (rng.range_f32(0.0, 0.15), rng.range_f32(40.0, 200.0));
            f
        }
        Material::Wood => {
            let mut f = Finish::new(Vec3::ZERO, rng);
            f.color = wood(rng);
            f.grain = (rng.range_f32(0.0, 0.5), rng.range_f32(15.0, 60.0));
            f
        }
        Material::Blind => {
            let color = if rng.random_bool(0.7) { white(rng) } else { tone(rng, 0.1, 0.8, 0.4) };
            let mut f = Finish::new(color, rng);
            f.pattern = Pattern::Grooves { gap: rng.range_f32(0.02, 0.07), joint: 0.01 };
            f.turn = if rng.random_bool(0.8) { Vec2::Y } else { Vec2::X };
            f
        }
        Material::Object | Material::Lamp | Material::Glass => {
            let color = match rng.below(3) {
                0 => wood(rng),
                _ => tone(rng, 0.01, 0.85, 0.9),
            };
            let mut f = Finish::new(color, rng);
            f.second = tone(rng, 0.03, 0.8, 0.8);
            if rng.random_bool(0.3) {
                f.pattern = Pattern::Motif { size: rng.range_f32(0.05, 0.4), share: rng.range_f32(0.2, 0.6) };
            }
            f.stains = (rng.range_f32(0.0, 0.6), rng.range_f32(2.0, 12.0));
            f
        }
        other => outdoor_materials::random(other, rng),
    }
}

fn floor(rng: &mut Rng) -> Finish {
    let kind = rng.below(20);
    let color = match kind {
        0..=12 => wood(rng),
        _ => tone(rng, 0.04, 0.75, 0.25),
    };
    let mut f = Finish::new(color, rng);
    match kind {
        0..=9 => {
            f.pattern = Pattern::Courses {
                length: rng.range_f32(0.4, 2.6),
                width: if rng.random_bool(0.5) { rng.range_f32(0.045, 0.1) } else { rng.range_f32(0.1, 0.26) },
                offset: -1.0,
                joint: rng.range_f32(0.0, 0.006),
                checkered: 0.0,
            };
            f.variety = rng.range_f32(0.03, 0.9);
            f.grain = (rng.range_f32(0.0, 0.4), rng.range_f32(10.0, 60.0));
        }
        10 | 11 => {
            let width = rng.range_f32(0.06, 0.13);
            f.pattern = Pattern::Herringbone { length: width * rng.pick(&[3.0_f32, 4.0, 5.0]), width };
            f.variety = rng.range_f32(0.1, 0.8);
            f.grain = (rng.range_f32(0.0, 0.3), 30.0);
        }
        12..=15 => {
            let side = rng.range_f32(0.15, 0.9);
            f.pattern = Pattern::Courses {
                length: side * rng.pick(&[1.0_f32, 1.0, 2.0]),
                width: side,
                offset: rng.pick(&[0.0_f32, 0.0, 0.5, 0.33]),
                joint: rng.range_f32(0.002, 0.012),
                checkered: if rng.random_bool(0.15) { rng.range_f32(0.3, 1.0) } else { 0.0 },
            };
            f.variety = rng.range_f32(0.0, 0.3);
            f.stains = (rng.range_f32(0.0, 0.4), rng.range_f32(1.0, 8.0));
        }
        16 | 17 => f.speckle = (rng.range_f32(0.03, 0.2), rng.range_f32(30.0, 120.0)),
        18 => f.stains = (rng.range_f32(0.1, 0.9), rng.range_f32(0.6, 4.0)),
        _ => f.pattern = Pattern::Stone { size: rng.range_f32(0.25, 0.7), joint: 0.02 },
    }
    if rng.random_bool(0.2) {
        f.stains = (rng.range_f32(0.1, 0.6), rng.range_f32(0.5, 3.0));
    }
    f.gloss = if rng.random_bool(0.35) { 0.0 } else { rng.range_f32(0.0, 0.35).powi(2) * 3.0 };
    f
}

fn wall(rng: &mut Rng) -> Finish {
    let kind = rng.below(42);
    if kind < 4 {
        return masonry(rng);
    }
    let color = match rng.below(10) {
        0..=4 => white(rng),
        5..=7 => tone(rng, 0.25, 0.8, 0.35),
        8 => tone(rng, 0.02, 0.5, 0.9),
        _ => wood(rng),
    };
    let mut f = Finish::new(color, rng).upright();
    match kind {
        4 | 5 => {
            f.pattern = Pattern::Panels {
                width: rng.range_f32(0.3, 1.2),
                height: rng.range_f32(0.4, 2.4),
                border: rng.range_f32(0.03, 0.12),
            };
        }
        6 | 7 => {
            f.pattern = Pattern::Grooves { gap: rng.range_f32(0.06, 0.3), joint: rng.range_f32(0.004, 0.012) };
            if rng.random_bool(0.3) {
                f.turn = Vec2::Y;
            }
            f.variety = rng.range_f32(0.0, 0.5);
            f.grain = (rng.range_f32(0.0, 0.4), 30.0);
        }
        8 => f.pattern = Pattern::Stripes { width: rng.range_f32(0.02, 0.3) },
        9 | 10 => f.pattern = Pattern::Motif { size: rng.range_f32(0.08, 0.6), share: rng.range_f32(0.1, 0.6) },
        11 => {
            let side = rng.range_f32(0.08, 0.6);
            f.pattern = Pattern::Courses {
                length: side * rng.pick(&[1.0_f32, 2.0]),
                width: side,
                offset: rng.pick(&[0.0_f32, 0.5]),
                joint: 0.005,
                checkered: 0.0,
            };
            f.variety = rng.range_f32(0.0, 0.3);
            f.gloss = rng.range_f32(0.0, 0.1);
        }
        40 | 41 => {
            // Slabs of marble or large tiles.
            let side = rng.range_f32(0.5, 1.6);
            f.pattern = Pattern::Courses {
                length: side * rng.pick(&[1.0_f32, 2.0]),
                width: side,
                offset: 0.0,
                joint: rng.range_f32(0.002, 0.006),
                checkered: 0.0,
            };
            f.variety = rng.range_f32(0.0, 0.3);
            f.stains = (rng.range_f32(0.1, 0.7), rng.range_f32(1.0, 6.0));
            f.gloss = rng.range_f32(0.0, 0.1);
        }
        12..=14 => f.stains = (rng.range_f32(0.05, 0.7), rng.range_f32(0.4, 4.0)),
        _ => {}
    }
    if rng.random_bool(0.3) {
        f.speckle = (rng.range_f32(0.0, 0.05), rng.range_f32(40.0, 200.0));
    }
    f
}
