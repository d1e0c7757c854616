//! Areas and trees from land cover, for what the map leaves out. Areas lie under all mapped ones.

use aerie_math::rng;
use contour::ContourBuilder;
use geo::{AffineOps, AffineTransform, Simplify};

use super::mask::Mask;
use crate::GeodataError;
use crate::land_cover::{CELL, Class, LandCover};
use crate::place::{Area, AreaKind, Building, Polygon, Property, Tree, TreeKind};

use super::around::Around;
use super::crowns::Surveyed;
use super::property::OWN_PLOT;

/// Trees within this distance of a building stand alone or in groups, not in a wood, meters.
const BESIDE_BUILDINGS: f64 = 20.0;
/// Least size of an area, square meters.
const LEAST: f64 = 300.0;
/// Tolerance of outlines, which are no more exact than the cells, meters.
const TOLERANCE: f64 = 1.5;
/// Share of the tree cells beside buildings that get a tree.
const PLANTED: f64 = 0.8;

/// Beginning of the ids of areas.
const ID: &str = "land-cover/";

/// Kinds of area that a class becomes. Mapped water and buildings are better than cells of 10 m.
const KINDS: [(&[Class], AreaKind); 7] = [
    (&[Class::Crops], AreaKind::Farmland),
    (&[Class::Grass, Class::Moss], AreaKind::Meadow),
    (&[Class::Bare], AreaKind::Sand),
    (&[Class::Snow], AreaKind::Glacier),
    (&[Class::Wetland], AreaKind::Wetland),
    (&[Class::Shrubs], AreaKind::Scrub),
    (&[Class::Trees, Class::Mangroves], AreaKind::Forest),
];

/// What land cover adds to a place.
#[derive(Default)]
pub(super) struct Cover {
    /// Areas, to be laid under the mapped ones.
    pub(super) areas: Vec<Area>,
    /// Middles of cells with trees that stand beside buildings.
    singles: Vec<[f64; 2]>,
    pub(super) credits: Vec<String>,
}

impl Cover {
    pub(super) fn read(
        around: &Around<'_>,
        reach: f64,
        mapped: &[Area],
        buildings: &[Building],
    ) -> Result<Self, GeodataError> {
        let Some(land) = around.pack.land_cover(&around.frame, reach)? else { return Ok(Self::default()) };
        let mut own_trees = Mask::new(reach);
        mapped.iter().filter(|area| has_trees(area.kind)).for_each(|area| own_trees.take_polygon(&area.polygon, 0.0));
        let mut settled = Mask::new(around.radius);
        buildings.iter().for_each(|building| settled.take_polygon(&building.footprint, BESIDE_BUILDINGS));
        let is_beside = |at: [f64; 2]| at[0].hypot(at[1]) < around.radius && settled.is_taken(at);
        let mut cover = Self { credits: land.credits.clone(), ..Self::default() };
        for (classes, kind) in KINDS {
            let is_wood = kind == AreaKind::Forest;
            let mut cells = vec![false; land.side * land.side];
            for (index, cell) in cells.iter_mut().enumerate() {
                let (x, y) = (index % land.side, index / land.side);
                let is_of_kind = land.class(x, y).is_some_and(|class| classes.contains(&class));
                let middle = land.position([x as f64 + 0.5, y as f64 + 0.5]);
                // A mapped wood has its own trees.
                if !is_of_kind || is_wood && own_trees.is_taken(middle) {
                    continue;
                }
                if is_wood && is_beside(middle) {
                    cover.singles.push(middle);
                } else {
                    *cell = true;
                }
            }
            cover.areas.extend(outlines(&land, &cells, kind));
        }
        Ok(cover)
    }

    /// Trees beside buildings, one for most cells that show trees; none near the property.
    pub(super) fn trees(&self, property: &Property, surveyed: &Surveyed, mask: &mut Mask, most: usize) -> Vec<Tree> {
        let mut trees = Vec::new();
        let mut cells: Vec<&[f64; 2]> = self.singles.iter().collect();
        cells.sort_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])));
        for middle in cells {
            let seed = rng::hash(middle[0].to_bits() ^ middle[1].to_bits().rotate_left(17));
            let aside = |salt: u64| (rng::hash_to_unit(seed ^ salt) - 0.5) * (CELL - 2.0);
            let places = [(2, 3), (4, 5), (6, 7)].map(|(x, y)| [middle[0] + aside(x), middle[1] + aside(y)]);
            let is_free = |at: &&[f64; 2]| {
                !mask.is_taken(**at) && !surveyed.covers(**at) && property.footprint.distance(**at) >= OWN_PLOT
            };
            let Some(at) = places.iter().find(is_free).copied() else { continue };
            if trees.len() >= most || rng::hash_to_unit(seed ^ 1) >= PLANTED {
                continue;
            }
            let height = 6.0 + 7.0 * rng::hash_to_unit(seed ^ 9);
            let (kind, crown) = (TreeKind::Broadleaved, height * 0.66);
            mask.take_disc(at, crown * 0.4);
            trees.push(Tree { at, kind, height, crown, seed, mapped: false, measured: false });
        }
        trees
    }
}

/// Kinds of mapped area in which trees are planted anyway.
pub(super) fn has_trees(kind: AreaKind) -> bool {
    use AreaKind as K;
    matches!(kind, K::Forest | K::Scrub | K::Orchard | K::Vineyard | K::Park | K::Cemetery)
}

/// Whether an area comes from land cover.
pub(super) fn is_cover(area: &Area) -> bool {
    area.id.starts_with(ID)
}

/// Rounded outlines of the cells.
fn outlines(land: &LandCover, cells: &[bool], kind: AreaKind) -> Vec<Area> {
    if !cells.contains(&true) {
        return Vec::new();
    }
    let side = land.side;
    let value = |x: i64, y: i64| {
        let inside = |v: i64| usize::try_from(v).ok().filter(|v| *v < side);
        let cell = inside(x).zip(inside(y)).is_some_and(|(x, y)| cells[y * side + x]);
        f64::from(u8::from(cell))
    };
    // Each cell with its neighbors, so that corners become round.
    let smooth: Vec<f64> = (0..side * side)
        .map(|index| {
            let (x, y) = ((index % side) as i64, (index / side) as i64);
            let row = |y: i64| value(x - 1, y) + 2.0 * value(x, y) + value(x + 1, y);
            (row(y - 1) + 2.0 * row(y) + row(y + 1)) / 16.0
        })
        .collect();
    let contours = ContourBuilder::new(side, side, true).contours(&smooth, &[0.5]);
    let contours = contours.expect("there is a value for each cell");
    let [west, south] = land.position([0.0, 0.0]);
    let to_local = AffineTransform::new(CELL, 0.0, west, 0.0, CELL, south);
    let mut areas = Vec::new();
    for contour in contours {
        let (shape, _) = contour.into_inner();
        for polygon in &shape.affine_transform(&to_local).simplify(TOLERANCE) {
            let Some(polygon) = Polygon::from_geo(polygon) else { continue };
            if aerie_math::geometry::signed_area(&polygon.outer).abs() >= LEAST {
                areas.push(Area { id: format!("{ID}{kind:?}/{}", areas.len()), kind, polygon });
            }
        }
    }
    areas
}
