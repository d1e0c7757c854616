//! The light of a room from its photo: what each face gives off, and how much more windows do than a photo can keep.
mod fit;
mod floor;
mod found;

use aerie_photo::Photo;
use aerie_photo::colour::luminance;
use glam::{DVec2, Vec2, Vec3};

use crate::grid::Grid;
use crate::space::{Space, Surface};

pub use fit::Fit;

/// A window, a bright part of a wall that light comes in through, or a lamp in the ceiling.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// The face that it is in.
    pub surface: Surface,
    /// Low and high corner on the face, metres.
    pub rect: [Vec2; 2],
    /// Mean radiance.
    pub radiance: Vec3,
    /// Likelihood with which it is drawn.
    chance: f32,
}

impl Window {
    /// The side whose wall it is in; none for a lamp.
    #[must_use]
    pub fn side(&self) -> Option<usize> {
        match self.surface {
            Surface::Wall(side) => Some(side),
            Surface::Floor | Surface::Ceiling => None,
        }
    }
}

/// What a room's faces give off.
#[derive(Debug, Clone)]
pub struct Shell {
    /// The room.
    pub space: Space,
    /// Windows.
    pub windows: Vec<Window>,
    /// Of each face: radiance, without what windows have more.
    faces: Vec<Grid>,
    /// Of each face and cell: whether the photo shows it.
    seen: Vec<Vec<bool>>,
    /// Of each face: what furniture leaves of its light; empty without furniture.
    pub(crate) shades: Vec<Grid>,
    ambient: Vec3,
}

/// A direction to a window.
pub(crate) struct Drawn {
    pub(crate) ray: Vec3,
    pub(crate) distance: f32,
    pub(crate) radiance: Vec3,
    /// By solid angle.
    pub(crate) likelihood: f32,
}

/// Cells of faces, metres, and most of them a side.
const CELL: f32 = 0.06;
const CELLS: u32 = 160;

fn number(surface: Surface) -> usize {
    match surface {
        Surface::Floor => 0,
        Surface::Ceiling => 1,
        Surface::Wall(i) => i + 2,
    }
}

impl Shell {
    /// Takes the light of a room from its photo, and finds its windows. Their strength is fitted after.
    #[must_use]
    pub fn of(space: Space, photo: &Photo) -> Self {
        let small = photo.reduced(640);
        let scale = DVec2::new(small.width as f64 / photo.width as f64, small.height as f64 / photo.height as f64);
        let (mut faces, mut seen) = (Vec::new(), Vec::new());
        for surface in space.surfaces() {
            let mut grid = Grid::new(space.extent(surface), CELL, CELLS, Vec3::ZERO);
            let mut shown = vec![false; grid.values.len()];
            for (i, shown) in shown.iter_mut().enumerate() {
                let place = space.off_face(surface, grid.middle(i));
                let Some(pixel) = space.pixel(place).filter(|_| space.shows(place)) else { continue };
                let way = place - space.eye;
                let (reach, _) = space.meet(space.eye, way.normalize());
                if reach < way.length() - 0.05 {
                    continue;
                }
                let at = (pixel * scale).as_uvec2();
                let (x, y) = ((at.x as usize).min(small.width - 1), (at.y as usize).min(small.height - 1));
                grid.values[i] = Vec3::from_array(small.pixels[y * small.width + x]);
                *shown = true;
            }
            faces.push(grid);
            seen.push(shown);
        }
        let mut shell = Self { space, windows: Vec::new(), faces, seen, shades: Vec::new(), ambient: Vec3::splat(0.4) };
        shell.windows = found::windows(&shell);
        shell.windows.extend(found::lamps(&shell));
        shell.guess_unseen();
        shell.weigh();
        shell
    }

    /// A room whose every face gives off the same; for tests.
    #[must_use]
    pub fn even(space: Space, radiance: Vec3) -> Self {
        let grids = space.surfaces().into_iter().map(|s| Grid::new(space.extent(s), 1.0, 4, radiance));
        let faces: Vec<Grid> = grids.collect();
        let seen = faces.iter().map(|g| vec![true; g.values.len()]).collect();
        Self { space, windows: Vec::new(), faces, seen, shades: Vec::new(), ambient: radiance }
    }

    /// With windows that are known: each the side it is in and its rectangle on the wall; for tests.
    #[must_use]
    pub fn with_windows(mut self, windows: &[(usize, [Vec2; 2])], radiance: Vec3) -> Self {
        self.windows = windows
            .iter()
            .map(|(side, rect)| Window { surface: Surface::Wall(*side), rect: *rect, radiance, chance: 0.0 })
            .collect();
        self.weigh();
        self
    }

    /// Gives the parts that the photo does not show the mean of their face, or of faces like it.
    fn guess_unseen(&mut self) {
        let is_window = |surface: Surface, at: Vec2, windows: &[Window]| {
            windows.iter().any(|w| w.surface == surface && inside(w.rect, at))
        };
        let surfaces = self.space.surfaces();
        let mean = |face: usize| -> Option<(Vec3, f32)> {
            let grid = &self.faces[face];
            let kept = (0..grid.values.len())
                .filter(|i| self.seen[face][*i] && !is_window(surfaces[face], grid.middle(*i), &self.windows));
            let (sum, count) = kept.fold((Vec3::ZERO, 0.0_f32), |(s, n), i| (s + grid.values[i], n + 1.0));
            (count >= 8.0).then(|| (sum / count, count * grid.cell.x * grid.cell.y))
        };
        let walls: Vec<(Vec3, f32)> = (2..self.faces.len()).filter_map(mean).collect();
        let area: f32 = walls.iter().map(|w| w.1).sum();
        let floor = mean(0).map_or(Vec3::splat(0.2), |m| m.0);
        let wall = if area > 0.0 { walls.iter().map(|(m, a)| *m * *a).sum::<Vec3>() / area } else { floor * 1.4 };
        let guesses: Vec<Vec3> = (0..self.faces.len())
            .map(|face| {
                mean(face).map_or(
                    if face == 0 {
                        floor
                    } else if face == 1 {
                        wall * 1.1
                    } else {
                        wall
                    },
                    |m| m.0,
                )
            })
            .collect();
        for (face, guess) in guesses.iter().enumerate() {
            for i in 0..self.faces[face].values.len() {
                if !self.seen[face][i] {
                    self.faces[face].values[i] = *guess;
                }
            }
        }
    }

    /// Makes ready to draw windows, after they or their light changed.
    fn weigh(&mut self) {
        let power = |w: &Window| {
            let size = w.rect[1] - w.rect[0];
            luminance(w.radiance.to_array()) * size.x * size.y
        };
        let all: f32 = self.windows.iter().map(power).sum();
        for w in &mut self.windows {
            w.chance = power(w) / all.max(1e-9);
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

    /// What a face gives off at a place, windows as walls.
    #[must_use]
    pub fn radiance(&self, surface: Surface, at: Vec2) -> Vec3 {
        self.faces[number(surface)].at(at)
    }

    pub(crate) fn light(&self, from: Vec3, ray: Vec3, reach: f32, surface: Surface, drawn: f32) -> Vec3 {
        let at = self.space.on_face(surface, from + ray * reach);
        if let Some(w) = self.windows.iter().find(|w| w.surface == surface && inside(w.rect, at)) {
            let weight = if drawn > 0.0 {
                let facing = -self.space.normal(surface).dot(ray);
                drawn / (drawn + likelihood(w, reach, facing))
            } else {
                1.0
            };
            return w.radiance * weight;
        }
        let shade = self.shades.get(number(surface)).map_or(Vec3::ONE, |g| g.at(at));
        self.faces[number(surface)].at(at) * shade
    }

    /// The same for the room without furniture.
    pub(crate) fn bare(&self, from: Vec3, ray: Vec3, reach: f32, surface: Surface, drawn: f32) -> Vec3 {
        let at = self.space.on_face(surface, from + ray * reach);
        if self.windows.iter().any(|w| w.surface == surface && inside(w.rect, at)) {
            return self.light(from, ray, reach, surface, drawn);
        }
        self.faces[number(surface)].at(at)
    }

    pub(crate) fn draw_window(&self, from: Vec3, normal: Vec3, mut pick: f32, at: Vec2) -> Option<Drawn> {
        let last = self.windows.len().checked_sub(1)?;
        let window = self.windows.iter().enumerate().find_map(|(i, w)| {
            let is_it = pick < w.chance || i == last;
            pick -= w.chance;
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
        if self.space.sides.len() > 4 && self.space.meet(from, ray).0 < distance - 0.02 {
            return None;
        }
        Some(Drawn { ray, distance, radiance: window.radiance, likelihood: likelihood(window, distance, facing) })
    }
}

fn likelihood(window: &Window, distance: f32, facing: f32) -> f32 {
    let size = window.rect[1] - window.rect[0];
    window.chance * distance * distance / (facing.max(1e-4) * size.x * size.y)
}

pub(crate) fn inside(rect: [Vec2; 2], at: Vec2) -> bool {
    at.cmpge(rect[0]).all() && at.cmple(rect[1]).all()
}
