//! What the header of a file says.

use las::raw;

use super::records::Records;
use crate::crs::{Crs, Units};
use crate::error::LidarError;

/// Header of a point cloud file.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Lowest and highest coordinates.
    pub bounds: [[f64; 3]; 2],
    /// Year of the flight where the points are dated, else of the file.
    pub year: Option<u16>,
    /// Whether `year` is that of the flight.
    pub is_flight_year: bool,
    /// Coordinate system, where the file states a usable one.
    pub crs: Option<Crs>,
    /// Units of the coordinates.
    pub unit_to_meters: Units,
}

/// Number of points whose times are looked at.
pub(super) const DATED_POINTS: usize = 1000;
/// Seconds between the start of GPS time and that of "adjusted standard" time.
const ADJUSTMENT: f64 = 1e9;
/// Times within a week are seconds of an unknown week.
const WEEK: f64 = 604_800.0;
const SECONDS_PER_YEAR: f64 = 31_556_952.0;
/// GPS time starts on January 6, 1980.
const START: f64 = 1980.0 + 5.0 / 365.25;

impl Header {
    pub(super) fn of(raw: &raw::Header, records: &Records) -> Result<Self, LidarError> {
        let bounds = [[raw.min_x, raw.min_y, raw.min_z], [raw.max_x, raw.max_y, raw.max_z]];
        if !bounds.iter().flatten().all(|part| part.is_finite()) {
            return Err(LidarError::damaged(format!("the bounds are {bounds:?}")));
        }
        let is_wkt = raw.global_encoding & 16 != 0;
        let (crs, unit_to_meters) = crate::crs::read(
            records.wkt.as_deref(),
            records.geo_keys.as_deref(),
            records.geo_doubles.as_deref(),
            is_wkt,
        );
        let year = raw.file_creation_year;
        Ok(Self {
            bounds,
            year: (1990..2200).contains(&year).then_some(year),
            is_flight_year: false,
            crs,
            unit_to_meters,
        })
    }

    /// Sets the year from the median of some times, if they are clearly adjusted standard GPS times: not within a week, and not later
    /// than the file.
    pub(super) fn set_flight_year(&mut self, times: &mut [f64]) {
        times.sort_by(f64::total_cmp);
        let Some(&median) = times.get(times.len() / 2) else { return };
        let year = START + (median + ADJUSTMENT) / SECONDS_PER_YEAR;
        let is_week_time = (0.0..=WEEK).contains(&median);
        let last = self.year.map_or(2200.0, f64::from) + 1.0;
        if !is_week_time && year >= 1995.0 && year < last {
            self.year = Some(year as u16);
            self.is_flight_year = true;
        }
    }
}

/// Number of points of a file. The 64-bit count of LAS 1.4 counts where the old one is zero, as it must be for new point formats.
pub(super) fn point_count(raw: &raw::Header) -> u64 {
    match (raw.number_of_point_records, &raw.large_file) {
        (0, Some(large)) => large.number_of_point_records,
        (count, _) => u64::from(count),
    }
}
