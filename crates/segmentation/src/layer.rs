//! Layers of the network. Values are stored by pixel, then by channel.

use half::f16;
use rayon::prelude::*;
use safetensors::SafeTensors;

/// A square grid of values.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) side: usize,
    pub(crate) channels: usize,
    pub(crate) values: Vec<f32>,
}

/// A convolution with its bias; batch normalization is folded into both.
pub(crate) struct Conv {
    /// By row and column of the kernel, input, output.
    weights: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
    kernel: usize,
    stride: usize,
    dilation: usize,
}

impl Conv {
    /// The convolution of a name.
    pub(crate) fn of(file: &SafeTensors<'_>, name: &str, stride: usize, dilation: usize) -> Self {
        let tensor = file.tensor(&format!("{name}.weight")).expect("a weight of the network");
        let &[kernel, _, inputs, outputs] = tensor.shape() else { panic!("{name} has four dimensions") };
        let halves = |bytes: &[u8]| bytes.chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32()).collect();
        let weights: Vec<f32> = halves(tensor.data());
        let bias = file.tensor(&format!("{name}.bias")).expect("a bias of the network");
        let bias: Vec<f32> =
            bias.data().chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        assert_eq!((weights.len(), bias.len()), (kernel * kernel * inputs * outputs, outputs), "{name}");
        Self { weights, bias, inputs, kernel, stride, dilation }
    }

    /// Channels of its output.
    pub(crate) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Convolves a grid, padded with zeros.
    pub(crate) fn apply(&self, grid: &Grid) -> Grid {
        let (outputs, side) = (self.outputs(), grid.side / self.stride);
        let mut values = vec![0.0; side * side * outputs];
        values.par_chunks_mut(side * outputs).enumerate().for_each(|(y, row)| self.row(grid, y, row));
        Grid { side, channels: outputs, values }
    }

    fn row(&self, grid: &Grid, y: usize, row: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs());
        let pad = self.kernel / 2 * self.dilation;
        for pixel in row.chunks_exact_mut(outputs) {
            pixel.copy_from_slice(&self.bias);
        }
        for ky in 0..self.kernel {
            let Some(v) = (y * self.stride + ky * self.dilation).checked_sub(pad).filter(|v| *v < grid.side) else {
                continue;
            };
            for kx in 0..self.kernel {
                let taps = &self.weights[(ky * self.kernel + kx) * inputs * outputs..][..inputs * outputs];
                for (x, pixel) in row.chunks_exact_mut(outputs).enumerate() {
                    let Some(u) = (x * self.stride + kx * self.dilation).checked_sub(pad).filter(|u| *u < grid.side)
                    else {
                        continue;
                    };
                    let from = &grid.values[(v * grid.side + u) * inputs..][..inputs];
                    for (value, taps) in from.iter().zip(taps.chunks_exact(outputs)) {
                        for (sum, tap) in pixel.iter_mut().zip(taps) {
                            *sum += value * tap;
                        }
                    }
                }
            }
        }
    }
}

/// A residual block: narrow, convolve, widen, add.
pub(crate) struct Residual([Conv; 3]);

impl Residual {
    pub(crate) fn of(file: &SafeTensors<'_>, name: &str, dilation: usize) -> Self {
        let part = |i: usize, dilation: usize| Conv::of(file, &format!("{name}.body.{i}"), 1, dilation);
        Self([part(0, 1), part(3, dilation), part(6, 1)])
    }

    pub(crate) fn apply(&self, grid: &Grid) -> Grid {
        let [narrow, middle, wide] = &self.0;
        let out = wide.apply(&middle.apply(&narrow.apply(grid).rectified()).rectified());
        grid.plus(&out).rectified()
    }
}

impl Grid {
    /// Negative values become zero.
    pub(crate) fn rectified(mut self) -> Self {
        self.values.iter_mut().for_each(|v| *v = v.max(0.0));
        self
    }

    /// The sum of two grids.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let values = self.values.iter().zip(&other.values).map(|(a, b)| a + b).collect();
        Self { values, ..*self }
    }

    /// The mean of each channel, as a grid of one pixel.
    pub(crate) fn mean(&self) -> Self {
        let mut values = vec![0.0; self.channels];
        for pixel in self.values.chunks_exact(self.channels) {
            values.iter_mut().zip(pixel).for_each(|(sum, v)| *sum += v);
        }
        let count = (self.side * self.side) as f32;
        values.iter_mut().for_each(|v| *v /= count);
        Self { side: 1, channels: self.channels, values }
    }

    /// Adds the only pixel of another grid to all pixels.
    pub(crate) fn plus_pixel(mut self, pixel: &Self) -> Self {
        for to in self.values.chunks_exact_mut(self.channels) {
            to.iter_mut().zip(&pixel.values).for_each(|(a, b)| *a += b);
        }
        self
    }

    /// Twice as large, by bilinear interpolation between pixel centers.
    pub(crate) fn doubled(&self) -> Self {
        let (side, n) = (self.side * 2, self.channels);
        let mut values = Vec::with_capacity(side * side * n);
        // Neighbors of an output row or column, the nearer one first.
        let near = |i: usize| {
            (i / 2, if i.is_multiple_of(2) { (i / 2).saturating_sub(1) } else { (i / 2 + 1).min(self.side - 1) })
        };
        let pixel = |x: usize, y: usize| &self.values[(y * self.side + x) * n..][..n];
        for y in 0..side {
            let (v0, v1) = near(y);
            for x in 0..side {
                let (u0, u1) = near(x);
                let (a, b, c, d) = (pixel(u0, v0), pixel(u1, v0), pixel(u0, v1), pixel(u1, v1));
                values.extend((0..n).map(|k| (a[k] * 0.75 + b[k] * 0.25) * 0.75 + (c[k] * 0.75 + d[k] * 0.25) * 0.25));
            }
        }
        Self { side, channels: n, values }
    }
}
