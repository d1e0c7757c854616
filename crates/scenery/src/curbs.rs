//! Curbs between a carriageway and the sidewalk or verge beside it, dropped at crossings and driveways.

use aerie_geodata::place::{Point, Way};
use aerie_render::scene::Cover;
use glam::DVec2;

use crate::albedo::Albedo;
use crate::crossings::Crossing;
use crate::driveways::Driveway;
use crate::painter::Painter;
use crate::shape;

/// Width of the curbstone, meters.
const WIDTH: f64 = 0.12;
const STONE: Albedo = [0.40, 0.392, 0.374];
/// Width of the dirty gutter along the curb, meters.
pub(crate) const GUTTER: f64 = 0.16;
const DIRTY: Albedo = [0.068, 0.066, 0.064];
/// A dropped curb, which hardly stands out.
const DROPPED: Albedo = [0.25, 0.241, 0.226];
/// Half the length of the dropped curb at a crossing, meters.
const AT_CROSSING: f64 = 1.9;
/// How far a dropped curb extends beyond the edges of a driveway, meters.
const BESIDE_DRIVEWAY: f64 = 0.3;
/// Distance from the property beyond which curbs are too narrow to see, meters.
const REACH: f64 = 420.0;

/// Paints both curbs of a way, under its carriageway.
pub(crate) fn paint(way: &Way, painter: &mut Painter) {
    let mut stretch: Vec<Point> = Vec::new();
    for pair in way.line.windows(2) {
        let near = shape::distance_to_segment(DVec2::ZERO, shape::vec(pair[0]), shape::vec(pair[1])) < REACH;
        if !near {
            stone(&std::mem::take(&mut stretch), way.width, painter);
            continue;
        }
        if stretch.is_empty() {
            stretch.push(pair[0]);
        }
        stretch.push(pair[1]);
    }
    stone(&stretch, way.width, painter);
}

fn stone(line: &[Point], width: f64, painter: &mut Painter) {
    painter.ribbon(line, width + 2.0 * WIDTH, STONE, Cover::Marking);
    painter.ribbon(line, width, DIRTY, Cover::Hard);
}

/// Paints the dropped curbs of ways: at crossings and driveways.
pub(crate) fn paint_dropped(
    has_curb: impl Fn(usize) -> bool,
    crossings: &[Crossing],
    driveways: &[Driveway],
    painter: &mut Painter,
) {
    for crossing in crossings.iter().filter(|c| has_curb(c.way)) {
        for side in [1.0, -1.0] {
            dropped(crossing.at, crossing.along.perp() * side, crossing.width, AT_CROSSING, painter);
        }
    }
    for driveway in driveways.iter().filter(|d| has_curb(d.way)) {
        let outwards = (driveway.wall - driveway.street).normalize_or(DVec2::X);
        dropped(driveway.street, outwards, driveway.carriageway, driveway.width * 0.5 + BESIDE_DRIVEWAY, painter);
    }
}

/// Paints a dropped curb that extends `half` meters to each side of a point on a way, on the side of `outwards`.
fn dropped(at: DVec2, outwards: DVec2, width: f64, half: f64, painter: &mut Painter) {
    let along = outwards.perp();
    let corner = |s: f64, out: f64| (at + along * s * half + outwards * (width * 0.5 + out)).to_array();
    let (foot, top) = (0.0, WIDTH + 0.02);
    let ring = [corner(-1.0, foot), corner(-1.0, top), corner(1.0, top), corner(1.0, foot)];
    painter.convex(&ring, DROPPED, Cover::Hard, along);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::tone_at;
    use crate::fixtures::way;

    #[test]
    fn a_curb_runs_along_both_sides_and_is_dropped_at_driveways_and_crossings() {
        let street = way("way/1", vec![[-50.0, 0.0], [50.0, 0.0]], false);
        let edge = street.width * 0.5 + WIDTH * 0.5;
        let crossing = Crossing::stripes(0, DVec2::new(20.0, 0.0), DVec2::X, street.width);
        let (wall, on) = (DVec2::new(-20.0, 9.0), DVec2::new(-20.0, 0.0));
        let driveway = Driveway { way: 0, wall, street: on, carriageway: street.width, width: 3.0, albedo: STONE };
        let mut painter = Painter::default();
        paint(&street, &mut painter);
        paint_dropped(|way| way == 0, &[crossing], &[driveway], &mut painter);
        let at = |x: f64, y: f64| tone_at(painter.vertices(), DVec2::new(x, y));
        assert_eq!((at(0.3, edge), at(0.3, -edge)), (Some(STONE[0]), Some(STONE[0])));
        assert_eq!((at(20.3, edge), at(20.3, -edge)), (Some(DROPPED[0]), Some(DROPPED[0])));
        // The driveway joins from the left only.
        assert_eq!((at(-19.7, edge), at(-19.7, -edge)), (Some(DROPPED[0]), Some(STONE[0])));
        assert_eq!(at(0.3, edge + WIDTH), None);
    }

    #[test]
    fn a_curb_too_far_away_to_see_is_not_painted() {
        let mut painter = Painter::default();
        paint(&way("way/1", vec![[900.0, 0.0], [600.0, 0.0]], false), &mut painter);
        assert!(painter.vertices().is_empty());
        // A long street passes near although its ends are far away.
        paint(&way("way/1", vec![[900.0, 100.0], [-900.0, 100.0]], false), &mut painter);
        assert!(!painter.vertices().is_empty());
    }
}
