//! Trees: mapped ones, and invented ones in mapped woods and in neighbors' gardens.
//!
//! None are invented on or near the property: trees there must be on the map, or measured. Where a point cloud covers the ground,
//! all trees are its own.

use aerie_math::{geometry, rng};

use super::around::Around;
use super::crowns::Surveyed;
use super::land_cover::{Cover, has_trees, is_cover};
use super::mask::Mask;
use super::property::OWN_PLOT;
use super::tags::{Tags, tag};
use super::ways::clip;
use crate::GeodataError;
use crate::gpkg::{self, Geometry, Layer};
use crate::length::meters;
use crate::place::{Area, AreaKind, Building, BuildingKind, Point, Property, Tree, TreeKind, Waterway, Way, WayKind};

/// Maximum number of trees of a place.
const MOST: usize = 14_000;
/// Maximum number of invented trees in gardens.
const MOST_IN_GARDENS: usize = 1_200;
/// Spacing of the trees of a row, meters.
const ROW: f64 = 8.0;
/// Distance beyond which woods are thinned first where there are too many trees, meters.
const DENSE: f64 = 350.0;
/// Latitude up to which invented trees are not conifers, degrees.
const TROPICS: f64 = 23.5;

pub(super) fn read(
    around: &Around<'_>,
    areas: &[Area],
    ways: &[Way],
    waterways: &[Waterway],
    buildings: &[Building],
    property: &Property,
    (surveyed, cover): (&Surveyed, &Cover),
) -> Result<Vec<Tree>, GeodataError> {
    let mut mask = obstacles(around.radius, areas, ways, waterways, buildings);
    let mut trees = measured(around)?;
    trees.extend(mapped(around)?.into_iter().filter(|tree| !surveyed.covers(tree.at)));
    // Where there are too many, those farthest from the property are left out.
    if trees.len() > MOST {
        trees.sort_by(|a, b| a.at[0].hypot(a.at[1]).total_cmp(&b.at[0].hypot(b.at[1])));
    }
    for tree in &trees {
        mask.take_disc(tree.at, tree.crown * 0.4);
    }
    let mut gardens = gardens(around, areas, buildings, property, &mut mask);
    gardens.retain(|tree| !surveyed.covers(tree.at));
    let room = MOST.saturating_sub(trees.len() + gardens.len());
    gardens.extend(cover.trees(property, surveyed, &mut mask, room));
    let room = MOST.saturating_sub(trees.len() + gardens.len());
    let woods = woods(around, (areas, surveyed), property, &mask, room);
    trees.truncate(MOST);
    trees.extend(gardens);
    trees.extend(woods);
    Ok(trees)
}

fn obstacles(reach: f64, areas: &[Area], ways: &[Way], waterways: &[Waterway], buildings: &[Building]) -> Mask {
    let mut mask = Mask::new(reach);
    for building in buildings {
        mask.take_polygon(&building.footprint, 2.0);
    }
    for way in ways.iter().filter(|w| !w.tunnel) {
        let verge = match way.kind {
            WayKind::Footpath | WayKind::Track | WayKind::Cycleway => 0.8,
            WayKind::Railway => 3.0,
            _ if way.sidewalk => 3.0,
            _ => 1.8,
        };
        mask.take_line(&way.line, way.width / 2.0 + verge);
    }
    // Keep tunnel mouths and the walls around them clear.
    for way in ways.iter().filter(|w| w.tunnel && !w.passage) {
        for end in [way.line.first(), way.line.last()].into_iter().flatten() {
            mask.take_disc(*end, way.width / 2.0 + 6.0);
        }
    }
    for waterway in waterways {
        mask.take_line(&waterway.line, waterway.width / 2.0 + 0.5);
    }
    for area in areas {
        use AreaKind as K;
        if matches!(
            area.kind,
            K::Water | K::Pool | K::Pitch | K::Parking | K::Paved | K::Railway | K::Playground | K::Rock | K::Glacier
        ) {
            mask.take_polygon(&area.polygon, 1.0);
        }
    }
    mask
}

fn measured(around: &Around<'_>) -> Result<Vec<Tree>, GeodataError> {
    if !gpkg::has_layer(around.pack.db(), Layer::Crowns)? {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for stored in around.features(Layer::Crowns, around.radius)? {
        let Geometry::Point(at) = stored.geometry else { continue };
        let at = around.frame.local(at[0], at[1]);
        if at[0].hypot(at[1]) <= around.radius {
            let measured = tree(at, &stored.tags, rng::hash(stored.fid as u64));
            out.push(Tree { measured: true, ..measured });
        }
    }
    Ok(out)
}

fn mapped(around: &Around<'_>) -> Result<Vec<Tree>, GeodataError> {
    let mut out = Vec::new();
    for stored in around.features(Layer::Trees, around.radius)? {
        let Geometry::Point(at) = stored.geometry else { continue };
        let at = around.frame.local(at[0], at[1]);
        if at[0].hypot(at[1]) <= around.radius {
            let seed = rng::hash(stored.fid as u64);
            out.push(tree(at, &stored.tags, seed));
        }
    }
    for stored in around.features(Layer::TreeRows, around.radius)? {
        let Geometry::Line(line) = &stored.geometry else { continue };
        for line in clip(&around.line(line), around.radius) {
            let (mut walked, mut next, mut number) = (0.0, 0.0, 0_u64);
            for w in line.windows(2) {
                let length = (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1]);
                while next <= walked + length {
                    let t = (next - walked) / length;
                    let at = [w[0][0] + t * (w[1][0] - w[0][0]), w[0][1] + t * (w[1][1] - w[0][1])];
                    out.push(tree(at, &stored.tags, rng::hash(stored.fid as u64 ^ (number << 40))));
                    next += ROW;
                    number += 1;
                }
                walked += length;
            }
        }
    }
    Ok(out)
}

/// A mapped tree, with a typical size where none is tagged.
fn tree(at: Point, tags: &Tags, seed: u64) -> Tree {
    let kind = leaf(tags).unwrap_or(TreeKind::Broadleaved);
    let u = rng::hash_to_unit(seed ^ 1);
    let (usual_height, usual_crown) = match kind {
        TreeKind::Broadleaved => (6.5 + 6.0 * u, 4.5 + 3.5 * u),
        TreeKind::Needleleaved => (9.0 + 8.0 * u, 3.5 + 2.0 * u),
    };
    let number = |key: &str, most: f64| tag(tags, key).and_then(meters).filter(|v| (0.5..=most).contains(v));
    let height = number("height", 100.0).or_else(|| number("est_height", 100.0)).unwrap_or(usual_height);
    let crown = number("diameter_crown", 40.0).unwrap_or_else(|| usual_crown.min(height * 0.8));
    Tree { at, kind, height, crown, seed, mapped: true, measured: false }
}

fn leaf(tags: &Tags) -> Option<TreeKind> {
    let text = |key: &str| tag(tags, key).unwrap_or_default().to_ascii_lowercase();
    match text("leaf_type").as_str() {
        "needleleaved" => return Some(TreeKind::Needleleaved),
        "broadleaved" => return Some(TreeKind::Broadleaved),
        _ => {}
    }
    match text("wood").as_str() {
        "coniferous" => return Some(TreeKind::Needleleaved),
        "deciduous" => return Some(TreeKind::Broadleaved),
        _ => {}
    }
    let name = format!("{} {} {}", text("genus"), text("species"), text("taxon"));
    let conifers = [
        "picea",
        "abies",
        "pinus",
        "larix",
        "cupress",
        "thuja",
        "taxus",
        "cedrus",
        "juniperus",
        "sequoia",
        "pseudotsuga",
    ];
    if conifers.iter().any(|c| name.contains(c)) || text("type") == "conifer" {
        return Some(TreeKind::Needleleaved);
    }
    None
}

/// How trees are distributed in one kind of wood.
struct Stand {
    spacing: f64,
    /// Share of conifers.
    conifers: f64,
    height: (f64, f64),
    /// Crown diameter relative to height.
    crown: f64,
    /// Share of positions that stay empty.
    gaps: f64,
    /// Whether trees stand in straight rows, as in an orchard.
    rows: bool,
}

fn stand(kind: AreaKind) -> Option<Stand> {
    Some(match kind {
        AreaKind::Forest => {
            Stand { spacing: 5.6, conifers: 0.45, height: (12.0, 21.0), crown: 0.36, gaps: 0.06, rows: false }
        }
        AreaKind::Scrub => {
            Stand { spacing: 6.5, conifers: 0.08, height: (1.8, 4.2), crown: 0.85, gaps: 0.35, rows: false }
        }
        AreaKind::Orchard => {
            Stand { spacing: 5.5, conifers: 0.0, height: (3.6, 5.0), crown: 0.80, gaps: 0.05, rows: true }
        }
        AreaKind::Park => {
            Stand { spacing: 19.0, conifers: 0.12, height: (8.0, 15.0), crown: 0.6, gaps: 0.45, rows: false }
        }
        AreaKind::Cemetery => {
            Stand { spacing: 18.0, conifers: 0.4, height: (6.0, 11.0), crown: 0.45, gaps: 0.5, rows: false }
        }
        _ => return None,
    })
}

fn woods(
    around: &Around<'_>,
    (areas, surveyed): (&[Area], &Surveyed),
    property: &Property,
    mask: &Mask,
    room: usize,
) -> Vec<Tree> {
    let mut found: Vec<(f64, Tree)> = Vec::new();
    // Outlines of land cover are rounded, so that they may overlap mapped woods, which have their own trees.
    let mut mapped = Mask::new(around.radius);
    let with_trees = areas.iter().filter(|area| has_trees(area.kind) && !is_cover(area));
    with_trees.for_each(|area| mapped.take_polygon(&area.polygon, 0.0));
    for area in areas {
        let is_cover = is_cover(area);
        let Some(stand) = stand(area.kind) else { continue };
        // Orchard rows run along the longest side of the field; other woods have no direction.
        let [east, north] = if stand.rows { area.polygon.longest_side() } else { [1.0, 0.0] };
        let turned = |p: &Point| [p[0] * east + p[1] * north, p[1] * east - p[0] * north];
        let ring = |ring: &[Point]| ring.iter().map(turned).collect::<Vec<Point>>();
        let mut rings = vec![ring(&area.polygon.outer)];
        rings.extend(area.polygon.holes.iter().map(|h| ring(h)));
        let conifers = if is_tropical(around) { 0.0 } else { stand.conifers };
        let mixed = conifers * (0.4 + 1.2 * rng::name_to_unit(&area.id, 3));
        let [least_x, least_y, most_x, most_y] = geometry::bounds(&rings[0]);
        let reach = around.radius;
        let step = stand.spacing;
        // The seed depends on the place: seen from another house, the same wood has different trees.
        let [lon, _] = around.frame.geographic([0.0, 0.0]);
        let own = ((lon * 1e5).fract() * step).to_bits();
        let cell = |v: f64| (v / step).floor() as i64;
        for j in cell(least_y.max(-reach))..=cell(most_y.min(reach)) {
            let y = (j as f64 + 0.5) * step;
            // Jitter may move a tree out of its row's spans, so each position is tested by itself; the spans only save
            // work.
            let spans = geometry::level_spans(&rings, y);
            if spans.is_empty() || y.abs() > reach {
                continue;
            }
            for i in cell(least_x.max(-reach))..=cell(most_x.min(reach)) {
                let x = (i as f64 + 0.5) * step;
                if !spans.iter().any(|(a, b)| *a - step < x && x < *b + step) {
                    continue;
                }
                let seed =
                    rng::hash((i as u64).wrapping_mul(0x9e37_79b9) ^ (j as u64).wrapping_mul(0x85eb_ca6b_0001) ^ own);
                let jitter = if stand.rows { 0.08 } else { 0.42 };
                let x = x + (rng::hash_to_unit(seed ^ 2) * 2.0 - 1.0) * jitter * step;
                let y = y + (rng::hash_to_unit(seed ^ 3) * 2.0 - 1.0) * jitter * step;
                let at = [x * east - y * north, x * north + y * east];
                let far = at[0].hypot(at[1]);
                if far > reach
                    || rng::hash_to_unit(seed ^ 4) < stand.gaps
                    || mask.is_taken(at)
                    || is_cover && mapped.is_taken(at)
                    || surveyed.covers(at)
                    || !area.polygon.contains(at)
                {
                    continue;
                }
                if property.footprint.distance(at) < OWN_PLOT {
                    continue;
                }
                let u = rng::hash_to_unit(seed ^ 5);
                let height = stand.height.0 + (stand.height.1 - stand.height.0) * u;
                let needles = rng::hash_to_unit(seed ^ 6) < mixed;
                let (kind, crown) = if needles {
                    (TreeKind::Needleleaved, height * stand.crown.min(0.32))
                } else {
                    (TreeKind::Broadleaved, height * stand.crown)
                };
                // Trees with a high value are dropped first: distant ones, and evenly across the wood.
                let order = rng::hash_to_unit(seed ^ 7) * (far / DENSE).max(1.0).powf(1.4);
                found.push((order, Tree { at, kind, height, crown, seed, mapped: false, measured: false }));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.seed.cmp(&b.1.seed)));
    found.truncate(room);
    found.into_iter().map(|f| f.1).collect()
}

fn is_tropical(around: &Around<'_>) -> bool {
    around.frame.geographic([0.0, 0.0])[1].abs() < TROPICS
}

/// Invents a few trees in the gardens of neighboring houses.
fn gardens(
    around: &Around<'_>,
    areas: &[Area],
    buildings: &[Building],
    property: &Property,
    mask: &mut Mask,
) -> Vec<Tree> {
    let open: Vec<&Area> = areas
        .iter()
        .filter(|a| {
            use AreaKind as K;
            matches!(
                a.kind,
                K::Farmland
                    | K::Forest
                    | K::Vineyard
                    | K::Orchard
                    | K::Industrial
                    | K::Commercial
                    | K::Cemetery
                    | K::Park
                    | K::Allotments
            )
        })
        .collect();
    let mut houses: Vec<(f64, usize)> = buildings
        .iter()
        .enumerate()
        .filter(|(i, b)| matches!(b.kind, BuildingKind::House | BuildingKind::Terrace) && property.building != Some(*i))
        .map(|(i, b)| {
            let c = geometry::centroid(&b.footprint.outer);
            (c[0].hypot(c[1]), i)
        })
        .filter(|(far, _)| *far < around.radius.min(700.0))
        .collect();
    houses.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = Vec::new();
    for (_, i) in houses {
        let house = &buildings[i];
        let center = geometry::centroid(&house.footprint.outer);
        let wanted = (rng::name_to_unit(&house.id, 51) * 3.2) as u64;
        for n in 0..wanted {
            if out.len() >= MOST_IN_GARDENS {
                return out;
            }
            let seed = rng::hash(rng::name_to_unit(&house.id, 60 + n).to_bits());
            let angle = rng::hash_to_unit(seed) * std::f64::consts::TAU;
            let away = 8.0 + 7.0 * rng::hash_to_unit(seed ^ 1);
            let at = [center[0] + away * angle.sin(), center[1] + away * angle.cos()];
            if mask.is_taken(at)
                || property.footprint.distance(at) < OWN_PLOT
                || open.iter().any(|a| a.polygon.contains(at))
            {
                continue;
            }
            let u = rng::hash_to_unit(seed ^ 2);
            let needles = !is_tropical(around) && rng::hash_to_unit(seed ^ 3) < 0.18;
            let (kind, height, crown) = if needles {
                (TreeKind::Needleleaved, 5.0 + 6.0 * u, 2.4 + 1.6 * u)
            } else {
                (TreeKind::Broadleaved, 3.8 + 4.6 * u, 3.0 + 3.0 * u)
            };
            mask.take_disc(at, crown * 0.5);
            out.push(Tree { at, kind, height, crown, seed, mapped: false, measured: false });
        }
    }
    out
}
