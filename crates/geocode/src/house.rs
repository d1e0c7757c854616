//! Selects one house from all mapped addresses that fit, or lists them.

use aerie_geodata::geodesy::distance;
use aerie_geodata::gpkg::{self, Geometry, Layer};
use aerie_geodata::place::Polygon;
use aerie_geodata::{Match, Pack, Precision, house_number, names};
use aerie_math::geometry;
use rusqlite::Connection;

use crate::error::GeocodeError;
use crate::query::Token;
use crate::reading::Hit;
use crate::rows::{Row, rows_of};

/// Maximum distance between points that count as one place, meters.
const SAME_PLACE: f64 = 30.0;
/// Maximum distance from a bare point to a building with the same address that it belongs to, meters.
const SAME_SITE: f64 = 75.0;

/// An address in full, the way its country writes it.
pub(crate) fn describe(row: &Row, street: &str) -> String {
    let english = street.rsplit(' ').next().is_some_and(|w| {
        matches!(
            w.to_lowercase().trim_end_matches('.'),
            "street"
                | "st"
                | "lane"
                | "ln"
                | "road"
                | "rd"
                | "avenue"
                | "ave"
                | "drive"
                | "close"
                | "court"
                | "way"
                | "place"
                | "terrace"
                | "crescent"
                | "hill"
                | "row"
                | "green"
                | "walk"
                | "square"
                | "mews"
                | "rise"
                | "grove"
                | "gardens"
                | "boulevard"
        )
    });
    let mut text =
        if english { format!("{} {street}", row.housenumber) } else { format!("{street} {}", row.housenumber) };
    let mut postcodes = row.postcodes.split('|').filter(|p| !p.is_empty());
    let postcode = match (postcodes.next(), postcodes.next()) {
        (Some(one), None) => Some(one.to_uppercase()),
        _ => None,
    };
    let town = row.city.as_deref().or(row.town.as_deref()).filter(|t| *t != street);
    match (postcode, town) {
        (Some(postcode), Some(town)) => text.push_str(&format!(", {postcode} {town}")),
        (Some(one), None) => text.push_str(&format!(", {one}")),
        (None, Some(one)) => text.push_str(&format!(", {one}")),
        (None, None) => {}
    }
    text
}

/// One house out of all hits, or the list of them.
pub(crate) fn select(pack: &Pack, tokens: &[Token], mut hits: Vec<Hit>) -> Result<Match, GeocodeError> {
    let db = pack.db();
    // An exact number beats a range, and a name as written beats a corrected one.
    let best = hits.iter().map(|h| (h.correction.is_some(), h.fit)).min();
    hits.retain(|h| Some((h.correction.is_some(), h.fit)) == best);
    hits.sort_by_key(|h| (h.mismatch, !h.row.on_building, h.row.fid));
    hits.dedup_by_key(|h| h.row.fid);
    let mut houses = cluster(db, hits)?;
    if houses.len() > 1 {
        // Names with the same folded form (Neue Gasse, Neugasse) are distinguished by their exact spelling.
        let written: String = tokens.iter().map(|t| t.text.as_str()).collect();
        let spelled = |h: &House| written.contains(&names::letters(&h.hit.street));
        if houses.iter().filter(|h| spelled(h)).count() == 1 {
            houses.retain(|h| spelled(h));
        }
    }
    // A bare point (of a shop or an institution) yields to a nearby building with the same address.
    let built: Vec<[f64; 2]> = houses.iter().filter(|h| h.building.is_some()).map(|h| h.hit.row.at).collect();
    houses.retain(|h| h.building.is_some() || !built.iter().any(|b| distance(*b, h.hit.row.at) <= SAME_SITE));
    let mut matches: Vec<Match> = houses.iter().map(|house| to_match(pack, house)).collect();
    if matches.len() == 1 {
        return Ok(matches.remove(0));
    }
    matches.truncate(20);
    Err(GeocodeError::Ambiguous { candidates: matches })
}

/// Hits for the same house.
struct House {
    hit: Hit,
    building: Option<(i64, Vec<Polygon>)>,
}

fn cluster(db: &Connection, hits: Vec<Hit>) -> rusqlite::Result<Vec<House>> {
    let mut houses: Vec<House> = Vec::new();
    for hit in hits {
        let building = match building_of(db, &hit.row)? {
            Some(own) => Some(own),
            None => building_beside(db, &hit)?,
        };
        let same = |house: &House| {
            let one = match (&house.building, &building) {
                (Some(a), Some(b)) => a.0 == b.0,
                _ => false,
            };
            one || distance(house.hit.row.at, hit.row.at) <= SAME_PLACE
                || house.building.as_ref().is_some_and(|b| b.1.iter().any(|p| p.contains(hit.row.at)))
        };
        if !houses.iter().any(same) {
            houses.push(House { hit, building });
        }
    }
    Ok(houses)
}

/// Identity of the smallest building that contains a longitude and latitude.
pub(crate) fn building_at(db: &Connection, at: [f64; 2]) -> rusqlite::Result<Option<String>> {
    Ok(outline(db, None, at)?.map(|(fid, _)| gpkg::osm_id(fid)))
}

/// The outline that has the address or contains its point, in degrees.
fn building_of(db: &Connection, row: &Row) -> rusqlite::Result<Option<(i64, Vec<Polygon>)>> {
    outline(db, row.on_building.then_some(row.fid), row.at)
}

/// The outline with this identity, or else the smallest one that contains a point.
fn outline(db: &Connection, own: Option<i64>, at: [f64; 2]) -> rusqlite::Result<Option<(i64, Vec<Polygon>)>> {
    let [x, y] = at;
    let mut best: Option<(f64, i64, Vec<Polygon>)> = None;
    for stored in gpkg::within(db, Layer::Buildings, [x, y, x, y])? {
        let Geometry::Polygons(polygons) = stored.geometry else { continue };
        let polygons: Vec<Polygon> =
            polygons.into_iter().map(|mut rings| Polygon { outer: rings.remove(0), holes: rings }).collect();
        if own == Some(stored.fid) {
            return Ok(Some((stored.fid, polygons)));
        }
        if stored.kind == "building" && polygons.iter().any(|p| p.contains(at)) {
            let area: f64 = polygons.iter().map(|p| geometry::signed_area(&p.outer).abs()).sum();
            if best.as_ref().is_none_or(|b| area < b.0) {
                best = Some((area, stored.fid, polygons));
            }
        }
    }
    Ok(best.map(|(_, fid, polygons)| (fid, polygons)))
}

/// The nearby building with the same number as a bare point, which the point stands for.
fn building_beside(db: &Connection, hit: &Hit) -> rusqlite::Result<Option<(i64, Vec<Polygon>)>> {
    let base = house_number::base(&hit.row.housenumber);
    let mut best: Option<(f64, Row)> = None;
    for row in rows_of(db, &names::street_key(&hit.street), Some(base))? {
        let meters = distance(row.at, hit.row.at);
        let same =
            row.on_building && house_number::normal(&row.housenumber) == house_number::normal(&hit.row.housenumber);
        if same && meters <= SAME_SITE && best.as_ref().is_none_or(|b| meters < b.0) {
            best = Some((meters, row));
        }
    }
    best.map_or(Ok(None), |(_, row)| building_of(db, &row))
}

fn to_match(pack: &Pack, house: &House) -> Match {
    let row = &house.hit.row;
    let mut matched = describe(row, &house.hit.street);
    if let Some(correction) = &house.hit.correction {
        matched.push_str(&format!(" ({correction})"));
    }
    Match {
        lat: row.at[1],
        lon: row.at[0],
        precision: if house.building.is_some() { Precision::Building } else { Precision::AddressPoint },
        matched,
        source: format!("{} {}", pack.source_name(), gpkg::osm_id(row.fid)),
        terrain_known: pack.terrain().covers(row.at),
        street: house.hit.street.clone(),
        address_id: gpkg::osm_id(row.fid),
        building_id: house.building.as_ref().map(|b| gpkg::osm_id(b.0)),
    }
}
