//! Errors that end the reading of a file.

/// Why a city model cannot be read. A single broken building is no error, see [`crate::Summary`].
#[derive(Debug, thiserror::Error)]
pub enum CityModelError {
    /// The file cannot be read.
    #[error("cannot read the city model: {0}")]
    Io(#[from] std::io::Error),
    /// Neither of the formats.
    #[error("not a city model: expected CityJSON, CityJSONSeq or CityGML")]
    Format,
    /// Damaged JSON, or JSON that is no city model.
    #[error("damaged CityJSON: {0}")]
    Json(String),
    /// Damaged XML.
    #[error("damaged CityGML: {0}")]
    Xml(String),
    /// Damaged ZIP archive.
    #[error("damaged ZIP archive: {0}")]
    Zip(String),
    /// A version that is not supported.
    #[error("CityJSON version {0:?} is not supported (1.0, 1.1 and 2.0 are)")]
    Version(String),
    /// More than what is read.
    #[error("{what} exceed the limit of {limit}")]
    Limit {
        /// What there is too much of, in the plural.
        what: &'static str,
        /// The limit with its unit.
        limit: String,
    },
    /// Two coordinate systems in one archive.
    #[error("files of the archive differ in their coordinate system: {0} and {1}")]
    MixedSystems(String, String),
    /// In a file of an archive.
    #[error("{name}: {error}")]
    Member {
        /// Name in the archive.
        name: String,
        /// What is wrong with it.
        error: Box<CityModelError>,
    },
}

impl CityModelError {
    /// The error of reading JSON, with line and column.
    pub(crate) fn json(error: serde_json::Error) -> Self {
        if error.is_io() { Self::Io(error.into()) } else { Self::Json(error.to_string()) }
    }

    /// The error of reading XML, with the byte offset.
    pub(crate) fn xml(error: quick_xml::Error, position: u64) -> Self {
        match error {
            quick_xml::Error::Io(error) => Self::Io(std::io::Error::new(error.kind(), error.to_string())),
            error => Self::Xml(format!("{error} (byte {position})")),
        }
    }
}
