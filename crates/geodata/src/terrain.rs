//! Terrain heights around a place: imported rasters, finest first, then SRTM tiles, then online tiles for the remaining
//! holes.

mod fine;
mod lattice;
mod srtm;
pub mod terrarium;

use std::path::{Path, PathBuf};

use aerie_sources::Sources;

use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::mercator::CIRCUMFERENCE;
use crate::place::{GeoPoint, Terrain};
use crate::tiles::xyz::Xyz;
use crate::tiles::{TileSource, mbtiles};
use lattice::{Grid, Sheet};
use terrarium::Terrarium;

/// Attribution where SRTM tiles are used.
pub(crate) const SRTM_CREDIT: &str = "SRTM: NASA/USGS";
/// Number of samples over which a source fades into the one below it.
const FADE: u32 = 8;
/// Tiles are read at the coarsest zoom whose pixels are this many times finer than the grid.
const FINER: f64 = 1.5;
/// Number of coarser zooms to try for holes.
const FALLBACKS: usize = 2;
/// The ground counts as known if a height is known within this distance of the property, meters.
const NEAR: f64 = 150.0;
/// Otherwise, the minimum share of the grid for which heights must be known; a gap at the property is then
/// interpolated.
const MOSTLY: f64 = 0.25;

/// The elevation data of a pack.
#[derive(Debug)]
pub struct Relief {
    folder: PathBuf,
    srtm: srtm::Tiles,
}

/// The ground around a place.
pub(crate) struct Ground {
    pub(crate) terrain: Terrain,
    /// Attributions of the sources used.
    pub(crate) credits: Vec<String>,
    /// Online sources that were not available, a sentence each.
    pub(crate) missed: Vec<String>,
}

impl Relief {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { srtm: srtm::Tiles::new(folder.clone()), folder }
    }

    /// Whether imported elevation covers a longitude and latitude.
    pub fn covers(&self, at: [f64; 2]) -> bool {
        self.srtm.covers(at) || mbtiles::all(&self.folder).is_ok_and(|all| all.iter().any(|source| knows(source, at)))
    }

    /// Number of files: SRTM tiles and rasters.
    pub(crate) fn count(&self) -> usize {
        self.srtm.count() + mbtiles::all(&self.folder).map_or(0, |all| all.len())
    }

    /// Heights within `reach` meters of the frame's origin, `spacing` meters apart; flat where nothing is known. Tiles
    /// of online sources are cached in `cache`. A source that does not answer is skipped and reported in
    /// [`Ground::missed`].
    pub(crate) fn ground(
        &self,
        frame: &LocalFrame,
        reach: f64,
        spacing: f64,
        online: &Sources,
        cache: &Path,
    ) -> Result<Ground, GeodataError> {
        let grid = Grid::new(reach, spacing);
        let mut pile = Pile { sheets: Vec::new(), open: vec![true; grid.len()], credits: Vec::new() };
        for source in mbtiles::all(&self.folder)? {
            pile.lay_tiles(&source, frame, &grid)?;
        }
        if pile.is_open()
            && let Some(mut tiles) = self.srtm.around(frame.geographic([0.0, 0.0]))
            && let Some(sheet) = lattice::sheet(&mut tiles, frame, &grid)?
        {
            pile.lay(sheet, SRTM_CREDIT);
        }
        let mut missed = Vec::new();
        for (name, source) in &online.terrain {
            if pile.is_open()
                && let Err(error) =
                    Xyz::open(cache, name, source, &online.agent()).and_then(|s| pile.lay_tiles(&s, frame, &grid))
            {
                match error {
                    GeodataError::Source { name, why } => {
                        missed.push(format!("The elevation source \"{name}\" was not available: {why}."));
                    }
                    other => return Err(other),
                }
            }
        }
        let credits = std::mem::take(&mut pile.credits);
        Ok(Ground { terrain: pile.terrain(reach, &grid), credits, missed })
    }

    /// Whether an online source covers a longitude and latitude.
    pub fn covers_online(at: [f64; 2], online: &Sources, cache: &Path) -> bool {
        online
            .terrain
            .iter()
            .any(|(name, source)| Xyz::open(cache, name, source, &online.agent()).is_ok_and(|s| knows(&s, at)))
    }
}

/// Whether a source has a height at a longitude and latitude.
fn knows(source: &dyn TileSource, at: [f64; 2]) -> bool {
    use lattice::Lattice as _;
    let frame = LocalFrame::new(GeoPoint { lat: at[1], lon: at[0] });
    source.meets(&[at])
        && zooms(source, &frame, 30.0).into_iter().any(|zoom| {
            let mut tiles = Terrarium::new(source, zoom);
            let [x, y] = tiles.position(at);
            matches!(tiles.sample(x.round() as i64, y.round() as i64), Ok(Some(_)))
        })
}

/// The coarsest zoom that is fine enough for the grid, then coarser ones for its holes.
fn zooms(source: &dyn TileSource, frame: &LocalFrame, spacing: f64) -> Vec<u32> {
    let [_, lat] = frame.geographic([0.0, 0.0]);
    let meters =
        |zoom: u32| CIRCUMFERENCE * lat.to_radians().cos() / (f64::from(source.side()) * f64::from(zoom).exp2());
    let all = source.zooms();
    let fits = all.iter().position(|zoom| meters(*zoom) * FINER <= spacing);
    let best = fits.unwrap_or(all.len().saturating_sub(1));
    all.iter().take(best + 1).rev().take(1 + FALLBACKS).copied().collect()
}

/// Sheets in order of priority, the highest first.
struct Pile {
    sheets: Vec<Sheet>,
    /// Whether each sample is unknown to all of them.
    open: Vec<bool>,
    credits: Vec<String>,
}

impl Pile {
    fn is_open(&self) -> bool {
        self.open.iter().any(|open| *open)
    }

    fn lay_tiles(&mut self, source: &dyn TileSource, frame: &LocalFrame, grid: &Grid) -> Result<(), GeodataError> {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
            .map(|[x, y]: [f64; 2]| frame.geographic([x * grid.min, y * grid.min]));
        if !source.meets(&corners) {
            return Ok(());
        }
        for zoom in zooms(source, frame, grid.spacing) {
            if !self.is_open() {
                break;
            }
            if let Some(sheet) = lattice::sheet(&mut Terrarium::new(source, zoom), frame, grid)? {
                self.lay(sheet, source.attribution());
            }
        }
        Ok(())
    }

    /// Adds a sheet below the others, if it has samples that they lack.
    fn lay(&mut self, sheet: Sheet, credit: &str) {
        let mut shows = false;
        for (open, known) in self.open.iter_mut().zip(&sheet.known) {
            shows |= *open && *known;
            *open &= !*known;
        }
        if shows {
            self.sheets.push(sheet);
            if !credit.is_empty() && !self.credits.iter().any(|c| c == credit) {
                self.credits.push(credit.to_owned());
            }
        }
    }

    /// Merges the sheets into one surface: each fades into those below it toward its edge, and gaps are interpolated.
    fn terrain(self, reach: f64, grid: &Grid) -> Terrain {
        let near = |[x, y]: [f64; 2]| x.hypot(y) <= NEAR;
        let known_near = grid.points().zip(&self.open).any(|(at, open)| near(at) && !open);
        let known = self.open.iter().filter(|open| !**open).count();
        let mut sheets = self.sheets.into_iter().rev();
        let bottom = sheets.next().filter(|_| known_near || known as f64 >= MOSTLY * grid.len() as f64);
        let Some(bottom) = bottom else { return Terrain::flat(reach, 0.0) };
        let mut heights = bottom.heights;
        let mut laid = bottom.known;
        for sheet in sheets {
            let depth = depths(&sheet.known, grid.count);
            for i in 0..heights.len() {
                if !sheet.known[i] {
                    continue;
                }
                let t = if laid[i] { f64::from(depth[i].min(FADE)) / f64::from(FADE) } else { 1.0 };
                heights[i] += (sheet.heights[i] - heights[i]) * t * t * (3.0 - 2.0 * t);
            }
            laid.iter_mut().zip(&sheet.known).for_each(|(laid, known)| *laid |= known);
        }
        if laid.iter().any(|laid| !laid) {
            let mut open: Vec<Option<f32>> =
                heights.iter().zip(&laid).map(|(height, laid)| laid.then_some(*height as f32)).collect();
            lattice::fill_voids(&mut open, grid.count);
            for ((height, laid), filled) in heights.iter_mut().zip(&laid).zip(open) {
                if !laid {
                    *height = f64::from(filled.unwrap_or(0.0));
                }
            }
        }
        // With an even number of samples, none lies at the origin.
        let middle = [(grid.count - 1) / 2, grid.count / 2];
        let corners = middle.iter().flat_map(|j| middle.iter().map(move |i| j * grid.count + i));
        let datum = corners.map(|i| heights[i]).sum::<f64>() / 4.0;
        Terrain {
            min: [grid.min, grid.min],
            spacing: grid.spacing,
            columns: grid.count,
            rows: grid.count,
            heights: heights.iter().map(|h| (h - datum) as f32).collect(),
            datum,
            known: true,
            near: None,
        }
    }
}

/// Distance in samples to the nearest unknown one, at most [`FADE`]; the grid's own edge does not count.
fn depths(known: &[bool], columns: usize) -> Vec<u32> {
    let rows = known.len() / columns;
    let mut depths: Vec<u32> = known.iter().map(|known| if *known { FADE } else { 0 }).collect();
    for depth in 0..FADE {
        let edge: Vec<usize> = (0..known.len()).filter(|i| depths[*i] == depth).collect();
        for i in edge {
            for n in lattice::neighbors(i, columns, rows) {
                depths[n] = depths[n].min(depth + 1);
            }
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_tile(folder: &Path, name: &str, height: impl Fn(usize, usize) -> i16) {
        let mut bytes = Vec::new();
        for row in 0..1201 {
            for column in 0..1201 {
                bytes.extend_from_slice(&height(column, 1200 - row).to_be_bytes());
            }
        }
        std::fs::write(folder.join(name), bytes).unwrap();
    }

    fn ground(folder: &Path, frame: &LocalFrame) -> Ground {
        let relief = Relief::new(folder.to_owned());
        relief.ground(frame, 900.0, 30.0, &Sources::default(), folder).unwrap()
    }

    #[test]
    fn a_slope_across_a_tile_seam_stays_a_slope_and_voids_are_bridged() {
        let folder = tempfile::tempdir().unwrap();
        // Rises eastward by one meter per sample across both tiles, with a hole at the place itself.
        write_tile(folder.path(), "N46E010.hgt", |x, y| {
            if (1195..1198).contains(&x) && (598..603).contains(&y) { srtm::VOID } else { x as i16 }
        });
        write_tile(folder.path(), "N46E011.hgt", |x, _| 1200 + x as i16);
        let frame = LocalFrame::new(GeoPoint { lat: 46.5, lon: 11.0 });
        let Ground { terrain, credits, .. } = ground(folder.path(), &frame);
        assert!(terrain.known);
        assert_eq!(credits, [SRTM_CREDIT]);
        assert!((terrain.datum - 1200.0).abs() < 0.2, "{}", terrain.datum);
        let meters_a_sample = frame.local(11.0 + 1.0 / 1200.0, 46.5)[0];
        for x in [-800.0, -330.0, -20.0, 450.0, 800.0] {
            let (got, want) = (terrain.height([x, 10.0]), x / meters_a_sample);
            assert!((got - want).abs() < 0.3, "{got} at {x}, not {want}");
        }
    }

    #[test]
    fn a_place_without_a_tile_is_flat_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let frame = LocalFrame::new(GeoPoint { lat: -33.5, lon: -70.2 });
        assert!(!Relief::new(folder.path().to_owned()).covers([-70.2, -33.5]));
        let ground = ground(folder.path(), &frame);
        assert!(!ground.terrain.known && ground.credits.is_empty());
    }

    #[test]
    fn one_source_fades_into_the_one_under_it_and_what_none_knows_is_bridged() {
        let grid = Grid::new(600.0, 30.0);
        let sheet = |height: f64, known: &dyn Fn(f64) -> bool| Sheet {
            heights: vec![height; grid.len()],
            known: grid.points().map(|[x, _]| known(x)).collect(),
        };
        let mut pile = Pile { sheets: Vec::new(), open: vec![true; grid.len()], credits: Vec::new() };
        pile.lay(sheet(110.0, &|x| x < 0.0), "fine");
        pile.lay(sheet(100.0, &|x| x < 500.0), "coarse");
        pile.lay(sheet(900.0, &|x| x < -300.0), "never seen");
        assert_eq!(pile.credits, ["fine", "coarse"]);
        let terrain = pile.terrain(600.0, &grid);
        let at = |x: f64| terrain.height([x, 0.0]) + terrain.datum;
        assert!((at(-500.0) - 110.0).abs() < 0.01 && (at(200.0) - 100.0).abs() < 0.01);
        assert!((at(580.0) - 100.0).abs() < 0.01, "{} where nobody knows", at(580.0));
        for x in (-600..600).step_by(30) {
            assert!((at(f64::from(x)) - at(f64::from(x) + 30.0)).abs() < 2.5, "no step at {x}");
        }
    }
}
