//! Writes measured ground as tiles of heights.

use std::path::Path;

use aerie_lidar::ground::GroundGrid;
use image::RgbaImage;
use rusqlite::Connection;

use crate::error::ImportError;
use crate::projection::Projection;
use crate::raster::elevation::{overview, pixel};
use crate::raster::layout::{SIDE, put};

/// Zoom of the finest tiles: 0.6 to 1.2 m per pixel where people live.
const ZOOM: i32 = 17;
/// Coarsest zoom derived from it, whose pixels are about as far apart as the samples of the far ground.
const COARSEST: i32 = 11;
/// Steps along a tile's side between which positions are interpolated.
const STEPS: usize = 8;

/// Tiles of the ground of one file.
pub(super) struct GroundTiles {
    db: Connection,
    /// West, south, east and north of the tiles, degrees.
    bounds: Option<[f64; 4]>,
}

/// Longitude and latitude of a position in tiles, from the west and the north.
fn degrees([x, y]: [f64; 2]) -> [f64; 2] {
    let count = f64::from(ZOOM).exp2();
    let lat = (std::f64::consts::PI * (1.0 - 2.0 * y / count)).sinh().atan().to_degrees();
    [x / count * 360.0 - 180.0, lat]
}

/// The position in tiles of a longitude and latitude.
fn tile_of([lon, lat]: [f64; 2]) -> [f64; 2] {
    let count = f64::from(ZOOM).exp2();
    let y = (lat.to_radians().tan().asinh() / std::f64::consts::PI).mul_add(-0.5, 0.5);
    [(lon + 180.0) / 360.0 * count, y * count]
}

impl GroundTiles {
    /// An empty file of tiles.
    pub(super) fn create(file: &Path) -> Result<Self, ImportError> {
        let db = Connection::open(file)?;
        crate::raster::mbtiles::create(&db)?;
        db.execute_batch("BEGIN")?;
        Ok(Self { db, bounds: None })
    }

    /// Adds the ground of a block; `corners`: its corners, longitude and latitude. Heights of the grid are in meters.
    pub(super) fn add(
        &mut self,
        grid: &GroundGrid,
        projection: &mut Projection<'_>,
        (corners, unit): ([[f64; 2]; 4], f64),
    ) -> Result<(), ImportError> {
        let tiles = corners.map(tile_of);
        let reach = |axis: usize| {
            let values = tiles.map(|tile| tile[axis]);
            let low = values.iter().copied().fold(f64::INFINITY, f64::min).floor() as i64;
            low..=values.iter().copied().fold(f64::NEG_INFINITY, f64::max).floor() as i64
        };
        let mut near = grid.origin().map(|v| v / unit);
        for y in reach(1) {
            for x in reach(0) {
                let mut lattice = Vec::with_capacity((STEPS + 1) * (STEPS + 1));
                for j in 0..=STEPS {
                    for i in 0..=STEPS {
                        let share = |k: usize| k as f64 / STEPS as f64;
                        near = projection.position(degrees([x as f64 + share(i), y as f64 + share(j)]), near)?;
                        lattice.push(near.map(|v| v * unit));
                    }
                }
                self.add_tile(grid, [x, y], &lattice)?;
            }
        }
        let west_south = [0, 1].map(|axis| corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min));
        let east_north = [0, 1].map(|axis| corners.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max));
        let own = [west_south[0], west_south[1], east_north[0], east_north[1]];
        self.bounds = Some(self.bounds.map_or(own, |all| aerie_geodata::gpkg::joined(all, own)));
        Ok(())
    }

    /// Adds what a grid knows of a tile to what others do.
    fn add_tile(&self, grid: &GroundGrid, [x, y]: [i64; 2], lattice: &[[f64; 2]]) -> Result<(), ImportError> {
        let at = |i: u32, j: u32| {
            let [fx, fy] = [i, j].map(|k| (f64::from(k) + 0.5) / SIDE as f64 * STEPS as f64);
            let (a, b) = (fx as usize, fy as usize);
            let (u, v) = (fx - a as f64, fy - b as f64);
            let corner = |a: usize, b: usize| lattice[b * (STEPS + 1) + a];
            [0, 1].map(|axis| {
                let north = corner(a, b)[axis] * (1.0 - u) + corner(a + 1, b)[axis] * u;
                let south = corner(a, b + 1)[axis] * (1.0 - u) + corner(a + 1, b + 1)[axis] * u;
                north * (1.0 - v) + south * v
            })
        };
        let earlier = crate::raster::elevation::stored(&self.db, ZOOM, x, y)?;
        let mut picture = earlier.unwrap_or_else(|| RgbaImage::new(SIDE as u32, SIDE as u32));
        for (i, j, value) in picture.enumerate_pixels_mut() {
            if value.0[3] == 0 {
                *value = pixel(grid.height(at(i, j)).map(|height| height as f32));
            }
        }
        put(&self.db, ZOOM, x, y, &picture)
    }

    /// Derives the coarser tiles and completes the file; `false` if it holds nothing.
    pub(super) fn finish(self, file: &Path, name: &str, attribution: &str) -> Result<bool, ImportError> {
        let tiles: i64 = self.db.query_row("SELECT count(*) FROM tiles", [], |row| row.get(0))?;
        let Some(bounds) = self.bounds.filter(|_| tiles > 0) else { return Ok(false) };
        for coarser in (COARSEST..ZOOM).rev() {
            overview(&self.db, coarser)?;
        }
        let bounds = bounds.map(|edge| format!("{edge:.7}")).join(",");
        for (name, value) in [
            ("format", "png".to_owned()),
            ("encoding", "terrarium".to_owned()),
            ("minzoom", COARSEST.to_string()),
            ("maxzoom", ZOOM.to_string()),
            ("bounds", bounds),
        ] {
            self.db.execute("INSERT INTO metadata VALUES (?1, ?2)", [name, &value])?;
        }
        self.db.execute_batch("COMMIT")?;
        self.db.close().map_err(|(_, e)| e)?;
        crate::raster::mbtiles::finish(file, name, attribution)?;
        Ok(true)
    }
}
