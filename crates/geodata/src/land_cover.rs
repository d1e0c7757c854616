//! Land cover: imported rasters of classes (ESA WorldCover), as cells around a place.
//!
//! They are in the folder `land_cover` of the pack, one MBTiles file per raster in web Mercator; each channel of a pixel is its class.

use std::collections::HashMap;
use std::path::Path;

use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::mercator::mercator;
use crate::place::Point;
use crate::tiles::tile::Tile;
use crate::tiles::{TileSource, mbtiles};

/// Encoding of the tiles, in their metadata.
pub const ENCODING: &str = "worldcover";

/// Side of a cell, meters: that of the raster's pixels.
pub(crate) const CELL: f64 = 10.0;

/// Classes of ESA WorldCover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Tree cover.
    Trees,
    /// Shrubland.
    Shrubs,
    /// Grassland.
    Grass,
    /// Cropland.
    Crops,
    /// Built-up land.
    BuiltUp,
    /// Bare land and sparse vegetation.
    Bare,
    /// Snow and ice.
    Snow,
    /// Permanent water.
    Water,
    /// Herbaceous wetland.
    Wetland,
    /// Mangroves.
    Mangroves,
    /// Moss and lichen.
    Moss,
}

impl Class {
    /// The class of a pixel's value; `None` for no data and unknown values.
    #[must_use]
    pub const fn of(value: u8) -> Option<Self> {
        Some(match value {
            10 => Self::Trees,
            20 => Self::Shrubs,
            30 => Self::Grass,
            40 => Self::Crops,
            50 => Self::BuiltUp,
            60 => Self::Bare,
            70 => Self::Snow,
            80 => Self::Water,
            90 => Self::Wetland,
            95 => Self::Mangroves,
            100 => Self::Moss,
            _ => return None,
        })
    }
}

/// Classes of the cells of a square around the origin.
pub(crate) struct LandCover {
    /// Cells along each side.
    pub(crate) side: usize,
    /// Row by row from the south-west corner.
    cells: Vec<Option<Class>>,
    /// Attributions of the rasters.
    pub(crate) credits: Vec<String>,
}

impl LandCover {
    pub(crate) fn read(folder: &Path, frame: &LocalFrame, reach: f64) -> Result<Option<Self>, GeodataError> {
        let side = 2 * (reach / CELL).ceil() as usize;
        let mut cover = Self { side, cells: vec![None; side * side], credits: Vec::new() };
        let corners = [(0, 0), (side, 0), (0, side), (side, side)]
            .map(|(x, y)| frame.geographic(cover.position([x as f64, y as f64])));
        for source in mbtiles::all(folder)? {
            if source.meets(&corners) && cover.fill(&source, frame)? {
                let credit = source.attribution();
                if !credit.is_empty() && !cover.credits.iter().any(|known| known == credit) {
                    cover.credits.push(credit.to_owned());
                }
            }
        }
        Ok(cover.cells.iter().any(Option::is_some).then_some(cover))
    }

    /// Fills cells that are not known yet; returns whether there were any.
    fn fill(&mut self, source: &dyn TileSource, frame: &LocalFrame) -> Result<bool, GeodataError> {
        let Some(zoom) = source.zooms().last().copied() else { return Ok(false) };
        let tile_side = i64::from(source.side());
        let world = f64::from(source.side()) * f64::from(zoom).exp2();
        let mut tiles: HashMap<(i64, i64), Option<Tile>> = HashMap::new();
        let mut any = false;
        for index in 0..self.cells.len() {
            if self.cells[index].is_some() {
                continue;
            }
            let middle = self.position([index % self.side, index / self.side].map(|cell| cell as f64 + 0.5));
            let [x, y] = mercator(frame.geographic(middle)).map(|v| (v * world).floor() as i64);
            let key = (x.div_euclid(tile_side), y.div_euclid(tile_side));
            let tile = match tiles.entry(key) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(new) => new.insert(source.tile(zoom, key.0, key.1)?),
            };
            let texel = tile
                .as_ref()
                .and_then(|tile| tile.texel(x.rem_euclid(tile_side) as usize, y.rem_euclid(tile_side) as usize));
            self.cells[index] = texel.and_then(|[class, ..]| Class::of(class));
            any |= self.cells[index].is_some();
        }
        Ok(any)
    }

    /// The position of a cell's corner, or of a point among the cells, in local meters.
    pub(crate) fn position(&self, cell: [f64; 2]) -> Point {
        cell.map(|cell| (cell - self.side as f64 / 2.0) * CELL)
    }

    /// The class of a cell, counted from the south-west corner.
    pub(crate) fn class(&self, x: usize, y: usize) -> Option<Class> {
        self.cells[y * self.side + x]
    }
}
