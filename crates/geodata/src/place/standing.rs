//! Trees, hedges, fences and walls.

use serde::{Deserialize, Serialize};

use super::Point;

/// A tree.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Tree {
    /// Foot of the trunk.
    pub at: Point,
    /// Shape.
    pub kind: TreeKind,
    /// Height in meters, tagged or inferred.
    pub height: f64,
    /// Crown diameter, meters.
    pub crown: f64,
    /// Seed from the source's identity.
    pub seed: u64,
    /// Whether it is known: mapped as a single tree or part of a tree row, or measured; false if invented to fill a mapped wood
    /// or a garden.
    pub mapped: bool,
    /// Whether position, height and crown were measured in a point cloud.
    #[serde(default)]
    pub measured: bool,
}

/// Broad shapes of tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TreeKind {
    /// Broad crown (linden, oak, maple, fruit trees).
    Broadleaved,
    /// Conifer (spruce, fir, pine).
    Needleleaved,
}

/// A hedge, fence or wall.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Barrier {
    /// Kind.
    pub kind: BarrierKind,
    /// Line.
    pub line: Vec<Point>,
    /// Height, meters.
    pub height: f64,
}

/// Kinds of barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierKind {
    /// Hedge.
    Hedge,
    /// Fence.
    Fence,
    /// Wall.
    Wall,
}
