//! An OpenStreetMap import in progress.

use std::path::Path;

use aerie_geodata::gpkg::{self, Geometry, Layer, OsmKind};
use aerie_math::geometry;
use rusqlite::{Connection, params};

use super::classify::{self, Shape};
use super::element::{MAX_REFS, Member, Tags, spot};
use super::local_ids::LocalIds;
use super::rings::{self, Spot};
use super::scratch::Scratch;
use super::writer::{Address, Out, Write};
use crate::error::ImportError;
use crate::options::ImportOptions;
use crate::report::FileReport;

/// Layers that a file must not lose most of its features of: what the service works with. Areas and boundaries are cut by the edge of
/// most extracts.
pub(super) const BUILDINGS: &str = "buildings";
pub(super) const ADDRESSES: &str = "addresses";
pub(super) const ROADS: &str = "roads";

/// Why an object is left out whose shape is not all there.
const INCOMPLETE: &str = "ways with points that are not in the file";

/// Why a way is left out that has no shape at all.
const NO_POINTS: &str =
    "ways of which no point is in the file (ask Overpass for `out geom`, not for `out center` or `out tags`)";

/// Why an object is left out that came with its geometry.
const NO_SHAPE: &str = "objects without a shape in degrees";

/// An object that comes with its geometry.
pub(crate) struct Object {
    pub(crate) kind: OsmKind,
    pub(crate) id: i64,
    /// Polygons of rings of longitudes and latitudes; a line is one ring, a point a ring of one point.
    pub(crate) polygons: Vec<Vec<Vec<[f64; 2]>>>,
}

/// The import of one file.
pub(crate) struct Run<'a> {
    pub(super) out: Out<'a>,
    pub(super) path: &'a Path,
    pub(super) folder: &'a Path,
    /// Whether the pack was empty before, so that there is nothing to replace.
    pub(super) fresh: bool,
    pub(crate) report: FileReport,
    pub(super) progress: &'a dyn Fn(&'static str, u64, u64),
    pub(super) options: &'a ImportOptions<'a>,
    /// Set before anything is read.
    pub(super) ids: Option<LocalIds>,
    /// Objects of earlier imports that this file replaced.
    pub(super) replaced: u64,
}

impl<'a> Run<'a> {
    /// Creates the import of the file `path`, with temporary files in `folder`.
    pub(crate) fn new(
        path: &'a Path,
        folder: &'a Path,
        fresh: bool,
        report: FileReport,
        progress: &'a dyn Fn(&'static str, u64, u64),
        options: &'a ImportOptions<'a>,
    ) -> Self {
        Self { out: Out::Closed, path, folder, fresh, report, progress, options, ids: None, replaced: 0 }
    }
}

impl Run<'_> {
    pub(super) fn check_canceled(&self) -> Result<(), ImportError> {
        if (self.options.canceled)() { Err(ImportError::Canceled) } else { Ok(()) }
    }

    /// Row id of an object of the file.
    pub(super) fn fid(&mut self, kind: OsmKind, id: i64) -> i64 {
        gpkg::fid(kind, self.ids.as_mut().map_or(id, |ids| ids.in_pack(id)))
    }

    /// Remembers the file's ids, and notes what it replaced unless that came from a file of the same name and size.
    pub(super) fn remember(&mut self, db: &Connection) -> rusqlite::Result<()> {
        if let Some(ids) = &self.ids {
            ids.remember(db)?;
        }
        let is_known = db
            .prepare("SELECT 1 FROM aerie_files WHERE name = ?1 AND bytes = ?2")?
            .exists(params![self.report.file, i64::try_from(self.report.bytes).unwrap_or(i64::MAX)])?;
        if !is_known {
            self.report.note("objects replace those that were imported before with the same ids", self.replaced);
        }
        Ok(())
    }

    /// An object that the file marks as deleted is removed where an earlier file brought it.
    pub(super) fn deleted(&mut self, kind: OsmKind, id: i64) -> Result<(), ImportError> {
        self.report.objects += 1;
        self.report.note("objects that are marked as deleted", 1);
        let fid = self.fid(kind, id);
        self.forget(fid)
    }

    /// Counts the features of a point without a position.
    pub(super) fn placeless(&mut self, tags: &Tags<'_>) {
        self.report.objects += 1;
        let layers = classify::layers(tags, Shape::Point);
        self.skip(&layers, tags.has("addr:housenumber"), "points without a position on Earth");
    }

    /// Counts an object without an id.
    pub(super) fn nameless(&mut self) {
        self.report.objects += 1;
        self.report.note("objects without a usable id", 1);
    }

    /// Counts an object's features as left out.
    pub(super) fn skip(&mut self, layers: &[(Layer, String)], is_addressed: bool, reason: &str) {
        for (layer, _) in layers {
            self.skip_feature(*layer, reason);
        }
        if is_addressed {
            self.skip_feature(Layer::Addresses, reason);
        }
    }

    fn skip_feature(&mut self, layer: Layer, reason: &str) {
        match layer {
            Layer::Buildings => self.report.skip_of(BUILDINGS, reason),
            Layer::Addresses => self.report.skip_of(ADDRESSES, reason),
            Layer::Roads => self.report.skip_of(ROADS, reason),
            _ => self.report.skip(reason),
        }
    }

    pub(super) fn node(&mut self, id: i64, spot: Spot, tags: &Tags<'_>) -> Result<(), ImportError> {
        self.check_canceled()?;
        let fid = self.fid(OsmKind::Node, id);
        self.forget(fid)?;
        let geometry = Geometry::Point(degrees(spot));
        self.put_all(fid, Shape::Point, &geometry, tags)?;
        self.address(fid, degrees(spot), tags, false)
    }

    /// Removes what an earlier import added for the same object.
    pub(super) fn forget(&mut self, fid: i64) -> Result<(), ImportError> {
        if !self.fresh {
            self.replaced += u64::from(self.out.put(Write::Forget(fid), false)?);
        }
        Ok(())
    }

    /// Adds a way. `spots` are those of its nodes that are in the file, and `gaps` the indices in `spots` before which
    /// nodes are missing.
    pub(super) fn way(
        &mut self,
        id: i64,
        refs: &[i64],
        (spots, gaps): (&[Spot], &[usize]),
        tags: &Tags<'_>,
    ) -> Result<(), ImportError> {
        self.check_canceled()?;
        let fid = self.fid(OsmKind::Way, id);
        self.forget(fid)?;
        if tags.0.is_empty() {
            return Ok(());
        }
        if tags.has("addr:interpolation") {
            self.report.note("address interpolation lines, which are not used (no house is known to stand there)", 1);
        }
        // Without its points, a way may be an outline.
        let closed = refs.is_empty() || refs.len() >= 4 && refs.first() == refs.last();
        let shape = if closed { Shape::ClosedLine } else { Shape::OpenLine };
        let layers = classify::layers(tags, shape);
        let addressed = tags.has("addr:housenumber");
        if layers.is_empty() && !addressed {
            return Ok(());
        }
        if refs.len() > MAX_REFS {
            self.skip(&layers, addressed, "ways of more than 100,000 points");
            return Ok(());
        }
        if spots.is_empty() {
            self.skip(&layers, addressed, NO_POINTS);
            return Ok(());
        }
        let missing = gaps.len();
        let mut line = spots.to_vec();
        line.dedup();
        let ring = if closed && missing == 0 { rings::tidy(line.clone()) } else { None };
        let building = layers.iter().any(|(l, _)| *l == Layer::Buildings);
        for (layer, kind) in &layers {
            let areal = matches!(layer, Layer::Buildings | Layer::Areas | Layer::Boundaries);
            let geometry = if areal {
                ring.clone().map(|ring| polygon_geometry(rings::polygons(vec![ring], Vec::new()).0))
            } else if *layer == Layer::Coastlines {
                coastline(spots, gaps)
            } else {
                (line.len() >= 2).then(|| Geometry::Line(line.iter().copied().map(degrees).collect()))
            };
            match geometry {
                Some(geometry) => {
                    self.put(*layer, fid, &geometry, kind, tags)?;
                    self.report
                        .note("lines without those of their points that are not in the file", (missing > 0).into());
                }
                None if missing > 0 => self.skip_feature(*layer, INCOMPLETE),
                None => self.skip_feature(*layer, "ways without extent"),
            }
        }
        if addressed {
            let point = match &ring {
                Some(ring) => interior(&[vec![ring.clone()]]),
                // The middle of what is left of an outline is no place of a house.
                None if missing > 0 => None,
                None => line.get(line.len() / 2).copied().map(degrees),
            };
            match point {
                Some(point) => self.address(fid, point, tags, building && ring.is_some())?,
                None if missing > 0 => self.skip_feature(Layer::Addresses, INCOMPLETE),
                None => self.skip_feature(Layer::Addresses, "ways without extent"),
            }
        }
        Ok(())
    }

    /// Adds an object that comes with its geometry.
    pub(crate) fn object(&mut self, object: &Object, tags: &Tags<'_>) -> Result<(), ImportError> {
        self.report.objects += 1;
        let spots =
            |ring: &Vec<[f64; 2]>| ring.iter().map(|[lon, lat]| spot(*lon, *lat)).collect::<Option<Vec<Spot>>>();
        let rings = |polygon: &Vec<Vec<[f64; 2]>>| polygon.iter().map(spots).collect::<Option<Vec<_>>>();
        let polygons: Vec<_> = object.polygons.iter().map(rings).collect::<Option<_>>().unwrap_or_default();
        match (object.kind, &polygons[..]) {
            (OsmKind::Node, [polygon]) => match polygon.first().and_then(|ring| ring.first()) {
                Some(at) => self.node(object.id, *at, tags),
                None => Ok(()),
            },
            (OsmKind::Node, _) => {
                let layers = classify::layers(tags, Shape::Point);
                self.skip(&layers, tags.has("addr:housenumber"), NO_SHAPE);
                Ok(())
            }
            (OsmKind::Way, [polygon]) if polygon.len() == 1 => {
                let line = &polygon[0];
                let mut refs: Vec<i64> = (0..line.len() as i64).collect();
                if line.first() == line.last() {
                    refs.pop();
                    refs.extend(refs.first().copied());
                }
                self.way(object.id, &refs, (line, &[]), tags)
            }
            _ => self.polygons(object, polygons, tags),
        }
    }

    fn polygons(&mut self, object: &Object, polygons: Vec<Vec<Vec<Spot>>>, tags: &Tags<'_>) -> Result<(), ImportError> {
        self.check_canceled()?;
        let fid = self.fid(object.kind, object.id);
        self.forget(fid)?;
        let (layers, is_addressed) = classify::areal(tags);
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for polygon in polygons {
            let mut rings = polygon.into_iter();
            outer.extend(rings.next());
            inner.extend(rings);
        }
        let (polygons, _) = rings::polygons(outer, inner);
        let Some(point) = interior(&polygons) else {
            self.skip(&layers, is_addressed, NO_SHAPE);
            return Ok(());
        };
        let geometry = polygon_geometry(polygons);
        for (layer, kind) in &layers {
            self.put(*layer, fid, &geometry, kind, tags)?;
        }
        let on_building = layers.iter().any(|(layer, _)| *layer == Layer::Buildings);
        if is_addressed { self.address(fid, point, tags, on_building) } else { Ok(()) }
    }

    pub(super) fn relation(
        &mut self,
        id: i64,
        members: &[Member],
        tags: &Tags<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), ImportError> {
        self.check_canceled()?;
        let fid = self.fid(OsmKind::Relation, id);
        self.forget(fid)?;
        match tags.get("type") {
            Some("multipolygon" | "boundary" | "associatedStreet" | "street") => {
                Ok(scratch.put_relation(id, members, tags)?)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn put_all(
        &mut self,
        fid: i64,
        shape: Shape,
        geometry: &Geometry,
        tags: &Tags<'_>,
    ) -> Result<(), ImportError> {
        for (layer, kind) in classify::layers(tags, shape) {
            self.put(layer, fid, geometry, &kind, tags)?;
        }
        Ok(())
    }

    pub(super) fn put(
        &mut self,
        layer: Layer,
        fid: i64,
        geometry: &Geometry,
        kind: &str,
        tags: &Tags<'_>,
    ) -> Result<(), ImportError> {
        *self.counter(layer, kind) += 1;
        self.report.used(1);
        let kept = classify::kept(tags);
        let name = tags.get("name").filter(|n| n.len() <= 1024);
        let (blob, bounds, kind) = (geometry.to_blob(), geometry.bounds(), kind.to_owned());
        let name = name.map(str::to_owned);
        self.out.put(Write::Feature { layer, fid, blob, bounds, kind, name, tags: kept }, self.fresh)?;
        Ok(())
    }

    pub(super) fn counter(&mut self, layer: Layer, kind: &str) -> &mut u64 {
        let r = &mut self.report;
        match layer {
            Layer::Addresses => &mut r.addresses,
            Layer::Buildings if kind == "part" => &mut r.building_parts,
            Layer::Buildings => &mut r.buildings,
            Layer::Roads => &mut r.roads,
            Layer::Areas => &mut r.areas,
            Layer::Waterways => &mut r.waterways,
            Layer::Trees => &mut r.trees,
            Layer::TreeRows => &mut r.tree_rows,
            Layer::Barriers => &mut r.barriers,
            Layer::Boundaries => &mut r.boundaries,
            Layer::Places => &mut r.places,
            Layer::Parcels => &mut r.parcels,
            Layer::Heights => &mut r.surveyed_heights,
            Layer::Crossings => &mut r.crossings,
            Layer::Coastlines => &mut r.coastlines,
            Layer::Roofs => &mut r.measured_roofs,
            Layer::Crowns => &mut r.measured_trees,
            Layer::Surveys => &mut r.measured_ground_cells,
        }
    }

    pub(super) fn address(
        &mut self,
        fid: i64,
        at: [f64; 2],
        tags: &Tags<'_>,
        on_building: bool,
    ) -> Result<(), ImportError> {
        if !tags.has("addr:housenumber") {
            return Ok(());
        }
        let number = tags.get("addr:housenumber").map(str::trim);
        let Some(number) = number.filter(|number| !number.is_empty() && number.len() <= 64) else {
            self.skip_feature(Layer::Addresses, "house numbers that are no house numbers");
            return Ok(());
        };
        let text = |keys: &[&str]| {
            keys.iter().find_map(|k| tags.get(k)).map(str::trim).filter(|v| !v.is_empty() && v.len() <= 255)
        };
        let street = text(&["addr:street"]);
        let place = text(&["addr:place", "addr:hamlet"]);
        let owned = |value: Option<&str>| value.map(str::to_owned);
        let address = Address {
            fid,
            blob: Geometry::Point(at).to_blob(),
            bounds: [at[0], at[1], at[0], at[1]],
            number: number.to_owned(),
            street: owned(street),
            place: owned(place),
            postcode: owned(text(&["addr:postcode", "postal_code"])),
            city: owned(text(&["addr:city", "addr:town", "addr:village"])),
            on_building,
            tags: classify::kept(tags),
        };
        self.out.put(Write::Address(Box::new(address)), self.fresh)?;
        self.report.addresses += 1;
        self.report.used(1);
        Ok(())
    }
}

/// A coastline, split where nodes are missing from the file because its course there is unknown.
fn coastline(spots: &[Spot], gaps: &[usize]) -> Option<Geometry> {
    let mut ends = gaps.to_vec();
    ends.push(spots.len());
    let mut from = 0;
    let mut parts = Vec::new();
    for end in ends {
        let mut part: Vec<_> = spots[from..end].iter().copied().map(degrees).collect();
        part.dedup();
        if part.len() >= 2 {
            parts.push(part);
        }
        from = end;
    }
    (!parts.is_empty()).then_some(Geometry::Lines(parts))
}

pub(super) fn degrees((lon, lat): Spot) -> [f64; 2] {
    [f64::from(lon) / 1e7, f64::from(lat) / 1e7]
}

pub(super) fn polygon_geometry(polygons: Vec<Vec<Vec<Spot>>>) -> Geometry {
    let ring = |ring: Vec<Spot>| ring.into_iter().map(degrees).collect();
    Geometry::Polygons(polygons.into_iter().map(|p| p.into_iter().map(ring).collect()).collect())
}

/// A point inside the largest polygon: its centroid, if that is inside.
pub(super) fn interior(polygons: &[Vec<Vec<Spot>>]) -> Option<[f64; 2]> {
    let largest = polygons.iter().max_by_key(|p| p.first().map_or(0, |r| rings::area2(r).abs()))?;
    let rings: Vec<Vec<[f64; 2]>> = largest.iter().map(|r| r.iter().copied().map(degrees).collect()).collect();
    geometry::interior_point(&rings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coast_is_kept_in_the_parts_that_are_in_the_file() {
        let spots = [(0, 0), (10_000_000, 0), (20_000_000, 0), (30_000_000, 0), (40_000_000, 0)];
        let parts = |gaps: &[usize]| match coastline(&spots, gaps) {
            Some(Geometry::Lines(lines)) => lines.iter().map(|l| (l[0][0], l.len())).collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        assert_eq!(parts(&[]), [(0.0, 5)]);
        assert_eq!(parts(&[0, 2, 2, 2, 5]), [(0.0, 2), (2.0, 3)]);
        assert_eq!(parts(&[1]), [(1.0, 4)], "one point alone is no line");
        assert_eq!(parts(&[1, 2, 3, 4]), []);
    }
}
