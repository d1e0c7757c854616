//! Semantic segmentation of photos of rooms: floor, walls, ceiling, windows, doors, fixtures, furniture, and the edges between the
//! planes of the room. Weights with further outputs also tell apart what is outdoors, and give depth and surface normals.
//!
//! A convolutional network of 0.7 million parameters, trained on imagined rooms alone (`training/rooms/README.md`). The forward
//! pass is plain Rust in a fixed order of operations without fused multiply-add, so that the same picture gives the same bits on every
//! machine, whatever the number of threads.
mod class;
mod layer;
mod network;

use std::sync::LazyLock;

pub use class::{Class, Edge, FineClass};
pub use network::{CLASSES, FINE_CLASSES, INPUT_SIDE, Network};
use network::{EDGES, FINE_OUTPUTS, OUTPUTS};

/// Width and height of the output.
pub const SIDE: usize = INPUT_SIDE / 2;

/// Class and edge probabilities on a square grid that covers the photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Segmentation {
    classes: Vec<[f32; CLASSES]>,
    edges: Vec<[f32; EDGES]>,
    /// Of weights that have them.
    further: Option<Further>,
}

#[derive(Debug, Clone, PartialEq)]
struct Further {
    classes: Vec<[f32; FINE_CLASSES]>,
    /// Logarithm of the depth in camera heights.
    depths: Vec<[f32; 1]>,
    normals: Vec<[f32; 3]>,
}

static NETWORK: LazyLock<Network> = LazyLock::new(Network::builtin);

impl Segmentation {
    /// Segments a photo that was squeezed to [`INPUT_SIDE`] by [`INPUT_SIDE`] pixels: red, green and blue, sRGB-encoded, 0 to 1.
    /// `aspect` is its width over its height before.
    ///
    /// # Panics
    /// If the picture has another size.
    #[must_use]
    pub fn of(picture: &[[f32; 3]], aspect: f64) -> Self {
        Self::with(&NETWORK, picture, aspect)
    }

    /// Segments a photo with other weights.
    ///
    /// # Panics
    /// If the picture has another size.
    #[must_use]
    pub fn with(network: &Network, picture: &[[f32; 3]], aspect: f64) -> Self {
        assert_eq!(picture.len(), INPUT_SIDE * INPUT_SIDE, "pixels of the input");
        let output = network.forward(picture, libm::log(aspect) as f32);
        let edge = |x: f32| 1.0 / (1.0 + libm::expf(-x));
        if network.outputs() == OUTPUTS {
            let cells = output.as_chunks::<OUTPUTS>().0;
            let classes = cells.iter().map(|v| softmax::<CLASSES>(std::array::from_fn(|i| v[i]))).collect();
            let edges = cells.iter().map(|v| std::array::from_fn(|i| edge(v[CLASSES + i]))).collect();
            return Self { classes, edges, further: None };
        }
        let cells = output.as_chunks::<FINE_OUTPUTS>().0;
        let fine: Vec<[f32; FINE_CLASSES]> = cells.iter().map(|v| softmax(std::array::from_fn(|i| v[i]))).collect();
        let from = |v: &[f32; FINE_OUTPUTS], i: usize| v[FINE_CLASSES + i];
        Self {
            classes: fine.iter().map(class::summed).collect(),
            edges: cells.iter().map(|v| std::array::from_fn(|i| edge(from(v, i)))).collect(),
            further: Some(Further {
                classes: fine,
                depths: cells.iter().map(|v| [from(v, EDGES)]).collect(),
                normals: cells.iter().map(|v| std::array::from_fn(|i| from(v, EDGES + 1 + i))).collect(),
            }),
        }
    }

    /// Probability of a class at a point given as shares of the width and the height, by bilinear interpolation.
    #[must_use]
    pub fn class(&self, class: Class, at: [f64; 2]) -> f32 {
        interpolated(&self.classes, at, class as usize)
    }

    /// Probability of a fine class at a point; `None` if the weights know none.
    #[must_use]
    pub fn fine_class(&self, class: FineClass, at: [f64; 2]) -> Option<f32> {
        self.further.as_ref().map(|f| interpolated(&f.classes, at, class as usize))
    }

    /// Probabilities of all fine classes in each cell, in the order of [`FineClass::ALL`]; `None` if the weights know none.
    #[must_use]
    pub fn fine_classes(&self) -> Option<&[[f32; FINE_CLASSES]]> {
        self.further.as_ref().map(|f| f.classes.as_slice())
    }

    /// Depth along the optical axis at a point, in heights of the camera above the ground or floor; `None` if the weights do not give
    /// it. The ratio of two depths is more accurate than either: the unit is a guess where no ground is in view. It means nothing
    /// in the sky, and is that of the pane at a window.
    #[must_use]
    pub fn depth(&self, at: [f64; 2]) -> Option<f32> {
        self.further.as_ref().map(|f| libm::expf(interpolated(&f.depths, at, 0)))
    }

    /// Unit normal of the surface at a point, toward the camera, in camera axes: X to the right, Y down, Z forward. `None` if the
    /// weights do not give it, or it is undetermined.
    #[must_use]
    pub fn normal(&self, at: [f64; 2]) -> Option<[f32; 3]> {
        let f = self.further.as_ref()?;
        let n: [f32; 3] = std::array::from_fn(|i| interpolated(&f.normals, at, i));
        let length = libm::sqrtf(n.iter().map(|v| v * v).sum());
        (length > 1e-3).then(|| n.map(|v| v / length))
    }

    /// Probability of an edge at a point.
    #[must_use]
    pub fn edge(&self, edge: Edge, at: [f64; 2]) -> f32 {
        interpolated(&self.edges, at, edge as usize)
    }

    /// Probabilities of all classes in each cell, [`SIDE`] by [`SIDE`], row by row.
    #[must_use]
    pub fn classes(&self) -> &[[f32; CLASSES]] {
        &self.classes
    }

    /// Share of the photo whose most probable class this is.
    #[must_use]
    pub fn share(&self, class: Class) -> f32 {
        let count = self.classes.iter().filter(|c| most_probable(c) == class as usize).count();
        count as f32 / self.classes.len() as f32
    }
}

/// Index of the greatest probability.
#[must_use]
pub fn most_probable(classes: &[f32; CLASSES]) -> usize {
    (0..CLASSES).max_by(|a, b| classes[*a].total_cmp(&classes[*b])).unwrap_or(0)
}

fn softmax<const N: usize>(v: [f32; N]) -> [f32; N] {
    let top = v.into_iter().fold(f32::MIN, f32::max);
    let e = v.map(|x| libm::expf(x - top));
    let sum: f32 = e.iter().sum();
    e.map(|x| x / sum)
}

fn interpolated<const N: usize>(cells: &[[f32; N]], [x, y]: [f64; 2], channel: usize) -> f32 {
    let most = SIDE as f64 - 1.0;
    let (x, y) = ((x * SIDE as f64 - 0.5).clamp(0.0, most), (y * SIDE as f64 - 0.5).clamp(0.0, most));
    let (i, j) = ((x as usize).min(SIDE - 2), (y as usize).min(SIDE - 2));
    let (u, v) = ((x - i as f64) as f32, (y - j as f64) as f32);
    let at = |i: usize, j: usize| cells[j * SIDE + i][channel];
    let top = at(i, j) * (1.0 - u) + at(i + 1, j) * u;
    let bottom = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u;
    top * (1.0 - v) + bottom * v
}

#[cfg(test)]
mod tests {
    use safetensors::SafeTensors;

    use super::*;

    /// A room drawn with three tones: ceiling above, wall between, floor below.
    fn picture() -> Vec<[f32; 3]> {
        let tone = |i: usize| match (i / INPUT_SIDE) as f32 / INPUT_SIDE as f32 {
            y if y < 0.2 => [0.95, 0.95, 0.94],
            y if y < 0.55 => [0.78, 0.77, 0.74],
            _ => [0.48 + 0.02 * (i % 7) as f32 / 7.0, 0.34, 0.22],
        };
        (0..INPUT_SIDE * INPUT_SIDE).map(tone).collect()
    }

    #[test]
    fn the_same_picture_gives_the_same_bits_on_one_thread_and_on_many() {
        let many = Segmentation::of(&picture(), 1.5);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let one = pool.install(|| Segmentation::of(&picture(), 1.5));
        let bits = |s: &Segmentation| s.classes().iter().flatten().map(|v| v.to_bits()).collect::<Vec<u32>>();
        assert_eq!(bits(&many), bits(&one));
    }

    #[test]
    fn a_brown_floor_below_a_pale_wall_is_seen_as_floor() {
        let seen = Segmentation::of(&picture(), 1.5);
        assert!(seen.class(Class::Floor, [0.5, 0.9]) > 0.8 && seen.class(Class::Floor, [0.5, 0.4]) < 0.2);
        assert!((0.3..0.6).contains(&seen.share(Class::Floor)), "{}", seen.share(Class::Floor));
    }

    #[test]
    fn probabilities_of_a_cell_add_up_to_one() {
        let seen = Segmentation::of(&picture(), 0.7);
        assert!(seen.classes().iter().all(|c| (c.iter().sum::<f32>() - 1.0).abs() < 1e-5));
    }

    /// The weights with fine classes that say the same as those of the crate: the eight outdoors share one class's logits, the
    /// depth is 2 and the normals look back everywhere.
    fn fine_weights() -> Vec<u8> {
        let file = SafeTensors::deserialize(network::WEIGHTS).unwrap();
        let old_bias: Vec<f32> = floats(file.tensor("out.bias").unwrap().data());
        let source = |row: usize| match row {
            0..7 => Some((row, 0.0)),
            7..15 => Some((7, 8.0_f32.ln())),
            15 => Some((2, 60.0)),
            16 => Some((6, 60.0)),
            17..20 => Some((row - 9, 0.0)),
            _ => None,
        };
        let constant = |row: usize| [2.0_f32.ln(), 0.0, 0.0, -3.0][row - 20];
        let (mut header, mut data) = (String::from("{"), Vec::new());
        for (name, tensor) in file.tensors() {
            let mut shape = tensor.shape().to_vec();
            let mut bytes = tensor.data().to_vec();
            if name == "out.bias" {
                let new = (0..24).map(|row| source(row).map_or_else(|| constant(row), |(k, less)| old_bias[k] - less));
                bytes = new.flat_map(f32::to_le_bytes).collect();
                shape = vec![24];
            } else if name == "out.weight" {
                let rows = bytes.chunks_exact(2 * old_bias.len());
                bytes = rows
                    .flat_map(|r| (0..24).flat_map(|row| source(row).map_or([0, 0], |(k, _)| [r[2 * k], r[2 * k + 1]])))
                    .collect();
                shape[3] = 24;
            }
            let kind = if name.ends_with("bias") { "F32" } else { "F16" };
            let [from, to] = [data.len(), data.len() + bytes.len()];
            let comma = if header.len() > 1 { "," } else { "" };
            header +=
                &format!(r#"{comma}"{name}":{{"dtype":"{kind}","shape":{shape:?},"data_offsets":[{from},{to}]}}"#);
            data.extend(bytes);
        }
        header += "}";
        header += &" ".repeat(header.len().next_multiple_of(8) - header.len());
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
    }

    fn floats(bytes: &[u8]) -> Vec<f32> {
        bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }

    #[test]
    fn fine_classes_add_up_to_the_classes() {
        let of = |file: &[u8]| Segmentation::with(&Network::new(file), &picture(), 1.5);
        let (coarse, fine) = (of(network::WEIGHTS), of(&fine_weights()));
        for (a, b) in coarse.classes().iter().zip(fine.classes()) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?} {b:?}");
        }
        let at = [0.3, 0.7];
        let outdoors: f32 = FineClass::ALL
            .iter()
            .filter(|c| c.class() == Class::Outdoors)
            .filter_map(|c| fine.fine_class(*c, at))
            .sum();
        assert!((outdoors - coarse.class(Class::Outdoors, at)).abs() < 1e-5);
        assert!((coarse.edge(Edge::FloorWall, at) - fine.edge(Edge::FloorWall, at)).abs() < 1e-6);
    }

    #[test]
    fn depth_and_normals_are_there_exactly_if_the_weights_have_them() {
        let fine = Segmentation::with(&Network::new(&fine_weights()), &picture(), 1.5);
        assert!((fine.depth([0.4, 0.4]).unwrap() - 2.0).abs() < 1e-4);
        assert_eq!(fine.normal([0.4, 0.4]), Some([0.0, 0.0, -1.0]));
        let coarse = Segmentation::with(&Network::new(network::WEIGHTS), &picture(), 1.5);
        assert_eq!((coarse.depth([0.4, 0.4]), coarse.normal([0.4, 0.4])), (None, None));
        assert!(coarse.fine_classes().is_none() && coarse.fine_class(FineClass::Sky, [0.4, 0.4]).is_none());
    }
}
