//! What a file says of its coordinate system.

/// A coordinate system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crs {
    /// Well-known text, or "EPSG:N", or "EPSG:N+M" with a height system, as `gdaltransform -s_srs` accepts it.
    pub definition: String,
}

/// Meters per unit of the coordinates.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Units {
    /// Of easting and northing; none if they are degrees or the file does not say.
    pub horizontal: Option<f64>,
    /// Of the height; none if the file does not say.
    pub vertical: Option<f64>,
}
