//! Triangles painted on the ground.

use aerie_geodata::place::{Point, Polygon};
use aerie_render::scene::{Cover, PaintVertex};
use glam::DVec2;

use crate::albedo::Albedo;
use crate::shape;

/// Collects painted triangles; later ones lie on top.
#[derive(Default)]
pub(crate) struct Painter {
    vertices: Vec<PaintVertex>,
}

impl Painter {
    fn triangle(&mut self, corners: [(Point, [f32; 2]); 3], albedo: Albedo, cover: Cover) {
        let turned = (shape::vec(corners[1].0) - shape::vec(corners[0].0))
            .perp_dot(shape::vec(corners[2].0) - shape::vec(corners[0].0))
            < 0.0;
        let order = if turned { [0, 2, 1] } else { [0, 1, 2] };
        for i in order {
            let (p, local) = corners[i];
            self.vertices.push(PaintVertex {
                position: [p[0] as f32, p[1] as f32],
                color: [albedo[0], albedo[1], albedo[2], 1.0],
                grain: [f32::from(cover as u8), 0.0],
                local,
            });
        }
    }

    /// Everything painted so far, three vertices per triangle.
    #[cfg(test)]
    pub(crate) fn vertices(&self) -> &[PaintVertex] {
        &self.vertices
    }

    /// Everything painted, three vertices per triangle.
    pub(crate) fn finish(self) -> Vec<PaintVertex> {
        self.vertices
    }

    /// Paints a polygon whose pattern runs along `axis`.
    pub(crate) fn polygon(&mut self, polygon: &Polygon, albedo: Albedo, cover: Cover, axis: DVec2) {
        let local = |p: Point| [shape::vec(p).dot(axis) as f32, shape::vec(p).dot(axis.perp()) as f32];
        for t in shape::triangles(polygon) {
            self.triangle(t.map(|p| (p, local(p))), albedo, cover);
        }
    }

    /// Paints a convex ring whose pattern runs along `axis`.
    pub(crate) fn convex(&mut self, ring: &[Point], albedo: Albedo, cover: Cover, axis: DVec2) {
        let local = |p: Point| (p, [shape::vec(p).dot(axis) as f32, shape::vec(p).dot(axis.perp()) as f32]);
        for i in 1..ring.len().saturating_sub(1) {
            self.triangle([ring[0], ring[i], ring[i + 1]].map(local), albedo, cover);
        }
    }

    /// Paints a band of constant width along a line.
    pub(crate) fn ribbon(&mut self, line: &[Point], width: f64, albedo: Albedo, cover: Cover) {
        for t in shape::ribbon(line, width) {
            self.triangle(t.map(|(p, along, across)| (p, [along as f32, across as f32])), albedo, cover);
        }
    }
}
