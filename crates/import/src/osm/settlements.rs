//! The named places of a pack, in memory because every house looks up the nearest ones.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;

use aerie_geodata::geodesy::distance;
use aerie_geodata::gpkg::Geometry;

/// Maximum distance from a house to the settlement that it belongs to, meters, by rank.
pub(super) const SETTLEMENTS: [(&str, f64); 3] = [("city", 15_000.0), ("town", 7_000.0), ("village", 3_500.0)];
/// Likewise for parts of settlements and for named single houses.
pub(super) const QUARTERS: [(&str, f64); 6] = [
    ("suburb", 2_500.0),
    ("quarter", 1_500.0),
    ("neighbourhood", 1_000.0),
    ("hamlet", 1_500.0),
    ("isolated_dwelling", 500.0),
    ("farm", 500.0),
];

/// Side of a cell of the lookup grid, degrees.
const CELL: f64 = 0.1;

/// A named place.
pub(super) struct Settlement {
    fid: i64,
    at: [f64; 2],
    kind: String,
    pub(super) name: Option<String>,
    pub(super) name_en: Option<String>,
    pub(super) postcode: Option<String>,
}

/// All places that addresses may belong to.
pub(super) struct Places {
    cells: HashMap<(i32, i32), Vec<Settlement>>,
}

impl Places {
    pub(super) fn read(db: &Connection) -> rusqlite::Result<Self> {
        let mut cells: HashMap<_, Vec<Settlement>> = HashMap::new();
        let mut statement = db.prepare("SELECT fid, geom, kind, name, tags FROM places ORDER BY fid")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let kind: String = row.get(2)?;
            if !SETTLEMENTS.iter().chain(&QUARTERS).any(|rank| rank.0 == kind) {
                continue;
            }
            // Skip a blob that another program damaged.
            let geometry = Geometry::from_blob(row.get_ref(1)?.as_blob().unwrap_or_default());
            let Some(Geometry::Point(at)) = geometry else { continue };
            let mut tags: BTreeMap<String, String> =
                serde_json::from_str(&row.get::<_, String>(4)?).unwrap_or_default();
            cells.entry(cell(at)).or_default().push(Settlement {
                fid: row.get(0)?,
                at,
                kind,
                name: row.get(3)?,
                name_en: tags.remove("name:en"),
                postcode: tags.remove("postal_code"),
            });
        }
        Ok(Self { cells })
    }

    /// The place of these ranks that is nearest relative to the maximum distance of its rank.
    pub(super) fn nearest(&self, at: [f64; 2], ranks: &[(&str, f64)]) -> Option<&Settlement> {
        if at[0].is_nan() {
            return None;
        }
        let reach = ranks.iter().map(|r| r.1).fold(0.0, f64::max);
        let dy = reach / 111_000.0;
        let dx = dy / at[1].to_radians().cos().max(0.05);
        let ((west, south), (east, north)) = (cell([at[0] - dx, at[1] - dy]), cell([at[0] + dx, at[1] + dy]));
        let mut best: Option<(f64, &Settlement)> = None;
        for place in (west..=east).flat_map(|x| (south..=north).map(move |y| (x, y))).flat_map(|c| self.in_cell(c)) {
            let Some((_, reach)) = ranks.iter().find(|r| r.0 == place.kind) else { continue };
            let pull = distance(at, place.at) / reach;
            // On a tie, the lower id wins.
            if pull <= 1.0 && best.is_none_or(|b| pull < b.0 || (pull == b.0 && place.fid < b.1.fid)) {
                best = Some((pull, place));
            }
        }
        best.map(|b| b.1)
    }

    fn in_cell(&self, cell: (i32, i32)) -> &[Settlement] {
        self.cells.get(&cell).map_or(&[], Vec::as_slice)
    }
}

fn cell(at: [f64; 2]) -> (i32, i32) {
    ((at[0] / CELL).floor() as i32, (at[1] / CELL).floor() as i32)
}
