//! The features around a place.

use aerie_math::geometry;

use super::outline::tidy;
use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::gpkg::{self, Bounds, Geometry, Layer, Stored};
use crate::pack::Pack;
use crate::place::{Point, Polygon, Property};

/// Maximum distance from the address to the bounds of a parcel that is considered, meters.
const PARCEL_REACH: f64 = 60.0;

/// The pack that features are read from, and the point around which they are read.
pub(super) struct Around<'a> {
    pub(super) pack: &'a Pack,
    pub(super) frame: LocalFrame,
    pub(super) radius: f64,
}

impl Around<'_> {
    /// Features of a layer whose bounds come within `reach` meters (in each direction).
    pub(super) fn features(&self, layer: Layer, reach: f64) -> Result<Vec<Stored>, GeodataError> {
        Ok(gpkg::within(self.pack.db(), layer, self.bounds(reach))?)
    }

    /// Bounds of everything within `reach` meters in each direction, degrees.
    fn bounds(&self, reach: f64) -> Bounds {
        let corners = [[-reach, -reach], [reach, reach], [-reach, reach], [reach, -reach]];
        geometry::bounds(&corners.map(|p| self.frame.geographic(p)))
    }

    /// The smallest parcel that contains the center of the property's building, or else the address point.
    pub(super) fn parcel(&self, property: &Property) -> Result<Option<Polygon>, GeodataError> {
        if !gpkg::has_layer(self.pack.db(), Layer::Parcels)? {
            return Ok(None);
        }
        let middle = property.building.map(|_| geometry::centroid(&property.footprint.outer));
        let stored = self.features(Layer::Parcels, PARCEL_REACH)?;
        let parcels: Vec<Polygon> =
            stored.iter().flat_map(|s| self.polygons(&s.geometry)).filter_map(|p| tidy(&p, 0.02)).collect();
        let holding = |at: Point| {
            let all = parcels.iter().filter(|p| p.contains(at));
            all.min_by(|a, b| geometry::signed_area(&a.outer).total_cmp(&geometry::signed_area(&b.outer)))
        };
        Ok(middle.and_then(holding).or_else(|| holding(property.point)).cloned())
    }

    /// Number of addresses in the property's building.
    pub(super) fn addresses(&self, property: &Property) -> Result<usize, GeodataError> {
        if property.building.is_none() {
            return Ok(0);
        }
        let reach = property.footprint.outer.iter().map(|p| p[0].abs().max(p[1].abs())).fold(0.0, f64::max);
        let stored = gpkg::geometries_within(self.pack.db(), Layer::Addresses, self.bounds(reach))?;
        let is_inside = |geometry: &&Geometry| match geometry {
            Geometry::Point([lon, lat]) => property.footprint.contains(self.frame.local(*lon, *lat)),
            _ => false,
        };
        Ok(stored.iter().filter(is_inside).count())
    }

    pub(super) fn line(&self, line: &[[f64; 2]]) -> Vec<Point> {
        line.iter().map(|p| self.frame.local(p[0], p[1])).collect()
    }

    /// Polygons of a geometry in local meters, as mapped.
    pub(super) fn polygons(&self, geometry: &Geometry) -> Vec<Polygon> {
        let Geometry::Polygons(polygons) = geometry else { return Vec::new() };
        polygons
            .iter()
            .filter_map(|rings| {
                let mut rings = rings.iter().map(|r| self.line(r));
                Some(Polygon { outer: rings.next()?, holes: rings.collect() })
            })
            .collect()
    }
}
