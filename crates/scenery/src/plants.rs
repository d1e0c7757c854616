//! Trees, hedges and other plants as small opaque cards, with a level of detail fixed by the distance to the camera path.

use aerie_geodata::place::{AreaKind, BarrierKind, Place, Tree, TreeKind};
use aerie_render::scene::Plants;
use glam::{Vec3, vec3};

use crate::canopy::{self, CANOPY_FROM};
use crate::fences;
use crate::flight::Flight;
use crate::foliage::{Cell, Grove, Leaf};
use crate::hedges;
use crate::mesh::Builder;
use crate::plots::Plots;
use crate::shape;
use crate::vines;
use crate::visibility::Visibility;
use aerie_math::Rng;

/// Maximum number of tree cards in a scene, which bounds memory and time per frame.
const MAX_CARDS: usize = 700_000;

/// Trees lower than this are shrubs with few leaves, meters.
const SHRUB: f64 = 2.0;

/// Number of cards close together in a crown.
const TWIG: usize = 4;

/// Level of detail of a tree.
#[derive(Clone, Copy)]
struct Detail {
    cards: usize,
    corners: usize,
    /// Size of a card relative to the crown's radius.
    size: f32,
    trunk: bool,
}

impl Detail {
    /// More and relatively smaller cards for a larger crown.
    fn scaled(self, radius: f32) -> Self {
        let by = (radius / 2.6).clamp(0.6, 1.6);
        self.times(by.powf(1.4), by.powf(0.7))
    }

    /// `by` times as many cards, each `smaller` times smaller.
    fn times(self, by: f32, smaller: f32) -> Self {
        Self { cards: (self.cards as f32 * by) as usize, size: self.size / smaller, ..self }
    }
}

/// Level of detail by the minimum distance to the camera, meters.
fn detail(distance: f32) -> Detail {
    match distance {
        d if d < 42.0 => Detail { cards: 4600, corners: 4, size: 0.056, trunk: true },
        d if d < 75.0 => Detail { cards: 2400, corners: 4, size: 0.078, trunk: true },
        d if d < 130.0 => Detail { cards: 1000, corners: 4, size: 0.098, trunk: true },
        d if d < 220.0 => Detail { cards: 460, corners: 4, size: 0.138, trunk: true },
        d if d < 400.0 => Detail { cards: 190, corners: 3, size: 0.235, trunk: true },
        d if d < 750.0 => Detail { cards: 72, corners: 3, size: 0.39, trunk: false },
        _ => Detail { cards: 26, corners: 3, size: 0.62, trunk: false },
    }
}

/// Builds the plants of a place and its plots; adds fences and walls to the solids.
pub(crate) fn add(
    place: &Place,
    flight: &Flight,
    visibility: &Visibility<'_>,
    plots: &Plots,
    solids: &mut Builder,
) -> Plants {
    let mut grove = Grove::default();
    let trees: Vec<(&Tree, Vec3, Detail)> = place
        .trees
        .iter()
        .chain(&plots.shrubs)
        .filter(|tree| visibility.contains(shape::vec(tree.at).as_vec2()))
        .filter_map(|tree| {
            let foot = shape::vec(tree.at).extend(place.terrain.height(tree.at)).as_vec3();
            let distance = flight.distance_to(foot);
            let woods = !tree.mapped && in_wood(place, tree);
            // In a wood, only the tops are visible.
            let detail = match tree.height {
                _ if woods => detail(distance).times(0.55, 0.80),
                height if height < SHRUB => detail(distance).times(0.30, 0.55),
                _ => detail(distance),
            };
            (!woods || distance < CANOPY_FROM).then_some((tree, foot, detail))
        })
        .collect();
    let wanted: usize = trees.iter().map(|(_, _, detail)| detail.cards).sum();
    let density = (MAX_CARDS as f32 / wanted.max(1) as f32).min(1.0);
    for (tree, foot, detail) in trees {
        let detail = detail.times(density, density.sqrt());
        match tree.kind {
            TreeKind::Broadleaved => broadleaved(&mut grove, tree, foot, detail),
            TreeKind::Needleleaved => needleleaved(&mut grove, tree, foot, detail),
        }
    }
    for barrier in place.barriers.iter().chain(&plots.barriers) {
        match barrier.kind {
            BarrierKind::Hedge => hedges::add(&mut grove, place, flight, visibility, barrier),
            BarrierKind::Fence => fences::add(place, barrier, 0.05, [126, 108, 88], solids),
            BarrierKind::Wall => fences::add(place, barrier, 0.22, [168, 160, 148], solids),
        }
    }
    vines::add(&mut grove, place, flight, visibility);
    canopy::add(place, flight, visibility, &mut grove);
    grove.finish()
}

/// Whether a tree is in a wood, where the canopy replaces it from afar.
fn in_wood(place: &Place, tree: &Tree) -> bool {
    let at = shape::vec(tree.at);
    place.areas.iter().any(|a| a.kind == AreaKind::Forest && shape::inside(at, &a.polygon))
}

fn broadleaved(grove: &mut Grove, tree: &Tree, foot: Vec3, detail: Detail) {
    let mut rng = Rng::new(tree.seed);
    let height = tree.height as f32;
    // In a wood, crowns are dense and reach down; a tree in the open shows its trunk.
    let (least, bare) = if tree.mapped { (0.0, rng.range_f32(0.14, 0.26)) } else { (0.19, rng.range_f32(0.06, 0.13)) };
    let radius = (tree.crown as f32 * 0.5).clamp(height * least, height * 0.55);
    let bare = (height * bare).min(3.2);
    let crown_height = height - bare;
    let middle = foot + Vec3::Z * (bare + crown_height * 0.5);
    // Hues of different species.
    let species = rng.pick(&[
        vec3(0.068, 0.107, 0.029),
        vec3(0.083, 0.114, 0.034),
        vec3(0.057, 0.091, 0.031),
        vec3(0.096, 0.122, 0.039),
        vec3(0.075, 0.096, 0.039),
    ]);
    let hue = species * rng.range_f32(0.82, 1.2);
    let detail = detail.scaled(radius);
    let cell = grove.cell(foot);
    if detail.trunk {
        trunk(cell, foot, bare + crown_height * 0.4, 0.07 + height * 0.013, vec3(0.085, 0.066, 0.05));
    }
    // The crown is a few spherical boughs with cards on their surfaces.
    let boughs: Vec<(Vec3, f32)> = (0..7)
        .map(|i| {
            let angle = i as f32 * 2.399 + rng.range_f32(-0.4, 0.4);
            let level = (i as f32 + 0.5) / 7.0 * 2.0 - 1.0;
            let out = (1.0 - level * level * 0.8).max(0.05).sqrt() * 0.52;
            let at = vec3(angle.cos() * out * radius, angle.sin() * out * radius, level * crown_height * 0.30);
            (at, rng.range_f32(0.46, 0.66))
        })
        .collect();
    let squash = (crown_height * 0.5) / radius;
    // Near the camera, a large core would be seen between the leaves.
    let inner = if detail.cards > 2_000 { 0.7 } else { 1.0 };
    core(cell, middle, radius * 0.58 * inner, crown_height * 0.34 * inner, hue * 0.5);
    // Leaves grow in twigs: cards close together, of one tone.
    let twigs = (detail.cards / TWIG).max(1);
    for i in 0..twigs {
        let (bough, size) = boughs[i % boughs.len()];
        let z =
            1.0 - 2.0 * ((i / boughs.len()) as f32 + rng.unit_f32()) / (twigs as f32 / boughs.len() as f32).max(1.0);
        let z = z.clamp(-0.85, 1.0);
        let angle = rng.unit_f32() * std::f32::consts::TAU;
        let flat = (1.0 - z * z).sqrt();
        let direction = vec3(angle.cos() * flat, angle.sin() * flat, z);
        let reach = vec3(radius, radius, radius * squash.min(1.3)) * size * rng.range_f32(0.70, 1.02);
        let from_middle = (bough + direction * reach) / vec3(radius, radius, crown_height * 0.5);
        if from_middle.length() < 0.38 {
            continue;
        }
        let tone = rng.range_f32(0.86, 1.14) * vec3(rng.range_f32(0.94, 1.10), 1.0, 0.95);
        for _ in 0..TWIG {
            let card = detail.size * radius * rng.range_f32(0.7, 1.15);
            let beside = vec3(rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0));
            let local = bough + direction * reach + beside * card * 1.15;
            let from_middle = local / vec3(radius, radius, crown_height * 0.5);
            let depth = from_middle.length().min(1.15);
            let normal = (direction * 0.4 + from_middle * 0.8 + Vec3::Z * 0.12).normalize_or(Vec3::Z);
            let open = (0.34 + 0.44 * depth * depth + 0.22 * from_middle.z).clamp(0.26, 1.0);
            let albedo = hue * tone * rng.range_f32(0.94, 1.06);
            // Toward the outside leaves are smaller, so that the outline is fine.
            let card = card * (1.25 - 0.35 * depth);
            let leaf = Leaf { normal, open, albedo, thin: 0.8 };
            cell.card(middle + local, direction, card, detail.corners, &mut rng, &leaf);
        }
    }
}

fn needleleaved(grove: &mut Grove, tree: &Tree, foot: Vec3, detail: Detail) {
    let mut rng = Rng::new(tree.seed);
    let height = tree.height as f32;
    let radius = (tree.crown as f32 * 0.5).clamp(height * 0.13, height * 0.3);
    let bare = height * rng.range_f32(0.04, 0.10);
    let hue = rng.pick(&[vec3(0.026, 0.044, 0.020), vec3(0.032, 0.050, 0.024), vec3(0.030, 0.046, 0.028)])
        * rng.range_f32(0.85, 1.2);
    let detail = detail.scaled(radius * 1.4);
    let cell = grove.cell(foot);
    if detail.trunk {
        trunk(cell, foot, height * 0.8, 0.06 + height * 0.009, vec3(0.075, 0.055, 0.042));
    }
    let count = detail.cards * 3 / 4;
    for i in 0..count {
        let level = ((i as f32 + rng.unit_f32()) / count as f32).powf(1.25);
        let tier = (level * 11.0).fract();
        let reach = radius * (1.0 - level).max(0.03) * (0.72 + 0.34 * (1.0 - tier)) * rng.range_f32(0.80, 1.05);
        let angle = i as f32 * 2.399_963 + rng.range_f32(-0.3, 0.3);
        let outwards = vec3(angle.cos(), angle.sin(), 0.0);
        let at = foot + Vec3::Z * (bare + level * (height - bare) * 0.985) + outwards * reach * 0.68;
        let normal = (outwards + Vec3::Z * 0.55).normalize();
        let open = 0.35 + 0.45 * level + 0.2 * (1.0 - tier);
        let leaf = Leaf { normal, open, albedo: hue * rng.range_f32(0.75, 1.3), thin: 0.35 };
        let size = (detail.size * 1.25 * radius * (0.45 + 0.75 * (1.0 - level))).max(0.14);
        cell.card(at, outwards * 0.6 + Vec3::Z, size, detail.corners, &mut rng, &leaf);
    }
    // A slender cone as the dark core.
    let leaf = |normal: Vec3| Leaf { normal, open: 0.5, albedo: hue * 0.75, thin: 0.3 };
    for i in 0..5 {
        let corner = |k: usize| {
            let angle = k as f32 * std::f32::consts::TAU / 5.0;
            foot + Vec3::Z * bare + vec3(angle.cos(), angle.sin(), 0.0) * radius * 0.55
        };
        let angle = (i as f32 + 0.5) * std::f32::consts::TAU / 5.0;
        cell.polygon(
            &[corner(i), corner(i + 1), foot + Vec3::Z * height * 0.97],
            &leaf(vec3(angle.cos(), angle.sin(), 0.3)),
        );
    }
}

fn trunk(cell: &mut Cell, foot: Vec3, height: f32, radius: f32, albedo: Vec3) {
    const SIDES: usize = 5;
    let ring = |i: usize| {
        let angle = i as f32 * std::f32::consts::TAU / SIDES as f32;
        vec3(angle.cos(), angle.sin(), 0.0)
    };
    for i in 0..SIDES {
        let (a, b) = (ring(i), ring(i + 1));
        let leaf = Leaf { normal: (a + b).normalize(), open: 0.55, albedo, thin: 0.0 };
        let up = Vec3::Z * height;
        cell.polygon(
            &[
                foot - Vec3::Z * 0.3 + a * radius,
                foot - Vec3::Z * 0.3 + b * radius,
                foot + up + b * radius * 0.6,
                foot + up + a * radius * 0.6,
            ],
            &leaf,
        );
    }
}

/// The dark core of a crown: a bipyramid.
fn core(cell: &mut Cell, middle: Vec3, radius: f32, half_height: f32, albedo: Vec3) {
    let tip = |z: f32| middle + Vec3::Z * half_height * z;
    for i in 0..6 {
        let corner = |k: usize| {
            let angle = k as f32 * std::f32::consts::TAU / 6.0;
            middle + vec3(angle.cos(), angle.sin(), 0.0) * radius
        };
        for z in [-1.0, 1.0] {
            let angle = (i as f32 + 0.5) * std::f32::consts::TAU / 6.0;
            let leaf =
                Leaf { normal: vec3(angle.cos(), angle.sin(), z * 0.7).normalize(), open: 0.5, albedo, thin: 0.5 };
            cell.polygon(&[corner(i), corner(i + 1), tip(z)], &leaf);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inside_of_a_crown_is_darker_than_its_outside_but_not_black() {
        let tree = Tree {
            at: [0.0; 2],
            kind: TreeKind::Broadleaved,
            height: 9.0,
            crown: 6.0,
            seed: 7,
            mapped: true,
            measured: false,
        };
        let mut grove = Grove::default();
        broadleaved(&mut grove, &tree, Vec3::ZERO, Detail { trunk: false, ..detail(60.0) });
        let plants = grove.finish();
        let middle = vec3(0.0, 0.0, 5.5);
        let ambient = |v: &aerie_render::scene::PlantVertex| {
            f32::from(v.normal[3]) / 127.0 * (f32::from(v.color[1]) / 255.0).powi(2)
        };
        let mean = |inner: bool| {
            let within =
                |v: &&aerie_render::scene::PlantVertex| (Vec3::from_array(v.position).distance(middle) < 2.4) == inner;
            let some: Vec<f32> = plants.vertices.iter().filter(within).map(ambient).collect();
            some.iter().sum::<f32>() / some.len() as f32
        };
        let (inside, outside) = (mean(true), mean(false));
        assert!(inside > 0.4 * outside && inside < 0.9 * outside, "{inside} inside, {outside} outside");
    }
}
