//! The classes that the network predicts.

use crate::network::{CLASSES, FINE_CLASSES};

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The floor of the room, with rugs.
    Floor,
    /// Walls, columns, baseboards.
    Wall,
    /// The ceiling, with beams and lamps.
    Ceiling,
    /// Windows with frames, blinds and curtains.
    Window,
    /// Doors, and what is seen through passages.
    Door,
    /// What is built in: kitchens, stairs, fireplaces, radiators.
    Fixture,
    /// Furniture and other loose things.
    Furniture,
    /// What is seen from outside a building: façades, gardens, streets, sky. Never what is seen through a window.
    Outdoors,
}

/// What a cell shows, in more detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FineClass {
    /// The floor of a room, with rugs.
    Floor,
    /// Walls, columns, baseboards of a room.
    Wall,
    /// The ceiling, with beams.
    Ceiling,
    /// Windows with frames, blinds, curtains and shutters, from inside or outside.
    Window,
    /// Doors and garage doors, and what is seen through passages.
    Door,
    /// What is built in: kitchens, stairs, fireplaces, radiators.
    Fixture,
    /// Furniture and other loose things, in rooms and gardens.
    Furniture,
    /// The sky.
    Sky,
    /// Grass, meadows, bare soil, sand.
    Lawn,
    /// Streets, drives, paths, terraces, gravel.
    Paving,
    /// Pools, ponds, the sea.
    Water,
    /// Outer walls with balconies, porches and stairs; garden walls and fences.
    Facade,
    /// Roofs with chimneys and the sides of dormers.
    Roof,
    /// Trees, hedges, shrubs, flower beds, and distant hills.
    Plants,
    /// Cars.
    Vehicle,
    /// Lamps and fans that hang from the ceiling or lie against it.
    HangingLamp,
    /// Floor and table lamps.
    StandingLamp,
}

impl FineClass {
    /// All of them, in the order of the network's outputs.
    pub const ALL: [Self; FINE_CLASSES] = [
        Self::Floor,
        Self::Wall,
        Self::Ceiling,
        Self::Window,
        Self::Door,
        Self::Fixture,
        Self::Furniture,
        Self::Sky,
        Self::Lawn,
        Self::Paving,
        Self::Water,
        Self::Facade,
        Self::Roof,
        Self::Plants,
        Self::Vehicle,
        Self::HangingLamp,
        Self::StandingLamp,
    ];

    /// The class that it belongs to.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Floor => Class::Floor,
            Self::Wall => Class::Wall,
            Self::Ceiling | Self::HangingLamp => Class::Ceiling,
            Self::Window => Class::Window,
            Self::Door => Class::Door,
            Self::Fixture => Class::Fixture,
            Self::Furniture | Self::StandingLamp => Class::Furniture,
            Self::Sky
            | Self::Lawn
            | Self::Paving
            | Self::Water
            | Self::Facade
            | Self::Roof
            | Self::Plants
            | Self::Vehicle => Class::Outdoors,
        }
    }
}

/// Probabilities of the classes from those of the fine classes.
pub(crate) fn summed(fine: &[f32; FINE_CLASSES]) -> [f32; CLASSES] {
    let mut classes = [0.0; CLASSES];
    for (class, p) in FineClass::ALL.iter().zip(fine) {
        classes[class.class() as usize] += p;
    }
    classes
}

/// An edge between planes of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Where a wall meets the floor.
    FloorWall,
    /// Where two walls meet, or one ends before another.
    Corner,
    /// Where a wall meets the ceiling.
    CeilingWall,
}
