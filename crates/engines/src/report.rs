//! Descriptions for the metadata of films and stills: what was measured, what was inferred, and the attributions.

use aerie_engine_api::Origin;
use aerie_geodata::place::{MeasuredRoof, Place, Provenance, RoofMethod};
use aerie_photo::report::COMPOSITE;

/// Describes a film: facts and guesses about the property first, then about its surroundings.
pub(crate) fn film(place: &Place, direction: &str) -> String {
    let mut sentences = about(place);
    sentences.push(format!("Path: {direction}."));
    sentences.push(credits(place));
    sentences.join(" ")
}

/// Describes a still.
pub(crate) fn still(place: &Place) -> String {
    let mut sentences = about(place);
    sentences.push("Seen from straight above, without perspective.".into());
    sentences.push(credits(place));
    sentences.join(" ")
}

/// Describes a still that shows imagery.
pub(crate) fn imagery(place: &Place) -> String {
    let sentences = [
        "Aerial imagery from straight above, turned so that the street front lies at one edge; tones adjusted, nothing added except \
         captions. Its source knows when it was taken."
            .to_owned(),
        format!("Address and street front from map data: {}.", place.address),
        credits(place),
    ];
    sentences.join(" ")
}

fn about(place: &Place) -> Vec<String> {
    let mut sentences = vec!["Map-based aerial visual, drawn from map data; not a photograph.".to_owned()];
    match place.property.building.map(|index| &place.buildings[index]) {
        None => sentences.push("No building is mapped at the address: a plot of 18 m is shown instead.".into()),
        Some(building) => {
            let source = |from: Provenance| match from {
                Provenance::Measured => "measured",
                Provenance::Mapped => "mapped",
                Provenance::Derived => "derived from mapped stories",
                Provenance::Guessed => "guessed from kind and size",
                Provenance::Neighbors => "guessed from neighbors of similar size, which agree",
            };
            let shape = match &building.measured {
                Some(roof) => format!("roof {}", measured(roof)),
                None => format!("roof shape {}", source(building.roof_from)),
            };
            let footprint = if building.id.starts_with("model/") { "of the city model" } else { "mapped" };
            sentences.push(format!(
                "The property: footprint {footprint} ({}), height {:.1} m {}, {shape}; colors, windows and door are neutral \
                 placeholders unless tagged.",
                building.id,
                building.ridge,
                source(building.height_from),
            ));
        }
    }
    sentences.push(match (place.property.front_known, place.property.street) {
        (true, _) => "Street front: toward the street of the address.".into(),
        (false, Some(_)) => "Street front: assumed toward the nearest street.".into(),
        (false, None) => "Street front: not known.".into(),
    });
    sentences.push(if place.terrain.near.is_some() {
        "Ground: from elevation data, near the property every meter.".into()
    } else if place.terrain.known {
        "Ground: from elevation data.".into()
    } else {
        "Ground: assumed flat, because no elevation data is imported.".into()
    });
    sentences.extend(surroundings(place));
    sentences.extend(place.missed.iter().cloned());
    sentences.push(
        "Surroundings: streets, footprints, land use and water as mapped; untagged heights, roofs and façades, what \
         stands on roofs, the height of bridges, paths to houses, gardens with their hedges and trees, parked cars and \
         the trees of mapped woods are inferred by documented rules."
            .into(),
    );
    let near = |[x, y]: [f64; 2]| x.abs().min(y.abs()) < place.radius;
    if place.covered.is_some_and(|[low, high]| near(low) || near(high)) {
        sentences.push("The imported map ends nearby; the ground beyond it is plain gray.".into());
    }
    sentences
}

/// "measured, AHN 2014, rms 0.06 m".
fn measured(roof: &MeasuredRoof) -> String {
    // An attribution often names the year itself.
    let year = roof.year.map(|year| year.to_string()).filter(|year| !roof.source.contains(year));
    let year = year.map(|year| format!(" {year}")).unwrap_or_default();
    let rms = roof.rms.map(|rms| format!(", rms {rms:.2} m")).unwrap_or_default();
    let how = if roof.method == RoofMethod::Template { " as a simple shape" } else { "" };
    format!("measured{how}, {}{year}{rms}", roof.source)
}

/// How many of the other roofs and of the trees are measured, if any.
fn surroundings(place: &Place) -> Option<String> {
    let drawn = place.buildings.iter().filter(|building| !building.replaced_by_parts);
    let roofs = drawn.clone().filter(|building| building.measured.is_some()).count();
    let trees = place.trees.iter().filter(|tree| tree.measured).count();
    let sentence = format!("Measured: {roofs} of {} roofs, {trees} of {} trees.", drawn.count(), place.trees.len());
    (roofs + trees > 0).then_some(sentence)
}

/// IPTC digital source type of what is drawn from map data.
const DRAWN: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia";
/// IPTC digital source type of a mosaic of aerial pictures.
const MOSAIC: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeCapture";

/// Where pictures drawn from map data come from; `shows_imagery` if aerial imagery lies on the ground.
pub(crate) fn drawn(place: &Place, text: &str, shows_imagery: bool) -> Origin {
    origin(place, text, if shows_imagery { COMPOSITE } else { DRAWN })
}

/// Where pictures of aerial imagery come from.
pub(crate) fn mosaic(place: &Place, text: &str) -> Origin {
    origin(place, text, MOSAIC)
}

fn origin(place: &Place, text: &str, source_type: &'static str) -> Origin {
    let attributions = place.attributions.clone();
    Origin { text: text.to_owned(), digital_source_type: source_type.into(), attributions, shown: Vec::new() }
}

/// Whom to credit, in one line.
pub(crate) fn credits(place: &Place) -> String {
    place.attributions.join("  ·  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_roof_is_reported_with_its_survey_and_how_exactly_it_was_measured() {
        let roof = |source: &str, year, method| MeasuredRoof {
            faces: Vec::new(),
            ground: 0.0,
            source: source.into(),
            year,
            method,
            rms: Some(0.058),
            covered: 1.0,
        };
        assert_eq!(measured(&roof("AHN", Some(2014), RoofMethod::Planes)), "measured, AHN 2014, rms 0.06 m");
        assert_eq!(measured(&roof("AHN 2014", Some(2014), RoofMethod::Planes)), "measured, AHN 2014, rms 0.06 m");
        let sparse = MeasuredRoof { rms: None, ..roof("tile.laz", None, RoofMethod::Template) };
        assert_eq!(measured(&sparse), "measured as a simple shape, tile.laz");
    }
}
