//! White balance by the Minkowski norm of what is nearly grey (shades of grey, Finlayson and Trezzi 2004).

use crate::colour::{lab, luminance};
use crate::photo::Linear;

use super::judge::Scene;

/// Chroma up to which a pixel tells about the light rather than of itself.
const NEAR_GREY: f32 = 22.0;
/// Share of the picture that must be nearly grey, or the light is not judged.
const LEAST_COVERAGE: f32 = 0.12;
/// Warmth that is left in the light, b*: a room lit by lamps is to look so.
const KEPT_WARMTH: f32 = 2.0;
/// Largest factor between red or blue and green, and its inverse.
const CAP: f32 = 1.45;

/// Gains that take (part of) the cast away, and its distance in a*, b*.
pub(crate) fn gains(reduced: &Linear, scene: Scene) -> ([f32; 3], f32) {
    let (p, damping, most) = match scene {
        Scene::Indoors => (6, 0.7, 14.0),
        Scene::Outdoors => (3, 0.42, 7.0),
    };
    // A strong cast lifts grey things themselves out of the near-grey: so the light is sought in rounds, each on what
    // the rounds before made neutral.
    let mut gains = [1.0_f32; 3];
    for _ in 0..3 {
        let Some(light) = light(reduced, gains, p, scene) else { break };
        let next = [(light[1] / light[0]) as f32, 1.0, (light[1] / light[2]) as f32];
        (0..3).for_each(|c| gains[c] = (gains[c] * next[c]).clamp(1.0 / CAP / CAP, CAP * CAP));
    }
    let cast = [1.0 / gains[0], 1.0, 1.0 / gains[2]];
    let [_, a, b] = lab(at_lightness(cast, 75.0));
    // Warm light keeps some of its warmth; for the rest, so much of the cast goes as the damping says.
    let left = KEPT_WARMTH.min(b.max(0.0));
    let share = damping * if b > 0.0 { 1.0 - left / a.hypot(b).max(left) } else { 1.0 };
    let distance = a.hypot(b);
    let share = share.min(most / distance.max(1e-3));
    let damped = gains.map(|g| g.powf(share).clamp(1.0 / CAP, CAP));
    let shift = distance * share;
    (normalised(damped), shift)
}

/// Gains that move white by `warmth` in b*.
pub(crate) fn warmed(gains: [f32; 3], warmth: f32) -> [f32; 3] {
    let share = warmth / 100.0;
    normalised([gains[0] * (1.0 + share * 0.9), gains[1], gains[2] * (1.0 - share * 1.6)])
}

/// With white's luminance unchanged: exposure is another's business.
fn normalised(gains: [f32; 3]) -> [f32; 3] {
    let y = luminance(gains);
    gains.map(|g| g / y)
}

fn at_lightness(rgb: [f32; 3], lightness: f32) -> [f32; 3] {
    let scale = crate::colour::luminance_of(lightness) / luminance(rgb);
    rgb.map(|v| v * scale)
}

/// The Minkowski mean of near-grey, unclipped pixels under given gains; `None` when there are too few.
fn light(reduced: &Linear, gains: [f32; 3], p: i32, scene: Scene) -> Option<[f64; 3]> {
    let mut sums = [0.0_f64; 3];
    let mut count = 0_usize;
    // Outdoors the blue of the upper half is sky, and no sign of blue light.
    let upper = if scene == Scene::Outdoors { reduced.pixels.len() * 6 / 10 } else { 0 };
    for (i, pixel) in reduced.pixels.iter().enumerate() {
        if pixel.iter().any(|v| *v > 0.955) {
            continue;
        }
        let balanced = [pixel[0] * gains[0], pixel[1] * gains[1], pixel[2] * gains[2]];
        let [l, a, b] = lab(balanced);
        if l < 12.0 || a.hypot(b) > NEAR_GREY || (i < upper && b < -5.0 && a.abs() < -b) {
            continue;
        }
        (0..3).for_each(|c| sums[c] += f64::from(balanced[c]).powi(p));
        count += 1;
    }
    let enough = count as f32 >= LEAST_COVERAGE * reduced.pixels.len() as f32;
    enough.then(|| sums.map(|s| (s / count as f64).powf(1.0 / f64::from(p)).max(1e-6)))
}
