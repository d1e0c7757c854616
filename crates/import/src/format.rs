//! Detects file formats by their first bytes.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::archive::gzip_head;
use crate::error::ImportError;
use crate::{osm, raster, srtm, xml_format};

/// A format that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// OpenStreetMap data.
    Osm(osm::Encoding),
    /// An SRTM tile.
    Terrain,
    /// Parcels or heights of buildings.
    GeoJson,
    /// Imagery or elevation.
    Raster(raster::Format),
    /// Buildings with measured roofs.
    CityModel,
    /// Points of an aerial survey.
    PointCloud,
    /// A ZIP archive of files.
    Zip,
    /// A file compressed with gzip.
    Gzip,
}

/// Bytes by which formats are recognized.
const HEAD: usize = 4_096;

/// Detects the format of a file.
pub(crate) fn recognize(path: &Path) -> Result<Format, ImportError> {
    let mut file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    let meta = file.metadata().map_err(|e| ImportError::io(path, e))?;
    if !meta.is_file() {
        return Err(ImportError::foreign(path));
    }
    if meta.len() == 0 {
        return Err(ImportError::Empty { path: path.to_owned() });
    }
    if srtm::tile_name(path).is_some() && srtm::side(meta.len()).is_some() {
        return Ok(Format::Terrain);
    }
    let mut head = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|e| ImportError::io(path, e))?;
    if let Some(why) = other_format(&head) {
        return Err(ImportError::unsupported(path, why.to_owned()));
    }
    let hgt = path.file_name().is_some_and(|n| n.to_string_lossy().to_ascii_lowercase().ends_with(".hgt"));
    if let Some(kind) = raster::recognize(&head) {
        return Ok(Format::Raster(kind));
    }
    if head.starts_with(b"LASF") {
        return Ok(Format::PointCloud);
    }
    if aerie_city_model::recognize(&head).is_some()
        || head.starts_with(b"PK") && aerie_city_model::is_city_model_zip(path)
    {
        return Ok(Format::CityModel);
    }
    match &head[..] {
        [0x1f, 0x8b, ..] => Ok(compressed(&head)),
        [b'P', b'K', ..] => Ok(Format::Zip),
        // A record separator begins the features of GeoJSON text sequences.
        _ if matches!(text(&head).first(), Some(b'{' | 0x1e)) => Ok(Format::GeoJson),
        _ if text(&head).first() == Some(&b'<') => match other_xml(path, &head) {
            Some(why) => Err(why),
            None => Ok(Format::Osm(osm::Encoding::Xml { zipped: false })),
        },
        _ if head.windows(9).any(|w| w == b"OSMHeader") => Ok(Format::Osm(osm::Encoding::Pbf)),
        _ if hgt && srtm::tile_name(path).is_some() => {
            Err(ImportError::damaged(path, format!("{} bytes are no SRTM tile of 1 or 3 arc seconds", meta.len())))
        }
        _ if hgt => Err(ImportError::unsupported(
            path,
            "an SRTM tile is named after its south-west corner, like N49E011.hgt".into(),
        )),
        _ => Err(ImportError::foreign(path)),
    }
}

/// Returns why a file is not read that is XML with another root than OpenStreetMap's, such as metadata.
fn other_xml(path: &Path, head: &[u8]) -> Option<ImportError> {
    let mut rest = text(head);
    loop {
        let tag = rest.strip_prefix(b"<")?;
        let end = match tag {
            [b'!', b'-', b'-', ..] => b"-->".as_slice(),
            [b'?' | b'!', ..] => b">",
            _ => {
                let length = tag.iter().position(|c| !c.is_ascii_alphanumeric() && !b":_-".contains(c))?;
                let root = std::str::from_utf8(&tag[..length]).ok()?;
                return (!root.starts_with("osm")).then(|| xml_format::refusal(path, root));
            }
        };
        let at = rest.windows(end.len()).position(|part| part == end)?;
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

/// What a file begins with, without byte order mark and spaces.
fn text(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start()
}

/// The format of a compressed file: OpenStreetMap's XML is read as it unpacks, everything else is unpacked first.
fn compressed(packed: &[u8]) -> Format {
    let head = gzip_head(packed, HEAD);
    let is_xml = head.is_empty() || text(&head).first() == Some(&b'<');
    match is_xml && aerie_city_model::recognize(&head).is_none() {
        true => Format::Osm(osm::Encoding::Xml { zipped: true }),
        false => Format::Gzip,
    }
}

/// Formats that are known and not read, by the bytes at an offset, with the way out.
const OTHERS: [(usize, &[u8], &str); 26] = [
    (0, b"BZh", "it is compressed with bzip2; unpack it first, with `bunzip2`"),
    (0, b"\xfd7zXZ\0", "it is compressed with xz; unpack it first, with `unxz`"),
    (0, b"\x28\xb5\x2f\xfd", "it is compressed with Zstandard; unpack it first, with `unzstd`"),
    (0, b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it first, with `7z x`"),
    (0, b"Rar!", "it is a RAR archive; unpack it first, with `unrar x`"),
    (257, b"ustar", "it is a tar archive; unpack it first, with `tar xf`"),
    (0, b"\xff\xe0\x04o5", "it is OpenStreetMap data in o5m; convert it with `osmconvert FILE -o=region.osm.pbf`"),
    (0, b"\xff\xe0\x04o5c", "it is a change file of OpenStreetMap (o5c); apply it to its extract with `osmconvert`"),
    (0, b"\0\0\x27\x0a", "it is a Shapefile; convert it with `ogr2ogr -t_srs EPSG:4326 out.geojson FILE.shp`"),
    (0, b"fgb", "it is a FlatGeobuf file; convert it with `ogr2ogr -t_srs EPSG:4326 out.geojson FILE.fgb`"),
    (68, b"GPKG", GEOPACKAGE),
    (68, b"GP1", GEOPACKAGE),
    (0, b"PAR1", "it is GeoParquet; convert it with `ogr2ogr -t_srs EPSG:4326 out.geojson FILE.parquet`"),
    (0, b"\x89HDF", NETCDF),
    (0, b"CDF", NETCDF),
    (4, b"jP  \r\n", "it is JPEG 2000; convert it with `gdal_translate FILE.jp2 out.tif`"),
    (4, b"ftypjp2", "it is JPEG 2000; convert it with `gdal_translate FILE.jp2 out.tif`"),
    (0, b"EHFA_HEADER_TAG", "it is an Erdas Imagine raster; convert it with `gdal_translate FILE.img out.tif`"),
    (0, b"ncols", ASCII_GRID),
    (0, b"NCOLS", ASCII_GRID),
    (0, b"DSAA", "it is a Surfer grid; convert it with `gdal_translate FILE.grd out.tif`"),
    (0, b"DSBB", "it is a Surfer grid; convert it with `gdal_translate FILE.grd out.tif`"),
    (0, b"AC10", "it is an AutoCAD drawing (DWG); export its outlines as GeoJSON in degrees of WGS 84"),
    (0, b"ASTM-E57", "it is a point cloud in E57; convert it with `pdal translate FILE.e57 out.laz`"),
    (0, b"ply\n", "it is a PLY file; convert a point cloud with `pdal translate FILE.ply out.laz`"),
    (0, b"%PDF", "it is a PDF; of a GeoPDF, `gdal_translate FILE.pdf out.tif` makes a picture"),
];
const GEOPACKAGE: &str =
    "it is a GeoPackage; convert a layer of it with `ogr2ogr -t_srs EPSG:4326 out.geojson FILE.gpkg LAYER`";
const NETCDF: &str = "it is NetCDF or HDF5; convert a raster in it with `gdal_translate NETCDF:FILE:VARIABLE out.tif`";
const ASCII_GRID: &str = "it is an Esri ASCII grid; convert it with `gdal_translate -a_srs EPSG:N FILE.asc out.tif`, N being its coordinate system";

/// Names a format that is known and not read, with the way out.
fn other_format(head: &[u8]) -> Option<&'static str> {
    let is = |offset: usize, bytes: &[u8]| head.get(offset..).is_some_and(|part| part.starts_with(bytes));
    let is_database = is(0, b"SQLite format 3\0");
    // Longer beginnings come later. Only databases have the name of a GeoPackage within.
    let mut others = OTHERS.iter().rev().filter(|(_, _, why)| is_database == (*why == GEOPACKAGE));
    others.find(|(offset, bytes, _)| is(*offset, bytes)).map(|(_, _, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_that_is_not_read_is_named_with_the_way_out() {
        for (head, name) in [
            (&b"\0\0\x27\x0a\0\0\0\0"[..], "Shapefile"),
            (b"fgb\x03fgb\0", "FlatGeobuf"),
            (b"BZh91AY&SY", "bunzip2"),
            (b"\xff\xe0\x04o5m2", "osm.pbf"),
            (b"\xff\xe0\x04o5c2", "change file"),
            (b"ncols 4\nnrows 4\n", "ASCII grid"),
        ] {
            assert!(other_format(head).is_some_and(|why| why.contains(name)), "{name}");
        }
        let mut database = b"SQLite format 3\0".to_vec();
        database.resize(100, 0);
        assert_eq!(other_format(&database), None);
        database[68..72].copy_from_slice(b"GPKG");
        assert!(other_format(&database).unwrap().contains("GeoPackage"));
    }
}
