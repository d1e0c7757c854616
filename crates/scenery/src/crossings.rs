//! Marked pedestrian crossings: their positions, and the stripes or broken lines that mark them.

use aerie_geodata::place::{Place, Polygon, Way, WayKind};
use aerie_render::scene::Cover;
use glam::DVec2;

use crate::albedo::MARKING;
use crate::painter::Painter;
use crate::region::Region;
use crate::shape;

/// Length of zebra stripes along the road, and their width, which is that of the gaps too; meters.
const ZEBRA: (f64, f64) = (3.2, 0.5);

/// Crossings nearer to each other than this are one, mapped as a point and as a way; meters.
const MERGE_DISTANCE: f64 = 5.0;

/// How a crossing is marked.
#[derive(Clone, Copy, PartialEq)]
enum Marking {
    Stripes,
    BrokenLines,
}

/// A marked crossing.
pub(crate) struct Crossing {
    /// Index of the road among the ways of the place.
    pub(crate) way: usize,
    /// On the road's center line.
    pub(crate) at: DVec2,
    /// Direction of the road.
    pub(crate) along: DVec2,
    /// Width of the carriageway, meters.
    pub(crate) width: f64,
    marking: Marking,
}

#[cfg(test)]
impl Crossing {
    /// A crossing with stripes.
    pub(crate) fn stripes(way: usize, at: DVec2, along: DVec2, width: f64) -> Self {
        Self { way, at, along, width, marking: Marking::Stripes }
    }
}

/// The marked crossings of a place, on their carriageways.
pub(crate) fn of(place: &Place) -> Vec<Crossing> {
    let roads = || place.ways.iter().enumerate().filter(|(_, w)| !w.tunnel && !w.bridge && carries_cars(w));
    let lines = Region::lines_at_signals(place.origin);
    let mut out: Vec<Crossing> = Vec::new();
    for crossing in &place.crossings {
        let at = shape::vec(crossing.at);
        let pieces =
            roads().flat_map(|road| road.1.line.windows(2).map(move |w| (road, shape::vec(w[0]), shape::vec(w[1]))));
        let on =
            pieces.filter(|(_, a, b)| a != b).map(|(road, a, b)| (shape::distance_to_segment(at, a, b), road, b - a));
        let Some((off, (way, road), along)) = on.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        if off > 1.0 || out.iter().any(|other| other.at.distance(at) < MERGE_DISTANCE) {
            continue;
        }
        let marking = if crossing.signals && lines { Marking::BrokenLines } else { Marking::Stripes };
        out.push(Crossing { way, at, along: along.normalize_or(DVec2::X), width: road.width, marking });
    }
    let points = out.len();
    for crossing in place.ways.iter().filter(|w| w.crossing && !w.tunnel) {
        for pair in crossing.line.windows(2) {
            let (a, b) = (shape::vec(pair[0]), shape::vec(pair[1]));
            for (way, road) in roads() {
                for piece in road.line.windows(2) {
                    let (c, d) = (shape::vec(piece[0]), shape::vec(piece[1]));
                    if let Some(at) = shape::intersection(a, b, c, d)
                        && !out[..points].iter().any(|other| other.at.distance(at) < MERGE_DISTANCE)
                    {
                        let along = (d - c).normalize_or(DVec2::X);
                        out.push(Crossing { way, at, along, width: road.width, marking: Marking::Stripes });
                    }
                }
            }
        }
    }
    out
}

/// Paints the markings of crossings.
pub(crate) fn paint(crossings: &[Crossing], painter: &mut Painter) {
    for crossing in crossings {
        match crossing.marking {
            Marking::Stripes => zebra(crossing, painter),
            Marking::BrokenLines => broken_lines(crossing, painter),
        }
    }
}

fn carries_cars(way: &Way) -> bool {
    matches!(way.kind, WayKind::Major | WayKind::Minor | WayKind::Residential | WayKind::Service)
}

fn zebra(&Crossing { at, along, width, .. }: &Crossing, painter: &mut Painter) {
    let (length, stripe) = ZEBRA;
    let stripes = (width / (2.0 * stripe)).floor().max(1.0) as usize;
    let across = along.perp();
    for i in 0..stripes {
        let off = (i as f64 - (stripes - 1) as f64 * 0.5) * 2.0 * stripe;
        let corner = |s: f64, t: f64| (at + across * (off + s * stripe * 0.5) + along * t * length * 0.5).to_array();
        let outer = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        painter.polygon(&Polygon { outer, holes: vec![] }, MARKING, Cover::Marking, along);
    }
}

/// Paints two broken lines across a road, between which people cross.
fn broken_lines(&Crossing { at, along, width, .. }: &Crossing, painter: &mut Painter) {
    let across = along.perp() * (width * 0.5 - 0.2);
    for off in [-2.0, 2.0] {
        let (from, to) = (at + along * off - across, at + along * off + across);
        let dashes = (from.distance(to) / 0.8).floor().max(1.0) as usize;
        for i in 0..dashes {
            let share = |s: f64| from.lerp(to, (i as f64 + s) / dashes as f64).to_array();
            painter.ribbon(&[share(0.2), share(0.8)], 0.18, MARKING, Cover::Marking);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aerie_geodata::place;
    use glam::dvec2;

    #[test]
    fn stripes_lie_on_the_carriageway_only() {
        let mut painter = Painter::default();
        let (at, along) = (dvec2(5.0, 5.0), DVec2::X);
        zebra(&Crossing::stripes(0, at, along, 6.0), &mut painter);
        let stripes = painter.vertices();
        assert!(stripes.len() >= 5 * 6);
        assert!(stripes.iter().all(|v| (v.position[1] - 5.0).abs() <= 3.0 && (v.position[0] - 5.0).abs() <= 1.7));
    }

    #[test]
    fn a_crossing_that_is_mapped_as_a_point_and_as_a_way_is_painted_once() {
        let mut place = crate::fixtures::empty_place(None);
        place.ways = vec![crate::fixtures::way("way/1", vec![[-50.0, 0.0], [50.0, 0.0]], false)];
        let painted = |place: &Place| {
            let mut painter = Painter::default();
            paint(&of(place), &mut painter);
            painter.vertices().len()
        };
        assert_eq!(painted(&place), 0);
        place.crossings = vec![place::Crossing { at: [8.0, 0.0], signals: false }];
        let once = painted(&place);
        assert!(once >= 3 * 6);
        let mut over = crate::fixtures::way("way/2", vec![[9.0, -9.0], [9.0, 9.0]], false);
        (over.kind, over.crossing) = (WayKind::Footpath, true);
        place.ways.push(over);
        assert_eq!(painted(&place), once);
        // A point off every road is ignored.
        place.crossings = vec![place::Crossing { at: [8.0, 30.0], signals: false }];
        assert!(painted(&place) == once);
        place.ways.pop();
        assert_eq!(painted(&place), 0);
    }
}
