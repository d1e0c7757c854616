//! Regional building styles and road markings, as far as they show from the air. Rough boxes of degrees are enough: they only
//! choose between muted defaults where the map has no tags.

use aerie_geodata::place::GeoPoint;

/// Regions of similar building styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    /// Plaster and tiles, the default.
    Plastered,
    /// Plaster below, wood above: the Alps.
    Alpine,
    /// Brick: the British Isles, the Low Countries, the shores of the North Sea.
    Brick,
    /// Painted boards and sheet roofs: the north of Europe.
    Northern,
    /// Warm plaster and pale tiles: the Mediterranean.
    Southern,
    /// Boards and shingles: North America.
    American,
}

impl Region {
    pub(crate) fn of(at: GeoPoint) -> Self {
        let within = |west: f64, south: f64, east: f64, north: f64| {
            (west..east).contains(&at.lon) && (south..north).contains(&at.lat)
        };
        if within(-170.0, 24.0, -52.0, 72.0) {
            Self::American
        } else if within(-11.0, 49.8, 1.9, 59.5) || within(2.4, 50.6, 7.0, 53.7) || within(7.0, 52.6, 12.8, 57.8) {
            Self::Brick
        } else if within(4.0, 57.8, 32.0, 72.0) || within(12.8, 55.2, 32.0, 72.0) {
            Self::Northern
        } else if within(5.8, 45.7, 14.0, 47.75) {
            Self::Alpine
        } else if within(-10.0, 30.0, 30.0, 45.7) {
            Self::Southern
        } else {
            Self::Plastered
        }
    }

    /// Whether signalized pedestrian crossings are marked by two broken lines rather than stripes.
    pub(crate) fn lines_at_signals(at: GeoPoint) -> bool {
        // Germany, the Netherlands, the British Isles, North America.
        let within = |west: f64, south: f64, east: f64, north: f64| {
            (west..east).contains(&at.lon) && (south..north).contains(&at.lat)
        };
        within(3.3, 50.75, 7.2, 53.6)
            || within(6.0, 49.1, 15.0, 54.9)
            || within(7.6, 47.75, 13.0, 49.1)
            || within(-11.0, 49.8, 1.9, 59.5)
            || within(-170.0, 24.0, -52.0, 72.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towns_are_assigned_to_the_region_of_their_building_style() {
        let of = |lat, lon| Region::of(GeoPoint { lat, lon });
        assert_eq!(of(47.14, 9.52), Region::Alpine, "Vaduz");
        assert_eq!(of(49.95, 11.58), Region::Plastered, "Bayreuth");
        assert_eq!(of(52.51, 13.35), Region::Plastered, "Berlin");
        assert_eq!(of(53.55, 9.99), Region::Brick, "Hamburg");
        assert_eq!(of(60.17, 24.94), Region::Northern, "Helsinki");
        assert_eq!(of(38.8, -77.1), Region::American, "Alexandria");
        assert_eq!(of(43.77, 11.25), Region::Southern, "Florence");
        assert!(Region::lines_at_signals(GeoPoint { lat: 52.51, lon: 13.35 }));
        assert!(!Region::lines_at_signals(GeoPoint { lat: 60.17, lon: 24.94 }));
    }
}
