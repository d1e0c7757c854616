//! Map data.

use std::io::{Cursor, Write};

use aerie_test_data::pbf::{self, Message, varint};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use tiff::encoder::{TiffEncoder, colortype};
use tiff::tags::Tag;

use super::pictures::written;
use crate::Seed;

const MAP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6"><bounds minlat="47.09" minlon="9.49" maxlat="47.11" maxlon="9.51"/>
<node id="1" lat="47.1000" lon="9.5000"/><node id="2" lat="47.1000" lon="9.5002"/>
<node id="3" lat="47.1001" lon="9.5002"/><node id="4" lat="47.1001" lon="9.5000"><tag k="natural" v="tree"/></node>
<node id="5" lat="47.0999" lon="9.4990"/><node id="6" lat="47.0999" lon="9.5010"/>
<node id="7" lat="47.1002" lon="9.4995"/><node id="8" lat="47.1004" lon="9.5005"/>
<way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/><tag k="building" v="house"/>
<tag k="addr:street" v="Lindenweg"/><tag k="addr:housenumber" v="7"/><tag k="height" v="7 m"/><tag k="roof:shape" v="gabled"/></way>
<way id="11"><nd ref="5"/><nd ref="6"/><tag k="highway" v="residential"/><tag k="name" v="Lindenweg"/><tag k="lanes" v="2"/></way>
<way id="12"><nd ref="5"/><nd ref="7"/><nd ref="8"/></way><way id="13"><nd ref="8"/><nd ref="6"/><nd ref="5"/></way>
<way id="14"><nd ref="7"/><nd ref="8"/><tag k="natural" v="coastline"/></way>
<way id="15"><nd ref="7"/><nd ref="1"/><tag k="waterway" v="stream"/></way>
<way id="16"><nd ref="8"/><nd ref="2"/><tag k="barrier" v="hedge"/></way>
<relation id="20"><member type="way" ref="12" role="outer"/><member type="way" ref="13" role="outer"/><tag k="type" v="multipolygon"/><tag k="landuse" v="forest"/></relation>
<relation id="21"><member type="way" ref="11" role="street"/><member type="way" ref="10" role="house"/><tag k="type" v="associatedStreet"/></relation>
<relation id="22"><member type="way" ref="12" role="outer"/><member type="way" ref="13" role="outer"/><tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Auental"/></relation>
</osm>"#;

const PARCELS: &str = r#"{"type":"FeatureCollection","name":"lots","crs":{"properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[
{"type":"Feature","properties":{"EGRID":"CH1"},"geometry":{"type":"Polygon","coordinates":[[[9.4999,47.09995],[9.5004,47.09995],[9.5004,47.1003],[9.4999,47.1003],[9.4999,47.09995]]]}},
{"type":"Feature","id":7,"properties":null,"geometry":{"type":"MultiPolygon","coordinates":[[[[9.5004,47.09995],[9.5009,47.09995],[9.5009,47.1003],[9.5004,47.09995]]]]}},
{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[9.5,47.1],[9.6,47.1]]}}]}"#;

const HEIGHTS: &str = r#"{"type":"FeatureCollection","features":[{"properties":{"height":"7.5"},"geometry":{"type":"Polygon","coordinates":[[[9.5,47.1],[9.5002,47.1],[9.5002,47.1001],[9.5,47.1]]]}}]}"#;

pub(crate) fn all() -> Vec<Seed> {
    let zlib = |block: &Message| {
        let mut out = ZlibEncoder::new(Vec::new(), Compression::best());
        out.write_all(&block.0).expect("memory");
        Message::default().number(2, block.0.len() as u64).bytes(3, out.finish().expect("memory"))
    };
    let compressed =
        [pbf::framed("OSMHeader", &zlib(&pbf::header())), pbf::framed("OSMData", &zlib(&pbf::house()))].concat();
    vec![
        ("osm_pbf", "house", pbf::file(&[pbf::house()])),
        ("osm_pbf", "compressed", compressed),
        ("osm_pbf_block", "house", pbf::house().0),
        ("osm_xml", "town", MAP.into()),
        ("osm_xml", "compressed", gzip(MAP.as_bytes())),
        ("geojson", "parcels", PARCELS.into()),
        ("geojson", "heights", HEIGHTS.into()),
        ("pmtiles", "plain", pmtiles(false)),
        ("pmtiles", "compressed", pmtiles(true)),
        (
            "mbtiles",
            "tiles",
            mbtiles(&[("format", "png"), ("attribution", "&copy; A"), ("bounds", "9.4,47.0,9.6,47.2")]),
        ),
        ("mbtiles", "heights", mbtiles(&[("encoding", "terrarium")])),
        ("terrain_zip", "flat", terrain()),
        ("geotiff", "picture", picture()),
        ("geotiff", "heights", heights()),
    ]
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

/// A tile of 8 by 8 pixels.
fn tile() -> Vec<u8> {
    let picture = RgbImage::from_fn(8, 8, |x, y| Rgb([128, (x * 9) as u8, (y * 30) as u8]));
    written(&DynamicImage::ImageRgb8(picture), ImageFormat::Png)
}

/// An archive of three tiles, one of them in a leaf directory.
fn pmtiles(is_compressed: bool) -> Vec<u8> {
    let packed = |bytes: Vec<u8>| if is_compressed { gzip(&bytes) } else { bytes };
    let directory = |columns: &[[u64; 4]]| {
        let mut out = varint(columns.len() as u64);
        (0..4).for_each(|i| out.extend(columns.iter().flat_map(|entry| varint(entry[i]))));
        packed(out)
    };
    let data = tile();
    // Id, run length, length, offset plus one.
    let leaf = directory(&[[5, 1, data.len() as u64, 1]]);
    let root = directory(&[[0, 2, data.len() as u64, 1], [5, 0, leaf.len() as u64, 1]]);
    let metadata = packed(br#"{"name":"dots","attribution":"&copy; Dots"}"#.to_vec());
    let at = [127, 127 + root.len(), 127 + root.len() + metadata.len()];
    let after = at[2] + leaf.len();
    let mut header = b"PMTiles\x03".to_vec();
    for v in [at[0], root.len(), at[1], metadata.len(), at[2], leaf.len(), after, data.len(), 3, 2, 1] {
        header.extend((v as u64).to_le_bytes());
    }
    header.extend([1, if is_compressed { 2 } else { 1 }, 1, 2, 0, 2]);
    for edge in [-1_800_000_000_i32, -850_000_000, 1_800_000_000, 850_000_000] {
        header.extend(edge.to_le_bytes());
    }
    header.resize(127, 0);
    [header, root, metadata, leaf, data].concat()
}

fn mbtiles(metadata: &[(&str, &str)]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mbtiles");
    let db = rusqlite::Connection::open(&path).expect("a database");
    db.execute_batch(
        "PRAGMA page_size = 512; CREATE TABLE metadata (name TEXT, value TEXT);
         CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);",
    )
    .expect("tables");
    for row in metadata {
        db.execute("INSERT INTO metadata VALUES (?1, ?2)", *row).expect("a row");
    }
    for (zoom, x, y) in [(0, 0, 0), (1, 1, 1)] {
        db.execute("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)", (zoom, x, y, tile())).expect("a row");
    }
    drop(db);
    std::fs::read(path).expect("a file")
}

fn terrain() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("N47E009.hgt", zip::write::SimpleFileOptions::default()).expect("an archive");
    zip.write_all(&vec![0; 1201 * 1201 * 2]).expect("memory");
    zip.finish().expect("an archive").into_inner()
}

/// Position and coordinate system, WGS 84 in degrees: pixels of 0.001 degrees from 9.5, 47.1.
macro_rules! georeferenced {
    ($image:expr) => {{
        let directory = $image.encoder();
        directory.write_tag(Tag::ModelPixelScaleTag, &[0.001_f64, 0.001, 0.0][..]).expect("a tag");
        directory.write_tag(Tag::ModelTiepointTag, &[0.0_f64, 0.0, 0.0, 9.5, 47.1, 0.0][..]).expect("a tag");
        let keys = [1_u16, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326];
        directory.write_tag(Tag::GeoKeyDirectoryTag, &keys[..]).expect("a tag");
    }};
}

fn picture() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).expect("a file");
    let mut image = encoder.new_image::<colortype::RGB8>(8, 8).expect("a picture");
    georeferenced!(image);
    image.write_data(&[90; 192]).expect("pixels");
    bytes.into_inner()
}

fn heights() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).expect("a file");
    let mut image = encoder.new_image::<colortype::Gray32Float>(8, 8).expect("a picture");
    georeferenced!(image);
    image.write_data(&(0..64).map(|i| 400.0 + i as f32).collect::<Vec<_>>()).expect("pixels");
    bytes.into_inner()
}
