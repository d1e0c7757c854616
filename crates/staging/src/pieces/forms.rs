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
