//! The region pack: what was imported, opened for looking up addresses and places.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::geocode::{self, GeocodeError, Match};
use crate::gpkg::{self, Layer};
use crate::imagery::{self, Grid, Orthophoto};
use crate::place::{GeoPoint, Place};
use crate::sources::Sources;
use crate::terrain::Relief;
use crate::{WorldError, assemble, sample};

/// Name of the pack's database in its folder.
pub(crate) const FILE: &str = "region.gpkg";

/// Name of the folder of imagery beside it.
pub(crate) const IMAGERY: &str = "imagery";

/// Name of the folder of terrain beside it.
pub(crate) const TERRAIN: &str = "terrain";

/// Folder in the data folder for what online sources gave; all in it can be fetched again.
const CACHE: &str = "cache";

/// Where a data folder keeps tiles of online elevation.
pub(crate) fn terrain_cache(data_dir: &Path) -> PathBuf {
    data_dir.join(CACHE).join("terrain")
}

/// Where a data folder keeps what was imported.
pub(crate) fn region_folder(data_dir: &Path) -> PathBuf {
    data_dir.join("pack")
}

/// Whether a pack can be read and is of this version; else why not.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let version = open_database(path).and_then(|db| version(&db)).map_err(|e| e.to_string())?;
    match version {
        Some(v) if v == gpkg::PACK_VERSION => Ok(()),
        Some(v) => Err(format!("it is of version {v}, this Aerie writes version {}", gpkg::PACK_VERSION)),
        None => Err("it is no pack of Aerie's".into()),
    }
}

fn open_database(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

fn version(db: &Connection) -> rusqlite::Result<Option<String>> {
    db.query_row("SELECT value FROM aerie_meta WHERE key = 'pack_version'", [], |r| r.get(0)).optional()
}

/// Map data of one region, open for reading. An import that is published meanwhile does not change an open pack.
pub struct Pack {
    db: Connection,
    relief: Relief,
    imagery: PathBuf,
    /// Where what online sources gave is kept.
    cache: PathBuf,
    is_sample: bool,
    /// Where the map comes from.
    source: String,
    /// Whom pictures made from it must credit.
    credits: Vec<String>,
}

/// What a pack holds.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct PackSummary {
    /// Whether this is the invented sample town, because nothing was imported.
    pub is_sample: bool,
    /// Names of the files imported, in alphabetical order.
    pub files: Vec<String>,
    /// South-west corner of all there is; none for an empty pack.
    pub south_west: Option<GeoPoint>,
    /// North-east corner of all there is.
    pub north_east: Option<GeoPoint>,
    /// House numbers.
    pub addresses: u64,
    /// Buildings and building parts.
    pub buildings: u64,
    /// Roads, paths, railways.
    pub roads: u64,
    /// Areas.
    pub areas: u64,
    /// Rivers, streams, ditches.
    pub waterways: u64,
    /// Single trees.
    pub trees: u64,
    /// Terrain tiles.
    pub terrain_tiles: u64,
    /// An address that geocodes, for messages and first tries.
    pub example_address: String,
}

impl Pack {
    /// Opens what was imported into a data folder, or the sample town where nothing was: it is built on first use,
    /// safely even if several processes open it at once.
    ///
    /// # Errors
    /// The pack cannot be read, or the sample town cannot be written.
    pub fn open(data_dir: &Path) -> Result<Self, WorldError> {
        let folder = region_folder(data_dir);
        if folder.join(FILE).is_file() {
            return Self::open_folder(&folder, data_dir, false);
        }
        Self::open_folder(&sample::ensure(data_dir)?, data_dir, true)
    }

    /// Imagery lies beside the imported map, whichever map is shown.
    fn open_folder(folder: &Path, data_dir: &Path, is_sample: bool) -> Result<Self, WorldError> {
        let db = open_database(&folder.join(FILE))?;
        db.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -32768;")?;
        db.set_prepared_statement_cache_capacity(64);
        if version(&db)?.as_deref() != Some(gpkg::PACK_VERSION) {
            return Err(WorldError::OtherVersion { path: folder.join(FILE) });
        }
        let [source, credit] = match is_sample {
            true => ["Aerie sample town", "Aerie sample town (invented)"],
            false => ["OpenStreetMap", "© OpenStreetMap contributors"],
        };
        Ok(Self {
            db,
            relief: Relief::new(folder.join(TERRAIN)),
            imagery: region_folder(data_dir).join(IMAGERY),
            cache: data_dir.join(CACHE),
            is_sample,
            source: source.to_owned(),
            credits: vec![credit.to_owned()],
        })
    }

    /// Features that an online source gave, with the terrain and imagery that were imported.
    pub(crate) fn of_features(folder: &Path, data_dir: &Path, name: &str, credit: &str) -> Result<Self, WorldError> {
        let mut pack = Self::open_folder(folder, data_dir, false)?;
        pack.relief = Relief::new(region_folder(data_dir).join(TERRAIN));
        pack.source = name.to_owned();
        pack.credits = vec![credit.to_owned()];
        Ok(pack)
    }

    /// Addresses alone, to look one up in.
    pub(crate) fn of_addresses(db: Connection, name: &str) -> Self {
        Self {
            db,
            relief: Relief::new(PathBuf::new()),
            imagery: PathBuf::new(),
            cache: PathBuf::new(),
            is_sample: false,
            source: name.to_owned(),
            credits: Vec::new(),
        }
    }

    /// Adds somebody whom pictures made from the pack must credit.
    pub(crate) fn credit(&mut self, credit: &str) {
        if !self.credits.iter().any(|c| c == credit) {
            self.credits.push(credit.to_owned());
        }
    }

    /// Finds the one house that an address names.
    ///
    /// # Errors
    /// No house, or more than one, fits: the error says which part is wrong and what comes nearest.
    pub fn geocode(&self, address: &str) -> Result<Match, GeocodeError> {
        geocode::search(self, address)
    }

    /// The property of a match and its surroundings: buildings, ways and trees within `radius_m` meters, land cover and
    /// terrain out to about two and a half times that.
    ///
    /// # Errors
    /// The pack cannot be read, or knows the match no longer.
    pub fn place(&self, m: &Match, radius_m: f64) -> Result<Place, WorldError> {
        self.place_with(m, radius_m, &Sources::default())
    }

    /// The same, with elevation of online sources where no imported one knows the ground.
    ///
    /// # Errors
    /// The pack cannot be read, or knows the match no longer.
    pub fn place_with(&self, m: &Match, radius_m: f64, online: &Sources) -> Result<Place, WorldError> {
        assemble::place(self, m, radius_m, online)
    }

    /// What the imported imagery shows on a grid, the finest where several do, and what online sources show where it leaves
    /// holes; none where there is nothing. At most 64 MiB beside the picture are held.
    ///
    /// # Errors
    /// A file of imagery cannot be read, or an online source that is needed does not answer.
    pub fn imagery(&self, grid: &Grid, online: &Sources) -> Result<Option<Orthophoto>, WorldError> {
        imagery::resample(&self.imagery, &self.cache.join("imagery"), online, grid)
    }

    /// What the pack holds; a count that cannot be read is 0.
    #[must_use]
    pub fn summary(&self) -> PackSummary {
        let mut counts = std::collections::BTreeMap::new();
        for layer in Layer::ALL {
            counts.insert(layer, gpkg::count(&self.db, layer).unwrap_or_default());
        }
        let corners = self.corners();
        let count = |layer| counts.get(&layer).copied().unwrap_or(0);
        PackSummary {
            is_sample: self.is_sample,
            files: self.files().unwrap_or_default(),
            south_west: corners.map(|c| c[0]),
            north_east: corners.map(|c| c[1]),
            addresses: count(Layer::Addresses),
            buildings: count(Layer::Buildings),
            roads: count(Layer::Roads),
            areas: count(Layer::Areas),
            waterways: count(Layer::Waterways),
            trees: count(Layer::Trees),
            terrain_tiles: self.relief.count() as u64,
            example_address: self.example_address(),
        }
    }

    /// South-west and north-east corner of all features that a pack can show.
    fn corners(&self) -> Option<[GeoPoint; 2]> {
        let mut all: Option<gpkg::Bounds> = None;
        // Boundaries, parcels and coasts reach far beyond what a pack can show.
        let beyond =
            |layer: &Layer| matches!(layer, Layer::Boundaries | Layer::Parcels | Layer::Heights | Layer::Coastlines);
        for layer in Layer::ALL.into_iter().filter(|layer| !beyond(layer)) {
            if let Some(b) = gpkg::bounds(&self.db, layer).unwrap_or_default() {
                all = Some(all.map_or(b, |a| gpkg::joined(a, b)));
            }
        }
        all.map(|b| [GeoPoint { lat: b[1], lon: b[0] }, GeoPoint { lat: b[3], lon: b[2] }])
    }

    /// What the imported maps cover; the sample town's country is whole by definition.
    pub(crate) fn covered(&self) -> Option<[GeoPoint; 2]> {
        if self.is_sample { None } else { self.corners() }
    }

    fn files(&self) -> rusqlite::Result<Vec<String>> {
        self.db.prepare("SELECT name FROM aerie_files ORDER BY name")?.query_map([], |r| r.get(0))?.collect()
    }

    pub(crate) fn db(&self) -> &Connection {
        &self.db
    }

    pub(crate) fn is_sample(&self) -> bool {
        self.is_sample
    }

    pub(crate) fn terrain(&self) -> &Relief {
        &self.relief
    }

    pub(crate) fn terrain_cache(&self) -> PathBuf {
        self.cache.join("terrain")
    }

    pub(crate) fn source_name(&self) -> &str {
        &self.source
    }

    /// Credits that pictures made from this pack must carry, with those of its ground.
    pub(crate) fn attributions(&self, of_ground: Vec<String>) -> Vec<String> {
        let mut out = self.credits.clone();
        // The invented town brings its own hills.
        let hills = of_ground.into_iter().filter(|c| !self.is_sample || c != crate::terrain::SRTM_CREDIT);
        for credit in hills {
            if !out.contains(&credit) {
                out.push(credit);
            }
        }
        out
    }

    /// An address that geocodes.
    pub(crate) fn example_address(&self) -> String {
        if self.is_sample {
            return sample::SAMPLE_ADDRESSES[0].to_owned();
        }
        let found: rusqlite::Result<(String, String, Option<String>)> = self.db.query_row(
            "SELECT coalesce(street, place, city), housenumber, town FROM addresses
             WHERE coalesce(street, place, city) IS NOT NULL AND housenumber NOT GLOB '*[^0-9]*' ORDER BY town IS NULL, fid LIMIT 1",
            [],
            |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)),
        );
        match found {
            Ok((street, number, Some(town))) => format!("{street} {number}, {town}"),
            Ok((street, number, None)) => format!("{street} {number}"),
            Err(_) => "Dorfstrasse 24, 9495 Triesen".to_owned(),
        }
    }
}
