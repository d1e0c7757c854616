//! Curbs: the light edge of stone between a carriageway and the pavement or verge beside it, let down where people and cars
//! cross it.

use aerie_geodata::place::{Point, Way};
use aerie_render::scene::Cover;
use glam::DVec2;

use crate::crossings::Crossing;
use crate::drives::Drive;
use crate::ground::{Albedo, Painter};
use crate::shape;

/// Width of the stone, meters.
const WIDTH: f64 = 0.12;
const STONE: Albedo = [0.40, 0.392, 0.374];
/// Dirt and shadow along the stone's foot: how wide, meters, and how dark against the carriageway.
pub(crate) const GUTTER: f64 = 0.16;
const DIRTY: Albedo = [0.068, 0.066, 0.064];
/// Where it is let down to the carriageway it hardly shows.
const LET_DOWN: Albedo = [0.25, 0.241, 0.226];
/// How far to each side of a crossing's middle, and beyond a drive's edges, it is let down, meters.
const AT_CROSSING: f64 = 1.9;
const BESIDE_DRIVE: f64 = 0.3;
/// Farther from the property the stone is narrower than anything that is seen, meters.
const SEEN: f64 = 420.0;

/// Paints both curbs of a way, under its carriageway.
pub(crate) fn paint(way: &Way, painter: &mut Painter) {
    let mut stretch: Vec<Point> = Vec::new();
    for pair in way.line.windows(2) {
        let seen = shape::distance_to_segment(DVec2::ZERO, shape::vec(pair[0]), shape::vec(pair[1])) < SEEN;
        if !seen {
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

/// Paints where the curbs of ways are let down: at crossings, and where drives come in.
pub(crate) fn let_down(
    has_curb: impl Fn(usize) -> bool,
    crossings: &[Crossing],
    drives: &[Drive],
    painter: &mut Painter,
) {
    for crossing in crossings.iter().filter(|c| has_curb(c.way)) {
        for side in [1.0, -1.0] {
            gap(crossing.at, crossing.along.perp() * side, crossing.width, AT_CROSSING, painter);
        }
    }
    for drive in drives.iter().filter(|d| has_curb(d.way)) {
        let outwards = (drive.wall - drive.street).normalize_or(DVec2::X);
        gap(drive.street, outwards, drive.carriageway, drive.width * 0.5 + BESIDE_DRIVE, painter);
    }
}

/// A stretch of `half` meters to each side of a point on a way, on the side that `outwards` points to.
fn gap(at: DVec2, outwards: DVec2, width: f64, half: f64, painter: &mut Painter) {
    let along = outwards.perp();
    let corner = |s: f64, out: f64| (at + along * s * half + outwards * (width * 0.5 + out)).to_array();
    let (foot, top) = (0.0, WIDTH + 0.02);
    let ring = [corner(-1.0, foot), corner(-1.0, top), corner(1.0, top), corner(1.0, foot)];
    painter.convex(&ring, LET_DOWN, Cover::Hard, along);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridges::tests::way;
    use crate::ground::tests::tone_at;

    #[test]
    fn a_curb_runs_along_both_sides_and_is_let_down_at_drives_and_crossings() {
        let street = way("way/1", vec![[-50.0, 0.0], [50.0, 0.0]], false);
        let edge = street.width * 0.5 + WIDTH * 0.5;
        let crossing = Crossing::stripes(0, DVec2::new(20.0, 0.0), DVec2::X, street.width);
        let (wall, on) = (DVec2::new(-20.0, 9.0), DVec2::new(-20.0, 0.0));
        let drive = Drive { way: 0, wall, street: on, carriageway: street.width, width: 3.0, albedo: STONE };
        let mut painter = Painter::default();
        paint(&street, &mut painter);
        let_down(|way| way == 0, &[crossing], &[drive], &mut painter);
        let at = |x: f64, y: f64| tone_at(painter.out(), DVec2::new(x, y));
        assert_eq!((at(0.3, edge), at(0.3, -edge)), (Some(STONE[0]), Some(STONE[0])));
        assert_eq!((at(20.3, edge), at(20.3, -edge)), (Some(LET_DOWN[0]), Some(LET_DOWN[0])));
        // The drive comes in from the left alone.
        assert_eq!((at(-19.7, edge), at(-19.7, -edge)), (Some(LET_DOWN[0]), Some(STONE[0])));
        assert_eq!(at(0.3, edge + WIDTH), None);
    }

    #[test]
    fn a_curb_that_nobody_would_see_is_not_painted() {
        let mut painter = Painter::default();
        paint(&way("way/1", vec![[900.0, 0.0], [600.0, 0.0]], false), &mut painter);
        assert!(painter.out().is_empty());
        // A long street passes near by, whatever its ends do.
        paint(&way("way/1", vec![[900.0, 100.0], [-900.0, 100.0]], false), &mut painter);
        assert!(!painter.out().is_empty());
    }
}
