//! Radiance of a room's surfaces.

use aerie_math::color::luminance;
use glam::{Vec2, Vec3};

use crate::grid::Grid;
use crate::space::{Space, Surface};

/// A window, or a lamp in the ceiling.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// The surface that it is in.
    pub surface: Surface,
    /// Low and high corner on the surface, meters.
    pub rect: [Vec2; 2],
    /// Mean radiance.
    pub radiance: Vec3,
    /// Probability that it is sampled.
    pub(super) probability: f32,
}

impl Window {
    /// Index of the wall that it is in; `None` for a lamp.
    #[must_use]
    pub fn side(&self) -> Option<usize> {
        match self.surface {
            Surface::Wall(side) => Some(side),
            Surface::Floor | Surface::Ceiling => None,
        }
    }
}

/// Radiance of the surfaces of a room.
#[derive(Debug, Clone)]
pub struct Shell {
    /// The room.
    pub space: Space,
    /// Windows.
    pub windows: Vec<Window>,
    /// Radiance of each surface as the photo records it: windows are clipped.
    pub(super) faces: Vec<Grid>,
    /// Whether the photo shows a cell, per surface.
    pub(super) seen: Vec<Vec<bool>>,
    /// Share of its light that furniture leaves each surface; empty without furniture.
    pub(crate) occlusion: Vec<Grid>,
    pub(super) ambient: Vec3,
}

/// A sampled direction to a window.
pub(crate) struct WindowSample {
    pub(crate) ray: Vec3,
    pub(crate) distance: f32,
    pub(crate) radiance: Vec3,
    /// Probability density by solid angle.
    pub(crate) pdf: f32,
}

/// Index of a surface in the lists of [`Shell`].
pub(super) fn index_of(surface: Surface) -> usize {
    match surface {
        Surface::Floor => 0,
        Surface::Ceiling => 1,
        Surface::Wall(i) => i + 2,
    }
}

impl Shell {
    /// A room whose surfaces all have the same radiance, for tests.
    #[must_use]
    pub fn even(space: Space, radiance: Vec3) -> Self {
        let grids = space.surfaces().into_iter().map(|s| Grid::new(space.extent(s), 1.0, 4, radiance));
        let faces: Vec<Grid> = grids.collect();
        let seen = faces.iter().map(|g| vec![true; g.values.len()]).collect();
        Self { space, windows: Vec::new(), faces, seen, occlusion: Vec::new(), ambient: radiance }
    }

    /// The shell with the given windows, each by wall index and rectangle on the wall, for tests.
    #[must_use]
    pub fn with_windows(mut self, windows: &[(usize, [Vec2; 2])], radiance: Vec3) -> Self {
        self.windows = windows
            .iter()
            .map(|(side, rect)| Window { surface: Surface::Wall(*side), rect: *rect, radiance, probability: 0.0 })
            .collect();
        self.update_sampling();
        self
    }

    /// Updates sampling probabilities and the ambient light after windows or radiance changed.
    pub(super) fn update_sampling(&mut self) {
        let power = |w: &Window| {
            let size = w.rect[1] - w.rect[0];
            luminance(w.radiance.to_array()) * size.x * size.y
        };
        let all: f32 = self.windows.iter().map(power).sum();
        for w in &mut self.windows {
            w.probability = power(w) / all.max(1e-9);
        }
        let (mut sum, mut area) = (Vec3::ZERO, 0.0);
        for grid in &self.faces {
            let cell = grid.cell.x * grid.cell.y;
            sum += grid.values.iter().copied().sum::<Vec3>() * cell;
            area += grid.values.len() as f32 * cell;
        }
        for w in &self.windows {
            let size = w.rect[1] - w.rect[0];
            sum += w.radiance * size.x * size.y;
        }
        self.ambient = sum / area.max(1e-6);
    }

    /// Mean radiance of the room.
    #[must_use]
    pub fn ambient(&self) -> Vec3 {
        self.ambient
    }

    /// Radiance of a surface at a point, as the photo records it.
    #[must_use]
    pub fn radiance(&self, surface: Surface, at: Vec2) -> Vec3 {
        self.faces[index_of(surface)].at(at)
    }

    /// Radiance that arrives along a ray which meets `surface` after `reach` meters. `pdf` is the density with which the ray was
    /// sampled where windows were sampled apart (balance heuristic), 0 where they were not.
    pub(crate) fn light(&self, from: Vec3, ray: Vec3, reach: f32, surface: Surface, pdf: f32) -> Vec3 {
        let at = self.space.on_face(surface, from + ray * reach);
        if let Some(w) = self.windows.iter().find(|w| w.surface == surface && inside(w.rect, at)) {
            let weight = if pdf > 0.0 {
                let facing = -self.space.normal(surface).dot(ray);
                pdf / (pdf + window_pdf(w, reach, facing))
            } else {
                1.0
            };
            return w.radiance * weight;
        }
        let shade = self.occlusion.get(index_of(surface)).map_or(Vec3::ONE, |g| g.at(at));
        self.faces[index_of(surface)].at(at) * shade
    }

    /// The same in the room without furniture.
    pub(crate) fn light_unfurnished(&self, from: Vec3, ray: Vec3, reach: f32, surface: Surface, pdf: f32) -> Vec3 {
        let at = self.space.on_face(surface, from + ray * reach);
        if self.windows.iter().any(|w| w.surface == surface && inside(w.rect, at)) {
            return self.light(from, ray, reach, surface, pdf);
        }
        self.faces[index_of(surface)].at(at)
    }

    /// Samples a point of a window; `None` where it is hidden or faces away.
    pub(crate) fn sample_window(&self, from: Vec3, normal: Vec3, mut pick: f32, at: Vec2) -> Option<WindowSample> {
        let last = self.windows.len().checked_sub(1)?;
        let window = self.windows.iter().enumerate().find_map(|(i, w)| {
            let is_it = pick < w.probability || i == last;
            pick -= w.probability;
            is_it.then_some(w)
        })?;
        let on = window.rect[0] + (window.rect[1] - window.rect[0]) * at;
        let surface = window.surface;
        let way = self.space.off_face(surface, on) - from;
        let distance = way.length().max(1e-3);
        let ray = way / distance;
        let facing = -self.space.normal(surface).dot(ray);
        if facing <= 1e-4 || normal.dot(ray) <= 0.0 {
            return None;
        }
        if self.space.sides.len() > 4 && self.space.intersect(from, ray).0 < distance - 0.02 {
            return None;
        }
        Some(WindowSample { ray, distance, radiance: window.radiance, pdf: window_pdf(window, distance, facing) })
    }
}

fn window_pdf(window: &Window, distance: f32, facing: f32) -> f32 {
    let size = window.rect[1] - window.rect[0];
    window.probability * distance * distance / (facing.max(1e-4) * size.x * size.y)
}

pub(crate) fn inside(rect: [Vec2; 2], at: Vec2) -> bool {
    at.cmpge(rect[0]).all() && at.cmple(rect[1]).all()
}
