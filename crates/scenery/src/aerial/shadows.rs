//! Shadows and trees of the photograph, which would lie flat on the ground under those of the scene: shadows near buildings and trees
//! are lightened to the light around them, and the ground under the crowns of trees takes the color beside them.

use aerie_geodata::place::{AreaKind, Place};
use glam::{DVec2, Vec2, Vec3, vec3};

use super::image::{AerialImage, blurred};
use crate::shape;

/// Coarsest image whose shadows are worth it, meters per pixel.
const COARSEST: f32 = 1.2;
/// Side of the cells that shadows may reach, meters.
const CELL: f32 = 2.0;
/// Reach of a shadow: of a building's or a tree's height, and in addition, meters; at most, meters.
const REACH: [f64; 3] = [1.6, 2.0, 40.0];
/// Side of the squares in which the light around a shadow is measured, meters.
const SQUARE: f32 = 16.0;
/// The luminance that counts as lit, as a share of the pixels that are darker.
const LIT: f32 = 0.6;
/// Luminance relative to that, below which a pixel is in shadow, and above which it is not.
const DARK: [f32; 2] = [0.28, 0.58];
/// Factor between light and shadow of each channel, at least and at most.
const FACTOR: [f32; 2] = [1.2, 5.0];
/// Share of a tree's crown, from its middle, that is replaced, and width of the ring that its color comes from.
const CROWN: f32 = 1.1;
const RING: f32 = 1.6;

/// Removes shadows and trees from the colors of an image.
pub(super) fn remove(place: &Place, center: Vec2, image: &AerialImage, colors: &mut [Vec3]) {
    let scale = 2.0 * image.half_extent / image.side as f32;
    if scale > COARSEST {
        return;
    }
    let view = View { center, half: image.half_extent, side: image.side as usize, scale, known: &image.rgba };
    let lit = view.lit(colors);
    let near = view.near(place);
    lighten(&view, &lit, &near, colors);
    clear_trees(&view, place, &lit, colors);
}

/// Where the pixels of an image lie.
struct View<'a> {
    center: Vec2,
    half: f32,
    side: usize,
    /// Meters per pixel.
    scale: f32,
    known: &'a [u8],
}

/// A value for each square of an image, interpolated between their middles.
struct Squares {
    side: usize,
    /// Pixels along a square.
    pixels: f32,
    values: Vec<f32>,
}

impl Squares {
    fn at(&self, x: usize, y: usize) -> f32 {
        let place = |pixel: usize| ((pixel as f32 + 0.5) / self.pixels - 0.5).clamp(0.0, (self.side - 1) as f32);
        let (u, v) = (place(x), place(y));
        let (i, j) = (u as usize, v as usize);
        let value = |i: usize, j: usize| self.values[j.min(self.side - 1) * self.side + i.min(self.side - 1)];
        let (u, v) = (u - i as f32, v - j as f32);
        let row = |j: usize| value(i, j) * (1.0 - u) + value(i + 1, j) * u;
        row(j) * (1.0 - v) + row(j + 1) * v
    }
}

impl View<'_> {
    fn is_known(&self, index: usize) -> bool {
        self.known[index * 4 + 3] > 127
    }

    /// Pixel of a point, which may lie outside.
    fn pixel(&self, p: DVec2) -> Vec2 {
        let on = p.as_vec2() - self.center;
        Vec2::new(on.x + self.half, self.half - on.y) / self.scale
    }

    /// Luminance of what is lit, around each pixel.
    fn lit(&self, colors: &[Vec3]) -> Squares {
        let pixels = SQUARE / self.scale;
        let side = (self.side as f32 / pixels).ceil().max(1.0) as usize;
        let mut all: Vec<Vec<f32>> = vec![Vec::new(); side * side];
        // Every other pixel is enough.
        for y in (0..self.side).step_by(2) {
            for x in (0..self.side).step_by(2) {
                let index = y * self.side + x;
                if self.is_known(index) {
                    let square = |pixel: usize| ((pixel as f32 / pixels) as usize).min(side - 1);
                    all[square(y) * side + square(x)].push(luminance(colors[index]));
                }
            }
        }
        let values = (0..side * side)
            .map(|index| {
                let (x, y) = (index % side, index / side);
                let around = |v: usize| v.saturating_sub(1)..(v + 2).min(side);
                let mut seen: Vec<f32> = around(y)
                    .flat_map(|y| around(x).flat_map(|x| all[y * side + x].iter().copied()).collect::<Vec<_>>())
                    .collect();
                let rank = (seen.len() as f32 * LIT) as usize;
                if seen.is_empty() { 0.0 } else { *seen.select_nth_unstable_by(rank, f32::total_cmp).1 }
            })
            .collect();
        Squares { side, pixels, values }
    }

    /// Cells that shadows of buildings and trees may reach.
    fn near(&self, place: &Place) -> Vec<bool> {
        let side = self.cells();
        let mut cells = vec![false; side * side];
        let [of_height, more, most] = REACH;
        let reach = |height: f64| (height * of_height + more).min(most);
        let mut take = |low: DVec2, high: DVec2, is_taken: &dyn Fn(DVec2) -> bool, value: bool| {
            let (low, high) = (self.pixel(low) * self.scale / CELL, self.pixel(high) * self.scale / CELL);
            let range = |a: f32, b: f32| {
                (a.min(b).floor().clamp(0.0, side as f32) as usize)..(a.max(b).ceil().clamp(0.0, side as f32) as usize)
            };
            for y in range(low.y, high.y) {
                for x in range(low.x, high.x) {
                    let on = (Vec2::new(x as f32, y as f32) + 0.5) * CELL;
                    let at = Vec2::new(on.x - self.half, self.half - on.y) + self.center;
                    if is_taken(at.as_dvec2()) {
                        cells[y * side + x] = value;
                    }
                }
            }
        };
        for building in &place.buildings {
            let ring = &building.footprint.outer;
            let (low, high) = bounds(ring);
            let reach = reach(building.ridge);
            take(low - reach, high + reach, &|p| shape::distance_to_ring(p, ring) < reach, true);
        }
        for tree in &place.trees {
            let (at, reach) = (shape::vec(tree.at), reach(tree.height) + tree.crown * 0.5);
            take(at - reach, at + reach, &|p| p.distance(at) < reach, true);
        }
        // Water and woods are dark by themselves.
        let dark = |kind| matches!(kind, AreaKind::Water | AreaKind::Pool | AreaKind::Forest);
        for area in place.areas.iter().filter(|area| dark(area.kind)) {
            let (low, high) = bounds(&area.polygon.outer);
            take(low, high, &|p| shape::inside(p, &area.polygon), false);
        }
        cells
    }

    fn cells(&self) -> usize {
        (2.0 * self.half / CELL).ceil().max(1.0) as usize
    }

    fn is_near(&self, near: &[bool], x: usize, y: usize) -> bool {
        let side = self.cells();
        let cell = |pixel: usize| ((pixel as f32 * self.scale / CELL) as usize).min(side - 1);
        near[cell(y) * side + cell(x)]
    }
}

/// Multiplies what is in shadow by the factor between light and shadow in this image.
fn lighten(view: &View<'_>, lit: &Squares, near: &[bool], colors: &mut [Vec3]) {
    let side = view.side;
    let depth = |x: usize, y: usize, color: Vec3| {
        let relative = luminance(color) / lit.at(x, y).max(1e-4);
        let t = ((DARK[1] - relative) / (DARK[1] - DARK[0])).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let mut shade = vec![0.0_f32; side * side];
    let (mut dark, mut light) = (Vec::new(), Vec::new());
    for y in 0..side {
        for x in 0..side {
            let index = y * side + x;
            if !view.is_known(index) || !view.is_near(near, x, y) {
                continue;
            }
            shade[index] = depth(x, y, colors[index]);
            // What the factor is measured from: every seventh pixel.
            let relative = luminance(colors[index]) / lit.at(x, y).max(1e-4);
            if index.is_multiple_of(7) && shade[index] > 0.9 {
                dark.push(colors[index]);
            } else if index.is_multiple_of(7) && (0.8..1.25).contains(&relative) {
                light.push(colors[index]);
            }
        }
    }
    if dark.len() < 50 || light.len() < 50 {
        return;
    }
    let factor = (median(&mut light) / median(&mut dark).max(Vec3::splat(1e-4)))
        .clamp(Vec3::splat(FACTOR[0]), Vec3::splat(FACTOR[1]));
    let radius = (0.45 / view.scale).round() as usize;
    let soft = blurred(&shade, side, radius);
    for (color, shade) in colors.iter_mut().zip(soft) {
        *color *= Vec3::ONE + (factor - 1.0) * shade;
    }
}

/// Gives the ground under the crowns of trees the color beside them.
fn clear_trees(view: &View<'_>, place: &Place, lit: &Squares, colors: &mut [Vec3]) {
    for tree in place.trees.iter().filter(|tree| tree.mapped || tree.measured) {
        let middle = view.pixel(shape::vec(tree.at));
        let radius = tree.crown as f32 * 0.5 * CROWN / view.scale;
        let reach = radius * RING;
        if radius < 2.0 || middle.min_element() < reach || middle.max_element() + reach >= view.side as f32 {
            continue;
        }
        let range = |v: f32| (v - reach) as usize..=(v + reach) as usize;
        let pixels = || range(middle.y).flat_map(|y| range(middle.x).map(move |x| (x, y)));
        let away = |x: usize, y: usize| Vec2::new(x as f32 + 0.5, y as f32 + 0.5).distance(middle);
        let mut beside: Vec<Vec3> = pixels()
            .filter(|&(x, y)| (radius..reach).contains(&away(x, y)) && view.is_known(y * view.side + x))
            .map(|(x, y)| (colors[y * view.side + x], lit.at(x, y)))
            .filter(|(color, lit)| luminance(*color) > DARK[1] * lit)
            .map(|(color, _)| color)
            .collect();
        if beside.len() < 12 {
            continue;
        }
        let ground = median(&mut beside);
        for (x, y) in pixels() {
            let index = y * view.side + x;
            let share = ((radius - away(x, y)) / (0.35 * radius)).clamp(0.0, 1.0);
            if share > 0.0 && view.is_known(index) {
                // Some of the texture stays.
                let detail = (luminance(colors[index]) / lit.at(x, y).max(1e-4)).clamp(0.8, 1.2).powf(0.5);
                colors[index] = colors[index].lerp(ground * detail, share);
            }
        }
    }
}

fn bounds(ring: &[[f64; 2]]) -> (DVec2, DVec2) {
    let points = || ring.iter().map(|&p| shape::vec(p));
    (points().fold(DVec2::INFINITY, DVec2::min), points().fold(DVec2::NEG_INFINITY, DVec2::max))
}

fn luminance(c: Vec3) -> f32 {
    c.dot(vec3(0.2126, 0.7152, 0.0722))
}

/// The median of each channel.
fn median(colors: &mut [Vec3]) -> Vec3 {
    let middle = colors.len() / 2;
    let mut channel = |pick: fn(&Vec3) -> f32| {
        colors.select_nth_unstable_by(middle, |a, b| pick(a).total_cmp(&pick(b)));
        pick(&colors[middle])
    };
    vec3(channel(|c| c.x), channel(|c| c.y), channel(|c| c.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{building, empty_place};
    use aerie_geodata::place::{BuildingKind, Tree, TreeKind};

    const LAWN: Vec3 = vec3(0.09, 0.13, 0.05);
    const SHADE: Vec3 = vec3(0.018, 0.03, 0.016);

    /// A lawn with dark rectangles (west, south, east, north), 0.25 m per pixel.
    fn image(dark: &[[f32; 4]]) -> (AerialImage, Vec<Vec3>) {
        let side = 512_usize;
        let colors = (0..side * side).map(|index| {
            let at = Vec2::new((index % side) as f32, (side - 1 - index / side) as f32) * 0.25 - 64.0;
            let is_dark = dark.iter().any(|[w, s, e, n]| (*w..*e).contains(&at.x) && (*s..*n).contains(&at.y));
            if is_dark { SHADE } else { LAWN }
        });
        let image = AerialImage { half_extent: 64.0, side: side as u32, rgba: vec![255; side * side * 4] };
        (image, colors.collect())
    }

    fn at(colors: &[Vec3], x: f32, y: f32) -> Vec3 {
        let [column, row] = [x + 64.0, 64.0 - y].map(|v| (v / 0.25) as usize);
        colors[row * 512 + column]
    }

    #[test]
    fn the_shadow_beside_a_house_becomes_lawn_and_a_pond_far_away_stays_dark() {
        let mut place = empty_place(None);
        let ring = vec![[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]];
        place.buildings = vec![building("way/1", BuildingKind::House, ring)];
        let (image, mut colors) = image(&[[-5.0, 5.0, 5.0, 11.0], [40.0, -50.0, 52.0, -40.0]]);
        remove(&place, Vec2::ZERO, &image, &mut colors);
        let relative = |x, y| luminance(at(&colors, x, y)) / luminance(LAWN);
        assert!((0.75..1.25).contains(&relative(0.0, 8.0)), "{}", relative(0.0, 8.0));
        assert!(relative(46.0, -45.0) < 0.3 && (relative(-30.0, 0.0) - 1.0).abs() < 1e-3);
        // The shadow was bluer than the lawn.
        let c = at(&colors, 0.0, 8.0);
        assert!((c.z / c.y - LAWN.z / LAWN.y).abs() < 0.08, "{c}");
    }

    #[test]
    fn the_ground_under_a_tree_of_the_map_takes_the_color_beside_it() {
        let mut place = empty_place(None);
        let (kind, at_tree) = (TreeKind::Broadleaved, [20.0, 20.0]);
        place.trees = vec![Tree { at: at_tree, kind, height: 8.0, crown: 7.0, seed: 1, mapped: true, measured: false }];
        let (image, mut colors) = image(&[[17.0, 17.0, 23.0, 23.0]]);
        remove(&place, Vec2::ZERO, &image, &mut colors);
        let relative = luminance(at(&colors, 20.0, 20.0)) / luminance(LAWN);
        assert!((0.75..1.25).contains(&relative), "{relative}");
    }
}
