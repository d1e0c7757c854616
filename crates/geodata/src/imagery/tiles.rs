//! What every source of imagery gives: square tiles in web Mercator.

use super::mbtiles::Tile;
use crate::WorldError;
use crate::gpkg::{self, Bounds};

/// A source of tiles.
pub(crate) trait Tiles {
    /// Zooms that may have tiles, coarsest first.
    fn zooms(&self) -> &[u32];

    /// Pixels a side of a tile.
    fn side(&self) -> u32;

    /// West, south, east, north of what is shown, degrees.
    fn bounds(&self) -> Bounds;

    /// Who must be credited; empty where nobody is named.
    fn attribution(&self) -> &str;

    /// A tile, rows counted from the north; none where there is none.
    fn tile(&self, zoom: u32, x: i64, y: i64) -> Result<Option<Tile>, WorldError>;

    /// Whether a place with these corners, degrees, may be shown.
    fn meets(&self, corners: &[[f64; 2]]) -> bool {
        let edge = |i: usize, pick: fn(f64, f64) -> f64, from: f64| corners.iter().map(|c| c[i]).fold(from, pick);
        let around = [
            edge(0, f64::min, f64::INFINITY),
            edge(1, f64::min, f64::INFINITY),
            edge(0, f64::max, f64::NEG_INFINITY),
            edge(1, f64::max, f64::NEG_INFINITY),
        ];
        gpkg::meet(around, self.bounds())
    }
}
