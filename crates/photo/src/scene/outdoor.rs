//! Evidence for regions of an exterior: sky, position against the horizon, color and texture.

use crate::sky::Matte;

use super::canvas::Canvas;
use super::evidence::Evidence;
use super::region::Region;

/// Evidence for what each cell shows if the photo is an exterior.
#[must_use]
pub fn evidence(canvas: &Canvas, sky: Option<&Matte>) -> Evidence {
    use Region::{Facade, Lawn, Other, Paving, Plants, Roof, Sky, Water};
    let prior = [
        (Sky, 0.2),
        (Lawn, 0.1),
        (Paving, 0.2),
        (Water, 0.01),
        (Plants, 0.2),
        (Facade, 0.3),
        (Roof, 0.05),
        (Other, 0.04),
    ];
    let above = |i: usize| (-canvas.depression[i] * 20.0).clamp(-4.0, 4.0);
    let green = |i: usize| ((canvas.greenness[i] - 0.06) * 40.0).clamp(-2.5, 3.0);
    let rough = |i: usize| ((canvas.texture[i] - 5.0) * 0.4).clamp(-2.0, 2.0);
    let colorful = |i: usize| ((canvas.lab[i][1].hypot(canvas.lab[i][2]) - 15.0) * 0.15).clamp(-1.5, 1.5);
    Evidence::prior(canvas.lab.len(), &prior)
        .with(&[Sky], |i| match sky {
            Some(sky) => {
                let alpha = at(sky, canvas.place(i));
                (alpha - 0.4) * 10.0 * sky.confidence
            }
            None => -3.0,
        })
        .with(&[Sky, Roof], |i| above(i).min(1.0))
        .with(&[Lawn, Paving, Water], |i| -above(i))
        .with(&[Lawn, Plants], green)
        .with(&[Plants], |i| rough(i) + 0.2 * above(i))
        .with(&[Lawn], |i| -0.5 * rough(i))
        .with(&[Paving], |i| -rough(i) - colorful(i))
        .with(&[Facade], |i| 0.1 * above(i))
}

/// Coverage of a matte at a point given as shares of the width and height.
fn at(matte: &Matte, [x, y]: [f64; 2]) -> f32 {
    let cell = |share: f64, count: usize| ((share * count as f64) as usize).min(count - 1);
    matte.alpha[cell(y, matte.height) * matte.width + cell(x, matte.width)]
}
