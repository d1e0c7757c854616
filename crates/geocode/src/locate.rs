//! Finds the house that an address names and the map around it: in imported maps first, then in the enabled online sources.

use std::path::{Path, PathBuf};

use aerie_geodata::geodesy::distance;
use aerie_geodata::gpkg::{self, Layer};
use aerie_geodata::pack::terrain_cache;
use aerie_geodata::place::Place;
use aerie_geodata::terrain::Relief;
use aerie_geodata::{GeodataError, Match, Pack, Precision, Service, Sources};

use crate::error::GeocodeError;
use crate::search::geocode;
use crate::{direct, house, nominatim};

/// A map covers an address if it has a building or road within this distance, meters.
const COVERED: f64 = 250.0;
/// Maximum distance between the geocoder's match and the same address in the fetched map, meters.
const SAME_SITE: f64 = 100.0;

/// Fetches the map around a longitude and latitude from a service, and imports it for a data folder; returns its folder.
pub type FetchMap = fn(&Path, &Sources, (&str, &Service), [f64; 2]) -> Result<PathBuf, GeodataError>;

/// A house and the map around it.
pub struct Located {
    /// The house.
    pub found: Match,
    /// Where its surroundings come from.
    pub pack: Pack,
}

impl Located {
    /// Assembles the property and its surroundings like [`Pack::place`]; elevation may come from an online source.
    ///
    /// # Errors
    /// The pack cannot be read, or no longer contains the match.
    pub fn place(&self, radius_m: f64, online: &Sources) -> Result<Place, GeodataError> {
        self.pack.place_with(&self.found, radius_m, online)
    }
}

/// Finds the one house that an address names: in the imported map, or else by the enabled online geocoders, whose
/// answers are subject to the same rules. If no imported map covers the house, its surroundings are fetched by `fetch_map`.
///
/// # Errors
/// No house, or more than one, fits; no map covers it; a source that is needed does not answer.
pub fn locate(pack: Pack, online: &Sources, fetch_map: FetchMap, address: &str) -> Result<Located, GeocodeError> {
    if let Some(found) = direct::find(&pack, address)? {
        return Ok(check_terrain(Located { found, pack }, online));
    }
    let local = match geocode(&pack, address) {
        Ok(found) => return Ok(check_terrain(Located { found, pack }, online)),
        Err(error) => error,
    };
    let may_be_elsewhere = matches!(
        local,
        GeocodeError::UnknownStreet { .. } | GeocodeError::UnknownHouseNumber { .. } | GeocodeError::UnknownTown { .. }
    );
    if !may_be_elsewhere || online.geocoder.is_empty() {
        return Err(local);
    }
    let mut failed = None;
    for (name, service) in &online.geocoder {
        match nominatim::search(pack.data_dir(), online, (name, service), address) {
            Ok(found) => {
                let located = on_a_map((online, fetch_map), pack, found, address, &service.attribution)?;
                return Ok(check_terrain(located, online));
            }
            Err(error @ GeocodeError::Data(_)) => failed = failed.or(Some(error)),
            Err(error @ GeocodeError::Ambiguous { .. }) => return Err(error),
            // Report the error of the imported map instead, since the map may be what is incomplete.
            Err(_) => {}
        }
    }
    Err(failed.unwrap_or(local))
}

/// The map around an online match.
fn on_a_map(
    (online, fetch_map): (&Sources, FetchMap),
    mut pack: Pack,
    mut found: Match,
    address: &str,
    credit: &str,
) -> Result<Located, GeocodeError> {
    let at = [found.lon, found.lat];
    if !covers(&pack, at)? {
        let mut fetched = None;
        let mut failed = None;
        for (name, service) in &online.features {
            match fetch_map(pack.data_dir(), online, (name, service), at) {
                Ok(folder) => {
                    fetched = Some(pack.open_features(&folder, name, &service.attribution)?);
                    break;
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        pack = match (fetched, failed) {
            (Some(fetched), _) => fetched,
            (None, Some(error)) => return Err(error.into()),
            (None, None) => {
                return Err(GeocodeError::NotMapped { matched: found.matched, lat: found.lat, lon: found.lon });
            }
        };
        // The map may contain the house itself, with its walls.
        if let Ok(own) = geocode(&pack, address)
            && distance([own.lon, own.lat], at) <= SAME_SITE
        {
            found = own;
        }
    }
    pack.credit(credit);
    if found.building_id.is_none() && found.precision != Precision::Interpolated {
        found.building_id = house::building_at(pack.db(), at)?;
        if found.building_id.is_some() {
            found.precision = Precision::Building;
        }
    }
    found.terrain_known = pack.terrain().covers(at);
    Ok(Located { found, pack })
}

/// Whether an imported map shows anything around a place; the sample town never does.
fn covers(pack: &Pack, [lon, lat]: [f64; 2]) -> Result<bool, GeodataError> {
    if pack.is_sample() {
        return Ok(false);
    }
    let dy = COVERED / 111_200.0;
    let dx = dy / lat.to_radians().cos().max(0.02);
    let around = [lon - dx, lat - dy, lon + dx, lat + dy];
    for layer in [Layer::Buildings, Layer::Roads] {
        if !gpkg::within(pack.db(), layer, around)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks whether an online source covers the terrain where no imported data does.
fn check_terrain(mut located: Located, online: &Sources) -> Located {
    let at = [located.found.lon, located.found.lat];
    if !located.found.terrain_known {
        located.found.terrain_known = Relief::covers_online(at, online, &terrain_cache(located.pack.data_dir()));
    }
    located
}
