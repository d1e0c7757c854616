//! One OpenStreetMap file into the pack: nodes and relations in a first pass, ways in a second, then what is made of them.

use std::path::Path;

use rusqlite::{Connection, params};

use super::classify::{self, Shape};
use super::element::{Element, MAX_REFS, Member, Tags, Wanted};
use super::node_store::NodeStore;
use super::rings::{self, Broken, Spot};
use super::scratch::Scratch;
use super::{FileKind, FileReport, ImportError, ImportOptions, localities, pbf, xml};
use crate::geocode::fold;
use crate::gpkg::{self, Feature, Geometry, Layer, OsmKind};

/// An import under way.
pub(super) struct Run<'a> {
    pub(super) db: &'a Connection,
    pub(super) path: &'a Path,
    pub(super) folder: &'a Path,
    /// Whether the pack was empty before, so that nothing is there to be replaced.
    pub(super) fresh: bool,
    pub(super) report: FileReport,
    pub(super) progress: &'a dyn Fn(&'static str, u64, u64),
    pub(super) options: &'a ImportOptions<'a>,
}

impl Run<'_> {
    pub(super) fn import(&mut self, kind: FileKind) -> Result<(), ImportError> {
        let scratch = Scratch::new(self.folder)?;
        let mut nodes = NodeStore::new(self.folder);
        let (path, folder, bytes, progress) = (self.path, self.folder, self.report.bytes, self.progress);
        let read = |wanted, stage, sink: super::element::Sink<'_>| {
            let mut at = |behind: u64| progress(stage, behind.min(bytes), bytes);
            match kind {
                FileKind::Xml { zipped } => xml::read(path, zipped, wanted, &mut at, sink),
                _ => pbf::read(path, wanted, &mut at, sink),
            }
        };
        let on_disk = |e| ImportError::io(folder, e);
        read(Wanted::NodesAndRelations, "reading points and relations", &mut |element| match element {
            Element::Node { id, lon, lat, tags } => {
                self.report.objects += 1;
                nodes.add(id, lon, lat).map_err(on_disk)?;
                if tags.0.is_empty() { Ok(()) } else { self.node(id, (lon, lat), tags) }
            }
            Element::Relation { id, members, tags } => {
                self.report.objects += 1;
                self.relation(id, members, tags, &scratch)
            }
            Element::Way { .. } => Ok(()),
        })?;
        nodes.finish().map_err(on_disk)?;
        read(Wanted::Ways, "reading ways", &mut |element| match element {
            Element::Way { id, refs, tags } => {
                self.report.objects += 1;
                let wanted = scratch.wants(id)?;
                if tags.0.is_empty() && !wanted {
                    return Ok(());
                }
                let mut spots = Vec::with_capacity(refs.len().min(MAX_REFS));
                for node in refs {
                    spots.extend(nodes.get(*node).map_err(on_disk)?);
                }
                if wanted {
                    scratch.put_way(id, &spots, tags)?;
                }
                self.way(id, refs, &spots, tags)
            }
            _ => Ok(()),
        })?;
        self.assemble(&scratch)?;
        if self.report.buildings
            + self.report.roads
            + self.report.areas
            + self.report.addresses
            + self.report.boundaries
            == 0
        {
            return Err(ImportError::NothingInIt { path: self.path.to_owned() });
        }
        localities::infer(self)
    }

    pub(super) fn check_cancelled(&self) -> Result<(), ImportError> {
        if (self.options.cancelled)() { Err(ImportError::Cancelled) } else { Ok(()) }
    }

    fn node(&mut self, id: i64, spot: Spot, tags: &Tags) -> Result<(), ImportError> {
        self.check_cancelled()?;
        let fid = gpkg::fid(OsmKind::Node, id);
        self.forget(fid)?;
        let geometry = Geometry::Point(degrees(spot));
        self.put_all(fid, Shape::Point, &geometry, tags)?;
        self.address(fid, degrees(spot), tags, false)
    }

    /// Takes out what an earlier import made of the same object.
    fn forget(&self, fid: i64) -> Result<(), ImportError> {
        if self.fresh {
            return Ok(());
        }
        for layer in Layer::ALL {
            gpkg::remove(self.db, layer, fid)?;
        }
        self.db.prepare_cached("DELETE FROM aerie_street_index WHERE fid = ?1")?.execute([fid])?;
        Ok(())
    }

    fn way(&mut self, id: i64, refs: &[i64], spots: &[Spot], tags: &Tags) -> Result<(), ImportError> {
        self.check_cancelled()?;
        let fid = gpkg::fid(OsmKind::Way, id);
        self.forget(fid)?;
        if tags.0.is_empty() {
            return Ok(());
        }
        if refs.len() > MAX_REFS {
            self.report.skip("ways of more than 100,000 points");
            return Ok(());
        }
        if tags.has("addr:interpolation") {
            self.report.skip("address interpolation lines (no house is known to stand there)");
        }
        let closed = refs.len() >= 4 && refs.first() == refs.last();
        let shape = if closed { Shape::ClosedLine } else { Shape::OpenLine };
        let layers = classify::layers(tags, shape);
        let addressed = tags.has("addr:housenumber");
        if layers.is_empty() && !addressed {
            return Ok(());
        }
        let missing = refs.len() - spots.len();
        let mut line = spots.to_vec();
        line.dedup();
        let ring = if closed && missing == 0 { rings::tidy(line.clone()) } else { None };
        let building = layers.iter().any(|(l, _)| *l == Layer::Buildings);
        for (layer, kind) in &layers {
            let areal = matches!(layer, Layer::Buildings | Layer::Areas | Layer::Boundaries);
            let geometry = if areal {
                ring.clone().map(|ring| polygon_geometry(rings::polygons(vec![ring], Vec::new()).0))
            } else {
                (line.len() >= 2).then(|| Geometry::Line(line.iter().copied().map(degrees).collect()))
            };
            match geometry {
                Some(geometry) => self.put(*layer, fid, &geometry, kind, tags)?,
                None if missing > 0 => self.report.skip("ways with points that are not in the file"),
                None => self.report.skip("ways without extent"),
            }
        }
        if addressed {
            let point = match &ring {
                Some(ring) => interior(&[vec![ring.clone()]]),
                None => line.get(line.len() / 2).copied().map(degrees),
            };
            match point {
                Some(point) => self.address(fid, point, tags, building && ring.is_some())?,
                None => self.report.skip("house numbers without a position"),
            }
        }
        Ok(())
    }

    fn relation(&mut self, id: i64, members: &[Member], tags: &Tags, scratch: &Scratch) -> Result<(), ImportError> {
        self.check_cancelled()?;
        self.forget(gpkg::fid(OsmKind::Relation, id))?;
        match tags.get("type") {
            Some("multipolygon" | "boundary" | "associatedStreet" | "street") => {
                Ok(scratch.put_relation(id, members, tags)?)
            }
            _ => Ok(()),
        }
    }

    fn assemble(&mut self, scratch: &Scratch) -> Result<(), ImportError> {
        let mut last = i64::MIN;
        while let Some(relation) = scratch.relation_after(last)? {
            self.check_cancelled()?;
            last = relation.id;
            if matches!(relation.tags.get("type"), Some("associatedStreet" | "street")) {
                self.associated_street(&relation.members, &relation.tags, scratch)?;
            } else {
                self.multipolygon(&relation, scratch)?;
            }
        }
        Ok(())
    }

    fn multipolygon(&mut self, relation: &super::scratch::Relation, scratch: &Scratch) -> Result<(), ImportError> {
        let (mut outer, mut inner, mut outer_ways) = (Vec::new(), Vec::new(), Vec::new());
        let mut missing = false;
        for member in relation.members.iter().filter(|m| m.kind == OsmKind::Way) {
            let Some((spots, tags)) = scratch.way(member.id)? else {
                missing = true;
                continue;
            };
            match member.role.as_str() {
                "inner" | "enclave" => inner.push(spots),
                "outer" | "exclave" | "" => {
                    outer.push(spots);
                    outer_ways.push((member.id, tags));
                }
                _ => {}
            }
        }
        let mut tags = relation.tags.clone();
        let mut layers = classify::layers(&tags, Shape::Polygons);
        let addressed = tags.has("addr:housenumber");
        if layers.is_empty() && !addressed {
            // The older way of tagging: what the relation is stands on its outer ways.
            let Some((_, of_way)) = outer_ways.iter().find(|(_, t)| !classify::layers(t, Shape::Polygons).is_empty())
            else {
                return Ok(());
            };
            tags = of_way.clone();
            layers = classify::layers(&tags, Shape::Polygons);
            for (id, _) in outer_ways.iter().filter(|(_, t)| classify::layers(t, Shape::Polygons) == layers) {
                for (layer, _) in &layers {
                    if gpkg::remove(self.db, *layer, gpkg::fid(OsmKind::Way, *id))? {
                        *self.counter(*layer, "building") -= 1;
                    }
                }
            }
        }
        let (outer, open) = rings::join(outer);
        let (inner, open_hole) = rings::join(inner);
        let (polygons, broken) = rings::polygons(outer, inner);
        let fid = gpkg::fid(OsmKind::Relation, relation.id);
        if polygons.is_empty() || (open.is_some() && layers.iter().all(|(l, _)| *l == Layer::Boundaries)) {
            let reason = if missing {
                "multipolygons with ways that are not in the file"
            } else {
                "multipolygons that do not close"
            };
            self.report.skip(reason);
            return Ok(());
        }
        if let Some(broken) = open.or(open_hole).or(broken) {
            self.report.skip(match broken {
                Broken::Open if missing => "rings of multipolygons with ways that are not in the file",
                Broken::Open => "rings of multipolygons that do not close",
                Broken::Degenerate => "rings of multipolygons without area",
                Broken::LooseHole => "holes of multipolygons that lie outside",
            });
        }
        let point = interior(&polygons);
        let building = layers.iter().any(|(l, _)| *l == Layer::Buildings);
        let geometry = polygon_geometry(polygons);
        for (layer, kind) in &layers {
            if matches!(layer, Layer::Buildings | Layer::Areas | Layer::Boundaries) {
                self.put(*layer, fid, &geometry, kind, &tags)?;
            }
        }
        match point {
            Some(point) if addressed => self.address(fid, point, &tags, building),
            _ => Ok(()),
        }
    }

    /// Gives the houses of a street relation its name where they have none of their own.
    fn associated_street(&self, members: &[Member], tags: &Tags, scratch: &Scratch) -> Result<(), ImportError> {
        let mut name = tags.get("addr:street").or_else(|| tags.get("name")).map(str::to_owned);
        for member in members.iter().filter(|m| m.role == "street" && m.kind == OsmKind::Way) {
            if name.is_none() {
                name = scratch.way(member.id)?.and_then(|(_, t)| t.get("name").map(str::to_owned));
            }
        }
        let Some(name) = name else { return Ok(()) };
        for member in members.iter().filter(|m| m.role != "street") {
            let fid = gpkg::fid(member.kind, member.id);
            let changed = self
                .db
                .prepare_cached(
                    "UPDATE addresses SET street = ?2, postcode = coalesce(postcode, ?3), city = coalesce(city, ?4)
                     WHERE fid = ?1 AND street IS NULL AND place IS NULL",
                )?
                .execute(params![fid, name, tags.get("addr:postcode"), tags.get("addr:city")])?;
            if changed > 0 {
                let number: String =
                    self.db.query_row("SELECT housenumber FROM addresses WHERE fid = ?1", [fid], |r| r.get(0))?;
                index_street(self.db, fid, &name, &number)?;
            }
        }
        Ok(())
    }

    fn put_all(&mut self, fid: i64, shape: Shape, geometry: &Geometry, tags: &Tags) -> Result<(), ImportError> {
        for (layer, kind) in classify::layers(tags, shape) {
            self.put(layer, fid, geometry, &kind, tags)?;
        }
        Ok(())
    }

    fn put(&mut self, layer: Layer, fid: i64, geometry: &Geometry, kind: &str, tags: &Tags) -> Result<(), ImportError> {
        let kept = classify::kept(tags);
        let name = tags.get("name").filter(|n| n.len() <= 1024);
        gpkg::put(self.db, layer, &Feature { fid, geometry, kind, name, tags: &kept })?;
        *self.counter(layer, kind) += 1;
        Ok(())
    }

    fn counter(&mut self, layer: Layer, kind: &str) -> &mut u64 {
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
        }
    }

    fn address(&mut self, fid: i64, at: [f64; 2], tags: &Tags, on_building: bool) -> Result<(), ImportError> {
        let Some(number) = tags.get("addr:housenumber").map(str::trim).filter(|n| !n.is_empty()) else { return Ok(()) };
        if number.len() > 64 {
            self.report.skip("house numbers that are no house numbers");
            return Ok(());
        }
        let text = |keys: &[&str]| {
            keys.iter().find_map(|k| tags.get(k)).map(str::trim).filter(|v| !v.is_empty() && v.len() <= 255)
        };
        let street = text(&["addr:street"]);
        let place = text(&["addr:place", "addr:hamlet"]);
        self.db
            .prepare_cached(
                "INSERT OR REPLACE INTO addresses (fid, geom, osm_id, housenumber, street, place, postcode, city, on_building, tags)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                fid,
                Geometry::Point(at).to_blob(),
                gpkg::osm_id(fid),
                number,
                street,
                place,
                text(&["addr:postcode", "postal_code"]),
                text(&["addr:city", "addr:town", "addr:village"]),
                on_building,
                classify::kept(tags)
            ])?;
        gpkg::put_bounds(self.db, Layer::Addresses, fid, [at[0], at[1], at[0], at[1]])?;
        for name in [street, place].into_iter().flatten() {
            index_street(self.db, fid, name, number)?;
        }
        self.report.addresses += 1;
        Ok(())
    }
}

/// Notes an address under its street's folded name.
pub(crate) fn index_street(db: &Connection, fid: i64, name: &str, number: &str) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached("INSERT OR IGNORE INTO aerie_street_index VALUES (?1, ?2, ?3)")?;
    for name in name.split(';') {
        for base in crate::geocode::house_number::bases(number) {
            insert.execute(params![fold::street_key(name), base, fid])?;
        }
    }
    Ok(())
}

pub(super) fn degrees((lon, lat): Spot) -> [f64; 2] {
    [f64::from(lon) / 1e7, f64::from(lat) / 1e7]
}

fn polygon_geometry(polygons: Vec<Vec<Vec<Spot>>>) -> Geometry {
    let ring = |ring: Vec<Spot>| ring.into_iter().map(degrees).collect();
    Geometry::Polygons(polygons.into_iter().map(|p| p.into_iter().map(ring).collect()).collect())
}

/// A point inside the largest polygon: its centroid where that lies inside.
fn interior(polygons: &[Vec<Vec<Spot>>]) -> Option<[f64; 2]> {
    let largest = polygons.iter().max_by_key(|p| p.first().map_or(0, |r| rings::area2(r).abs()))?;
    let rings: Vec<Vec<[f64; 2]>> = largest.iter().map(|r| r.iter().copied().map(degrees).collect()).collect();
    crate::assemble::shapes::interior_point(&rings)
}
