//! City models: buildings with measured roofs, from CityJSON, CityJSONSeq and CityGML. Files in, geometry in the file's own
//! coordinate system out; knows nothing of maps, databases or pictures.

/// A building of a city model, in the coordinate system of its file.
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
}
