//! Coordinates, or the id of a mapped object, in place of an address: a way out where an address fits several houses or none.

use aerie_geodata::gpkg::{self, Geometry, Layer, OsmKind};
use aerie_geodata::survey::StoredRoof;
use aerie_geodata::{Match, Pack, Precision};
use aerie_math::geometry;

use crate::coordinates;
use crate::error::GeocodeError;
use crate::house::{building_at, describe};
use crate::rows::{Row, row_of};

/// What is named directly.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Named {
    /// Longitude and latitude.
    Point([f64; 2]),
    /// Row id of an OpenStreetMap object.
    Object(i64),
}

/// The house at the coordinates (`52.01163, 4.35928`), at a plus code of ten digits or more, or with the id (`way/123`) that stands in place of an address, or behind one in
/// parentheses; `None` for any other text.
pub(crate) fn find(pack: &Pack, text: &str) -> Result<Option<Match>, GeocodeError> {
    match parsed(text) {
        None => Ok(None),
        Some(Named::Point(at)) => at_point(pack, at).map(Some),
        Some(Named::Object(fid)) => of_object(pack, fid, text.trim()).map(Some),
    }
}

/// The address with this id; `None` for the id of anything else.
pub(crate) fn row_with_id(pack: &Pack, id: &str) -> Result<Option<Row>, GeocodeError> {
    match parsed(id) {
        Some(Named::Object(fid)) => Ok(row_of(pack.db(), fid)?),
        _ => Ok(None),
    }
}

fn parsed(text: &str) -> Option<Named> {
    let text = text.trim();
    // As a suggestion has it where an address fits several houses: `Dorfstrasse 24, 9495 Triesen (way/123)`.
    let behind = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')).map(|(_, id)| id);
    let text = behind.filter(|id| id.contains('/')).unwrap_or(text);
    for (prefix, kind) in [("node/", OsmKind::Node), ("way/", OsmKind::Way), ("relation/", OsmKind::Relation)] {
        if let Some(id) = text.strip_prefix(prefix) {
            return Some(Named::Object(gpkg::fid(kind, id.parse().ok()?)));
        }
    }
    coordinates::parsed(text).map(|at| Named::Point([at.lon, at.lat]))
}

fn at_point(pack: &Pack, at: [f64; 2]) -> Result<Match, GeocodeError> {
    let written = format!("{:.6}, {:.6}", at[1], at[0]);
    let building_id = match building_at(pack.db(), at)? {
        Some(id) => Some(id),
        None => model_at(pack, at)?,
    };
    let Some(building_id) = building_id else { return Err(GeocodeError::NothingThere { at: written }) };
    let address = address_on(pack, &building_id)?;
    let street = address.as_ref().and_then(|row| row.street.clone().or(row.place.clone())).unwrap_or_default();
    let matched = match &address {
        Some(row) => format!("{} ({written})", describe(row, &street)),
        None => written,
    };
    Ok(Match {
        lat: at[1],
        lon: at[0],
        precision: Precision::Building,
        matched,
        source: format!("{} {building_id}", pack.source_name()),
        terrain_known: pack.terrain().covers(at),
        street,
        address_id: building_id.clone(),
        building_id: Some(building_id),
    })
}

/// The building of a city model that contains a point.
fn model_at(pack: &Pack, at: [f64; 2]) -> Result<Option<String>, GeocodeError> {
    if !gpkg::has_layer(pack.db(), Layer::Roofs)? {
        return Ok(None);
    }
    let [x, y] = at;
    let roofs = gpkg::within(pack.db(), Layer::Roofs, [x, y, x, y])?;
    let holds = |geometry: &Geometry| match geometry {
        Geometry::Polygons(polygons) => polygons.iter().any(|rings| {
            let mut rings = rings.iter().map(|ring| geometry::ring_contains(ring, at));
            rings.next() == Some(true) && !rings.any(|is_inside| is_inside)
        }),
        _ => false,
    };
    let mut found = roofs.iter().filter(|stored| holds(&stored.geometry)).filter_map(StoredRoof::of);
    Ok(found.find(StoredRoof::is_model).map(|roof| format!("model/{}", roof.id)))
}

/// The address that is mapped on a building itself.
fn address_on(pack: &Pack, building_id: &str) -> Result<Option<Row>, GeocodeError> {
    row_with_id(pack, building_id)
}

fn of_object(pack: &Pack, fid: i64, text: &str) -> Result<Match, GeocodeError> {
    if let Some(row) = row_of(pack.db(), fid)? {
        let street = row.street.clone().or(row.place.clone()).unwrap_or_default();
        let building_id = if row.on_building { Some(gpkg::osm_id(fid)) } else { building_at(pack.db(), row.at)? };
        return Ok(Match {
            lat: row.at[1],
            lon: row.at[0],
            precision: if building_id.is_some() { Precision::Building } else { Precision::AddressPoint },
            matched: describe(&row, &street),
            source: format!("{} {}", pack.source_name(), gpkg::osm_id(fid)),
            terrain_known: pack.terrain().covers(row.at),
            street,
            address_id: gpkg::osm_id(fid),
            building_id,
        });
    }
    let Some(Geometry::Polygons(polygons)) = gpkg::geometry(pack.db(), Layer::Buildings, fid)? else {
        return Err(GeocodeError::NothingThere { at: text.to_owned() });
    };
    let inside = polygons.first().and_then(|rings| geometry::interior_point(rings));
    let at = inside.ok_or_else(|| GeocodeError::NothingThere { at: text.to_owned() })?;
    Ok(Match { building_id: Some(gpkg::osm_id(fid)), address_id: gpkg::osm_id(fid), ..at_point(pack, at)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_decimal_degrees_and_ids_of_objects_are_read_as_such() {
        assert_eq!(parsed(" 52.01163, 4.35928 "), Some(Named::Point([4.359_28, 52.011_63])));
        assert_eq!(parsed("-33.5; -70.25"), Some(Named::Point([-70.25, -33.5])));
        assert_eq!(parsed("geo:38.9,-77.6;u=35"), Some(Named::Point([-77.6, 38.9])));
        assert_eq!(parsed("way/123"), Some(Named::Object(493)));
        assert_eq!(parsed("Dorfstrasse 24, 9495 Triesen (way/123)"), Some(Named::Object(493)));
        for address in [
            "Dorfstrasse 24, 9495",
            "Dorfstrasse 24 (Hof/2)",
            "52, 4",
            "12.5, Main Street",
            "way/x",
            "1.5.2, 3.4",
            "91.5, 4.2",
        ] {
            assert_eq!(parsed(address), None, "{address}");
        }
    }
}
