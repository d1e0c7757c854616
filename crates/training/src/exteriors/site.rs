//! A frame of reference on the ground: a front, a side of a house, a plot.

use glam::{Vec2, Vec3};

use crate::scene::{Brush, Builder};

/// X runs along the front to the right, as seen from outside, and Y away from the viewer, into the house.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    pub(crate) origin: Vec2,
    pub(crate) x: Vec2,
}

impl Site {
    pub(crate) fn new(origin: Vec2, turn: f32) -> Self {
        Self { origin, x: Vec2::from_angle(turn) }
    }

    /// The frame with another origin, turned by quarters counterclockwise.
    pub(crate) fn moved(&self, x: f32, y: f32, quarters: usize) -> Self {
        let turned = (0..quarters).fold(self.x, |v, _| v.perp());
        Self { origin: self.flat(x, y), x: turned }
    }

    pub(crate) fn flat(&self, x: f32, y: f32) -> Vec2 {
        self.origin + self.x * x + self.x.perp() * y
    }

    pub(crate) fn at(&self, x: f32, y: f32, z: f32) -> Vec3 {
        self.flat(x, y).extend(z)
    }

    pub(crate) fn way(&self, x: f32, y: f32, z: f32) -> Vec3 {
        (self.x * x + self.x.perp() * y).extend(z)
    }

    /// A box.
    pub(crate) fn bar(&self, b: &mut Builder, x: [f32; 2], y: [f32; 2], z: [f32; 2], brush: Brush) {
        if x[1] - x[0] > 1e-3 && y[1] - y[0] > 1e-3 && z[1] - z[0] > 1e-3 {
            b.prism(self.flat(x[0], y[0]), self.x * (x[1] - x[0]), self.x.perp() * (y[1] - y[0]), z, brush);
        }
    }

    /// An upright rectangle at a depth.
    pub(crate) fn panel(&self, b: &mut Builder, x: [f32; 2], y: f32, z: [f32; 2], brush: Brush) {
        if x[1] - x[0] > 1e-3 && z[1] - z[0] > 1e-3 {
            b.quad(self.at(x[0], y, z[0]), self.way(x[1] - x[0], 0.0, 0.0), Vec3::Z * (z[1] - z[0]), brush);
        }
    }

    /// A level rectangle.
    pub(crate) fn sheet(&self, b: &mut Builder, x: [f32; 2], y: [f32; 2], z: f32, brush: Brush) {
        let (a, c) = (self.way(x[1] - x[0], 0.0, 0.0), self.way(0.0, y[1] - y[0], 0.0));
        b.quad(self.at(x[0], y[0], z), a, c, brush);
    }

    /// A level polygon around a point.
    pub(crate) fn disc(&self, b: &mut Builder, middle: [f32; 3], radii: [f32; 2], brush: Brush) {
        let [x, y, z] = middle;
        let rim = |k: usize| {
            let turn = std::f32::consts::TAU * k as f32 / 20.0;
            self.at(x + radii[0] * turn.cos(), y + radii[1] * turn.sin(), z)
        };
        for k in 0..20 {
            b.triangle([self.at(x, y, z), rim(k), rim(k + 1)], brush);
        }
    }
}
