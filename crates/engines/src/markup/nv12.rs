//! Rotates, halves and grades square pictures.

use aerie_render::still;

use super::framing::PICTURE;

/// Rotates a square NV12 picture a quarter turn clockwise.
pub(super) fn turned(nv12: &[u8], side: usize) -> Vec<u8> {
    let (luma, chroma) = nv12.split_at(side * side);
    let half = side / 2;
    let mut out = Vec::with_capacity(nv12.len());
    for y in 0..side {
        out.extend((0..side).map(|x| luma[(side - 1 - x) * side + y]));
    }
    for y in 0..half {
        for x in 0..half {
            let from = ((half - 1 - x) * half + y) * 2;
            out.extend(&chroma[from..from + 2]);
        }
    }
    out
}

/// Converts RGBA rows of the size of [`PICTURE`] to NV12; ignores the opacity.
pub(super) fn from_rgba(rgba: &[u8]) -> Vec<u8> {
    let rgb: Vec<[f32; 3]> = rgba.as_chunks().0.iter().map(|[r, g, b, _]| [*r, *g, *b].map(f32::from)).collect();
    still::nv12_from_rgb(PICTURE, &rgb)
}

/// Halves the size of RGB rows.
pub(super) fn halved(rgb: &[u8], side: usize) -> Vec<u8> {
    let half = side / 2;
    let mut out = Vec::with_capacity(half * half * 3);
    for y in 0..half {
        for x in 0..half {
            for c in 0..3 {
                let at = |dx: usize, dy: usize| u16::from(rgb[((2 * y + dy) * side + 2 * x + dx) * 3 + c]);
                out.push(((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4) as u8);
            }
        }
    }
    out
}

/// Adds a little contrast and color to RGB rows, and sharpens them by an unsharp mask of one pixel.
pub(super) fn graded(rgb: &[u8], side: usize) -> Vec<u8> {
    let luma: Vec<f32> = rgb
        .chunks_exact(3)
        .map(|p| 0.2126 * f32::from(p[0]) + 0.7152 * f32::from(p[1]) + 0.0722 * f32::from(p[2]))
        .collect();
    let mut out = Vec::with_capacity(rgb.len());
    for y in 0..side {
        let rows = [y.saturating_sub(1), y, (y + 1).min(side - 1)];
        for x in 0..side {
            let columns = [x.saturating_sub(1), x, (x + 1).min(side - 1)];
            let sum: f32 = rows.iter().map(|v| columns.iter().map(|u| luma[v * side + u]).sum::<f32>()).sum();
            let at = y * side + x;
            let sharper = (luma[at] + 0.55 * (luma[at] - sum / 9.0)).clamp(0.0, 255.0) / 255.0;
            // A gentle S: its slope is 1.09 in the middle.
            let curved = 255.0 * (sharper + 0.09 * sharper * (1.0 - sharper) * (2.0 * sharper - 1.0) * 2.0);
            for c in 0..3 {
                let color = (f32::from(rgb[at * 3 + c]) - luma[at]) * 1.08;
                out.push((curved + color).round().clamp(0.0, 255.0) as u8);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::framing::SIDE;
    use super::*;

    #[test]
    fn four_quarter_turns_are_none_and_one_moves_the_bottom_to_the_left() {
        let side = 8;
        let nv12: Vec<u8> = (0..side * side * 3 / 2).map(|v| v as u8).collect();
        let mut all = nv12.clone();
        (0..4).for_each(|_| all = turned(&all, side));
        assert_eq!(all, nv12);
        let once = turned(&nv12, side);
        // Bottom row, third from the left: goes to the left column, third from the top.
        assert_eq!(once[2 * side], nv12[7 * side + 2]);
        let chroma = side * side;
        assert_eq!(once[chroma + 4 * 2..chroma + 4 * 2 + 2], nv12[chroma + (3 * 4 + 1) * 2..][..2]);
    }

    #[test]
    fn colors_come_back_from_nv12_as_they_were() {
        for color in [[255_u8, 255, 255], [0, 0, 0], [250, 30, 20], [40, 90, 30], [10, 60, 220]] {
            let rgba: Vec<u8> = [color[0], color[1], color[2], 255].repeat((SIDE * SIDE) as usize);
            let back = still::rgb_from_nv12(PICTURE, &from_rgba(&rgba));
            assert!(back[..3].iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 3), "{color:?} became {:?}", &back[..3]);
        }
    }

    #[test]
    fn grading_keeps_flat_grays_close_and_black_and_white_as_they_are() {
        for v in [0_u8, 64, 128, 200, 255] {
            let out = graded(&[v; 48], 4);
            assert!(out.iter().all(|o| o.abs_diff(v) <= 6), "{v} became {}", out[0]);
        }
        assert_eq!(graded(&[255; 48], 4), [255; 48]);
    }
}
