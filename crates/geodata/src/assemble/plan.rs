//! A plan of an address and what stands around it, for a small picture.

use aerie_math::geometry;

use super::around::Around;
use super::buildings::is_underground;
use super::ways;
use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::gpkg::{Geometry, Layer};
use crate::pack::Pack;
use crate::place::{GeoPoint, Point, Ring, WayKind};

/// Maximum number of buildings, the nearest ones.
const MOST_BUILDINGS: usize = 60;
/// Maximum number of points of an outline.
const MOST_POINTS: usize = 60;

/// Outlines around a point, meters: `x` east, `y` north.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// The outline of the building at the point, if one is mapped.
    pub house: Option<Ring>,
    /// The outlines of other buildings.
    pub buildings: Vec<Ring>,
    /// The middles of the roads that cars use.
    pub roads: Vec<Vec<Point>>,
}

impl Pack {
    /// Outlines of what lies within `reach` meters of a point, in each direction.
    ///
    /// # Errors
    /// The pack cannot be read.
    pub fn plan(&self, at: GeoPoint, reach: f64) -> Result<Plan, GeodataError> {
        let around = Around { pack: self, frame: LocalFrame::new(at), radius: reach };
        let mut plan = Plan::default();
        let mut buildings: Vec<(f64, Ring)> = Vec::new();
        for stored in around.features(Layer::Buildings, reach)?.iter().filter(|stored| !is_underground(&stored.tags)) {
            for polygon in around.polygons(&stored.geometry) {
                if plan.house.is_none() && polygon.contains([0.0; 2]) {
                    plan.house = Some(thinned(polygon.outer));
                    continue;
                }
                let center = geometry::centroid(&polygon.outer);
                buildings.push((center[0].hypot(center[1]), thinned(polygon.outer)));
            }
        }
        buildings.sort_by(|a, b| a.0.total_cmp(&b.0));
        plan.buildings = buildings.into_iter().take(MOST_BUILDINGS).map(|(_, outline)| outline).collect();
        for stored in around.features(Layer::Roads, reach)? {
            let Geometry::Line(line) = &stored.geometry else { continue };
            if ways::kind(&stored.kind, &stored.tags).is_some_and(is_for_cars) {
                plan.roads.extend(ways::clip(&around.line(line), reach));
            }
        }
        Ok(plan)
    }
}

fn is_for_cars(kind: WayKind) -> bool {
    matches!(kind, WayKind::Motorway | WayKind::Major | WayKind::Minor | WayKind::Residential | WayKind::Service)
}

/// An outline of few points: of a long one, only some.
fn thinned(outline: Ring) -> Ring {
    let step = outline.len().div_ceil(MOST_POINTS).max(1);
    outline.into_iter().step_by(step).collect()
}
