//! Takes the light of a room from its photo.

use aerie_photo::Photo;
use aerie_photo::segmentation::Segmentation;
use glam::{DVec2, Vec2, Vec3};

use super::openings;
use super::shell::{Shell, Window, inside};
use crate::grid::Grid;
use crate::space::{Space, Surface};

/// Size of the cells of a surface, meters, and largest number of them per side.
const CELL: f32 = 0.06;
const MAX_CELLS: u32 = 160;

impl Shell {
    /// Takes the radiance of the surfaces from the photo and detects windows and lamps. Their strength is fitted later.
    #[must_use]
    pub fn of(space: Space, photo: &Photo, segmentation: Option<&Segmentation>) -> Self {
        let small = photo.reduced(640);
        let scale = DVec2::new(small.width as f64 / photo.width as f64, small.height as f64 / photo.height as f64);
        let (mut faces, mut seen) = (Vec::new(), Vec::new());
        for surface in space.surfaces() {
            let mut grid = Grid::new(space.extent(surface), CELL, MAX_CELLS, Vec3::ZERO);
            let mut shown = vec![false; grid.values.len()];
            for (i, shown) in shown.iter_mut().enumerate() {
                let place = space.off_face(surface, grid.middle(i));
                let Some(pixel) = space.pixel(place).filter(|_| space.shows(place)) else { continue };
                let way = place - space.eye;
                let (reach, _) = space.intersect(space.eye, way.normalize());
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
        let mut shell =
            Self { space, windows: Vec::new(), faces, seen, occlusion: Vec::new(), ambient: Vec3::splat(0.4) };
        shell.windows = openings::windows(&shell, segmentation);
        shell.windows.extend(openings::lamps(&shell));
        shell.guess_unseen();
        shell.update_sampling();
        shell
    }

    /// Fills cells that the photo does not show with the mean of their surface, or of similar surfaces.
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
}

#[cfg(test)]
mod tests {
    use aerie_math::color::encoded;
    use aerie_photo::room::Camera;
    use glam::DVec2;

    use super::*;
    use crate::site::Site;
    use crate::space::boxed;

    /// A photo of a room of 4 x 5 m, each place as bright as `paint` says.
    fn shell(paint: impl Fn(Surface, Vec3) -> f32) -> Shell {
        let camera = Camera::turned(480, 320, 300.0, 0.0, 0.0, 0.0);
        let space = boxed(camera, 1.3, Vec2::new(-2.0, -1.0), Vec2::new(2.0, 4.0), 2.6);
        let pixel = |i: usize| {
            let ray = space.ray(DVec2::new((i % 480) as f64 + 0.5, (i / 480) as f64 + 0.5));
            let (reach, surface) = space.intersect(space.eye, ray);
            encoded([paint(surface, space.eye + ray * reach); 3])
        };
        let photo = Photo::new(480, 320, (0..480 * 320).map(pixel).collect());
        Shell::of(space.clone(), &photo, None)
    }

    fn bare(surface: Surface) -> f32 {
        match surface {
            Surface::Floor => 0.15,
            Surface::Ceiling => 0.5,
            Surface::Wall(_) => 0.4,
        }
    }

    fn near(place: Vec3, at: Vec2, reach: f32) -> bool {
        (place.truncate() - at).abs().max_element() < reach
    }

    #[test]
    fn a_bright_spot_in_the_ceiling_is_a_lamp_and_a_ceiling_that_grows_bright_is_none() {
        let lamps = |shell: &Shell| shell.windows.iter().filter(|w| w.side().is_none()).count();
        let lamp = Vec2::new(0.3, 3.0);
        let is_lamp = |s: Surface, p: Vec3| s == Surface::Ceiling && near(p, lamp, 0.12);
        let lit = shell(|s, p| if is_lamp(s, p) { 1.0 } else { bare(s) });
        assert_eq!(lamps(&lit), 1);
        let found = lit.windows.iter().find(|w| w.side().is_none()).expect("a lamp");
        assert!(((found.rect[0] + found.rect[1]) / 2.0 - lamp).length() < 0.08, "{:?}", found.rect);
        // As large as a fixture, with the power of the bright spot.
        let area = (found.rect[1] - found.rect[0]).element_product();
        assert!(area > 0.15 && (area * found.radiance.x - 0.24 * 0.24).abs() < 0.03, "{area} {}", found.radiance);
        assert_eq!(lamps(&shell(|s, _| bare(s))), 0);
        let grows = |s: Surface, p: Vec3| if s == Surface::Ceiling { (0.3 * p.y).min(1.0) } else { bare(s) };
        assert_eq!(lamps(&shell(grows)), 0);
    }

    #[test]
    fn sun_is_where_a_patch_of_floor_is_far_brighter_and_not_where_it_mirrors_a_window() {
        let patch = Vec2::new(-0.6, 3.1);
        let is_patch = |s: Surface, p: Vec3| s == Surface::Floor && near(p, patch, 0.3);
        let sunny = shell(|s, p| if is_patch(s, p) { 0.6 } else { bare(s) });
        let sun = sunny.sunlight();
        assert!(sun.at(patch).x > 2.5, "{}", sun.at(patch));
        assert_eq!(sun.at(patch + Vec2::new(1.4, 0.0)), Vec3::ONE);
        // The same patch below a window is what the floor mirrors.
        let space = sunny.space.clone();
        let way = patch.extend(0.0) - space.eye;
        let up = Vec3::new(way.x, way.y, -way.z).normalize();
        let (reach, surface) = space.intersect(patch.extend(0.001), up);
        let middle = space.on_face(surface, patch.extend(0.001) + up * reach);
        let Surface::Wall(side) = surface else { panic!("{surface:?}") };
        let glazed = sunny.with_windows(&[(side, [middle - 0.4, middle + 0.4])], Vec3::splat(2.0));
        assert_eq!(glazed.sunlight().at(patch), Vec3::ONE);
    }

    #[test]
    fn brick_attracts_the_eye_and_paint_does_not() {
        let is_far = |s: Surface, p: Vec3| matches!(s, Surface::Wall(_)) && p.y > 3.9;
        let brick = |p: Vec3| 0.2 + 0.05 * (((p.x * 14.0).floor() * 7.0 + (p.z * 14.0).floor() * 3.0).rem_euclid(5.0));
        let shell = shell(|s, p| if is_far(s, p) { brick(p) } else { bare(s) });
        let site = Site::of(&shell, &[], None);
        let sides = shell.space.sides.iter().enumerate().filter(|(_, s)| s.seen);
        for (i, side) in sides {
            let is_brick = side.from.y.min(side.to.y) > 3.9;
            assert_eq!(site.attracts(i) > 0.5, is_brick, "{i}: {}", shell.roughness(i));
        }
    }

    #[test]
    fn a_dark_opening_low_in_a_wall_is_kept_clear() {
        let is_hearth =
            |s: Surface, p: Vec3| matches!(s, Surface::Wall(_)) && p.y > 3.9 && p.x.abs() < 0.45 && p.z < 0.8;
        let hearths = |shell: &Shell| Site::of(shell, &[], None).fixtures.len();
        assert_eq!(hearths(&shell(|s, p| if is_hearth(s, p) { 0.03 } else { bare(s) })), 1);
        assert_eq!(hearths(&shell(|s, _| bare(s))), 0);
    }
}
