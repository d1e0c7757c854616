//! Why the sample town could not be opened.

use aerie_geodata::GeodataError;
use aerie_import::ImportError;

/// A pack could not be opened, or the sample town could not be built.
#[derive(Debug, thiserror::Error)]
pub enum SampleTownError {
    /// The pack could not be read, or a file could not be written.
    #[error(transparent)]
    Pack(#[from] GeodataError),
    /// The sample town could not be imported.
    #[error("the sample town could not be built: {0}")]
    Import(#[source] ImportError),
}
