use super::verticals::{Lens, Tilt, Verticals};
use crate::lines::Segment;

const LENS: Lens = Lens { width: 1200, height: 800, focal: 960.0 };

/// The image of a vertical through a point under a tilt.
fn vertical(tilt: Tilt, [x, y]: [f64; 2], length: f64) -> Segment {
    let (pitch, roll) = (tilt.pitch.to_radians(), tilt.roll.to_radians());
    let up = [-roll.sin() * pitch.cos(), -roll.cos() * pitch.cos(), pitch.sin()];
    let toward = [up[0] * LENS.focal - (x - 600.0) * up[2], up[1] * LENS.focal - (y - 400.0) * up[2]];
    let norm = toward[0].hypot(toward[1]);
    Segment::new([x, y], [x + toward[0] / norm * length, y + toward[1] / norm * length])
}

#[test]
fn a_few_verticals_on_both_sides_determine_pitch_and_roll() {
    for (pitch, roll) in [(4.0, -4.0), (-6.0, 2.0), (8.0, 3.0), (0.0, -4.0)] {
        let tilt = Tilt { pitch, roll };
        let places = [[80.0, 500.0], [300.0, 600.0], [900.0, 450.0], [1120.0, 600.0], [700.0, 500.0]];
        let found = Verticals::find(&places.map(|p| vertical(tilt, p, 180.0)), LENS).expect("upright segments").tilt;
        assert!((found.pitch - pitch).abs() < 0.5 && (found.roll - roll).abs() < 0.2, "{tilt:?}: {found:?}");
    }
}

#[test]
fn verticals_on_one_side_do_not_invent_a_lean_on_the_other() {
    // At the left, pitch and roll cancel.
    let tilt = Tilt { pitch: 6.0, roll: 2.5 };
    let segments = [[60.0, 500.0], [90.0, 600.0], [130.0, 450.0]].map(|p| vertical(tilt, p, 180.0));
    let found = Verticals::find(&segments, LENS).expect("upright segments").tilt;
    // That of the true tilt is 5.6 degrees there.
    assert!(LENS.worst_lean(found) < 2.0, "{found:?}");
}

#[test]
fn stalks_in_the_wind_say_nothing_of_the_vertical() {
    let mut state = 5_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let stalks: Vec<Segment> = (0..600)
        .map(|_| {
            let (x, y, lean) =
                (1200.0 * random(), 400.0 + 400.0 * random(), 0.05 + 0.3 * (random() + random() + random() - 1.5));
            Segment::new([x, y], [x + 60.0 * lean.sin(), y - 60.0 * lean.cos()])
        })
        .collect();
    let found = Verticals::find(&stalks, LENS).expect("upright segments");
    let (before, after) = (found.expected_lean(Tilt::default()), found.expected_lean(found.tilt));
    assert!(after > 2.0 && after > 0.7 * before, "{before} {after}");
}
