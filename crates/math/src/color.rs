//! sRGB, linear light and CIE L*a*b* (D65). IEC 61966-2-1; CIE 15.

use std::sync::OnceLock;

const STEPS: usize = 65_536;

/// Nearest index of a table for a value from 0 to 1, clamped.
fn step(value: f32) -> usize {
    // Floats of this magnitude are integers: the sum rounds, and its low bits are the index.
    const WHOLE: f32 = 8_388_608.0;
    let place = value * 65_535.0;
    let place = if place > 0.0 { place } else { 0.0 };
    let place = if place < 65_535.0 { place } else { 65_535.0 };
    (place + WHOLE).to_bits() as usize & (STEPS - 1)
}

/// Luminance of linear sRGB, 0 to 1.
#[must_use]
pub fn luminance(rgb: [f32; 3]) -> f32 {
    0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
}

/// Decodes an sRGB pixel to linear light.
#[must_use]
pub fn linear(pixel: [u16; 3]) -> [f32; 3] {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let decoded = |i| {
            let v = i as f32 / 65_535.0;
            if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        (0..STEPS).map(decoded).collect()
    });
    pixel.map(|v| table[usize::from(v)])
}

/// Encodes linear light as sRGB, clamped.
#[must_use]
pub fn encoded(rgb: [f32; 3]) -> [u16; 3] {
    static TABLE: OnceLock<Vec<u16>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let encoded = |i| {
            let v = i as f32 / 65_535.0;
            let e = if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
            (e * 65_535.0).round() as u16
        };
        (0..STEPS).map(encoded).collect()
    });
    rgb.map(|v| table[step(v)])
}

/// L* (0 to 100) of a luminance from 0 to 1, from a table.
#[must_use]
pub fn lightness(luminance: f32) -> f32 {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    let table = TABLE.get_or_init(|| (0..STEPS).map(|i| exact_lightness(i as f32 / 65_535.0)).collect());
    table[step(luminance)]
}

/// L* of any luminance, also above 1.
#[must_use]
pub fn exact_lightness(luminance: f32) -> f32 {
    116.0 * f(luminance) - 16.0
}

/// Luminance of an L*.
#[must_use]
pub fn luminance_of(lightness: f32) -> f32 {
    if lightness <= 8.0 { lightness / 903.3 } else { ((lightness + 16.0) / 116.0).powi(3) }
}

/// L*, a*, b* of linear sRGB.
#[must_use]
pub fn lab(rgb: [f32; 3]) -> [f32; 3] {
    let [r, g, b] = rgb;
    let x = f((0.412_456_4 * r + 0.357_576_1 * g + 0.180_437_5 * b) / 0.950_47);
    let y = f(luminance(rgb));
    let z = f((0.019_333_9 * r + 0.119_192 * g + 0.950_304_1 * b) / 1.088_83);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn f(t: f32) -> f32 {
    if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_inverts_decoding_to_half_an_8_bit_step() {
        for v in 0..=u16::MAX {
            let there_and_back = encoded(linear([v; 3]))[0];
            assert!(there_and_back.abs_diff(v) <= 128, "{v} became {there_and_back}");
        }
    }

    #[test]
    fn out_of_range_light_is_clamped() {
        assert_eq!(encoded([-1.0, 2.0, 1.0]), [0, u16::MAX, u16::MAX]);
    }

    #[test]
    fn white_is_neutral_and_full() {
        let [l, a, b] = lab([1.0; 3]);
        assert!((l - 100.0).abs() < 0.1 && a.abs() < 0.1 && b.abs() < 0.1, "{l} {a} {b}");
    }
}
