//! Cosine transform of blocks of 8 x 8 pixels.

/// Pixels across and down a block.
pub(crate) const SIDE: usize = 8;

/// Orthonormal cosine transform of a block; the result is transposed, as [`inverse`] expects it.
pub(crate) fn forward(block: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE] {
    transformed(&transposed(&transformed(block)))
}

/// Inverse of [`forward`].
pub(crate) fn inverse(block: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE] {
    restored(&transposed(&restored(block)))
}

/// Halves of the cosines of the even and odd rows of the transform (cos(k pi / 16) / 2; the first row over the square root of 8).
const EVEN: [[f32; 4]; 4] = [
    [0.353_553_4; 4],
    [0.461_939_77, 0.191_341_72, -0.191_341_72, -0.461_939_77],
    [0.353_553_4, -0.353_553_4, -0.353_553_4, 0.353_553_4],
    [0.191_341_72, -0.461_939_77, 0.461_939_77, -0.191_341_72],
];
const ODD: [[f32; 4]; 4] = [
    [0.490_392_64, 0.415_734_8, 0.277_785_12, 0.097_545_16],
    [0.415_734_8, -0.097_545_16, -0.490_392_64, -0.277_785_12],
    [0.277_785_12, -0.490_392_64, 0.097_545_16, 0.415_734_8],
    [0.097_545_16, -0.277_785_12, 0.415_734_8, -0.490_392_64],
];

/// Transforms all columns.
fn transformed(block: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE] {
    let mut out = [[0.0_f32; SIDE]; SIDE];
    for i in 0..4 {
        for n in 0..4 {
            for x in 0..SIDE {
                out[2 * i][x] += EVEN[i][n] * (block[n][x] + block[7 - n][x]);
                out[2 * i + 1][x] += ODD[i][n] * (block[n][x] - block[7 - n][x]);
            }
        }
    }
    out
}

/// Inverse of [`transformed`].
fn restored(block: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE] {
    let mut out = [[0.0_f32; SIDE]; SIDE];
    for n in 0..4 {
        let (mut even, mut odd) = ([0.0_f32; SIDE], [0.0_f32; SIDE]);
        for i in 0..4 {
            for x in 0..SIDE {
                even[x] += EVEN[i][n] * block[2 * i][x];
                odd[x] += ODD[i][n] * block[2 * i + 1][x];
            }
        }
        for x in 0..SIDE {
            out[n][x] = even[x] + odd[x];
            out[7 - n][x] = even[x] - odd[x];
        }
    }
    out
}

fn transposed(block: &[[f32; SIDE]; SIDE]) -> [[f32; SIDE]; SIDE] {
    std::array::from_fn(|y| std::array::from_fn(|x| block[x][y]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_restored_and_its_energy_is_that_of_its_coefficients() {
        let block: [[f32; SIDE]; SIDE] =
            std::array::from_fn(|y| std::array::from_fn(|x| ((x * 37 + y * 91) % 50) as f32));
        let coefficients = forward(&block);
        let energy = |b: &[[f32; SIDE]; SIDE]| b.as_flattened().iter().map(|v| v * v).sum::<f32>();
        assert!((energy(&coefficients) / energy(&block) - 1.0).abs() < 1e-5);
        for (a, b) in inverse(&coefficients).as_flattened().iter().zip(block.as_flattened()) {
            assert!((a - b).abs() < 1e-3, "{a} {b}");
        }
    }
}
