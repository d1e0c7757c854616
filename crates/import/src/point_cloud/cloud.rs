//! A point cloud that is being imported.

use aerie_lidar::reader::Reader;

use crate::projection::Projection;

/// A point cloud that is being imported.
pub(super) struct Cloud<'a> {
    pub(super) reader: Reader,
    pub(super) projection: Projection<'a>,
    /// Meters per unit of positions.
    pub(super) unit: f64,
    /// What the roofs were measured from, and its attribution.
    pub(super) source: String,
    pub(super) credit: Option<&'a str>,
}
