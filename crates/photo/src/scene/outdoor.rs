//! Evidence for regions of an exterior: sky, position against the horizon, color, texture and lines.

use crate::sky::Matte;

use super::canvas::Canvas;
use super::columns;
use super::evidence::Evidence;
use super::region::Region::{Facade, Lawn, Other, Paving, Plants, Roof, Sky, Water};

/// Log odds against sky where none was detected.
const NO_SKY: f32 = -4.0;
/// Depth of a roof below the sky, as a share of the height of the photo.
const ROOF: f32 = 0.14;

/// Evidence for what each cell shows if the photo is an exterior. `level` is the confidence in the horizon, 0 to 1; `seen` is what the
/// network says.
#[must_use]
pub fn evidence(canvas: &Canvas, sky: Option<&Matte>, level: f32, seen: &Evidence) -> Evidence {
    let prior = [
        (Sky, 0.2),
        (Lawn, 0.1),
        (Paving, 0.2),
        (Water, 0.01),
        (Plants, 0.2),
        (Facade, 0.3),
        (Roof, 0.05),
        (Other, 0.02),
    ];
    let sure = 0.4 + 0.6 * level;
    let below = |i: usize| canvas.depression[i] * 60.0 * sure;
    let green = |i: usize| ((canvas.greenness[i] - 0.05) * 50.0).clamp(-2.5, 3.0);
    let rough = |i: usize| ((canvas.texture[i] - 5.0) * 0.35).clamp(-1.5, 2.0);
    let colorful = |i: usize| ((chroma(canvas, i) - 16.0) * 0.12).clamp(-1.0, 1.5);
    let blue = |i: usize| {
        let [_, a, b] = canvas.lab[i];
        (0.3 * (-b - 6.0) + 0.35 * (-a - 4.0).max(0.0)).clamp(-3.0, 6.0)
    };
    // Pools are green and blue; grass is green and yellow.
    let yellow = |i: usize| ((canvas.lab[i][2] - 6.0) * 0.4).clamp(-4.0, 0.5);
    let upright = |i: usize| (canvas.uprights[i] * 14.0).min(2.0);
    let straight = |i: usize| (canvas.slanted[i] * 10.0 - 0.4).min(1.2);
    let depth = depths(canvas, sky);
    let evidence = Evidence::prior(canvas.lab.len(), &prior)
        .with(&[Sky], |i| sky.map_or(NO_SKY, |sky| (alpha(sky, canvas.place(i)) - 0.4) * 11.0 * sky.confidence))
        .with(&[Sky], |i| (-below(i)).clamp(-4.0, 0.5))
        .with(&[Lawn, Paving, Water], |i| below(i).clamp(-5.0, 1.2) - upright(i))
        .with(&[Lawn, Plants], green)
        .with(&[Plants], |i| rough(i) - 0.5 * upright(i))
        .with(&[Lawn], |i| yellow(i) - 0.6 * rough(i))
        .with(&[Paving], |i| -0.7 * rough(i) - colorful(i) - 0.5 * green(i).max(0.0))
        .with(&[Water], |i| blue(i) + 0.5 * (-yellow(i)).max(0.0) - rough(i))
        .with(&[Facade], |i| upright(i) + straight(i) - 0.5 * green(i).max(0.0))
        .with(&[Roof], |i| {
            let near = depth[i].map_or(-1.5, |depth| 1.5 - 2.5 * depth / ROOF);
            let dark = ((62.0 - canvas.lab[i][0]) * 0.06).clamp(-1.5, 0.8);
            near + dark + straight(i) - upright(i) + (-below(i) - 1.0).clamp(-4.0, 0.5)
        });
    columns::ordered(&evidence.and(seen), canvas.width)
}

fn chroma(canvas: &Canvas, i: usize) -> f32 {
    canvas.lab[i][1].hypot(canvas.lab[i][2])
}

/// Coverage of a matte at a point given as shares of the width and height.
fn alpha(matte: &Matte, [x, y]: [f64; 2]) -> f32 {
    let cell = |share: f64, count: usize| ((share * count as f64) as usize).min(count - 1);
    matte.alpha[cell(y, matte.height) * matte.width + cell(x, matte.width)]
}

/// How far each cell lies below the sky of its column, as a share of the height; `None` where there is no sky above.
fn depths(canvas: &Canvas, sky: Option<&Matte>) -> Vec<Option<f32>> {
    let mut depths = vec![None; canvas.lab.len()];
    let Some(sky) = sky else { return depths };
    for x in 0..canvas.width {
        let mut last = None;
        for y in 0..canvas.height {
            let i = y * canvas.width + x;
            if alpha(sky, canvas.place(i)) > 0.5 {
                last = Some(y);
            }
            depths[i] = last.map(|last| (y - last) as f32 / canvas.height as f32);
        }
    }
    depths
}
