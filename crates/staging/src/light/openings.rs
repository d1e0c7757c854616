//! Detection of windows and lamps: parts of walls and of the ceiling that are far brighter than the rest.

use aerie_math::color::luminance;
use aerie_photo::segmentation::{Class, Segmentation};
use glam::{DVec2, Vec2};

use super::shell::{Shell, Window, index_of, inside};
use crate::space::Surface;

/// Smallest area of a window, square meters, and smallest share of its rectangle that is bright.
const MIN_AREA: f32 = 0.30;
const MIN_FILL: f32 = 0.5;
/// Width of glazing bars that are bridged, meters.
const BARS: f32 = 0.12;
/// Least luminance of a lamp in a photo.
const LAMP: f32 = 0.93;

/// Probability of glass that a bright part of a wall needs, and that of a window that needs no brightness.
const GLASS: f32 = 0.35;
const CLEAR_WINDOW: f32 = 0.6;

/// The largest bright rectangles of the walls. With a segmentation, bright wall is no window, and a shaded window is one.
pub(super) fn windows(shell: &Shell, segmentation: Option<&Segmentation>) -> Vec<Window> {
    let lights = |face: usize| {
        let grid = &shell.faces[face];
        (0..grid.values.len()).filter(move |i| shell.seen[face][*i]).map(move |i| luminance(grid.values[i].to_array()))
    };
    let mut all: Vec<f32> = (2..shell.faces.len()).flat_map(lights).collect();
    if all.len() < 50 {
        return Vec::new();
    }
    all.sort_by(f32::total_cmp);
    let usual = all[all.len() * 35 / 100];
    let bright = (1.5 * usual).clamp(0.40, 0.93);
    let walls = (0..shell.space.sides.len()).map(Surface::Wall);
    let size = DVec2::new(shell.space.camera.width as f64, shell.space.camera.height as f64);
    let of = |wall: Surface| {
        let grid = &shell.faces[index_of(wall)];
        let is_window = |i: usize| {
            let light = luminance(grid.values[i].to_array());
            let Some(segmentation) = segmentation else { return light >= bright };
            let Some(pixel) = shell.space.pixel(shell.space.off_face(wall, grid.middle(i))) else { return false };
            let at = (pixel / size).to_array();
            let window = segmentation.class(Class::Window, at);
            (light >= bright && window + segmentation.class(Class::Door, at) > GLASS)
                || (window > CLEAR_WINDOW && light > 0.5 * usual)
        };
        parts(shell, wall, is_window, BARS, [MIN_AREA, f32::MAX])
    };
    largest(walls.flat_map(of).collect(), 8)
}

/// Lamps in the ceiling: small parts that are clipped in the photo, in a ceiling that is not.
pub(super) fn lamps(shell: &Shell) -> Vec<Window> {
    let grid = &shell.faces[1];
    let seen = (0..grid.values.len()).filter(|i| shell.seen[1][*i]);
    let mut lights: Vec<f32> = seen.map(|i| luminance(grid.values[i].to_array())).collect();
    if lights.len() < 50 {
        return Vec::new();
    }
    lights.sort_by(f32::total_cmp);
    let usual = lights[lights.len() / 2];
    if usual > LAMP / 1.35 {
        return Vec::new();
    }
    let is_lamp = |i: usize| luminance(grid.values[i].to_array()) >= LAMP;
    let mut found = parts(shell, Surface::Ceiling, is_lamp, 0.0, [0.002, 0.5]);
    // A ceiling that brightens toward a window is not a lamp.
    let stands_out = |lamp: &Window| {
        let wide = [lamp.rect[0] - 0.2, lamp.rect[1] + 0.2];
        let is_about = |at: Vec2| inside(wide, at) && !inside(lamp.rect, at);
        let about: Vec<f32> = (0..grid.values.len())
            .filter(|i| shell.seen[1][*i] && is_about(grid.middle(*i)))
            .map(|i| luminance(grid.values[i].to_array()))
            .collect();
        !about.is_empty() && about.iter().sum::<f32>() < 0.72 * about.len() as f32
    };
    found.retain(|lamp| lamp.rect.iter().all(|corner| shell.space.clearance(*corner) > 0.2) && stands_out(lamp));
    let mut lamps = largest(found, 12);
    lamps.iter_mut().for_each(diffuse);
    lamps
}

/// Widens a lamp to the size of a fixture with the same power: shades and bowls scatter its light, so that shadows have soft edges.
fn diffuse(lamp: &mut Window) {
    const FIXTURE: f32 = 0.4;
    let ([low, high], middle) = (lamp.rect, (lamp.rect[0] + lamp.rect[1]) / 2.0);
    let half = ((high - low) / 2.0).max(Vec2::splat(FIXTURE / 2.0));
    lamp.radiance *= (high - low).element_product() / (half * 2.0).element_product();
    lamp.rect = [middle - half, middle + half];
}

fn largest(mut found: Vec<Window>, most: usize) -> Vec<Window> {
    let area = |w: &Window| (w.rect[1] - w.rect[0]).element_product();
    found.sort_by(|a, b| area(b).total_cmp(&area(a)));
    found.truncate(most);
    found
}

/// Bounding rectangles of the parts of a surface whose cells `belongs` accepts, with gaps of `bars` meters bridged and areas within
/// `areas`.
fn parts(shell: &Shell, surface: Surface, belongs: impl Fn(usize) -> bool, bars: f32, areas: [f32; 2]) -> Vec<Window> {
    let face = index_of(surface);
    let grid = &shell.faces[face];
    let (columns, rows) = (grid.size.x as i32, grid.size.y as i32);
    let mask: Vec<bool> = (0..grid.values.len()).map(|i| shell.seen[face][i] && belongs(i)).collect();
    let reach = (Vec2::splat(bars) / grid.cell / 2.0).ceil().as_ivec2();
    let near = |x: i32, y: i32| {
        (-reach.y..=reach.y).any(|v| {
            (-reach.x..=reach.x).any(|u| {
                let (x, y) = (x + u, y + v);
                (0..columns).contains(&x) && (0..rows).contains(&y) && mask[(y * columns + x) as usize]
            })
        })
    };
    let wide: Vec<bool> = (0..mask.len() as i32).map(|i| near(i % columns, i / columns)).collect();
    let mut taken = vec![false; mask.len()];
    let mut found = Vec::new();
    for start in 0..mask.len() {
        if taken[start] || !wide[start] {
            continue;
        }
        let (mut open, mut cells) = (vec![start], Vec::new());
        taken[start] = true;
        while let Some(i) = open.pop() {
            if mask[i] {
                cells.push(i);
            }
            let (x, y) = (i as i32 % columns, i as i32 / columns);
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                let next = (y * columns + x) as usize;
                if (0..columns).contains(&x) && (0..rows).contains(&y) && wide[next] && !taken[next] {
                    taken[next] = true;
                    open.push(next);
                }
            }
        }
        if cells.is_empty() {
            continue;
        }
        let at = |i: &usize| grid.middle(*i);
        let low = cells.iter().map(at).fold(Vec2::MAX, Vec2::min) - grid.cell / 2.0;
        let high = cells.iter().map(at).fold(Vec2::MIN, Vec2::max) + grid.cell / 2.0;
        let area = (high - low).element_product();
        let fill = cells.len() as f32 * grid.cell.element_product() / area;
        if !(areas[0]..=areas[1]).contains(&area) || fill < MIN_FILL {
            continue;
        }
        let within: Vec<usize> =
            (0..mask.len()).filter(|i| shell.seen[face][*i] && inside([low, high], grid.middle(*i))).collect();
        let radiance = within.iter().map(|i| grid.values[*i]).sum::<glam::Vec3>() / within.len().max(1) as f32;
        found.push(Window { surface, rect: [low, high], radiance, probability: 0.0 });
    }
    found
}
