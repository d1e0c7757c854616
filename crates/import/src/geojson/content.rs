//! Decides what the features of a GeoJSON file are, and in which unit their heights are, by what they say of themselves.

use std::collections::BTreeMap;

use aerie_geodata::LocalFrame;
use aerie_geodata::gpkg::Geometry;
use aerie_geodata::length::{FOOT, US_FOOT};
use aerie_geodata::place::GeoPoint;
use aerie_math::geometry;

use super::feature::{Feature, plain};

/// What the features of a file are.
#[derive(Debug, PartialEq)]
pub(super) enum Content {
    /// Objects of OpenStreetMap, with their ids and tags.
    Osm,
    Parcels,
    /// Buildings with heights in the property with this plain name. `unit`: meters per unit of heights that name none; `reason`: why
    /// that unit, where it is not plain meters.
    Heights {
        key: String,
        unit: f64,
        reason: Option<String>,
    },
}

/// Properties that may contain a building's height above ground, by their plain names; each may be followed by its unit.
const HEIGHTS: [&str; 19] = [
    "height",
    "hgt",
    "hgtagl",
    "heightagl",
    "relheight",
    "buildinght",
    "bldgheight",
    "bldghgt",
    "bldght",
    "buildingheight",
    "buildinghgt",
    "measuredheight",
    "roofheight",
    "heightroof",
    "maxheight",
    "hoehe",
    "hauteur",
    "altura",
    "altezza",
];
/// Those of countries and standards without feet.
const METRIC: [&str; 5] = ["measuredheight", "hoehe", "hauteur", "altura", "altezza"];
/// Ends of the names of such properties, and their units in meters.
const SUFFIXES: [(&str, f64); 10] = [
    ("usft", US_FOOT),
    ("ftus", US_FOOT),
    ("feet", FOOT),
    ("foot", FOOT),
    ("ft", FOOT),
    ("meters", 1.0),
    ("metres", 1.0),
    ("meter", 1.0),
    ("cm", 0.01),
    ("m", 1.0),
];
/// Properties that contain the number of stories.
const STORIES: [&str; 12] = [
    "buildinglevels",
    "levels",
    "stories",
    "storeys",
    "numstories",
    "nostories",
    "bldgstories",
    "floors",
    "numfloors",
    "nofloors",
    "storeysaboveground",
    "stockwerke",
];
/// Properties that only parcels have, and parts of the names of others and of collections.
const OF_PARCELS: [&str; 9] = ["egrid", "apn", "pin", "parno", "bbl", "pid", "folio", "refcat", "gemarkung"];
const PARTS_OF_PARCELS: [&str; 7] = ["parcel", "parzel", "flurst", "cadast", "kadast", "catastr", "taxlot"];
/// Beginnings of the names of properties that only buildings have, and parts of the names of collections.
const OF_BUILDINGS: [&str; 6] = ["bldg", "building", "gebaeude", "batiment", "roof", "capturedatesrange"];
const PARTS_OF_BUILDINGS: [&str; 5] = ["building", "footprint", "gebaeude", "gebäude", "batiment"];

/// Properties whose value may be "building".
const KINDS: [&str; 5] = ["fclass", "type", "kind", "class", "layer"];

/// Number of buildings by which the unit of heights is judged.
const MAX_SAMPLES: usize = 10_000;
/// Footprints of houses, square meters.
const HOUSE: std::ops::RangeInclusive<f64> = 40.0..=400.0;
/// Maximum median height of houses that is surely in meters where feet are usual: houses of 9 feet are none.
const MAX_METRIC: f64 = 9.0;
/// Maximum median height of houses anywhere, meters.
const MAX_HOUSE: f64 = 40.0;
/// Minimum height of a story in feet, and its maximum.
const STORY_FEET: std::ops::RangeInclusive<f64> = 6.5..=25.0;
/// Minimum height of a story in meters, and its maximum.
const STORY_METERS: std::ops::Range<f64> = 1.5..6.5;
/// Minimum number of buildings with stories that decide the unit.
const MIN_STORIES: usize = 3;
/// Bounds of the United States, where heights of surveys may be in feet: west, south, east, north.
const FEET_ARE_USUAL: [[f64; 4]; 4] = [
    [-125.0, 24.3, -66.0, 49.5],
    [-180.0, 51.0, -129.0, 72.0],
    [-161.0, 18.5, -154.0, 22.5],
    [-68.0, 17.5, -64.5, 18.7],
];

/// What the features of a file say of themselves.
#[derive(Default)]
pub(super) struct Evidence {
    features: u64,
    polygons: u64,
    of_osm: u64,
    of_buildings: u64,
    of_parcels: u64,
    /// Number of plausible heights by plain name of the property.
    heights: BTreeMap<String, u64>,
    samples: Vec<Sample>,
    /// Corner of the first polygon.
    at: Option<[f64; 2]>,
}

/// A building by which the unit of heights is judged.
struct Sample {
    /// Heights without a unit, by plain name of the property.
    heights: Vec<(String, f64)>,
    /// Footprint, square meters.
    area: f64,
    stories: Option<f64>,
}

impl Evidence {
    pub(super) fn add(&mut self, feature: &Feature) {
        self.features += 1;
        self.of_osm += u64::from(feature.osm_id().is_some());
        let (mut is_building, mut is_parcel) = (false, false);
        let (mut heights, mut stories) = (Vec::new(), None);
        for (name, value) in feature.properties() {
            if value.is_null() || value.as_str().is_some_and(str::is_empty) {
                continue;
            }
            is_parcel |= is_of_parcel(&name);
            is_building |= KINDS.contains(&name.as_str()) && value.as_str() == Some("building");
            is_building |= OF_BUILDINGS.iter().any(|start| name.starts_with(start)) && value.as_str() != Some("no");
            if STORIES.contains(&name.as_str()) {
                let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
                stories = number.filter(|n| (1.0..=200.0).contains(n));
            }
            if unit_of(&name).is_some() {
                is_building = true;
                if feature.height(&name, 1.0).is_some() {
                    *self.heights.entry(name.clone()).or_default() += 1;
                }
                if let Some((number, None)) = feature.length(&name).filter(|(number, _)| *number > 0.0) {
                    heights.push((name, number));
                }
            }
        }
        self.of_buildings += u64::from(is_building);
        self.of_parcels += u64::from(is_parcel);
        let Ok(Geometry::Polygons(polygons)) = feature.polygons() else { return };
        self.polygons += 1;
        let Some(&[lon, lat]) = polygons.first().and_then(|rings| rings.first()?.first()) else { return };
        self.at.get_or_insert([lon, lat]);
        if !heights.is_empty() && self.samples.len() < MAX_SAMPLES {
            let frame = LocalFrame::new(GeoPoint { lat, lon });
            let area = |ring: &Vec<[f64; 2]>| {
                let local: Vec<[f64; 2]> = ring.iter().map(|[lon, lat]| frame.local(*lon, *lat)).collect();
                geometry::signed_area(&local).abs()
            };
            let area = polygons.iter().filter_map(|rings| rings.first()).map(area).sum();
            self.samples.push(Sample { heights, area, stories });
        }
    }

    /// Decides what the file holds. `name`: that of the collection; `unit`: meters per unit of heights, if given. The error says why it
    /// cannot be imported.
    pub(super) fn content(&self, name: &str, unit: Option<f64>) -> Result<Content, String> {
        let name = plain(name);
        let is_named = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let most = |count: u64| count * 2 > self.features;
        if most(self.of_osm) {
            return Ok(Content::Osm);
        }
        let are_named_buildings = is_named(&PARTS_OF_BUILDINGS);
        // Buildings may name the parcel that they are on.
        let are_parcels = is_named(&PARTS_OF_PARCELS) || most(self.of_parcels) && !are_named_buildings;
        let are_buildings = most(self.of_buildings) || are_named_buildings;
        // A height whose unit is named is more reliable than one without.
        let has_unit = |key: &str| unit_of(key).flatten().is_some();
        // Of a parcel, it is what may be built.
        let heights = self.heights.iter().filter(|(key, _)| !are_parcels || !key.starts_with("maxheight"));
        let key = heights.max_by_key(|(key, count)| (has_unit(key) && most(**count), **count));
        match key {
            Some((key, count)) if most(*count) || !are_parcels => {
                let (unit, reason) = match (unit, unit_of(key).flatten()) {
                    (Some(given), _) => (given, converted(given, "--height-unit")),
                    (None, Some(named)) => (named, converted(named, "the name of the property")),
                    (None, None) => self.unit(key)?,
                };
                Ok(Content::Heights { key: key.clone(), unit, reason })
            }
            _ if are_buildings && !are_parcels => {
                Err("its polygons are buildings without heights; import outlines as an \
                OpenStreetMap extract, and only buildings with heights or parcels as GeoJSON"
                    .into())
            }
            _ => Ok(Content::Parcels),
        }
    }

    /// Infers the unit of heights that name none: meters per unit, and the reason.
    fn unit(&self, key: &str) -> Result<(f64, Option<String>), String> {
        let height = |sample: &Sample| sample.heights.iter().find(|(name, _)| name == key).map(|(_, height)| *height);
        let feet_are_usual = self.at.is_some_and(|[lon, lat]| {
            let is_in = |[west, south, east, north]: &[f64; 4]| {
                (*west..=*east).contains(&lon) && (*south..=*north).contains(&lat)
            };
            FEET_ARE_USUAL.iter().any(is_in)
        });
        let ratios = self.samples.iter().filter_map(|sample| Some(height(sample)? / sample.stories?));
        let ratios: Vec<f64> = ratios.collect();
        if ratios.len() >= MIN_STORIES || !ratios.is_empty() && ratios.len() == self.samples.len() {
            let story = median(ratios);
            let why = format!("because a story is {story:.1} high");
            // Elsewhere, halls have one high story, and roofs are no story.
            if feet_are_usual && STORY_FEET.contains(&story) {
                return Ok((FOOT, Some(format!("heights are read in feet, {why}"))));
            }
            if STORY_METERS.contains(&story) {
                return Ok((1.0, Some(format!("heights are read in meters, {why}"))));
            }
        }
        let of = |sizes: std::ops::RangeInclusive<f64>| {
            let of_size = self.samples.iter().filter(|sample| sizes.contains(&sample.area));
            of_size.filter_map(height).collect::<Vec<f64>>()
        };
        let houses = Some(of(HOUSE)).filter(|houses| !houses.is_empty()).unwrap_or_else(|| of(0.0..=f64::MAX));
        if houses.is_empty() {
            return Ok((1.0, None));
        }
        let usual = median(houses);
        if usual > MAX_HOUSE || feet_are_usual && usual > MAX_METRIC {
            return Err(format!(
                "the unit of its heights is not named, and half of its houses are {usual:.1} high or more, which may be feet; name \
                 it with --height-unit feet or --height-unit meters"
            ));
        }
        let reason = format!("heights are read in meters, because half of the houses are {usual:.1} high or less");
        Ok((1.0, feet_are_usual.then_some(reason)))
    }
}

/// Says that heights are converted, where they are.
fn converted(unit: f64, by: &str) -> Option<String> {
    (unit != 1.0).then(|| format!("heights are converted from units of {unit} m, by {by}"))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// For the plain name of a property that contains heights: its unit in meters, if the name says it.
fn unit_of(name: &str) -> Option<Option<f64>> {
    if HEIGHTS.contains(&name) {
        return Some(METRIC.contains(&name).then_some(1.0));
    }
    let of =
        |(end, unit): &(&str, f64)| name.strip_suffix(end).filter(|base| HEIGHTS.contains(base)).map(|_| Some(*unit));
    SUFFIXES.iter().find_map(of)
}

fn is_of_parcel(name: &str) -> bool {
    OF_PARCELS.contains(&name) || PARTS_OF_PARCELS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Houses of 20 by 15 m with these properties.
    fn evidence(at: [f64; 2], properties: &[Value]) -> Evidence {
        let mut evidence = Evidence::default();
        for (i, properties) in properties.iter().enumerate() {
            let lon = at[0] + i as f64 * 0.001;
            let (east, north) = (lon + 20.0 / 87_000.0, at[1] + 15.0 / 111_000.0);
            let ring = json!([[lon, at[1]], [east, at[1]], [east, north], [lon, north], [lon, at[1]]]);
            let feature = json!({"properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}});
            evidence.add(&serde_json::from_value(feature).unwrap());
        }
        evidence
    }

    const VIRGINIA: [f64; 2] = [-77.6, 38.9];
    const GERMANY: [f64; 2] = [11.5, 49.9];

    fn unit(at: [f64; 2], properties: &[Value]) -> Result<f64, String> {
        match evidence(at, properties).content("", None)? {
            Content::Heights { unit, .. } => Ok(unit),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn a_unit_is_read_from_the_name_of_the_property_or_inferred_from_stories() {
        assert_eq!(unit(VIRGINIA, &[json!({"HEIGHT": 24.6, "Height_ft": 24.6})]), Ok(FOOT));
        assert_eq!(unit(VIRGINIA, &[json!({"height_m": 24.6})]), Ok(1.0));
        assert_eq!(unit(VIRGINIA, &[json!({"measuredHeight": 24.6})]), Ok(1.0));
        assert_eq!(unit(VIRGINIA, &[json!({"HEIGHT": 24.6, "STORIES": 2})]), Ok(FOOT));
        assert_eq!(unit(VIRGINIA, &[json!({"HEIGHT": 24.6, "STORIES": 8})]), Ok(1.0));
        // A house with a roof, and a hall.
        assert_eq!(unit(GERMANY, &[json!({"height": 7.2, "building:levels": 1})]), Ok(1.0));
        assert_eq!(unit(GERMANY, &[json!({"height": 12.0, "building:levels": 1})]), Ok(1.0));
    }

    #[test]
    fn a_height_that_may_be_feet_is_asked_about_and_one_that_cannot_be_is_not() {
        let tall = [json!({"HEIGHT": 24.6}), json!({"HEIGHT": 26.0}), json!({"HEIGHT": 17.1})];
        assert!(unit(VIRGINIA, &tall).unwrap_err().contains("--height-unit feet"));
        assert_eq!(unit(GERMANY, &tall), Ok(1.0));
        assert_eq!(unit(VIRGINIA, &[json!({"HEIGHT": 6.4}), json!({"HEIGHT": 7.0})]), Ok(1.0));
        assert!(unit(GERMANY, &[json!({"height": 70.0}), json!({"height": 90.0})]).is_err());
        let given = evidence(VIRGINIA, &tall).content("", Some(FOOT));
        assert!(matches!(given, Ok(Content::Heights { unit: FOOT, .. })));
    }

    #[test]
    fn buildings_and_parcels_are_known_by_what_they_say() {
        let content = |name: &str, properties: Value| evidence(GERMANY, &[properties]).content(name, None);
        for parcel in [json!({"EGRID": "CH1"}), json!({"APN": "1", "BLDG_AREA": 90}), json!({}), json!({"nummer": 7})] {
            assert_eq!(content("", parcel.clone()), Ok(Content::Parcels), "{parcel}");
        }
        for (name, building) in [("", json!({"building": "house"})), ("Building_Footprints", json!({"OBJECTID": 1}))] {
            assert!(content(name, building.clone()).unwrap_err().contains("buildings without heights"), "{building}");
        }
        assert!(matches!(content("", json!({"height": "9 m"})), Ok(Content::Heights { .. })));
        assert_eq!(content("", json!({"APN": "1", "MAX_HEIGHT": 12})), Ok(Content::Parcels));
        let on_parcel = json!({"PARCEL_ID": "1", "BLDG_ID": 2});
        assert!(content("Building_Footprints", on_parcel).unwrap_err().contains("buildings without heights"));
        assert!(content("", json!({"fclass": "building"})).unwrap_err().contains("buildings without heights"));
        assert_eq!(content("", json!({"@id": "way/7", "building": "yes"})), Ok(Content::Osm));
    }
}
