//! Labels with the area and the length of each side: fixed to the ground, not overlapping, and hidden while their side is hidden
//! or too short to read. They fade; they never jump.

use aerie_engine_api::FilmOptions;
use aerie_geodata::place::Place;
use aerie_render::Picture;
use aerie_render::RenderError;
use aerie_render::label::Label;
use aerie_render::scene::Camera;
use aerie_scenery::{Flight, LineOfSight};
use glam::{DVec2, dvec2};

use super::area;
use super::plot::{Edge, Plot, area_text};
use super::stand::{Stand, spread};
use super::view::View;
use crate::timing::{Timing, smooth};

/// Maximum number of edges with labels; the longest come first.
const MAX_EDGES: usize = 24;
/// Shortest edge with a label, meters.
const SHORTEST: f64 = 1.0;
/// Labels of a plot throughout a flight.
pub(super) struct Labels {
    labels: Vec<Label>,
    /// Position and opacity of each label in each frame.
    stands: Vec<Vec<Stand>>,
}

impl Labels {
    /// Computes the position and opacity of each label in each frame.
    pub(super) fn place(
        place: &Place,
        plot: &Plot,
        flight: &Flight,
        timing: Timing,
        film: FilmOptions,
    ) -> Result<Self, RenderError> {
        let [width, height] = film.size().map(f64::from);
        let small = (width.min(height) / 40.0) as f32;
        let sight = LineOfSight::new(place, plot.reach());
        let mut edges: Vec<Edge> = plot.edges().into_iter().filter(|edge| edge.length() > SHORTEST).collect();
        edges.sort_by(|a, b| b.length().total_cmp(&a.length()));
        edges.truncate(MAX_EDGES);

        let mut labels = vec![Label::new(&area_text(plot.area()), small * 1.3)?];
        for edge in &edges {
            labels.push(Label::new(&edge.text(), small)?);
        }
        let frame_size = dvec2(width, height);
        let views: Vec<View> = flight.cameras.iter().map(|camera| View::of(camera, frame_size)).collect();
        let mut stands: Vec<Vec<Stand>> = Vec::new();
        for (edge, label) in edges.iter().zip(&labels[1..]) {
            let half = label.half().map(f64::from);
            let seen: Vec<f64> = flight.cameras.iter().map(|camera| share_seen(&sight, camera, edge)).collect();
            let seen = spread(&seen);
            let stand = |(frame, view): (usize, &View)| {
                let mut stand = beside(view, place, edge, half, f64::from(small));
                stand.strength *= f64::from(timing.label(frame as u32, edge.share as f32));
                stand.strength *= f64::from(smooth(((seen[frame] - 0.3) / 0.3) as f32));
                stand
            };
            stands.push(views.iter().enumerate().map(stand).collect());
        }
        let halves: Vec<[f64; 2]> = labels.iter().map(|label| label.half().map(f64::from)).collect();
        let weights: Vec<f64> = (0..views.len()).map(|frame| f64::from(timing.label(frame as u32, 1.0))).collect();
        let others: Vec<area::Other<'_>> =
            halves[1..].iter().map(|half| DVec2::from(*half)).zip(stands.iter().map(Vec::as_slice)).collect();
        let sizes = [DVec2::from(halves[0]), frame_size];
        let mut of_area = area::stands(place, plot, &views, sizes, &weights, &others);
        for (stand, weight) in of_area.iter_mut().zip(&weights) {
            stand.strength *= weight;
        }
        stands.insert(0, of_area);
        for frame in 0..views.len() {
            let mut now: Vec<Stand> = stands.iter().map(|of_label| of_label[frame]).collect();
            give_way(&mut now, &halves, frame_size);
            for (of_label, stand) in stands.iter_mut().zip(now) {
                of_label[frame] = stand;
            }
        }
        for of_label in &mut stands {
            let strengths: Vec<f64> = of_label.iter().map(|stand| stand.strength).collect();
            for (stand, strength) in of_label.iter_mut().zip(spread(&strengths)) {
                stand.strength = strength;
            }
        }
        Ok(Self { labels, stands })
    }

    /// Draws the labels into a frame.
    pub(super) fn blend(&self, frame: u32, picture: Picture, nv12: &mut [u8]) {
        for (label, stands) in self.labels.iter().zip(&self.stands) {
            let Some(stand) = stands.get(frame as usize).filter(|stand| stand.strength > 0.004) else { continue };
            label.blend(picture, nv12, stand.at.as_vec2().to_array(), stand.strength as f32);
        }
    }
}

/// Position outside the middle of an edge, as close as the label's size permits. It fades where the edge looks shorter than the
/// label.
fn beside(view: &View, place: &Place, edge: &Edge, half: [f64; 2], size: f64) -> Stand {
    let nowhere = Stand { at: DVec2::ZERO, strength: 0.0 };
    let (middle, out) = (edge.at(0.5), edge.outward());
    let beyond = [middle[0] + out[0], middle[1] + out[1]];
    let points = [edge.at(0.45), edge.at(0.55), middle, beyond].map(|p| view.pixel(place, p));
    let [Some(from), Some(to), Some(at), Some(beyond)] = points else { return nowhere };
    let along = (to - from).normalize_or_zero();
    // Perpendicular to the projected edge, toward the outside of the plot.
    let mut across = along.perp();
    if across.dot(beyond - at) < 0.0 {
        across = -across;
    }
    let away = across.x.abs() * half[0] + across.y.abs() * half[1] + 0.55 * size;
    // The label's extent along the edge.
    let needed = 2.0 * (along.x.abs() * half[0] + along.y.abs() * half[1]);
    let steps: Option<Vec<DVec2>> = (0..=8).map(|k| view.pixel(place, edge.at(f64::from(k) / 8.0))).collect();
    let length = steps.map_or(0.0, |steps| steps.windows(2).map(|w| w[0].distance(w[1])).sum());
    let strength = f64::from(smooth(((length / needed - 0.85) / 0.4) as f32));
    Stand { at: at + across * away, strength }
}

/// Fades labels that overlap a more important one or the picture's border. The first are the most important.
fn give_way(stands: &mut [Stand], halves: &[[f64; 2]], size: DVec2) {
    for i in 0..stands.len() {
        let (half, at) = (halves[i], stands[i].at);
        // The lower border is for the captions.
        let margin = size.min_element() / 60.0;
        let room = [at.x - half[0], size.x - at.x - half[0], at.y - half[1], size.y - at.y - half[1] - 2.5 * margin];
        let least = room.into_iter().fold(f64::INFINITY, f64::min);
        let mut strength = stands[i].strength * f64::from(smooth((least / margin) as f32));
        for j in 0..i {
            let off = (at - stands[j].at).abs();
            let apart = (off.x - half[0] - halves[j][0]).max(off.y - half[1] - halves[j][1]);
            strength *= 1.0 - stands[j].strength * (1.0 - f64::from(smooth((apart / margin + 0.5) as f32)));
        }
        stands[i].strength = strength;
    }
}

/// Visible share of an edge.
fn share_seen(sight: &LineOfSight<'_>, camera: &Camera, edge: &Edge) -> f64 {
    let shares = [0.15, 0.325, 0.5, 0.675, 0.85];
    shares.iter().filter(|share| sight.sees(camera.eye, edge.at(**share))).count() as f64 / shares.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_important_labels_fade_gradually_where_they_overlap() {
        let halves = [[100.0, 20.0], [40.0, 15.0]];
        let size = dvec2(1280.0, 720.0);
        let strength = |y: f64| {
            let mut stands = [dvec2(640.0, 300.0), dvec2(640.0, y)].map(|at| Stand { at, strength: 1.0 });
            give_way(&mut stands, &halves, size);
            (stands[0].strength, stands[1].strength)
        };
        assert_eq!(strength(310.0), (1.0, 0.0));
        assert_eq!(strength(400.0), (1.0, 1.0));
        let fading: Vec<f64> = (0..200).map(|i| strength(310.0 + f64::from(i) * 0.4).1).collect();
        assert!(fading.windows(2).all(|w| w[1] >= w[0] && w[1] - w[0] < 0.1));
        assert_eq!(strength(715.0).1, 0.0, "over the border");
    }
}
