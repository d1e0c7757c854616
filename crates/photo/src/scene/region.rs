//! What a part of a photo can show.

use strum::VariantArray;

/// Number of regions.
pub const REGIONS: usize = 15;

/// What a part of a photo shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Region {
    /// Sky.
    Sky,
    /// Lawn and low grass.
    Lawn,
    /// Other ground: paving, gravel, sand, earth.
    Paving,
    /// Water: pools, ponds, the sea.
    Water,
    /// Trees, hedges, shrubs.
    Plants,
    /// Walls of buildings from outside, with their windows and doors.
    Facade,
    /// Roofs from outside.
    Roof,
    /// The floor of a room, with rugs.
    Floor,
    /// Walls of a room.
    Wall,
    /// The ceiling of a room.
    Ceiling,
    /// Windows of a room, with what is seen through them.
    Window,
    /// Doors of a room, and what is seen through passages.
    Door,
    /// Lamps, on ceiling or walls.
    Lamp,
    /// Furniture and what is built in.
    Furniture,
    /// Anything else: vehicles, people, things shown closely.
    Other,
}

impl Region {
    /// All regions, in the order of the cells of `Regions`.
    pub const ALL: [Self; REGIONS] = match Self::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };
    /// Ground outdoors.
    pub const GROUND: [Self; 3] = [Self::Lawn, Self::Paving, Self::Water];
}
