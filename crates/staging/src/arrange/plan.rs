//! Room types that can be furnished.

use strum::{IntoStaticStr, VariantArray};

use crate::piece::PieceKind;

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
}

impl RoomPlan {
    /// The piece that a room of living or sleeping is named after; it is reported as left out where it does not fit.
    pub(super) fn main_piece(self) -> Option<PieceKind> {
        match self {
            Self::LivingRoom => Some(PieceKind::Sofa),
            Self::Bedroom => Some(PieceKind::Bed),
            Self::DiningRoom => Some(PieceKind::DiningTable),
            Self::HomeOffice => Some(PieceKind::Desk),
            Self::KidsRoom => Some(PieceKind::SingleBed),
            Self::Nursery => Some(PieceKind::Cot),
            Self::Entryway => Some(PieceKind::ConsoleTable),
            Self::Kitchen | Self::Bathroom | Self::OutdoorPatio => None,
        }
    }

    /// The plan for a requested room type; a living room if nothing fits better.
    #[must_use]
    pub fn for_room_type(room_type: &str) -> Self {
        match room_type {
            "living_room" | "family_room" | "lounge" | "den" | "sunroom" | "great_room" => Self::LivingRoom,
            "bedroom" | "master_bedroom" | "guest_room" => Self::Bedroom,
            "kitchen" | "kitchenette" => Self::Kitchen,
            "bathroom" | "ensuite" | "powder_room" | "laundry" => Self::Bathroom,
            "outdoor_patio" | "patio" | "terrace" | "balcony" | "deck" => Self::OutdoorPatio,
            "dining_room" | "breakfast_room" => Self::DiningRoom,
            "home_office" | "office" | "study" | "library" => Self::HomeOffice,
            "kids_room" | "childrens_room" => Self::KidsRoom,
            "nursery" => Self::Nursery,
            "entryway" | "hallway" | "foyer" => Self::Entryway,
            other if other.contains("bath") => Self::Bathroom,
            other if other.contains("kitchen") => Self::Kitchen,
            other if other.contains("bed") => Self::Bedroom,
            other if other.contains("dining") => Self::DiningRoom,
            other if other.contains("office") => Self::HomeOffice,
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
    }
}
