//! What is known of an address: the house, and the buildings and trees around it.

use aerie_engine_api::messages::Sought;
use aerie_geocode::Located;
use aerie_geodata::place::{Place, Provenance};
use aerie_import::overpass::surroundings;
use serde_json::{Value, json};

/// Finds the house at an address.
pub(super) fn locate(sought: &Sought) -> anyhow::Result<Located> {
    let pack = aerie_sample_town::open(&sought.data_dir)?;
    Ok(aerie_geocode::locate(pack, &sought.sources, surroundings, &sought.address)?)
}

/// Describes what stands within `radius` meters of an address.
pub(super) fn inspect(sought: &Sought, radius: u32) -> anyhow::Result<Value> {
    Ok(report(&locate(sought)?.place(f64::from(radius), &sought.sources)?))
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
