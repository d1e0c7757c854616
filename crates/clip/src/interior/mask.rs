//! Masks on a grid of pixels: grown, and in connected parts.

/// A mask grown by so many pixels in each direction.
pub(super) fn grown(mask: &[bool], width: usize, by: usize) -> Vec<bool> {
    let height = mask.len() / width;
    let along = |mask: &[bool], is_down: bool| -> Vec<bool> {
        let any = |i: usize| {
            let (at, most) = if is_down { (i / width, height) } else { (i % width, width) };
            let step = if is_down { width } else { 1 };
            (at.saturating_sub(by)..(at + by + 1).min(most)).any(|other| mask[i - at * step + other * step])
        };
        (0..mask.len()).map(any).collect()
    };
    along(&along(mask, false), true)
}

/// The connected parts of a mask, by the pixels that are near each, in the order of their first pixels, which come first.
pub(super) fn parts<I: IntoIterator<Item = usize>>(mask: &[bool], near: impl Fn(usize) -> I) -> Vec<Vec<usize>> {
    let mut is_met = vec![false; mask.len()];
    let mut parts = Vec::new();
    for start in (0..mask.len()).filter(|i| mask[*i]) {
        if is_met[start] {
            continue;
        }
        is_met[start] = true;
        let (mut part, mut next) = (vec![start], 0);
        while next < part.len() {
            for j in near(part[next]) {
                if mask[j] && !is_met[j] {
                    is_met[j] = true;
                    part.push(j);
                }
            }
            next += 1;
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 6;

    #[test]
    fn a_mask_grows_to_all_sides_and_not_around_the_edges() {
        let mut mask = vec![false; 4 * WIDTH];
        mask[WIDTH + 5] = true;
        let grown = grown(&mask, WIDTH, 1);
        let is_near = |i: usize| i % WIDTH >= 4 && i / WIDTH <= 2;
        assert!((0..mask.len()).all(|i| grown[i] == is_near(i)), "{grown:?}");
    }

    #[test]
    fn parts_are_those_that_touch_by_what_is_near() {
        let mask: Vec<bool> = [1, 1, 0, 1, 0, 1].map(|v| v == 1).to_vec();
        let beside = |reach: usize| move |i: usize| i.saturating_sub(reach)..(i + reach + 1).min(WIDTH);
        assert_eq!(parts(&mask, beside(1)), [vec![0, 1], vec![3], vec![5]]);
        assert_eq!(parts(&mask, beside(2)).len(), 1);
    }
}
