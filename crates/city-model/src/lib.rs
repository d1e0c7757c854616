//! City models: buildings with measured roofs, from CityJSON, CityJSONSeq and CityGML. Files in, geometry in the file's own
//! coordinate system out; knows nothing of maps, databases or pictures.
//!
//! [`read`] passes one [`Building`] after the other to a callback and holds none. [`header`] finds the coordinate system first.
//! Files come from strangers: what a building lacks leaves out that building and is counted in [`Summary`]; what makes the rest of a
//! file unreadable is a [`CityModelError`].

mod archive;
mod assembly;
mod building;
mod citygml;
mod cityjson;
mod crs;
mod error;
mod frame;
mod input;
mod model;
mod outline;
mod recognition;
mod roof;
mod summary;

use std::ops::ControlFlow;
use std::path::Path;

pub use archive::{is_city_model_zip, is_zip, other_files};
pub use building::{Address, Building, Header};
pub use error::CityModelError;
pub use recognition::{Format, recognize};
pub use summary::Summary;

/// Reads a city model (or a ZIP archive of city models) and passes each building to `found`, until it breaks.
///
/// # Errors
///
/// If the file cannot be read, is in no known format, is damaged, or exceeds a limit. The buildings before that were passed on.
pub fn read(path: &Path, found: &mut dyn FnMut(Building) -> ControlFlow<()>) -> Result<Summary, CityModelError> {
    let mut reading = assembly::Reading::new(found);
    if archive::is_zip(path)? {
        archive::read(path, &mut reading)?;
    } else {
        let mut source = input::FileSource::new(path);
        recognition::read(&mut source, &mut reading)?;
    }
    Ok(reading.finish())
}

/// Reads what a city model says about itself, above all its coordinate system. Of an archive, the first model that names one.
///
/// # Errors
///
/// As for [`read`].
pub fn header(path: &Path) -> Result<Header, CityModelError> {
    if archive::is_zip(path)? { archive::header(path) } else { recognition::header(&mut input::FileSource::new(path)) }
}
