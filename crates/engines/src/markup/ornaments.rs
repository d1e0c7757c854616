//! North arrow and scale bar.

use aerie_render::RenderError;
use aerie_render::caption::{Caption, Corner};
use serde_json::{Map, Value};

use super::framing::{Frame, PICTURE, SIDE};

/// Possible lengths of a scale bar, meters.
const LENGTHS: [f64; 7] = [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// What to draw into the upper corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ornaments {
    north_arrow: bool,
    scale_bar: bool,
}

impl Ornaments {
    /// From `options.north_arrow` and `options.scale_bar` of a request. Both default to `false`.
    pub(super) fn of(options: Option<&Map<String, Value>>) -> Self {
        let asked = |name: &str| options.and_then(|o| o.get(name)).and_then(Value::as_bool).unwrap_or(false);
        Self { north_arrow: asked("north_arrow"), scale_bar: asked("scale_bar") }
    }

    /// Draws them into the variant with `turns` quarter turns.
    pub(super) fn draw(self, frame: &Frame, turns: usize, nv12: &mut [u8]) -> Result<(), RenderError> {
        let side = f64::from(SIDE);
        let size = side / 60.0;
        if self.north_arrow {
            Caption::new(PICTURE, "N", size as f32, Corner::TopRight)?.blend(PICTURE, nv12, 1.0);
            let middle = [side - 2.6 * size, 4.4 * size];
            // Bearing of north, clockwise from the picture's up direction.
            let turn = -frame.up_after(turns);
            let to = |along: f64, across: f64| {
                let (sin, cos) = turn.sin_cos();
                [middle[0] + sin * along + cos * across, middle[1] - cos * along + sin * across]
            };
            let long = 1.5 * size;
            shape(nv12, &[to(long, 0.0), to(-long, 0.62 * size), to(-0.62 * long, 0.0), to(-long, -0.62 * size)]);
        }
        if self.scale_bar {
            let per_meter = side / (2.0 * frame.half);
            let length = LENGTHS.into_iter().rev().find(|l| l * per_meter <= 0.22 * side).unwrap_or(LENGTHS[0]);
            Caption::new(PICTURE, &format!("{length} m"), size as f32, Corner::TopLeft)?.blend(PICTURE, nv12, 1.0);
            let (x, y) = (1.5 * size, 3.1 * size);
            let (right, thick) = (x + length * per_meter, 0.22 * size);
            shape(nv12, &[[x, y], [right, y], [right, y + thick], [x, y + thick]]);
            for end in [x, right - thick] {
                shape(nv12, &[[end, y - size * 0.4], [end + thick, y - size * 0.4], [end + thick, y], [end, y]]);
            }
        }
        Ok(())
    }
}

/// A white polygon with a soft dark rim.
fn shape(nv12: &mut [u8], ring: &[[f64; 2]]) {
    let side = SIDE as usize;
    let rim = 3.0;
    let span = |c: usize| {
        let (low, high) = ring.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[c]), h.max(p[c])));
        let from = (low - rim).floor().clamp(0.0, side as f64) as usize;
        from..((high + rim).ceil().clamp(0.0, side as f64) as usize)
    };
    for y in span(1) {
        for x in span(0) {
            let p = [x as f64 + 0.5, y as f64 + 0.5];
            let away = distance(ring, p);
            let white = (0.5 - away).clamp(0.0, 1.0) as f32;
            let dark = (0.6 * (1.0 - away.max(0.0) / rim)).clamp(0.0, 0.6) as f32;
            let luma = &mut nv12[y * side + x];
            let under = f32::from(*luma) * (1.0 - dark) + 20.0 * dark;
            *luma = (under * (1.0 - white) + 232.0 * white).round() as u8;
            if white > 0.5 && x % 2 == 0 && y % 2 == 0 {
                let at = side * side + y / 2 * side + x;
                nv12[at..at + 2].fill(128);
            }
        }
    }
}

/// Distance to the rim of a polygon, pixels; negative inside.
fn distance(ring: &[[f64; 2]], p: [f64; 2]) -> f64 {
    let (mut near, mut inside) = (f64::INFINITY, false);
    for (i, a) in ring.iter().enumerate() {
        let b = ring[(i + 1) % ring.len()];
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy).max(1e-9)).clamp(0.0, 1.0);
        near = near.min((p[0] - a[0] - t * dx).hypot(p[1] - a[1] - t * dy));
        if (a[1] <= p[1]) != (b[1] <= p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * dx {
            inside = !inside;
        }
    }
    if inside { -near } else { near }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_requested_ornaments_are_drawn() {
        let ornaments = |options: Value| Ornaments::of(options.as_object());
        assert_eq!(Ornaments::of(None), Ornaments { north_arrow: false, scale_bar: false });
        let both = ornaments(json!({"north_arrow": true, "scale_bar": true, "other": 1}));
        assert_eq!(both, Ornaments { north_arrow: true, scale_bar: true });
        assert_eq!(ornaments(json!({"north_arrow": false})), Ornaments { north_arrow: false, scale_bar: false });
    }

    #[test]
    fn distances_to_a_square_are_negative_inside() {
        let square = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        assert!((distance(&square, [5.0, 4.0]) + 4.0).abs() < 1e-9);
        assert!((distance(&square, [13.0, 14.0]) - 5.0).abs() < 1e-9);
    }
}
