//! Text and JSON of clients.

use std::fmt::Write as _;

use aerie_clip::prompt::CameraPrompt;
use aerie_domain::{JobInput, JobType, ValidationError};
use aerie_engine_api::kinds::markup::{AnnotateRequest, SelectRequest};
use aerie_furniture::StylePrompt;
use aerie_geocode::geocode;
use aerie_geodata::pack::region_folder;
use aerie_geodata::{Pack, house_number, names};
use aerie_import::ImportOptions;
use aerie_photo::prompt::{EnhanceOptions, Preset};
use serde_json::Value;

/// Longest text of a request, characters.
const MAX_TEXT: usize = 2000;

/// An address, looked up in a map of a few streets.
pub fn address(bytes: &[u8]) {
    thread_local! {
        static STREETS: (tempfile::TempDir, Pack) = streets();
    }
    let text = text(bytes);
    STREETS.with(|(_, pack)| {
        let found = geocode(pack, &text);
        if let Ok(found) = &found {
            assert!(text.chars().any(char::is_numeric), "a house has a number: {text:?} is {}", found.matched);
        }
        assert_eq!(found.as_ref().ok(), geocode(pack, &text).as_ref().ok(), "the same text gives the same house");
    });
    let number = house_number::normal(&text);
    assert_eq!(house_number::normal(&number), number, "the normal form is its own normal form");
    assert!(number.is_empty() || house_number::fit(&text, &text).is_some() || text.contains([';', ',', '+', '&']));
    assert!(house_number::bases(&text).len() <= 200);
    let _ = house_number::base(&text);
    let words = names::words(&text);
    assert!(words.iter().all(|word| word.folded.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())));
    let _ = (names::street_key(&text), names::locality_key(&text), names::postcode_key(&text));
}

/// A prompt of a clip, of staging and of enhancement.
pub fn prompts(bytes: &[u8]) {
    let text = text(bytes);
    let camera = CameraPrompt::parse(Some(&text));
    assert!((0.4..=1.5).contains(&camera.strength), "{camera:?}");
    assert_eq!(camera, CameraPrompt::parse(Some(&text)));
    let style = StylePrompt::parse(Some(&text));
    assert!(style.not_understood.len() <= 40 + text.len(), "{style:?}");
    assert_eq!(style, StylePrompt::parse(Some(&text)));
    let options = EnhanceOptions::new(Preset::Natural, Some(&text));
    assert!((-1.0..=1.0).contains(&options.exposure) && (-8.0..=8.0).contains(&options.warmth), "{options:?}");
    assert!((0.0..=1.75).contains(&options.contrast) && (0.0..=1.75).contains(&options.sharpness), "{options:?}");
    assert!((-0.4..=0.25).contains(&options.vibrance) && (0.0..=2.0).contains(&options.noise), "{options:?}");
    assert_eq!(options, EnhanceOptions::new(Preset::Natural, Some(&text)));
    assert!(
        (0.0..=0.4).contains(&options.shadows.abs()) && (0.0..=0.5).contains(&options.highlights.abs()),
        "{options:?}"
    );
    let refused =
        options.refused.iter().map(|(clause, _)| clause).chain(camera.refused.iter().map(|(clause, _)| clause));
    let clauses = options.understood.iter().chain(&options.not_understood);
    let clauses = clauses.chain(&camera.understood).chain(&camera.not_understood).chain(refused);
    assert!(
        clauses.clone().all(|clause| !clause.is_empty() && text.contains(clause.as_str())),
        "clauses are as they were written"
    );
    assert!(options.requests.iter().all(|request| options.understood.contains(&request.clause)), "{options:?}");
}

/// The body of a request, of every kind.
pub fn request_body(bytes: &[u8]) {
    let Ok(body) = serde_json::from_slice::<Value>(bytes) else { return };
    let short = |error: ValidationError| assert!(error.to_string().len() < 500, "{error}");
    for kind in JobType::ALL {
        match JobInput::from_body(kind, &body) {
            Ok(input) => {
                let again = JobInput::read(kind, &input.to_stored()).expect("what is stored can be read again");
                assert_eq!(again, input, "{kind}");
            }
            Err(error) => short(error),
        }
    }
    if let Err(error) = SelectRequest::from_body(&body) {
        short(error);
    }
    if let Err(error) = AnnotateRequest::from_body(&body) {
        short(error);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(MAX_TEXT).collect()
}

/// A map of streets with names of several languages, and houses with numbers of every form.
fn streets() -> (tempfile::TempDir, Pack) {
    let mut map = String::from("<osm version='0.6'>");
    let streets =
        ["Lindenweg", "Rue de l'Église", "Main Street", "Bühelstraße", "5th Avenue", "St. Martin", "Unter den Linden"];
    for (row, street) in streets.iter().enumerate() {
        let lat = 47.1 + row as f64 * 0.001;
        for (column, number) in ["1", "2", "7", "9-11", "12/3", "19b", "5a-c", "2;4", "100"].iter().enumerate() {
            let (id, lon) = (row * 100 + column + 1, 9.5 + column as f64 * 0.0005);
            let town = if row % 2 == 0 { "Oberau" } else { "Saint-Étienne" };
            write!(
                map,
                "<node id='{id}' lat='{lat}' lon='{lon}'><tag k='addr:street' v=\"{street}\"/><tag k='addr:housenumber' v='{number}'/>\
                 <tag k='addr:city' v='{town}'/><tag k='addr:postcode' v='94{row}5'/></node>"
            )
            .expect("text");
        }
    }
    map.push_str("</osm>");
    let data = super::folder();
    let path = data.path().join("streets.osm");
    std::fs::write(&path, map).expect("a file");
    let options = ImportOptions::new(data.path());
    aerie_import::import_into(&region_folder(data.path()), &[path], &options).expect("a map");
    let pack = Pack::open_imported(data.path()).expect("a pack").expect("a pack");
    (data, pack)
}
