//! Roofs that were measured, and do not follow from an outline and rules.

use serde::{Deserialize, Serialize};

/// A measured roof.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredRoof {
    /// Its faces: flat rings without holes, counter-clockwise seen from above. `x` and `y` are local meters, `z` is height above the
    /// building's own ground.
    pub faces: Vec<Vec<[f64; 3]>>,
    /// Height of the building's own ground, meters, in the survey's own height system.
    pub ground: f64,
    /// What it was measured from, in words for a report ("AHN 2014").
    pub source: String,
    /// Year of the survey, where known.
    pub year: Option<u16>,
    /// How the faces were made.
    pub method: RoofMethod,
    /// Root mean square of the vertical distances between the points and the faces, meters, where known.
    pub rms: Option<f64>,
    /// Share of the outline that the measurement covers, 0 to 1.
    pub covered: f64,
}

impl MeasuredRoof {
    /// Heights of the lowest edge and of the highest point above the building's own ground, meters.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        let heights = self.faces.iter().flatten().map(|corner| corner[2]);
        heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)])
    }
}

/// How the faces of a measured roof were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoofMethod {
    /// Taken from a city model.
    Model,
    /// Planes fitted to a point cloud.
    Planes,
    /// A simple roof shape fitted to a sparse point cloud.
    Template,
}
