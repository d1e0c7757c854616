//! What stands in a room as bodies, and the room behind it.

use aerie_photo::fill;
use aerie_photo::layers::Body;
use aerie_photo::lines::Segment;
use aerie_photo::segmentation::Segmentation;
use rayon::prelude::*;

use super::grid::{Grid, likeness, tone};
use super::pieces::STANDING;
use super::relief::{self, Relief};
use super::{hanging, matte, pendants};
use crate::bodies::{Bodies, Sheet};
use crate::cutout::{halved, rimmed};
use crate::plate::{Frame, Plate};
use crate::proxy::Proxy;
use crate::trees::inpaint::Canvas;

/// Rim and fade around bodies, as shares of the longer side.
const RIM: f64 = 0.0016;
const FADE: f64 = 0.003;
/// Difference of tone that separates when an outline is refined.
const SPREAD: f32 = 5.0;
/// Share of their distance to what is behind that pieces stand out: depths from one photo are guesses, and a piece that stands out too
/// far bends and tears, while one that leans back a little is hardly noticed.
const DARED: f32 = 0.6;
/// Size of the picture in which the room behind is filled, of the frame.
const REDUCED: usize = 2;

/// The bodies; `None` if there are none or they do not fit into a texture. `photo` is the photo's size.
pub(super) fn bodies(
    seen: (&Segmentation, &[Segment]),
    proxy: &Proxy,
    (frame, plate): (&Frame, &Plate),
    photo: [usize; 2],
) -> Option<Bodies> {
    let [left, top, right, bottom] = frame.shown;
    let size = [(right - left) as usize, (bottom - top) as usize];
    let pixels = halved(plate, size);
    let mut grid = Grid::of(seen, proxy, frame, photo, &pixels);
    let lamps = pendants::pendants(&grid, &pixels, size);
    let own_lines = grid.lines.iter().filter(|line| !lamps.iter().any(|lamp| lamp.has_line(&grid, **line)));
    grid.lines = own_lines.copied().collect();
    let standing = matte::standing(&grid);
    let mut bodies: Vec<Body> = relief::relief(&grid, &standing).map_or_else(Vec::new, |mut relief| {
        for (ahead, behind) in relief.ahead.iter_mut().zip(&grid.behind) {
            *ahead = behind + DARED * (*ahead - behind);
        }
        let labels = refined(&grid, &standing, &relief, size, &pixels);
        let body = |number| body(&grid, &relief, number as u8, (&labels, size), &pixels);
        (1..=relief.count).filter_map(body).collect()
    });
    let mut ceiling = hanging::bent_ceiling(&grid, &lamps, &pixels, size);
    let lamps: Vec<Body> = lamps.iter().map(|lamp| lamp.body(&grid, &pixels, size)).collect();
    bodies.iter_mut().for_each(|body| fill_behind(body, &lamps));
    bodies.extend(lamps);
    ceiling.iter_mut().for_each(|ceiling| fill_behind(&mut ceiling.body, &bodies));
    let mut cover = vec![0_u8; size[0] * size[1]];
    for body in &bodies {
        for (i, pixel) in body.pixels.iter().enumerate() {
            let at = (body.corner[1] + i / body.width) * size[0] + body.corner[0] + i % body.width;
            cover[at] = cover[at].max(pixel[3]);
        }
    }
    // The ceiling goes on beside its part that bends: only what hangs there is filled.
    if let Some(ceiling) = &ceiling {
        let places = (0..cover.len()).filter(|i| ceiling.hangs(&grid, i % size[0], i / size[0]));
        places.collect::<Vec<_>>().into_iter().for_each(|i| cover[i] = 255);
    }
    let behind = behind(&grid, size, &pixels, &cover);
    bodies.extend(ceiling.map(|ceiling| ceiling.body));
    Bodies::on(Sheet::of_available(frame), (&behind, &bodies), plate)
}

/// Number of the piece at each pixel, with outlines along the edges of the picture.
fn refined(grid: &Grid, standing: &[f32], relief: &Relief, size: [usize; 2], pixels: &[[f32; 3]]) -> Vec<u8> {
    let wide = dilated(&relief.labels, grid.width);
    let (columns, rows) = (grid.width as isize, grid.height as isize);
    let label = |i: usize| {
        let place = grid.place(i % size[0], i / size[0]);
        let (x, y) = ((place[0] + 0.5) as isize, (place[1] + 0.5) as isize);
        let number = wide[(y.min(rows - 1) * columns + x.min(columns - 1)) as usize];
        if number == 0 {
            return 0;
        }
        let (x, y) = (place[0] as isize, place[1] as isize);
        let around = (-1..3).flat_map(|v| (-1..3).map(move |u| (x + u, y + v)));
        let around = around.map(|(u, v)| (v.clamp(0, rows - 1) * columns + u.clamp(0, columns - 1)) as usize);
        let own = |j: usize| if relief.labels[j] == number { standing[j] } else { 0.0 };
        let (low, high) = around.clone().map(own).fold((1.0_f32, 0.0_f32), |(low, high), p| (low.min(p), high.max(p)));
        if low > STANDING {
            return number;
        }
        if high <= STANDING {
            return 0;
        }
        let own_tone = tone(pixels[i]);
        let (mut sum, mut weights) = (0.0, 1e-6);
        for j in around {
            let (u, v) = ((j as isize % columns) as f32 - place[0], (j as isize / columns) as f32 - place[1]);
            let weight = likeness(own_tone, grid.tones[j], SPREAD).max(1e-3) * libm::expf(-(u * u + v * v) / 1.6);
            sum += weight * own(j);
            weights += weight;
        }
        if sum / weights > STANDING { number } else { 0 }
    };
    (0..size[0] * size[1]).into_par_iter().map(label).collect()
}

/// Labels grown by two pixels where there are none.
fn dilated(labels: &[u8], width: usize) -> Vec<u8> {
    let mut all = labels.to_vec();
    for _ in 0..2 {
        let before = all.clone();
        for (i, label) in all.iter_mut().enumerate().filter(|(_, label)| **label == 0) {
            let near = [
                (!i.is_multiple_of(width)).then(|| i.wrapping_sub(1)),
                (i % width + 1 < width).then(|| i + 1),
                i.checked_sub(width),
                Some(i + width).filter(|j| *j < before.len()),
            ];
            *label = near.into_iter().flatten().map(|j| before[j]).max().unwrap_or(0);
        }
    }
    all
}

fn body(
    grid: &Grid,
    relief: &Relief,
    number: u8,
    (labels, [width, height]): (&[u8], [usize; 2]),
    pixels: &[[f32; 3]],
) -> Option<Body> {
    let side = width.max(height) as f64;
    let [rim, fade] = [RIM, FADE].map(|share| (side * share).ceil().max(2.0) as usize);
    let margin = rim + fade + 1;
    let is_in = |x: usize, y: usize| labels[y * width + x] == number;
    let rows: Vec<usize> = (0..height).filter(|y| (0..width).any(|x| is_in(x, *y))).collect();
    let columns: Vec<usize> = (0..width).filter(|x| rows.iter().any(|y| is_in(*x, *y))).collect();
    let (left, top) = (columns.first()?.saturating_sub(margin), rows.first()?.saturating_sub(margin));
    let right = (columns.last()? + 1 + margin).min(width);
    let bottom = (rows.last()? + 1 + margin).min(height);
    let (across, down) = (right - left, bottom - top);
    let place = |i: usize| (left + i % across, top + i / across);
    let inside: Vec<f32> = (0..across * down)
        .map(|i| {
            let (x, y) = place(i);
            f32::from(u8::from(is_in(x, y)))
        })
        .collect();
    let alpha = rimmed(&inside, across, down, rim, fade);
    let of = |i: usize| {
        let (x, y) = place(i);
        let [r, g, b] = pixels[y * width + x].map(|v| v.round() as u8);
        let at = grid.place(x, y);
        ([r, g, b, alpha[i]], grid.between(&relief.ahead, at) * grid.between(&grid.slant, at))
    };
    let (pixels, nearness) = (0..across * down).map(of).unzip();
    Some(Body { name: "furniture".to_owned(), corner: [left, top], width: across, height: down, pixels, nearness })
}

/// Fills a body where others hide it.
fn fill_behind(body: &mut Body, others: &[Body]) {
    let Body { corner: [left, top], width, height, .. } = *body;
    let mut is_hidden = vec![false; width * height];
    for other in others {
        for i in (0..other.pixels.len()).filter(|i| other.pixels[*i][3] > 0) {
            let (x, y) = (other.corner[0] + i % other.width, other.corner[1] + i / other.width);
            if (left..left + width).contains(&x) && (top..top + height).contains(&y) {
                is_hidden[(y - top) * width + x - left] = true;
            }
        }
    }
    let is_known = |i: usize| !is_hidden[i] && body.pixels[i][3] > 0;
    if !is_hidden.contains(&true) || !(0..is_hidden.len()).any(is_known) {
        return;
    }
    let mut colors: Vec<[f32; 3]> = body.pixels.iter().map(|[r, g, b, _]| [*r, *g, *b].map(f32::from)).collect();
    fill(&mut colors, width, height, is_known);
    for i in (0..is_hidden.len()).filter(|i| is_hidden[*i]) {
        (0..3).for_each(|c| body.pixels[i][c] = colors[i][c].round() as u8);
    }
}

/// The room where bodies cover it: each of its faces is filled from its own pixels. Black where the photo shows it.
fn behind(grid: &Grid, [width, height]: [usize; 2], pixels: &[[f32; 3]], cover: &[u8]) -> Vec<[u8; 3]> {
    let (across, down) = (width.div_ceil(REDUCED), height.div_ceil(REDUCED));
    let under = |i: usize| {
        let (x, y) = (i % across * REDUCED, i / across * REDUCED);
        let block =
            (y..(y + REDUCED).min(height)).flat_map(move |v| (x..(x + REDUCED).min(width)).map(move |u| v * width + u));
        let (mut sum, mut count, mut covered) = ([0.0_f32; 3], 0.0, 0);
        for j in block {
            (0..3).for_each(|c| sum[c] += pixels[j][c]);
            count += 1.0;
            covered = covered.max(cover[j]);
        }
        let place = grid.place(x, y);
        let face = grid.faces[(place[1] + 0.5) as usize * grid.width + (place[0] + 0.5) as usize];
        (sum.map(|s| s / count), covered, face)
    };
    let all: Vec<([f32; 3], u8, u8)> = (0..across * down).into_par_iter().map(under).collect();
    let reduced: Vec<[f32; 3]> = all.iter().map(|cell| cell.0).collect();
    let zones: Vec<u8> = all.iter().map(|cell| cell.2).collect();
    let mut guess = reduced.clone();
    fill(&mut guess, across, down, |i| all[i].1 == 0);
    for face in 0..5 {
        let mut filled = reduced.clone();
        if !(0..all.len()).any(|i| all[i].1 == 0 && zones[i] == face) {
            continue;
        }
        fill(&mut filled, across, down, |i| all[i].1 == 0 && zones[i] == face);
        (0..all.len()).filter(|i| all[*i].1 > 0 && zones[*i] == face).for_each(|i| guess[i] = filled[i]);
    }
    let filled = Canvas::new(guess, [across, down], &zones, |i| all[i].1 == 0).fill();
    let of = |i: usize| {
        if cover[i] < 255 {
            return [0; 3];
        }
        let at = [(i % width) as f32, (i / width) as f32].map(|v| ((v + 0.5) / REDUCED as f32 - 0.5).max(0.0));
        let (x, y) = (at[0] as usize, at[1] as usize);
        let (u, v) = (at[0] - x as f32, at[1] - y as f32);
        let texel = |x: usize, y: usize, c: usize| filled[y.min(down - 1) * across + x.min(across - 1)][c];
        [0, 1, 2].map(|c| {
            let row = |y: usize| texel(x, y, c) * (1.0 - u) + texel(x + 1, y, c) * u;
            ((row(y) * (1.0 - v) + row(y + 1) * v).round() as u8).max(1)
        })
    };
    (0..width * height).into_par_iter().map(of).collect()
}
