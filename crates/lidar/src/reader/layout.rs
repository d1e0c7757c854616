//! Layout of point records.

use las::raw;

use crate::error::LidarError;

/// Where the fields of a point record lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Number of the format, 0 to 10, without the bit for compression.
    pub(super) format: u8,
    /// Bytes of a record, extra bytes included.
    pub(super) length: usize,
    /// Whether flags and class use the layout of formats 6 to 10.
    pub(super) extended: bool,
    /// Offset of the GPS time.
    pub(super) gps: Option<usize>,
    /// Meters, feet or degrees per step.
    pub(super) scale: [f64; 3],
    /// Position of the number zero.
    pub(super) offset: [f64; 3],
}

/// Bytes of the records of each format without extra bytes.
const LENGTHS: [usize; 11] = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];
/// No scale or offset of a real file is larger.
const LARGEST: f64 = 1e12;

impl Layout {
    pub(super) fn of(header: &raw::Header) -> Result<Self, LidarError> {
        // LAZ sets bit 7 of the format.
        let format = header.point_data_record_format & 0b0011_1111;
        let shortest = *LENGTHS
            .get(usize::from(format))
            .ok_or_else(|| LidarError::Unsupported(format!("point format {format}; formats 0 to 10 are defined")))?;
        let length = usize::from(header.point_data_record_length);
        if length < shortest {
            let text = format!("point records have {length} bytes, and format {format} needs {shortest}");
            return Err(LidarError::damaged(text));
        }
        let scale = [header.x_scale_factor, header.y_scale_factor, header.z_scale_factor];
        let offset = [header.x_offset, header.y_offset, header.z_offset];
        let is_sound = |number: &f64| number.is_finite() && number.abs() < LARGEST;
        if !scale.iter().all(|number| is_sound(number) && *number != 0.0) || !offset.iter().all(is_sound) {
            return Err(LidarError::damaged(format!("scale {scale:?} and offset {offset:?} of the coordinates")));
        }
        let gps = match format {
            1 | 3..=5 => Some(20),
            6.. => Some(22),
            _ => None,
        };
        Ok(Self { format, length, extended: format >= 6, gps, scale, offset })
    }
}
