//! Generators of furniture, one function per piece.
//!
//! # Add a furniture piece
//!
//! 1. Add a variant to [`PieceKind`] in `piece_kind.rs`. Its text is the name in JSON and in `pieces.toml`.
//!    Decide in `is_replaceable` whether an operator's model may replace it.
//! 2. Write a function that generates it in one of the files of `pieces/`. Build it from the solids of [`shape`](crate::shape),
//!    each in a [`Role`](crate::palette::Role) of the palette. It stands on z = 0, centered on the origin, its front toward -Y,
//!    inside the size that it states. Draw random values from `rng` only.
//! 3. Add an arm to [`make`], with the usual size of the piece. Further shapes of a kind are forms: add them in `forms.rs`, with the
//!    styles that they suit, and pick the function by `form`.
//! 4. Put it into a room: in the plan of a room type in `arrange/`, for example
//!    `room.against_wall(&catalog.piece(PieceKind::Wardrobe, rng), ...)`.
//!
//! Steps 1 and 3 do not compile by halves. The tests `every_piece_stays_inside_its_stated_footprint` and
//! `no_piece_stands_in_another_before_a_door_or_outside_in_many_random_rooms` check the shape and the placement.
//! New pieces take random numbers: place them last in a plan to leave the rest of the room as it was.

mod accessories;
pub mod armchairs;
mod bed_frame;
mod bed_heads;
mod bed_linen;
pub mod beds;
mod cabinet;
mod chair_parts;
pub mod cots;
pub mod curtains;
pub mod decor;
pub mod desk_chairs;
pub mod desks;
pub mod dining;
pub mod dining_chairs;
mod dressing;
mod feet;
mod foliage;
mod form;
mod form_lists;
pub mod forms;
mod frame_chairs;
mod fronts;
pub mod gym;
mod handles;
pub mod household;
pub mod lamps;
mod makes;
pub mod pendants;
pub mod pictures;
pub mod planters;
pub mod plants;
mod pots;
pub mod recliners;
pub mod round_tables;
pub mod rugs;
mod seat_forms;
pub mod seats;
pub mod sectionals;
pub mod shelves;
pub mod side_tables;
mod small_plants;
mod sofa_parts;
mod sofa_shells;
pub mod sofas;
pub mod stools;
pub mod storage;
pub mod table_lamps;
pub mod tables;
pub mod textiles;
pub mod trays;
pub mod vases;
mod wooden_chairs;

use aerie_math::Rng;

use crate::palette::{MOTIFS, Palette};
use crate::piece::{Piece, PieceKind};
use crate::recipe::{Recipe, TOPPED};
use crate::style::Style;

/// Draws a piece of its usual size, in a form that suits a style.
#[must_use]
pub fn drawn(kind: PieceKind, style: Style, rng: &mut Rng) -> Recipe {
    let recipe = Recipe::drawn(kind, rng);
    recipe.formed(forms::fitting(kind, style, rng))
}

/// Generates a piece at its usual size.
#[must_use]
pub fn build(kind: PieceKind, palette: &Palette, rng: &mut Rng) -> Piece {
    make(&drawn(kind, palette.style, rng), palette)
}

/// Generates a piece, without what stands on it.
#[must_use]
pub fn make(recipe: &Recipe, palette: &Palette) -> Piece {
    let rng = &mut Rng::advanced(u64::from(recipe.variant));
    let form = usize::from(recipe.form & !TOPPED);
    let piece = match recipe.kind {
        PieceKind::Armchair => armchairs::armchair(palette, form, rng),
        PieceKind::Basket => decor::basket(form, rng),
        PieceKind::BathMat => household::bath_mat(rng),
        PieceKind::Bed => beds::bed(palette, form, recipe.width(1.65), rng),
        PieceKind::Bench => seats::bench(palette, form, recipe.width(1.25), rng),
        PieceKind::BlanketLadder => decor::ladder(palette, rng),
        PieceKind::Books => decor::books(3, rng),
        PieceKind::Bookshelf => shelves::bookshelf(palette, form, rng),
        PieceKind::Bowl => decor::bowl(rng),
        PieceKind::Candles => trays::candles(rng),
        PieceKind::CoffeeTable => tables::coffee_table(palette, form, rng),
        PieceKind::ConsoleTable => desks::console_table(palette, form, rng),
        PieceKind::Cot => cots::cot(form, rng),
        PieceKind::Curtains => curtains::curtains(form, recipe.width(2.4), recipe.other(2.5), rng),
        PieceKind::Daybed => sectionals::daybed(palette, form, rng),
        PieceKind::Desk => desks::desk(palette, form, recipe.width(1.40), rng),
        PieceKind::DeskChair => desk_chairs::desk_chair(palette, form, rng),
        PieceKind::DiningChair => dining_chairs::dining_chair(palette, form, rng),
        PieceKind::DiningTable => dining::dining_table(palette, form, recipe.width(1.6), rng),
        PieceKind::Dresser => storage::dresser(palette, form, rng),
        PieceKind::DryingRack => textiles::drying_rack(rng),
        PieceKind::DumbbellRack => gym::dumbbell_rack(),
        PieceKind::ExerciseBike => gym::bike(),
        PieceKind::ExerciseMat => gym::mat(form),
        PieceKind::FloorLamp => lamps::floor_lamp(form),
        // Each motif in a frame alone and with a mount.
        PieceKind::FramedArt => {
            pictures::picture(palette, recipe.width(0.60), recipe.other(0.80), form / 2 % MOTIFS.len(), form % 2 == 1)
        }
        PieceKind::FruitBowl => household::fruit_bowl(rng),
        PieceKind::GymBall => gym::gym_ball(),
        PieceKind::IroningBoard => textiles::ironing_board(),
        PieceKind::Lantern => household::lantern(recipe.width(0.48)),
        PieceKind::LaundryBasket => household::hamper(),
        PieceKind::MediaConsole => {
            storage::media_console(palette, form, recipe.width(1.6), recipe.form & TOPPED != 0, rng)
        }
        PieceKind::Mirror => pictures::mirror(form, recipe.width(0.70)),
        PieceKind::Nightstand => storage::nightstand(palette, form, rng),
        PieceKind::Ottoman => seats::ottoman(palette, form, rng),
        PieceKind::PendantLamp => pendants::pendant(form, recipe.width(1.0)),
        PieceKind::Planter => planters::planter(form, rng),
        PieceKind::PottedPlant => plants::potted(palette, form, rng),
        PieceKind::Pouf => seats::pouf(form, rng),
        PieceKind::Recliner => recliners::recliner(form, rng),
        PieceKind::RoundTable => round_tables::round_table(palette, form, recipe.width(0.90), rng),
        PieceKind::Rug => rugs::rug(recipe.width(2.0), recipe.other(1.5), form, rng),
        PieceKind::Sectional => sectionals::sectional(palette, form, recipe.width(2.6), rng),
        PieceKind::SideTable => side_tables::side_table(form),
        PieceKind::Sideboard => storage::sideboard(palette, form, recipe.width(1.6), rng),
        PieceKind::SingleBed => beds::single_bed(palette, form, rng),
        PieceKind::SmallPlant => plants::formed(palette, form, rng),
        PieceKind::Sofa => sofas::sofa(palette, form, recipe.width(1.95), rng),
        PieceKind::Stool => stools::stool(palette, form, recipe.width(0.45), rng),
        PieceKind::TableLamp => table_lamps::table_lamp(palette, form, rng),
        PieceKind::Television => gym::television(form, recipe.width(1.23)),
        PieceKind::TowelLadder => household::towel_ladder(palette, rng),
        PieceKind::Towels => household::towels(3, rng),
        PieceKind::ToyChest => household::toy_chest(rng),
        PieceKind::Tray => trays::tray(rng, form == 1),
        PieceKind::Trolley => household::trolley(palette, rng),
        PieceKind::Vase => vases::vase(form, rng),
        PieceKind::WallClock => household::clock(),
        PieceKind::Wardrobe => storage::wardrobe(form),
    };
    Piece { recipe: Some(*recipe), ..piece }
}

/// What stands on a piece.
#[must_use]
pub fn topping(recipe: &Recipe) -> Option<Recipe> {
    match (recipe.kind, recipe.form & TOPPED) {
        (PieceKind::SideTable, TOPPED) => Some(Recipe::usual(PieceKind::TableLamp, recipe.variant ^ 0x5EED)),
        (PieceKind::MediaConsole, TOPPED) => Some(Recipe::usual(PieceKind::Television, recipe.variant)),
        (PieceKind::Stool, TOPPED) => Some(Recipe::usual(PieceKind::Towels, recipe.variant ^ 0x5EED)),
        _ => None,
    }
}
