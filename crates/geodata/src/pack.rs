//! The region pack: what was imported, opened for looking up addresses and places.

use std::path::{Path, PathBuf};

use aerie_sources::Sources;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::GeodataError;
use crate::geodesy::LocalFrame;
use crate::gpkg::{self, Layer};
use crate::imagery::{self, Grid, Orthophoto};
use crate::land_cover::LandCover;
use crate::place::GeoPoint;
use crate::terrain::Relief;

/// Name of the pack's database in its folder.
pub const FILE: &str = "region.gpkg";

/// Name of the imagery folder next to it.
pub const IMAGERY: &str = "imagery";

/// Name of the terrain folder next to it.
pub const TERRAIN: &str = "terrain";

/// Name of the land cover folder next to it.
pub const LAND_COVER: &str = "land_cover";

/// Folder in the data folder for responses of online sources; all of it can be fetched again.
pub const CACHE: &str = "cache";

/// Prefix of the temporary files and folders of a running import, beside what it replaces.
pub const WORK_PREFIX: &str = ".importing-";

/// Folder for tiles of online elevation in a data folder.
pub fn terrain_cache(data_dir: &Path) -> PathBuf {
    data_dir.join(CACHE).join("terrain")
}

/// Folder of the imported pack in a data folder.
pub fn region_folder(data_dir: &Path) -> PathBuf {
    data_dir.join("pack")
}

/// Checks that a pack can be read and is of this version; the error says why not.
pub fn check(path: &Path) -> Result<(), String> {
    let version = open_database(path).and_then(|db| version(&db)).map_err(|e| e.to_string())?;
    match version {
        Some(v) if v == gpkg::PACK_VERSION => Ok(()),
        Some(v) => Err(format!("it has version {v}, this Aerie writes version {}", gpkg::PACK_VERSION)),
        None => Err("it is not an Aerie region pack".into()),
    }
}

fn open_database(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

fn version(db: &Connection) -> rusqlite::Result<Option<String>> {
    db.query_row("SELECT value FROM aerie_meta WHERE key = 'pack_version'", [], |r| r.get(0)).optional()
}

/// Where a pack's map comes from.
struct Origin {
    name: String,
    credit: String,
    sample_address: Option<String>,
}

/// Map data of one region, open for reading. An import that is published meanwhile does not change an open pack.
pub struct Pack {
    db: Connection,
    relief: Relief,
    data_dir: PathBuf,
    /// Folder of the imported pack, whichever map is shown: its imagery is that of every map.
    region: PathBuf,
    /// An address in the invented sample town, if the pack is that town.
    sample_address: Option<String>,
    /// Where the map comes from.
    source: String,
    /// Attributions for pictures made from it.
    credits: Vec<String>,
}

/// Summary of the contents of a pack.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct PackSummary {
    /// Whether this is the invented sample town, because nothing was imported.
    pub is_sample: bool,
    /// Names of the files imported, in alphabetical order.
    pub files: Vec<String>,
    /// South-west corner of all features; `None` for an empty pack.
    pub south_west: Option<GeoPoint>,
    /// North-east corner of all features.
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
    /// An address that can be geocoded, as an example in messages.
    pub example_address: String,
}

impl Pack {
    /// Opens the imported pack of a data folder; `None` if nothing was imported.
    ///
    /// # Errors
    /// The pack cannot be read.
    pub fn open_imported(data_dir: &Path) -> Result<Option<Self>, GeodataError> {
        Self::open_imported_from(data_dir, data_dir)
    }

    /// As [`Pack::open_imported`], of another folder than the data folder: that of a published pack.
    ///
    /// # Errors
    /// The pack cannot be read.
    pub fn open_imported_from(pack_dir: &Path, data_dir: &Path) -> Result<Option<Self>, GeodataError> {
        let folder = region_folder(pack_dir);
        if !folder.join(FILE).is_file() {
            return Ok(None);
        }
        let origin = Origin {
            name: "OpenStreetMap".to_owned(),
            credit: "© OpenStreetMap contributors".to_owned(),
            sample_address: None,
        };
        let mut pack = Self::open(&folder, (pack_dir, data_dir), origin)?;
        // A pack of city models alone owes nothing to OpenStreetMap.
        if !pack.db.prepare("SELECT 1 FROM aerie_files WHERE kind = 'osm'")?.exists([])? && pack.has_roofs()? {
            pack.source = "City model".to_owned();
            pack.credits.clear();
        }
        Ok(Some(pack))
    }

    /// Opens an invented town that was imported into `folder`; `example_address` is an address in it. Imagery is that of the
    /// pack in `pack_dir`.
    ///
    /// # Errors
    /// The pack cannot be read.
    pub fn open_sample(
        folder: &Path,
        pack_dir: &Path,
        data_dir: &Path,
        example_address: &str,
    ) -> Result<Self, GeodataError> {
        let origin = Origin {
            name: "Aerie sample town".to_owned(),
            credit: "Aerie sample town (invented)".to_owned(),
            sample_address: Some(example_address.to_owned()),
        };
        Self::open(folder, (pack_dir, data_dir), origin)
    }

    /// Opens the features of an online source that were imported into `folder`, with the imported terrain and imagery of this
    /// pack.
    ///
    /// # Errors
    /// The pack cannot be read.
    pub fn open_features(&self, folder: &Path, name: &str, credit: &str) -> Result<Self, GeodataError> {
        let origin = Origin { name: name.to_owned(), credit: credit.to_owned(), sample_address: None };
        let mut pack = Self::open(folder, (Path::new(""), &self.data_dir), origin)?;
        pack.region.clone_from(&self.region);
        pack.relief = Relief::new(self.region.join(TERRAIN));
        Ok(pack)
    }

    /// Wraps a database of addresses only, to look one up.
    #[must_use]
    pub fn from_addresses(db: Connection, name: &str) -> Self {
        Self {
            db,
            relief: Relief::new(PathBuf::new()),
            data_dir: PathBuf::new(),
            region: PathBuf::new(),
            sample_address: None,
            source: name.to_owned(),
            credits: Vec::new(),
        }
    }

    /// Opens a pack. Imagery is always that next to the imported map, whichever map is shown.
    fn open(folder: &Path, (pack_dir, data_dir): (&Path, &Path), origin: Origin) -> Result<Self, GeodataError> {
        let db = open_database(&folder.join(FILE))?;
        db.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -32768;")?;
        db.set_prepared_statement_cache_capacity(64);
        if version(&db)?.as_deref() != Some(gpkg::PACK_VERSION) {
            return Err(GeodataError::OtherVersion { path: folder.join(FILE) });
        }
        Ok(Self {
            db,
            relief: Relief::new(folder.join(TERRAIN)),
            data_dir: data_dir.to_owned(),
            region: region_folder(pack_dir),
            sample_address: origin.sample_address,
            source: origin.name,
            credits: vec![origin.credit],
        })
    }

    /// The data folder with the caches of online sources.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Adds a credit that pictures made from the pack must carry.
    pub fn credit(&mut self, credit: &str) {
        if !self.credits.iter().any(|c| c == credit) {
            self.credits.push(credit.to_owned());
        }
    }

    /// Resamples imported imagery to a grid, the finest first, and fills holes from online sources; `None` where there
    /// is no imagery. Uses at most 64 MiB in addition to the picture.
    ///
    /// # Errors
    /// An imagery file cannot be read, or an online source that is needed does not answer.
    pub fn imagery(&self, grid: &Grid, online: &Sources) -> Result<Option<Orthophoto>, GeodataError> {
        imagery::resample(&self.region.join(IMAGERY), &self.data_dir.join(CACHE).join("imagery"), online, grid)
    }

    /// Land cover within `reach` meters of a frame's origin, if any is imported.
    pub(crate) fn land_cover(&self, frame: &LocalFrame, reach: f64) -> Result<Option<LandCover>, GeodataError> {
        LandCover::read(&self.region.join(LAND_COVER), frame, reach)
    }

    /// Summarizes the contents of the pack; a count that cannot be read is 0.
    #[must_use]
    pub fn summary(&self) -> PackSummary {
        let mut counts = std::collections::BTreeMap::new();
        for layer in Layer::ALL {
            counts.insert(layer, gpkg::count(&self.db, layer).unwrap_or_default());
        }
        let corners = self.corners();
        let count = |layer| counts.get(&layer).copied().unwrap_or(0);
        PackSummary {
            is_sample: self.is_sample(),
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
        // Boundaries, parcels, surveyed heights and coastlines may extend far beyond what a pack can show.
        let beyond = |layer: &Layer| {
            use Layer as L;
            matches!(layer, L::Boundaries | L::Parcels | L::Heights | L::Coastlines | L::Crowns | L::Surveys)
        };
        for layer in Layer::ALL.into_iter().filter(|layer| !beyond(layer)) {
            if let Some(b) = gpkg::bounds(&self.db, layer).unwrap_or_default() {
                all = Some(all.map_or(b, |a| gpkg::joined(a, b)));
            }
        }
        all.map(|b| [GeoPoint { lat: b[1], lon: b[0] }, GeoPoint { lat: b[3], lon: b[2] }])
    }

    /// Bounds of the imported maps; `None` for the sample town, which is complete by definition.
    pub(crate) fn covered(&self) -> Option<[GeoPoint; 2]> {
        if self.is_sample() { None } else { self.corners() }
    }

    fn has_roofs(&self) -> rusqlite::Result<bool> {
        Ok(gpkg::has_layer(&self.db, Layer::Roofs)? && gpkg::bounds(&self.db, Layer::Roofs)?.is_some())
    }

    fn files(&self) -> rusqlite::Result<Vec<String>> {
        self.db.prepare("SELECT name FROM aerie_files ORDER BY name")?.query_map([], |r| r.get(0))?.collect()
    }

    /// The pack's database.
    #[must_use]
    pub fn db(&self) -> &Connection {
        &self.db
    }

    /// Whether the pack is the invented sample town.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.sample_address.is_some()
    }

    /// The terrain files of the pack.
    #[must_use]
    pub fn terrain(&self) -> &Relief {
        &self.relief
    }

    pub(crate) fn terrain_cache(&self) -> PathBuf {
        terrain_cache(&self.data_dir)
    }

    /// Where the map comes from.
    #[must_use]
    pub fn source_name(&self) -> &str {
        &self.source
    }

    /// Attributions for what is shown of the map.
    #[must_use]
    pub fn map_credits(&self) -> &[String] {
        &self.credits
    }

    /// Attributions for pictures made from this pack, including those of its terrain.
    pub(crate) fn attributions(&self, of_ground: Vec<String>) -> Vec<String> {
        let mut out = self.credits.clone();
        // The sample town has its own terrain.
        let hills = of_ground.into_iter().filter(|c| !self.is_sample() || c != crate::terrain::SRTM_CREDIT);
        for credit in hills {
            if !out.contains(&credit) {
                out.push(credit);
            }
        }
        out
    }

    /// An address that can be geocoded.
    pub fn example_address(&self) -> String {
        if let Some(address) = &self.sample_address {
            return address.clone();
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
