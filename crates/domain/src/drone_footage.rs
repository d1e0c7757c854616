//! Aerial drone footage: the request, which is also the job's payload.

use serde::{Deserialize, Serialize};

/// `POST /v1/drone-footage/generate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroneFootageRequest {
    /// Full property address.
    pub address: String,
    /// Options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<DroneFootageOptions>,
}

/// Options of drone footage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroneFootageOptions {
    /// Which path to fly; `original` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

/// The flights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// Straight down, rising.
    TopdownZoomout,
    /// Straight down, sinking.
    TopdownZoomin,
}

impl Direction {
    /// Every direction, in the order of the specification.
    pub const ALL: [Direction; 7] = [
        Direction::Original,
        Direction::North,
        Direction::South,
        Direction::East,
        Direction::West,
        Direction::TopdownZoomout,
        Direction::TopdownZoomin,
    ];
}
