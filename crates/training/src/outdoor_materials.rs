//! Random finishes of the materials of façades, gardens and streets.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::finish::{Finish, Pattern};
use crate::scene::Material;
use crate::tones::{masonry, tone, white, wood};

/// A random finish of a material that is found outdoors.
pub(crate) fn random(material: Material, rng: &mut Rng) -> Finish {
    match material {
        Material::Facade => facade(rng),
        Material::Lawn => lawn(rng),
        Material::Soil => soil(rng),
        Material::Paving => paving(rng),
        Material::Asphalt => asphalt(rng),
        Material::Leaves => leaves(rng),
        Material::Needles => {
            let level = rng.range_f32(0.015, 0.1);
            let mut f = leaves(rng);
            f.color = Vec3::new(level * rng.range_f32(0.4, 0.9), level, level * rng.range_f32(0.4, 0.9));
            f
        }
        Material::Flowers => {
            let hues = [[0.8, 0.08, 0.1], [0.8, 0.3, 0.5], [0.85, 0.7, 0.1], [0.85, 0.85, 0.85], [0.35, 0.15, 0.6]];
            let color = Vec3::from_array(rng.pick(&hues)) * rng.range_f32(0.4, 1.0);
            Finish::new(color, rng)
        }
        Material::Bark => {
            let level = rng.range_f32(0.03, 0.35);
            let mut f = Finish::new(Vec3::new(level, level * 0.85, level * 0.7), rng);
            f.stains = (rng.range_f32(0.1, 0.9), rng.range_f32(4.0, 20.0));
            f
        }
        Material::Roof => roof(rng),
        Material::Solar => {
            let mut f = Finish::new(Vec3::new(0.015, 0.02, 0.04) * rng.range_f32(0.5, 2.0), rng);
            f.second = Vec3::splat(0.35);
            f.pattern = Pattern::Courses { length: 1.0, width: 1.65, offset: 0.0, joint: 0.04, checkered: 0.0 };
            f.gloss = rng.range_f32(0.0, 0.15);
            f.upright()
        }
        Material::Pane => {
            // What is behind the pane: a dark room, a curtain, a blind.
            let color = match rng.below(6) {
                0 => white(rng) * 0.6,
                1 => tone(rng, 0.05, 0.4, 0.4),
                _ => Vec3::splat(rng.range_f32(0.005, 0.06)),
            };
            let mut f = Finish::new(color, rng);
            f.gloss = rng.range_f32(0.03, 0.5);
            f
        }
        Material::Water => {
            let level = rng.range_f32(0.05, 0.55);
            let color = if rng.random_bool(0.75) {
                Vec3::new(level * rng.range_f32(0.05, 0.5), level * rng.range_f32(0.7, 1.0), level)
            } else {
                Vec3::new(level * 0.4, level * 0.5, level * 0.35) * 0.5
            };
            let mut f = Finish::new(color, rng);
            f.stains = (rng.range_f32(0.05, 0.5), rng.range_f32(0.5, 4.0));
            f.gloss = rng.range_f32(0.1, 0.7);
            f
        }
        Material::CarPaint => {
            let color = match rng.below(8) {
                0 | 1 => Vec3::splat(rng.range_f32(0.6, 0.85)),
                2..=4 => Vec3::splat(rng.range_f32(0.01, 0.4)),
                5 => Vec3::new(0.45, 0.03, 0.03) * rng.range_f32(0.5, 1.5),
                6 => Vec3::new(0.03, 0.07, 0.3) * rng.range_f32(0.4, 2.0),
                _ => tone(rng, 0.05, 0.6, 0.9),
            };
            let mut f = Finish::new(color, rng);
            f.gloss = rng.range_f32(0.05, 0.4);
            f
        }
        Material::Rock => {
            let color = tone(rng, 0.08, 0.5, 0.15);
            let mut f = Finish::new(color, rng);
            f.stains = (rng.range_f32(0.3, 1.2), rng.range_f32(0.02, 0.2));
            f
        }
        _ => {
            let color = tone(rng, 0.02, 0.8, 0.3);
            Finish::new(color, rng)
        }
    }
}

/// Plaster, siding, brick, stone, panels, logs.
fn facade(rng: &mut Rng) -> Finish {
    let kind = rng.below(20);
    if kind < 5 {
        return masonry(rng);
    }
    let color = match rng.below(12) {
        0..=3 => white(rng),
        4..=7 => {
            let level = rng.range_f32(0.25, 0.8);
            Vec3::new(level, level * rng.range_f32(0.75, 0.97), level * rng.range_f32(0.35, 0.85))
        }
        8 => tone(rng, 0.1, 0.7, 0.9),
        9 => tone(rng, 0.02, 0.2, 0.4),
        _ => tone(rng, 0.15, 0.75, 0.3),
    };
    let mut f = Finish::new(color, rng).upright();
    match kind {
        5..=8 => {
            // Clapboards and shingles, level.
            f.pattern = Pattern::Courses {
                length: if rng.random_bool(0.7) { 4.0 } else { rng.range_f32(0.1, 0.4) },
                width: rng.range_f32(0.1, 0.26),
                offset: -1.0,
                joint: rng.range_f32(0.008, 0.025),
                checkered: 0.0,
            };
            f.variety = rng.range_f32(0.0, 0.25);
        }
        9 | 10 => {
            if rng.random_bool(0.6) {
                f.color = wood(rng);
            }
            f.pattern = Pattern::Grooves { gap: rng.range_f32(0.08, 0.4), joint: rng.range_f32(0.006, 0.02) };
            if rng.random_bool(0.4) {
                f.turn = Vec2::Y;
            }
            f.variety = rng.range_f32(0.0, 0.5);
            f.grain = (rng.range_f32(0.0, 0.4), 20.0);
        }
        11 => {
            let side = rng.range_f32(0.4, 1.8);
            f.pattern = Pattern::Courses {
                length: side * rng.pick(&[1.0_f32, 2.0, 0.6]),
                width: side,
                offset: rng.pick(&[0.0_f32, 0.0, 0.5]),
                joint: rng.range_f32(0.005, 0.02),
                checkered: 0.0,
            };
            f.variety = rng.range_f32(0.0, 0.25);
        }
        _ => {
            f.speckle = (rng.range_f32(0.0, 0.15), rng.range_f32(20.0, 100.0));
            f.stains = (rng.range_f32(0.0, 0.25), rng.range_f32(0.2, 2.0));
        }
    }
    f
}

fn lawn(rng: &mut Rng) -> Finish {
    let level = rng.range_f32(0.04, 0.4);
    // From lush to dry.
    let dry = if rng.random_bool(0.25) { rng.range_f32(0.9, 1.25) } else { rng.range_f32(0.35, 0.95) };
    let mut f = Finish::new(Vec3::new(level * dry, level, level * rng.range_f32(0.1, 0.5)), rng);
    f.second = f.color * rng.range_f32(0.5, 1.3);
    f.pattern = match rng.below(5) {
        0 => Pattern::Stripes { width: rng.range_f32(0.4, 2.0) },
        1 | 2 => Pattern::Motif { size: rng.range_f32(0.3, 4.0), share: rng.range_f32(0.1, 0.6) },
        _ => Pattern::Plain,
    };
    if rng.random_bool(0.4) {
        f.second = Vec3::new(1.2, 1.0, 0.55) * level * rng.range_f32(0.6, 1.4);
    }
    f.speckle = (rng.range_f32(0.2, 1.4), rng.range_f32(8.0, 50.0));
    f.stains = (rng.range_f32(0.1, 0.9), rng.range_f32(0.1, 2.0));
    f
}

fn soil(rng: &mut Rng) -> Finish {
    let level = rng.range_f32(0.04, 0.6);
    let mut f = Finish::new(Vec3::new(level, level * rng.range_f32(0.7, 0.95), level * rng.range_f32(0.4, 0.8)), rng);
    f.speckle = (rng.range_f32(0.1, 0.8), rng.range_f32(5.0, 60.0));
    f.stains = (rng.range_f32(0.1, 0.6), rng.range_f32(0.3, 3.0));
    f
}

/// Slabs, setts, bricks, gravel, concrete, boards, tiles.
fn paving(rng: &mut Rng) -> Finish {
    let kind = rng.below(12);
    let color = match kind {
        0 | 1 => wood(rng),
        2 => Vec3::new(0.4, 0.2, 0.14) * rng.range_f32(0.4, 1.4),
        3 | 4 => tone(rng, 0.5, 0.85, 0.12),
        _ => tone(rng, 0.08, 0.65, 0.18),
    };
    let mut f = Finish::new(color, rng);
    f.second = tone(rng, 0.05, 0.5, 0.15);
    let side = rng.range_f32(0.15, 1.0);
    match kind {
        0 | 1 => {
            f.pattern = Pattern::Grooves { gap: rng.range_f32(0.09, 0.2), joint: rng.range_f32(0.004, 0.012) };
            f.variety = rng.range_f32(0.0, 0.4);
            f.grain = (rng.range_f32(0.0, 0.4), 30.0);
        }
        2 => {
            f.pattern = match rng.below(2) {
                0 => Pattern::Herringbone { length: 0.22, width: 0.11 },
                _ => Pattern::Courses { length: 0.22, width: 0.11, offset: 0.5, joint: 0.008, checkered: 0.0 },
            };
            f.variety = rng.range_f32(0.1, 0.7);
        }
        3..=6 => {
            f.pattern = Pattern::Courses {
                length: side * rng.pick(&[1.0_f32, 1.0, 1.5, 2.0]),
                width: side,
                offset: rng.pick(&[0.0_f32, 0.5, 0.5]),
                joint: rng.range_f32(0.004, 0.02),
                checkered: if rng.random_bool(0.06) { 0.5 } else { 0.0 },
            };
            f.variety = rng.range_f32(0.0, 0.4);
        }
        7 => {
            f.pattern = Pattern::Stone { size: rng.range_f32(0.1, 0.8), joint: rng.range_f32(0.01, 0.05) };
            f.variety = rng.range_f32(0.1, 0.6);
        }
        8 | 9 => f.speckle = (rng.range_f32(0.3, 1.3), rng.range_f32(15.0, 70.0)),
        _ => {
            // Concrete with wide joints.
            f.pattern = Pattern::Courses {
                length: rng.range_f32(1.5, 5.0),
                width: rng.range_f32(1.5, 4.0),
                offset: 0.0,
                joint: 0.02,
                checkered: 0.0,
            };
            f.speckle = (rng.range_f32(0.05, 0.3), 40.0);
        }
    }
    f.stains = (rng.range_f32(0.0, 0.5), rng.range_f32(0.2, 3.0));
    f.gloss = if rng.random_bool(0.12) { rng.range_f32(0.1, 0.5) } else { 0.0 };
    f
}

fn asphalt(rng: &mut Rng) -> Finish {
    let level = rng.range_f32(0.03, 0.4);
    let mut f = Finish::new(Vec3::new(level, level * 0.98, level * rng.range_f32(0.9, 1.05)), rng);
    f.speckle = (rng.range_f32(0.05, 0.4), rng.range_f32(20.0, 80.0));
    f.stains = (rng.range_f32(0.0, 0.5), rng.range_f32(0.1, 1.5));
    f.gloss = if rng.random_bool(0.15) { rng.range_f32(0.2, 0.8) } else { 0.0 };
    f
}

fn leaves(rng: &mut Rng) -> Finish {
    let level = rng.range_f32(0.02, 0.25);
    // Green, or now and then the colors of fall and red-leaved trees.
    let color = match rng.below(14) {
        0 => Vec3::new(1.6, 0.8, 0.15) * level,
        1 => Vec3::new(1.2, 0.3, 0.25) * level,
        _ => Vec3::new(level * rng.range_f32(0.35, 1.0), level, level * rng.range_f32(0.1, 0.55)),
    };
    let mut f = Finish::new(color, rng);
    f.speckle = (rng.range_f32(0.2, 1.2), rng.range_f32(3.0, 25.0));
    f.stains = (rng.range_f32(0.1, 0.8), rng.range_f32(0.5, 6.0));
    f
}

/// Tiles, slates, shingles, seamed metal, gravel, thatch.
fn roof(rng: &mut Rng) -> Finish {
    let color = match rng.below(4) {
        0 => tone(rng, 0.02, 0.3, 0.1),
        1 => wood(rng),
        2 => tone(rng, 0.2, 0.7, 0.3),
        _ => Vec3::new(0.4, 0.16, 0.1) * rng.range_f32(0.4, 1.5),
    };
    let mut f = Finish::new(color, rng).upright();
    match rng.below(10) {
        0..=6 => {
            f.pattern = Pattern::Courses {
                length: rng.range_f32(0.15, 0.6),
                width: rng.range_f32(0.12, 0.4),
                offset: rng.pick(&[0.5_f32, 0.0]),
                joint: rng.range_f32(0.01, 0.05),
                checkered: 0.0,
            };
            f.variety = rng.range_f32(0.0, 0.6);
        }
        7 | 8 => f.pattern = Pattern::Grooves { gap: rng.range_f32(0.2, 0.6), joint: 0.03 },
        _ => f.speckle = (rng.range_f32(0.1, 0.6), 30.0),
    }
    f.stains = (rng.range_f32(0.0, 0.5), rng.range_f32(0.2, 2.0));
    f
}
