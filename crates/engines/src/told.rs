//! What a film says of itself: what was measured, what was filled in, and whom to credit.

use aerie_geodata::place::{Place, Provenance};

/// The film's account of itself, for its metadata: facts and guesses about the property first, then its surroundings.
pub(crate) fn account(place: &Place, direction: &str) -> String {
    let mut told = about(place);
    told.push(format!("Path: {direction}."));
    told.push(credits(place));
    told.join(" ")
}

/// A still's account of itself.
pub(crate) fn account_of_stills(place: &Place) -> String {
    let mut told = about(place);
    told.push("Seen from straight above, without perspective.".into());
    told.push(credits(place));
    told.join(" ")
}

/// A still's account of itself where it is imagery.
pub(crate) fn account_of_imagery(place: &Place) -> String {
    let told = [
        "Aerial imagery from straight above, turned so that the street front lies at one edge; tones set, nothing added but \
         captions. When it was taken is for its source to say."
            .to_owned(),
        format!("Address and street front from map data: {}.", place.address),
        credits(place),
    ];
    told.join(" ")
}

fn about(place: &Place) -> Vec<String> {
    let mut told = vec!["Map-based aerial visual, drawn from map data; not a photograph.".to_owned()];
    match place.property.building.map(|index| &place.buildings[index]) {
        None => told.push("No building is mapped at the address: a plot of 18 m stands for it.".into()),
        Some(building) => {
            let source = |from: Provenance| match from {
                Provenance::Mapped => "mapped",
                Provenance::Derived => "derived from mapped stories",
                Provenance::Guessed => "guessed by kind and size",
                Provenance::Neighbors => "guessed as that of its neighbors of like size, which agree",
            };
            told.push(format!(
                "The property: footprint mapped ({}), height {:.1} m {}, roof shape {}; colors, windows and door are \
                 neutral filling unless tagged.",
                building.id,
                building.ridge,
                source(building.height_from),
                source(building.roof_from),
            ));
        }
    }
    told.push(match (place.property.front_known, place.property.street) {
        (true, _) => "Street front: towards the street of the address.".into(),
        (false, Some(_)) => "Street front: assumed towards the nearest street.".into(),
        (false, None) => "Street front: not known.".into(),
    });
    told.push(if place.terrain.known {
        "Ground: from elevation data.".into()
    } else {
        "Ground: no elevation data, taken as flat.".into()
    });
    told.extend(place.missed.iter().cloned());
    told.push(
        "Surroundings: streets, footprints, land use and water as mapped; untagged heights, roofs and façades, what \
         stands on roofs, how high bridges rise, paths to houses, gardens with their hedges and trees, parked cars and \
         the trees of mapped woods are filled in by rule."
            .into(),
    );
    let near = |[x, y]: [f64; 2]| x.abs().min(y.abs()) < place.radius;
    if place.covered.is_some_and(|[low, high]| near(low) || near(high)) {
        told.push("The imported map ends near by; the ground beyond it is left bare gray.".into());
    }
    told
}

/// Whom to credit, in one line.
pub(crate) fn credits(place: &Place) -> String {
    place.attributions.join("  ·  ")
}
