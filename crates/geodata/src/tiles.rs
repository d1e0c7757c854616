//! Square tiles in web Mercator: imported files and online sources.

pub mod mbtiles;
pub mod tile;
pub(crate) mod xyz;

use aerie_math::geometry;
use tile::Tile;

use crate::GeodataError;
use crate::gpkg::{self, Bounds};

/// A source of tiles.
pub trait TileSource {
    /// Zooms that may have tiles, coarsest first.
    fn zooms(&self) -> &[u32];

    /// Pixels a side of a tile.
    fn side(&self) -> u32;

    /// West, south, east, north of what is shown, degrees.
    fn bounds(&self) -> Bounds;

    /// Who must be credited; empty where nobody is named.
    fn attribution(&self) -> &str;

    /// A tile, rows counted from the north; none where there is none.
    fn tile(&self, zoom: u32, x: i64, y: i64) -> Result<Option<Tile>, GeodataError>;

    /// Whether a place with these corners, degrees, may be shown.
    fn meets(&self, corners: &[[f64; 2]]) -> bool {
        gpkg::meet(geometry::bounds(corners), self.bounds())
    }
}
