//! Outlines drawn by hand on whole pictures that come back re-encoded, resized and rotated. `AERIE_BOUNDARY_HAND` is `tuning`
//! (the default), `walk` or `judging`: other seeds and another model of the hand.

use std::time::Instant;

use aerie_boundary::{NotFound, polygon};
use aerie_math::Rng;

use crate::backgrounds::Backgrounds;
use crate::drawing::{self, COLORS, Canvas, Pen};
use crate::hand::{self, Drawing, Model, Order, distance};
use crate::tool::Tool;

/// What is difficult about a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Plain,
    Gap,
    Rotated,
    ThinDark,
    Round,
    Screenshot,
}

impl Class {
    pub(crate) const ALL: [Self; 6] =
        [Self::Plain, Self::Gap, Self::Rotated, Self::ThinDark, Self::Screenshot, Self::Round];
}

/// The result for one drawing.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) class: Class,
    pub(crate) description: String,
    pub(crate) found: bool,
    /// Corners drawn and found.
    pub(crate) corners: [usize; 2],
    /// Greatest distance of a drawn corner from the nearest one found; of the found ring from a round outline. Meters.
    pub(crate) worst: f64,
    /// Error of each edge length as a share.
    pub(crate) lengths: Vec<f64>,
    /// Error of the area as a share.
    pub(crate) area: f64,
}

const DARK: [[f64; 3]; 3] = [[15.0, 15.0, 18.0], [20.0, 30.0, 90.0], [10.0, 20.0, 140.0]];

pub(crate) fn run(case: usize, model: Model, backgrounds: &Backgrounds) -> Score {
    let mut rng = Rng::scattered(case as u64 + 1000 * (100 + model as u64 * 100));
    let (name, clean, scale) = backgrounds.whole(case);
    let side = clean.width.min(clean.height) as f64;
    let class = Class::ALL[case % 6];
    let gap = if class == Class::Gap { rng.range_f64(0.01, 0.046) } else { 0.0 };
    let drawing = hand::draw(&mut rng, side, Order { model, gap, is_round: class == Class::Round });
    let unit = side / 1024.0;
    let pen = match class {
        Class::ThinDark => Pen::plain(rng.pick(&DARK), rng.range_f64(2.0, 3.2) * side / 2048.0),
        _ => Pen::plain(rng.pick(&COLORS), rng.range_f64(1.6, 7.0) * unit),
    };
    let mut canvas = Canvas::new(&clean);
    drawing.strokes.iter().for_each(|stroke| canvas.follow(stroke, &pen));
    let tool = match class {
        Class::Screenshot => Tool::screenshot(&mut rng),
        _ => Tool::rehost(&mut rng, class == Class::Rotated),
    };
    let annotated = tool.alter(&canvas.picture());
    let started = Instant::now();
    let found = aerie_boundary::find(&annotated, &clean);
    let seconds = started.elapsed().as_secs_f64();
    let result = match &found {
        Ok(b) => format!("{} rings, confidence {:.2}", b.rings.len(), b.confidence),
        Err(e) => e.as_str().to_owned(),
    };
    if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_KEEP") {
        drawing::save_case(&folder, 100_000 + case, &annotated, &clean, found.as_ref().ok(), &drawing.truth);
    }
    let description = format!("{case} {class:?} on {name}, {pen}, {tool}, gap {gap:.3}: {result}, {seconds:.1} s");
    let ring = found.as_ref().ok().map(|b| b.rings[0].as_slice());
    score(class, description, &drawing, ring, scale)
}

fn score(class: Class, description: String, drawing: &Drawing, ring: Option<&[[f64; 2]]>, scale: f64) -> Score {
    let truth = &drawing.truth;
    let Some(ring) = ring else {
        let corners = [truth.len(), 0];
        return Score { class, description, found: false, corners, worst: 0.0, lengths: Vec::new(), area: 0.0 };
    };
    let to_ring = |p: [f64; 2], ring: &[[f64; 2]]| {
        polygon::edges(ring).map(|(a, b)| aerie_math::geometry::distance_to_segment(p, a, b)).fold(f64::MAX, f64::min)
    };
    let nearest = |p: [f64; 2]| ring.iter().map(|q| distance(p, *q)).fold(f64::MAX, f64::min);
    let worst = if drawing.is_round {
        ring.iter().map(|p| to_ring(*p, truth)).chain(truth.iter().map(|p| to_ring(*p, ring))).fold(0.0, f64::max)
    } else {
        truth.iter().map(|p| nearest(*p)).fold(0.0, f64::max)
    };
    let length_error = |(a, b): ([f64; 2], [f64; 2])| {
        let off = |(c, d): ([f64; 2], [f64; 2])| (distance(a, c) + distance(b, d)).min(distance(a, d) + distance(b, c));
        let edge = polygon::edges(ring).min_by(|e, f| off(*e).total_cmp(&off(*f)));
        edge.map_or(1.0, |(c, d)| (distance(c, d) / distance(a, b) - 1.0).abs())
    };
    let lengths = if drawing.is_round { Vec::new() } else { polygon::edges(truth).map(length_error).collect() };
    let area = (polygon::signed_area(ring).abs() / drawing.area - 1.0).abs();
    Score { class, description, found: true, corners: [truth.len(), ring.len()], worst: worst * scale, lengths, area }
}

/// Prints the figures of a class.
pub(crate) fn print(name: &str, scores: &[&Score]) {
    let found: Vec<&&Score> = scores.iter().filter(|s| s.found).collect();
    if found.is_empty() {
        println!("{name:<10} 0 of {} found", scores.len());
        return;
    }
    let quantile = |mut values: Vec<f64>, share: f64| {
        values.sort_by(f64::total_cmp);
        if values.is_empty() { f64::NAN } else { values[((values.len() - 1) as f64 * share).round() as usize] }
    };
    let worst = |share| quantile(found.iter().map(|s| s.worst).collect(), share);
    let area = |share| 100.0 * quantile(found.iter().map(|s| s.area).collect(), share);
    let lengths = |share| 100.0 * quantile(found.iter().flat_map(|s| s.lengths.clone()).collect(), share);
    let exact = found.iter().filter(|s| s.corners[0] == s.corners[1]).count();
    let sum = |i: usize| found.iter().map(|s| s.corners[i]).sum::<usize>();
    println!(
        "{name:<10} {:>3} of {:>3} found; corners {:>4} drawn {:>5} found, exact in {exact:>3}; worst corner {:.2} m median, {:.2} m 90 %; \
         edges {:.1} % median, {:.1} % 90 %; area {:.2} % median, {:.2} % worst",
        found.len(),
        scores.len(),
        sum(0),
        sum(1),
        worst(0.5),
        worst(0.9),
        lengths(0.5),
        lengths(0.9),
        area(0.5),
        area(1.0)
    );
}

/// The model that the environment asks for.
fn model() -> Model {
    match std::env::var("AERIE_BOUNDARY_HAND").as_deref() {
        Ok("walk") => Model::Walk,
        Ok("judging") => Model::Drift,
        _ => Model::Sines,
    }
}

#[test]
fn outlines_drawn_by_hand_have_as_many_edges_as_strokes_and_the_area_as_drawn() {
    // Two of each class.
    follow(crate::cases(12));
}

/// Detects this many outlines drawn by hand, prints how accurately, and panics where a limit is missed.
pub(crate) fn follow(outlines: usize) {
    let backgrounds = Backgrounds::load();
    let first = std::env::var("AERIE_BOUNDARY_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let scores: Vec<Score> = (first..first + outlines).map(|case| run(case, model(), &backgrounds)).collect();
    for s in &scores {
        let lengths = s.lengths.iter().copied().fold(0.0, f64::max);
        println!(
            "  {}: corners {:?}, worst {:.2} m, edges {:.1} %, area {:.2} %",
            s.description,
            s.corners,
            s.worst,
            lengths * 100.0,
            s.area * 100.0
        );
    }
    for class in Class::ALL {
        print(&format!("{class:?}"), &scores.iter().filter(|s| s.class == class).collect::<Vec<_>>());
    }
    let angular: Vec<&Score> = scores.iter().filter(|s| s.class != Class::Round).collect();
    print("angular", &angular);
    let share = |count: usize| count as f64 / angular.len() as f64;
    let found = share(angular.iter().filter(|s| s.found).count());
    let exact = share(angular.iter().filter(|s| s.corners[0] == s.corners[1]).count());
    assert!(found >= 0.85 && exact >= 0.75, "{found} found, {exact} with the drawn corners");
    assert!(scores.iter().all(|s| s.area < 0.02), "an area is off by more than 2 %");
    let round = scores.iter().filter(|s| s.class == Class::Round && s.found);
    assert!(round.clone().all(|s| s.corners[1] >= 20), "a round outline has corners");
}

#[test]
fn a_wide_gap_is_reported_where_it_is() {
    leave_gaps(crate::cases(12) / 6);
}

/// Draws this many outlines with a gap, and panics where it is not reported, or elsewhere.
pub(crate) fn leave_gaps(outlines: usize) {
    let backgrounds = Backgrounds::load();
    for case in 0..outlines {
        let mut rng = Rng::scattered(300_000 + case as u64);
        let (name, clean, _) = backgrounds.whole(6 * case);
        let side = clean.width.min(clean.height) as f64;
        let share = rng.range_f64(0.08, 0.16);
        let drawing = hand::draw(&mut rng, side, Order { model: model(), gap: share, is_round: false });
        let mut canvas = Canvas::new(&clean);
        let pen = Pen::plain([230.0, 20.0, 30.0], 4.0 * side / 1024.0);
        drawing.strokes.iter().for_each(|stroke| canvas.follow(stroke, &pen));
        let annotated = Tool::rehost(&mut rng, false).alter(&canvas.picture());
        let found = aerie_boundary::find(&annotated, &clean);
        let Err(NotFound::NotClosed(Some(gap))) = found else { panic!("case {case} on {name}: {found:?}") };
        let at = drawing.gap.expect("a gap");
        // Across a corner, the gap is a chord.
        assert!(distance(gap.at, at) < 0.6 * gap.length, "case {case} on {name}: {gap:?} is not at {at:?}");
        assert!((0.4..1.8).contains(&(gap.share / share)), "case {case} on {name}: {gap:?}, drawn with {share}");
    }
}
