//! Why an address could not be matched.

use aerie_geodata::{GeodataError, Match};

/// Why an address could not be matched to one house. Each message says what was not found and lists similar entries.
#[derive(Debug, thiserror::Error)]
pub enum GeocodeError {
    /// The text is not an address with a house number.
    #[error("\"{address}\" is not a complete address: {why}; write it like \"{example}\"")]
    Unparsable {
        /// The requested address.
        address: String,
        /// What is missing.
        why: String,
        /// An address that the loaded map has.
        example: String,
    },
    /// No street of this name.
    #[error("no street in the map data matches \"{address}\"{}", did_you_mean(candidates))]
    UnknownStreet {
        /// The requested address.
        address: String,
        /// Streets with similar names, each with its town.
        candidates: Vec<String>,
    },
    /// The street is known, the house number is not.
    #[error(
        "house number {number} is not in the map data for {street}; the nearest numbers there are {}",
        list(candidates)
    )]
    UnknownHouseNumber {
        /// The requested number.
        number: String,
        /// The street, with its town.
        street: String,
        /// The numbers nearest to it that exist.
        candidates: Vec<String>,
    },
    /// The house is known, and has other apartments.
    #[error("{address} has no unit {unit} on the map; it has {}", list(candidates))]
    UnknownUnit {
        /// The requested apartment.
        unit: String,
        /// The house.
        address: String,
        /// The apartments that it has.
        candidates: Vec<String>,
    },
    /// The street is known, but not in this town or with this postcode.
    #[error("{street} is in the map data, but not in \"{town}\"{}", did_you_mean(candidates))]
    UnknownTown {
        /// The part of the address that contradicts the map.
        town: String,
        /// The requested street and number.
        street: String,
        /// Addresses with this street and number, or the towns that have the street.
        candidates: Vec<String>,
    },
    /// Coordinates or an id in place of an address, with no building there.
    #[error(
        "no building of the imported map is at {at}; give coordinates inside its outline, as in \"52.01163, 4.35928\""
    )]
    NothingThere {
        /// The coordinates or the id.
        at: String,
    },
    /// Several houses fit.
    #[error(
        "the address fits {} houses: {}; add the town or the postcode, or give the coordinates of the one meant in place of the \
         address",
        candidates.len(),
        listed(candidates)
    )]
    Ambiguous {
        /// Houses that fit, up to twenty.
        candidates: Vec<Match>,
    },
    /// The house is known, but the map around it is not.
    #[error(
        "{matched} lies at {lat:.5}, {lon:.5}, which no imported map covers; import an extract that covers it, or enable an \
         online source of features"
    )]
    NotMapped {
        /// The address as it was found.
        matched: String,
        /// Latitude in degrees.
        lat: f64,
        /// Longitude in degrees.
        lon: f64,
    },
    /// The pack could not be read, or an online source does not answer.
    #[error(transparent)]
    Data(#[from] GeodataError),
}

impl From<rusqlite::Error> for GeocodeError {
    fn from(e: rusqlite::Error) -> Self {
        Self::Data(e.into())
    }
}

fn list(items: &[String]) -> String {
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

fn did_you_mean(items: &[String]) -> String {
    if items.is_empty() {
        "; check the spelling, or import the map of the region".to_owned()
    } else {
        format!("; did you mean {}?", items.join(" | "))
    }
}

fn listed(candidates: &[Match]) -> String {
    let lines: Vec<String> = candidates.iter().map(|m| format!("{} ({:.5}, {:.5})", m.matched, m.lat, m.lon)).collect();
    lines.join(" | ")
}
