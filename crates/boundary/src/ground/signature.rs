//! Recognizes a picture by its coarse brightness, at any size and after re-encoding.

use serde::{Deserialize, Serialize};

use crate::Picture;

/// Cells along each side.
const SIDE: usize = 16;
/// Minimum correlation of the same picture. Other orientations of a property stay well below.
const SAME: f64 = 0.85;
/// Deviation of brightness, in levels, below which a picture is too plain to be recognized.
const PLAIN: f64 = 1.5;

/// Mean brightness of a picture in 16 by 16 cells; two hexadecimal digits each in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Signature([u8; SIDE * SIDE]);

impl Signature {
    /// The signature of a picture.
    #[must_use]
    pub fn of(picture: &Picture) -> Self {
        let luma = picture.image(SIDE, SIDE).luma();
        let mut cells = [0; SIDE * SIDE];
        for (cell, value) in cells.iter_mut().zip(&luma.values) {
            *cell = value.round().clamp(0.0, 255.0) as u8;
        }
        Self(cells)
    }

    /// Whether both are of the same picture, but for brightness and contrast.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        let mean = |s: &Self| s.0.iter().map(|v| f64::from(*v)).sum::<f64>() / (SIDE * SIDE) as f64;
        let (a, b) = (mean(self), mean(other));
        let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
        for (p, q) in self.0.iter().zip(&other.0) {
            let (p, q) = (f64::from(*p) - a, f64::from(*q) - b);
            aa += p * p;
            bb += q * q;
            ab += p * q;
        }
        let plain = (SIDE * SIDE) as f64 * PLAIN * PLAIN;
        if aa < plain && bb < plain { true } else { ab >= SAME * (aa * bb).sqrt() && ab > 0.0 }
    }
}

impl From<Signature> for String {
    fn from(signature: Signature) -> Self {
        signature.0.iter().map(|v| format!("{v:02x}")).collect()
    }
}

impl TryFrom<String> for Signature {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const MALFORMED: &str = "a signature has 512 hexadecimal digits";
        if text.len() != 2 * SIDE * SIDE || !text.is_ascii() {
            return Err(MALFORMED);
        }
        let mut cells = [0; SIDE * SIDE];
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| MALFORMED)?;
        }
        Ok(Self(cells))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_reads_as_it_was_written_and_nothing_else_is_one() {
        let signature = Signature(std::array::from_fn(|i| i as u8));
        let text = String::from(signature);
        assert_eq!(Signature::try_from(text.clone()), Ok(signature));
        assert!(Signature::try_from(text[2..].to_owned()).is_err());
        assert!(Signature::try_from(text.replace('f', "g")).is_err());
    }
}
