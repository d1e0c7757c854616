//! Fetches the surroundings of a place from an Overpass API (wiki.openstreetmap.org/wiki/Overpass_API): once, as an
//! OpenStreetMap file that is imported like any other and kept as a separate pack.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aerie_geodata::online::answer_cache::Answers;
use aerie_geodata::online::client::{Client, encoded};
use aerie_geodata::pack::FILE;
use aerie_geodata::{GeodataError, Service, Sources};

use crate::error::ImportError;
use crate::import_files::import_into;
use crate::options::ImportOptions;

/// Maximum duration of a request; it includes `ITS_TIME`, the timeout in seconds that the query sets for the service.
const TIME: Duration = Duration::from_secs(180);
const ITS_TIME: u32 = 150;
/// Maximum size of a response, bytes.
const LARGEST: u64 = 96 << 20;
/// Prefix of the folders in which responses are imported.
const WORK: &str = ".fetching-";
/// Age from which such a folder must have been left behind by a killed process; imports take far less.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);
/// Spacing of the grid of places whose surroundings are fetched, degrees of longitude and latitude.
const STEPS: [f64; 2] = [0.003, 0.002];
/// Reach of the query for buildings, streets and trees, meters: what a flight shows plus half a grid step.
const NEAR: f64 = 1_400.0;
/// Reach of the query for land use and water, meters.
const FAR: f64 = 3_200.0;

/// Filters of the query, near the place and farther away.
const NEAR_WANTED: [&str; 9] = [
    "nwr[\"building\"]",
    "nwr[\"building:part\"]",
    "nwr[\"addr:housenumber\"]",
    "way[\"highway\"]",
    "way[\"railway\"]",
    "node[\"highway\"=\"crossing\"]",
    "way[\"barrier\"]",
    "node[\"natural\"=\"tree\"]",
    "way[\"natural\"=\"tree_row\"]",
];
const FAR_WANTED: [&str; 6] = [
    "wr[\"landuse\"]",
    // Includes coastlines.
    "wr[\"natural\"]",
    "wr[\"leisure\"]",
    "wr[\"amenity\"]",
    "way[\"waterway\"]",
    "node[\"place\"]",
];

/// Returns the folder of a pack with the surroundings of a longitude and latitude; fetches it if there is none or it is
/// too old.
pub fn surroundings(
    data_dir: &Path,
    sources: &Sources,
    (name, service): (&str, &Service),
    at: [f64; 2],
) -> Result<PathBuf, GeodataError> {
    let home = data_dir.join("cache/features");
    let answers = Answers::open(&home, name, service)?;
    let folder = home.join(name);
    fs::create_dir_all(&folder).map_err(|e| GeodataError::io(&folder, e))?;
    let cell = [0, 1].map(|i| (at[i] / STEPS[i]).round());
    let kept = folder.join(format!("{}_{}", cell[1] as i64, cell[0] as i64));
    let age = age(&kept);
    if age.is_some_and(|age| age < Duration::from_secs(24 * 3600) * service.keep_days) {
        return Ok(kept);
    }
    let middle = [0, 1].map(|i| cell[i] * STEPS[i]);
    let client = Client::new(&sources.agent(), TIME, LARGEST);
    let form = format!("data={}", encoded(&question(middle)));
    let fetched = answers
        .fetched(|turn| answers.post(&client, &form, turn))
        .and_then(|body| brought(&body, &folder, &kept).map_err(|why| answers.fails(why)));
    match fetched {
        Ok(()) => {
            keep_room(&folder, &kept, u64::from(service.cache_mib) << 20);
            Ok(kept)
        }
        // If the service does not answer, an outdated pack is better than none.
        Err(_) if age.is_some() => Ok(kept),
        Err(error) => Err(error),
    }
}

/// Age of a pack; `None` if it does not exist.
fn age(folder: &Path) -> Option<Duration> {
    let made = fs::metadata(folder.join(FILE)).and_then(|m| m.modified()).ok()?;
    Some(SystemTime::now().duration_since(made).unwrap_or_default())
}

fn question([lon, lat]: [f64; 2]) -> String {
    let around = |reach: f64| {
        let (dy, dx) = (reach / 111_200.0, reach / (111_200.0 * lat.to_radians().cos().max(0.02)));
        format!("({:.5},{:.5},{:.5},{:.5});", lat - dy, lon - dx, lat + dy, lon + dx)
    };
    let near = NEAR_WANTED.map(|what| format!("{what}{}", around(NEAR))).concat();
    let far = FAR_WANTED.map(|what| format!("{what}{}", around(FAR))).concat();
    format!("[out:xml][timeout:{ITS_TIME}][maxsize:268435456];({near}{far});out body;>;out skel qt;")
}

/// Imports a response into a pack next to `to` and moves it there.
fn brought(body: &[u8], folder: &Path, to: &Path) -> Result<(), String> {
    // A service that ran out of time or memory reports it at the end of a response that looks complete.
    let end = String::from_utf8_lossy(&body[body.len().saturating_sub(4096)..]).into_owned();
    if end.contains("<remark>") {
        return Err("it ran out of time or room on the place".into());
    }
    let disk = |e: std::io::Error| format!("what it sends cannot be written: {e}");
    clear_left_behind(folder);
    // Two folders next to `to`: a confined process on an older kernel may rename within a folder only.
    let folder_beside = || tempfile::Builder::new().prefix(WORK).tempdir_in(folder).map_err(disk);
    let (work, pack) = (folder_beside()?, folder_beside()?);
    let file = work.path().join("answer.osm");
    fs::write(&file, body).map_err(disk)?;
    let options = ImportOptions { allow_partial: true, ..ImportOptions::new(work.path()) };
    import_into(pack.path(), &[file], &options).map_err(|e| match e {
        ImportError::NothingInIt { .. } => "it has no map of the place".to_owned(),
        ImportError::Io { source, .. } => disk(source),
        _ => "it does not send OpenStreetMap data; its url must be that of an Overpass interpreter".to_owned(),
    })?;
    if to.exists() {
        let old = folder_beside()?;
        // Another process may have been faster. An empty folder is replaced.
        fs::rename(to, old.path()).ok();
    }
    match fs::rename(pack.path(), to) {
        Err(_) if to.join(FILE).is_file() => Ok(()),
        renamed => renamed.map_err(disk),
    }
}

/// Removes folders that killed processes left behind. Recent ones are kept, as other processes may be using them.
fn clear_left_behind(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_work = entry.file_name().to_string_lossy().starts_with(WORK);
        let made = entry.metadata().and_then(|m| m.modified());
        if is_work && made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > ABANDONED_AFTER)) {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}

/// Removes the oldest packs until the others fit into `most` bytes.
fn keep_room(folder: &Path, newest: &Path, most: u64) {
    let size = |path: &Path| fs::metadata(path.join(FILE)).map_or(0, |m| m.len());
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut packs: Vec<(Duration, PathBuf)> =
        entries.flatten().map(|e| e.path()).filter_map(|path| Some((age(&path)?, path))).collect();
    packs.sort();
    let mut used = 0;
    for (_, path) in packs {
        used += size(&path);
        if used > most && path != newest {
            // An open pack stays readable. What cannot be removed now is removed next time.
            fs::remove_dir_all(&path).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_asks_for_a_bounded_place_in_the_services_own_words() {
        let asked = question([9.504, 47.164]);
        assert!(asked.starts_with("[out:xml][timeout:150][maxsize:268435456];(nwr[\"building\"](47.15141,9.48548,"));
        assert!(asked.ends_with(");out body;>;out skel qt;"));
        assert_eq!(asked.matches('(').count(), asked.matches(')').count());
    }

    #[test]
    fn what_a_killed_process_was_working_on_is_removed_and_what_another_works_on_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let [killed, at_work, pack] = [".fetching-a", ".fetching-b", "47150_9500"].map(|name| folder.path().join(name));
        for path in [&killed, &at_work, &pack] {
            fs::create_dir_all(path.join("pack")).unwrap();
        }
        let long_ago = SystemTime::now() - ABANDONED_AFTER * 2;
        for path in [&killed, &pack] {
            fs::File::open(path).unwrap().set_modified(long_ago).unwrap();
        }
        brought(b"<html>", folder.path(), &folder.path().join("1_1")).unwrap_err();
        assert_eq!([&killed, &at_work, &pack].map(|path| path.exists()), [false, true, true]);
    }

    #[test]
    fn an_answer_that_was_cut_short_or_is_none_is_told_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("1_1");
        for (body, why) in [
            ("<osm version=\"0.6\"><remark> runtime error: Query timed out </remark></osm>", "out of time"),
            ("<html>Too many requests</html>", "does not send OpenStreetMap data"),
            ("<osm version=\"0.6\"></osm>", "no map of the place"),
        ] {
            let error = brought(body.as_bytes(), folder.path(), &to).unwrap_err();
            assert!(error.contains(why), "{error}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
