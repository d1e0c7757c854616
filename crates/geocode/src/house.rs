//! Selects one house from all mapped addresses that fit, or lists them.

use aerie_geodata::geodesy::{LocalFrame, distance};
use aerie_geodata::gpkg::{self, Geometry, Layer};
use aerie_geodata::place::{GeoPoint, Polygon};
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
    if let Some(unit) = &row.unit {
        text.push_str(&format!(", {}", named_unit(unit)));
    }
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

/// An apartment with a word for it.
fn named_unit(unit: &str) -> String {
    let has_word = unit.starts_with(|c: char| c.is_alphabetic()) && unit.contains(' ') || unit.starts_with('#');
    if has_word { unit.to_owned() } else { format!("Unit {unit}") }
}

/// One house out of all hits, or the list of them.
pub(crate) fn select(pack: &Pack, tokens: &[Token], mut hits: Vec<Hit>) -> Result<Match, GeocodeError> {
    let db = pack.db();
    // An exact number beats a range, and a name as written beats a corrected one.
    let best = hits.iter().map(|h| (h.guesses(), h.fit)).min();
    hits.retain(|h| Some((h.guesses(), h.fit)) == best);
    // `1 Main St` is on Main Street, even where there is a street called Main.
    let spans: Vec<(usize, usize)> = hits.iter().map(|h| h.words).collect();
    let is_within = |a: (usize, usize), b: (usize, usize)| b != a && b.0 <= a.0 && a.1 <= b.1;
    hits.retain(|h| !spans.iter().any(|span| is_within(h.words, *span)));
    hits.sort_by_key(|h| (h.mismatch, !h.row.on_building, h.row.fid));
    hits.dedup_by_key(|h| h.row.fid);
    of_unit(&mut hits)?;
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

/// Keeps the addresses of the apartment in the text, where the map has apartments.
fn of_unit(hits: &mut Vec<Hit>) -> Result<(), GeocodeError> {
    let Some(asked) = hits.iter().find_map(|hit| hit.unit.clone()) else {
        // The house itself, where the map has it beside its apartments.
        let whole: Vec<[f64; 2]> = hits.iter().filter(|hit| hit.row.unit.is_none()).map(|hit| hit.row.at).collect();
        let is_near = |hit: &Hit| whole.iter().any(|at| distance(*at, hit.row.at) <= SAME_PLACE);
        hits.retain(|hit| hit.row.unit.is_none() || !is_near(hit));
        return Ok(());
    };
    if hits.iter().any(|hit| hit.row.has_unit(&asked)) {
        hits.retain(|hit| hit.row.has_unit(&asked));
        return Ok(());
    }
    let mut units: Vec<String> = hits.iter().filter_map(|hit| hit.row.unit.clone()).collect();
    if units.is_empty() {
        return Ok(());
    }
    units.sort_by_key(|unit| (house_number::base(unit), unit.clone()));
    units.dedup();
    units.truncate(20);
    let hit = &hits[0];
    let address = describe(&Row { unit: None, ..hit.row.clone() }, &hit.street);
    Err(GeocodeError::UnknownUnit { unit: asked, address, candidates: units })
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
            let is_told_apart =
                house.hit.row.unit.as_deref().map(names::letters) != hit.row.unit.as_deref().map(names::letters);
            match (&house.building, &building) {
                (Some(a), Some(b)) => a.0 == b.0 || (!is_told_apart && touch(&a.1, &b.1)),
                (Some(own), None) | (None, Some(own)) => {
                    let point = if building.is_none() { hit.row.at } else { house.hit.row.at };
                    let inside = own.1.iter().any(|p| p.contains(point));
                    inside || (!is_told_apart && distance(house.hit.row.at, hit.row.at) <= SAME_PLACE)
                }
                (None, None) => !is_told_apart && distance(house.hit.row.at, hit.row.at) <= SAME_PLACE,
            }
        };
        if !houses.iter().any(same) {
            houses.push(House { hit, building });
        }
    }
    Ok(houses)
}

/// Whether two buildings share a wall or a corner.
fn touch(a: &[Polygon], b: &[Polygon]) -> bool {
    /// Maximum gap between outlines that meet, meters.
    const GAP: f64 = 0.3;
    let Some([lon, lat]) = a.first().and_then(|p| p.outer.first()).copied() else { return false };
    let frame = LocalFrame::new(GeoPoint { lon, lat });
    let local = |polygons: &[Polygon]| -> Vec<Vec<[f64; 2]>> {
        polygons.iter().map(|p| p.outer.iter().map(|at| frame.local(at[0], at[1])).collect()).collect()
    };
    let (a, b) = (local(a), local(b));
    let near = |points: &[Vec<[f64; 2]>], rings: &[Vec<[f64; 2]>]| {
        points.iter().flatten().any(|p| rings.iter().any(|ring| geometry::distance_to_ring(*p, ring) <= GAP))
    };
    near(&a, &b) || near(&b, &a)
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
    let unread = house.hit.skipped.iter().map(|words| format!("left out \"{words}\", which is not on the map"));
    let unit = house.hit.unit.iter().filter(|unit| !row.has_unit(unit));
    let unit = unit.map(|unit| format!("unit {} is not on the map", unit.to_uppercase()));
    let notes: Vec<String> = house.hit.correction.iter().cloned().chain(unread).chain(unit).collect();
    if !notes.is_empty() {
        matched.push_str(&format!(" ({})", notes.join("; ")));
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
