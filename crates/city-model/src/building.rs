//! What is read: buildings with their addresses, and what a file says about itself.

use crate::crs;

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
    pub(crate) fn new(crs: Option<String>, title: Option<String>) -> Self {
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
