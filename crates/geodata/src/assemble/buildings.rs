//! Buildings and their parts around a place.

use aerie_math::geometry;

use super::around::Around;
use super::heights::{self, Draft, boxed};
use super::measured;
use super::outline::tidy;
use super::tags::{Tags, tag};
use crate::GeodataError;
use crate::address::Match;
use crate::gpkg::{self, Layer};
use crate::place::{Area, AreaKind, Building, BuildingKind, Point, Provenance, RoofShape};

/// Maximum number of neighbors that attributes are inferred from, and their maximum distance, meters.
const NEIGHBORS: usize = 7;
const NEIGHBORHOOD: f64 = 250.0;
/// Maximum distance of neighbors whose roofs are themselves guessed, meters.
const NEAR: f64 = 120.0;
/// Share of the neighbors that must have the same roof shape.
const AGREED: f64 = 0.7;
/// Share of an outline that its parts must cover to replace it.
const COVERED: f64 = 0.6;
/// Corners closer than this to the line between their neighbors are removed, meters.
const SIMPLIFICATION: f64 = 0.06;

/// Buildings, and what their measured roofs bring with them.
#[derive(Default)]
pub(super) struct Buildings {
    pub(super) all: Vec<Building>,
    /// Attributions of measured roofs.
    pub(super) credits: Vec<String>,
    /// Measurements that could not be used, a sentence each.
    pub(super) missed: Vec<String>,
}

pub(super) fn read(around: &Around<'_>, areas: &[Area], m: &Match) -> Result<Buildings, GeodataError> {
    let mut drafts = drafts(around, areas, m)?;
    let roofs = measured::read(around)?;
    drafts.extend(measured::without_outline(&roofs, &drafts, around.radius));
    // Mapped stories, from which those of untagged neighbors are inferred.
    let mapped: Vec<(Point, f64, f64)> = drafts
        .iter()
        .filter(|d| !d.part)
        .filter_map(|d| heights::mapped_stories(&d.tags).filter(|s| *s >= 1.0).map(|s| (d.center, d.area, s)))
        .collect();
    let stories_near = |draft: &Draft| {
        let mut near: Vec<(f64, f64)> = mapped
            .iter()
            .filter(|(_, area, _)| (0.3..3.5).contains(&(area / draft.area)))
            .map(|(at, _, s)| ((at[0] - draft.center[0]).hypot(at[1] - draft.center[1]), *s))
            .filter(|(d, _)| (0.1..NEIGHBORHOOD).contains(d))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.truncate(NEIGHBORS);
        let mut stories: Vec<f64> = near.into_iter().map(|n| n.1).collect();
        stories.sort_by(f64::total_cmp);
        (stories.len() >= 3).then(|| stories[stories.len() / 2])
    };
    // Likewise for heights.
    let tops: Vec<(Point, f64, f64)> = drafts
        .iter()
        .filter(|d| !d.part)
        .filter_map(|d| heights::mapped_height(&d.tags).map(|height| (d.center, d.area, height)))
        .collect();
    let known =
        |draft: &Draft, stories: Option<f64>| heights::Around { stories, tops: top_near(&tops, draft), roof: None };
    let mut buildings: Vec<Building> = Vec::with_capacity(drafts.len());
    for draft in &drafts {
        let neighbors = stories_near(draft);
        let kind = heights::kind(draft, neighbors);
        buildings.push(heights::finish(draft, kind, known(draft, neighbors)));
    }
    if let Some(own) = m.building_id.as_deref().and_then(|id| drafts.iter().position(|d| d.id == id))
        && let Some(roof) = roof_of_neighbors(&drafts, &buildings, own)
    {
        let draft = &drafts[own];
        let around = heights::Around { roof: Some(roof), ..known(draft, stories_near(draft)) };
        buildings[own] = heights::finish(draft, buildings[own].kind, around);
    }
    join_parts(&drafts, &mut buildings);
    let mut matches = measured::assign(around, &roofs, &drafts);
    matches.apply(&drafts, &mut buildings);
    let missed = matches.notes(&drafts, m.building_id.as_deref());
    Ok(Buildings { all: buildings, credits: matches.credits, missed })
}

/// Median height of the nearest buildings of similar size with a mapped height; `None` if there are fewer than three.
fn top_near(tops: &[(Point, f64, f64)], draft: &Draft) -> Option<f64> {
    let mut near: Vec<(f64, f64)> = tops
        .iter()
        .filter(|(_, area, _)| (0.4..2.5).contains(&(area / draft.area)))
        .map(|(at, _, top)| ((at[0] - draft.center[0]).hypot(at[1] - draft.center[1]), *top))
        .filter(|(d, _)| (0.1..NEIGHBORHOOD).contains(d))
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.truncate(NEIGHBORS);
    let mut tops: Vec<f64> = near.into_iter().map(|n| n.1).collect();
    tops.sort_by(f64::total_cmp);
    (tops.len() >= 3).then(|| tops[tops.len() / 2])
}

/// Surveyed heights around a place: centroid and area of the footprint, and the height as text.
fn surveyed(around: &Around<'_>) -> Result<Vec<(Point, f64, String)>, GeodataError> {
    if !gpkg::has_layer(around.pack.db(), Layer::Heights)? {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for stored in around.features(Layer::Heights, around.radius)? {
        let Some(height) = stored.tags.get("height") else { continue };
        for polygon in around.polygons(&stored.geometry) {
            out.push((geometry::centroid(&polygon.outer), geometry::signed_area(&polygon.outer).abs(), height.clone()));
        }
    }
    Ok(out)
}

/// The surveyed height of a footprint: that of the surveyed footprint of similar size with the nearest centroid, if
/// near enough.
fn surveyed_height(surveyed: &[(Point, f64, String)], center: Point, area: f64) -> Option<&str> {
    let off = |at: &Point| (at[0] - center[0]).hypot(at[1] - center[1]);
    let fits =
        surveyed.iter().filter(|(at, size, _)| (0.5..2.0).contains(&(size / area)) && off(at) < 0.25 * area.sqrt());
    fits.min_by(|a, b| off(&a.0).total_cmp(&off(&b.0))).map(|s| s.2.as_str())
}

/// Whether a building cannot be seen from above.
pub(super) fn is_underground(tags: &Tags) -> bool {
    tag(tags, "location") == Some("underground")
        || tag(tags, "layer").and_then(|l| l.parse::<i32>().ok()).is_some_and(|l| l < 0)
}

fn drafts(around: &Around<'_>, areas: &[Area], m: &Match) -> Result<Vec<Draft>, GeodataError> {
    let lands: Vec<(&Area, [f64; 4])> = areas
        .iter()
        .filter(|a| {
            use AreaKind as K;
            matches!(
                a.kind,
                K::Residential
                    | K::Commercial
                    | K::Industrial
                    | K::Farmyard
                    | K::Farmland
                    | K::Railway
                    | K::Construction
                    | K::Allotments
                    | K::Meadow
                    | K::Forest
            )
        })
        .map(|a| (a, geometry::bounds(&a.polygon.outer)))
        .collect();
    let surveyed = surveyed(around)?;
    let mut drafts: Vec<Draft> = Vec::new();
    for stored in around.features(Layer::Buildings, around.radius)? {
        let id = gpkg::osm_id(stored.fid);
        if is_underground(&stored.tags) {
            continue;
        }
        for (part, polygon) in around.polygons(&stored.geometry).iter().enumerate() {
            let Some(footprint) = tidy(polygon, SIMPLIFICATION) else { continue };
            let area = geometry::signed_area(&footprint.outer)
                + footprint.holes.iter().map(|h| geometry::signed_area(h)).sum::<f64>();
            let center = geometry::centroid(&footprint.outer);
            if area < 2.0 || center[0].hypot(center[1]) > around.radius {
                continue;
            }
            let land = lands
                .iter()
                .filter(|(_, b)| b[0] <= center[0] && center[0] <= b[2] && b[1] <= center[1] && center[1] <= b[3])
                .rfind(|(a, _)| a.polygon.contains(center))
                .map(|(a, _)| a.kind);
            let id = if part == 0 { id.clone() } else { format!("{id}#{part}") };
            let addressed = stored.tags.contains_key("addr:housenumber") || m.building_id.as_deref() == Some(&id);
            let outline = stored.kind != "part";
            let twin = drafts.iter().rev().find(|d| {
                d.part != outline
                    && (d.area - area).abs() < 0.03 * area
                    && (d.center[0] - center[0]).hypot(d.center[1] - center[1]) < 0.6
            });
            // A house that is mapped twice (as a way and as a relation's outline) is kept once.
            if twin.is_some() && m.building_id.as_deref() != Some(&id) {
                continue;
            }
            let mut tags = stored.tags.clone();
            if outline && let Some(height) = surveyed_height(&surveyed, center, area) {
                tags.insert("height".to_owned(), height.to_owned());
            }
            drafts.push(Draft {
                id,
                boxed: boxed(&footprint.outer),
                footprint,
                tags,
                part: !outline,
                addressed,
                area,
                center,
                land,
            });
        }
    }
    if let Some(own) = m.building_id.as_deref().and_then(|id| drafts.iter().position(|d| d.id == id)) {
        let (area, center) = (drafts[own].area, drafts[own].center);
        let mut at = 0;
        drafts.retain(|d| {
            let twin = at != own
                && !d.part
                && (d.area - area).abs() < 0.03 * area
                && (d.center[0] - center[0]).hypot(d.center[1] - center[1]) < 0.6;
            at += 1;
            !twin
        });
    }
    Ok(drafts)
}

/// The roof shape for the property where the map has none and neighbors of similar size agree: those with mapped roofs,
/// or else all of them as drawn. A random roof is no better a guess than the roofs around it.
fn roof_of_neighbors(drafts: &[Draft], buildings: &[Building], own: usize) -> Option<RoofShape> {
    let lived_in = |kind| matches!(kind, BuildingKind::House | BuildingKind::Terrace | BuildingKind::Apartments);
    let (draft, building) = (&drafts[own], &buildings[own]);
    let ridged = draft.boxed.short <= 22.0 && building.stories <= 5 && draft.footprint.outer.len() <= 10;
    if building.roof_from == Provenance::Mapped || draft.part || !lived_in(building.kind) || !ridged {
        return None;
    }
    let agreed = |mapped: bool, reach: f64, least: usize| {
        let mut near: Vec<(f64, RoofShape)> = drafts
            .iter()
            .zip(buildings)
            .enumerate()
            .filter(|(i, (d, b))| {
                let like = (0.4..2.5).contains(&(d.area / draft.area));
                *i != own && !d.part && like && lived_in(b.kind) && (!mapped || b.roof_from == Provenance::Mapped)
            })
            .map(|(_, (d, b))| ((d.center[0] - draft.center[0]).hypot(d.center[1] - draft.center[1]), b.roof))
            .filter(|(distance, _)| *distance < reach)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.truncate(NEIGHBORS);
        let count = |roof: RoofShape| near.iter().filter(|n| n.1 == roof).count();
        let kinds = [RoofShape::Gabled, RoofShape::Hipped, RoofShape::HalfHipped, RoofShape::Mansard, RoofShape::Flat];
        kinds.into_iter().find(|roof| near.len() >= least && count(*roof) as f64 >= AGREED * near.len() as f64)
    };
    agreed(true, NEIGHBORHOOD, 3).or_else(|| agreed(false, NEAR, 4))
}

/// Marks outlines whose parts are drawn instead. Parts inherit the kind, colors and materials that they are not tagged
/// with.
fn join_parts(drafts: &[Draft], buildings: &mut [Building]) {
    let outlines: Vec<usize> = (0..drafts.len()).filter(|i| !drafts[*i].part).collect();
    let mut covered = vec![0.0; drafts.len()];
    for i in (0..drafts.len()).filter(|i| drafts[*i].part) {
        let Some(inside) = geometry::interior_point(&rings(&drafts[i])) else { continue };
        let home = outlines.iter().copied().filter(|o| {
            let d = &drafts[*o];
            (d.center[0] - inside[0]).hypot(d.center[1] - inside[1]) < d.boxed.long + 5.0
                && d.footprint.contains(inside)
        });
        let Some(home) = home.min_by(|a, b| drafts[*a].area.total_cmp(&drafts[*b].area)) else { continue };
        if buildings[i].base < 3.0 {
            covered[home] += drafts[i].area;
        }
        let outline = buildings[home].clone();
        let part = &mut buildings[i];
        let says = |k: &str| drafts[i].tags.get(k).is_some_and(|v| v != "yes");
        if !says("building:part") && !says("building") {
            part.kind = if outline.kind == BuildingKind::Garage { BuildingKind::House } else { outline.kind };
        }
        part.wall_color = part.wall_color.or(outline.wall_color);
        part.roof_color = part.roof_color.or(outline.roof_color);
        part.wall_material = part.wall_material.take().or(outline.wall_material);
        part.roof_material = part.roof_material.take().or(outline.roof_material);
    }
    for o in outlines {
        buildings[o].replaced_by_parts = covered[o] >= COVERED * drafts[o].area;
    }
}

fn rings(draft: &Draft) -> Vec<Vec<Point>> {
    let mut rings = vec![draft.footprint.outer.clone()];
    rings.extend(draft.footprint.holes.iter().cloned());
    rings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Polygon;

    /// A house of 10 by 14 m, `index` lots along a street.
    fn draft(id: &str, index: usize, roof: Option<&str>) -> Draft {
        let x = index as f64 * 20.0;
        let outer = vec![[x, 0.0], [x + 14.0, 0.0], [x + 14.0, 10.0], [x, 10.0]];
        let tags = roof.map(|roof| ("roof:shape".to_owned(), roof.to_owned())).into_iter().collect();
        Draft {
            id: id.to_owned(),
            boxed: boxed(&outer),
            footprint: Polygon { outer, holes: vec![] },
            tags,
            part: false,
            addressed: true,
            area: 140.0,
            center: [x + 7.0, 5.0],
            land: None,
        }
    }

    fn drawn(drafts: &[Draft]) -> Vec<Building> {
        drafts.iter().map(|d| heights::finish(d, BuildingKind::House, heights::Around::default())).collect()
    }

    #[test]
    fn a_house_with_a_flat_roof_by_chance_gets_the_roof_of_neighbors_that_agree() {
        let flat = (0..500)
            .map(|i| draft(&format!("way/{i}"), 0, None))
            .find(|d| heights::finish(d, BuildingKind::House, heights::Around::default()).roof == RoofShape::Flat);
        let street = |roofs: [Option<&str>; 5]| -> Vec<Draft> {
            let own = flat.as_ref().expect("a few in a hundred are flat");
            let rest = roofs.into_iter().enumerate().map(|(i, roof)| draft(&format!("way/9{i}"), i + 1, roof));
            std::iter::once(draft(&own.id, 0, None)).chain(rest).collect()
        };
        let learned = |drafts: &[Draft]| roof_of_neighbors(drafts, &drawn(drafts), 0);
        assert_eq!(learned(&street([Some("hipped"); 5])), Some(RoofShape::Hipped));
        // Five neighbors that all differ decide nothing.
        let differ = [Some("gabled"), Some("flat"), Some("hipped"), Some("mansard"), Some("dome")];
        assert_eq!(learned(&street(differ)), None);
        let building = heights::finish(
            &street(differ)[0],
            BuildingKind::House,
            heights::Around { roof: Some(RoofShape::Gabled), ..Default::default() },
        );
        assert_eq!(building.roof_from, Provenance::Neighbors);
        assert!(building.ridge > building.eaves + 2.0);
        // A mapped roof is kept.
        let mut mapped = street([Some("gabled"); 5]);
        mapped[0] = draft("way/1", 0, Some("flat"));
        assert_eq!(learned(&mapped), None);
    }
}
