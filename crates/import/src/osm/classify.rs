//! Selects the layers that an object belongs to, and the tags to keep.

use std::collections::BTreeMap;

use aerie_geodata::gpkg::Layer;

use super::element::Tags;

/// Geometry of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Point,
    OpenLine,
    ClosedLine,
    Polygons,
}

/// Tags that do not affect how an object looks or is found.
const NOISE: [&str; 22] = [
    "created_by",
    "source",
    "note",
    "fixme",
    "FIXME",
    "comment",
    "wikipedia",
    "wikidata",
    "is_in",
    "website",
    "phone",
    "email",
    "fax",
    "url",
    "image",
    "description",
    "opening_hours",
    "ref",
    "attribution",
    "import",
    "operator",
    "history",
];
const NOISE_PREFIXES: [&str; 12] = [
    "source:",
    "note:",
    "TMC:",
    "contact:",
    "wikipedia:",
    "destination:",
    "tiger:",
    "turn:",
    "fire_hydrant:",
    "payment:",
    "old_",
    "seamark:",
];
/// Maximum length of a value, characters; OpenStreetMap's own limit.
const MAX_VALUE: usize = 255;

/// Maximum size of what is kept of an object, bytes. Thousands of objects are in memory at once.
const MAX_KEPT: usize = 64 << 10;

/// The tags to keep, as a JSON object with sorted keys.
pub(crate) fn kept(tags: &Tags<'_>) -> String {
    let mut size = 0;
    let kept: BTreeMap<&str, &str> = tags
        .0
        .iter()
        .filter(|(k, _)| {
            let key = k.as_ref();
            !NOISE.contains(&key)
                && !NOISE_PREFIXES.iter().any(|p| key.starts_with(p))
                && (!key.starts_with("name:") || key == "name:en")
                && key.len() <= MAX_VALUE
        })
        .map(|(k, v)| (k.as_ref(), shortened(v)))
        .take_while(|(k, v)| {
            size += k.len() + v.len();
            size <= MAX_KEPT
        })
        .collect();
    serde_json::to_string(&kept).unwrap_or_else(|_| "{}".into())
}

/// Truncates a value to the maximum length.
fn shortened(value: &str) -> &str {
    if value.len() <= MAX_VALUE {
        return value;
    }
    value.char_indices().nth(MAX_VALUE).map_or(value, |(end, _)| &value[..end])
}

/// Layers of an object with these tags, each with the feature's kind.
pub(crate) fn layers(tags: &Tags<'_>, shape: Shape) -> Vec<(Layer, String)> {
    if tags.0.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut push = |layer, kind: &str| out.push((layer, shortened(kind).to_owned()));
    let areal = matches!(shape, Shape::ClosedLine | Shape::Polygons);
    let lineal = matches!(shape, Shape::OpenLine | Shape::ClosedLine);
    if shape == Shape::Point {
        if tags.is("natural", "tree") {
            push(Layer::Trees, "tree");
        }
        if tags.is("highway", "crossing") {
            push(Layer::Crossings, "crossing");
        }
        if let (Some(place), true) = (tags.get("place"), tags.has("name")) {
            push(Layer::Places, place);
        }
        return out;
    }
    let underground = tags.is("location", "underground") || tags.is("building", "underground");
    if areal && !underground {
        if tags.has("building:part") {
            push(Layer::Buildings, "part");
        } else if tags.has("building") && !tags.is("building", "entrance") {
            push(Layer::Buildings, "building");
        }
    }
    let building = !out.is_empty();
    let mut push = |layer, kind: &str| out.push((layer, shortened(kind).to_owned()));
    let surface = tags.is("area", "yes") || shape == Shape::Polygons;
    if lineal && !(shape == Shape::ClosedLine && surface) {
        if let Some(highway) = tags.get("highway").filter(|h| road(h)) {
            push(Layer::Roads, highway);
        } else if let Some(rail) = tags.get("railway").filter(|r| RAILS.contains(r)) {
            push(Layer::Roads, &format!("railway={rail}"));
        } else if let Some(aeroway) = tags.get("aeroway").filter(|a| matches!(*a, "runway" | "taxiway")) {
            push(Layer::Roads, &format!("aeroway={aeroway}"));
        }
        if let Some(w) =
            tags.get("waterway").filter(|w| matches!(*w, "river" | "stream" | "canal" | "ditch" | "drain" | "brook"))
        {
            push(Layer::Waterways, w);
        }
        if tags.is("natural", "tree_row") {
            push(Layer::TreeRows, "tree_row");
        }
    }
    if lineal && tags.is("natural", "coastline") {
        push(Layer::Coastlines, "coastline");
    }
    if let Some(barrier @ ("hedge" | "fence" | "wall" | "retaining_wall" | "city_wall" | "guard_rail")) =
        tags.get("barrier")
    {
        push(Layer::Barriers, barrier);
    }
    if areal {
        if tags.is("boundary", "administrative") && tags.has("name") {
            if let Some(level) =
                tags.get("admin_level").and_then(|l| l.parse::<u8>().ok()).filter(|l| (2..=11).contains(l))
            {
                push(Layer::Boundaries, &format!("{level}"));
            }
        } else if tags.is("boundary", "postal_code") && (tags.has("postal_code") || tags.has("ref")) {
            push(Layer::Boundaries, "postal_code");
        } else if tags.has("place") && tags.has("name") && !tags.is("place", "island") {
            push(Layer::Boundaries, "place");
        }
        if let Some(kind) = area(tags, surface).filter(|_| !building) {
            push(Layer::Areas, &kind);
        }
    }
    out
}

/// Layers of a multipolygon with these tags, and whether it has a house number. Its rings are no lines.
pub(crate) fn areal(tags: &Tags<'_>) -> (Vec<(Layer, String)>, bool) {
    let mut layers = layers(tags, Shape::Polygons);
    layers.retain(|(layer, _)| matches!(layer, Layer::Buildings | Layer::Areas | Layer::Boundaries));
    (layers, tags.has("addr:housenumber"))
}

const RAILS: [&str; 6] = ["rail", "light_rail", "tram", "narrow_gauge", "subway", "preserved"];

fn road(highway: &str) -> bool {
    !matches!(
        highway,
        "proposed"
            | "construction"
            | "abandoned"
            | "razed"
            | "platform"
            | "rest_area"
            | "services"
            | "bus_stop"
            | "no"
            | "corridor"
            | "elevator"
            | "via_ferrata"
            | "planned"
            | "raceway"
    )
}

/// The tag that determines land cover, as `key=value`; the first relevant key wins.
fn area(tags: &Tags<'_>, surface: bool) -> Option<String> {
    let keys = [
        "leisure", "amenity", "natural", "landuse", "waterway", "water", "wetland", "aeroway", "railway", "man_made",
        "tourism", "place",
    ];
    for key in keys {
        let Some(value) = tags.get(key) else { continue };
        let counts = match key {
            "leisure" => {
                matches!(
                    value,
                    "park"
                        | "garden"
                        | "pitch"
                        | "playground"
                        | "swimming_pool"
                        | "golf_course"
                        | "common"
                        | "track"
                        | "nature_reserve"
                        | "recreation_ground"
                        | "sports_centre"
                        | "stadium"
                        | "marina"
                        | "dog_park"
                        | "ice_rink"
                ) && value != "nature_reserve"
            }
            "amenity" => matches!(
                value,
                "parking"
                    | "school"
                    | "kindergarten"
                    | "university"
                    | "college"
                    | "hospital"
                    | "grave_yard"
                    | "swimming_pool"
                    | "marketplace"
                    | "place_of_worship"
                    | "fountain"
            ),
            "natural" => matches!(
                value,
                "wood"
                    | "water"
                    | "scrub"
                    | "heath"
                    | "grassland"
                    | "meadow"
                    | "wetland"
                    | "bare_rock"
                    | "scree"
                    | "shingle"
                    | "sand"
                    | "beach"
                    | "glacier"
                    | "fell"
                    | "mud"
                    | "rock"
                    | "moor"
                    | "marsh"
            ),
            "landuse" => true,
            "waterway" => matches!(value, "riverbank" | "dock" | "pond"),
            "water" | "wetland" => true,
            "aeroway" => matches!(value, "apron" | "runway" | "taxiway" | "aerodrome"),
            "railway" => value == "platform",
            "man_made" => matches!(value, "pier" | "wastewater_plant" | "works" | "bridge"),
            "tourism" => matches!(value, "camp_site" | "caravan_site" | "zoo"),
            _ => value == "square",
        };
        if counts {
            return Some(format!("{key}={value}"));
        }
    }
    let highway = tags.get("highway").filter(|h| {
        matches!(
            *h,
            "pedestrian" | "footway" | "service" | "residential" | "living_street" | "platform" | "unclassified"
        )
    });
    highway.filter(|_| surface).map(|h| format!("highway={h}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_kept_as_trees_crossings_and_places_and_nothing_else() {
        let of = |pairs: &[(&str, &str)]| {
            let tags = Tags(pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect());
            layers(&tags, Shape::Point).into_iter().map(|(layer, _)| layer).collect::<Vec<_>>()
        };
        assert_eq!(of(&[("highway", "crossing"), ("crossing", "zebra")]), [Layer::Crossings]);
        assert_eq!(of(&[("natural", "tree")]), [Layer::Trees]);
        assert_eq!(of(&[("highway", "bus_stop")]), []);
    }

    #[test]
    fn a_coast_is_a_line_even_where_it_closes_and_is_no_area() {
        let tags = Tags(vec![("natural".into(), "coastline".into()), ("place".into(), "island".into())]);
        let of = |shape| layers(&tags, shape).into_iter().map(|(layer, _)| layer).collect::<Vec<_>>();
        assert_eq!(of(Shape::OpenLine), [Layer::Coastlines]);
        assert_eq!(of(Shape::ClosedLine), [Layer::Coastlines]);
        assert_eq!(of(Shape::Polygons), []);
    }
}
