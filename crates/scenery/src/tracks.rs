//! Railway tracks painted on the ground.

use aerie_geodata::place::{Polygon, Surface, Way};
use aerie_render::scene::Cover;
use glam::DVec2;

use crate::painter::Painter;
use crate::shape;

/// Sleepers are drawn one by one up to this distance from the property, meters.
pub(crate) const SLEEPER_REACH: f64 = 215.0;
/// Spacing of sleepers, meters.
pub(crate) const SLEEPER_SPACING: f64 = 0.65;

/// Paints sleepers and rails.
pub(crate) fn paint(way: &Way, painter: &mut Painter) {
    if way.surface == Surface::Ballast {
        for pair in way.line.windows(2) {
            let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
            let along = (b - a).normalize_or(DVec2::X);
            for i in 0..(a.distance(b) / SLEEPER_SPACING) as usize {
                let at = a + along * SLEEPER_SPACING * i as f64;
                if at.length() > SLEEPER_REACH {
                    continue;
                }
                let corner = |s: f64, t: f64| (at + along.perp() * s * 1.3 + along * t * 0.13).to_array();
                let outer = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                let sleeper = Polygon { outer, holes: vec![] };
                painter.polygon(&sleeper, [0.105, 0.094, 0.082], Cover::Marking, along);
            }
        }
    }
    for side in [-0.75, 0.75] {
        let rail = shape::offset(&way.line, side);
        // A bright head between rusty flanks, which dominate from afar.
        painter.ribbon(&rail, 0.30, [0.060, 0.045, 0.036], Cover::Marking);
        painter.ribbon(&rail, 0.07, [0.36, 0.35, 0.34], Cover::Marking);
    }
}
