//! Camera paths of a flight.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::{Fields, ValidationError};

/// Camera path of a flight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Approach to the street front, then an orbit.
    #[default]
    Original,
    /// Approach seen from the north.
    North,
    /// Approach seen from the south.
    South,
    /// Approach seen from the east.
    East,
    /// Approach seen from the west.
    West,
    /// Looking straight down, rising.
    TopdownZoomout,
    /// Looking straight down, descending.
    TopdownZoomin,
}

impl Direction {
    /// Every direction, in the order of the specification.
    pub const ALL: [Self; Self::VARIANTS.len()] = match Self::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };

    /// The name in the API and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Direction::Original => "original",
            Direction::North => "north",
            Direction::South => "south",
            Direction::East => "east",
            Direction::West => "west",
            Direction::TopdownZoomout => "topdown_zoomout",
            Direction::TopdownZoomin => "topdown_zoomin",
        }
    }

    /// Reads the option `direction` of a request.
    ///
    /// # Errors
    /// When it is not a known direction.
    pub fn read(options: &Fields<'_>) -> Result<Option<Self>, ValidationError> {
        options.choice("direction", &Self::ALL.map(|direction| (direction.as_str(), direction)))
    }

    /// The direction of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.as_str() == name)
    }
}
