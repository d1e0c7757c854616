//! Models that try to do harm, and archives.
use std::io::Write as _;
use std::ops::ControlFlow;

use crate::common::{read_bytes, reason};
use aerie_city_model::{header, is_city_model_zip, read};
use zip::write::SimpleFileOptions;

const SEQUENCE: &str = "{\"type\":\"CityJSON\",\"version\":\"2.0\",\"transform\":{\"scale\":[1,1,1],\"translate\":[0,0,0]},\
    \"CityObjects\":{},\"vertices\":[]}\n";

fn error(content: &str) -> String {
    match read_bytes(content.as_bytes()) {
        Ok((summary, _)) => panic!("was read: {summary:?}"),
        Err(error) => error.to_string(),
    }
}

/// A feature whose only geometry has these boundaries.
fn feature(boundaries: &str, vertices: &str) -> String {
    format!(
        "{SEQUENCE}{{\"type\":\"CityJSONFeature\",\"CityObjects\":{{\"a\":{{\"type\":\"Building\",\"geometry\":[{{\"type\":\"MultiSurface\",\
         \"lod\":\"2\",\"boundaries\":{boundaries}}}]}}}},\"vertices\":{vertices}}}\n"
    )
}

#[test]
fn broken_geometry_leaves_out_its_building() {
    let square = "[[0,0,0],[9,0,0],[9,9,0],[0,9,0]]";
    assert_eq!(reason(&feature("[[[0,1,9]]]", square)), "index of a vertex out of range");
    assert_eq!(reason(&feature("[[[0,1,-1]]]", square)), "index of a vertex out of range");
    assert_eq!(reason(&feature("[[[0,1,4294967295]]]", square)), "index of a vertex out of range");
    for nested in ["5", "null", "\"a\"", "{}", "[1]", "[[1]]", "[[[[0]]]]", "[[[0,1,2],3]]"] {
        assert_eq!(reason(&feature(nested, square)), "geometry nested wrongly", "{nested}");
    }
    assert_eq!(reason(&feature("[]", square)), "without geometry");
    assert_eq!(reason(&feature("[[[0,1,2]]]", "[[0,0],[9],\"a\",{}]")), "coordinate out of range");
    assert_eq!(reason(&feature("[[[0,1,2]]]", "[[0,0,0],[9],null,7]")), "coordinate is not a number");
    assert_eq!(reason(&feature("[[[0,1,2]]]", "[[0,0,0],[9e9,0,0],[0,9e9,0]]")), "building larger than 20 km");
    assert_eq!(reason(&feature("[[[0,0,0,0,0,0]]]", square)), "without roof faces");
}

#[test]
fn values_of_any_other_type_do_no_harm() {
    for value in ["null", "5", "\"x\"", "[]", "{}", "[[5]]", "true"] {
        for key in ["type", "geometry", "attributes", "address", "parents", "children"] {
            let text = format!(
                "{SEQUENCE}{{\"CityObjects\":{{\"a\":{{\"type\":\"Building\",\"{key}\":{value}}}}},\"vertices\":{value}}}\n"
            );
            assert_eq!(read_bytes(text.as_bytes()).unwrap().0.read, 0);
        }
    }
}

#[test]
fn damaged_files_are_errors_that_name_what_is_wrong() {
    assert!(error("").contains("not a city model"));
    assert!(error("{\"type\":\"CityJSON\",\"version\":\"2.0\"").contains("EOF"));
    assert!(error("{\"type\":\"CityJSON\",\"version\":\"9.0\"}").contains("version \"9.0\""));
    assert!(error("{\"type\":\"CityJSON\",\"version\":\"1.1\",\"transform\":{}}").contains("transform"));
    assert!(error(&format!("{SEQUENCE}{{\"x\":{}", "[".repeat(100_000))).contains("more than 100 levels deep"));
    assert!(error(&format!("{SEQUENCE}{{\"x\":\"{}\"}}", "a".repeat(3 << 20))).contains("longer than 1 MiB"));
    assert!(error("<CityModel><cityObjectMember>").contains("ends inside"));
    assert!(error("<CityModel></Other>").contains("damaged CityGML"));
    assert!(error(&format!("<CityModel>{}", "<a>".repeat(1000))).contains("more than 200 elements"));
    assert!(
        error("<!DOCTYPE CityModel [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;\">]><CityModel>&b;</CityModel>")
            .contains("document type")
    );
    assert!(error("<CityModel>&b;</CityModel>").contains("entity"));
}

fn archive(members: &[(&str, &[u8])]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let mut writer = zip::ZipWriter::new(&mut file);
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap();
    file
}

#[test]
fn every_model_of_an_archive_is_read() {
    let house = feature(
        "[[[4,5,6,7]],[[0,3,2,1]],[[0,1,5,4]]]",
        "[[0,0,0],[9,0,0],[9,9,0],[0,9,0],[0,0,3],[9,0,3],[9,9,3],[0,9,3]]",
    );
    let gml: &[u8] =
        b"<CityModel xmlns:gml=\"http://www.opengis.net/gml\"><gml:Envelope srsName=\"EPSG:25833\"/></CityModel>";
    let file = archive(&[
        ("readme.txt", b"hello"),
        ("a/one.jsonl", house.as_bytes()),
        ("b.gml", gml),
        ("c.city.jsonl", house.as_bytes()),
    ]);
    assert!(is_city_model_zip(file.path()));
    assert_eq!(header(file.path()).unwrap().epsg(), Some(25833));
    let mut count = 0;
    let mut stop_at = |limit: u64| {
        read(file.path(), &mut |_| {
            count += 1;
            if count == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    assert_eq!(stop_at(9).unwrap().read, 2);
    assert_eq!(stop_at(3).unwrap().read, 1);
}

#[test]
fn archives_without_models_and_with_bombs_are_refused() {
    let none = archive(&[("readme.txt", b"hello"), ("data.json", b"{}")]);
    assert!(!is_city_model_zip(none.path()));
    let refuse =
        |file: &tempfile::NamedTempFile| read(file.path(), &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(refuse(&none).contains("not a city model"));
    let mut bomb = b"<CityModel>".to_vec();
    bomb.resize(8 << 20, b' ');
    let bomb = archive(&[("bomb.gml", &bomb)]);
    assert!(is_city_model_zip(bomb.path()));
    assert!(
        refuse(&bomb).contains("bomb.gml: ") && refuse(&bomb).contains("unpacks to more than"),
        "{}",
        refuse(&bomb)
    );
    let mixed = archive(&[
        ("a.gml", b"<CityModel><Envelope srsName=\"EPSG:25833\"/></CityModel>"),
        ("b.gml", b"<CityModel><Envelope srsName=\"EPSG:25832\"/></CityModel>"),
    ]);
    assert!(refuse(&mixed).contains("differ in their coordinate system"));
}
