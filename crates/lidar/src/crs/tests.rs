use super::*;

fn directory(keys: &[[u16; 4]]) -> Vec<u8> {
    let head = [1, 1, 0, keys.len() as u16];
    head.iter().chain(keys.iter().flatten()).flat_map(|number| number.to_le_bytes()).collect()
}

fn of_keys(keys: &[[u16; 4]]) -> (Option<String>, Units) {
    let (crs, units) = read(None, Some(&directory(keys)), None, false);
    (crs.map(|crs| crs.definition), units)
}

#[test]
fn codes_of_plane_and_height_are_combined() {
    let (crs, units) = of_keys(&[[3072, 0, 1, 28992], [3076, 0, 1, 9001], [4096, 0, 1, 5709], [4099, 0, 1, 9001]]);
    assert_eq!(crs.as_deref(), Some("EPSG:28992+5709"));
    assert_eq!(units, Units { horizontal: Some(1.0), vertical: Some(1.0) });
}

#[test]
fn feet_are_told_from_survey_feet() {
    let (_, units) = of_keys(&[[3072, 0, 1, 2263], [3076, 0, 1, 9003], [4099, 0, 1, 9002]]);
    assert!((units.horizontal.unwrap() - 0.304_800_609_6).abs() < 1e-9);
    assert_eq!(units.vertical, Some(0.3048));
}

#[test]
fn user_defined_systems_are_none() {
    assert_eq!(of_keys(&[[2048, 0, 1, 4269], [3072, 0, 1, 32767], [3076, 0, 1, 9001]]).0, None);
    assert_eq!(of_keys(&[[3072, 0, 1, 25832], [4096, 0, 1, 32767]]).0.as_deref(), Some("EPSG:25832"));
    assert_eq!(of_keys(&[]).0, None);
}

#[test]
fn datum_numbers_of_old_keys_become_height_systems() {
    assert_eq!(of_keys(&[[3072, 0, 1, 26915], [4096, 0, 1, 5103]]).0.as_deref(), Some("EPSG:26915+5703"));
    assert_eq!(of_keys(&[[2048, 0, 1, 4326], [4096, 0, 1, 5030]]).0.as_deref(), Some("EPSG:4326"));
}

const OREGON: &str = r#"COMPD_CS["a, (b)",PROJCS["x",GEOGCS["NAD83",DATUM["d",SPHEROID["s",6378137,298.2]],UNIT["degree",0.0174532925]],
    PROJECTION["Lambert"],PARAMETER["p",1],UNIT["foot",0.3048,AUTHORITY["EPSG","9002"]],AXIS["X",EAST]],
    VERT_CS["h",VERT_DATUM["v",2005],UNIT["US survey foot",0.304800609601219,AUTHORITY["EPSG","9003"]]]]"#;

#[test]
fn units_of_text_are_those_of_the_projection_and_of_the_height() {
    let (crs, units) = read(Some(OREGON.as_bytes()), None, None, true);
    assert_eq!(crs.unwrap().definition, OREGON);
    assert_eq!(units.horizontal, Some(0.3048));
    assert!((units.vertical.unwrap() - 0.304_800_609_6).abs() < 1e-9);
}

#[test]
fn text_of_the_second_version_is_understood() {
    let text = r#"PROJCRS["x",BASEGEOGCRS["b",DATUM["d",ELLIPSOID["e",6378137,298.2,LENGTHUNIT["foot",0.3048]]]],CONVERSION["c",
        PARAMETER["p",1,LENGTHUNIT["foot",0.3048]]],CS[Cartesian,2],AXIS["x",east,LENGTHUNIT["metre",1]]]"#;
    let (crs, units) = read(Some(text.as_bytes()), None, None, true);
    assert!(crs.is_some());
    assert_eq!(units, Units { horizontal: Some(1.0), vertical: None });
}

#[test]
fn broken_text_and_local_systems_are_none() {
    for text in ["", "PROJCS[", "PROJCS[\"x\"]]", "LOCAL_CS[\"mine\",UNIT[\"metre\",1]]", &"PROJCS[".repeat(100_000)] {
        assert_eq!(read(Some(text.as_bytes()), None, None, true).0, None);
    }
}

#[test]
fn the_flag_of_the_header_decides_between_text_and_keys() {
    let keys = directory(&[[3072, 0, 1, 2992]]);
    let definition = |flag| read(Some(OREGON.as_bytes()), Some(&keys), None, flag).0.unwrap().definition;
    assert_eq!(definition(true), OREGON);
    assert_eq!(definition(false), "EPSG:2992");
}
