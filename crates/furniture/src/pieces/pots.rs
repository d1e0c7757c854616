//! Pots for plants.

use aerie_math::Rng;
use glam::{Vec2, Vec3};

use crate::joinery::{board, smooth_line, spun, vessel, woven_wall};
use crate::mesh::Solid;
use crate::palette::{Palette, Role};
use crate::piece::Piece;
use crate::shape::{block, lathe, leg, sheet, tube};
use crate::style::Style;

/// A sort of pot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pot {
    /// A glazed cylinder that tapers a little.
    Glazed,
    /// A glazed bowl with ribs.
    Ribbed,
    /// Clay with a thick rim, on a saucer.
    Clay,
    /// A woven basket with handles.
    Woven,
    /// A cast cone.
    Cast,
    /// A cylinder in a wooden stand.
    Stand,
}

/// A pot that suits a style.
pub(super) fn suiting(palette: &Palette, rng: &mut Rng) -> Pot {
    use Pot::{Cast, Clay, Glazed, Ribbed, Stand, Woven};
    match palette.style {
        Style::Boho | Style::Coastal | Style::Farmhouse => rng.pick(&[Woven, Woven, Clay, Glazed]),
        Style::Midcentury | Style::Scandinavian => rng.pick(&[Stand, Stand, Glazed, Woven]),
        Style::Industrial | Style::Minimalist | Style::Modern => rng.pick(&[Cast, Glazed, Cast]),
        Style::Luxury | Style::ArtDeco => rng.pick(&[Ribbed, Glazed]),
        Style::Traditional => rng.pick(&[Clay, Glazed, Woven]),
        _ => rng.pick(&[Glazed, Ribbed, Woven, Cast]),
    }
}

/// Adds a pot with soil; returns the height of the soil.
pub(super) fn pot(piece: &mut Piece, pot: Pot, radius: f32, height: f32, rng: &mut Rng) -> f32 {
    let glaze = rng.pick(&[Role::Ceramic, Role::Ceramic, Role::DarkCeramic]);
    let turned = |line: &[[f32; 2]]| -> Vec<[f32; 2]> {
        smooth_line(line, 5).iter().map(|p| [p[0] * radius, p[1] * height]).collect()
    };
    match pot {
        Pot::Glazed => {
            let line = turned(&[[0.74, 0.0], [0.80, 0.02], [0.90, 0.45], [1.0, 0.97], [1.0, 1.0]]);
            piece.add(vessel(&line, 0.012, 0.2, 64), glaze);
        }
        Pot::Ribbed => {
            let line = turned(&[[0.60, 0.0], [0.78, 0.05], [0.98, 0.42], [0.96, 0.75], [0.86, 0.95], [0.88, 1.0]]);
            let mut solid = vessel(&line, 0.012, 0.2, 144);
            for v in &mut solid.vertices {
                let across = v.place.truncate();
                let share = v.place.z / height;
                let rib =
                    (across.to_angle() * 24.0).cos().abs() * 0.010 * (1.0 - (2.0 * share - 0.95).powi(4)).max(0.0);
                v.place -= (across.normalize_or_zero() * rib).extend(0.0);
            }
            solid.smoothen();
            piece.add(solid, glaze);
        }
        Pot::Clay => {
            let rim = [
                [0.0, 0.02],
                [radius * 0.66, 0.02],
                [radius * 0.90, height * 0.80],
                [radius * 0.98, height * 0.81],
                [radius, height],
                [radius - 0.014, height],
                [radius - 0.022, height * 0.80],
            ];
            piece.add(spun(&rim, 64), Role::Terracotta);
            let saucer = [
                [0.0, 0.0],
                [radius * 0.80, 0.0],
                [radius * 0.92, 0.03],
                [radius * 0.88, 0.03],
                [radius * 0.78, 0.012],
                [0.0, 0.012],
            ];
            piece.add(spun(&saucer, 64), Role::Terracotta);
        }
        Pot::Woven => woven(piece, radius, height),
        Pot::Cast => {
            let line = [
                [0.0, 0.0],
                [radius * 0.72, 0.0],
                [radius, height],
                [radius - 0.020, height],
                [radius - 0.030, height * 0.8],
            ];
            piece.add(spun(&line, 72), Role::Concrete);
        }
        Pot::Stand => stand(piece, radius, height, glaze),
    }
    let soil = height * 0.90;
    let wide = match pot {
        Pot::Woven => 0.80,
        Pot::Clay | Pot::Cast | Pot::Stand => 0.84,
        Pot::Glazed | Pot::Ribbed => 0.88,
    };
    let mut earth = sheet(40, 8, |u, v| {
        let reach = radius * wide * (1.0 - v);
        (Vec2::from_angle(u * std::f32::consts::TAU) * reach).extend(soil + 0.012 * v)
    });
    earth.smoothen();
    piece.add(earth, if rng.random_bool_f32(0.4) { Role::Moss } else { Role::Soil });
    soil
}

/// A basket: coiled strands, a rolled rim and two handles.
pub(super) fn woven(piece: &mut Piece, radius: f32, height: f32) {
    let bulge = |t: f32| radius * (0.80 + 0.17 * (t * 2.6).sin().max(0.0) - 0.02 * t) - 0.006;
    let wall = woven_wall(height, (height / 0.016) as usize, 30, 0.012, bulge);
    piece.add(wall, Role::Cane);
    let inside = lathe(
        &[[bulge(1.0) - 0.012, height], [bulge(0.5) - 0.012, height * 0.5], [bulge(0.0) - 0.02, 0.01], [0.0, 0.01]],
        40,
    );
    piece.add(inside, Role::Cane);
    piece.add(ring(bulge(1.0), height, 0.010), Role::Cane);
    for side in [-1.0, 1.0] {
        let path: Vec<Vec3> = (0..=10)
            .map(|i| std::f32::consts::PI * i as f32 / 10.0)
            .map(|a| Vec3::new(side * bulge(1.0), 0.055 * a.cos(), height + 0.052 * a.sin()))
            .collect();
        piece.add(tube(&path, 0.008, 8, false), Role::Cane);
    }
}

/// A ring about Z.
pub(super) fn ring(radius: f32, z: f32, thick: f32) -> Solid {
    let path: Vec<Vec3> = (0..48)
        .map(|i| Vec2::from_angle(std::f32::consts::TAU * i as f32 / 48.0) * radius)
        .map(|p| p.extend(z))
        .collect();
    tube(&path, thick, 8, true)
}

/// A glazed cylinder hung between four legs.
fn stand(piece: &mut Piece, radius: f32, height: f32, glaze: Role) {
    let low = height * 0.36;
    let line = [
        [0.0, low],
        [radius * 0.86, low],
        [radius * 0.88, low + 0.01],
        [radius * 0.90, height],
        [radius * 0.90 - 0.012, height],
        [radius * 0.90 - 0.016, height * 0.8],
    ];
    piece.add(spun(&line, 64), glaze);
    for i in 0..4 {
        let turn = std::f32::consts::FRAC_PI_2 * (i as f32 + 0.5);
        let at = Vec2::from_angle(turn) * (radius * 0.90 + 0.014);
        piece.add(leg(height * 0.80, 0.014, 0.011).grained(2, i as f32).moved(at.x, at.y, 0.0), Role::Wood);
    }
    for turn in [0.785, 2.356] {
        let rail = block(Vec3::new(radius * 1.80, 0.018, 0.026), 0.003).grained(0, turn).yawed(turn);
        piece.add(rail.moved(0.0, 0.0, low - 0.026), Role::Wood);
    }
}

/// A trough of a material, with its soil; returns the height of the soil.
pub(super) fn trough(piece: &mut Piece, size: Vec3, role: Role) -> f32 {
    let wall = 0.024;
    for side in [-1.0, 1.0] {
        board(piece, [size.x, wall, size.z], [0.0, side * (size.y - wall) / 2.0, 0.0], role);
        board(piece, [wall, size.y - 2.0 * wall, size.z], [side * (size.x - wall) / 2.0, 0.0, 0.0], role);
    }
    board(piece, [size.x - wall, size.y - wall, 0.02], [0.0, 0.0, size.z - 0.06], Role::Soil);
    size.z - 0.04
}
