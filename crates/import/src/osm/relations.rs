//! Assembles relations, once all of a file's ways are known: buildings and areas with holes, boundaries, and street
//! names for houses.

use std::collections::HashSet;

use aerie_geodata::street_index;
use rusqlite::{Connection, params};

use aerie_geodata::gpkg::{self, Layer, OsmKind};

use super::classify;
use super::rings::{self, Broken, Spot};
use super::run::{Run, interior, polygon_geometry};
use super::scratch::{Relation, Scratch};
use crate::error::ImportError;
use crate::growth::Growth;

/// Maximum number of points of a multipolygon. The outline of a country has a tenth.
const MAX_POINTS: usize = 10_000_000;

/// Assembles all relations that were set aside. What their ways add up to counts as growth, since relations may share them.
pub(super) fn assemble(run: &mut Run<'_>, db: &Connection, scratch: &Scratch) -> Result<(), ImportError> {
    let mut growth = Growth::new(run.path, run.report.bytes);
    let mut last = i64::MIN;
    while let Some(relation) = scratch.relation_after(last)? {
        run.check_canceled()?;
        last = relation.id;
        if matches!(relation.tags.get("type"), Some("associatedStreet" | "street")) {
            associated_street(run, db, &relation, scratch)?;
        } else {
            multipolygon(run, db, &relation, scratch, &mut growth)?;
        }
    }
    Ok(())
}

fn multipolygon(
    run: &mut Run<'_>,
    db: &Connection,
    relation: &Relation,
    scratch: &Scratch,
    growth: &mut Growth<'_>,
) -> Result<(), ImportError> {
    let (mut outer, mut inner, mut outer_ways) = (Vec::new(), Vec::new(), Vec::new());
    let (mut missing, mut points, mut known) = (false, 0, HashSet::new());
    // A way that is named twice is one way.
    for member in relation.members.iter().filter(|m| m.kind == OsmKind::Way && known.insert(m.id)) {
        let Some((spots, tags)) = scratch.way(member.id)? else {
            missing = true;
            continue;
        };
        growth.add((spots.len() * size_of::<Spot>()) as u64)?;
        points += spots.len();
        if points > MAX_POINTS {
            let (layers, addressed) = classify::areal(&relation.tags);
            run.skip(&layers, addressed, "multipolygons of more than 10,000,000 points");
            return Ok(());
        }
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
    let (mut layers, addressed) = classify::areal(&tags);
    let mut replaced = Vec::new();
    if layers.is_empty() && !addressed {
        // Old style of tagging: the relation's tags are on its outer ways.
        let Some((_, of_way)) = outer_ways.iter().find(|(_, t)| !classify::areal(t).0.is_empty()) else {
            return Ok(());
        };
        tags = of_way.clone();
        layers = classify::areal(&tags).0;
        replaced = outer_ways.iter().filter(|(_, t)| classify::areal(t).0 == layers).collect();
    }
    let (outer, open) = rings::join(outer);
    let (inner, open_hole) = rings::join(inner);
    let (polygons, broken) = rings::polygons(outer, inner);
    if polygons.is_empty() || (open.is_some() && layers.iter().all(|(l, _)| *l == Layer::Boundaries)) {
        let reason = if missing {
            "multipolygons with ways that are not all in the file"
        } else {
            "multipolygons that do not close"
        };
        run.skip(&layers, addressed, reason);
        return Ok(());
    }
    if let Some(broken) = open.or(open_hole).or(broken) {
        let what = match broken {
            Broken::Open if missing => "multipolygons without rings whose ways are not all in the file",
            Broken::Open => "multipolygons without rings that do not close",
            Broken::Degenerate => "multipolygons without rings that have no area",
            Broken::LooseHole => "multipolygons without holes that lie outside",
        };
        run.report.note(what, 1);
    }
    for (id, _) in replaced {
        let way = run.fid(OsmKind::Way, *id);
        for (layer, kind) in &layers {
            if gpkg::remove(db, *layer, way)? {
                // The way may have been counted as another kind, or in another import.
                let counter = run.counter(*layer, kind);
                *counter = counter.saturating_sub(1);
                run.report.read = run.report.read.saturating_sub(1);
                run.report.used = run.report.used.saturating_sub(1);
            }
        }
    }
    let fid = run.fid(OsmKind::Relation, relation.id);
    let point = interior(&polygons);
    let building = layers.iter().any(|(l, _)| *l == Layer::Buildings);
    let geometry = polygon_geometry(polygons);
    for (layer, kind) in &layers {
        run.put(*layer, fid, &geometry, kind, &tags)?;
    }
    match point {
        Some(point) if addressed => run.address(fid, point, &tags, building),
        None if addressed => {
            run.skip(&[], true, "multipolygons without area");
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Assigns the name of a street relation to its houses that have no street of their own.
fn associated_street(
    run: &mut Run<'_>,
    db: &Connection,
    relation: &Relation,
    scratch: &Scratch,
) -> Result<(), ImportError> {
    let Relation { members, tags, .. } = relation;
    let mut name = tags.get("addr:street").or_else(|| tags.get("name")).map(str::to_owned);
    for member in members.iter().filter(|m| m.role == "street" && m.kind == OsmKind::Way) {
        if name.is_none() {
            name = scratch.way(member.id)?.and_then(|(_, t)| t.get("name").map(str::to_owned));
        }
    }
    let Some(name) = name else { return Ok(()) };
    for member in members.iter().filter(|m| m.role != "street") {
        let fid = run.fid(member.kind, member.id);
        let changed = db
            .prepare_cached(
                "UPDATE addresses SET street = ?2, postcode = coalesce(postcode, ?3), city = coalesce(city, ?4)
                 WHERE fid = ?1 AND street IS NULL AND place IS NULL",
            )?
            .execute(params![fid, name, tags.get("addr:postcode"), tags.get("addr:city")])?;
        if changed > 0 {
            let number: String =
                db.query_row("SELECT housenumber FROM addresses WHERE fid = ?1", [fid], |r| r.get(0))?;
            street_index::insert(db, fid, &name, &number)?;
        }
    }
    Ok(())
}
