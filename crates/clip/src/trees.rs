//! Separates trees and shrubs in front of a house into upright layers.
//!
//! A tree is separated only if it visibly stands on the ground nearer than the house: its leaves meet the ground, or its trunk has
//! two edges. Uncertain ones stay on the façade.

use aerie_math::color::{lab, linear};
use aerie_photo::fill;
use aerie_photo::layers::Body;
use aerie_photo::lines::Segment;
use aerie_photo::sky::Matte;
use glam::DVec2;
use rayon::prelude::*;

use crate::bodies::{Bodies, Sheet};
use crate::cutout::{halved, rimmed};
use crate::plate::{Frame, Plate};
use crate::proxy::{Kind, Proxy};

mod crowns;
pub(crate) mod inpaint;
mod site;

use crowns::{Crown, Foot};
use inpaint::Canvas;
use site::Place;

/// Largest number of trees.
const MOST: usize = 12;
/// How many times nearer than its background a tree must be, at the median of its pixels; otherwise a layer makes no difference.
const NEARER: f64 = 1.06;
const CLEARLY_NEARER: f64 = 1.2;
/// Rim and fade around cutouts, as shares of the longer side.
const RIM: f64 = 0.002;
const FADE: f64 = 0.003;

/// Detected trees.
#[derive(Debug, Clone)]
pub struct Trees(Vec<Tree>);

#[derive(Debug, Clone)]
struct Tree {
    /// Its coverage, 0 to 255, per available pixel.
    mask: Vec<u8>,
    /// The vertical plane that it stands in: horizontal direction and distance.
    direction: DVec2,
    distance: f64,
}

/// A picture with its trees separated.
#[derive(Debug, Clone)]
pub struct SeparatedTrees {
    /// The trees.
    pub bodies: Bodies,
    /// The picture without them.
    pub plate: Plate,
    /// The sky without them.
    pub sky: Matte,
}

impl Trees {
    /// Detects trees in front of a house; `None` if no tree is certain. `segments` are the lines of the photo, `photo` its size.
    #[must_use]
    pub fn find(
        (proxy, sky): (&Proxy, &Matte),
        segments: &[Segment],
        (frame, plate): (&Frame, &Plate),
        photo: [usize; 2],
    ) -> Option<Self> {
        proxy.ground()?;
        let mut place = Place::of(proxy, frame, photo);
        let tone = |p: &[f32; 3]| lab(linear(p.map(|v| (v * 257.0) as u16)));
        place.tones = halved(plate, [place.width, place.height]).par_iter().map(tone).collect();
        let leaves = place.leaves(sky)?;
        let edges: Vec<[DVec2; 2]> = segments.iter().filter_map(|s| place.upright(s)).collect();
        // Where the ground ends is known less well without lines: what is cut out must stand out.
        let is_certain = proxy.kind == Kind::Facades;
        let crowns = place.crowns(&leaves).into_iter().filter(|crown| is_certain || place.is_compact(crown));
        let trees = crowns.filter_map(|crown| place.tree(&crown, &edges, is_certain)).take(MOST);
        Some(Self(trees.collect())).filter(|trees| !trees.0.is_empty())
    }

    /// Number of trees.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Separates the trees from the picture; `None` if they do not fit into a texture.
    #[must_use]
    pub fn apart(
        &self,
        (proxy, sky): (&Proxy, &Matte),
        (frame, plate): (&Frame, &Plate),
        photo: [usize; 2],
    ) -> Option<SeparatedTrees> {
        let place = Place::of(proxy, frame, photo);
        let pixels = halved(plate, [place.width, place.height]);
        let bodies: Vec<Body> = self.0.iter().filter_map(|tree| place.body(tree, &pixels)).collect();
        let mut cover = vec![0_u8; place.width * place.height];
        for tree in &self.0 {
            cover.iter_mut().zip(&tree.mask).for_each(|(to, from)| *to = (*to).max(*from));
        }
        let sky = place.sky_behind(sky, &cover);
        let behind = place.behind(&pixels, &cover, &sky);
        let bodies = Bodies::on(Sheet::of_available(frame), (&behind, &bodies), plate)?;
        let plate = Plate { double: bodies.behind.clone(), ..plate.clone() };
        Some(SeparatedTrees { bodies, plate, sky })
    }
}

impl Place<'_> {
    fn tree(&self, crown: &Crown, edges: &[[DVec2; 2]], is_certain: bool) -> Option<Tree> {
        let foot = self.foot(crown, if is_certain { edges } else { &[] })?;
        let (direction, distance) = self.plane(crown, &foot, if is_certain { NEARER } else { CLEARLY_NEARER })?;
        let mut inside = vec![0.0_f32; self.width * self.height];
        crown.pixels.iter().chain(&foot.trunk).for_each(|i| inside[*i] = 1.0);
        self.close(&mut inside);
        let side = self.width.max(self.height) as f64;
        let [rim, fade] = [RIM, FADE].map(|share| (side * share).ceil().max(2.0) as usize);
        Some(Tree { mask: rimmed(&inside, self.width, self.height, rim, fade), direction, distance })
    }

    /// The vertical plane that a crown stands in: horizontal direction and distance. `None` if the house is about as near.
    fn plane(&self, crown: &Crown, foot: &Foot, nearer: f64) -> Option<(DVec2, f64)> {
        let start = self.proxy.ray_matrix(&self.proxy.start());
        let corner = DVec2::new(self.frame.shown[0], self.frame.shown[1]);
        let ray = start * (foot.at + corner).extend(1.0);
        let near = self.proxy.ground()?.dot(ray);
        if near <= 1e-3 {
            return None;
        }
        let place = ray.truncate() / near;
        let direction = place.normalize();
        let half = (crown.right - crown.left) as f64 / 2.0 / self.proxy.camera.focal;
        let distance = place.length() * (1.0 + foot.beyond * half);
        // For pixels above the ground: how near the house would be there.
        let high: Vec<usize> = crown.pixels.iter().copied().filter(|i| !self.ground[*i]).step_by(17).collect();
        let mut times: Vec<f64> = high
            .iter()
            .map(|i| {
                let ray = start * self.pixel(*i).extend(1.0);
                direction.dot(ray.truncate()) / distance / self.proxy.main().nearness(ray).max(1e-9)
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let is_before = *times.get(times.len() / 2)? > nearer && times[times.len() / 20] > 1.0;
        is_before.then_some((direction, distance))
    }

    fn body(&self, tree: &Tree, pixels: &[[f32; 3]]) -> Option<Body> {
        let start = self.proxy.ray_matrix(&self.proxy.start());
        let is_in = |x: usize, y: usize| tree.mask[y * self.width + x] > 0;
        let rows: Vec<usize> = (0..self.height).filter(|y| (0..self.width).any(|x| is_in(x, *y))).collect();
        let columns: Vec<usize> = (0..self.width).filter(|x| (0..self.height).any(|y| is_in(*x, y))).collect();
        let (top, left) = (*rows.first()?, *columns.first()?);
        let (width, height) = (columns.last()? + 1 - left, rows.last()? + 1 - top);
        let places = (0..width * height).map(|i| (top + i / width) * self.width + left + i % width);
        let of = |i: usize| {
            let [r, g, b] = pixels[i].map(|v| v.round() as u8);
            let ray = start * self.pixel(i).extend(1.0);
            ([r, g, b, tree.mask[i]], (tree.direction.dot(ray.truncate()) / tree.distance) as f32)
        };
        let (pixels, nearness) = places.map(of).unzip();
        Some(Body { name: "tree".to_owned(), corner: [left, top], width, height, pixels, nearness })
    }

    /// The sky matte, continued behind trees.
    fn sky_behind(&self, sky: &Matte, cover: &[u8]) -> Matte {
        let mut values: Vec<[f32; 3]> = sky.alpha.iter().map(|a| [*a; 3]).collect();
        let is_hidden = |i: usize| {
            let share = DVec2::new(
                ((i % sky.width) as f64 + 0.5) / sky.width as f64,
                ((i / sky.width) as f64 + 0.5) / sky.height as f64,
            );
            let photo = DVec2::new(self.photo[0] as f64, self.photo[1] as f64);
            let at = share * photo * self.frame.scale
                - DVec2::from_array(self.frame.offset)
                - DVec2::new(self.frame.shown[0], self.frame.shown[1]);
            let is_in = at.x >= 0.0 && at.y >= 0.0 && at.x < self.width as f64 && at.y < self.height as f64;
            is_in && cover[at.y as usize * self.width + at.x as usize] > 0
        };
        fill(&mut values, sky.width, sky.height, |i| !is_hidden(i));
        let alpha = (0..values.len()).map(|i| if is_hidden(i) { values[i][0].round() } else { sky.alpha[i] });
        Matte { alpha: alpha.collect(), ..sky.clone() }
    }

    /// Background behind trees: ground, house and sky are each filled from their own pixels. Black where the photo shows it.
    fn behind(&self, pixels: &[[f32; 3]], cover: &[u8], sky: &Matte) -> Vec<[u8; 3]> {
        let zone = |i: usize| match self.ground[i] {
            true => 0,
            false if self.sky(i, sky) > 0.5 => 2,
            false => 1,
        };
        let zones: Vec<u8> = (0..pixels.len()).into_par_iter().map(zone).collect();
        let mut guess = pixels.to_vec();
        for which in 0..3 {
            let mut filled = pixels.to_vec();
            fill(&mut filled, self.width, self.height, |i| cover[i] == 0 && zones[i] == which);
            let hidden = (0..guess.len()).filter(|i| cover[*i] == 255 && zones[*i] == which);
            hidden.for_each(|i| guess[i] = filled[i]);
        }
        let size = [self.width, self.height];
        let filled = Canvas::new(guess, size, &zones, |i| cover[i] < 255).fill();
        let visible = |(i, color): (usize, &[f32; 3])| match cover[i] {
            255 => color.map(|v| (v.round() as u8).max(1)),
            _ => [0; 3],
        };
        filled.iter().enumerate().map(visible).collect()
    }
}
