//! North arrow and scale bar.

use aerie_render::RenderError;
use aerie_render::caption::{Caption, Corner};
use aerie_render::layer::{self, Layer};
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
            let arrow = [to(long, 0.0), to(-long, 0.62 * size), to(-0.62 * long, 0.0), to(-long, -0.62 * size)];
            shape(nv12, &[arrow]);
        }
        if self.scale_bar {
            let per_meter = side / (2.0 * frame.half);
            let length = LENGTHS.into_iter().rev().find(|l| l * per_meter <= 0.22 * side).unwrap_or(LENGTHS[0]);
            Caption::new(PICTURE, &format!("{length} m"), size as f32, Corner::TopLeft)?.blend(PICTURE, nv12, 1.0);
            let (x, y) = (1.5 * size, 3.1 * size);
            let (right, thick) = (x + length * per_meter, 0.22 * size);
            let rect = |left: f64, top: f64, right: f64, bottom: f64| {
                [[left, top], [right, top], [right, bottom], [left, bottom]]
            };
            let tick = |left: f64| rect(left, y - size * 0.4, left + thick, y + thick);
            shape(nv12, &[rect(x, y, right, y + thick), tick(x), tick(right - thick)]);
        }
        Ok(())
    }
}

/// White polygons with a soft dark rim.
fn shape(nv12: &mut [u8], rings: &[[[f64; 2]; 4]]) {
    let rim = 3.0;
    let Some(path) = layer::polygon(rings.iter().copied()) else { return };
    let Some(mut layer) = Layer::around(&path, rim, PICTURE, Layer::FINE) else { return };
    layer.light(&path, 1.0, 0.6, rim);
    layer.blend(PICTURE, nv12, 1.0);
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
}
