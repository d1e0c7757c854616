//! Draws random polygons on real and synthetic pictures, alters them as drawing tools do, and compares the detected
//! boundaries with the truth. The tests draw a few; [`measurements`] draws more. `AERIE_BOUNDARY_CASES` sets the number of polygons (see
//! `bench/boundary.sh`), `AERIE_BOUNDARY_FIRST` the first case, `AERIE_BOUNDARY_PICTURES` a folder with more pictures,
//! and `AERIE_BOUNDARY_KEEP` a folder to save failed cases in.
#![expect(clippy::print_stdout, reason = "a long campaign is run for its figures")]

mod backgrounds;
mod drawing;
mod freehand;
mod hand;
mod measurements;
mod tool;

use std::time::Instant;

use aerie_boundary::{Boundary, NotFound, Picture, polygon};
use aerie_math::Rng;
use backgrounds::Backgrounds;
use drawing::{Canvas, Marks, Pen, Style};

/// The result for one polygon.
struct Outcome {
    case: usize,
    description: String,
    iou: f64,
    area_error: f64,
    seconds: f64,
}

/// Number of polygons that a test draws by default.
const FEW: usize = 8;

fn cases(default: usize) -> usize {
    std::env::var("AERIE_BOUNDARY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn run(case: usize, backgrounds: &Backgrounds) -> Outcome {
    let mut rng = Rng::scattered(case as u64);
    let (name, clean) = backgrounds.random(&mut rng);
    let truth = drawing::polygon(&mut rng, clean.width as f64, clean.height as f64);
    let pen = Pen::random(&mut rng, clean.width.max(clean.height) as f64 / 1024.0);
    let tool = tool::Tool::random(&mut rng);
    let mut canvas = Canvas::new(&clean);
    let marks = rng.below(5) == 0 && pen.style != Style::FillOnly;
    canvas.draw(&truth, &pen);
    if marks {
        canvas.marks(&mut Rng::scattered(case as u64 + 77), Marks::Outside(&truth), &pen);
    }
    let annotated = tool.alter(&canvas.picture());
    let started = Instant::now();
    let found = aerie_boundary::find(&annotated, &clean);
    let seconds = started.elapsed().as_secs_f64();
    let iou = found.as_ref().map_or(0.0, |b| drawing::iou(b, &truth, clean.width, clean.height));
    let true_area = polygon::signed_area(&truth).abs();
    let area = found.as_ref().map_or(0.0, |b: &Boundary| b.rings.iter().map(|r| polygon::signed_area(r).abs()).sum());
    let result = match &found {
        Ok(b) => format!("{} rings, {} corners, confidence {:.2}", b.rings.len(), b.rings[0].len(), b.confidence),
        Err(e) => e.as_str().to_owned(),
    };
    if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_KEEP")
        && iou < 0.95
    {
        drawing::save_case(&folder, case, &annotated, &clean, found.as_ref().ok(), &truth);
    }
    let description =
        format!("{name}, {} corners, {pen}, {tool}{}: {result}", truth.len(), if marks { ", marks" } else { "" });
    Outcome { case, description, iou, area_error: (area / true_area - 1.0).abs(), seconds }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

#[test]
fn drawn_polygons_are_located_accurately() {
    locate(cases(FEW));
}

/// Locates this many drawn polygons, prints how accurately, and panics where a limit is missed.
fn locate(polygons: usize) {
    let backgrounds = Backgrounds::load();
    let first = std::env::var("AERIE_BOUNDARY_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut outcomes: Vec<Outcome> = (first..first + polygons).map(|case| run(case, &backgrounds)).collect();
    outcomes.sort_by(|a, b| a.iou.total_cmp(&b.iou));
    for o in outcomes.iter().take((outcomes.len() / 10).max(3)) {
        println!("  case {}: IoU {:.3}, area off by {:.1} %: {}", o.case, o.iou, o.area_error * 100.0, o.description);
    }
    let iou: Vec<f64> = outcomes.iter().map(|o| o.iou).collect();
    let mut area: Vec<f64> = outcomes.iter().map(|o| o.area_error).collect();
    let mut seconds: Vec<f64> = outcomes.iter().map(|o| o.seconds).collect();
    area.sort_by(f64::total_cmp);
    seconds.sort_by(f64::total_cmp);
    let limits = [
        ("IoU, median", quantile(&iou, 0.5), 0.97, true),
        ("IoU, 5th percentile", quantile(&iou, 0.05), 0.93, true),
        ("area error, median", quantile(&area, 0.5), 0.02, false),
        ("seconds, longest", quantile(&seconds, 1.0), 10.0, false),
    ];
    println!("{} polygons; {:.2} s each (median)", outcomes.len(), quantile(&seconds, 0.5));
    let mut missed = Vec::new();
    for (what, value, limit, at_least) in limits {
        let holds = if at_least { value >= limit } else { value <= limit };
        println!("{} {what}: {value:.4} (limit {limit})", if holds { "ok    " } else { "MISSED" });
        if !holds {
            missed.push(what);
        }
    }
    assert!(missed.is_empty(), "missed: {missed:?}");
}

/// Alters a picture as a random tool does and detects its boundary.
fn find_altered(clean: &Picture, drawn: &Picture, rng: &mut Rng) -> Result<Boundary, NotFound> {
    aerie_boundary::find(&tool::Tool::random(rng).alter(drawn), clean)
}

#[test]
fn nothing_is_found_without_a_drawing() {
    find_nothing(cases(FEW) / 4);
}

/// Alters this many pictures without a drawing, and panics where a boundary is found.
fn find_nothing(pictures: usize) {
    let backgrounds = Backgrounds::load();
    for case in 0..pictures {
        let mut rng = Rng::scattered(10_000 + case as u64);
        let (name, clean) = backgrounds.random(&mut rng);
        let tool = tool::Tool::random(&mut rng);
        let annotated = tool.alter(&clean);
        let found = aerie_boundary::find(&annotated, &clean);
        if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_KEEP")
            && found.is_ok()
        {
            drawing::save_case(
                &folder,
                10_000 + case,
                &annotated,
                &clean,
                found.as_ref().ok(),
                &[[0.0, 0.0], [1.0, 1.0]],
            );
        }
        assert_eq!(found, Err(NotFound::NothingDrawn), "case {case} on {name}, {tool}");
    }
}

#[test]
fn pins_arrows_and_text_are_not_boundaries() {
    find_only_marks(cases(FEW) / 4);
}

/// Draws pins, arrows and text on this many pictures, and panics where they are taken for a boundary.
fn find_only_marks(pictures: usize) {
    let backgrounds = Backgrounds::load();
    for case in 0..pictures {
        let mut rng = Rng::scattered(20_000 + case as u64);
        let (name, clean) = backgrounds.random(&mut rng);
        let mut canvas = Canvas::new(&clean);
        let pen = Pen::random(&mut rng, clean.width.max(clean.height) as f64 / 1024.0);
        canvas.marks(&mut rng, Marks::Anywhere, &pen);
        let found = find_altered(&clean, &canvas.picture(), &mut rng);
        assert!(matches!(found, Err(NotFound::OnlyMarks | NotFound::NotClosed(_))), "case {case} on {name}: {found:?}");
    }
}

#[test]
fn an_open_line_is_not_a_boundary() {
    find_open_lines(cases(FEW) / 4);
}

/// Draws this many open lines, and panics where one is taken for a boundary.
fn find_open_lines(pictures: usize) {
    let backgrounds = Backgrounds::load();
    for case in 0..pictures {
        let mut rng = Rng::scattered(30_000 + case as u64);
        let (name, clean) = backgrounds.random(&mut rng);
        let (w, h) = (clean.width as f64, clean.height as f64);
        let mut canvas = Canvas::new(&clean);
        let pen = Pen::random(&mut rng, w.max(h) / 1024.0).with_style(Style::Open);
        let line = [[0.25, 0.3], [0.7, 0.25], [0.75, 0.7], [0.5, 0.75]].map(|[x, y]| [x * w, y * h]);
        canvas.draw(&line, &pen);
        let tool = tool::Tool::random(&mut rng);
        let annotated = tool.alter(&canvas.picture());
        let found = aerie_boundary::find(&annotated, &clean);
        if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_KEEP")
            && found.is_ok()
        {
            drawing::save_case(&folder, 30_000 + case, &annotated, &clean, found.as_ref().ok(), &line);
        }
        assert!(matches!(found, Err(NotFound::NotClosed(Some(_)))), "case {case} on {name}, {pen}: {found:?}");
    }
}

#[test]
fn pictures_of_different_places_do_not_match() {
    match_other_places(cases(FEW) / 4);
}

/// Compares this many pairs of pictures of different places, and panics where they match.
fn match_other_places(pictures: usize) {
    let backgrounds = Backgrounds::load();
    for case in 0..pictures {
        let mut rng = Rng::scattered(40_000 + case as u64);
        let (first, second) = backgrounds.pair(case, &mut rng);
        let found = find_altered(&first, &second, &mut rng);
        assert_eq!(found, Err(NotFound::ImagesDoNotMatch), "case {case}");
    }
}

#[test]
fn every_polygon_of_several_is_found() {
    find_several(cases(FEW) / 4);
}

/// Draws two polygons on this many pictures, and panics where one is missed.
fn find_several(pictures: usize) {
    let backgrounds = Backgrounds::load();
    for case in 0..pictures {
        let mut rng = Rng::scattered(50_000 + case as u64);
        let (name, clean) = backgrounds.random(&mut rng);
        let (w, h) = (clean.width as f64, clean.height as f64);
        let mut canvas = Canvas::new(&clean);
        let pen = Pen::random(&mut rng, w.max(h) / 1024.0).with_style(Style::Outline);
        let rings = [
            vec![[0.1, 0.15], [0.4, 0.2], [0.35, 0.6], [0.12, 0.5]],
            vec![[0.55, 0.4], [0.85, 0.3], [0.9, 0.8], [0.7, 0.6], [0.5, 0.85]],
        ]
        .map(|ring| ring.iter().map(|[x, y]| [x * w, y * h]).collect::<Vec<[f64; 2]>>());
        rings.iter().for_each(|ring| canvas.draw(ring, &pen));
        let found =
            find_altered(&clean, &canvas.picture(), &mut rng).unwrap_or_else(|e| panic!("case {case} on {name}: {e}"));
        assert_eq!(found.rings.len(), 2, "case {case} on {name}, {pen}");
        for ring in &rings {
            let best = found.rings.iter().map(|r| drawing::ring_iou(r, ring, clean.width, clean.height));
            let best = best.fold(0.0, f64::max);
            assert!(best > 0.93, "case {case} on {name}, {pen}: {best}");
        }
    }
}

#[test]
fn the_same_pictures_give_the_same_polygons() {
    let backgrounds = Backgrounds::load();
    let mut rng = Rng::scattered(3);
    let (_, clean) = backgrounds.random(&mut rng);
    let truth = drawing::polygon(&mut rng, clean.width as f64, clean.height as f64);
    let mut canvas = Canvas::new(&clean);
    canvas.draw(&truth, &Pen::random(&mut rng, 1.0));
    let annotated = tool::Tool::random(&mut rng).alter(&canvas.picture());
    assert_eq!(aerie_boundary::find(&annotated, &clean), aerie_boundary::find(&annotated, &clean));
}
