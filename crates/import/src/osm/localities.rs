//! Infers the towns and postcodes of addresses from boundaries, place nodes and tagged neighbors.
//!
//! Most house numbers have no town tag. Each address gets all names that a letter to it might plausibly carry: the
//! tagged town, every administrative area around it, the nearest settlement, and the nearest hamlet or quarter.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use aerie_geodata::street_index;
use rusqlite::{Connection, params};

use aerie_geodata::geodesy::distance;
use aerie_geodata::gpkg::Geometry;
use aerie_geodata::names;
use aerie_math::BandedPolygons;

use super::run::Run;
use super::settlements::{Places, QUARTERS, SETTLEMENTS};
use crate::error::ImportError;

/// Maximum number of decoded boundaries kept in memory.
const CACHED: usize = 4096;
/// Tags that name the place of an address.
const NAMED_IN: [&str; 14] = [
    "addr:city",
    "addr:town",
    "addr:village",
    "addr:place",
    "addr:hamlet",
    "addr:suburb",
    "addr:district",
    "addr:subdistrict",
    "addr:municipality",
    "addr:quarter",
    "addr:neighbourhood",
    "addr:county",
    "addr:state",
    "addr:province",
];

struct Row {
    fid: i64,
    at: [f64; 2],
    housenumber: String,
    street: Option<String>,
    place: Option<String>,
    postcode: Option<String>,
    city: Option<String>,
    tags: BTreeMap<String, String>,
}

/// Infers the towns of all addresses in the pack, since a new file may contain a boundary that was missing before.
pub(super) fn infer(db: &Connection, run: &mut Run<'_>) -> Result<(), ImportError> {
    let total: i64 = db.query_row("SELECT count(*) FROM addresses", [], |r| r.get(0))?;
    let known = Known::read(db)?;
    let places = Places::read(db)?;
    let mut cache = Boundaries::default();
    let mut neighbors = Neighbors::new(db)?;
    let mut folded = Keys::default();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let (mut last, mut done) = (i64::MIN, 0_u64);
    let mut nameless = 0;
    loop {
        run.check_canceled()?;
        let rows = page(db, last)?;
        let Some(end) = rows.last().map(|r| r.fid) else { break };
        last = end;
        done += rows.len() as u64;
        (run.progress)("finding the towns of addresses", done, u64::try_from(total).unwrap_or(0));
        for row in rows {
            let found = localities(db, &row, &known, &places, &mut cache, &mut neighbors, &mut folded)?;
            if row.street.is_none() && row.place.is_none() {
                // In a village without street names, the number belongs to the village itself.
                match row.city.as_deref().or(found.quarter.as_deref()).or(found.town.as_deref()) {
                    Some(name) => street_index::insert(db, row.fid, name, &row.housenumber)?,
                    None => nameless += 1,
                }
            }
            for (key, name) in &found.names {
                if !names.contains_key(key) {
                    names.insert(key.clone(), name.clone());
                }
            }
            let keys: Vec<&str> = found.names.keys().map(String::as_str).collect();
            db.prepare_cached("UPDATE addresses SET town = ?2, localities = ?3, postcodes = ?4 WHERE fid = ?1")?
                .execute(params![
                    row.fid,
                    found.town,
                    format!("|{}|", keys.join("|")),
                    format!("|{}|", found.postcodes.join("|"))
                ])?;
        }
    }
    run.report.note("house numbers in the pack with neither street nor place (not found by address)", nameless);
    db.execute("DELETE FROM aerie_localities", [])?;
    let mut insert = db.prepare("INSERT INTO aerie_localities VALUES (?1, ?2)")?;
    for (key, name) in &names {
        insert.execute([key, name])?;
    }
    Ok(())
}

fn page(db: &Connection, after: i64) -> rusqlite::Result<Vec<Row>> {
    let mut statement = db.prepare_cached(
        "SELECT fid, geom, housenumber, street, place, postcode, city, tags FROM addresses WHERE fid > ?1 ORDER BY fid LIMIT 2000",
    )?;
    let mut rows = statement.query([after])?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let at = match Geometry::from_blob(row.get_ref(1)?.as_blob().unwrap_or_default()) {
            Some(Geometry::Point(at)) => at,
            _ => [f64::NAN, f64::NAN],
        };
        out.push(Row {
            fid: row.get(0)?,
            at,
            housenumber: row.get(2)?,
            street: row.get(3)?,
            place: row.get(4)?,
            postcode: row.get(5)?,
            city: row.get(6)?,
            tags: serde_json::from_str(&row.get::<_, String>(7)?).unwrap_or_default(),
        });
    }
    Ok(out)
}

/// Which postcodes and towns occur together in tagged addresses.
struct Known {
    postcodes_of: BTreeMap<String, BTreeSet<String>>,
    cities_of: BTreeMap<String, BTreeSet<String>>,
}

impl Known {
    fn read(db: &Connection) -> rusqlite::Result<Self> {
        let mut known = Self { postcodes_of: BTreeMap::new(), cities_of: BTreeMap::new() };
        let mut statement = db.prepare(
            "SELECT city, postcode, count(*) FROM addresses WHERE city IS NOT NULL AND postcode IS NOT NULL GROUP BY city, postcode",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (city, postcode, _n): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            known.postcodes_of.entry(names::locality_key(&city)).or_default().insert(names::postcode_key(&postcode));
            known.cities_of.entry(names::postcode_key(&postcode)).or_default().insert(city);
        }
        Ok(known)
    }
}

#[derive(Default)]
struct Boundaries {
    decoded: HashMap<i64, Option<Rc<Boundary>>>,
}

struct Boundary {
    level: u8,
    name: Option<String>,
    name_en: Option<String>,
    postcode: Option<String>,
    shape: BandedPolygons,
}

impl Boundaries {
    fn around(&mut self, db: &Connection, at: [f64; 2]) -> rusqlite::Result<Vec<Rc<Boundary>>> {
        let mut statement =
            db.prepare_cached("SELECT id FROM rtree_boundaries_geom WHERE minx <= ?1 AND maxx >= ?1 AND miny <= ?2 AND maxy >= ?2 ORDER BY id")?;
        let ids: Vec<i64> = statement.query_map(params![at[0], at[1]], |r| r.get(0))?.collect::<Result<_, _>>()?;
        let mut out = Vec::new();
        for id in ids {
            if self.decoded.len() > CACHED {
                self.decoded.clear();
            }
            let boundary = match self.decoded.get(&id) {
                Some(known) => known.clone(),
                None => {
                    let read = Self::decode(db, id)?.map(Rc::new);
                    self.decoded.insert(id, read.clone());
                    read
                }
            };
            out.extend(boundary.filter(|b| b.shape.contains(at)));
        }
        Ok(out)
    }

    fn decode(db: &Connection, id: i64) -> rusqlite::Result<Option<Boundary>> {
        let (blob, kind, name, tags): (Vec<u8>, String, Option<String>, String) = db
            .prepare_cached("SELECT geom, kind, name, tags FROM boundaries WHERE fid = ?1")?
            .query_row([id], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?)))?;
        let tags: BTreeMap<String, String> = serde_json::from_str(&tags).unwrap_or_default();
        let Some(Geometry::Polygons(polygons)) = Geometry::from_blob(&blob) else { return Ok(None) };
        let postal = kind == "postal_code";
        Ok(Some(Boundary {
            level: kind.parse().unwrap_or(if postal { 0 } else { 10 }),
            name: name.filter(|_| !postal),
            name_en: tags.get("name:en").cloned().filter(|_| !postal),
            postcode: tags.get("postal_code").cloned(),
            shape: BandedPolygons::new(&polygons),
        }))
    }
}

#[derive(Default)]
struct Found {
    /// Spelling of each name, by its folded form.
    names: BTreeMap<String, String>,
    town: Option<String>,
    quarter: Option<String>,
    postcodes: Vec<String>,
}

/// Lookup keys of names, computed once for each because thousands of addresses share a town.
#[derive(Default)]
struct Keys(HashMap<String, Vec<(String, String)>>);

impl Keys {
    /// The keys of a tagged name, each with its spelling.
    fn of(&mut self, name: &str) -> &[(String, String)] {
        if self.0.len() > CACHED * 8 {
            self.0.clear();
        }
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), spelled(name));
        }
        &self.0[name]
    }
}

fn spelled(name: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    // Places with names in two languages are called by either: `Bruxelles - Brussel`, `Biel/Bienne`.
    let parts = name.split(';').flat_map(|name| std::iter::once(name).chain(two_names(name)));
    for name in parts.map(str::trim) {
        let key = names::locality_key(name);
        if !key.is_empty() && key.len() <= 100 {
            out.push((key, name.to_owned()));
        }
        // "Halle (Saale)" is also called Halle.
        if let Some((short, _)) = name.split_once('(') {
            let key = names::locality_key(short);
            if !key.is_empty() {
                out.push((key, short.trim().to_owned()));
            }
        }
    }
    out
}

fn two_names(name: &str) -> impl Iterator<Item = &str> {
    let both = name.split_once(" - ").or_else(|| name.split_once('/'));
    both.into_iter().flat_map(|(first, second)| [first, second])
}

impl Found {
    fn add(&mut self, name: &str, keys: &mut Keys) {
        for (key, name) in keys.of(name) {
            if !self.names.contains_key(key) {
                self.names.insert(key.clone(), name.clone());
            }
        }
    }
}

fn localities(
    db: &Connection,
    row: &Row,
    known: &Known,
    places: &Places,
    cache: &mut Boundaries,
    neighbors: &mut Neighbors,
    folded: &mut Keys,
) -> rusqlite::Result<Found> {
    let mut found = Found::default();
    for name in NAMED_IN.iter().filter_map(|key| row.tags.get(*key)) {
        found.add(name, folded);
    }
    if let Some(city) = &row.city {
        found.add(city, folded);
    }
    let mut settlement_level = 0;
    let (mut area_town, mut postal) = (None, BTreeSet::new());
    for boundary in cache.around(db, row.at)? {
        postal.extend(
            boundary.postcode.as_deref().into_iter().flat_map(|p| p.split([';', ','])).map(names::postcode_key),
        );
        for name in [&boundary.name, &boundary.name_en].into_iter().flatten() {
            found.add(name, folded);
        }
        // Municipalities are level 8 in most countries; city-states are level 4 or 6.
        if let (4..=8, Some(name), true) = (boundary.level, &boundary.name, boundary.level > settlement_level) {
            settlement_level = boundary.level;
            area_town = Some(name.clone());
        }
    }
    let settlement = places.nearest(row.at, &SETTLEMENTS);
    let quarter = places.nearest(row.at, &QUARTERS);
    for place in [&settlement, &quarter].into_iter().flatten() {
        found.add(place.name.as_deref().unwrap_or_default(), folded);
        if let Some(name) = &place.name_en {
            found.add(name, folded);
        }
        postal.extend(place.postcode.as_deref().map(names::postcode_key));
    }
    let own_postcode = row.postcode.as_deref().map(names::postcode_key);
    if let Some(cities) = own_postcode.as_ref().and_then(|p| known.cities_of.get(p)).filter(|_| row.city.is_none()) {
        cities.iter().for_each(|c| found.add(c, folded));
    }
    let place_name = settlement.and_then(|p| p.name.clone());
    // A municipality names the town, but a county around a village does not.
    let of_area = area_town.filter(|_| settlement_level >= 7);
    let mut neighbor = None;
    if row.city.is_none() && of_area.is_none() {
        [neighbor, _] = neighbors.around(db, row.at)?;
        neighbor.iter().for_each(|n| found.add(n, folded));
    }
    found.town = row.city.clone().or(of_area).or(neighbor).or(place_name);
    found.quarter = quarter.and_then(|p| p.name.clone());
    found.postcodes = match own_postcode {
        Some(own) => vec![own],
        None => {
            for key in found.names.keys() {
                postal.extend(known.postcodes_of.get(key).into_iter().flatten().cloned());
            }
            if postal.is_empty() {
                let [_, postcode] = neighbors.around(db, row.at)?;
                postal.extend(postcode.map(|p| names::postcode_key(&p)));
            }
            postal.into_iter().filter(|p| !p.is_empty()).collect()
        }
    };
    Ok(found)
}

/// Towns and postcodes of nearby tagged addresses, looked up once per cell of about a hundred meters.
struct Neighbors {
    /// Whether any address of the pack has a town, and whether any has a postcode.
    tagged: [bool; 2],
    cells: HashMap<(i64, i64), [Option<String>; 2]>,
}

impl Neighbors {
    fn new(db: &Connection) -> rusqlite::Result<Self> {
        let any = |column: &str| {
            db.query_row(&format!("SELECT EXISTS (SELECT 1 FROM addresses WHERE {column} IS NOT NULL)"), [], |r| {
                r.get(0)
            })
        };
        Ok(Self { tagged: [any("city")?, any("postcode")?], cells: HashMap::new() })
    }

    /// Town and postcode of the tagged addresses nearest to the center of the point's cell, within 400 m.
    fn around(&mut self, db: &Connection, at: [f64; 2]) -> rusqlite::Result<[Option<String>; 2]> {
        if at[0].is_nan() {
            return Ok([None, None]);
        }
        let cell = ((at[0] * 1e3).floor() as i64, (at[1] * 1e3).floor() as i64);
        if let Some(known) = self.cells.get(&cell) {
            return Ok(known.clone());
        }
        let middle = [(cell.0 as f64 + 0.5) / 1e3, (cell.1 as f64 + 0.5) / 1e3];
        let look =
            |at: usize, column: &str| if self.tagged[at] { tagged_neighbor(db, middle, column) } else { Ok(None) };
        let found = [look(0, "city")?, look(1, "postcode")?];
        if self.cells.len() > CACHED * 8 {
            self.cells.clear();
        }
        self.cells.insert(cell, found.clone());
        Ok(found)
    }
}

/// Town or postcode of the nearest address within 400 m that has one.
fn tagged_neighbor(db: &Connection, at: [f64; 2], column: &str) -> rusqlite::Result<Option<String>> {
    let dy = 400.0 / 111_000.0;
    let dx = dy / at[1].to_radians().cos().max(0.05);
    let mut statement = db.prepare_cached(&format!(
        "SELECT r.minx, r.miny, a.{column} FROM rtree_addresses_geom r JOIN addresses a ON a.fid = r.id
         WHERE r.minx >= ?1 AND r.maxx <= ?2 AND r.miny >= ?3 AND r.maxy <= ?4 AND a.{column} IS NOT NULL ORDER BY a.fid"
    ))?;
    let mut rows = statement.query(params![at[0] - dx, at[0] + dx, at[1] - dy, at[1] + dy])?;
    let mut best: Option<(f64, String)> = None;
    while let Some(row) = rows.next()? {
        let meters = distance(at, [row.get(0)?, row.get(1)?]);
        if meters <= 400.0 && best.as_ref().is_none_or(|b| meters < b.0) {
            best = Some((meters, row.get(2)?));
        }
    }
    Ok(best.map(|b| b.1))
}
