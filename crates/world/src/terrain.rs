//! Terrain heights out of the pack's SRTM tiles.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::geodesy::LocalFrame;
use crate::place::Terrain;

/// Marks samples that the shuttle's radar did not see.
const VOID: i16 = i16::MIN;

/// The folder of tiles.
#[derive(Debug)]
pub(crate) struct Tiles {
    folder: PathBuf,
}

struct Tile {
    side: usize,
    samples: Vec<i16>,
}

/// Tiles read so far; none where the folder lacks one.
type Loaded = HashMap<(i32, i32), Option<Tile>>;

impl Tiles {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, lat: i32, lon: i32) -> PathBuf {
        let (ns, ew) = (if lat < 0 { 'S' } else { 'N' }, if lon < 0 { 'W' } else { 'E' });
        self.folder.join(format!("{ns}{:02}{ew}{:03}.hgt", lat.abs(), lon.abs()))
    }

    /// Whether a tile is loaded for a longitude and latitude.
    pub(crate) fn covers(&self, [lon, lat]: [f64; 2]) -> bool {
        self.path(lat.floor() as i32, lon.floor() as i32).is_file()
    }

    /// Number of tiles.
    pub(crate) fn count(&self) -> usize {
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

    /// Heights within `reach` metres of the frame's origin, `spacing` metres apart: flat where no tile is loaded.
    pub(crate) fn terrain(&self, frame: &LocalFrame, reach: f64, spacing: f64) -> Terrain {
        let [lon, lat] = frame.geographic([0.0, 0.0]);
        let mut loaded = Loaded::new();
        let home = (lat.floor() as i32, lon.floor() as i32);
        let Some(tile) = self.load(home.0, home.1) else { return Terrain::flat(reach, 0.0) };
        // Samples per degree of the tile that holds the place; its neighbours are read on the same lattice.
        let steps = (tile.side - 1) as i64;
        loaded.insert(home, Some(tile));
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
            .map(|[x, y]: [f64; 2]| frame.geographic([x * reach, y * reach]));
        let low = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min);
        let high = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max);
        let margin = 3;
        let (x0, x1) =
            ((low(0) * steps as f64).floor() as i64 - margin, (high(0) * steps as f64).ceil() as i64 + margin);
        let (y0, y1) =
            ((low(1) * steps as f64).floor() as i64 - margin, (high(1) * steps as f64).ceil() as i64 + margin);
        let mut window =
            Window { x0, y0, columns: (x1 - x0 + 1) as usize, rows: (y1 - y0 + 1) as usize, heights: Vec::new() };
        for y in y0..=y1 {
            for x in x0..=x1 {
                window.heights.push(self.sample(&mut loaded, x, y, steps));
            }
        }
        if !window.fill_voids() {
            return Terrain::flat(reach, 0.0);
        }
        let count = (2.0 * reach / spacing).ceil() as usize + 1;
        let min = -spacing * (count - 1) as f64 / 2.0;
        let at = |x: f64, y: f64| {
            let [lon, lat] = frame.geographic([x, y]);
            window.height(lon * steps as f64, lat * steps as f64)
        };
        let datum = at(0.0, 0.0);
        let mut heights = Vec::with_capacity(count * count);
        for j in 0..count {
            for i in 0..count {
                heights.push((at(min + i as f64 * spacing, min + j as f64 * spacing) - datum) as f32);
            }
        }
        Terrain { min: [min, min], spacing, columns: count, rows: count, heights, datum, known: true }
    }

    /// Height at a lattice point counted in samples from 0° N 0° E; none where unknown.
    fn sample(&self, loaded: &mut Loaded, x: i64, y: i64, steps: i64) -> Option<f32> {
        // A point on a seam belongs to both tiles; whichever has it serves.
        for (lon, lat) in [
            (x.div_euclid(steps), y.div_euclid(steps)),
            ((x - 1).div_euclid(steps), y.div_euclid(steps)),
            (x.div_euclid(steps), (y - 1).div_euclid(steps)),
            ((x - 1).div_euclid(steps), (y - 1).div_euclid(steps)),
        ] {
            let key = (lat as i32, lon as i32);
            let tile = loaded.entry(key).or_insert_with(|| self.load(key.0, key.1));
            let Some(tile) = tile else { continue };
            let scale = (tile.side - 1) as f64 / steps as f64;
            let column = ((x - lon * steps) as f64 * scale).round() as usize;
            let row = tile.side - 1 - (((y - lat * steps) as f64 * scale).round() as usize).min(tile.side - 1);
            let height = tile.samples[row * tile.side + column.min(tile.side - 1)];
            if height != VOID {
                return Some(f32::from(height));
            }
        }
        None
    }
}

/// Samples around a place, counted from the south-west.
struct Window {
    x0: i64,
    y0: i64,
    columns: usize,
    rows: usize,
    heights: Vec<Option<f32>>,
}

impl Window {
    /// Fills what is unknown as a soap film would span it; false where nothing is known.
    fn fill_voids(&mut self) -> bool {
        let known: Vec<f32> = self.heights.iter().copied().flatten().collect();
        if known.is_empty() {
            return false;
        }
        let holes: Vec<usize> = (0..self.heights.len()).filter(|i| self.heights[*i].is_none()).collect();
        if holes.is_empty() {
            return true;
        }
        // First guess: known heights spread ring by ring into the hole; then relaxed to a smooth surface.
        let mut open = holes.clone();
        while !open.is_empty() {
            let mut spread = Vec::new();
            for &i in &open {
                let near: Vec<f32> = self.neighbours(i).filter_map(|n| self.heights[n]).collect();
                if !near.is_empty() {
                    spread.push((i, near.iter().sum::<f32>() / near.len() as f32));
                }
            }
            for (i, height) in &spread {
                self.heights[*i] = Some(*height);
            }
            open.retain(|i| self.heights[*i].is_none());
        }
        for _ in 0..200 {
            for &i in &holes {
                let (sum, n) =
                    self.neighbours(i).filter_map(|n| self.heights[n]).fold((0.0, 0), |(s, n), h| (s + h, n + 1));
                self.heights[i] = Some(sum / n.max(1) as f32);
            }
        }
        true
    }

    fn neighbours(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let (x, y, columns, rows) = (i % self.columns, i / self.columns, self.columns, self.rows);
        let west = (x > 0).then(|| i - 1);
        let east = (x + 1 < columns).then_some(i + 1);
        let south = (y > 0).then(|| i - columns);
        let north = (y + 1 < rows).then_some(i + columns);
        [west, east, south, north].into_iter().flatten()
    }

    /// Height at a point in samples, by Catmull-Rom's cubic in both directions.
    fn height(&self, x: f64, y: f64) -> f64 {
        let (fx, fy) = (x - self.x0 as f64, y - self.y0 as f64);
        let (i, j) = (fx.floor() as i64, fy.floor() as i64);
        let (wx, wy) = (catmull_rom(fx - fx.floor()), catmull_rom(fy - fy.floor()));
        let at = |i: i64, j: i64| {
            let (i, j) = (i.clamp(0, self.columns as i64 - 1) as usize, j.clamp(0, self.rows as i64 - 1) as usize);
            f64::from(self.heights[j * self.columns + i].unwrap_or(0.0))
        };
        let mut sum = 0.0;
        for (b, wy) in wy.iter().enumerate() {
            for (a, wx) in wx.iter().enumerate() {
                sum += wx * wy * at(i + a as i64 - 1, j + b as i64 - 1);
            }
        }
        sum
    }
}

pub(crate) fn catmull_rom(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1.0, -1.5 * t3 + 2.0 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::GeoPoint;

    fn write_tile(folder: &Path, name: &str, height: impl Fn(usize, usize) -> i16) {
        let mut bytes = Vec::new();
        for row in 0..1201 {
            for column in 0..1201 {
                bytes.extend_from_slice(&height(column, 1200 - row).to_be_bytes());
            }
        }
        std::fs::write(folder.join(name), bytes).unwrap();
    }

    #[test]
    fn a_slope_across_a_tile_seam_stays_a_slope_and_voids_are_bridged() {
        let folder = tempfile::tempdir().unwrap();
        // One metre a sample to the east, through both tiles; a hole right at the place.
        write_tile(folder.path(), "N46E010.hgt", |x, y| {
            if (1195..1198).contains(&x) && (598..603).contains(&y) { VOID } else { x as i16 }
        });
        write_tile(folder.path(), "N46E011.hgt", |x, _| 1200 + x as i16);
        let tiles = Tiles::new(folder.path().to_owned());
        let frame = LocalFrame::new(GeoPoint { lat: 46.5, lon: 11.0 });
        let terrain = tiles.terrain(&frame, 900.0, 30.0);
        assert!(terrain.known);
        assert!((terrain.datum - 1200.0).abs() < 0.2, "{}", terrain.datum);
        let metres_a_sample = frame.local(11.0 + 1.0 / 1200.0, 46.5)[0];
        for x in [-800.0, -330.0, -20.0, 450.0, 800.0] {
            let (got, want) = (terrain.height([x, 10.0]), x / metres_a_sample);
            assert!((got - want).abs() < 0.3, "{got} at {x}, not {want}");
        }
    }

    #[test]
    fn a_place_without_a_tile_is_flat_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let tiles = Tiles::new(folder.path().to_owned());
        let frame = LocalFrame::new(GeoPoint { lat: -33.5, lon: -70.2 });
        assert!(!tiles.covers([-70.2, -33.5]));
        assert!(!tiles.terrain(&frame, 900.0, 30.0).known);
    }
}
