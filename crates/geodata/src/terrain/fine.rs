//! The finer ground around the property, where a source has it.

use super::lattice::{self, Grid, Sheet};
use super::terrarium::Terrarium;
use super::{Relief, depths, zooms};
use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::mercator::CIRCUMFERENCE;
use crate::place::{NearGround, Point, Terrain};
use crate::tiles::{TileSource, mbtiles};

/// How far the finer ground reaches from the origin, meters.
const REACH: f64 = 160.0;
/// Meters between its samples.
const SPACING: f64 = 1.0;
/// Maximum size of a source's pixels, meters.
const FINE: f64 = 2.0;
/// Minimum share of the samples that must be known.
const KNOWN: f64 = 0.2;
/// Width of the rim over which it passes into the coarse terrain, meters.
const RIM: f64 = 12.0;

impl Relief {
    /// Finer heights around the origin, with their attributions; `None` where no imported source is fine enough.
    pub(crate) fn near(
        &self,
        frame: &LocalFrame,
        terrain: &Terrain,
    ) -> Result<Option<(NearGround, Vec<String>)>, GeodataError> {
        let grid = Grid::new(REACH, SPACING);
        let mut laid: Option<Sheet> = None;
        let mut credits = Vec::new();
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
            .map(|[x, y]: [f64; 2]| frame.geographic([x * REACH, y * REACH]));
        for source in mbtiles::all(&self.folder)? {
            let Some(zoom) = fine_zoom(&source, frame).filter(|_| source.meets(&corners)) else { continue };
            let Some(sheet) = lattice::sheet(&mut Terrarium::new(&source, zoom), frame, &grid)? else { continue };
            let credit = source.attribution().to_owned();
            let Some(upper) = &mut laid else {
                laid = Some(sheet);
                credits.push(credit);
                continue;
            };
            let mut shows = false;
            for i in 0..upper.known.len() {
                if !upper.known[i] && sheet.known[i] {
                    (upper.known[i], upper.heights[i], shows) = (true, sheet.heights[i], true);
                }
            }
            if shows && !credits.contains(&credit) {
                credits.push(credit);
            }
        }
        let Some(sheet) = laid else { return Ok(None) };
        let known = sheet.known.iter().filter(|known| **known).count();
        if (known as f64) < KNOWN * grid.len() as f64 {
            return Ok(None);
        }
        credits.retain(|credit| !credit.is_empty());
        Ok(Some((joined(&sheet, &grid, terrain), credits)))
    }
}

/// The zoom of a source that suits the grid; `None` where its finest is too coarse.
fn fine_zoom(source: &dyn TileSource, frame: &LocalFrame) -> Option<u32> {
    let zoom = *zooms(source, frame, SPACING).first()?;
    let [_, lat] = frame.geographic([0.0, 0.0]);
    let pixel = CIRCUMFERENCE * lat.to_radians().cos() / (f64::from(source.side()) * f64::from(zoom).exp2());
    (pixel <= FINE).then_some(zoom)
}

/// The sheet's heights, passing into the coarse terrain toward the rim and toward what is unknown.
fn joined(sheet: &Sheet, grid: &Grid, terrain: &Terrain) -> NearGround {
    let depth = depths(&sheet.known, grid.count);
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let height = |(i, at): (usize, Point)| {
        let coarse = terrain.coarse_height(at);
        if !sheet.known[i] {
            return coarse as f32;
        }
        let from_rim = (-grid.min - at[0].abs().max(at[1].abs())) / RIM;
        let from_gap = f64::from(depth[i]) / f64::from(super::FADE);
        let t = smooth(from_rim.clamp(0.0, 1.0)) * smooth(from_gap.clamp(0.0, 1.0));
        (coarse + (sheet.heights[i] - terrain.datum - coarse) * t) as f32
    };
    NearGround {
        min: [grid.min, grid.min],
        spacing: grid.spacing,
        columns: grid.count,
        rows: grid.count,
        heights: grid.points().enumerate().map(height).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fine_ground_joins_the_coarse_one_without_a_step_and_keeps_its_own_heights_inside() {
        let grid = Grid::new(REACH, SPACING);
        let terrain = Terrain { datum: 100.0, known: true, ..Terrain::flat(3000.0, 100.0) };
        let sheet = Sheet {
            heights: grid.points().map(|[x, _]| 104.0 + (x / 5.0).sin()).collect(),
            known: grid.points().map(|[x, y]| x < 60.0 || y < 0.0).collect(),
        };
        let near = joined(&sheet, &grid, &terrain);
        assert!((near.height([10.0, 20.0]).unwrap() - (4.0 + 2.0_f64.sin())).abs() < 1e-4);
        assert_eq!(near.height([-REACH, 3.0]), Some(0.0));
        assert_eq!(near.height([100.0, 50.0]), Some(0.0));
        assert_eq!(near.height([REACH + 1.0, 0.0]), None);
        let steps = (-1590..1590).map(|x| {
            let at = |x: f64| near.height([x, 50.0]).unwrap();
            (at(f64::from(x) / 10.0) - at(f64::from(x) / 10.0 + 0.1)).abs()
        });
        assert!(steps.fold(0.0, f64::max) < 0.11);
    }
}
