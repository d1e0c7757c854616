//! Forms of the kinds of furniture: the shapes that a kind comes in, and the styles that they suit.

use aerie_math::Rng;

pub use super::form::Form;
use super::form::plain;
use super::form_lists::{
    BASKETS, BOOKSHELVES, CABINETS, COFFEE_TABLES, CONSOLES, CURTAINS, DESKS, DINING_TABLES, FLOOR_LAMPS, MATS,
    MIRRORS, PENDANTS, PICTURES, PLANTERS, PLANTS, ROUND_TABLES, RUGS, SIDE_TABLES, SMALL_PLANTS, TABLE_LAMPS,
    TELEVISIONS, TRAYS, VASES,
};
use super::seat_forms::{
    ARMCHAIRS, BEDS, BENCHES, DESK_CHAIRS, DINING_CHAIRS, OTTOMANS, POUFS, SECTIONALS, SOFAS, STOOLS,
};
use crate::piece::PieceKind;
use crate::style::Style;

/// The forms of a kind. The number of a form is its index; none may be taken away, since clients hold recipes that name it.
#[must_use]
pub fn of(kind: PieceKind) -> &'static [Form] {
    const ONE: &[Form] = &[plain("usual")];
    match kind {
        PieceKind::Basket => BASKETS,
        PieceKind::Bookshelf => BOOKSHELVES,
        PieceKind::CoffeeTable => COFFEE_TABLES,
        PieceKind::ConsoleTable => CONSOLES,
        PieceKind::Curtains => CURTAINS,
        PieceKind::Desk => DESKS,
        PieceKind::DiningTable => DINING_TABLES,
        PieceKind::Dresser
        | PieceKind::MediaConsole
        | PieceKind::Nightstand
        | PieceKind::Sideboard
        | PieceKind::Wardrobe => CABINETS,
        PieceKind::ExerciseMat => MATS,
        PieceKind::FloorLamp => FLOOR_LAMPS,
        PieceKind::FramedArt => PICTURES,
        PieceKind::Mirror => MIRRORS,
        PieceKind::PendantLamp => PENDANTS,
        PieceKind::Planter => PLANTERS,
        PieceKind::PottedPlant => PLANTS,
        PieceKind::RoundTable => ROUND_TABLES,
        PieceKind::Rug => RUGS,
        PieceKind::SideTable => SIDE_TABLES,
        PieceKind::SmallPlant => SMALL_PLANTS,
        PieceKind::TableLamp => TABLE_LAMPS,
        PieceKind::Television => TELEVISIONS,
        PieceKind::Tray => TRAYS,
        PieceKind::Vase => VASES,
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
    among(kind, style, rng.next_u64(), |_| true)
}

/// A form of a kind that suits a style and passes a test, by a number: the first that passes if none suits.
fn among(kind: PieceKind, style: Style, number: u64, passes: impl Fn(usize) -> bool) -> u8 {
    let passing: Vec<usize> = (0..of(kind).len()).filter(|form| passes(*form)).collect();
    let suits = |form: &&usize| of(kind)[**form].styles.is_empty() || of(kind)[**form].styles.contains(&style);
    let suitable: Vec<usize> = passing.iter().filter(suits).copied().collect();
    let choices = if suitable.is_empty() { &passing[..passing.len().min(1)] } else { &suitable[..] };
    choices.get((number >> 33) as usize % choices.len().max(1)).map_or(0, |form| *form as u8)
}

/// Whether a form of a potted plant is large: a tree or a shrub.
#[must_use]
pub fn is_large(form: usize) -> bool {
    form != 1
}

/// Draws a form of a potted plant that suits a style: large, or one for narrow places.
#[must_use]
pub fn plant(is_large_one: bool, style: Style, rng: &mut Rng) -> u8 {
    among(PieceKind::PottedPlant, style, rng.next_u64(), |form| is_large(form) == is_large_one)
}

/// The form of a rug that suits a style, by a number.
#[must_use]
pub fn rug(is_round: bool, style: Style, number: u64) -> u8 {
    among(PieceKind::Rug, style, number, |form| (form % 2 == 1) == is_round)
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use crate::recipe::{Recipe, TOPPED};

    #[test]
    fn every_style_has_a_form_of_every_kind_and_recipes_can_name_them_all() {
        for kind in PieceKind::VARIANTS {
            assert!(of(*kind).len() <= usize::from(TOPPED), "{kind}");
            for style in Style::VARIANTS {
                let suits = |form: &Form| form.styles.is_empty() || form.styles.contains(style);
                assert!(of(*kind).iter().any(suits), "{kind} {style}");
            }
            for form in 0..of(*kind).len() {
                let recipe = Recipe::usual(*kind, 1).formed(form as u8);
                assert_eq!(Recipe::parse(*kind, &recipe.to_string()), Ok(recipe));
            }
        }
    }

    #[test]
    fn rugs_and_plants_are_drawn_in_the_shape_that_a_plan_asks_for() {
        let rng = &mut Rng::new(1);
        for style in Style::VARIANTS {
            for number in 0..20 {
                assert_eq!(rug(true, *style, number << 33) % 2, 1);
                assert_eq!(rug(false, *style, number << 33) % 2, 0);
                assert!(is_large(usize::from(plant(true, *style, rng))));
                assert_eq!(plant(false, *style, rng), 1);
            }
        }
    }
}
