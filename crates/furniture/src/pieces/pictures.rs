//! Pictures and mirrors on walls, their backs to +Y.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use crate::joinery::{bent, board, frame};
use crate::mesh::Solid;
use crate::palette::{MOTIFS, Palette, Role};
use crate::piece::{Piece, PieceKind};
use crate::shape::{block, lathe, plate, sheet, tube};
use crate::style::Style;

/// A sort of frame around a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// Thin and black.
    Thin,
    /// Wooden bars.
    Wooden,
    /// A gilt molding.
    Molded,
    /// A floating canvas in a shadow gap.
    Floating,
}

/// The frame of a motif in a style.
fn framed(style: Style, motif: usize) -> Frame {
    use Frame::{Floating, Molded, Thin, Wooden};
    let sorts = match style {
        Style::Traditional | Style::Luxury => [Molded, Molded, Floating],
        Style::ArtDeco | Style::Transitional => [Molded, Thin, Floating],
        Style::Scandinavian | Style::Japandi | Style::Boho | Style::Coastal | Style::Farmhouse => {
            [Wooden, Wooden, Floating]
        }
        Style::Midcentury => [Wooden, Thin, Floating],
        _ => [Thin, Floating, Thin],
    };
    sorts[motif % 3]
}

/// A molding around a rectangle: bars of a profile with mitred corners. The profile gives the way in from the rim and out of the wall.
fn molding(width: f32, height: f32, profile: &[[f32; 2]]) -> Solid {
    let mut solid = Solid::default();
    for side in 0..4 {
        let is_upright = side % 2 == 1;
        let (long, across) = if is_upright { (height, width) } else { (width, height) };
        let part = sheet(2, profile.len(), |u, v| {
            let [inset, out] = profile[(v * (profile.len() - 1) as f32).round() as usize];
            let along = (u - 0.5) * (long - 2.0 * inset);
            Vec3::new(along, -out, -across / 2.0 + inset)
        });
        let mut part = part.grained(0, side as f32);
        if is_upright {
            part.turn *= glam::Mat3::IDENTITY;
        }
        solid = solid.with(part.rolled(-PI / 2.0 * side as f32));
    }
    solid.moved(0.0, 0.0, height / 2.0)
}

/// A framed picture. `width` and `height` include the frame; `motif` chooses what it shows.
#[must_use]
pub fn picture(palette: &Palette, width: f32, height: f32, motif: usize, mounted: bool) -> Piece {
    let mut piece = Piece::new(PieceKind::FramedArt, Vec3::new(width, 0.04, height));
    let sort = framed(palette.style, motif);
    // Painted canvases have no mount.
    let mounted = mounted && sort != Frame::Floating;
    let bar = match sort {
        Frame::Thin => {
            frame(&mut piece, [width, height], [0.014, 0.030], [0.0, 0.002, 0.0], Role::DarkMetal);
            0.014
        }
        Frame::Wooden => {
            let profile =
                [[0.0, -0.018], [0.0, 0.014], [0.002, 0.016], [0.018, 0.016], [0.020, 0.014], [0.020, -0.004]];
            piece.add(molding(width, height, &profile), Role::Frame);
            0.020
        }
        Frame::Molded => {
            let profile = [
                [0.0, -0.018],
                [0.0, 0.006],
                [0.003, 0.014],
                [0.010, 0.018],
                [0.017, 0.016],
                [0.021, 0.009],
                [0.027, 0.007],
                [0.030, 0.010],
                [0.034, 0.008],
                [0.036, -0.002],
            ];
            piece.add(molding(width, height, &profile), Role::Brass);
            0.036
        }
        Frame::Floating => {
            frame(&mut piece, [width, height], [0.008, 0.034], [0.0, 0.001, 0.0], Role::Frame);
            board(&mut piece, [width - 0.016, 0.004, height - 0.016], [0.0, 0.014, 0.008], Role::DarkMetal);
            let canvas = block(Vec3::new(width - 0.034, 0.026, height - 0.034), 0.002);
            piece.add(canvas.moved(0.0, 0.003, 0.017), Role::Mount);
            0.017
        }
    };
    let is_floating = sort == Frame::Floating;
    let margin = if mounted { 0.15 * width.min(height) } else { 0.0 };
    let (w, h) = (width - 2.0 * bar - 2.0 * margin, height - 2.0 * bar - 2.0 * margin);
    if mounted {
        mount(&mut piece, [width - 2.0 * bar, height - 2.0 * bar], [w, h], height);
    }
    let mut canvas = sheet(2, 2, |u, v| Vec3::new((u - 0.5) * w, 0.0, height / 2.0 + (v - 0.5) * h));
    let longer = w.max(h);
    for v in &mut canvas.vertices {
        v.tex = Vec3::new(v.place.x / longer * 2.0, (v.place.z - height / 2.0) / longer * 2.0, 0.0);
    }
    piece.add(canvas.moved(0.0, if is_floating { -0.0105 } else { 0.004 }, 0.0), MOTIFS[motif % MOTIFS.len()]);
    piece
}

/// A mount of card with a beveled window.
fn mount(piece: &mut Piece, outer: [f32; 2], inner: [f32; 2], height: f32) {
    let profile = |inset: f32| [[0.0, 0.0], [inset - 0.002, 0.0], [inset, -0.002]];
    let inset = (outer[0] - inner[0]) / 2.0;
    let solid = molding(outer[0], outer[1], &profile(inset));
    piece.add(solid.moved(0.0, 0.002, (height - outer[1]) / 2.0), Role::Mount);
}

/// A wall mirror of a form.
#[must_use]
pub fn mirror(form: usize, width: f32) -> Piece {
    match form {
        1 => arched(width),
        2 => rectangular(width),
        3 => sunburst(width),
        4 => woven(width),
        _ => round(width),
    }
}

fn ring(radius: f32, center: f32, y: f32, thick: f32) -> Solid {
    let path: Vec<Vec3> = (0..72)
        .map(|i| Vec2::from_angle(TAU * i as f32 / 72.0) * radius)
        .map(|p| Vec3::new(p.x, y, center + p.y))
        .collect();
    tube(&path, thick, 10, true)
}

fn glass(radius: f32, center: f32) -> Solid {
    lathe(&[[radius, 0.0], [0.0, 0.001]], 72).pitched(PI / 2.0).moved(0.0, 0.004, center)
}

fn round(width: f32) -> Piece {
    let r = width / 2.0;
    let mut piece = Piece::new(PieceKind::Mirror, Vec3::new(width, 0.04, width));
    // A deep flat rim.
    let rim = [[r - 0.014, 0.0], [r, 0.0], [r, 0.032], [r - 0.014, 0.032], [r - 0.014, 0.012]];
    piece.add(crate::joinery::spun(&rim, 96).pitched(PI / 2.0).moved(0.0, 0.017, r), Role::Metal);
    piece.add(glass(r - 0.010, r), Role::Mirror);
    piece
}

fn arched(width: f32) -> Piece {
    let height = width * 1.45;
    let mut piece = Piece::new(PieceKind::Mirror, Vec3::new(width, 0.04, height));
    let r = width / 2.0 - 0.010;
    let center = height - width / 2.0;
    let mut path = vec![[-r, 0.010], [r, 0.010]];
    path.extend((0..=32).map(|i| PI * i as f32 / 32.0).map(|a| [r * a.cos(), center + r * a.sin()]));
    path.push([-r, 0.010]);
    piece.add(bent(&path, 0.002, 0.010), Role::Metal);
    let outline: Vec<Vec2> = path[..path.len() - 1].iter().map(|p| Vec2::from_array(*p)).collect();
    piece.add(plate(&outline, 0.003, 0.0005).pitched(PI / 2.0).moved(0.0, 0.004, 0.0), Role::Mirror);
    piece
}

fn rectangular(width: f32) -> Piece {
    let height = width * 1.35;
    let mut piece = Piece::new(PieceKind::Mirror, Vec3::new(width, 0.045, height));
    let profile = [
        [0.0, -0.018],
        [0.0, 0.010],
        [0.004, 0.018],
        [0.016, 0.020],
        [0.030, 0.012],
        [0.040, 0.010],
        [0.044, 0.012],
        [0.050, 0.008],
        [0.052, -0.004],
    ];
    piece.add(molding(width, height, &profile), Role::Wood);
    board(&mut piece, [width - 0.09, 0.003, height - 0.09], [0.0, 0.006, 0.045], Role::Mirror);
    piece
}

fn sunburst(width: f32) -> Piece {
    let r = width / 2.0;
    let mut piece = Piece::new(PieceKind::Mirror, Vec3::new(width, 0.045, width));
    piece.add(glass(r * 0.40, r), Role::Mirror);
    piece.add(ring(r * 0.41, r, 0.0, 0.013), Role::Brass);
    for i in 0..48 {
        let away = Vec2::from_angle(TAU * i as f32 / 48.0);
        let long = [0.99, 0.78, 0.90, 0.78][i % 4] * r;
        let at = |reach: f32| [away.x * reach, r + away.y * reach];
        piece.add(bent(&[at(r * 0.42), at(long)], 0.004, 0.0042), Role::Brass);
    }
    piece
}

fn woven(width: f32) -> Piece {
    let r = width / 2.0;
    let mut piece = Piece::new(PieceKind::Mirror, Vec3::new(width, 0.05, width));
    piece.add(glass(r * 0.66, r), Role::Mirror);
    for (k, reach) in [0.66, 0.98].into_iter().enumerate() {
        piece.add(ring(r * reach - 0.008 * k as f32, r, 0.0, 0.011), Role::Cane);
    }
    for i in 0..44 {
        // Loops of cane between two rings.
        let middle = TAU * i as f32 / 44.0;
        let path: Vec<[f32; 2]> = (0..=8)
            .map(|k| k as f32 / 8.0)
            .map(|t| {
                let p = Vec2::from_angle(middle + (t - 0.5) * 0.26) * r * (0.67 + 0.30 * (PI * t).sin());
                [p.x, r + p.y]
            })
            .collect();
        piece.add(bent(&path, if i % 2 == 0 { -0.003 } else { 0.004 }, 0.0042), Role::Cane);
    }
    piece
}
