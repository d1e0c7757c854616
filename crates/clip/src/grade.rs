//! Color grades of a whole clip, including the frame of the photo.

use aerie_math::color;
use aerie_photo::{Layers, Photo};
use rayon::prelude::*;

/// A look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// As from a low sun.
    Warm,
    /// As from an open sky.
    Cool,
    /// More contrast, deeper color.
    Vivid,
    /// Less contrast, lifted shadows.
    Soft,
}

/// Parameters of a grade.
struct Tones {
    /// Factors on linear red, green and blue, before luminance is put back.
    balance: [f32; 3],
    /// Strength of the S-shaped curve; negative flattens.
    contrast: f32,
    /// Factor on the distance from gray.
    color: f32,
}

impl Grade {
    fn tones(self) -> Tones {
        match self {
            Grade::Warm => Tones { balance: [1.09, 1.0, 0.86], contrast: 0.06, color: 1.02 },
            Grade::Cool => Tones { balance: [0.92, 1.0, 1.10], contrast: 0.06, color: 0.98 },
            Grade::Vivid => Tones { balance: [1.0; 3], contrast: 0.22, color: 1.12 },
            Grade::Soft => Tones { balance: [1.02, 1.0, 0.98], contrast: -0.20, color: 0.94 },
        }
    }

    /// The photo in this look. Black stays black and white white.
    #[must_use]
    pub fn applied(self, photo: &Photo) -> Photo {
        let tones = self.tones();
        let pixels = photo.pixels.par_iter().map(|pixel| tones.of(*pixel)).collect();
        Photo { pixels, ..photo.clone() }
    }

    /// The layers of a picture in this look.
    #[must_use]
    pub fn applied_to_layers(self, mut layers: Layers) -> Layers {
        let tones = self.tones();
        let of = |rgb: [u8; 3]| tones.of(rgb.map(|v| u16::from(v) * 257)).map(|v| (v / 257) as u8);
        layers.room.par_iter_mut().filter(|rgb| **rgb != [0; 3]).for_each(|rgb| *rgb = of(*rgb).map(|v| v.max(1)));
        for body in &mut layers.bodies {
            body.pixels.par_iter_mut().for_each(|[r, g, b, _]| [*r, *g, *b] = of([*r, *g, *b]));
        }
        layers
    }
}

impl Tones {
    fn of(&self, pixel: [u16; 3]) -> [u16; 3] {
        let light = color::linear(pixel);
        let was = color::luminance(light);
        let balanced = [0, 1, 2].map(|c| light[c] * self.balance[c]);
        // The balance changes the color, not how bright it is; near white it fades, lest walls clip to a tint.
        let keep = was / color::luminance(balanced).max(1e-6);
        let fade = (1.0 - was).clamp(0.0, 1.0).sqrt();
        let mixed = [0, 1, 2].map(|c| light[c] + (balanced[c] * keep - light[c]) * fade);
        let shown = color::encoded(mixed).map(|v| f32::from(v) / 65535.0);
        let gray = 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2];
        // A cubic that leaves 0, a half and 1 where they are.
        let curve = |v: f32| v + self.contrast * v * (1.0 - v) * (2.0 * v - 1.0);
        let target = curve(gray);
        shown.map(|v| {
            let value = target + (v - gray) * self.color * (target / gray.max(0.02)).clamp(0.8, 1.2);
            (value.clamp(0.0, 1.0) * 65535.0).round() as u16
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Grade; 4] = [Grade::Warm, Grade::Cool, Grade::Vivid, Grade::Soft];

    fn graded(grade: Grade, rgb: [u16; 3]) -> [f32; 3] {
        let photo = Photo::new(1, 1, vec![rgb.map(|v| v * 257)]);
        grade.applied(&photo).pixels[0].map(|v| f32::from(v) / 257.0)
    }

    #[test]
    fn black_stays_black_and_white_stays_white() {
        for grade in ALL {
            assert!(graded(grade, [0; 3]).iter().all(|v| *v < 0.5), "{grade:?}");
            assert!(graded(grade, [255; 3]).iter().all(|v| *v > 254.0), "{grade:?}");
        }
    }

    #[test]
    fn each_look_does_what_its_name_says() {
        let tint = |grade: Grade| {
            let [r, _, b] = graded(grade, [128; 3]);
            r - b
        };
        assert!(tint(Grade::Warm) > 8.0 && tint(Grade::Cool) < -8.0 && tint(Grade::Vivid).abs() < 0.1);
        let span = |grade: Grade| graded(grade, [190; 3])[1] - graded(grade, [60; 3])[1];
        assert!(span(Grade::Vivid) > 133.0 && span(Grade::Soft) < 127.0);
    }

    #[test]
    fn brighter_stays_brighter_so_that_nothing_is_turned_inside_out() {
        for grade in ALL {
            let grays: Vec<f32> = (0..=255).map(|v| graded(grade, [v; 3])[1]).collect();
            assert!(grays.windows(2).all(|w| w[1] >= w[0]), "{grade:?}");
        }
    }
}
