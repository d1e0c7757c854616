//! Aerial imagery: imported files and online sources, resampled to a grid on the ground.
//!
//! Imagery is in the folder `imagery` of the pack, one MBTiles file (1.3) per source in web Mercator, readable by any
//! GIS. Tiles are JPEG if fully covered, else PNG with unknown pixels transparent. Online sources fill the remaining
//! holes.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use aerie_sources::Sources;

use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::interpolation::{catmull_rom, mitchell};
use crate::mercator::{CIRCUMFERENCE, mercator};
use crate::place::GeoPoint;
use crate::tiles::tile::Tile;
use crate::tiles::xyz::Xyz;
use crate::tiles::{TileSource, mbtiles};

/// Number of decoded tiles cached: 64 MiB if all have the maximum size.
const KEPT: usize = 64;
/// Side of the blocks in which a picture is resampled, pixels. Within a block, positions are linear to a millimeter.
const BLOCK: usize = 64;
/// With more tile pixels than this per output pixel, several are averaged.
const COARSER: f64 = 1.5;
/// Number of coarser zooms to try for holes.
const FALLBACKS: usize = 2;
/// With fewer tile pixels than this per output pixel, a smoother filter hides their edges.
const ENLARGED: f64 = 0.6;

/// A picture of the ground from straight above.
#[derive(Debug, Clone, PartialEq)]
pub struct Orthophoto {
    /// Width, pixels.
    pub width: usize,
    /// Height, pixels.
    pub height: usize,
    /// sRGB, and 255 where the pixel is known or 0 where not; row by row.
    pub rgba: Vec<u8>,
    /// Attributions, worded as required.
    pub attributions: Vec<String>,
    /// Resolution of the coarsest imagery in it, meters per pixel.
    pub resolution: f64,
}

impl Orthophoto {
    /// Share of its pixels that are known.
    #[must_use]
    pub fn known(&self) -> f64 {
        let known = self.rgba.chunks_exact(4).filter(|p| p[3] > 127).count();
        known as f64 / (self.width * self.height).max(1) as f64
    }
}

/// Georeference of a picture: `east = a x + b y + c` and `north = d x + e y + f` in local meters, for `[a, b, c, d, e,
/// f]`. The center of pixel `(0, 0)` is at `(0.5, 0.5)`.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    /// Origin of the local frame.
    pub origin: GeoPoint,
    /// The six coefficients.
    pub to_local: [f64; 6],
    /// Width, pixels.
    pub width: usize,
    /// Height, pixels.
    pub height: usize,
}

impl Grid {
    /// Meters per pixel.
    fn pixel(&self) -> f64 {
        let m = self.to_local;
        (m[0] * m[4] - m[1] * m[3]).abs().sqrt()
    }

    fn local(&self, x: f64, y: f64) -> [f64; 2] {
        let m = self.to_local;
        [m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]]
    }
}

/// Resamples the imagery of a folder to a grid, and fills holes from `online` sources, cached in the folder `cache`;
/// `None` if there is none. Finer files take precedence over coarser ones; sources are used in the order of their
/// names.
pub(crate) fn resample(
    folder: &Path,
    cache: &Path,
    online: &Sources,
    grid: &Grid,
) -> Result<Option<Orthophoto>, GeodataError> {
    let frame = LocalFrame::new(grid.origin);
    let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
        .map(|(u, v)| frame.geographic(grid.local(u * grid.width as f64, v * grid.height as f64)));
    let mut out = Orthophoto {
        width: grid.width,
        height: grid.height,
        rgba: vec![0; grid.width * grid.height * 4],
        attributions: Vec::new(),
        resolution: 0.0,
    };
    let mut fill = |source: &dyn TileSource| -> Result<bool, GeodataError> {
        if !source.meets(&corners) {
            return Ok(false);
        }
        for zoom in zooms(source, grid) {
            let mut sampler = Sampler::new(source, zoom, grid);
            if sampler.fill(grid, &frame, &mut out)? {
                out.resolution = out.resolution.max(sampler.meters);
                let credit = source.attribution().to_owned();
                if !out.attributions.contains(&credit) && !credit.is_empty() {
                    out.attributions.push(credit);
                }
            }
            if out.rgba.iter().skip(3).step_by(4).all(|a| *a == 255) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let mut is_whole = false;
    for source in mbtiles::all(folder)? {
        is_whole = is_whole || fill(&source)?;
    }
    for (name, source) in &online.imagery {
        // A source that is not needed is not even opened.
        is_whole = is_whole || fill(&Xyz::open(cache, name, source, &online.agent())?)?;
    }
    Ok((out.resolution > 0.0).then_some(out))
}

/// Meters on the ground per pixel of a source at a zoom.
fn meters(source: &dyn TileSource, zoom: u32, grid: &Grid) -> f64 {
    CIRCUMFERENCE * grid.origin.lat.to_radians().cos() / (f64::from(source.side()) * f64::from(zoom).exp2())
}

/// The coarsest zoom that is as fine as a grid, then coarser ones for its holes.
fn zooms(source: &dyn TileSource, grid: &Grid) -> Vec<u32> {
    let all = source.zooms();
    let fits = all.iter().position(|zoom| meters(source, *zoom, grid) <= grid.pixel() * 1.01);
    let best = fits.unwrap_or(all.len().saturating_sub(1));
    all.iter().take(best + 1).rev().take(1 + FALLBACKS).copied().collect()
}

/// Samples one source at one zoom.
struct Sampler<'a> {
    source: &'a dyn TileSource,
    zoom: u32,
    /// Width of the whole world, pixels.
    world: f64,
    /// Meters on the ground per pixel.
    meters: f64,
    /// Side of the square of pixels that are averaged for one.
    averaged: usize,
    /// Whether a tile pixel covers several output pixels.
    enlarged: bool,
    kept: HashMap<(i64, i64), Option<Rc<Tile>>>,
    /// The tile used last, and its column and row.
    last: ((i64, i64), Option<Rc<Tile>>),
    /// Bounds of the source, pixels: west, north, east, south.
    within: [f64; 4],
}

impl<'a> Sampler<'a> {
    fn new(source: &'a dyn TileSource, zoom: u32, grid: &Grid) -> Self {
        let meters = meters(source, zoom, grid);
        let world = f64::from(source.side()) * f64::from(zoom).exp2();
        let ratio = grid.pixel() / meters;
        let averaged = if ratio > COARSER { ratio.ceil() as usize } else { 1 };
        let [west, south, east, north] = source.bounds();
        let (low, high) = (mercator([west, north]), mercator([east, south]));
        let within = [low[0] * world, low[1] * world, high[0] * world, high[1] * world];
        Self {
            source,
            zoom,
            world,
            meters,
            averaged,
            enlarged: ratio < ENLARGED,
            kept: HashMap::new(),
            last: ((i64::MIN, i64::MIN), None),
            within,
        }
    }

    /// Fills pixels that are not known yet; returns whether there were any.
    fn fill(&mut self, grid: &Grid, frame: &LocalFrame, out: &mut Orthophoto) -> Result<bool, GeodataError> {
        let mut any = false;
        for top in (0..grid.height).step_by(BLOCK) {
            for left in (0..grid.width).step_by(BLOCK) {
                let corner = |x: usize, y: usize| {
                    mercator(frame.geographic(grid.local((left + x) as f64, (top + y) as f64))).map(|v| v * self.world)
                };
                let corners = [corner(0, 0), corner(BLOCK, 0), corner(0, BLOCK), corner(BLOCK, BLOCK)];
                for y in 0..BLOCK.min(grid.height - top) {
                    for x in 0..BLOCK.min(grid.width - left) {
                        let at = ((top + y) * grid.width + left + x) * 4;
                        if out.rgba[at + 3] == 255 {
                            continue;
                        }
                        if let Some(rgb) = self.pixel(&corners, x as f64, y as f64)? {
                            out.rgba[at..at + 3].copy_from_slice(&rgb.map(|v| v.round().clamp(0.0, 255.0) as u8));
                            out.rgba[at + 3] = 255;
                            any = true;
                        }
                    }
                }
            }
        }
        Ok(any)
    }

    fn pixel(&mut self, corners: &[[f64; 2]; 4], x: f64, y: f64) -> Result<Option<[f32; 3]>, GeodataError> {
        let place = |x: f64, y: f64| {
            let (u, v) = (x / BLOCK as f64, y / BLOCK as f64);
            [0, 1].map(|i| {
                (corners[0][i] * (1.0 - u) + corners[1][i] * u) * (1.0 - v)
                    + (corners[2][i] * (1.0 - u) + corners[3][i] * u) * v
            })
        };
        let middle = place(x + 0.5, y + 0.5);
        if !self.knows(middle) {
            return Ok(None);
        }
        if self.averaged == 1 {
            return self.interpolated(middle);
        }
        let n = self.averaged;
        let (mut sum, mut count) = ([0.0_f32; 3], 0.0_f32);
        for j in 0..n {
            for i in 0..n {
                let step = |k: usize| (k as f64 + 0.5) / n as f64;
                if let Some(p) = self.nearest(place(x + step(i), y + step(j)))? {
                    count += 1.0;
                    (0..3).for_each(|c| sum[c] += f32::from(p[c]));
                }
            }
        }
        Ok((count > 0.0).then(|| sum.map(|v| v / count)))
    }

    fn knows(&self, [x, y]: [f64; 2]) -> bool {
        let [west, north, east, south] = self.within;
        x >= west && x < east && y >= north && y < south
    }

    fn nearest(&mut self, [x, y]: [f64; 2]) -> Result<Option<[u8; 3]>, GeodataError> {
        self.texel(x.floor() as i64, y.floor() as i64)
    }

    /// Interpolates by Catmull-Rom, which preserves edges, or where much enlarged by Mitchell, which does not ring;
    /// takes the nearest pixel where a neighbor is unknown.
    fn interpolated(&mut self, [x, y]: [f64; 2]) -> Result<Option<[f32; 3]>, GeodataError> {
        let Some(near) = self.nearest([x, y])? else { return Ok(None) };
        let (fx, fy) = (x - 0.5, y - 0.5);
        let weights = if self.enlarged { mitchell } else { catmull_rom };
        let (wx, wy) = (weights(fx - fx.floor()), weights(fy - fy.floor()));
        let mut sum = [0.0_f32; 3];
        for (j, wy) in wy.iter().enumerate() {
            for (i, wx) in wx.iter().enumerate() {
                let texel = self.texel(fx.floor() as i64 + i as i64 - 1, fy.floor() as i64 + j as i64 - 1)?;
                let Some(texel) = texel else { return Ok(Some(near.map(f32::from))) };
                let weight = (wx * wy) as f32;
                (0..3).for_each(|c| sum[c] += weight * f32::from(texel[c]));
            }
        }
        Ok(Some(sum))
    }

    /// A pixel, counted from the north-west corner of the world; `None` where unknown.
    fn texel(&mut self, x: i64, y: i64) -> Result<Option<[u8; 3]>, GeodataError> {
        let side = i64::from(self.source.side());
        let key = (x.div_euclid(side), y.div_euclid(side));
        if self.last.0 != key {
            let tile = match self.kept.get(&key) {
                Some(tile) => tile.clone(),
                None => {
                    if self.kept.len() >= KEPT {
                        self.kept.clear();
                    }
                    let tile = self.source.tile(self.zoom, key.0, key.1)?.map(Rc::new);
                    self.kept.insert(key, tile.clone());
                    tile
                }
            };
            self.last = (key, tile);
        }
        let Some(tile) = &self.last.1 else { return Ok(None) };
        Ok(tile.texel(x.rem_euclid(side) as usize, y.rem_euclid(side) as usize))
    }
}
