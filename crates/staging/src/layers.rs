//! Layers of a furnished picture: each piece complete, also where another hides it, and the room behind them.
//!
//! Visible pixels come from the picture. Hidden parts of a piece have the color of their material in the light of its visible parts;
//! the hidden room is the empty photo in the light that furniture leaves there. Pieces are split into parts (a leg, a cushion), within
//! which distances change little from pixel to pixel.

use aerie_math::color::encoded;
use aerie_photo::layers::{Body, Layers, MOST_BODIES};
use aerie_photo::room::{Camera, Distances};
use aerie_photo::{Linear, Photo, fill};
use glam::{DVec2, Vec3};
use rayon::prelude::*;

use crate::arrange::{Arrangement, Placed};
use crate::composite::Composite;
use crate::space::Space;
use crate::trace::Scene;
use aerie_furniture::material::Material;
use aerie_furniture::mesh::Mesh;

/// Longer side of the layers, pixels.
const SIDE: usize = 1600;
/// Width of the mixed rim around a piece, pixels.
const RIM: usize = 1;
/// Size up to which parts of a piece are merged, meters, and largest number of separate parts.
const SMALL_PART: f32 = 0.15;
const MOST_PARTS: usize = 8;
/// Thickness up to which a piece counts as part of the floor or wall, meters.
const FLAT: f32 = 0.05;
const FLAT_ON_WALL: f32 = 0.16;
/// Smallest share of the picture for a layer of its own.
const LEAST: f64 = 1e-4;
/// Smallest reflectance from which light is estimated.
const LEAST_ALBEDO: f32 = 0.03;

/// A part of a piece, rendered alone.
struct Cast {
    name: &'static str,
    /// Number of the piece.
    piece: usize,
    is_flat: bool,
    corner: [usize; 2],
    width: usize,
    height: usize,
    cover: Vec<f32>,
    albedo: Vec<[f32; 3]>,
    nearness: Vec<f32>,
    color: Vec<[f32; 3]>,
}

impl Cast {
    /// Its pixels and their indices in the layers.
    fn places(&self, across: usize) -> impl Iterator<Item = (usize, usize)> {
        let (width, [left, top]) = (self.width, self.corner);
        (0..self.width * self.height).map(move |i| (i, (top + i / width) * across + left + i % width))
    }
}

/// Separates the furniture of a picture. `distances` are those of the faces of the room, in camera heights. `None` if canceled.
pub(crate) fn layers(
    space: &Space,
    distances: Distances,
    picture: &Composite,
    (arrangement, materials): (&Arrangement, &[Material]),
    is_over: &dyn Fn() -> bool,
) -> Option<Layers> {
    let [full_width, full_height] = [space.camera.width, space.camera.height];
    let reduced = |pixels: &[[u16; 3]]| Photo::new(full_width, full_height, pixels.to_vec()).reduced(SIDE);
    let (behind, staged) = (reduced(&picture.behind), reduced(&picture.pixels));
    let (width, height) = (behind.width, behind.height);
    let scale = DVec2::new(width as f64 / full_width as f64, height as f64 / full_height as f64);
    let camera = Camera {
        width,
        height,
        focal: space.camera.focal * scale.x,
        center: space.camera.center * scale,
        ..space.camera
    };
    let small = Space { camera, ..space.clone() };
    let mut casts = Vec::new();
    for (piece, placed) in arrangement.placed.iter().enumerate() {
        for part in parts(placed) {
            if is_over() {
                return None;
            }
            casts.extend(cast(&small, (piece, placed), part, materials));
        }
    }
    let least = (LEAST * (width * height) as f64) as f32;
    casts.retain(|c: &Cast| c.cover.iter().sum::<f32>() > least);
    // Small ones stay painted on the room where there are too many.
    casts.sort_by_key(|c| (c.is_flat, usize::MAX - c.width * c.height));
    casts.iter_mut().skip(MOST_BODIES).for_each(|c| c.is_flat = true);

    sink(&mut casts, width, height);
    let front = front(&casts, width, height);
    let hidden = grown(&casts.iter().filter(|c| !c.is_flat).collect::<Vec<_>>(), width, height);
    light(&mut casts, &front, &staged, width);
    let room = room(&casts, &hidden, &behind);
    let bodies = casts.into_iter().filter(|c| !c.is_flat).map(body).collect();
    let meters = space.scale.meters;
    Some(Layers { picture: String::new(), camera, distances, meters, confidence: 0.0, room, bodies })
}

/// The parts of a piece at its place; small ones are merged.
fn parts(placed: &Placed) -> Vec<Mesh> {
    let mut whole = Mesh::default();
    whole.place(&placed.piece.mesh, placed.yaw, placed.at);
    let mut boxes = vec![[Vec3::MAX, Vec3::MIN]; whole.parts.len()];
    for (corners, part) in &whole.triangles {
        let [low, high] = &mut boxes[*part as usize];
        for corner in corners {
            let place = whole.vertices[*corner as usize].place;
            (*low, *high) = (low.min(place), high.max(place));
        }
    }
    let length = |part: usize| {
        let [low, high] = boxes[part];
        (high - low).max(Vec3::ZERO).length()
    };
    let mut large: Vec<usize> = (0..whole.parts.len()).filter(|part| length(*part) > SMALL_PART).collect();
    large.sort_by(|a, b| length(*b).total_cmp(&length(*a)));
    large.truncate(MOST_PARTS);
    let mut meshes = vec![Mesh::default(); large.len() + 1];
    for (corners, part) in &whole.triangles {
        let group = large.iter().position(|of| *of == *part as usize).unwrap_or(large.len());
        let mesh = &mut meshes[group];
        let base = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners.map(|corner| whole.vertices[corner as usize]));
        // One part per triangle: the group of small ones has several materials.
        mesh.triangles.push(([base, base + 1, base + 2], mesh.parts.len() as u32));
        mesh.parts.push(whole.parts[*part as usize]);
    }
    meshes.retain(|mesh| !mesh.triangles.is_empty());
    meshes
}

/// Renders a part alone; `None` if it is not in the picture.
fn cast(space: &Space, (piece, placed): (usize, &Placed), mesh: Mesh, materials: &[Material]) -> Option<Cast> {
    let (across, down) = (space.camera.width, space.camera.height);
    let forward = space.camera.rotation.transpose().z_axis.as_vec3();
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for vertex in &mesh.vertices {
        match space.pixel(vertex.place) {
            Some(pixel) => {
                low = low.min(pixel);
                high = high.max(pixel);
            }
            // Beside the camera: it may take up any of the picture.
            None => {
                low = DVec2::ZERO;
                high = DVec2::new(across as f64, down as f64);
            }
        }
    }
    let most = DVec2::new(across as f64, down as f64);
    let (low, high) = ((low - 3.0).clamp(DVec2::ZERO, most), (high + 3.0).clamp(DVec2::ZERO, most));
    let (left, top) = (low.x.floor() as usize, low.y.floor() as usize);
    let (width, height) = ((high.x.ceil() as usize).saturating_sub(left), (high.y.ceil() as usize).saturating_sub(top));
    if width == 0 || height == 0 {
        return None;
    }
    let scene = Scene::new(mesh, materials.to_vec());
    let spread = (1.0 / space.camera.focal) as f32;
    let unit = space.eye.z;
    let sampled: Vec<(f32, Vec3, f32)> = (0..width * height)
        .into_par_iter()
        .map(|i| {
            let corner = DVec2::new((left + i % width) as f64, (top + i / width) as f64);
            let (mut count, mut albedo, mut nearness) = (0.0, Vec3::ZERO, 0.0_f32);
            for at in [(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)] {
                let ray = space.ray(corner + DVec2::new(at.0, at.1));
                let (reach, _) = space.intersect(space.eye, ray);
                let Some(hit) = scene.hit(space.eye, ray, reach - 1e-4, spread) else { continue };
                count += 1.0;
                albedo += hit.look.albedo + hit.look.mirror;
                nearness += unit / (hit.distance * ray.dot(forward)).max(1e-3);
            }
            (count / 4.0, albedo / f32::max(count, 1.0), nearness / f32::max(count, 1.0))
        })
        .collect();
    let is_known = |i: usize| sampled[i].0 > 0.0;
    // Extends the distances beyond the edges of the piece.
    let mut nearness: Vec<[f32; 3]> = sampled.iter().map(|s| [s.2; 3]).collect();
    fill(&mut nearness, width, height, is_known);
    Some(Cast {
        name: placed.piece.kind.as_str(),
        piece,
        is_flat: placed.piece.size.z <= FLAT || placed.piece.size.y <= FLAT_ON_WALL,
        corner: [left, top],
        width,
        height,
        cover: sampled.iter().map(|s| s.0).collect(),
        albedo: sampled.iter().map(|s| s.1.max(Vec3::splat(LEAST_ALBEDO)).to_array()).collect(),
        nearness: nearness.iter().map(|n| n[0]).collect(),
        color: Vec::new(),
    })
}

/// Clips pieces at flat ones in front of them, such as feet in the pile of a rug.
fn sink(casts: &mut [Cast], width: usize, height: usize) {
    let mut flat = vec![0.0_f32; width * height];
    for cast in casts.iter().filter(|c| c.is_flat) {
        for (i, at) in cast.places(width) {
            if cast.cover[i] > 0.5 {
                flat[at] = flat[at].max(cast.nearness[i]);
            }
        }
    }
    for cast in casts.iter_mut().filter(|c| !c.is_flat) {
        let places: Vec<(usize, usize)> = cast.places(width).collect();
        for (i, at) in places {
            if flat[at] > cast.nearness[i] {
                cast.cover[i] = 0.0;
            }
        }
    }
}

/// Per pixel, the index of the only visible piece; `u32::MAX` where there is none or several.
fn front(casts: &[Cast], width: usize, height: usize) -> Vec<u32> {
    let mut best = vec![(0.0_f32, u32::MAX); width * height];
    for (number, cast) in casts.iter().enumerate() {
        for (i, at) in cast.places(width) {
            if cast.cover[i] > 0.0 && cast.nearness[i] > best[at].0 {
                best[at] = (cast.nearness[i], if cast.cover[i] >= 1.0 { number as u32 } else { u32::MAX });
            }
        }
    }
    // Keep away from the edges of others.
    let mut alone = vec![u32::MAX; width * height];
    alone.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, out) in row.iter_mut().enumerate() {
            let number = best[y * width + x].1;
            let near = |v: usize, u: usize| best[v * width + u].1 == number;
            let rows = y.saturating_sub(1)..(y + 2).min(height);
            if rows.into_iter().all(|v| (x.saturating_sub(1)..(x + 2).min(width)).all(|u| near(v, u))) {
                *out = number;
            }
        }
    });
    alone
}

/// Pixels of the pieces and a rim around them.
fn grown(casts: &[&Cast], width: usize, height: usize) -> Vec<bool> {
    let mut is_covered = vec![false; width * height];
    for cast in casts {
        for (i, at) in cast.places(width) {
            is_covered[at] |= cast.cover[i] > 0.0;
        }
    }
    let reach = |at: usize, side: usize| at.saturating_sub(RIM)..(at + RIM + 1).min(side);
    let mut across = is_covered.clone();
    across.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        row.iter_mut().enumerate().for_each(|(x, out)| *out = reach(x, width).any(|u| is_covered[y * width + u]));
    });
    (0..width * height)
        .into_par_iter()
        .map(|i| reach(i / width, height).any(|v| across[v * width + i % width]))
        .collect()
}

/// Colors each piece by its materials, in the light of its visible parts.
fn light(casts: &mut [Cast], front: &[u32], staged: &Linear, width: usize) {
    let mut all = (Vec3::ZERO, 0.0_f32);
    let mut of_pieces = vec![(Vec3::ZERO, 0.0_f32); casts.iter().map(|c| c.piece + 1).max().unwrap_or(0)];
    let mut fields: Vec<(Vec<[f32; 3]>, Vec<bool>)> = Vec::new();
    for (number, cast) in casts.iter().enumerate() {
        let mut ratios = vec![[1.0; 3]; cast.cover.len()];
        let mut is_seen = vec![false; cast.cover.len()];
        for (i, at) in cast.places(width) {
            if front[at] == number as u32 {
                let ratio = Vec3::from_array(staged.pixels[at]) / Vec3::from_array(cast.albedo[i]);
                ratios[i] = ratio.to_array();
                is_seen[i] = true;
                for sum in [&mut all, &mut of_pieces[cast.piece]] {
                    *sum = (sum.0 + ratio, sum.1 + 1.0);
                }
            }
        }
        fields.push((ratios, is_seen));
    }
    let usual = (all.0 / all.1.max(1.0)).to_array();
    for (cast, (mut ratios, is_seen)) in casts.iter_mut().zip(fields) {
        if is_seen.iter().any(|seen| *seen) {
            fill(&mut ratios, cast.width, cast.height, |i| is_seen[i]);
        } else {
            // Completely hidden: the mean light of its piece, in shade.
            let (sum, count) = of_pieces[cast.piece];
            let light = if count > 0.0 { (sum / count).to_array() } else { usual };
            ratios.fill(light.map(|v| 0.7 * v));
        }
        cast.color = ratios.iter().zip(&cast.albedo).map(|(r, a)| [0, 1, 2].map(|c| r[c] * a[c])).collect();
    }
}

/// The room where furniture hides it, with flat pieces.
fn room(casts: &[Cast], hidden: &[bool], behind: &Linear) -> Vec<[u8; 3]> {
    let width = behind.width;
    let mut colors = behind.pixels.clone();
    let mut flats: Vec<&Cast> = casts.iter().filter(|c| c.is_flat).collect();
    let mean = |c: &Cast| c.nearness.iter().sum::<f32>() / c.nearness.len().max(1) as f32;
    flats.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    for cast in flats {
        for (i, at) in cast.places(width) {
            let cover = cast.cover[i];
            colors[at] = [0, 1, 2].map(|c| colors[at][c] * (1.0 - cover) + cast.color[i][c] * cover);
        }
    }
    // Black marks pixels that the picture shows.
    let visible = |color: &[f32; 3]| shown(*color).map(|v| v.max(1));
    colors.iter().zip(hidden).map(|(color, hidden)| if *hidden { visible(color) } else { [0; 3] }).collect()
}

fn body(cast: Cast) -> Body {
    let pixels = cast.color.iter().zip(&cast.cover).map(|(color, cover)| {
        let [r, g, b] = if *cover > 0.0 { shown(*color) } else { [0; 3] };
        [r, g, b, (cover * 255.0).round() as u8]
    });
    Body {
        name: cast.name.to_owned(),
        corner: cast.corner,
        width: cast.width,
        height: cast.height,
        pixels: pixels.collect(),
        nearness: cast.nearness,
    }
}

/// Converts to 8-bit sRGB; colors brighter than white keep their hue.
fn shown(color: [f32; 3]) -> [u8; 3] {
    let most = color.iter().copied().fold(1.0, f32::max);
    encoded(color.map(|v| v.max(0.0) / most)).map(|v| ((u32::from(v) + 128) / 257) as u8)
}
