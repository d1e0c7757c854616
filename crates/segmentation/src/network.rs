//! The network: a residual encoder, and a decoder that adds finer layers step by step.

use safetensors::SafeTensors;

use crate::layer::{Conv, Grid, Residual};

/// Width and height of the input, pixels.
pub const INPUT_SIDE: usize = 160;
/// Number of classes.
pub const CLASSES: usize = 8;
/// Number of fine classes.
pub const FINE_CLASSES: usize = 17;
/// Number of kinds of edges.
pub(crate) const EDGES: usize = 3;
/// Outputs: fine classes, edges, the logarithm of the depth in camera heights, the normal.
pub(crate) const OUTPUTS: usize = FINE_CLASSES + EDGES + 1 + 3;

/// Trained weights: `training/rooms/train.sh` makes them.
pub(crate) const WEIGHTS: &[u8] = include_bytes!("../weights/rooms.safetensors");

/// The network with its weights.
pub struct Network {
    stem: Conv,
    quarter: (Conv, [Residual; 2]),
    eighth: (Conv, [Residual; 3]),
    sixteenth: (Conv, [Residual; 4]),
    context: Conv,
    from_sixteenth: Conv,
    from_eighth: Conv,
    from_quarter: Conv,
    from_stem: Conv,
    up_eighth: Residual,
    up_quarter: (Residual, Conv),
    up_half: Conv,
    out: Conv,
}

impl Network {
    pub(crate) fn builtin() -> Self {
        Self::new(WEIGHTS)
    }

    /// The network with the weights of a file that `training/rooms/export.py` wrote.
    ///
    /// # Panics
    /// If the file holds no weights of this network.
    #[must_use]
    pub fn new(file: &[u8]) -> Self {
        let file = SafeTensors::deserialize(file).expect("weights of the network");
        let file = &file;
        let conv = |name: &str, stride: usize| Conv::of(file, name, stride, 1);
        let residual = |name: &str, dilation: usize| Residual::of(file, name, dilation);
        let network = Self {
            stem: conv("stem.0", 2),
            quarter: (conv("quarter.0.0", 2), [residual("quarter.1", 1), residual("quarter.2", 1)]),
            eighth: (
                conv("eighth.0.0", 2),
                [residual("eighth.1", 1), residual("eighth.2", 1), residual("eighth.3", 2)],
            ),
            sixteenth: (
                conv("sixteenth.0.0", 2),
                [
                    residual("sixteenth.1", 1),
                    residual("sixteenth.2", 2),
                    residual("sixteenth.3", 4),
                    residual("sixteenth.4", 2),
                ],
            ),
            context: conv("context", 1),
            from_sixteenth: conv("from_sixteenth", 1),
            from_eighth: conv("from_eighth", 1),
            from_quarter: conv("from_quarter", 1),
            from_stem: conv("from_stem", 1),
            up_eighth: residual("up_eighth", 1),
            up_quarter: (residual("up_quarter.0", 1), conv("up_quarter.1", 1)),
            up_half: conv("up_half.0", 1),
            out: conv("out", 1),
        };
        assert_eq!(network.out.outputs(), OUTPUTS, "outputs of the network");
        network
    }

    /// Logits of classes and edges, the logarithm of the depth, and the normal, for each cell of the output.
    pub(crate) fn forward(&self, picture: &[[f32; 3]], aspect: f32) -> Vec<f32> {
        let at = |i: usize| (i as f32 + 0.5) / INPUT_SIDE as f32 * 2.0 - 1.0;
        let values = picture.iter().enumerate().flat_map(|(i, p)| {
            let [r, g, b] = p.map(|v| (v - 0.5) * 3.0);
            [r, g, b, at(i / INPUT_SIDE), at(i % INPUT_SIDE), aspect]
        });
        let input = Grid { side: INPUT_SIDE, channels: 6, values: values.collect() };
        let stage = |(conv, blocks): (&Conv, &[Residual]), from: &Grid| {
            blocks.iter().fold(conv.apply(from).rectified(), |grid, block| block.apply(&grid))
        };
        let half = self.stem.apply(&input).rectified();
        let quarter = stage((&self.quarter.0, &self.quarter.1), &half);
        let eighth = stage((&self.eighth.0, &self.eighth.1), &quarter);
        let deep = stage((&self.sixteenth.0, &self.sixteenth.1), &eighth);
        let context = self.context.apply(&deep.mean()).rectified();
        let deep = deep.plus_pixel(&context);
        let join = |low: &Grid, lateral: &Conv, fine: &Grid| low.doubled().plus(&lateral.apply(fine)).rectified();
        let y = self.from_sixteenth.apply(&deep);
        let y = self.up_eighth.apply(&join(&y, &self.from_eighth, &eighth));
        let y = self.up_quarter.1.apply(&self.up_quarter.0.apply(&join(&y, &self.from_quarter, &quarter)));
        let y = self.up_half.apply(&join(&y, &self.from_stem, &half)).rectified();
        self.out.apply(&y).values
    }
}
