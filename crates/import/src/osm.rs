//! Imports OpenStreetMap files: nodes and relations in a first pass, ways in a second, then everything assembled from
//! them.

mod classify;
mod element;
mod local_ids;
mod localities;
mod node_store;
mod pbf;
mod relations;
mod rings;
mod run;
mod scratch;
mod settlements;
mod writer;
mod xml;

use std::path::Path;
use std::thread;

use aerie_geodata::gpkg::{self, Layer};
use aerie_geodata::street_index;
use rusqlite::Connection;

use crate::error::ImportError;
use crate::report::FileReport;
pub(crate) use element::MAX_ID;
pub(crate) use element::Tags;
use element::{Element, MAX_REFS, Wanted};
use local_ids::LocalIds;
use node_store::NodeStore;
use run::{ADDRESSES, BUILDINGS, ROADS};
pub(crate) use run::{Object, Run};
use scratch::Scratch;
use writer::{Out, write_all};

/// Encodings of OpenStreetMap data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Protocol buffers (`.osm.pbf`).
    Pbf,
    /// XML, optionally compressed with gzip.
    Xml { zipped: bool },
}

/// Imports a file into a pack with an open transaction.
pub(crate) fn import<'a>(
    db: &'a mut Connection,
    encoding: Encoding,
    mut run: Run<'a>,
) -> Result<FileReport, ImportError> {
    let mut scratch = Scratch::new(run.folder)?;
    let fresh = run.fresh;
    run.ids = Some(LocalIds::of(db, run.path, &run.report.file)?);
    thread::scope(|scope| {
        let (out, rows) = Out::queue();
        run.out = out;
        let pack = &mut *db;
        let writer = scope.spawn(move || write_all(pack, &rows, fresh));
        let read = read(&mut run, encoding, &mut scratch).and_then(|()| run.out.flush());
        run.out = Out::Closed;
        match writer.join() {
            // The reason why the pack could not be written matters more than the closed channel.
            Ok(written) => {
                run.replaced = written?;
                read
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    let db: &Connection = db;
    run.out = Out::Pack(db);
    relations::assemble(&mut run, db, &scratch)?;
    if fresh {
        for layer in Layer::ALL {
            run.check_canceled()?;
            gpkg::build_spatial_index(db, layer)?;
        }
    }
    finish(run, db)
}

/// Imports objects that come with their geometry; `read` passes them to [`Run::object`].
pub(crate) fn import_objects<'a>(
    db: &'a Connection,
    mut run: Run<'a>,
    read: &mut dyn FnMut(&mut Run<'a>) -> Result<(), ImportError>,
) -> Result<FileReport, ImportError> {
    run.ids = Some(LocalIds::of(db, run.path, &run.report.file)?);
    run.out = Out::Pack(db);
    read(&mut run)?;
    finish(run, db)
}

/// Checks how much of the file was used, and finds the towns of addresses.
fn finish(mut run: Run<'_>, db: &Connection) -> Result<FileReport, ImportError> {
    let report = &run.report;
    if report.read == 0 {
        return Err(ImportError::NothingInIt { path: run.path.to_owned() });
    }
    if report.used == 0 {
        report.require_half(run.path, ("features", 0, report.read), run.options)?;
    }
    for (layer, used) in
        [(BUILDINGS, report.buildings + report.building_parts), (ADDRESSES, report.addresses), (ROADS, report.roads)]
    {
        let lost = report.lost.get(layer).copied().unwrap_or(0);
        report.require_half(run.path, (layer, used, lost), run.options)?;
    }
    if report.buildings + report.roads + report.areas + report.addresses + report.boundaries == 0 {
        return Err(ImportError::NothingInIt { path: run.path.to_owned() });
    }
    run.remember(db)?;
    localities::infer(db, &mut run)?;
    street_index::rebuild_spellings(db)?;
    Ok(run.report)
}

/// Counts the elements of a file.
pub(crate) fn count(path: &Path, encoding: Encoding) -> Result<u64, ImportError> {
    let mut count = 0;
    let mut add = |_: Element<'_>| {
        count += 1;
        Ok(())
    };
    match encoding {
        Encoding::Pbf => {
            let mut extract = pbf::Extract::open(path)?;
            extract.read(Wanted::NodesAndRelations, &mut |_| {}, &mut add)?;
            extract.read(Wanted::Ways, &mut |_| {}, &mut add)?;
        }
        Encoding::Xml { zipped } => {
            xml::read(path, zipped, Wanted::NodesAndRelations, &mut |_| {}, &mut add)?;
            xml::read(path, zipped, Wanted::Ways, &mut |_| {}, &mut add)?;
        }
    }
    Ok(count)
}

/// Reads the file, writes rows to the pack, and sets aside relations and their member ways.
fn read(run: &mut Run<'_>, encoding: Encoding, scratch: &mut Scratch) -> Result<(), ImportError> {
    let mut nodes = NodeStore::new(run.folder);
    let (path, folder, bytes, progress) = (run.path, run.folder, run.report.bytes, run.progress);
    let (mut extract, zipped) = match encoding {
        Encoding::Pbf => (Some(pbf::Extract::open(path)?), false),
        Encoding::Xml { zipped } => (None, zipped),
    };
    let mut read = |wanted, stage, sink: element::Sink<'_>| {
        let mut at = |behind: u64| progress(stage, behind.min(bytes), bytes);
        match &mut extract {
            Some(extract) => extract.read(wanted, &mut at, sink),
            None => xml::read(path, zipped, wanted, &mut at, sink),
        }
    };
    let on_disk = |e| ImportError::io(folder, e);
    read(Wanted::NodesAndRelations, "reading points and relations", &mut |element| match element {
        Element::Node { id, lon, lat, tags } => {
            run.report.objects += 1;
            nodes.add(id, lon, lat).map_err(on_disk)?;
            if tags.0.is_empty() { Ok(()) } else { run.node(id, (lon, lat), tags) }
        }
        Element::Deleted { kind, id } => run.deleted(kind, id),
        Element::Placeless { tags } => {
            run.placeless(tags);
            Ok(())
        }
        Element::Nameless => {
            run.nameless();
            Ok(())
        }
        Element::Relation { id, members, tags } => {
            run.report.objects += 1;
            run.relation(id, members, tags, scratch)
        }
        Element::Way { .. } => Ok(()),
    })?;
    nodes.finish().map_err(on_disk)?;
    scratch.finish_relations();
    read(Wanted::Ways, "reading ways", &mut |element| match element {
        Element::Deleted { kind, id } => run.deleted(kind, id),
        Element::Nameless => {
            run.nameless();
            Ok(())
        }
        Element::Way { id, refs, spots: given, tags } => {
            run.report.objects += 1;
            let wanted = scratch.wants(id);
            if tags.0.is_empty() && !wanted {
                return Ok(());
            }
            let mut spots = Vec::with_capacity(refs.len().min(MAX_REFS));
            let mut gaps = Vec::new();
            for (number, node) in refs.iter().enumerate() {
                let spot = match given.get(number).copied().flatten() {
                    Some(given) => Some(given),
                    None => nodes.get(*node).map_err(on_disk)?,
                };
                match spot {
                    Some(spot) => spots.push(spot),
                    None => gaps.push(spots.len()),
                }
            }
            // A way that lacks points would close a ring at another place: it counts as missing.
            if wanted && gaps.is_empty() && !spots.is_empty() {
                scratch.put_way(id, &spots, tags)?;
            }
            run.way(id, refs, (&spots, &gaps), tags)
        }
        _ => Ok(()),
    })
}
