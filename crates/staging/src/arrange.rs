//! Arranges furniture: the main group of a room by simulated annealing under rules that are never broken, then accents, each where it
//! scores best (after Merrell et al. 2011).

mod accents;
mod annealing;
mod bedrooms;
mod builder;
mod dining_rooms;
mod groups;
mod living_room;
mod placement;
mod plan;
mod score;
mod small_rooms;

use aerie_math::Rng;

use crate::catalog::Catalog;
use crate::pieces::beds;
use crate::site::Site;
use builder::Builder;

pub use placement::{Arrangement, Placed};
pub use plan::RoomPlan;

/// Furnishes a room; `None` where not even its main group has a place.
#[must_use]
pub fn arrange(site: &Site<'_>, plan: RoomPlan, catalog: &Catalog, seed: u64) -> Option<Arrangement> {
    let mut room = Builder { site, done: Arrangement::default() };
    let rng = &mut Rng::named(seed, "arrangement");
    let is_furnished = match plan {
        RoomPlan::LivingRoom => living_room::living(&mut room, catalog, rng),
        RoomPlan::Bedroom => bedrooms::bedroom(&mut room, catalog, rng, beds::bed),
        RoomPlan::Kitchen => dining_rooms::kitchen(&mut room, catalog, rng),
        RoomPlan::Bathroom => small_rooms::bathroom(&mut room, catalog, rng),
        RoomPlan::DiningRoom => dining_rooms::dining_room(&mut room, catalog, rng),
        RoomPlan::HomeOffice => small_rooms::home_office(&mut room, catalog, rng),
        RoomPlan::KidsRoom => bedrooms::kids_room(&mut room, catalog, rng),
        RoomPlan::Nursery => bedrooms::nursery(&mut room, catalog, rng),
        RoomPlan::Entryway => small_rooms::entryway(&mut room, catalog, rng),
        RoomPlan::OutdoorPatio => dining_rooms::patio(&mut room, catalog, rng),
    };
    is_furnished.then_some(room.done)
}
