//! Arranges furniture: the main group of a room by simulated annealing under rules that are never broken, then accents, each where it
//! scores best (after Merrell et al. 2011).

mod accents;
mod annealing;
mod bedrooms;
mod builder;
mod dining_rooms;
mod groups;
mod leisure_rooms;
mod living_room;
mod pendants;
mod placement;
mod plan;
mod rug_places;
mod score;
mod small_rooms;

use aerie_math::Rng;

use crate::site::Site;
use aerie_furniture::catalog::Catalog;
use aerie_furniture::piece::PieceKind;
use builder::{Builder, Leniency};
use living_room::Lounge;

pub use placement::{Arrangement, Placed};
pub use plan::RoomPlan;

/// Furnishes a room; `None` where nothing of its plan has a place.
#[must_use]
pub fn arrange(site: &Site<'_>, plan: RoomPlan, catalog: &Catalog, seed: u64) -> Option<Arrangement> {
    let rng = &mut Rng::named(seed, "arrangement");
    let main_group = |room: &mut Builder<'_>, rng: &mut Rng| match plan {
        RoomPlan::LivingRoom => living_room::living(room, catalog, rng, Lounge::Living),
        RoomPlan::FamilyRoom => living_room::living(room, catalog, rng, Lounge::Family),
        RoomPlan::MediaRoom => living_room::living(room, catalog, rng, Lounge::Media),
        RoomPlan::Library => leisure_rooms::library(room, catalog, rng),
        RoomPlan::Gym => leisure_rooms::gym(room, catalog, rng),
        RoomPlan::LaundryRoom => leisure_rooms::laundry_room(room, catalog, rng),
        RoomPlan::GuestRoom => bedrooms::guest_room(room, catalog, rng),
        RoomPlan::Bedroom => bedrooms::bedroom(room, catalog, rng, PieceKind::Bed),
        RoomPlan::Kitchen => dining_rooms::kitchen(room, catalog, rng),
        RoomPlan::Bathroom => small_rooms::bathroom(room, catalog, rng),
        RoomPlan::DiningRoom => dining_rooms::dining_room(room, catalog, rng),
        RoomPlan::HomeOffice => small_rooms::home_office(room, catalog, rng),
        RoomPlan::KidsRoom => bedrooms::kids_room(room, catalog, rng),
        RoomPlan::Nursery => bedrooms::nursery(room, catalog, rng),
        RoomPlan::Entryway => small_rooms::entryway(room, catalog, rng),
        RoomPlan::OutdoorPatio => dining_rooms::patio(room, catalog, rng),
    };
    // The main piece first of all: if need be, it stands before a part of what is built in.
    for leniency in [Leniency::None, Leniency::Some] {
        let mut room = Builder::new(site);
        room.leniency = leniency;
        if main_group(&mut room, rng) {
            return Some(room.done);
        }
    }
    // Without space for the main piece, some seats or a table furnish the room modestly.
    let mut room = Builder::new(site);
    room.done.left_out.extend(plan.main_piece());
    let modest = plan.main_piece().is_some()
        && [Leniency::None, Leniency::Full].into_iter().any(|leniency| {
            room.leniency = leniency;
            small_rooms::modest(&mut room, catalog, rng)
        });
    modest.then_some(room.done)
}
