//! `aerie inspect place`: the buildings and trees around an address, and how each is known.

use std::process::ExitCode;

use aerie_geodata::place::{Building, Place, Provenance};
use serde_json::{Value, json};

use crate::arguments::{Global, InspectPlace};
use crate::config::Config;
use crate::escape::escape;
use crate::print;

pub(crate) fn run(config: &Config, global: &Global, options: &InspectPlace) -> anyhow::Result<ExitCode> {
    crate::data::make_folder(&config.data_dir)?;
    let pack = aerie_sample_town::open(&config.data_dir)?;
    let located = aerie_geocode::locate(pack, &config.sources, &options.address)?;
    let place = located.place(options.radius, &config.sources)?;
    let report = report(&place);
    if global.json {
        print::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    print::line(&escape(&place.address));
    let shown: Vec<&Building> = place.buildings.iter().filter(|building| !building.replaced_by_parts).collect();
    for (name, provenance) in
        [("measured", Provenance::Measured), ("mapped", Provenance::Mapped), ("derived", Provenance::Derived)]
    {
        let count = shown.iter().filter(|building| building.height_from == provenance).count();
        print::line(&format!("{count:>7}  buildings {name}"));
    }
    let guessed = [Provenance::Guessed, Provenance::Neighbors];
    let count = shown.iter().filter(|building| guessed.contains(&building.height_from)).count();
    print::line(&format!("{count:>7}  buildings guessed"));
    for (name, count) in [
        ("trees measured", place.trees.iter().filter(|tree| tree.measured).count()),
        ("trees mapped", place.trees.iter().filter(|tree| tree.mapped && !tree.measured).count()),
        ("trees guessed", place.trees.iter().filter(|tree| !tree.mapped).count()),
    ] {
        print::line(&format!("{count:>7}  {name}"));
    }
    let near = if place.terrain.near.is_some() { "measured, 1 m" } else { "coarse" };
    print::line(&format!("{:>7}  ground near the property: {near}", ""));
    Ok(ExitCode::SUCCESS)
}

fn provenance(from: Provenance) -> &'static str {
    match from {
        Provenance::Measured => "measured",
        Provenance::Mapped => "mapped",
        Provenance::Derived => "derived",
        Provenance::Guessed | Provenance::Neighbors => "guessed",
    }
}

fn report(place: &Place) -> Value {
    let millimeters = |v: f64| (v * 1000.0).round() / 1000.0;
    let buildings = place.buildings.iter().enumerate().filter(|(_, building)| !building.replaced_by_parts);
    let buildings: Vec<Value> = buildings
        .map(|(index, building)| {
            let ring = |ring: &[[f64; 2]]| ring.iter().map(|p| p.map(millimeters)).collect::<Vec<_>>();
            let mut entry = json!({
                "id": building.id,
                "outline": ring(&building.footprint.outer),
                "is_property": place.property.building == Some(index),
                "provenance": provenance(building.height_from),
                "base": millimeters(building.base),
                "eaves": millimeters(building.eaves),
                "ridge": millimeters(building.ridge),
            });
            if !building.footprint.holes.is_empty() {
                entry["holes"] = building.footprint.holes.iter().map(|hole| json!(ring(hole))).collect();
            }
            if let Some(roof) = &building.measured {
                let face = |face: &Vec<[f64; 3]>| face.iter().map(|p| p.map(millimeters)).collect::<Vec<_>>();
                entry["roof"] = json!({
                    "faces": roof.faces.iter().map(face).collect::<Vec<_>>(),
                    "source": roof.source,
                    "year": roof.year,
                    "method": roof.method,
                    "rms": roof.rms,
                    "covered": roof.covered,
                    "ground": roof.ground,
                });
            }
            entry
        })
        .collect();
    let trees = place.trees.iter().map(|tree| {
        let provenance = match (tree.measured, tree.mapped) {
            (true, _) => "measured",
            (false, true) => "mapped",
            (false, false) => "guessed",
        };
        json!({
            "at": tree.at.map(millimeters),
            "height": millimeters(tree.height),
            "crown": millimeters(tree.crown),
            "kind": tree.kind,
            "provenance": provenance,
        })
    });
    let mut report = json!({
        "address": place.address,
        "origin": {"lat": place.origin.lat, "lon": place.origin.lon},
        "buildings": buildings,
        "trees": trees.collect::<Vec<_>>(),
        "attributions": place.attributions,
        "missed": place.missed,
    });
    if let Some(near) = &place.terrain.near {
        report["ground"] = json!({
            "min": near.min,
            "spacing": near.spacing,
            "columns": near.columns,
            "rows": near.rows,
            "datum": place.terrain.datum,
            "heights": near.heights.iter().map(|height| millimeters(f64::from(*height))).collect::<Vec<_>>(),
        });
    }
    report
}
