//! Finds the place at an address.

use aerie_engine_api::{AddressCandidate, AddressPosition, EngineContext, EngineError, Failure, FailureCode};
use aerie_geocode::{GeocodeError, locate};
use aerie_geodata::place::Place;
use aerie_geodata::{Match, Pack, Precision};
use aerie_import::overpass::surroundings;

/// Distance from the property to which buildings, roads and trees are shown, meters.
pub(crate) const RADIUS: f64 = 1200.0;

/// Opens the imported maps, or the sample town where there are none.
///
/// # Errors
/// [`EngineError::Retry`] when they cannot be read.
pub(crate) fn map(context: &EngineContext<'_>) -> Result<Pack, EngineError> {
    aerie_sample_town::open_from(context.pack_dir, context.data_dir).map_err(|e| EngineError::Retry(e.to_string()))
}

/// The place at an address with everything within `radius` meters, from the imported map or the enabled online sources.
///
/// # Errors
/// [`EngineError::Fail`] with `ADDRESS_NOT_FOUND` or `ADDRESS_AMBIGUOUS`; [`EngineError::Retry`] when the map cannot be read.
pub(crate) fn find(context: &EngineContext<'_>, address: &str, radius: f64) -> Result<Place, EngineError> {
    let retry = |e: &dyn std::error::Error| EngineError::Retry(e.to_string());
    let not_found = |why: &str| {
        let message = format!("{why}. {}", map_data(&map(context)?));
        Err(EngineError::fail(FailureCode::AddressNotFound, message))
    };
    match locate(map(context)?, context.sources, surroundings, address) {
        Ok(located) if located.found.precision == Precision::Interpolated => not_found(&format!(
            "{} is only interpolated between neighboring house numbers: no source says which house it is",
            located.found.matched
        )),
        Ok(located) => located.place(radius, context.sources).map_err(|e| retry(&e)),
        Err(GeocodeError::Data(error)) => Err(retry(&error)),
        Err(error @ GeocodeError::Ambiguous { .. }) => Err(ambiguous(&error)),
        Err(error) => not_found(&error.to_string()),
    }
}

/// The failure with the houses that an address fits.
fn ambiguous(error: &GeocodeError) -> EngineError {
    let found = if let GeocodeError::Ambiguous { candidates } = error { &candidates[..] } else { &[] };
    let candidate = |house: &Match| AddressCandidate {
        address: house.matched.clone(),
        id: house.address_id.clone(),
        position: AddressPosition { lat: house.lat, lon: house.lon },
    };
    let candidates = found.iter().map(candidate).collect();
    EngineError::Fail(Failure { candidates, ..Failure::new(FailureCode::AddressAmbiguous, error.to_string()) })
}

/// Which map data is loaded, how to add more, and an address that works.
fn map_data(pack: &Pack) -> String {
    let summary = pack.summary();
    let loaded = if summary.is_sample {
        "No map data is imported; only the sample town is available".to_owned()
    } else {
        format!("Map data: {} ({} house numbers)", summary.files.join(", "), summary.addresses)
    };
    format!(
        "{loaded}. The operator can add more with `aerie import`. An address that works: {}",
        summary.example_address
    )
}
