//! The SRTM tiles of a pack: one degree square each, named after their south-west corner.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::lattice::Lattice;
use crate::GeodataError;

/// Value of samples that the radar could not measure.
pub(super) const VOID: i16 = i16::MIN;

/// The folder of tiles.
#[derive(Debug)]
pub(super) struct Tiles {
    folder: PathBuf,
}

struct Tile {
    side: usize,
    samples: Vec<i16>,
}

impl Tiles {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, lat: i32, lon: i32) -> PathBuf {
        let (ns, ew) = (if lat < 0 { 'S' } else { 'N' }, if lon < 0 { 'W' } else { 'E' });
        self.folder.join(format!("{ns}{:02}{ew}{:03}.hgt", lat.abs(), lon.abs()))
    }

    /// Whether there is a tile for a longitude and latitude.
    pub(super) fn covers(&self, [lon, lat]: [f64; 2]) -> bool {
        self.path(lat.floor() as i32, lon.floor() as i32).is_file()
    }

    /// Number of tiles.
    pub(super) fn count(&self) -> usize {
        std::fs::read_dir(&self.folder).map_or(0, |entries| {
            entries.flatten().filter(|e| Path::new(&e.file_name()).extension().is_some_and(|x| x == "hgt")).count()
        })
    }

    fn load(&self, lat: i32, lon: i32) -> Option<Tile> {
        let bytes = std::fs::read(self.path(lat, lon)).ok()?;
        let side = if bytes.len() == 1201 * 1201 * 2 { 1201 } else { 3601 };
        let (pairs, _) = bytes.as_chunks::<2>();
        let samples: Vec<i16> = pairs.iter().map(|b| i16::from_be_bytes(*b)).collect();
        (samples.len() == side * side).then_some(Tile { side, samples })
    }

    /// The tiles around a longitude and latitude; `None` where the tile that contains it is missing.
    pub(super) fn around(&self, [lon, lat]: [f64; 2]) -> Option<Srtm<'_>> {
        let home = (lat.floor() as i32, lon.floor() as i32);
        let tile = self.load(home.0, home.1)?;
        let steps = (tile.side - 1) as i64;
        Some(Srtm { tiles: self, steps, loaded: HashMap::from([(home, Some(tile))]) })
    }
}

/// The lattice of tiles around a place. Neighboring tiles of another spacing are sampled at the spacing of the tile in
/// the middle.
pub(super) struct Srtm<'a> {
    tiles: &'a Tiles,
    /// Samples per degree.
    steps: i64,
    /// Tiles read so far; `None` for missing ones.
    loaded: HashMap<(i32, i32), Option<Tile>>,
}

impl Lattice for Srtm<'_> {
    fn position(&self, [lon, lat]: [f64; 2]) -> [f64; 2] {
        [lon * self.steps as f64, lat * self.steps as f64]
    }

    fn sample(&mut self, x: i64, y: i64) -> Result<Option<f32>, GeodataError> {
        let steps = self.steps;
        // A point on a seam belongs to several tiles; use whichever has it.
        for (lon, lat) in [
            (x.div_euclid(steps), y.div_euclid(steps)),
            ((x - 1).div_euclid(steps), y.div_euclid(steps)),
            (x.div_euclid(steps), (y - 1).div_euclid(steps)),
            ((x - 1).div_euclid(steps), (y - 1).div_euclid(steps)),
        ] {
            let key = (lat as i32, lon as i32);
            let tile = self.loaded.entry(key).or_insert_with(|| self.tiles.load(key.0, key.1));
            let Some(tile) = tile else { continue };
            let scale = (tile.side - 1) as f64 / steps as f64;
            let column = ((x - lon * steps) as f64 * scale).round() as usize;
            let row = tile.side - 1 - (((y - lat * steps) as f64 * scale).round() as usize).min(tile.side - 1);
            let height = tile.samples[row * tile.side + column.min(tile.side - 1)];
            if height != VOID {
                return Ok(Some(f32::from(height)));
            }
        }
        Ok(None)
    }
}
