//! City models, point clouds, and points over outlines.

use crate::Seed;

pub(crate) fn all() -> Vec<Seed> {
    vec![
        ("city_model", "house.city.json", city_json()),
        ("city_model", "house.city.jsonl", city_json_sequence()),
        ("city_model", "house.gml", city_gml()),
        ("point_cloud", "gable.las", las()),
        ("roof_points", "gable", gable().iter().flat_map(|p| p.map(|v| (v * 8.0) as u8)).collect()),
    ]
}

/// A house of 10 by 8 m, eaves at 5 m, ridge at 9 m.
const CORNERS: [[i32; 3]; 10] =
    [[0, 0, 0], [10, 0, 0], [10, 8, 0], [0, 8, 0], [0, 0, 5], [10, 0, 5], [10, 8, 5], [0, 8, 5], [0, 4, 9], [10, 4, 9]];
const GROUND: &[usize] = &[0, 3, 2, 1];
const ROOFS: [&[usize]; 2] = [&[4, 5, 9, 8], &[8, 9, 6, 7]];

fn object() -> String {
    let [a, b] = ROOFS;
    format!(
        r#""CityObjects":{{"a":{{"type":"Building","geometry":[{{"type":"MultiSurface","lod":"2.2","boundaries":[[{GROUND:?}],[{a:?}],[{b:?}]],"semantics":{{"surfaces":[{{"type":"GroundSurface"}},{{"type":"RoofSurface"}}],"values":[0,1,1]}}}}]}}}},"vertices":{CORNERS:?}"#
    )
}

const HEAD: &str = r#""version":"2.0","transform":{"scale":[1.0,1.0,1.0],"translate":[84500.0,447000.0,0.0]},"metadata":{"referenceSystem":"https://www.opengis.net/def/crs/EPSG/0/7415"}"#;

fn city_json() -> Vec<u8> {
    format!(r#"{{"type":"CityJSON",{HEAD},{}}}"#, object()).into_bytes()
}

fn city_json_sequence() -> Vec<u8> {
    let head = format!(r#"{{"type":"CityJSON",{HEAD},"CityObjects":{{}},"vertices":[]}}"#);
    format!("{head}\n{{\"type\":\"CityJSONFeature\",\"id\":\"a\",{}}}\n", object()).into_bytes()
}

fn city_gml() -> Vec<u8> {
    let surface = |name: &str, ring: &[usize]| {
        let closed = ring.iter().chain(&ring[..1]).map(|i| CORNERS[*i].map(|v| v.to_string()).join(" "));
        let positions = closed.collect::<Vec<_>>().join(" ");
        format!(
            "<bldg:boundedBy><bldg:{name}><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior>\
             <gml:LinearRing><gml:posList>{positions}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember>\
             </gml:MultiSurface></bldg:lod2MultiSurface></bldg:{name}></bldg:boundedBy>"
        )
    };
    let [a, b] = ROOFS.map(|ring| surface("RoofSurface", ring));
    let ground = surface("GroundSurface", GROUND);
    format!(
        "<?xml version=\"1.0\"?><core:CityModel xmlns:core=\"http://www.opengis.net/citygml/2.0\" \
         xmlns:bldg=\"http://www.opengis.net/citygml/building/2.0\" xmlns:gml=\"http://www.opengis.net/gml\">\
         <gml:boundedBy><gml:Envelope srsName=\"EPSG:25832\" srsDimension=\"3\"/></gml:boundedBy>\
         <core:cityObjectMember><bldg:Building gml:id=\"a\">{ground}{a}{b}</bldg:Building></core:cityObjectMember></core:CityModel>"
    )
    .into_bytes()
}

/// Corners of an outline of 10 by 8 m, and points of a gable roof over it.
fn gable() -> Vec<[f64; 3]> {
    let mut points = vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 8.0, 0.0], [0.0, 8.0, 0.0]];
    for i in 0..32 {
        for j in 0..24 {
            let (x, y) = (f64::from(i) * 0.31 + 0.1, f64::from(j) * 0.33 + 0.1);
            points.push([x, y, 9.0 - (y - 4.0).abs()]);
        }
    }
    points
}

/// The gable as a LAS 1.2 file of point format 0, on ground of class 2.
fn las() -> Vec<u8> {
    let mut records = Vec::new();
    let mut record = |[x, y, z]: [f64; 3], class: u8| {
        for v in [x, y, z] {
            records.extend(((v * 1000.0) as i32).to_le_bytes());
        }
        records.extend([0, 0, 0b0000_1001, class, 0, 0, 0, 0]);
    };
    gable()[4..].iter().for_each(|at| record(*at, 6));
    for i in -10..20 {
        record([f64::from(i), -3.0, 0.0], 2);
        record([f64::from(i), 11.0, 0.0], 2);
    }
    let count = (records.len() / 20) as u32;
    let mut out = Vec::from(*b"LASF");
    out.extend([0; 20]);
    out.extend([1, 2]);
    out.extend([0; 64]);
    out.extend(1_u16.to_le_bytes());
    out.extend(2020_u16.to_le_bytes());
    out.extend(227_u16.to_le_bytes());
    out.extend(227_u32.to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    out.push(0);
    out.extend(20_u16.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend([0; 16]);
    for v in [0.001, 0.001, 0.001, 0.0, 0.0, 0.0, 20.0, -10.0, 11.0, -3.0, 9.0, 0.0_f64] {
        out.extend(v.to_le_bytes());
    }
    out.extend(records);
    out
}
