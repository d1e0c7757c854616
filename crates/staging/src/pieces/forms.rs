//! Forms of the kinds of furniture: the shapes that a kind comes in, and the styles that they suit.

use aerie_math::Rng;

use crate::piece::PieceKind;
use crate::style::Style::{
    self, ArtDeco, Boho, Coastal, Contemporary, Farmhouse, Industrial, Japandi, Luxury, Midcentury, Minimalist, Modern,
    Scandinavian, Traditional, Transitional,
};

/// A shape of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// What it is called, for sheets and documentation.
    pub name: &'static str,
    /// The styles that it suits; empty if it suits all.
    pub styles: &'static [Style],
}

/// A form that suits every style.
const fn plain(name: &'static str) -> Form {
    Form { name, styles: &[] }
}

/// A form that suits some styles.
const fn suited(name: &'static str, styles: &'static [Style]) -> Form {
    Form { name, styles }
}

/// The forms of a kind. The number of a form is its index; none may be taken away, since clients hold recipes that name it.
#[must_use]
pub fn of(kind: PieceKind) -> &'static [Form] {
    const ONE: &[Form] = &[plain("usual")];
    match kind {
        PieceKind::PottedPlant => const { &[plain("tree"), plain("blades")] },
        PieceKind::Rug => const { &[plain("rectangular"), plain("round")] },
        PieceKind::Armchair => ARMCHAIRS,
        PieceKind::Bed | PieceKind::SingleBed => BEDS,
        PieceKind::Bench => BENCHES,
        PieceKind::Daybed => const { &[plain("wooden"), plain("upholstered")] },
        PieceKind::DeskChair => DESK_CHAIRS,
        PieceKind::DiningChair => DINING_CHAIRS,
        PieceKind::Ottoman => OTTOMANS,
        PieceKind::Pouf => POUFS,
        PieceKind::Recliner => const { &[plain("padded"), plain("slim")] },
        PieceKind::Sectional => SECTIONALS,
        PieceKind::Stool => STOOLS,
        PieceKind::Cot => const { &[plain("slatted"), plain("panels")] },
        PieceKind::Sofa => SOFAS,
        _ => ONE,
    }
}

/// Draws a form that suits a style; the first if none does. The forms of a kind that a plan picks itself are not drawn.
#[must_use]
pub fn fitting(kind: PieceKind, style: Style, rng: &mut Rng) -> u8 {
    if matches!(kind, PieceKind::PottedPlant | PieceKind::Rug | PieceKind::FramedArt) {
        return 0;
    }
    let suits = |form: &&(usize, &Form)| form.1.styles.is_empty() || form.1.styles.contains(&style);
    let suitable: Vec<(usize, &Form)> = of(kind).iter().enumerate().collect();
    let suitable: Vec<usize> = suitable.iter().filter(suits).map(|(number, _)| *number).collect();
    suitable.get(rng.below(suitable.len().max(1))).map_or(0, |number| *number as u8)
}

const SOFAS: &[Form] = &[
    suited("track arm", &[Modern, Transitional, Minimalist, Contemporary, Industrial, Scandinavian]),
    suited("rolled arm", &[Traditional, Farmhouse, Coastal, Transitional]),
    suited("chesterfield", &[Industrial, Traditional, Luxury]),
    suited("buttoned on wood", &[Midcentury, Scandinavian]),
    suited("cloud", &[Contemporary, Luxury, Boho, Modern]),
    suited("channeled", &[ArtDeco, Luxury]),
    suited("wooden frame", &[Japandi, Scandinavian, Boho, Midcentury]),
    suited("slipcovered", &[Coastal, Farmhouse, Boho]),
];

const BEDS: &[Form] = &[
    suited("panels", &[Modern, Transitional, Contemporary, Minimalist, Midcentury, Luxury]),
    suited("channels", &[ArtDeco, Luxury, Modern, Contemporary]),
    suited("tufted wings", &[Traditional, Transitional, Luxury]),
    suited("slats", &[Scandinavian, Farmhouse, Minimalist, Midcentury, Modern]),
    suited("cane", &[Coastal, Boho, Midcentury, Japandi]),
    suited("low planks", &[Japandi, Minimalist, Scandinavian]),
    suited("metal", &[Industrial, Farmhouse]),
    suited("spindles", &[Traditional, Farmhouse, Coastal]),
    suited("arch", &[Boho, Contemporary, Scandinavian, ArtDeco]),
];

const ARMCHAIRS: &[Form] = &[
    suited("shell", &[Modern, Scandinavian, Midcentury, Contemporary, Minimalist, Transitional, Luxury]),
    suited("wooden frame", &[Scandinavian, Japandi, Midcentury, Minimalist, Boho, Modern]),
    suited("wingback", &[Traditional, Transitional, Farmhouse]),
    suited("club", &[Industrial, Traditional, Modern]),
    suited("channeled tub", &[ArtDeco, Luxury, Transitional]),
    suited("rattan", &[Boho, Coastal]),
    suited("ball", &[Contemporary, Luxury, ArtDeco, Minimalist]),
    suited("sling", &[Industrial, Midcentury, Japandi, Boho]),
    suited("slipcovered", &[Coastal, Farmhouse]),
];

const BENCHES: &[Form] = &[
    suited("padded", &[Modern, Minimalist, Contemporary, Transitional, Industrial]),
    suited("woven", &[Scandinavian, Japandi, Coastal, Boho, Midcentury, Farmhouse]),
    suited("slats", &[Japandi, Scandinavian, Farmhouse, Industrial, Minimalist, Midcentury]),
    suited("tufted", &[Traditional, Luxury, ArtDeco, Transitional]),
    suited("boucle", &[Contemporary, Luxury, Boho]),
];

const DINING_CHAIRS: &[Form] = &[
    suited("shell", &[Modern, Scandinavian, Midcentury, Contemporary, Minimalist]),
    suited("wishbone", &[Scandinavian, Japandi, Midcentury, Coastal, Minimalist, Farmhouse]),
    suited("cane", &[Boho, Coastal, Midcentury, Modern]),
    suited("cross back", &[Farmhouse, Coastal, Traditional, Boho]),
    suited("cafe", &[Industrial]),
    suited("parsons", &[Transitional, Traditional, Luxury, Minimalist]),
    suited("medallion", &[Traditional, Luxury]),
    suited("wrapped", &[Contemporary, ArtDeco, Luxury, Modern]),
    suited("spindles", &[Farmhouse, Scandinavian, Japandi, Industrial]),
];

const DESK_CHAIRS: &[Form] = &[
    suited("ergonomic", &[Modern, Industrial, Minimalist, Contemporary, Scandinavian]),
    suited("upholstered", &[Luxury, ArtDeco, Transitional, Contemporary, Boho, Coastal, Minimalist]),
    suited("wooden", &[Farmhouse, Japandi, Scandinavian, Midcentury]),
    suited("captain", &[Traditional, Luxury, Industrial]),
];

const STOOLS: &[Form] = &[
    suited("padded", &[Modern, Contemporary, Transitional, Luxury, ArtDeco, Minimalist, Traditional]),
    suited("saddle", &[Scandinavian, Japandi, Farmhouse, Minimalist, Industrial]),
    suited("woven", &[Boho, Coastal, Midcentury, Farmhouse, Japandi, Scandinavian]),
    suited("metal", &[Industrial]),
    suited("tub", &[Luxury, ArtDeco, Contemporary]),
];

const POUFS: &[Form] = &[
    suited("smooth", &[Modern, Contemporary, Minimalist, Luxury, ArtDeco, Transitional, Traditional]),
    suited("knitted", &[Scandinavian, Boho, Coastal, Japandi, Farmhouse, Minimalist]),
    suited("leather", &[Industrial, Boho, Midcentury, Traditional]),
];

const OTTOMANS: &[Form] = &[
    suited("tufted", &[Traditional, Transitional, Luxury, Industrial, Farmhouse]),
    suited("pleated", &[ArtDeco, Luxury, Contemporary, Boho, Coastal]),
    suited("cushion", &[Modern, Scandinavian, Midcentury, Minimalist, Japandi, Contemporary, Coastal]),
];

const SECTIONALS: &[Form] = &[
    suited(
        "track arm, chaise on the left",
        &[Modern, Transitional, Minimalist, Industrial, Traditional, Farmhouse, Coastal],
    ),
    suited(
        "track arm, chaise on the right",
        &[Modern, Transitional, Minimalist, Industrial, Traditional, Farmhouse, Coastal],
    ),
    suited("low, chaise on the left", &[Contemporary, Luxury, ArtDeco, Boho, Scandinavian, Japandi, Midcentury]),
    suited("low, chaise on the right", &[Contemporary, Luxury, ArtDeco, Boho, Scandinavian, Japandi, Midcentury]),
];

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use crate::palette::Palette;
    use crate::pieces;
    use crate::prompt::StylePrompt;
    use crate::recipe::{Recipe, TOPPED};

    /// Most triangles of a piece: a room has some fifteen pieces.
    const MOST_TRIANGLES: usize = 66_000;

    #[test]
    fn every_style_has_a_form_of_every_kind() {
        for kind in PieceKind::VARIANTS {
            assert!(of(*kind).len() <= usize::from(TOPPED), "{kind}");
            for style in Style::VARIANTS {
                let suits = |form: &Form| form.styles.is_empty() || form.styles.contains(style);
                assert!(of(*kind).iter().any(suits), "{kind} {style}");
            }
        }
    }

    #[test]
    fn every_form_stays_inside_its_stated_footprint_and_is_light_enough_to_trace() {
        let mut wrong = Vec::new();
        // A round rug is ordered with equal sides.
        for kind in PieceKind::VARIANTS.iter().filter(|kind| **kind != PieceKind::Rug) {
            for (number, form) in of(*kind).iter().enumerate() {
                let style = form.styles.first().copied().unwrap_or_default();
                let palette = Palette::new(&StylePrompt::parse(Some(style.as_str())), 3);
                let recipe = Recipe::usual(*kind, 11).formed(number as u8);
                let piece = pieces::make(&recipe, &palette);
                let ([low, high], half) = (piece.mesh.bounds(), piece.size / 2.0);
                let over = if matches!(kind, PieceKind::Vase | PieceKind::SmallPlant) { 0.20 } else { 0.08 };
                let fits = low.x > -half.x - over
                    && high.x < half.x + over
                    && low.y > -half.y - over
                    && high.y < half.y + over
                    && low.z > -0.02;
                let count = piece.mesh.triangles.len();
                if !fits || count > MOST_TRIANGLES || !low.is_finite() || !high.is_finite() {
                    wrong.push(format!("{kind}, {}: {count} triangles, {low} to {high} for {}", form.name, piece.size));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
