//! Assembles a [`Place`] from the pack: features around a match, in local meters, with missing attributes inferred by
//! documented rules.

mod areas;
mod around;
mod buildings;
mod crowns;
mod heights;
mod land_cover;
mod mask;
mod measured;
mod outline;
mod plan;
mod property;
mod sea;
mod tags;
mod trees;
mod ways;

use aerie_sources::Sources;
use around::Around;
pub use plan::Plan;

use crate::GeodataError;
use crate::address::Match;
use crate::geodesy::LocalFrame;
use crate::pack::Pack;
use crate::place::{GeoPoint, Place};

/// Reach of land cover relative to that of buildings.
const FAR: f64 = 2.5;
/// Minimum reach of the terrain, meters; haze hides whatever is missing beyond.
const TERRAIN_REACH: f64 = 3_000.0;
/// Meters between terrain samples.
const TERRAIN_SPACING: f64 = 30.0;

impl Pack {
    /// Assembles the property of a match and its surroundings: buildings, ways and trees within `radius_m` meters, land
    /// cover to 2.5 times that distance, and terrain as far but at least 3 km.
    ///
    /// # Errors
    /// The pack cannot be read, or no longer contains the match.
    pub fn place(&self, m: &Match, radius_m: f64) -> Result<Place, GeodataError> {
        self.place_with(m, radius_m, &Sources::default())
    }

    /// Like [`Pack::place`], with elevation from online sources where no imported data covers the ground.
    ///
    /// # Errors
    /// The pack cannot be read, or no longer contains the match.
    pub fn place_with(&self, m: &Match, radius_m: f64, online: &Sources) -> Result<Place, GeodataError> {
        place(self, m, radius_m, online)
    }
}

fn place(pack: &Pack, m: &Match, radius: f64, online: &Sources) -> Result<Place, GeodataError> {
    let radius = radius.clamp(50.0, 5_000.0);
    let origin = GeoPoint { lat: m.lat, lon: m.lon };
    if !origin.lat.is_finite() || !origin.lon.is_finite() || origin.lat.abs() > 90.0 || origin.lon.abs() > 180.0 {
        return Err(GeodataError::StaleMatch);
    }
    let around = Around { pack, frame: LocalFrame::new(origin), radius };
    let far = radius * FAR;
    let mut areas = areas::read(&around, far)?;
    let (mut ways, bare) = ways::read(&around)?;
    let waterways = ways::waterways(&around, far)?;
    let buildings::Buildings { all: buildings, credits, missed } = buildings::read(&around, &areas, m)?;
    ways::add_sidewalks(&mut ways, &bare, &buildings, &areas);
    let mut property = property::find(m, &buildings, &ways)?;
    property.parcel = around.parcel(&property)?;
    property.addresses = around.addresses(&property)?;
    let barriers = ways::barriers(&around)?;
    let crossings = ways::crossings(&around)?;
    let reach = far.max(TERRAIN_REACH);
    let mut ground = pack.terrain().ground(&around.frame, reach, TERRAIN_SPACING, online, &pack.terrain_cache())?;
    let sea = sea::read(&around, far)?;
    ground.missed.extend(sea.lay(&mut areas, &buildings, &mut ground.terrain));
    ground.missed.extend(missed);
    ground.credits.extend(credits);
    if let Some((near, credits)) = pack.terrain().near(&around.frame, &ground.terrain)? {
        ground.terrain.near = Some(near);
        ground.credits.extend(credits);
    }
    let surveyed = crowns::Surveyed::read(&around)?;
    let mut cover = land_cover::Cover::read(&around, far, &areas, &buildings)?;
    areas.splice(0..0, std::mem::take(&mut cover.areas));
    let trees = trees::read(&around, &areas, &ways, &waterways, &buildings, &property, (&surveyed, &cover))?;
    ground.credits.extend(surveyed.credits);
    ground.credits.extend(cover.credits);
    Ok(Place {
        origin,
        address: m.matched.clone(),
        property,
        attributions: pack.attributions(ground.credits),
        terrain: ground.terrain,
        buildings,
        ways,
        areas,
        waterways,
        trees,
        barriers,
        crossings,
        covered: pack.covered().map(|corners| corners.map(|c| around.frame.local(c.lon, c.lat))),
        radius,
        missed: ground.missed,
    })
}
