//! Point records as they lie in a file.

use super::layout::Layout;

/// A point of a point cloud.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Position in the file's coordinate system.
    pub at: [f64; 3],
    /// Class (2 ground, 3 to 5 vegetation, 6 building, 9 water).
    pub class: u8,
    /// Which echo of its pulse it is; 1 is the first.
    pub return_number: u8,
    /// Number of echoes of its pulse.
    pub number_of_returns: u8,
}

impl Point {
    /// Whether this is the last echo of its pulse.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.return_number >= self.number_of_returns
    }
}

/// Low and high noise.
const NOISE: [u8; 2] = [7, 18];
/// Points of overlapping flight lines that the producer set aside.
const OVERLAP: u8 = 12;

/// The point of a record; none if it is withheld, noise or set aside.
pub(super) fn decode(record: &[u8], layout: &Layout) -> Option<Point> {
    let (returns, count, class, withheld) = if layout.extended {
        (record[14] & 15, record[14] >> 4, record[16], record[15] & 4 != 0)
    } else {
        (record[14] & 7, record[14] >> 3 & 7, record[15] & 31, record[15] & 128 != 0)
    };
    if withheld || NOISE.contains(&class) || class == OVERLAP {
        return None;
    }
    Some(Point { at: position(record, layout), class, return_number: returns, number_of_returns: count })
}

/// Position of a record.
pub(super) fn position(record: &[u8], layout: &Layout) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let bytes = &record[axis * 4..axis * 4 + 4];
        let number = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        f64::from(number) * layout.scale[axis] + layout.offset[axis]
    })
}

/// GPS time of a record, where its format has one.
pub(super) fn gps_time(record: &[u8], layout: &Layout) -> Option<f64> {
    let at = layout.gps?;
    record.get(at..at + 8)?.try_into().ok().map(f64::from_le_bytes)
}
