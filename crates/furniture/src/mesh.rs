//! Triangle meshes with material coordinates.

use std::collections::HashMap;

use glam::{Mat3, Vec3};

/// A corner of a triangle.
#[derive(Debug, Clone, Copy)]
pub struct Vertex {
    /// Meters.
    pub place: Vec3,
    /// Of length 1.
    pub normal: Vec3,
    /// Material coordinates, meters: x along the grain. Nearly a rigid motion of `place`.
    pub tex: Vec3,
}

/// A shape before it has a material.
#[derive(Debug, Clone, Default)]
pub struct Solid {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Vertex indices of triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// From the material's axes to the room's.
    pub turn: Mat3,
}

impl Solid {
    /// A solid with smooth normals and the material along the axes.
    #[must_use]
    pub fn smooth(places: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let vertices = places.into_iter().map(|p| Vertex { place: p, normal: Vec3::Z, tex: p }).collect();
        let mut solid = Self { vertices, triangles, turn: Mat3::IDENTITY };
        solid.smoothen();
        solid
    }

    /// Recomputes normals as the mean of the triangles at each position.
    pub fn smoothen(&mut self) {
        let key = |p: Vec3| (p * 20_000.0).round().as_ivec3().to_array();
        // The number of each vertex's position.
        let mut numbers: HashMap<[i32; 3], usize> = HashMap::with_capacity(self.vertices.len());
        let number = |v: &Vertex| {
            let next = numbers.len();
            *numbers.entry(key(v.place)).or_insert(next)
        };
        let positions: Vec<usize> = self.vertices.iter().map(number).collect();
        let mut sums = vec![Vec3::ZERO; numbers.len()];
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| self.vertices[i as usize].place);
            let normal = (b - a).cross(c - a);
            for i in *t {
                sums[positions[i as usize]] += normal;
            }
        }
        for (v, position) in self.vertices.iter_mut().zip(positions) {
            v.normal = sums[position].normalize_or(Vec3::Z);
        }
    }

    /// Shifted.
    #[must_use]
    pub fn moved(mut self, x: f32, y: f32, z: f32) -> Self {
        self.vertices.iter_mut().for_each(|v| v.place += Vec3::new(x, y, z));
        self
    }

    /// Turned about the origin.
    #[must_use]
    pub fn turned(mut self, turn: Mat3) -> Self {
        for v in &mut self.vertices {
            v.place = turn * v.place;
            v.normal = turn * v.normal;
        }
        self.turn = turn * self.turn;
        self
    }

    /// Rotated about X, radians: Y toward Z.
    #[must_use]
    pub fn pitched(self, angle: f32) -> Self {
        self.turned(Mat3::from_rotation_x(angle))
    }

    /// Rotated about Z, radians: X toward Y.
    #[must_use]
    pub fn yawed(self, angle: f32) -> Self {
        self.turned(Mat3::from_rotation_z(angle))
    }

    /// Rotated about Y, radians: Z toward X.
    #[must_use]
    pub fn rolled(self, angle: f32) -> Self {
        self.turned(Mat3::from_rotation_y(angle))
    }

    /// With the grain along an axis (0 X, 1 Y, 2 Z), cut from another part of the material for each `cut`.
    #[must_use]
    pub fn grained(mut self, axis: usize, cut: f32) -> Self {
        let to_tex = match axis {
            0 => Mat3::IDENTITY,
            1 => Mat3::from_rotation_z(-std::f32::consts::FRAC_PI_2),
            _ => Mat3::from_rotation_y(std::f32::consts::FRAC_PI_2),
        };
        let away = Vec3::new(cut * 7.31, cut * 3.17, cut * 1.93);
        for v in &mut self.vertices {
            v.tex = to_tex * v.place + away;
        }
        self.turn = to_tex.transpose();
        self
    }

    /// Merged with another solid.
    #[must_use]
    pub fn with(mut self, other: Solid) -> Self {
        let base = self.vertices.len() as u32;
        let same = self.turn;
        self.vertices.extend(other.vertices);
        self.triangles.extend(other.triangles.into_iter().map(|t| t.map(|i| i + base)));
        self.turn = same;
        self
    }
}

/// A part of a mesh that has one material.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Number of its material.
    pub material: usize,
    /// From the material's axes to the room's.
    pub turn: Mat3,
}

/// A mesh of several materials.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// Corners.
    pub vertices: Vec<Vertex>,
    /// Corners of triangles, and the part that each belongs to.
    pub triangles: Vec<([u32; 3], u32)>,
    /// Parts.
    pub parts: Vec<Part>,
}

impl Mesh {
    /// Adds a shape of a material.
    pub fn add(&mut self, solid: Solid, material: usize) {
        let (base, part) = (self.vertices.len() as u32, self.parts.len() as u32);
        self.parts.push(Part { material, turn: solid.turn });
        self.vertices.extend(solid.vertices);
        self.triangles.extend(solid.triangles.into_iter().map(|t| (t.map(|i| i + base), part)));
    }

    /// Adds a mesh, turned about Z by `yaw` and then shifted.
    pub fn place(&mut self, other: &Mesh, yaw: f32, to: Vec3) {
        let (base, part) = (self.vertices.len() as u32, self.parts.len() as u32);
        let turn = Mat3::from_rotation_z(yaw);
        self.parts.extend(other.parts.iter().map(|p| Part { material: p.material, turn: turn * p.turn }));
        self.vertices.extend(other.vertices.iter().map(|v| Vertex {
            place: turn * v.place + to,
            normal: turn * v.normal,
            tex: v.tex,
        }));
        self.triangles.extend(other.triangles.iter().map(|(t, p)| (t.map(|i| i + base), p + part)));
    }

    /// Bounding box: low and high corner.
    #[must_use]
    pub fn bounds(&self) -> [Vec3; 2] {
        let places = || self.vertices.iter().map(|v| v.place);
        [places().fold(Vec3::splat(f32::MAX), Vec3::min), places().fold(Vec3::splat(f32::MIN), Vec3::max)]
    }
}
