//! Semantic segmentation of photos of rooms and houses: floor, walls, ceiling, windows, doors, fixtures, furniture, what there is outdoors,
//! and the edges between the planes of a room; with depth and surface normals.
//!
//! A convolutional network of 1.1 million parameters, trained on imagined rooms and houses alone (`training/rooms/README.md`). The forward
//! pass is plain Rust in a fixed order of operations without fused multiply-add, so that the same picture gives the same bits on every
//! machine, whatever the number of threads.
mod class;
mod layer;
mod network;

use std::sync::LazyLock;

pub use class::{Class, Edge, FineClass};
pub use network::{CLASSES, FINE_CLASSES, INPUT_SIDE, Network};
use network::{EDGES, OUTPUTS};

/// Width and height of the output.
pub const SIDE: usize = INPUT_SIDE / 2;

/// Class and edge probabilities, depth and normals on a square grid that covers the photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Segmentation {
    classes: Vec<[f32; CLASSES]>,
    fine_classes: Vec<[f32; FINE_CLASSES]>,
    edges: Vec<[f32; EDGES]>,
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
        let cells = output.as_chunks::<OUTPUTS>().0;
        let fine_classes: Vec<[f32; FINE_CLASSES]> =
            cells.iter().map(|v| softmax(std::array::from_fn(|i| v[i]))).collect();
        let from = |v: &[f32; OUTPUTS], i: usize| v[FINE_CLASSES + i];
        let edge = |x: f32| 1.0 / (1.0 + libm::expf(-x));
        Self {
            classes: fine_classes.iter().map(class::summed).collect(),
            fine_classes,
            edges: cells.iter().map(|v| std::array::from_fn(|i| edge(from(v, i)))).collect(),
            depths: cells.iter().map(|v| [from(v, EDGES)]).collect(),
            normals: cells.iter().map(|v| std::array::from_fn(|i| from(v, EDGES + 1 + i))).collect(),
        }
    }

    /// Probability of a class at a point given as shares of the width and the height, by bilinear interpolation.
    #[must_use]
    pub fn class(&self, class: Class, at: [f64; 2]) -> f32 {
        interpolated(&self.classes, at, class as usize)
    }

    /// Probability of a fine class at a point.
    #[must_use]
    pub fn fine_class(&self, class: FineClass, at: [f64; 2]) -> f32 {
        interpolated(&self.fine_classes, at, class as usize)
    }

    /// Probabilities of all fine classes in each cell, in the order of [`FineClass::ALL`].
    #[must_use]
    pub fn fine_classes(&self) -> &[[f32; FINE_CLASSES]] {
        &self.fine_classes
    }

    /// Depth along the optical axis at a point, in heights of the camera above the ground or floor. The ratio of two depths is more
    /// accurate than either: the unit is a guess where no ground is in view. It means nothing in the sky, and is that of the pane at a
    /// window.
    #[must_use]
    pub fn depth(&self, at: [f64; 2]) -> f32 {
        libm::expf(interpolated(&self.depths, at, 0))
    }

    /// Unit normal of the surface at a point, toward the camera, in camera axes: X to the right, Y down, Z forward. `None` if it is
    /// undetermined.
    #[must_use]
    pub fn normal(&self, at: [f64; 2]) -> Option<[f32; 3]> {
        let n: [f32; 3] = std::array::from_fn(|i| interpolated(&self.normals, at, i));
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
    use super::*;

    /// An empty room in one-point perspective: white ceiling, pale walls with a window behind and baseboards, a floor of planks.
    fn picture() -> Vec<[f32; 3]> {
        let at = |i: usize| [i % INPUT_SIDE, i / INPUT_SIDE].map(|v| (v as f32 + 0.5) / INPUT_SIDE as f32);
        let tone = |i: usize| {
            // From the vanishing point, in half widths and heights of the wall behind.
            let [x, y] = at(i);
            let (u, v) = ((x - 0.5) / 0.2, (y - 0.45) / 0.16);
            let near = u.abs().max(v.abs());
            let dim = 1.0 - 0.12 / near.max(1.0);
            if near < 1.0 {
                let is_window = u.abs() < 0.4 && (-0.6..0.3).contains(&v);
                return if is_window { [0.97, 0.98, 1.0] } else { [0.74, 0.73, 0.70] };
            }
            if v.abs() < u.abs() {
                let is_baseboard = v / near > 0.88;
                return if is_baseboard { [0.93; 3] } else { [0.80, 0.79, 0.76].map(|c| c * dim) };
            }
            if v < 0.0 {
                return [0.94, 0.94, 0.93].map(|c| c * dim);
            }
            let plank = (8.0 * u / v).floor();
            let board = 1.0 + 0.12 * ((plank * 0.618).rem_euclid(1.0) - 0.5);
            let is_joint = (8.0 * u / v - plank) < 0.08;
            [0.55, 0.40, 0.27].map(|c| c * board * if is_joint { 0.8 } else { 1.0 })
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
    fn the_planks_of_a_room_are_seen_as_floor_and_its_walls_are_not() {
        let seen = Segmentation::of(&picture(), 1.5);
        assert!(seen.class(Class::Floor, [0.5, 0.9]) > 0.8 && seen.class(Class::Floor, [0.5, 0.4]) < 0.2);
        assert!((0.3..0.6).contains(&seen.share(Class::Floor)), "{}", seen.share(Class::Floor));
    }

    #[test]
    fn probabilities_of_a_cell_add_up_to_one() {
        let seen = Segmentation::of(&picture(), 0.7);
        assert!(seen.classes().iter().all(|c| (c.iter().sum::<f32>() - 1.0).abs() < 1e-5));
    }

    /// A lawn before a white wall under a blue sky.
    fn house() -> Vec<[f32; 3]> {
        let tone = |i: usize| {
            let grain = (i * 2_654_435_761 % 97) as f32 / 97.0;
            match (i / INPUT_SIDE) as f32 / INPUT_SIDE as f32 {
                y if y < 0.35 => [0.35 + 0.4 * y, 0.55 + 0.4 * y, 0.92],
                y if y < 0.6 && (20..140).contains(&(i % INPUT_SIDE)) => [0.86, 0.84, 0.80],
                y if y < 0.6 => [0.16 + 0.2 * grain, 0.30 + 0.2 * grain, 0.12],
                _ => [0.30 + 0.1 * grain, 0.46 + 0.1 * grain, 0.16],
            }
        };
        (0..INPUT_SIDE * INPUT_SIDE).map(tone).collect()
    }

    #[test]
    fn fine_classes_add_up_to_the_classes() {
        let seen = Segmentation::of(&picture(), 1.5);
        let at = [0.3, 0.7];
        for class in [Class::Floor, Class::Ceiling, Class::Furniture, Class::Outdoors] {
            let sum: f32 = FineClass::ALL.iter().filter(|c| c.class() == class).map(|c| seen.fine_class(*c, at)).sum();
            assert!((sum - seen.class(class, at)).abs() < 1e-5, "{class:?}");
        }
    }

    #[test]
    fn a_house_in_its_garden_is_outdoors_under_the_sky() {
        let seen = Segmentation::of(&house(), 1.5);
        assert!(seen.share(Class::Outdoors) > 0.8, "{}", seen.share(Class::Outdoors));
        assert!(seen.fine_class(FineClass::Sky, [0.5, 0.1]) > 0.8 && seen.fine_class(FineClass::Sky, [0.5, 0.9]) < 0.1);
        assert!(seen.fine_class(FineClass::Lawn, [0.5, 0.9]) > 0.5);
    }

    #[test]
    fn the_ground_recedes_and_faces_up() {
        let seen = Segmentation::of(&picture(), 1.5);
        assert!(seen.depth([0.5, 0.65]) > 1.3 * seen.depth([0.5, 0.95]));
        let [_, down, _] = seen.normal([0.5, 0.9]).expect("a normal");
        assert!(down < -0.7, "{down}");
    }
}
