//! What surveys measured, as the pack stores it: roofs, crowns of trees, and where a point cloud shows whether there are trees.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::geodesy::LocalFrame;
use crate::gpkg::{self, Geometry, Layer, Stored};
use crate::place::{GeoPoint, MeasuredRoof, RoofMethod, TreeKind};

/// A measured roof of the pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredRoof {
    /// Id of the building in the city model, or of the outline that it was measured for.
    pub id: String,
    /// Longitude and latitude of the origin of the faces' frame.
    origin: [f64; 2],
    /// Faces: millimeters east and north of the origin, and above the building's own ground.
    faces: Vec<Vec<[i32; 3]>>,
    /// Height of the ground in the survey's own system, meters.
    ground: f64,
    /// What it was measured from.
    pub source: String,
    /// Attribution that pictures made from it must carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    year: Option<u16>,
    method: RoofMethod,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rms: Option<f64>,
    covered: f64,
    /// Stories, where the model names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stories: Option<u32>,
}

impl StoredRoof {
    /// A roof whose faces are meters east and north of `origin` (longitude, latitude) and above its ground.
    #[must_use]
    pub fn new(id: String, origin: [f64; 2], roof: &MeasuredRoof) -> Self {
        let millimeters = |meters: f64| (meters * 1000.0).round() as i32;
        Self {
            id,
            origin,
            faces: roof.faces.iter().map(|face| face.iter().map(|p| p.map(millimeters)).collect()).collect(),
            ground: (roof.ground * 1000.0).round() / 1000.0,
            source: roof.source.clone(),
            credit: None,
            year: roof.year,
            method: roof.method,
            rms: roof.rms.map(|rms| (rms * 1000.0).round() / 1000.0),
            covered: (roof.covered * 1000.0).round() / 1000.0,
            stories: None,
        }
    }

    /// Whether it comes from a city model.
    #[must_use]
    pub fn is_model(&self) -> bool {
        self.method == RoofMethod::Model
    }

    /// Share of the outline that the measurement covers, 0 to 1.
    #[must_use]
    pub fn covered(&self) -> f64 {
        self.covered
    }

    /// Year of the survey, where known.
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        self.year
    }

    /// The roof in another frame.
    #[must_use]
    pub fn roof(&self, frame: &LocalFrame) -> MeasuredRoof {
        let [lon, lat] = self.origin;
        let own = LocalFrame::new(GeoPoint { lat, lon });
        let place = |at: [f64; 2]| {
            let [lon, lat] = own.geographic(at);
            frame.local(lon, lat)
        };
        // Both frames are planes: over a house, one is a turn and a shift of the other to a fraction of a millimeter.
        let span = 100.0;
        let (origin, east, north) = (place([0.0, 0.0]), place([span, 0.0]), place([0.0, span]));
        let placed = |[x, y, z]: [i32; 3]| {
            let [x, y, z] = [x, y, z].map(|millimeters| f64::from(millimeters) / 1000.0);
            let along = |axis: usize| {
                origin[axis] + (east[axis] - origin[axis]) * x / span + (north[axis] - origin[axis]) * y / span
            };
            [along(0), along(1), z]
        };
        MeasuredRoof {
            faces: self.faces.iter().map(|face| face.iter().map(|p| placed(*p)).collect()).collect(),
            ground: self.ground,
            source: self.source.clone(),
            year: self.year,
            method: self.method,
            rms: self.rms,
            covered: self.covered,
        }
    }

    /// Writes the roof with its outline (degrees), replacing an earlier one of the same building.
    ///
    /// # Errors
    /// The pack cannot be written.
    pub fn put(&self, db: &Connection, outline: &Geometry) -> rusqlite::Result<()> {
        let kind = if self.is_model() { "model" } else { "cloud" };
        let fid = fid(&format!("{kind} {}", self.id));
        let tags = serde_json::json!({ "roof": serde_json::to_string(self).unwrap_or_default() }).to_string();
        db.prepare_cached("INSERT OR REPLACE INTO roofs (fid, geom, osm_id, kind, tags) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![fid, outline.to_blob(), self.id, kind, tags])?;
        gpkg::put_bounds(db, Layer::Roofs, fid, outline.bounds())
    }

    /// The roof of a feature; `None` where another program damaged it.
    #[must_use]
    pub fn of(stored: &Stored) -> Option<Self> {
        let roof: Self = serde_json::from_str(stored.tags.get("roof")?).ok()?;
        let is_sound = roof.faces.iter().all(|face| face.len() >= 3) && roof.origin.iter().all(|v| v.abs() <= 180.0);
        (is_sound && !roof.faces.is_empty()).then_some(roof)
    }
}

/// The measured roof from a point cloud of an outline, if there is one.
///
/// # Errors
/// The pack cannot be read.
pub fn cloud_roof(db: &Connection, id: &str) -> rusqlite::Result<Option<StoredRoof>> {
    let mut statement = db.prepare_cached("SELECT tags FROM roofs WHERE fid = ?1")?;
    let mut rows = statement.query([fid(&format!("cloud {id}"))])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let tags: String = row.get(0)?;
    let tags: std::collections::BTreeMap<String, String> = serde_json::from_str(&tags).unwrap_or_default();
    Ok(tags.get("roof").and_then(|roof| serde_json::from_str(roof).ok()))
}

/// Row id of a name, the same at every import.
#[must_use]
fn fid(name: &str) -> i64 {
    let hash = aerie_math::rng::fnv1a(aerie_math::rng::FNV_BASIS, name);
    // Row ids are positive.
    (hash >> 1).max(1) as i64
}

/// A measured tree of the pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crown {
    /// Longitude and latitude.
    pub at: [f64; 2],
    /// Height, meters.
    pub height: f64,
    /// Crown diameter, meters.
    pub crown: f64,
    /// Kind, where the points tell.
    pub kind: Option<TreeKind>,
}

/// Where a file shows whether there are trees, and the trees that it shows. Replaces those of an earlier file of the same name.
///
/// # Errors
/// The pack cannot be written.
pub fn put_trees(
    db: &Connection,
    file: &str,
    credit: Option<&str>,
    covered: &Geometry,
    crowns: &[Crown],
) -> rusqlite::Result<()> {
    for layer in [Layer::Crowns, Layer::Surveys] {
        let table = layer.table();
        let old: Vec<i64> = db
            .prepare_cached(&format!("SELECT fid FROM {table} WHERE name = ?1"))?
            .query_map([file], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for fid in old {
            gpkg::remove(db, layer, fid)?;
        }
    }
    let survey = fid(&format!("survey {file}"));
    let tags = serde_json::json!({ "credit": credit.unwrap_or_default() }).to_string();
    db.prepare_cached(
        "INSERT OR REPLACE INTO surveys (fid, geom, osm_id, kind, name, tags) VALUES (?1, ?2, '', 'cloud', ?3, ?4)",
    )?
    .execute(params![survey, covered.to_blob(), file, tags])?;
    gpkg::put_bounds(db, Layer::Surveys, survey, covered.bounds())?;
    for (number, crown) in crowns.iter().enumerate() {
        let fid = fid(&format!("crown {file} {number}"));
        let mut tags = serde_json::json!({
            "height": format!("{:.2}", crown.height),
            "diameter_crown": format!("{:.2}", crown.crown),
        });
        if let Some(kind) = crown.kind {
            let leaf = if kind == TreeKind::Needleleaved { "needleleaved" } else { "broadleaved" };
            tags["leaf_type"] = leaf.into();
        }
        let at = Geometry::Point(crown.at);
        db.prepare_cached(
            "INSERT OR REPLACE INTO crowns (fid, geom, osm_id, kind, name, tags) VALUES (?1, ?2, '', 'tree', ?3, ?4)",
        )?
        .execute(params![fid, at.to_blob(), file, tags.to_string()])?;
        gpkg::put_bounds(db, Layer::Crowns, fid, at.bounds())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roof_is_read_back_within_a_millimeter_from_another_frame() {
        let faces = vec![vec![[0.0, 0.0, 3.0], [10.0, 0.0, 3.0], [10.0, 4.0, 6.5]]];
        let roof = MeasuredRoof {
            faces: faces.clone(),
            ground: 1.234_5,
            source: "AHN".into(),
            year: Some(2014),
            method: RoofMethod::Planes,
            rms: Some(0.06),
            covered: 1.0,
        };
        let stored = StoredRoof::new("way/1".into(), [4.36, 52.01], &roof);
        let db = Connection::open_in_memory().unwrap();
        gpkg::create(&db).unwrap();
        let outline = Geometry::Polygons(vec![vec![vec![[4.36, 52.01], [4.361, 52.01], [4.361, 52.011]]]]);
        stored.put(&db, &outline).unwrap();
        stored.put(&db, &outline).unwrap();
        assert_eq!(gpkg::count(&db, Layer::Roofs).unwrap(), 1);
        let found = gpkg::within(&db, Layer::Roofs, [4.0, 52.0, 5.0, 53.0]).unwrap();
        let read = StoredRoof::of(&found[0]).unwrap();
        assert_eq!(read, stored);
        assert_eq!(cloud_roof(&db, "way/1").unwrap(), Some(stored));
        assert_eq!(cloud_roof(&db, "way/2").unwrap(), None);
        let frame = LocalFrame::new(GeoPoint { lat: 52.012, lon: 4.355 });
        let own = LocalFrame::new(GeoPoint { lat: 52.01, lon: 4.36 });
        for (corner, original) in read.roof(&frame).faces[0].iter().zip(&faces[0]) {
            let [lon, lat] = own.geographic([original[0], original[1]]);
            let [x, y] = frame.local(lon, lat);
            assert!((corner[0] - x).hypot(corner[1] - y) < 0.001, "{corner:?} is not at {x}, {y}");
            assert!((corner[2] - original[2]).abs() < 1e-9);
        }
    }
}
