//! Looks up addresses as people write them, and addresses of streets that were taken off the map. `AERIE_ADDRESSES` sets the number of
//! addresses per map, or `all`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use aerie_geocode::{GeocodeError, geocode};
use aerie_geodata::{Match, street_index};
use aerie_math::Rng;

use crate::fixtures;
use crate::perturbations::{Full, perturbed, written};

/// Default number of addresses per extract.
const USUAL: usize = 60;

/// Maximum distance between points with the same street and number that count as one house, whatever town they name,
/// meters.
const SAME_SITE: f64 = 75.0;

pub(crate) fn how_many() -> usize {
    match std::env::var("AERIE_ADDRESSES").as_deref() {
        Ok("all") => usize::MAX,
        Ok(n) => n.parse().expect("AERIE_ADDRESSES is a number or `all`"),
        Err(_) => USUAL,
    }
}

/// The database of the imported map, or of the sample town.
fn database(data: &Path) -> PathBuf {
    let [imported, sample] = ["pack", "sample"].map(|folder| data.join(folder).join("region.gpkg"));
    if imported.exists() { imported } else { sample }
}

/// All addresses of a pack that name a street or a place.
fn addresses(data: &Path) -> Vec<Full> {
    let db = rusqlite::Connection::open(database(data)).unwrap();
    let mut statement = db
        .prepare(
            "SELECT fid, coalesce(street, place), housenumber, postcode, postcodes, city, town, miny, minx
             FROM addresses JOIN rtree_addresses_geom ON id = fid WHERE coalesce(street, place) IS NOT NULL ORDER BY fid",
        )
        .unwrap();
    let rows = statement.query_map([], |row| {
        let inferred: String = row.get(4)?;
        let mut inferred = inferred.split('|').filter(|p| !p.is_empty()).map(str::to_owned);
        let inferred = inferred.next().filter(|_| inferred.next().is_none());
        let (city, town): (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
        Ok(Full {
            fid: row.get(0)?,
            street: row.get(1)?,
            number: row.get(2)?,
            postcode: row.get::<_, Option<String>>(3)?.or(inferred),
            town_is_tagged: city.is_some(),
            town: city.or(town),
            is_unique: false,
            lat: row.get(7)?,
            lon: row.get(8)?,
        })
    });
    let mut all: Vec<Full> = rows.unwrap().map(Result::unwrap).collect();
    let mut bearers: HashMap<(String, String), BTreeSet<Option<String>>> = HashMap::new();
    for a in &all {
        bearers.entry(bare(a)).or_default().insert(a.town.clone());
    }
    for a in &mut all {
        a.is_unique = bearers[&bare(a)].len() == 1;
    }
    all
}

fn bare(a: &Full) -> (String, String) {
    (a.street.to_lowercase(), a.number.to_lowercase())
}

/// Some of them at random, the same in every run.
fn drawn(all: &[Full], most: usize) -> Vec<&Full> {
    let mut shuffled: Vec<(usize, &Full)> =
        all.iter().map(|a| (Rng::from_name(&format!("{} {}", a.fid, a.street)).below(1 << 30), a)).collect();
    shuffled.sort_by_key(|(key, a)| (*key, a.fid));
    shuffled.into_iter().take(most).map(|(_, a)| a).collect()
}

#[derive(Default, Clone)]
pub(crate) struct Count {
    asked: usize,
    right: usize,
    listed: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn nineteen_of_twenty_perturbed_sample_addresses_are_found_and_never_a_wrong_house() {
    let mut counts = BTreeMap::new();
    look_up_perturbed("sample town", fixtures::sample_town(), &mut counts);
    assert_found(&counts);
}

/// Looks up addresses of a data folder in every perturbation.
pub(crate) fn look_up_perturbed(extract: &str, data: &Path, counts: &mut BTreeMap<&'static str, Count>) {
    let pack = aerie_sample_town::open(data).unwrap();
    let all = addresses(data);
    let by_id: HashMap<i64, &Full> = all.iter().map(|a| (a.fid, a)).collect();
    let streets: BTreeSet<String> = all.iter().map(|a| folded(&a.street)).collect();
    let mut sound = 0;
    for full in drawn(&all, how_many()) {
        for (kind, text) in perturbed(full, &|name| streets.contains(&folded(name))) {
            let own = |id: &str| by_id.get(&fid_of(id)).is_some_and(|found| is_same(found, full));
            let outcome = geocode(&pack, &text);
            if kind == "as written" && matches!(outcome, Err(GeocodeError::Ambiguous { .. })) {
                // Two houses have exactly this address on the map, so no query can name one of them.
                break;
            }
            sound += usize::from(kind == "as written");
            let count = counts.entry(kind).or_default();
            count.asked += 1;
            match outcome {
                Ok(m) if own(&m.address_id) => count.right += 1,
                Ok(m) => count.wrong.push(format!("{extract}: {text}, meant {full:?}, got {m:?}")),
                Err(e @ GeocodeError::Ambiguous { .. }) => {
                    count.listed += 1;
                    print_missed(kind, &text, &e);
                }
                Err(e) => {
                    print_missed(kind, &text, &e);
                    count.refused.push(format!("{extract}: {text}: {e}"));
                }
            }
        }
    }
    assert!(sound >= 2, "{extract}: {sound} addresses name one house");
}

pub(crate) fn assert_found(counts: &BTreeMap<&'static str, Count>) {
    eprintln!("{:<26} {:>7} {:>7} {:>7} {:>7} {:>6}", "", "asked", "right", "listed", "refused", "wrong");
    let mut total = Count::default();
    for (kind, c) in counts.iter().map(|(k, c)| (*k, c)) {
        print_count(kind, c);
        total.asked += c.asked;
        total.right += c.right;
        total.listed += c.listed;
        total.refused.extend(c.refused.iter().cloned());
        total.wrong.extend(c.wrong.iter().cloned());
    }
    print_count("all", &total);
    assert!(total.wrong.is_empty(), "{:#?}", total.wrong);
    for (kind, c) in counts.iter().filter(|(_, c)| c.asked >= 20) {
        assert!(c.right * 100 >= c.asked * 95, "{kind}: {} of {}: {:#?}", c.right, c.asked, c.refused);
    }
}

/// Prints what was not found, where `AERIE_ADDRESSES` is set.
fn print_missed(kind: &str, text: &str, e: &GeocodeError) {
    if std::env::var_os("AERIE_ADDRESSES").is_some() {
        eprintln!("missed, {kind}: {text}: {e}");
    }
}

#[test]
fn a_street_that_is_not_mapped_in_the_sample_town_is_not_taken_for_another() {
    let asked = look_up_unmapped_streets(fixtures::sample_town(), 5);
    assert!(asked > 60, "{asked}");
}

/// Removes this many streets of a data folder from the map in turn and looks up their addresses; returns how many.
pub(crate) fn look_up_unmapped_streets(shared: &Path, streets_taken: usize) -> usize {
    let folder = fixtures::copy_of(shared);
    let data = folder.path();
    let (mut asked, mut wrong) = (0, Vec::new());
    let pack = aerie_sample_town::open(data).unwrap();
    let db = rusqlite::Connection::open(database(data)).unwrap();
    db.execute_batch("PRAGMA synchronous = OFF").unwrap();
    let all = addresses(data);
    let mut streets: BTreeMap<String, Vec<&Full>> = BTreeMap::new();
    for full in &all {
        streets.entry(one_name(&full.street)).or_default().push(full);
    }
    for (_, houses) in streets.into_iter().take(streets_taken) {
        db.execute_batch("CREATE TEMP TABLE hidden AS SELECT * FROM aerie_street_index LIMIT 0").unwrap();
        for full in &houses {
            let fid = [full.fid];
            db.execute("INSERT INTO hidden SELECT * FROM aerie_street_index WHERE fid = ?1", fid).unwrap();
            db.execute("DELETE FROM aerie_street_index WHERE fid = ?1", fid).unwrap();
        }
        street_index::rebuild_spellings(&db).unwrap();
        for full in houses.iter().take(40) {
            for text in [written(full), format!("{} {}", full.street, full.number)] {
                asked += 1;
                // Where the map spells one street in two ways, its other name names the same house.
                let same = |m: &Match| (m.lat - full.lat).hypot(m.lon - full.lon) < 0.001;
                if let Some(m) = geocode(&pack, &text).ok().filter(|m| !same(m)) {
                    wrong.push(format!("{text}: {}", m.matched));
                }
            }
        }
        db.execute_batch("INSERT INTO aerie_street_index SELECT * FROM hidden; DROP TABLE hidden").unwrap();
    }
    eprintln!("{asked} addresses of streets taken off the map, {} resolved to another", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    asked
}

fn print_count(kind: &str, c: &Count) {
    let share = 100.0 * c.right as f64 / c.asked.max(1) as f64;
    let (refused, wrong) = (c.refused.len(), c.wrong.len());
    eprintln!("{kind:<26} {:>7} {:>7} {:>7} {refused:>7} {wrong:>6}  {share:.1} %", c.asked, c.right, c.listed);
}

/// The pack's number of an address, from `way/123`.
fn fid_of(id: &str) -> i64 {
    let (kind, number) = id.split_once('/').unwrap();
    let kind = ["node", "way", "relation"].iter().position(|k| *k == kind).unwrap() as i64;
    number.parse::<i64>().unwrap() * 4 + kind
}

/// Whether two mapped addresses are the same, even if one number is part of the other's range.
fn is_same(found: &Full, meant: &Full) -> bool {
    let number = |n: &str| n.to_lowercase().replace(' ', "");
    let (f, m) = (number(&found.number), number(&meant.number));
    let covers = |a: &str, b: &str| a.split([';', ',', '-']).any(|part| part == b);
    let near = ((found.lat - meant.lat) * 111_200.0)
        .hypot((found.lon - meant.lon) * 111_200.0 * meant.lat.to_radians().cos())
        <= SAME_SITE;
    one_name(&found.street) == one_name(&meant.street)
        && (found.town == meant.town || near)
        && (f == m || covers(&f, &m) || covers(&m, &f))
}

/// Folds the spellings of a street that may occur side by side on a map.
fn one_name(name: &str) -> String {
    let mut letters: Vec<char> = folded(&name.replace("str.", "strasse")).chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

fn folded(name: &str) -> String {
    let lower = name.to_lowercase().replace('ß', "ss").replace('ä', "a").replace('ö', "o").replace('ü', "u");
    lower.chars().filter(|c| c.is_alphanumeric()).collect()
}
