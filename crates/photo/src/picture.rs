//! Image ready to be encoded.

/// sRGB image of 8 bits per channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green, blue, row by row.
    pub pixels: Vec<u8>,
}
