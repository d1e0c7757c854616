//! Kind, height and roof of a building: from its tags, or else inferred.
//!
//! In suburbs almost no heights are mapped, so these rules shape most of a picture. They depend on kind, footprint and
//! mapped neighbors, and vary slightly from house to house, but always in the same way for the same house.

use aerie_math::{geometry, rng};

use super::tags::{Tags, bearing, color, tag};
use crate::length::meters;
use crate::place::{AreaKind, Building, BuildingKind as Kind, Point, Polygon, Provenance, RoofShape as Roof};

/// A building whose attributes are being inferred.
pub(super) struct Draft {
    pub(super) id: String,
    pub(super) footprint: Polygon,
    pub(super) tags: Tags,
    pub(super) part: bool,
    pub(super) addressed: bool,
    pub(super) area: f64,
    pub(super) center: Point,
    pub(super) boxed: Boxed,
    /// Land use at its center, where mapped.
    pub(super) land: Option<AreaKind>,
}

/// Sides of the smallest bounding rectangle of a footprint, meters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxed {
    pub(super) long: f64,
    pub(super) short: f64,
}

/// The smallest bounding rectangle with a side along one of the ring's edges.
pub(super) fn boxed(ring: &[Point]) -> Boxed {
    let mut best = Boxed { long: f64::INFINITY, short: f64::INFINITY };
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        if length < 0.3 {
            continue;
        }
        let (ux, uy) = ((b[0] - a[0]) / length, (b[1] - a[1]) / length);
        let turned: Vec<Point> = ring.iter().map(|p| [p[0] * ux + p[1] * uy, p[1] * ux - p[0] * uy]).collect();
        let [west, south, east, north] = geometry::bounds(&turned);
        let (w, h) = (east - west, north - south);
        if w * h < best.long * best.short {
            best = Boxed { long: w.max(h), short: w.min(h) };
        }
    }
    if best.long.is_finite() { best } else { Boxed { long: 1.0, short: 1.0 } }
}

/// Mapped number of stories, without those in the roof; else derived from the mapped height.
pub(super) fn mapped_stories(tags: &Tags) -> Option<f64> {
    let levels = tag(tags, "building:levels")
        .or_else(|| tag(tags, "levels"))
        .and_then(meters)
        .filter(|l| (0.0..=200.0).contains(l));
    let height = mapped_height(tags).map(|h| (h / 3.2).round().max(1.0));
    levels.or(height)
}

pub(super) fn mapped_height(tags: &Tags) -> Option<f64> {
    ["height", "building:height"]
        .iter()
        .find_map(|k| tag(tags, k))
        .and_then(meters)
        .filter(|h| (1.0..=900.0).contains(h))
}

pub(super) fn kind(draft: &Draft, neighbors: Option<f64>) -> Kind {
    let tags = &draft.tags;
    let value = tag(tags, "building").or_else(|| tag(tags, "building:part")).unwrap_or("yes");
    let area = draft.area;
    match value {
        "house" | "detached" | "bungalow" | "villa" | "cabin" | "chalet" | "farm" | "static_caravan" | "houseboat" => {
            return Kind::House;
        }
        "terrace" | "semidetached_house" | "semi" | "row_house" | "townhouse" => return Kind::Terrace,
        "apartments" | "residential" if area >= 180.0 || value == "apartments" => return Kind::Apartments,
        "residential" => return Kind::House,
        "dormitory" | "hotel" => return Kind::Apartments,
        "retail" | "supermarket" | "kiosk" | "shop" | "mall" | "restaurant" => return Kind::Retail,
        "commercial" | "office" | "offices" => return if area > 250.0 { Kind::Office } else { Kind::Retail },
        "industrial" | "warehouse" | "manufacture" | "hangar" | "factory" | "storage_tank" | "transformer_tower"
        | "works" => {
            return if area < 25.0 { Kind::Shed } else { Kind::Industrial };
        }
        "barn" | "stable" | "cowshed" | "sty" | "farm_auxiliary" | "agricultural" | "riding_hall" | "silo" => {
            return if area < 40.0 { Kind::Shed } else { Kind::Farm };
        }
        "church" | "chapel" | "cathedral" | "temple" | "mosque" | "synagogue" | "basilica" | "monastery" | "shrine" => {
            return Kind::Church;
        }
        "school" | "kindergarten" | "university" | "college" | "hospital" | "public" | "civic" | "government"
        | "townhall" | "train_station" | "fire_station" | "museum" | "library" | "theatre" | "stadium"
        | "sports_hall" | "castle" => return Kind::Public,
        "garage" | "garages" => return Kind::Garage,
        "carport" | "roof" | "canopy" | "shelter" => return Kind::Canopy,
        "shed" | "hut" | "allotment_house" | "outbuilding" | "service" | "container" | "toilets"
        | "greenhouse_small" | "ruins" | "boathouse" => return Kind::Shed,
        "greenhouse" | "conservatory" | "glasshouse" => return Kind::Greenhouse,
        _ => {}
    }
    match tag(tags, "amenity") {
        Some("place_of_worship") => return Kind::Church,
        Some(
            "school" | "kindergarten" | "university" | "college" | "hospital" | "townhall" | "library" | "theatre"
            | "fire_station" | "police" | "community_centre" | "courthouse",
        ) => {
            return Kind::Public;
        }
        Some("fuel" | "shelter") => return Kind::Canopy,
        Some("restaurant" | "bank" | "cafe" | "pub" | "post_office" | "pharmacy") if area > 350.0 => {
            return Kind::Retail;
        }
        Some("parking") => return Kind::Industrial,
        _ => {}
    }
    if tag(tags, "tourism") == Some("museum") || tag(tags, "historic") == Some("castle") {
        return Kind::Public;
    }
    if tag(tags, "tourism") == Some("hotel") || neighbors.is_some_and(|n| n >= 3.5) && area > 150.0 {
        return Kind::Apartments;
    }
    if tag(tags, "shop").is_some() && area > 300.0 {
        return Kind::Retail;
    }
    if tag(tags, "office").is_some() && area > 300.0 {
        return Kind::Office;
    }
    if mapped_stories(tags).is_some_and(|stories| stories >= 3.5) {
        return Kind::Apartments;
    }
    let slender = draft.boxed.long / draft.boxed.short.max(1.0);
    match (area, draft.land) {
        (a, _) if a < 16.0 => Kind::Shed,
        (a, _) if a < 50.0 && !draft.addressed => Kind::Garage,
        (_, Some(AreaKind::Industrial | AreaKind::Railway | AreaKind::Construction)) => Kind::Industrial,
        (a, Some(AreaKind::Farmyard | AreaKind::Farmland | AreaKind::Meadow)) if a > 220.0 && !draft.addressed => {
            Kind::Farm
        }
        (a, Some(AreaKind::Commercial)) if a > 350.0 => {
            if slender > 1.6 {
                Kind::Office
            } else {
                Kind::Retail
            }
        }
        (a, Some(AreaKind::Allotments | AreaKind::Forest)) if a < 60.0 => Kind::Shed,
        (a, _) if a > 1_600.0 => {
            if draft.addressed && a < 2_500.0 {
                Kind::Apartments
            } else {
                Kind::Industrial
            }
        }
        (a, _) if a > 420.0 => Kind::Apartments,
        (a, _) if a > 220.0 && slender > 2.6 => Kind::Terrace,
        _ => Kind::House,
    }
}

/// What is inferred from the buildings around a draft.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    /// Stories of buildings of similar size, where mapped.
    pub(super) stories: Option<f64>,
    /// Height of buildings of similar size, meters, where mapped.
    pub(super) tops: Option<f64>,
    /// Roof shape to adopt from the neighbors.
    pub(super) roof: Option<Roof>,
}

/// Completes a draft with eaves, ridge, stories and roof.
pub(super) fn finish(draft: &Draft, kind: Kind, around: Around) -> Building {
    let Around { stories: neighbors, tops, roof: learned } = around;
    let tags = &draft.tags;
    let id = draft.id.as_str();
    let story = match kind {
        Kind::Office | Kind::Public | Kind::Retail => 3.4,
        Kind::Apartments => 3.0,
        Kind::Industrial => 4.0,
        _ => 2.75,
    };
    let number = |key: &str| tag(tags, key).and_then(meters).filter(|v| (0.0..=900.0).contains(v));
    let levels = number("building:levels").or_else(|| number("levels")).filter(|l| *l <= 200.0);
    let height = mapped_height(tags);
    let base = number("min_height")
        .or_else(|| number("building:min_height"))
        .or_else(|| number("building:min_level").map(|l| l * story));
    let base = base.unwrap_or(if kind == Kind::Canopy && height.is_none() { 2.3 } else { 0.0 });
    let guessed = guess_stories(draft, kind, neighbors);
    let tagged_roof = tag(tags, "roof:shape").or_else(|| tag(tags, "building:roof:shape")).and_then(roof_shape);
    let (roof, roof_from) = match (tagged_roof, learned) {
        (Some(roof), _) => (roof, Provenance::Mapped),
        (None, Some(roof)) => (roof, Provenance::Neighbors),
        (None, None) => (guess_roof(draft, kind, height, levels), Provenance::Guessed),
    };
    let tagged_roof = tagged_roof.is_some();
    let pitched_rise = draft.boxed.short / 2.0 * pitch(id, kind, roof).tan();
    let cap = match kind {
        Kind::Church => 11.0,
        Kind::House | Kind::Terrace => 5.0,
        Kind::Farm => 6.0,
        _ => 4.5,
    };
    let roof_levels = number("roof:levels").filter(|l| *l > 0.0).map(|l| l * 2.5);
    let rise = number("roof:height").or(roof_levels.filter(|_| roof != Roof::Flat));
    let usual_rise = match roof {
        Roof::Flat => 0.0,
        Roof::Skillion => (draft.boxed.short * 0.18).min(2.5),
        Roof::Dome => draft.boxed.short / 2.0,
        Roof::Pyramidal if draft.part => draft.boxed.short * 0.9,
        Roof::Mansard | Roof::Gambrel => (draft.boxed.short * 0.35).clamp(1.8, 4.5),
        _ => pitched_rise.min(cap),
    };
    let rise_of = |limit: f64| rise.unwrap_or(usual_rise.min(limit)).min(limit).max(0.0);
    let (eaves, ridge, from) = if let Some(top) = height {
        let body = (top - base).max(0.3);
        // A tagged height includes the roof.
        let limit = if tagged_roof || rise.is_some() { body } else { body * 0.45 };
        (top - rise_of(limit), top, Provenance::Mapped)
    } else if let Some(levels) = levels {
        let eaves = if levels > 0.0 { base.max(0.0) + levels * story + 0.4 } else { 0.4 + base };
        let min_level = number("building:min_level").unwrap_or(0.0);
        let eaves = if min_level > 0.0 && levels > min_level { levels * story + 0.4 } else { eaves };
        (eaves, eaves + rise_of(60.0), Provenance::Derived)
    } else if let Some(top) = tops.filter(|_| follows_neighbors(draft, kind)) {
        (top - rise_of(top * 0.45), top, Provenance::Guessed)
    } else {
        let eaves = base.max(0.0) + guess_eaves(draft, kind, guessed, story);
        (eaves, eaves + rise_of(60.0), Provenance::Guessed)
    };
    let stories = levels
        .filter(|l| *l >= 1.0)
        .unwrap_or_else(|| ((eaves - base) / story + 0.15).floor().max(1.0))
        .clamp(1.0, 200.0);
    let text = |keys: [&str; 2]| keys.iter().find_map(|k| tag(tags, k));
    Building {
        id: id.to_owned(),
        footprint: draft.footprint.clone(),
        kind,
        base,
        eaves: eaves.max(base + 0.1),
        ridge: ridge.max(eaves).max(base + 0.1),
        stories: stories as u32,
        roof,
        roof_direction: tag(tags, "roof:direction").or_else(|| tag(tags, "roof:ridge:direction")).and_then(bearing),
        roof_across: tag(tags, "roof:orientation") == Some("across"),
        wall_color: text(["building:colour", "building:color"]).and_then(color),
        wall_material: text(["building:material", "building:facade:material"]).map(str::to_owned),
        roof_color: text(["roof:colour", "roof:color"]).and_then(color),
        roof_material: tag(tags, "roof:material").map(str::to_owned),
        height_from: from,
        roof_from,
        replaced_by_parts: false,
        measured: None,
    }
}

/// Whether a building without a tagged height takes that of neighbors of similar size.
fn follows_neighbors(draft: &Draft, kind: Kind) -> bool {
    let own = matches!(kind, Kind::Church | Kind::Canopy | Kind::Greenhouse | Kind::Shed | Kind::Garage);
    !draft.part && !own
}

fn pitch(id: &str, kind: Kind, roof: Roof) -> f64 {
    let (from, to) = match (kind, roof) {
        (Kind::Church, _) => (48.0, 54.0),
        (Kind::Farm, _) => (28.0, 36.0),
        (Kind::Garage | Kind::Shed | Kind::Greenhouse | Kind::Canopy, _) => (18.0, 26.0),
        (Kind::Industrial | Kind::Retail | Kind::Office, _) => (10.0, 16.0),
        (Kind::Apartments | Kind::Public, _) => (24.0, 32.0),
        _ => (30.0, 38.0),
    };
    (from + (to - from) * rng::name_to_unit(id, 11)).to_radians()
}

fn guess_stories(draft: &Draft, kind: Kind, neighbors: Option<f64>) -> f64 {
    let own: f64 = match kind {
        Kind::House => {
            if draft.area > 130.0 && rng::name_to_unit(&draft.id, 21) < 0.12 || draft.area < 55.0 {
                1.0
            } else {
                2.0
            }
        }
        Kind::Terrace => 2.0,
        Kind::Apartments => {
            if draft.area > 900.0 {
                4.0
            } else {
                3.0
            }
        }
        Kind::Office => {
            if draft.area > 800.0 {
                4.0
            } else {
                3.0
            }
        }
        Kind::Public if draft.area > 300.0 => 2.0,
        _ => 1.0,
    };
    match (kind, neighbors) {
        (Kind::Apartments | Kind::Office | Kind::Terrace, Some(n)) => n.round().max(own.min(2.0)),
        (Kind::House, Some(n)) if n < 3.0 => n.round().max(1.0),
        (Kind::Public | Kind::Retail, Some(n)) if n >= 3.5 && draft.area > 200.0 => (n - 1.0).round(),
        _ => own,
    }
}

fn guess_eaves(draft: &Draft, kind: Kind, stories: f64, story: f64) -> f64 {
    let u = rng::name_to_unit(&draft.id, 31);
    match kind {
        Kind::House if stories < 1.5 => 2.9 + 0.6 * u,
        Kind::House if stories < 2.5 => 5.0 + 0.9 * u,
        Kind::House | Kind::Terrace => stories * story + 0.1 + 0.5 * u,
        Kind::Apartments | Kind::Office | Kind::Public => stories * story + 0.5 + 0.3 * u,
        Kind::Retail if stories > 1.5 => stories * story + 0.5,
        Kind::Retail => 4.2 + u,
        Kind::Industrial => {
            if draft.area > 3_000.0 {
                9.0 + 2.0 * u
            } else if draft.area < 120.0 {
                3.6 + u
            } else {
                6.0 + 1.5 * u
            }
        }
        Kind::Farm => 4.0 + u,
        Kind::Church => {
            if draft.area < 80.0 {
                3.5 + u
            } else {
                7.0 + (draft.area / 100.0).min(6.0)
            }
        }
        Kind::Garage => 2.4 + 0.3 * u,
        Kind::Shed => 2.1 + 0.4 * u,
        Kind::Canopy => {
            if draft.area > 120.0 {
                3.0
            } else {
                0.4
            }
        }
        Kind::Greenhouse => 2.3 + 0.6 * u,
    }
}

fn guess_roof(draft: &Draft, kind: Kind, height: Option<f64>, levels: Option<f64>) -> Roof {
    if draft.part {
        return Roof::Flat;
    }
    let u = rng::name_to_unit(&draft.id, 41);
    let filled = draft.area / (draft.boxed.long * draft.boxed.short).max(1.0);
    let corners = draft.footprint.outer.len();
    let simple = filled > 0.72 && corners <= 8 && draft.footprint.holes.is_empty();
    let tall = height.is_some_and(|h| h > 18.0) || levels.is_some_and(|l| l > 5.0);
    // Too wide for a single central ridge.
    let wide = draft.boxed.short > 22.0;
    match kind {
        _ if tall || wide && kind != Kind::Church => Roof::Flat,
        Kind::House | Kind::Terrace if !simple && corners > 10 => Roof::Hipped,
        Kind::House if u < 0.16 => Roof::Hipped,
        Kind::House if u > 0.97 => Roof::Flat,
        Kind::House | Kind::Terrace => Roof::Gabled,
        Kind::Apartments if draft.area > 700.0 || !draft.footprint.holes.is_empty() => Roof::Flat,
        Kind::Apartments if u < 0.3 || !simple && u < 0.6 => Roof::Hipped,
        Kind::Apartments => {
            if u < 0.75 {
                Roof::Gabled
            } else {
                Roof::Flat
            }
        }
        Kind::Retail | Kind::Public if draft.area < 450.0 => {
            if simple {
                Roof::Gabled
            } else {
                Roof::Hipped
            }
        }
        Kind::Farm | Kind::Church | Kind::Greenhouse => Roof::Gabled,
        Kind::Garage => {
            if draft.area > 24.0 && u < 0.4 {
                Roof::Gabled
            } else {
                Roof::Flat
            }
        }
        Kind::Shed => {
            if u < 0.35 {
                Roof::Skillion
            } else if u < 0.6 {
                Roof::Gabled
            } else {
                Roof::Flat
            }
        }
        _ => Roof::Flat,
    }
}

fn roof_shape(text: &str) -> Option<Roof> {
    Some(match text {
        "flat" => Roof::Flat,
        "gabled" | "gable" | "pitched" | "double_saltbox" | "saltbox" | "gabled_height_moved" | "cross_gabled" => {
            Roof::Gabled
        }
        "hipped" | "hip" | "side_hipped" | "hipped-and-gabled" => Roof::Hipped,
        "pyramidal" | "cone" | "conical" | "tented" => Roof::Pyramidal,
        "skillion" | "lean_to" | "shed" => Roof::Skillion,
        "half-hipped" | "half_hipped" => Roof::HalfHipped,
        "mansard" => Roof::Mansard,
        "gambrel" => Roof::Gambrel,
        "dome" | "round" | "onion" | "barrel" => Roof::Dome,
        _ => return None,
    })
}
