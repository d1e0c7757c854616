//! Land use, land cover, water and leisure areas: clipped, repaired, and sorted in painting order.

use geo::{BooleanOps, Coord, MultiPolygon, Rect, Simplify};

use super::around::Around;
use super::tags::{Tags, tag};
use crate::GeodataError;
use crate::gpkg::{self, Geometry, Layer};
use crate::place::{Area, AreaKind, Polygon};

/// Simplification tolerance for outlines far from the property, meters.
pub(super) const COARSE: f64 = 2.0;

pub(super) fn read(around: &Around<'_>, reach: f64) -> Result<Vec<Area>, GeodataError> {
    let window = Rect::new(Coord { x: -reach, y: -reach }, Coord { x: reach, y: reach }).to_polygon();
    let window = MultiPolygon(vec![window]);
    let mut found: Vec<(u8, f64, Area)> = Vec::new();
    for stored in around.features(Layer::Areas, reach)? {
        let Some(kind) = kind(&stored.kind, &stored.tags) else { continue };
        let Geometry::Polygons(_) = &stored.geometry else { continue };
        let polygons = around.polygons(&stored.geometry);
        let near = polygons.iter().flat_map(|p| &p.outer).any(|p| p[0].hypot(p[1]) < around.radius);
        let mut shape = MultiPolygon(polygons.iter().map(Polygon::to_geo).collect());
        if !near {
            shape = shape.simplify(COARSE);
        }
        // The boolean operation clips and also repairs outlines that cross themselves.
        for (part, polygon) in shape.intersection(&window).0.iter().enumerate() {
            let Some(polygon) = Polygon::from_geo(polygon) else { continue };
            let area = aerie_math::geometry::signed_area(&polygon.outer).abs();
            let id = if part == 0 { gpkg::osm_id(stored.fid) } else { format!("{}#{part}", gpkg::osm_id(stored.fid)) };
            found.push((rank(kind), area, Area { id, kind, polygon }));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.id.cmp(&b.2.id)));
    Ok(found.into_iter().map(|f| f.2).collect())
}

/// Painting order: land use first, then land cover, then what lies on top.
pub(super) fn rank(kind: AreaKind) -> u8 {
    use AreaKind as K;
    match kind {
        K::Residential | K::Commercial | K::Industrial | K::Farmyard | K::Farmland | K::Railway | K::Construction => 0,
        K::Meadow | K::Forest | K::Scrub | K::Orchard | K::Vineyard | K::Rock | K::Sand | K::Glacier => 1,
        K::Park | K::Cemetery | K::Allotments | K::Wetland => 2,
        K::Grass => 3,
        K::Pitch | K::Playground | K::Parking | K::Paved => 4,
        K::Water => 5,
        K::Pool => 6,
    }
}

fn kind(tagged: &str, tags: &Tags) -> Option<AreaKind> {
    use AreaKind as K;
    let hidden = ["indoor", "covered"].iter().any(|k| tag(tags, k) == Some("yes"))
        || matches!(tag(tags, "location"), Some("underground" | "indoor" | "rooftop" | "roof"))
        || tag(tags, "layer").and_then(|l| l.parse::<i32>().ok()).is_some_and(|l| l <= -2)
        || (tagged == "amenity=parking"
            && matches!(tag(tags, "parking"), Some("underground" | "multi-storey" | "rooftop")));
    if hidden {
        return None;
    }
    let (key, value) = tagged.split_once('=')?;
    Some(match (key, value) {
        ("landuse", "residential") => K::Residential,
        ("landuse", "commercial" | "retail" | "institutional" | "education" | "religious" | "civic_admin") => {
            K::Commercial
        }
        ("landuse", "industrial" | "port" | "depot") | ("man_made", "wastewater_plant" | "works") => K::Industrial,
        ("landuse", "farmyard") => K::Farmyard,
        ("landuse", "farmland" | "farm" | "field" | "plant_nursery" | "greenhouse_horticulture") => K::Farmland,
        ("landuse", "meadow" | "grassland" | "animal_keeping")
        | ("natural", "grassland" | "meadow" | "fell" | "moor") => K::Meadow,
        ("landuse", "grass" | "village_green" | "greenfield" | "flowerbed" | "green" | "recreation_ground")
        | ("leisure", "common" | "recreation_ground" | "golf_course" | "dog_park") => K::Grass,
        ("leisure", "park" | "garden") | ("tourism", "camp_site" | "caravan_site" | "zoo") => K::Park,
        ("landuse", "allotments") => K::Allotments,
        ("landuse", "forest" | "wood") | ("natural", "wood") => K::Forest,
        ("natural", "scrub" | "heath") | ("landuse", "scrub") => K::Scrub,
        ("landuse", "orchard") => K::Orchard,
        ("landuse", "vineyard") => K::Vineyard,
        ("landuse", "cemetery") | ("amenity", "grave_yard") => K::Cemetery,
        ("leisure", "pitch" | "track" | "stadium" | "ice_rink") => K::Pitch,
        ("leisure", "playground") => K::Playground,
        ("amenity", "parking") | ("landuse", "garages") => K::Parking,
        ("amenity", "marketplace")
        | ("place", "square")
        | ("railway", "platform")
        | ("aeroway", "apron" | "runway" | "taxiway")
        | ("man_made", "pier") => K::Paved,
        ("highway", _) => K::Paved,
        ("leisure" | "amenity", "swimming_pool") => K::Pool,
        ("natural", "water")
        | ("waterway", _)
        | ("water", _)
        | ("landuse", "reservoir" | "basin" | "pond" | "salt_pond")
        | ("leisure", "marina")
        | ("amenity", "fountain") => {
            if tag(tags, "intermittent") == Some("yes") && tag(tags, "basin").is_some() {
                K::Grass
            } else {
                K::Water
            }
        }
        ("natural", "wetland" | "marsh" | "mud") | ("wetland", _) => K::Wetland,
        ("natural", "bare_rock" | "scree" | "shingle" | "rock") => K::Rock,
        ("natural", "sand" | "beach") => K::Sand,
        ("landuse", "railway") => K::Railway,
        ("landuse", "construction" | "brownfield" | "quarry" | "landfill") => K::Construction,
        ("natural", "glacier") => K::Glacier,
        ("amenity", "school" | "kindergarten" | "university" | "college" | "hospital" | "place_of_worship")
        | ("leisure", "sports_centre") => K::Commercial,
        _ => return None,
    })
}
