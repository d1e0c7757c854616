//! Heights encoded as pictures in the Terrarium format: red * 256 + green + blue / 256 - 32,768 meters.

use std::collections::HashMap;

use super::lattice::Lattice;
use crate::GeodataError;
use crate::mercator::mercator;
use crate::tiles::TileSource;
use crate::tiles::tile::Tile;

/// Plausible heights on Earth, with a margin, meters; a pixel outside this range is not a height.
pub const ON_EARTH: std::ops::Range<f32> = -600.0..9_000.0;

/// Decodes a pixel to a height in meters; `None` where it is not a plausible one.
pub fn height([r, g, b]: [u8; 3]) -> Option<f32> {
    let height = f32::from(r) * 256.0 + f32::from(g) + f32::from(b) / 256.0 - 32_768.0;
    ON_EARTH.contains(&height).then_some(height)
}

/// Encodes a height in meters as a pixel.
pub fn pixel(height: f32) -> [u8; 3] {
    let units = ((height + 32_768.0) * 256.0).round().clamp(0.0, 16_777_215.0) as u32;
    let [_, r, g, b] = units.to_be_bytes();
    [r, g, b]
}

/// The tiles of a source at one zoom.
pub(super) struct Terrarium<'a> {
    source: &'a dyn TileSource,
    zoom: u32,
    side: i64,
    /// Width of the whole world, pixels.
    world: f64,
    read: HashMap<(i64, i64), Option<Tile>>,
}

impl<'a> Terrarium<'a> {
    pub(super) fn new(source: &'a dyn TileSource, zoom: u32) -> Self {
        let side = i64::from(source.side());
        Self { source, zoom, side, world: side as f64 * f64::from(zoom).exp2(), read: HashMap::new() }
    }
}

impl Lattice for Terrarium<'_> {
    fn position(&self, at: [f64; 2]) -> [f64; 2] {
        let [x, y] = mercator(at);
        [x * self.world - 0.5, 0.5 - y * self.world]
    }

    fn sample(&mut self, x: i64, y: i64) -> Result<Option<f32>, GeodataError> {
        let (column, row) = (x, -y);
        let key = (column.div_euclid(self.side), row.div_euclid(self.side));
        if !self.read.contains_key(&key) {
            let within = (0..1_i64 << self.zoom).contains(&key.0) && (0..1_i64 << self.zoom).contains(&key.1);
            let tile = if within { self.source.tile(self.zoom, key.0, key.1)? } else { None };
            self.read.insert(key, tile);
        }
        let texel = self.read[&key]
            .as_ref()
            .and_then(|tile| tile.texel(column.rem_euclid(self.side) as usize, row.rem_euclid(self.side) as usize));
        Ok(texel.and_then(height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_encoded_as_the_format_says_and_other_pixels_have_none() {
        assert_eq!(pixel(0.0), [128, 0, 0]);
        assert_eq!(height([129, 244, 128]), Some(500.5));
        for meters in [-413.0, 0.25, 455.75, 8_848.0] {
            assert_eq!(height(pixel(meters)), Some(meters));
        }
        assert_eq!(height([0, 0, 0]), None);
        assert_eq!(height([255, 255, 255]), None);
    }
}
