//! One OpenStreetMap file into the pack: nodes and relations in a first pass, ways in a second, then what is made of them.

use std::path::Path;
use std::thread;

use rusqlite::{Connection, params};

use super::classify::{self, Shape};
use super::element::{Element, MAX_REFS, Member, Tags, Wanted};
use super::node_store::NodeStore;
use super::rings::{self, Spot};
use super::scratch::Scratch;
use super::writing::{Address, Out, Write, write_all};
use super::{FileKind, FileReport, ImportError, ImportOptions, localities, pbf, xml};
use crate::geocode::fold;
use crate::gpkg::{self, Geometry, Layer, OsmKind};

/// An import under way.
pub(super) struct Run<'a> {
    pub(super) out: Out<'a>,
    pub(super) path: &'a Path,
    pub(super) folder: &'a Path,
    /// Whether the pack was empty before, so that nothing is there to be replaced.
    pub(super) fresh: bool,
    pub(super) report: FileReport,
    pub(super) progress: &'a dyn Fn(&'static str, u64, u64),
    pub(super) options: &'a ImportOptions<'a>,
}

/// Imports a file into a pack in which a transaction is under way.
pub(super) fn import<'a>(db: &'a mut Connection, kind: FileKind, mut run: Run<'a>) -> Result<FileReport, ImportError> {
    let mut scratch = Scratch::new(run.folder)?;
    let fresh = run.fresh;
    thread::scope(|scope| {
        let (out, rows) = Out::queue();
        run.out = out;
        let pack = &mut *db;
        let writer = scope.spawn(move || write_all(pack, &rows, fresh));
        let read = run.read(kind, &mut scratch).and_then(|()| run.out.flush());
        run.out = Out::Closed;
        match writer.join() {
            // Why the pack could not be written goes before that nothing more could be handed over.
            Ok(written) => written.map_err(ImportError::from).and(read),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    let db: &Connection = db;
    run.out = Out::Pack(db);
    run.assemble(db, &scratch)?;
    if fresh {
        for layer in Layer::ALL {
            run.check_canceled()?;
            gpkg::build_spatial_index(db, layer)?;
        }
    }
    let report = &run.report;
    if report.buildings + report.roads + report.areas + report.addresses + report.boundaries == 0 {
        return Err(ImportError::NothingInIt { path: run.path.to_owned() });
    }
    localities::infer(db, &mut run)?;
    Ok(run.report)
}

impl Run<'_> {
    /// Reads the file, row by row into the pack, and puts aside what relations are made of.
    fn read(&mut self, kind: FileKind, scratch: &mut Scratch) -> Result<(), ImportError> {
        let mut nodes = NodeStore::new(self.folder);
        let (path, folder, bytes, progress) = (self.path, self.folder, self.report.bytes, self.progress);
        let mut extract = match kind {
            FileKind::Pbf => Some(pbf::Extract::open(path)?),
            _ => None,
        };
        let zipped = kind == FileKind::Xml { zipped: true };
        let mut read = |wanted, stage, sink: super::element::Sink<'_>| {
            let mut at = |behind: u64| progress(stage, behind.min(bytes), bytes);
            match &mut extract {
                Some(extract) => extract.read(wanted, &mut at, sink),
                None => xml::read(path, zipped, wanted, &mut at, sink),
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
                self.relation(id, members, tags, scratch)
            }
            Element::Way { .. } => Ok(()),
        })?;
        nodes.finish().map_err(on_disk)?;
        scratch.finish_relations();
        read(Wanted::Ways, "reading ways", &mut |element| match element {
            Element::Way { id, refs, tags } => {
                self.report.objects += 1;
                let wanted = scratch.wants(id);
                if tags.0.is_empty() && !wanted {
                    return Ok(());
                }
                let mut spots = Vec::with_capacity(refs.len().min(MAX_REFS));
                let mut gaps = Vec::new();
                for node in refs {
                    match nodes.get(*node).map_err(on_disk)? {
                        Some(spot) => spots.push(spot),
                        None => gaps.push(spots.len()),
                    }
                }
                if wanted {
                    scratch.put_way(id, &spots, tags)?;
                }
                self.way(id, refs, (&spots, &gaps), tags)
            }
            _ => Ok(()),
        })
    }

    pub(super) fn check_canceled(&self) -> Result<(), ImportError> {
        if (self.options.canceled)() { Err(ImportError::Canceled) } else { Ok(()) }
    }

    fn node(&mut self, id: i64, spot: Spot, tags: &Tags<'_>) -> Result<(), ImportError> {
        self.check_canceled()?;
        let fid = gpkg::fid(OsmKind::Node, id);
        self.forget(fid)?;
        let geometry = Geometry::Point(degrees(spot));
        self.put_all(fid, Shape::Point, &geometry, tags)?;
        self.address(fid, degrees(spot), tags, false)
    }

    /// Takes out what an earlier import made of the same object.
    fn forget(&mut self, fid: i64) -> Result<(), ImportError> {
        if self.fresh { Ok(()) } else { self.out.put(Write::Forget(fid), false) }
    }

    /// Of a way's points those that are in the file are given, and before which of these some are missing.
    fn way(
        &mut self,
        id: i64,
        refs: &[i64],
        (spots, gaps): (&[Spot], &[usize]),
        tags: &Tags<'_>,
    ) -> Result<(), ImportError> {
        self.check_canceled()?;
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

    fn relation(
        &mut self,
        id: i64,
        members: &[Member],
        tags: &Tags<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), ImportError> {
        self.check_canceled()?;
        self.forget(gpkg::fid(OsmKind::Relation, id))?;
        match tags.get("type") {
            Some("multipolygon" | "boundary" | "associatedStreet" | "street") => {
                Ok(scratch.put_relation(id, members, tags)?)
            }
            _ => Ok(()),
        }
    }

    fn put_all(&mut self, fid: i64, shape: Shape, geometry: &Geometry, tags: &Tags<'_>) -> Result<(), ImportError> {
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
        let kept = classify::kept(tags);
        let name = tags.get("name").filter(|n| n.len() <= 1024);
        let (blob, bounds, kind) = (geometry.to_blob(), geometry.bounds(), kind.to_owned());
        let name = name.map(str::to_owned);
        self.out.put(Write::Feature { layer, fid, blob, bounds, kind, name, tags: kept }, self.fresh)
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
        }
    }

    pub(super) fn address(
        &mut self,
        fid: i64,
        at: [f64; 2],
        tags: &Tags<'_>,
        on_building: bool,
    ) -> Result<(), ImportError> {
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

/// A coast in the parts that are in the file: nobody knows what lies between them.
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

/// A point inside the largest polygon: its centroid where that lies inside.
pub(super) fn interior(polygons: &[Vec<Vec<Spot>>]) -> Option<[f64; 2]> {
    let largest = polygons.iter().max_by_key(|p| p.first().map_or(0, |r| rings::area2(r).abs()))?;
    let rings: Vec<Vec<[f64; 2]>> = largest.iter().map(|r| r.iter().copied().map(degrees).collect()).collect();
    crate::assemble::shapes::interior_point(&rings)
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
