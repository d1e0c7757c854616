//! City models: buildings with measured roofs, from CityJSON, CityJSONSeq and CityGML. Files in, geometry in the file's own
//! coordinate system out; knows nothing of maps, databases or pictures.
//!
//! [`read`] passes one [`Building`] after the other to a callback and holds none. [`header`] finds the coordinate system first.
//! Files come from strangers: what a building lacks leaves out that building and is counted in [`Summary`]; what makes the rest of a
//! file unreadable is a [`CityModelError`].

mod archive;
mod assembly;
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

pub use archive::is_city_model_zip;
pub use error::CityModelError;
pub use recognition::{Format, recognize};
pub use summary::Summary;

/// A building of a city model, in the coordinate system of its file.
///
/// `x` is east and `y` is north; where the system is geographic ([`Header::is_geographic`]) they are longitude and latitude in
/// degrees, in whichever order the file has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Building {
    /// Its id in the model.
    pub id: String,
    /// Faces of its roof and of those of all of its parts: flat rings without holes, counter-clockwise seen from above, that do not
    /// repeat their first corner.
    pub roof: Vec<Vec<[f64; 3]>>,
    /// Its ground outline: outer rings counter-clockwise, each followed by its holes (clockwise).
    pub outline: Vec<Vec<Vec<[f64; 2]>>>,
    /// Height of its ground.
    pub ground: f64,
    /// Its address, where the model has one.
    pub address: Option<Address>,
    /// Root mean square of the distances between points and roof, meters, where the model says so.
    pub rms: Option<f64>,
    /// Year of the survey, where the model says so.
    pub year: Option<u16>,
    /// Stories above the ground, where the model says so.
    pub stories: Option<u32>,
}

/// An address in a city model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// Street.
    pub street: Option<String>,
    /// House number.
    pub number: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// Postcode.
    pub postcode: Option<String>,
}

/// What a file says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// Its coordinate system as it is written ("EPSG:7415", "urn:ogc:def:crs:EPSG::6697"), `None` where it has none.
    pub crs: Option<String>,
    /// Attribution or title, where it has one.
    pub title: Option<String>,
    /// Whether the system is geographic: `x` and `y` of the buildings are longitude and latitude in degrees.
    pub is_geographic: bool,
    /// Whether the file has the latitude first, by the authority's axis order. The buildings have it second in any case.
    pub latitude_first: bool,
}

impl Header {
    fn new(crs: Option<String>, title: Option<String>) -> Self {
        let kind = crs.as_deref().map(crs::axes).unwrap_or_default();
        Self {
            crs,
            title,
            is_geographic: kind != crs::Axes::Projected,
            latitude_first: kind == crs::Axes::LatitudeFirst,
        }
    }

    /// EPSG code of the coordinate system; of its horizontal part where the name has two.
    #[must_use]
    pub fn epsg(&self) -> Option<u32> {
        self.crs.as_deref().and_then(crs::epsg)
    }
}

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
