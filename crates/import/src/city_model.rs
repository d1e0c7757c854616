//! Imports city models: measured roofs, and buildings that the map may lack.

use std::ops::ControlFlow;
use std::path::Path;

use aerie_city_model::{Building, CityModelError};
use aerie_geodata::LocalFrame;
use aerie_geodata::gpkg::Geometry;
use aerie_geodata::place::{GeoPoint, MeasuredRoof, RoofMethod};
use aerie_geodata::survey::StoredRoof;
use rusqlite::Connection;

use crate::error::ImportError;
use crate::options::ImportOptions;
use crate::projection::{Projection, normalized};
use crate::report::FileReport;
use crate::tool::Tools;

/// Attributions of models that are recognized by the ids of their buildings.
const KNOWN: [(&str, &str); 1] = [("NL.IMBAG.Pand.", "(c) 3DBAG by tudelft3d and 3DGI")];

/// The coordinate system to read a file in: the one given, or else its own. Notes it in the report.
pub(crate) fn coordinate_system(
    own: Option<String>,
    tools: &Tools<'_>,
    report: &mut FileReport,
) -> Result<String, ImportError> {
    let given = tools.options.crs.map(normalized);
    let own = own.as_deref().map(normalized);
    let Some(used) = given.clone().or_else(|| own.clone()) else {
        return Err(ImportError::unsupported(
            tools.path,
            "it does not name its coordinate system; name it with --crs, for example --crs EPSG:28992".into(),
        ));
    };
    report.overridden_crs = own.filter(|own| given.as_ref().is_some_and(|given| given != own));
    report.crs = Some(if used.contains('[') { "WKT".to_owned() } else { used.clone() });
    Ok(used)
}

/// Imports the buildings of a city model into the pack.
pub(crate) fn import(
    db: &Connection,
    path: &Path,
    work: &Path,
    report: &mut FileReport,
    progress: &dyn Fn(&'static str, u64, u64),
    options: &ImportOptions<'_>,
) -> Result<(), ImportError> {
    let failed = |error: CityModelError| match error {
        CityModelError::Io(source) => ImportError::io(path, source),
        error => ImportError::damaged(path, error.to_string()),
    };
    let tools = Tools { path, folder: work, options };
    let header = aerie_city_model::header(path).map_err(failed)?;
    let crs = coordinate_system(header.crs.clone(), &tools, report)?;
    let mut projection = Projection::new(tools, crs, None)?;
    let mut error = None;
    let mut done = 0_u64;
    let summary = aerie_city_model::read(path, &mut |building: Building| {
        done += 1;
        if done.is_multiple_of(100) {
            progress("reading buildings", 0, 0);
            if (options.canceled)() {
                error = Some(ImportError::Canceled);
                return ControlFlow::Break(());
            }
        }
        let source = Source { file: &report.file, credit: options.attribution };
        match put(db, &building, &mut projection, &source) {
            Ok(true) => {
                report.measured_roofs += 1;
                report.used(1);
            }
            Ok(false) => report.skip("building with an implausible roof"),
            Err(why) => {
                error = Some(why);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    if let Some(error) = error {
        return Err(error);
    }
    let summary = summary.map_err(failed)?;
    for (reason, count) in &summary.left_out {
        report.skip_all(&format!("building {reason}"), *count);
    }
    report.note("buildings with parts without LoD2, which their roof lacks", summary.incomplete);
    report.note("surfaces with a texture, which is not read", summary.textured_surfaces);
    report.note("elements of application domain extensions, which are not read", summary.ade_elements);
    if report.measured_roofs == 0 {
        return Err(ImportError::unsupported(path, "it holds no buildings with roofs (LoD2)".into()));
    }
    report.require_half(path, ("buildings", report.used, report.read - report.used), options)?;
    if aerie_city_model::is_zip(path).map_err(|e| ImportError::io(path, e))? {
        for (ending, count) in aerie_city_model::other_files(path).map_err(failed)? {
            report.note(&format!("files of the archive that are no city models (.{ending})"), count);
        }
    }
    Ok(())
}

/// Where roofs come from.
struct Source<'a> {
    file: &'a str,
    credit: Option<&'a str>,
}

/// Heights of a roof above its ground that are plausible, meters.
const TALL: std::ops::Range<f64> = 0.1..900.0;
/// Maximum distance of a corner from the building's origin, meters.
const REACH: f64 = 2_000.0;

/// Writes a building; `false` if it is implausible.
fn put(
    db: &Connection,
    building: &Building,
    projection: &mut Projection<'_>,
    source: &Source<'_>,
) -> Result<bool, ImportError> {
    let Some(first) = building.outline.first().and_then(|polygon| polygon.first()?.first()) else { return Ok(false) };
    let origin = projection.degrees(*first)?;
    let frame = LocalFrame::new(GeoPoint { lat: origin[1], lon: origin[0] });
    let mut polygons = Vec::with_capacity(building.outline.len());
    for polygon in &building.outline {
        let mut rings = Vec::with_capacity(polygon.len());
        for ring in polygon {
            rings.push(ring.iter().map(|at| projection.degrees(*at)).collect::<Result<Vec<_>, _>>()?);
        }
        polygons.push(rings);
    }
    let meters = projection.vertical();
    let mut faces = Vec::with_capacity(building.roof.len());
    let mut is_plausible = !building.roof.is_empty();
    for face in &building.roof {
        let mut corners = Vec::with_capacity(face.len());
        for [x, y, z] in face {
            let [lon, lat] = projection.degrees([*x, *y])?;
            let [x, y] = frame.local(lon, lat);
            is_plausible &= x.abs() < REACH && y.abs() < REACH;
            corners.push([x, y, (z - building.ground) * meters]);
        }
        faces.push(corners);
    }
    let credit = source.credit.map(str::to_owned).or_else(|| {
        let known = KNOWN.iter().find(|(prefix, _)| building.id.starts_with(prefix));
        known.map(|(_, credit)| (*credit).to_owned())
    });
    let roof = MeasuredRoof {
        faces,
        ground: building.ground * meters,
        source: credit.clone().unwrap_or_else(|| source.file.to_owned()),
        year: building.year,
        method: RoofMethod::Model,
        rms: building.rms.map(|rms| rms * meters),
        covered: 1.0,
    };
    if !is_plausible || !TALL.contains(&roof.range()[1]) {
        return Ok(false);
    }
    let outline = Geometry::Polygons(polygons);
    let mut stored = StoredRoof::new(building.id.clone(), origin, &roof);
    (stored.credit, stored.stories) = (credit, building.stories);
    stored.put(db, &outline)?;
    Ok(true)
}
