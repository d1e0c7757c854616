//! Warnings about a place that a client should read before publishing its media: sentences in `output.warnings`.

use aerie_geodata::place::{Building, Place, Provenance};
use aerie_math::geometry::signed_area;

/// Area of a footprint from which a guessed height is doubtful, square meters.
const LARGE: f64 = 1000.0;
/// Number of addresses in a building from which a guessed height is doubtful.
const MANY: usize = 8;
/// Words of names of tall buildings, lower case. The first matches whole words alone, the second ends of words too.
const TALL: [&[&str]; 2] =
    [&["tower", "towers", "tour", "torre", "torres", "torri", "highrise"], &["turm", "hochhaus", "tower"]];

/// The warnings about a place.
pub(crate) fn about(place: &Place) -> Vec<String> {
    let Some(building) = place.property.building.map(|index| &place.buildings[index]) else { return Vec::new() };
    // Parts are drawn in its place, with heights of their own.
    if building.height_from != Provenance::Guessed || building.replaced_by_parts {
        return Vec::new();
    }
    let area = area(building);
    let why = if is_tall_by_name(&place.address) {
        "its name is that of a tall building".to_owned()
    } else if area > LARGE {
        format!("its footprint of {area:.0} m² is that of a large building")
    } else if place.property.addresses >= MANY {
        format!("it has {} addresses", place.property.addresses)
    } else {
        return Vec::new();
    };
    vec![format!(
        "The height of the property's building, {:.1} m, is guessed, and {why}: it may be far from the real height. Compare the \
         film with the building; a mapped height (`height` or `building:levels` in OpenStreetMap, or imported heights) corrects it.",
        building.ridge
    )]
}

fn area(building: &Building) -> f64 {
    let holes: f64 = building.footprint.holes.iter().map(|hole| signed_area(hole).abs()).sum();
    signed_area(&building.footprint.outer).abs() - holes
}

/// Whether an address begins with the name of a tall building: parts with a house number name streets.
fn is_tall_by_name(address: &str) -> bool {
    let name = address.split(',').next().unwrap_or_default().to_lowercase();
    let [words, ends] = TALL;
    !name.contains(|c: char| c.is_numeric())
        && name
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| words.contains(&word) || ends.iter().any(|end| word.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    /// A place of the sample town whose building is a square of `side` meters with a height from `source`.
    fn place(side: f64, source: Provenance, address: &str) -> Place {
        static PLACE: LazyLock<Place> = LazyLock::new(|| {
            let folder = tempfile::tempdir().expect("a folder");
            let pack = aerie_sample_town::open(folder.path()).expect("the sample town");
            let found = aerie_geocode::geocode(&pack, aerie_sample_town::SAMPLE_ADDRESSES[0]).expect("an address");
            pack.place(&found, 60.0).expect("a place")
        });
        let mut place = PLACE.clone();
        let index = place.property.building.expect("a building");
        let building = &mut place.buildings[index];
        building.footprint.outer = vec![[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
        (building.footprint.holes, building.height_from) = (Vec::new(), source);
        place.address = address.to_owned();
        place
    }

    #[test]
    fn a_guessed_height_of_a_large_or_tall_building_is_a_warning() {
        let house = "Dorfstrasse 24, 9495 Triesen";
        let count = |side, source, address| about(&place(side, source, address)).len();
        assert_eq!(count(33.0, Provenance::Guessed, house), 1);
        assert_eq!(count(30.0, Provenance::Guessed, house), 0);
        assert_eq!(count(33.0, Provenance::Mapped, house), 0);
        assert_eq!(count(20.0, Provenance::Guessed, "Messeturm, Friedrich-Ebert-Anlage 49"), 1);
        let mut block = place(20.0, Provenance::Guessed, house);
        block.property.addresses = 8;
        assert!(about(&block)[0].contains("it has 8 addresses"));
    }

    #[test]
    fn names_of_towers_are_known_in_four_languages_and_streets_are_not_names() {
        for name in [
            "Messeturm, Frankfurt",
            "Tour Montparnasse",
            "Torre Glòries, Barcelona",
            "One Tower, London",
            "Axelhochhaus",
        ] {
            assert!(is_tall_by_name(name), "{name}");
        }
        for name in ["Tower Road 3, Leeds", "Turmstrasse, Basel", "Tourist Office", "12 Rue de la Tour, Paris", ""] {
            assert!(!is_tall_by_name(name), "{name}");
        }
    }
}
