//! Why a file could not be imported.

use std::path::{Path, PathBuf};

/// Why a file could not be imported; the pack is as it was before that file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The file is empty.
    #[error("{} is empty; download it again", path.display())]
    Empty {
        /// Path of the file.
        path: PathBuf,
    },
    /// The format is not recognized.
    #[error("{} is not a file that can be imported; give an OpenStreetMap extract (.osm.pbf, .osm, .osm.gz), an SRTM tile (.hgt, .hgt.zip), parcels or building heights (.geojson), a city model (CityJSON, CityGML), a point cloud (.las, .laz), or imagery or heights of the ground (.mbtiles, .pmtiles, GeoTIFF)", path.display())]
    Foreign {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file is truncated or damaged.
    #[error("{} is cut off or damaged ({why}); download it again", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The format is recognized, but this variant of it is not supported.
    #[error("{} cannot be imported: {why}", path.display())]
    Unsupported {
        /// Path of the file.
        path: PathBuf,
        /// What is not supported, and the remedy.
        why: String,
    },
    /// An OpenStreetMap file without anything to draw or to search for.
    #[error("{} holds no buildings, roads, areas or addresses; give an extract that covers the region", path.display())]
    NothingInIt {
        /// Path of the file.
        path: PathBuf,
    },
    /// Most features of a layer cannot be used.
    #[error("{}: only {used} of {read} {layer} can be used, so nothing of it was imported; {why}", path.display())]
    Partial {
        /// Path of the file.
        path: PathBuf,
        /// The layer.
        layer: &'static str,
        /// Features of the layer that can be used.
        used: u64,
        /// Features of the layer in the file.
        read: u64,
        /// Features left out of all layers by reason, and the remedy.
        why: String,
    },
    /// The existing pack cannot be read.
    #[error("{} cannot be read ({why}), so nothing was imported; restore it from a backup, or move it away and import all of your map data again", path.display())]
    UnreadablePack {
        /// Path of the pack.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The pack could not be written.
    #[error("the region pack cannot be written: {0}")]
    Pack(#[from] rusqlite::Error),
    /// The caller asked to stop.
    #[error("the import was canceled; the pack is as it was")]
    Canceled,
}

impl ImportError {
    /// The message without the path of the file.
    pub(crate) fn without_path(&self) -> String {
        let whole = self.to_string();
        let shown = match self {
            Self::Damaged { path, .. }
            | Self::Unsupported { path, .. }
            | Self::Foreign { path }
            | Self::Empty { path } => path.display().to_string(),
            _ => return whole,
        };
        match self {
            Self::Unsupported { why, .. } => why.clone(),
            Self::Foreign { .. } => "it is not a file that can be imported".into(),
            _ => format!("it{}", whole.strip_prefix(&shown).unwrap_or(&whole)),
        }
    }

    /// The same error of a file in an archive, whose unpacked copy has another path.
    pub(crate) fn of_member(mut self, archive: &Path, member: &str) -> Self {
        match &mut self {
            Self::Damaged { path, .. }
            | Self::Unsupported { path, .. }
            | Self::Foreign { path }
            | Self::Empty { path }
            | Self::NothingInIt { path }
            | Self::Partial { path, .. } => *path = archive.join(member),
            _ => {}
        }
        self
    }

    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, why: String) -> Self {
        Self::Damaged { path: path.to_owned(), why }
    }

    pub(crate) fn foreign(path: &Path) -> Self {
        Self::Foreign { path: path.to_owned() }
    }

    pub(crate) fn unsupported(path: &Path, why: String) -> Self {
        Self::Unsupported { path: path.to_owned(), why }
    }
}
