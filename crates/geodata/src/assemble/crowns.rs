//! Trees that a point cloud shows. Where one covers the ground, there are no others.

use super::around::Around;
use super::mask::Mask;
use crate::GeodataError;
use crate::gpkg::{self, Layer};
use crate::place::Point;

/// Where point clouds show whether there are trees.
pub(super) struct Surveyed {
    mask: Option<(Mask, f64)>,
    /// Attributions of the point clouds.
    pub(super) credits: Vec<String>,
}

impl Surveyed {
    pub(super) fn read(around: &Around<'_>) -> Result<Self, GeodataError> {
        let mut surveyed = Self { mask: None, credits: Vec::new() };
        if !gpkg::has_layer(around.pack.db(), Layer::Surveys)? {
            return Ok(surveyed);
        }
        for stored in around.features(Layer::Surveys, around.radius)? {
            let (mask, _) = surveyed.mask.get_or_insert_with(|| (Mask::new(around.radius), around.radius));
            around.polygons(&stored.geometry).iter().for_each(|polygon| mask.take_polygon(polygon, 0.0));
            let credit = stored.tags.get("credit").filter(|credit| !credit.is_empty());
            surveyed.credits.extend(credit.filter(|credit| !surveyed.credits.contains(credit)).cloned());
        }
        Ok(surveyed)
    }

    /// Whether a point cloud shows whether there is a tree at a point.
    pub(super) fn covers(&self, at: Point) -> bool {
        let within = |reach: f64| at[0].abs() < reach && at[1].abs() < reach;
        self.mask.as_ref().is_some_and(|(mask, reach)| within(*reach) && mask.is_taken(at))
    }
}
