//! Downscaling in linear light with a Lanczos filter.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U16x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use rayon::prelude::*;

use crate::picture::Picture;
use aerie_math::color::{encoded, linear};

/// Scales the longer side down to `side` pixels; `None` if it is not longer.
pub(super) fn within(picture: &Picture, side: usize) -> Option<Picture> {
    let longest = picture.width.max(picture.height);
    if longest <= side || side == 0 {
        return None;
    }
    let scaled = |v: usize| ((v * side) as f64 / longest as f64).round().max(1.0) as usize;
    let (width, height) = (scaled(picture.width), scaled(picture.height));
    // 16 bits of linear light resolve the dark steps of 8-bit sRGB.
    let light: Vec<U16x3> = picture
        .pixels
        .par_chunks(3)
        .map(|p| {
            let light = linear([p[0], p[1], p[2]].map(|v| u16::from(v) * 257));
            U16x3::new(light.map(|v| (v * 65_535.0 + 0.5) as u16))
        })
        .collect();
    let source = TypedImageRef::new(picture.width as u32, picture.height as u32, &light).ok()?;
    let mut target = TypedImage::<U16x3>::new(width as u32, height as u32);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    // `resize` would compile the resampling of every pixel type: a minute and more of a release build.
    Resizer::new().resize_typed(&source, &mut target, &options).ok()?;
    let pixels = target
        .pixels()
        .par_iter()
        .flat_map_iter(|p| {
            let light = p.0.map(|v| f32::from(v) / 65_535.0);
            encoded(light).map(|v| ((u32::from(v) + 128) / 257) as u8)
        })
        .collect();
    Some(Picture { width, height, pixels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_scaled_down_but_never_up() {
        let picture = Picture { width: 300, height: 200, pixels: vec![128; 300 * 200 * 3] };
        let small = within(&picture, 150).unwrap();
        assert_eq!((small.width, small.height), (150, 100));
        assert!(small.pixels.iter().all(|v| *v == 128));
        assert!(within(&picture, 300).is_none() && within(&picture, 4000).is_none());
    }

    #[test]
    fn light_is_averaged_in_linear_space() {
        let pixels = (0..64 * 64).flat_map(|i| [if (i % 64 + i / 64) % 2 == 0 { 255 } else { 0 }; 3]).collect();
        let small = within(&Picture { width: 64, height: 64, pixels }, 16).unwrap();
        // Half the light is 188 in sRGB, not 128.
        let middle = small.pixels[3 * (8 * 16 + 8)];
        assert!((184..=192).contains(&middle), "{middle}");
    }
}
