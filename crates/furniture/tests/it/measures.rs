//! Pieces made to measure, at both ends of what a client may ask for.

use aerie_furniture::palette::Palette;
use aerie_furniture::piece::Piece;
use aerie_furniture::{PieceKind, Recipe, StylePrompt, pieces, recipe};
use strum::VariantArray;

/// How far cushions and cloth may reach over a footprint, meters, and leaves and twigs of what stands on other pieces.
const OVER: f32 = 0.09;
const TWIGS: f32 = 0.20;
/// Styles whose furniture stands on metal, on wood, and has cane.
const STYLES: [&str; 3] = ["modern", "midcentury", "boho"];
/// Most triangles of a piece.
const MOST: usize = 200_000;

/// What is wrong with a piece.
fn fault(piece: &Piece) -> Option<String> {
    let [low, high] = piece.mesh.bounds();
    let half = piece.size / 2.0;
    let over = match piece.kind {
        PieceKind::Vase | PieceKind::SmallPlant | PieceKind::Tray => TWIGS,
        _ => OVER,
    };
    let out = (-half - low).max(high - half).truncate().max_element();
    let count = piece.mesh.triangles.len();
    if !piece.mesh.vertices.iter().all(|v| v.place.is_finite() && v.normal.is_finite() && v.tex.is_finite()) {
        Some("a vertex is not finite".to_owned())
    } else if count == 0 || count > MOST {
        Some(format!("{count} triangles"))
    } else if out > over || low.z < -0.02 {
        Some(format!("reaches {out:.3} m over its footprint: {low} to {high} for {}", piece.size))
    } else {
        None
    }
}

#[test]
fn every_form_is_whole_and_within_its_footprint_at_both_ends_of_its_measures() {
    let mut faults = Vec::new();
    for (number, style) in STYLES.into_iter().enumerate() {
        let palette = Palette::new(&StylePrompt::parse(Some(style)), 9);
        for kind in PieceKind::VARIANTS {
            let [widths, others] = recipe::measures(*kind);
            // Kinds of one size in one style.
            if number > 0 && *widths.end() == 0.0 {
                continue;
            }
            for form in 0..pieces::forms::of(*kind).len() as u8 {
                let variant = 1 + 76 * number as u32;
                for end in 0..4 {
                    let width = if end % 2 == 0 { widths.start() } else { widths.end() };
                    let other = if end < 2 { others.start() } else { others.end() };
                    // The other measure has but one value in most kinds.
                    if end >= 2 && others.start() == others.end() {
                        continue;
                    }
                    let asked = Recipe::usual(*kind, variant).sized(*width, *other).formed(form);
                    assert_eq!(Recipe::parse(*kind, &asked.to_string()), Ok(asked));
                    let made = pieces::make(&asked, &palette);
                    faults.extend(fault(&made).map(|fault| format!("{style} {kind} {asked}: {fault}")));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
