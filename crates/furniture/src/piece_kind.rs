//! Kinds of furniture.

use serde::{Serialize, Serializer};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// Kind of a piece. Its text is the name in JSON, in metadata and in an operator's `pieces.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum PieceKind {
    Armchair,
    Basket,
    #[strum(serialize = "bath mat")]
    BathMat,
    Bed,
    Bench,
    #[strum(serialize = "blanket ladder")]
    BlanketLadder,
    Books,
    Bookshelf,
    Bowl,
    Candles,
    #[strum(serialize = "coffee table")]
    CoffeeTable,
    #[strum(serialize = "console table")]
    ConsoleTable,
    Cot,
    Curtains,
    Daybed,
    Desk,
    #[strum(serialize = "desk chair")]
    DeskChair,
    #[strum(serialize = "dining chair")]
    DiningChair,
    #[strum(serialize = "dining table")]
    DiningTable,
    Dresser,
    #[strum(serialize = "drying rack")]
    DryingRack,
    #[strum(serialize = "dumbbell rack")]
    DumbbellRack,
    #[strum(serialize = "exercise bike")]
    ExerciseBike,
    #[strum(serialize = "exercise mat")]
    ExerciseMat,
    #[strum(serialize = "floor lamp")]
    FloorLamp,
    #[strum(serialize = "framed art")]
    FramedArt,
    #[strum(serialize = "fruit bowl")]
    FruitBowl,
    #[strum(serialize = "gym ball")]
    GymBall,
    #[strum(serialize = "ironing board")]
    IroningBoard,
    Lantern,
    #[strum(serialize = "laundry basket")]
    LaundryBasket,
    #[strum(serialize = "media console")]
    MediaConsole,
    Mirror,
    Nightstand,
    Ottoman,
    #[strum(serialize = "pendant lamp")]
    PendantLamp,
    Planter,
    #[strum(serialize = "potted plant")]
    PottedPlant,
    Pouf,
    Recliner,
    #[strum(serialize = "round table")]
    RoundTable,
    Rug,
    Sectional,
    #[strum(serialize = "side table")]
    SideTable,
    Sideboard,
    #[strum(serialize = "single bed")]
    SingleBed,
    #[strum(serialize = "small plant")]
    SmallPlant,
    Sofa,
    Stool,
    #[strum(serialize = "table lamp")]
    TableLamp,
    Television,
    #[strum(serialize = "towel ladder")]
    TowelLadder,
    Towels,
    #[strum(serialize = "toy chest")]
    ToyChest,
    Tray,
    Trolley,
    Vase,
    #[strum(serialize = "wall clock")]
    WallClock,
    Wardrobe,
}

impl PieceKind {
    /// The name in JSON and in `pieces.toml`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether an operator's model may replace pieces of this kind. The others are made to measure or stand on furniture.
    #[must_use]
    pub fn is_replaceable(self) -> bool {
        match self {
            Self::Armchair
            | Self::Basket
            | Self::BathMat
            | Self::Bed
            | Self::Bench
            | Self::BlanketLadder
            | Self::Bookshelf
            | Self::CoffeeTable
            | Self::ConsoleTable
            | Self::Cot
            | Self::Daybed
            | Self::Desk
            | Self::DeskChair
            | Self::DiningChair
            | Self::DiningTable
            | Self::Dresser
            | Self::DryingRack
            | Self::DumbbellRack
            | Self::ExerciseBike
            | Self::ExerciseMat
            | Self::FloorLamp
            | Self::FramedArt
            | Self::GymBall
            | Self::IroningBoard
            | Self::Lantern
            | Self::LaundryBasket
            | Self::MediaConsole
            | Self::Mirror
            | Self::Nightstand
            | Self::Ottoman
            | Self::PendantLamp
            | Self::Planter
            | Self::PottedPlant
            | Self::Pouf
            | Self::Recliner
            | Self::RoundTable
            | Self::Rug
            | Self::Sectional
            | Self::SideTable
            | Self::Sideboard
            | Self::SmallPlant
            | Self::Sofa
            | Self::Stool
            | Self::TableLamp
            | Self::Television
            | Self::TowelLadder
            | Self::ToyChest
            | Self::Trolley
            | Self::WallClock => true,
            Self::Books
            | Self::Bowl
            | Self::Candles
            | Self::Curtains
            | Self::FruitBowl
            | Self::SingleBed
            | Self::Towels
            | Self::Tray
            | Self::Vase
            | Self::Wardrobe => false,
        }
    }
}

impl Serialize for PieceKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back_from_its_name() {
        for kind in PieceKind::VARIANTS {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
            assert!(kind.as_str().chars().all(|c| c.is_ascii_lowercase() || c == ' '), "{kind}");
        }
        assert_eq!(PieceKind::BathMat.as_str(), "bath mat");
    }
}
