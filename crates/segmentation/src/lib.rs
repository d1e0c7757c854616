//! Semantic segmentation of photos of rooms: floor, walls, ceiling, windows, doors, fixtures, furniture, and the edges between the
//! planes of the room.
//!
//! A convolutional network of 0.7 million parameters, trained on imagined rooms alone (`training/rooms/README.md`). The forward
//! pass is plain Rust in a fixed order of operations without fused multiply-add, so that the same picture gives the same bits on every
//! machine, whatever the number of threads.
mod layer;
mod network;

use std::sync::LazyLock;

pub use network::{CLASSES, INPUT_SIDE};
use network::{EDGES, Network};

/// Width and height of the output.
pub const SIDE: usize = INPUT_SIDE / 2;

/// What a pixel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The floor of the room, with rugs.
    Floor,
    /// Walls, columns, baseboards.
    Wall,
    /// The ceiling, with beams and lamps.
    Ceiling,
    /// Windows with frames, blinds and curtains.
    Window,
    /// Doors, and what is seen through passages.
    Door,
    /// What is built in: kitchens, stairs, fireplaces, radiators.
    Fixture,
    /// Furniture and other loose things.
    Furniture,
    /// What is seen from outside a building: façades, gardens, streets, sky. Never what is seen through a window.
    Outdoors,
}

/// An edge between planes of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Where a wall meets the floor.
    FloorWall,
    /// Where two walls meet, or one ends before another.
    Corner,
    /// Where a wall meets the ceiling.
    CeilingWall,
}

/// Class and edge probabilities on a square grid that covers the photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Segmentation {
    classes: Vec<[f32; CLASSES]>,
    edges: Vec<[f32; EDGES]>,
}

static NETWORK: LazyLock<Network> = LazyLock::new(Network::load);

impl Segmentation {
    /// Segments a photo that was squeezed to [`INPUT_SIDE`] by [`INPUT_SIDE`] pixels: red, green and blue, sRGB-encoded, 0 to 1.
    /// `aspect` is its width over its height before.
    ///
    /// # Panics
    /// If the picture has another size.
    #[must_use]
    pub fn of(picture: &[[f32; 3]], aspect: f64) -> Self {
        assert_eq!(picture.len(), INPUT_SIDE * INPUT_SIDE, "pixels of the input");
        let output = NETWORK.forward(picture, libm::log(aspect) as f32);
        let classes = output.iter().map(|v| softmax(std::array::from_fn(|i| v[i]))).collect();
        let edge = |x: f32| 1.0 / (1.0 + libm::expf(-x));
        let edges = output.iter().map(|v| std::array::from_fn(|i| edge(v[CLASSES + i]))).collect();
        Self { classes, edges }
    }

    /// Probability of a class at a point given as shares of the width and the height, by bilinear interpolation.
    #[must_use]
    pub fn class(&self, class: Class, at: [f64; 2]) -> f32 {
        interpolated(&self.classes, at, class as usize)
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

fn softmax(v: [f32; CLASSES]) -> [f32; CLASSES] {
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
}
