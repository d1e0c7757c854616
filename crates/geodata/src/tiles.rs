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

    /// Side of a tile, pixels.
    fn side(&self) -> u32;

    /// West, south, east, north of the covered area, degrees.
    fn bounds(&self) -> Bounds;

    /// Attribution; empty if none is required.
    fn attribution(&self) -> &str;

    /// A tile, with rows counted from the north; `None` if there is none.
    fn tile(&self, zoom: u32, x: i64, y: i64) -> Result<Option<Tile>, GeodataError>;

    /// Whether the source may cover part of an area with these corners, degrees.
    fn meets(&self, corners: &[[f64; 2]]) -> bool {
        gpkg::meet(geometry::bounds(corners), self.bounds())
    }
}
