//! Imports GeoJSON (RFC 7946): parcels, surveyed building heights, or objects of OpenStreetMap as Overpass Turbo exports them. A first
//! pass decides which of these a file holds, the second imports it.

mod content;
mod feature;
mod file;
mod osm_objects;
mod reader;

use std::path::Path;

use rusqlite::Connection;

use aerie_geodata::gpkg::{self, Bounds, Geometry, Layer};

use crate::error::ImportError;
use crate::report::FileReport;
use content::{Content, Evidence};
use feature::Feature;
pub(crate) use file::GeoJson;

/// Number of features after which a file is rejected if none of them has positions in degrees.
const ENOUGH: u64 = 100;

/// Imports a file into the pack.
pub(crate) fn import(db: &Connection, file: &GeoJson<'_>, mut report: FileReport) -> Result<FileReport, ImportError> {
    let GeoJson { path, progress, options, .. } = *file;
    let total = report.bytes;
    let mut evidence = Evidence::default();
    let mut seen = 0_u64;
    let collection = reader::read(path, &mut |feature| {
        seen += 1;
        if seen.is_multiple_of(500) {
            progress("reading features", 0, total);
            if (options.canceled)() {
                return Err(ImportError::Canceled);
            }
        }
        evidence.add(&feature);
        Ok(())
    })?;
    if collection.features == 0 {
        return Err(ImportError::foreign(path));
    }
    if collection.is_cut {
        report.note(
            "cuts of the file: the service that made it says that it left features out (exceededTransferLimit)",
            1,
        );
    }
    let content =
        evidence.content(&collection.name, options.height_unit).map_err(|why| ImportError::unsupported(path, why))?;
    match content {
        Content::Osm => osm_objects::import(db, file, report),
        _ if file.fresh => {
            Err(ImportError::unsupported(path, "no map is imported yet; import an OpenStreetMap extract first".into()))
        }
        content => import_polygons(db, file, &content, report),
    }
}

/// Imports parcels or heights.
fn import_polygons(
    db: &Connection,
    file: &GeoJson<'_>,
    content: &Content,
    mut report: FileReport,
) -> Result<FileReport, ImportError> {
    let GeoJson { path, options, .. } = *file;
    let mut bounds: Option<Bounds> = None;
    reader::read(path, &mut |feature| {
        if report.read.is_multiple_of(500) && (options.canceled)() {
            return Err(ImportError::Canceled);
        }
        match feature.polygons() {
            Ok(geometry) => {
                if put(db, &feature, content, &geometry, &mut report)? {
                    let b = geometry.bounds();
                    bounds = Some(bounds.map_or(b, |a| gpkg::joined(a, b)));
                }
            }
            Err(why) => {
                report.skip(why);
                // Probably meters of a national grid.
                if report.used == 0 && report.skipped.get(feature::NO_DEGREES).is_some_and(|count| *count >= ENOUGH) {
                    return Err(no_degrees(path));
                }
            }
        }
        Ok(())
    })?;
    if report.used == 0 && report.skipped.contains_key(feature::NO_DEGREES) {
        return Err(no_degrees(path));
    }
    if report.used == 0 && report.skipped.contains_key(feature::SWAPPED) {
        return Err(swapped(path));
    }
    let layer = if matches!(content, Content::Parcels) { "parcels" } else { "building heights" };
    report.require_half(path, (layer, report.used, report.read - report.used), options)?;
    match (bounds, map(db)?) {
        (Some([west, south, east, north]), Some(map))
            if !gpkg::meet([west, south, east, north], map) && gpkg::meet([south, west, north, east], map) =>
        {
            Err(swapped(path))
        }
        (Some(of_parcels), Some(map)) if !gpkg::meet(of_parcels, map) => Err(ImportError::unsupported(
            path,
            "none of its polygons lies on the imported map; import the map of that region first".into(),
        )),
        _ => {
            if let Content::Heights { reason: Some(reason), .. } = content {
                report.note(reason, report.used);
            }
            Ok(report)
        }
    }
}

/// Why a building is left out.
const HEIGHTLESS: &str = "buildings without a plausible height";

fn no_degrees(path: &Path) -> ImportError {
    ImportError::unsupported(
        path,
        "it holds no polygons in degrees of WGS 84; convert it with `ogr2ogr -t_srs EPSG:4326 out.geojson …`".into(),
    )
}

fn swapped(path: &Path) -> ImportError {
    ImportError::unsupported(
        path,
        "its positions have the latitude before the longitude; write the longitude first, as GeoJSON prescribes".into(),
    )
}

/// Writes a parcel or a height; returns whether there was one.
fn put(
    db: &Connection,
    feature: &Feature,
    content: &Content,
    geometry: &Geometry,
    report: &mut FileReport,
) -> rusqlite::Result<bool> {
    match content {
        Content::Heights { key, unit, .. } => {
            let Some(height) = feature.height(key, *unit) else {
                report.skip(HEIGHTLESS);
                return Ok(false);
            };
            gpkg::put_height(db, feature.fid(), height, geometry)?;
            report.surveyed_heights += 1;
        }
        _ => {
            gpkg::put_parcel(db, feature.fid(), &feature.name(), geometry)?;
            report.parcels += 1;
        }
    }
    report.used(1);
    Ok(true)
}

/// Bounds of the imported map.
fn map(db: &Connection) -> rusqlite::Result<Option<Bounds>> {
    let mut all: Option<Bounds> = None;
    for layer in [Layer::Addresses, Layer::Buildings, Layer::Roads, Layer::Areas] {
        if let Some(b) = gpkg::bounds(db, layer)? {
            all = Some(all.map_or(b, |a| gpkg::joined(a, b)));
        }
    }
    Ok(all)
}
