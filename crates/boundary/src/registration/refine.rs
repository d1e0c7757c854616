//! Inverse compositional alignment of locally normalized luma, with robust weights that ignore the drawing.

use aerie_math::linear;

use super::affine::Affine;
use super::level::Level;
use crate::picture::{Plane, quantile};

/// Longer sides of the levels at which a guess shows its worth.
const ROUGH: [usize; 2] = [128, 256];
/// Longer sides of the levels that refine it to a hundredth of a pixel.
const FINE: [usize; 2] = [512, 1024];
const ITERATIONS: usize = 14;

/// Refines a guess at low resolution. Shear and rotation stay as they are, unless the picture may be `rotated`.
pub(super) fn rough(a: &Plane, c: &Plane, first: Affine, rotated: bool) -> Affine {
    at_levels(a, c, first, &ROUGH, rotated)
}

/// Refines a map until it changes by less than a hundredth of a pixel.
pub(super) fn fine(a: &Plane, c: &Plane, map: Affine) -> Affine {
    at_levels(a, c, map, &FINE, true)
}

fn at_levels(a: &Plane, c: &Plane, mut map: Affine, sides: &[usize], shears: bool) -> Affine {
    let longest = a.width.max(a.height);
    for side in sides {
        if *side > ROUGH[0] && *side > longest * 3 / 2 {
            break;
        }
        let level = Level::new(a, c, &map, *side);
        map = level.full_resolution(&refine_at(&level, shears));
    }
    map
}

fn refine_at(level: &Level, shears: bool) -> Affine {
    let (a, c) = (level.annotated.normalized(5), level.clean.normalized(5));
    let stride = if a.width.max(a.height) > 600 { 2 } else { 1 };
    let (center, half) = ([a.width as f64 * 0.5, a.height as f64 * 0.5], a.width.max(a.height) as f64 * 0.5);
    // Gradients of the annotated picture at textured pixels.
    let mut points = Vec::new();
    for y in (1..a.height - 1).step_by(stride) {
        for x in (1..a.width - 1).step_by(stride) {
            let i = y * a.width + x;
            let gx = 0.5 * (a.values[i + 1] - a.values[i - 1]);
            let gy = 0.5 * (a.values[i + a.width] - a.values[i - a.width]);
            if gx * gx + gy * gy > 0.01 {
                points.push(Point { x, y, gx, gy, value: a.values[i] });
            }
        }
    }
    let mut map = level.map;
    let mut residuals = Vec::with_capacity(points.len());
    for _ in 0..ITERATIONS {
        residuals.clear();
        for point in &points {
            let [u, v] = map.map([point.x as f64 + 0.5, point.y as f64 + 0.5]);
            let inside = u > 0.5 && v > 0.5 && u < c.width as f64 - 0.5 && v < c.height as f64 - 0.5;
            residuals.push(if inside { c.linear(u as f32, v as f32) - point.value } else { f32::NAN });
        }
        let mut sizes: Vec<f32> = residuals.iter().filter(|r| !r.is_nan()).map(|r| r.abs()).collect();
        let cut = 4.685 * (1.4826 * quantile(&mut sizes, 0.5)).max(0.02);
        let mut normal = [[0.0_f64; 6]; 6];
        let mut right = [0.0_f64; 6];
        for (point, r) in points.iter().zip(&residuals) {
            if r.is_nan() || r.abs() >= cut {
                continue;
            }
            let weight = f64::from((1.0 - (r / cut).powi(2)).powi(2));
            let (x, y) = ((point.x as f64 + 0.5 - center[0]) / half, (point.y as f64 + 0.5 - center[1]) / half);
            let (gx, gy) = (f64::from(point.gx), f64::from(point.gy));
            let [bx, by] = if shears { [gx * y, gy * x] } else { [0.0; 2] };
            let j = [gx * x, gy * y, gx, gy, bx, by];
            for (row, (normal, right)) in normal.iter_mut().zip(&mut right).enumerate() {
                *right += weight * j[row] * f64::from(*r);
                for (n, jc) in normal.iter_mut().zip(j) {
                    *n += weight * j[row] * jc;
                }
            }
        }
        if !shears {
            normal[4][4] = 1.0;
            normal[5][5] = 1.0;
        }
        let Some(p) = linear::solve(normal, right, 1e-9) else { break };
        // The step as an affine map around the center, in pixels of this level; its inverse composes on the annotated
        // side.
        let (ax, ay, bx, by) = (p[0] / half, p[1] / half, p[4] / half, p[5] / half);
        let step = Affine([
            1.0 + ax,
            bx,
            p[2] - ax * center[0] - bx * center[1],
            by,
            1.0 + ay,
            p[3] - by * center[0] - ay * center[1],
        ]);
        let Some(back) = step.inverse() else { break };
        let next = map.after(&back);
        let moved = [[0.0, 0.0], [a.width as f64, 0.0], [0.0, a.height as f64]]
            .map(|p| (next.map(p), map.map(p)))
            .map(|(n, m)| (n[0] - m[0]).hypot(n[1] - m[1]));
        // A step that large means that the fit diverged.
        if moved.iter().any(|m| !m.is_finite() || *m > half) {
            break;
        }
        map = next;
        if moved.iter().all(|m| *m < 0.01) {
            break;
        }
    }
    map
}

struct Point {
    x: usize,
    y: usize,
    gx: f32,
    gy: f32,
    value: f32,
}
