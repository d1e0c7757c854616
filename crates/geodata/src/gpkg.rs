//! The region pack's database: a GeoPackage (OGC 12-128r18) that any GIS opens.
//!
//! Every layer is a feature table with a spatial index by the `gpkg_rtree_index` extension. A feature's `fid` is made
//! of its OpenStreetMap type and id, so that importing it again replaces it.

pub mod blob;
mod rtree;

use rusqlite::{Connection, OptionalExtension, params};
use strum::VariantArray;

pub use blob::{Bounds, Geometry};
pub use rtree::build as build_spatial_index;

/// Feature tables of the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Layer {
    /// House numbers.
    Addresses,
    /// Buildings and building parts.
    Buildings,
    /// Roads, paths, railways.
    Roads,
    /// Land use and land cover.
    Areas,
    /// Rivers, streams and ditches mapped as lines.
    Waterways,
    /// Single trees.
    Trees,
    /// Rows of trees.
    TreeRows,
    /// Hedges, fences, walls.
    Barriers,
    /// Administrative and postal boundaries.
    Boundaries,
    /// Named places: towns, villages, hamlets.
    Places,
    /// Parcels.
    Parcels,
    /// Footprints with surveyed heights of buildings.
    Heights,
    /// Crossings of roads, mapped as points.
    Crossings,
    /// Coastlines of the sea.
    Coastlines,
    /// Measured roofs on the outlines that they were measured for.
    Roofs,
    /// Measured trees.
    Crowns,
    /// Where point clouds show whether there are trees.
    Surveys,
}

impl Layer {
    /// All layers, in the order of the variants.
    pub const ALL: [Self; Self::VARIANTS.len()] = match Self::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };

    /// Name of the layer's table.
    #[must_use]
    pub fn table(self) -> &'static str {
        match self {
            Self::Addresses => "addresses",
            Self::Buildings => "buildings",
            Self::Roads => "roads",
            Self::Areas => "areas",
            Self::Waterways => "waterways",
            Self::Trees => "trees",
            Self::TreeRows => "tree_rows",
            Self::Barriers => "barriers",
            Self::Boundaries => "boundaries",
            Self::Places => "places",
            Self::Parcels => "parcels",
            Self::Heights => "heights",
            Self::Crossings => "crossings",
            Self::Coastlines => "coastlines",
            Self::Roofs => "roofs",
            Self::Crowns => "crowns",
            Self::Surveys => "surveys",
        }
    }

    fn geometry_type(self) -> &'static str {
        match self {
            Self::Addresses | Self::Trees | Self::Places | Self::Crossings | Self::Crowns => "POINT",
            Self::Roads | Self::Waterways | Self::TreeRows | Self::Barriers => "LINESTRING",
            Self::Coastlines => "MULTILINESTRING",
            Self::Buildings
            | Self::Areas
            | Self::Boundaries
            | Self::Parcels
            | Self::Heights
            | Self::Roofs
            | Self::Surveys => "MULTIPOLYGON",
        }
    }

    fn columns(self) -> &'static str {
        match self {
            // `keys` contains the town names and postcodes that a query may use, folded, each between bars.
            Self::Addresses => {
                "housenumber TEXT NOT NULL, street TEXT, place TEXT, postcode TEXT, city TEXT, town TEXT, \
                 on_building INTEGER NOT NULL DEFAULT 0, localities TEXT NOT NULL DEFAULT '', \
                 postcodes TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '{}'"
            }
            _ => "kind TEXT NOT NULL, name TEXT, tags TEXT NOT NULL DEFAULT '{}'",
        }
    }
}

/// Identity of an OpenStreetMap object as one number.
#[must_use]
pub fn fid(kind: OsmKind, id: i64) -> i64 {
    id.wrapping_mul(4).wrapping_add(kind as i64)
}

/// `way/123`, from a feature id.
#[must_use]
pub fn osm_id(fid: i64) -> String {
    let kind = match fid.rem_euclid(4) {
        0 => "node",
        1 => "way",
        _ => "relation",
    };
    format!("{kind}/{}", fid.div_euclid(4))
}

/// Types of OpenStreetMap object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OsmKind {
    /// A point.
    Node = 0,
    /// A line or closed line.
    Way = 1,
    /// A group of objects.
    Relation = 2,
}

const APPLICATION_ID: i32 = 0x4750_4B47;
const VERSION: i32 = 10300;
/// Raised when tables change; an older pack must then be imported again.
pub const PACK_VERSION: &str = "1";

/// Creates the tables of an empty pack, without the triggers.
pub fn create(db: &Connection) -> rusqlite::Result<()> {
    db.pragma_update(None, "application_id", APPLICATION_ID)?;
    db.pragma_update(None, "user_version", VERSION)?;
    db.execute_batch(include_str!("gpkg/schema.sql"))?;
    db.execute("INSERT INTO aerie_meta VALUES ('pack_version', ?1)", [PACK_VERSION])?;
    create_missing_layers(db)
}

/// Creates the layers that a pack lacks: an older one has fewer.
pub fn create_missing_layers(db: &Connection) -> rusqlite::Result<()> {
    for layer in Layer::ALL {
        if has_layer(db, layer)? {
            continue;
        }
        let table = layer.table();
        db.execute_batch(&format!(
            "CREATE TABLE {table} (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom BLOB, osm_id TEXT NOT NULL, {});
             CREATE VIRTUAL TABLE rtree_{table}_geom USING rtree(id, minx, maxx, miny, maxy);",
            layer.columns()
        ))?;
        db.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change, min_x, min_y, max_x, max_y, srs_id)
             VALUES (?1, 'features', ?1, '', '1970-01-01T00:00:00.000Z', NULL, NULL, NULL, NULL, 4326)",
            [table],
        )?;
        db.execute(
            "INSERT INTO gpkg_geometry_columns VALUES (?1, 'geom', ?2, 4326, 0, 0)",
            params![table, layer.geometry_type()],
        )?;
        db.execute(
            "INSERT INTO gpkg_extensions VALUES (?1, 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only')",
            [table],
        )?;
    }
    Ok(())
}

/// The bounds of both.
#[must_use]
pub fn joined(a: Bounds, b: Bounds) -> Bounds {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Whether two bounds intersect.
#[must_use]
pub fn meet(a: Bounds, b: Bounds) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// Whether a pack has a layer.
pub fn has_layer(db: &Connection, layer: Layer) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1")?.exists([layer.table()])
}

/// Creates the extension's triggers, which maintain the spatial index for other programs. They call functions that only a GIS
/// defines, so an import drops them, maintains the index itself and creates them again.
pub fn create_triggers(db: &Connection) -> rusqlite::Result<()> {
    for layer in Layer::ALL {
        let t = layer.table();
        let insert = format!(
            "INSERT OR REPLACE INTO rtree_{t}_geom VALUES (NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom));"
        );
        db.execute_batch(&format!(
            "CREATE TRIGGER rtree_{t}_geom_insert AFTER INSERT ON {t} WHEN (NEW.geom NOT NULL AND NOT ST_IsEmpty(NEW.geom)) BEGIN {insert} END;
             CREATE TRIGGER rtree_{t}_geom_update6 AFTER UPDATE OF geom ON {t} WHEN OLD.fid = NEW.fid AND (NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom)) AND (OLD.geom NOTNULL AND NOT ST_IsEmpty(OLD.geom)) BEGIN
               UPDATE rtree_{t}_geom SET minx = ST_MinX(NEW.geom), maxx = ST_MaxX(NEW.geom), miny = ST_MinY(NEW.geom), maxy = ST_MaxY(NEW.geom) WHERE id = NEW.fid; END;
             CREATE TRIGGER rtree_{t}_geom_update7 AFTER UPDATE OF geom ON {t} WHEN OLD.fid = NEW.fid AND (NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom)) AND (OLD.geom ISNULL OR ST_IsEmpty(OLD.geom)) BEGIN {insert} END;
             CREATE TRIGGER rtree_{t}_geom_update2 AFTER UPDATE OF geom ON {t} WHEN OLD.fid = NEW.fid AND (NEW.geom ISNULL OR ST_IsEmpty(NEW.geom)) BEGIN DELETE FROM rtree_{t}_geom WHERE id = OLD.fid; END;
             CREATE TRIGGER rtree_{t}_geom_update5 AFTER UPDATE ON {t} WHEN OLD.fid != NEW.fid AND (NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom)) BEGIN DELETE FROM rtree_{t}_geom WHERE id = OLD.fid; {insert} END;
             CREATE TRIGGER rtree_{t}_geom_update4 AFTER UPDATE ON {t} WHEN OLD.fid != NEW.fid AND (NEW.geom ISNULL OR ST_IsEmpty(NEW.geom)) BEGIN DELETE FROM rtree_{t}_geom WHERE id IN (OLD.fid, NEW.fid); END;
             CREATE TRIGGER rtree_{t}_geom_delete AFTER DELETE ON {t} WHEN OLD.geom NOT NULL BEGIN DELETE FROM rtree_{t}_geom WHERE id = OLD.fid; END;"
        ))?;
    }
    Ok(())
}

/// Drops the triggers of [`create_triggers`].
pub fn drop_triggers(db: &Connection) -> rusqlite::Result<()> {
    for layer in Layer::ALL {
        for event in ["insert", "update2", "update4", "update5", "update6", "update7", "delete"] {
            db.execute_batch(&format!("DROP TRIGGER IF EXISTS rtree_{}_geom_{event}", layer.table()))?;
        }
    }
    Ok(())
}

/// A feature of any layer except addresses.
pub struct Feature<'a> {
    /// Identity, by [`fid`].
    pub fid: i64,
    /// Its geometry, by [`Geometry::to_blob`].
    pub blob: &'a [u8],
    /// Kind within the layer.
    pub kind: &'a str,
    /// Name on the map.
    pub name: Option<&'a str>,
    /// Tags as a JSON object.
    pub tags: &'a str,
}

/// Number of features per statement, which halves the time.
const AT_ONCE: usize = 16;

/// Writes features, replacing older ones of the same identity; of duplicates, the last is kept. The caller updates the
/// spatial index: [`put_bounds`] for one feature, [`build_spatial_index`] for a whole layer.
pub fn put(db: &Connection, layer: Layer, features: &[Feature<'_>]) -> rusqlite::Result<()> {
    let (lots, rest) = features.as_chunks::<AT_ONCE>();
    for lot in lots.iter().map(|lot| &lot[..]).chain(rest.chunks(1)) {
        let rows = values(lot.len(), 6);
        let mut insert = db.prepare_cached(&format!(
            "INSERT OR REPLACE INTO {} (fid, geom, osm_id, kind, name, tags) VALUES {rows}",
            layer.table()
        ))?;
        let mut at = 1;
        for feature in lot {
            insert.raw_bind_parameter(at, feature.fid)?;
            insert.raw_bind_parameter(at + 1, feature.blob)?;
            insert.raw_bind_parameter(at + 2, osm_id(feature.fid))?;
            insert.raw_bind_parameter(at + 3, feature.kind)?;
            insert.raw_bind_parameter(at + 4, feature.name)?;
            insert.raw_bind_parameter(at + 5, feature.tags)?;
            at += 6;
        }
        insert.raw_execute()?;
    }
    Ok(())
}

/// Placeholders of `rows` rows.
fn values(rows: usize, columns: usize) -> String {
    let row = format!("(?{}),", ",?".repeat(columns - 1));
    let mut all = row.repeat(rows);
    all.pop();
    all
}

/// Writes a parcel under the survey's name, replacing an older one of the same identity.
pub fn put_parcel(db: &Connection, fid: i64, name: &str, geometry: &Geometry) -> rusqlite::Result<()> {
    let name = (!name.is_empty()).then_some(name);
    db.prepare_cached(
        "INSERT OR REPLACE INTO parcels (fid, geom, osm_id, kind, name) VALUES (?1, ?2, '', 'parcel', ?3)",
    )?
    .execute(params![fid, geometry.to_blob(), name])?;
    put_bounds(db, Layer::Parcels, fid, geometry.bounds())
}

/// Writes the footprint of a building with its surveyed height in meters, replacing an older one of the same identity.
pub fn put_height(db: &Connection, fid: i64, meters: f64, geometry: &Geometry) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO heights (fid, geom, osm_id, kind, tags) VALUES (?1, ?2, '', 'surveyed', ?3)",
    )?
    .execute(params![fid, geometry.to_blob(), format!("{{\"height\":\"{meters:.2}\"}}")])?;
    put_bounds(db, Layer::Heights, fid, geometry.bounds())
}

/// Writes a feature's entry of the spatial index.
pub fn put_bounds(db: &Connection, layer: Layer, fid: i64, b: Bounds) -> rusqlite::Result<()> {
    db.prepare_cached(&format!("INSERT OR REPLACE INTO rtree_{}_geom VALUES (?1, ?2, ?3, ?4, ?5)", layer.table()))?
        .execute(params![fid, b[0], b[2], b[1], b[3]])?;
    Ok(())
}

/// Removes a feature; returns whether there was one.
pub fn remove(db: &Connection, layer: Layer, fid: i64) -> rusqlite::Result<bool> {
    let table = layer.table();
    let gone = db.prepare_cached(&format!("DELETE FROM {table} WHERE fid = ?1"))?.execute([fid])?;
    if gone > 0 {
        db.prepare_cached(&format!("DELETE FROM rtree_{table}_geom WHERE id = ?1"))?.execute([fid])?;
    }
    Ok(gone > 0)
}

/// A feature read from a pack.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Identity, by [`fid`].
    pub fid: i64,
    /// Its geometry.
    pub geometry: Geometry,
    /// Kind within the layer.
    pub kind: String,
    /// Name on the map.
    pub name: Option<String>,
    /// Tags.
    pub tags: std::collections::BTreeMap<String, String>,
}

/// Features whose bounds intersect the box, in order of their ids.
pub fn within(db: &Connection, layer: Layer, b: Bounds) -> rusqlite::Result<Vec<Stored>> {
    let table = layer.table();
    let mut statement = db.prepare_cached(&format!(
        "SELECT fid, geom, kind, name, tags FROM {table} WHERE fid IN
         (SELECT id FROM rtree_{table}_geom WHERE maxx >= ?1 AND minx <= ?3 AND maxy >= ?2 AND miny <= ?4) ORDER BY fid"
    ))?;
    let mut rows = statement.query(params![b[0], b[1], b[2], b[3]])?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let blob = row.get_ref(1)?.as_blob().unwrap_or_default();
        // Skip a blob that another program damaged.
        let Some(geometry) = Geometry::from_blob(blob) else { continue };
        let tags: String = row.get(4)?;
        out.push(Stored {
            fid: row.get(0)?,
            geometry,
            kind: row.get(2)?,
            name: row.get(3)?,
            tags: serde_json::from_str(&tags).unwrap_or_default(),
        });
    }
    Ok(out)
}

/// Geometries whose bounds intersect the box, of a layer of any columns.
pub fn geometries_within(db: &Connection, layer: Layer, b: Bounds) -> rusqlite::Result<Vec<Geometry>> {
    let table = layer.table();
    let mut statement = db.prepare_cached(&format!(
        "SELECT geom FROM {table} WHERE fid IN
         (SELECT id FROM rtree_{table}_geom WHERE maxx >= ?1 AND minx <= ?3 AND maxy >= ?2 AND miny <= ?4) ORDER BY fid"
    ))?;
    let blobs = statement.query_map(params![b[0], b[1], b[2], b[3]], |row| row.get::<_, Vec<u8>>(0))?;
    blobs.filter_map(|blob| blob.map(|blob| Geometry::from_blob(&blob)).transpose()).collect()
}

/// The geometry of a feature; `None` where there is none, or another program damaged it.
pub fn geometry(db: &Connection, layer: Layer, fid: i64) -> rusqlite::Result<Option<Geometry>> {
    let mut statement = db.prepare_cached(&format!("SELECT geom FROM {} WHERE fid = ?1", layer.table()))?;
    let blob: Option<Vec<u8>> = statement.query_row([fid], |row| row.get(0)).optional()?;
    Ok(blob.and_then(|blob| Geometry::from_blob(&blob)))
}

/// Number of rows of a layer.
pub fn count(db: &Connection, layer: Layer) -> rusqlite::Result<u64> {
    let count: i64 = db.query_row(&format!("SELECT count(*) FROM {}", layer.table()), [], |r| r.get(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Bounds of a layer.
pub fn bounds(db: &Connection, layer: Layer) -> rusqlite::Result<Option<Bounds>> {
    let t = layer.table();
    let edges =
        db.query_row(&format!("SELECT min(minx), min(miny), max(maxx), max(maxy) FROM rtree_{t}_geom"), [], |r| {
            let edge = |i| r.get::<_, Option<f64>>(i);
            Ok((edge(0)?, edge(1)?, edge(2)?, edge(3)?))
        });
    Ok(edges.optional()?.and_then(|(w, s, e, n)| Some([w?, s?, e?, n?])))
}

/// Updates the bounds of every layer in `gpkg_contents`, which a GIS reads first.
pub fn refresh_contents(db: &Connection) -> rusqlite::Result<()> {
    for layer in Layer::ALL {
        let b = bounds(db, layer)?;
        db.execute(
            "UPDATE gpkg_contents SET min_x = ?2, min_y = ?3, max_x = ?4, max_y = ?5 WHERE table_name = ?1",
            params![layer.table(), b.map(|b| b[0]), b.map(|b| b[1]), b.map(|b| b[2]), b.map(|b| b[3])],
        )?;
    }
    Ok(())
}
