//! Detects file formats by their first bytes.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::ImportError;
use crate::{osm, raster, srtm};

/// A format that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// OpenStreetMap data.
    Osm(osm::Encoding),
    /// An SRTM tile.
    Terrain { zipped: bool },
    /// Parcels or heights of buildings.
    GeoJson,
    /// Imagery or elevation.
    Raster(raster::Format),
    /// Buildings with measured roofs.
    CityModel,
    /// Points of an aerial survey.
    PointCloud,
}

/// Bytes that tell city models from other files.
const HEAD: u64 = 4_096;

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
        return Ok(Format::Terrain { zipped: false });
    }
    let mut head = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut head).map_err(|e| ImportError::io(path, e))?;
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
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
        [0x1f, 0x8b, ..] => Ok(Format::Osm(osm::Encoding::Xml { zipped: true })),
        [b'P', b'K', ..] => Ok(Format::Terrain { zipped: true }),
        _ if text.first() == Some(&b'{') => Ok(Format::GeoJson),
        _ if text.first() == Some(&b'<') => Ok(Format::Osm(osm::Encoding::Xml { zipped: false })),
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
