//! Room types that can be furnished.

use strum::{IntoStaticStr, VariantArray};

use aerie_furniture::piece::PieceKind;

/// What a room is furnished as. Its text is the room type in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum RoomPlan {
    LivingRoom,
    Bedroom,
    Kitchen,
    Bathroom,
    DiningRoom,
    HomeOffice,
    KidsRoom,
    Nursery,
    Entryway,
    OutdoorPatio,
    FamilyRoom,
    MediaRoom,
    Library,
    GuestRoom,
    Gym,
    LaundryRoom,
}

impl RoomPlan {
    /// The piece that a room of living or sleeping is named after; it is reported as left out where it does not fit.
    pub(super) fn main_piece(self) -> Option<PieceKind> {
        match self {
            Self::LivingRoom | Self::FamilyRoom | Self::MediaRoom => Some(PieceKind::Sofa),
            Self::Bedroom | Self::GuestRoom => Some(PieceKind::Bed),
            Self::Library => Some(PieceKind::Bookshelf),
            Self::DiningRoom => Some(PieceKind::DiningTable),
            Self::HomeOffice => Some(PieceKind::Desk),
            Self::KidsRoom => Some(PieceKind::SingleBed),
            Self::Nursery => Some(PieceKind::Cot),
            Self::Entryway => Some(PieceKind::ConsoleTable),
            Self::Kitchen | Self::Bathroom | Self::OutdoorPatio | Self::Gym | Self::LaundryRoom => None,
        }
    }

    /// The plan for a requested room type; a living room if nothing fits better.
    #[must_use]
    pub fn for_room_type(room_type: &str) -> Self {
        match room_type {
            "living_room" | "lounge" | "sunroom" => Self::LivingRoom,
            "family_room" | "den" | "great_room" | "rec_room" | "playroom" => Self::FamilyRoom,
            "media_room" | "home_theater" | "home_cinema" | "tv_room" => Self::MediaRoom,
            "bedroom" | "master_bedroom" => Self::Bedroom,
            "guest_room" | "guest_bedroom" => Self::GuestRoom,
            "kitchen" | "kitchenette" => Self::Kitchen,
            "bathroom" | "ensuite" | "powder_room" => Self::Bathroom,
            "laundry" | "laundry_room" | "utility_room" => Self::LaundryRoom,
            "patio" | "terrace" | "balcony" | "deck" => Self::OutdoorPatio,
            "dining_room" | "breakfast_room" => Self::DiningRoom,
            "home_office" | "office" | "study" => Self::HomeOffice,
            "library" | "reading_room" => Self::Library,
            "gym" | "home_gym" | "fitness_room" | "yoga_room" => Self::Gym,
            "kids_room" | "childrens_room" => Self::KidsRoom,
            "nursery" => Self::Nursery,
            "entryway" | "hallway" | "foyer" => Self::Entryway,
            other if other.starts_with("outdoor") => Self::OutdoorPatio,
            other if other.contains("bath") => Self::Bathroom,
            other if other.contains("kitchen") => Self::Kitchen,
            other if other.contains("bed") => Self::Bedroom,
            other if other.contains("dining") => Self::DiningRoom,
            other if other.contains("office") => Self::HomeOffice,
            other if other.contains("library") => Self::Library,
            other if other.contains("gym") => Self::Gym,
            other if other.contains("laundry") => Self::LaundryRoom,
            _ => Self::LivingRoom,
        }
    }

    /// The room type in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_is_found_by_its_own_name() {
        for plan in RoomPlan::VARIANTS {
            assert_eq!(RoomPlan::for_room_type(plan.as_str()), *plan);
        }
        assert_eq!(RoomPlan::for_room_type("guest bathroom"), RoomPlan::Bathroom);
        assert_eq!(RoomPlan::for_room_type("ballroom"), RoomPlan::LivingRoom);
        assert_eq!(RoomPlan::for_room_type("outdoor_deck"), RoomPlan::OutdoorPatio);
        assert_eq!(RoomPlan::VARIANTS.len(), 16);
    }
}
