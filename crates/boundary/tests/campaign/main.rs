//! Random polygons drawn on real and made pictures as people draw them, sent through what drawing tools do to pictures,
//! and measured against the truth. A short campaign is a test; `AERIE_BOUNDARY_CASES` sets how many polygons a long one
//! has (`bench/boundary.sh`), `AERIE_BOUNDARY_FIRST` the first of them, `AERIE_BOUNDARY_PICTURES` names a folder with more
//! pictures to draw on, and `AERIE_BOUNDARY_KEEP` one for what went wrong, to be looked at.
#![expect(clippy::print_stdout, reason = "the figures are what a long campaign is run for")]

mod backgrounds;
mod drawing;
mod tool;

use std::time::Instant;

use aerie_boundary::{Boundary, NotFound, Picture, polygon};
use aerie_math::Rng;
use backgrounds::Backgrounds;
use drawing::{Canvas, Marks, Pen, Style};

/// One polygon, drawn and looked for.
struct Outcome {
    case: usize,
    summary: String,
    iou: f64,
    area_error: f64,
    seconds: f64,
}

fn cases(short: usize) -> usize {
    std::env::var("AERIE_BOUNDARY_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(short)
}

fn run(case: usize, backgrounds: &Backgrounds) -> Outcome {
    let mut rng = Rng::scattered(case as u64);
    let (name, clean) = backgrounds.any(&mut rng);
    let truth = drawing::polygon(&mut rng, clean.width as f64, clean.height as f64);
    let pen = Pen::any(&mut rng, clean.width.max(clean.height) as f64 / 1024.0);
    let tool = tool::Tool::any(&mut rng);
    let mut canvas = Canvas::new(&clean);
    let marks = rng.below(5) == 0 && pen.style != Style::FillOnly;
    canvas.draw(&truth, &pen);
    if marks {
        canvas.marks(&mut Rng::scattered(case as u64 + 77), Marks::Outside(&truth), &pen);
    }
    let annotated = tool.send(&canvas.picture());
    let started = Instant::now();
    let found = aerie_boundary::find(&annotated, &clean);
    let seconds = started.elapsed().as_secs_f64();
    let iou = found.as_ref().map_or(0.0, |b| drawing::iou(b, &truth, clean.width, clean.height));
    let true_area = polygon::signed_area(&truth).abs();
    let area = found.as_ref().map_or(0.0, |b: &Boundary| b.rings.iter().map(|r| polygon::signed_area(r).abs()).sum());
    let result = match &found {
        Ok(b) => format!("{} rings, {} corners, sure {:.2}", b.rings.len(), b.rings[0].len(), b.confidence),
        Err(e) => e.as_str().to_owned(),
    };
    if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_KEEP")
        && iou < 0.95
    {
        drawing::keep(&folder, case, &annotated, &clean, found.as_ref().ok(), &truth);
    }
    let summary =
        format!("{name}, {} corners, {pen}, {tool}{}: {result}", truth.len(), if marks { ", marks" } else { "" });
    Outcome { case, summary, iou, area_error: (area / true_area - 1.0).abs(), seconds }
}

fn at(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

#[test]
fn drawn_polygons_are_found_where_they_were_drawn() {
    let backgrounds = Backgrounds::load();
    let first = std::env::var("AERIE_BOUNDARY_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut outcomes: Vec<Outcome> = (first..first + cases(24)).map(|case| run(case, &backgrounds)).collect();
    outcomes.sort_by(|a, b| a.iou.total_cmp(&b.iou));
    for o in outcomes.iter().take((outcomes.len() / 10).max(3)) {
        println!("  case {}: IoU {:.3}, area off by {:.1} %: {}", o.case, o.iou, o.area_error * 100.0, o.summary);
    }
    let iou: Vec<f64> = outcomes.iter().map(|o| o.iou).collect();
    let mut area: Vec<f64> = outcomes.iter().map(|o| o.area_error).collect();
    let mut seconds: Vec<f64> = outcomes.iter().map(|o| o.seconds).collect();
    area.sort_by(f64::total_cmp);
    seconds.sort_by(f64::total_cmp);
    let bars = [
        ("IoU, median", at(&iou, 0.5), 0.97, true),
        ("IoU, 5th percentile", at(&iou, 0.05), 0.93, true),
        ("area error, median", at(&area, 0.5), 0.02, false),
        ("seconds, longest", at(&seconds, 1.0), 10.0, false),
    ];
    println!("{} polygons; {:.2} s each (median)", outcomes.len(), at(&seconds, 0.5));
    let mut missed = Vec::new();
    for (what, value, bar, at_least) in bars {
        let holds = if at_least { value >= bar } else { value <= bar };
        println!("{} {what}: {value:.4} (bar {bar})", if holds { "ok    " } else { "MISSED" });
        if !holds {
            missed.push(what);
        }
    }
    assert!(missed.is_empty(), "missed: {missed:?}");
}

/// Sends a picture through a tool and gives what is found on it.
fn after(clean: &Picture, drawn: &Picture, rng: &mut Rng) -> Result<Boundary, NotFound> {
    aerie_boundary::find(&tool::Tool::any(rng).send(drawn), clean)
}

#[test]
fn where_nothing_is_drawn_nothing_is_found() {
    let backgrounds = Backgrounds::load();
    for case in 0..cases(24) / 4 {
        let mut rng = Rng::scattered(10_000 + case as u64);
        let (name, clean) = backgrounds.any(&mut rng);
        let sent = tool::Tool::any(&mut rng);
        let annotated = sent.send(&clean);
        let found = aerie_boundary::find(&annotated, &clean);
        if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_KEEP")
            && found.is_ok()
        {
            drawing::keep(&folder, 10_000 + case, &annotated, &clean, found.as_ref().ok(), &[[0.0, 0.0], [1.0, 1.0]]);
        }
        assert_eq!(found, Err(NotFound::NothingDrawn), "case {case} on {name}, {sent}");
    }
}

#[test]
fn pins_arrows_and_text_are_no_boundary() {
    let backgrounds = Backgrounds::load();
    for case in 0..cases(24) / 4 {
        let mut rng = Rng::scattered(20_000 + case as u64);
        let (name, clean) = backgrounds.any(&mut rng);
        let mut canvas = Canvas::new(&clean);
        let pen = Pen::any(&mut rng, clean.width.max(clean.height) as f64 / 1024.0);
        canvas.marks(&mut rng, Marks::Anywhere, &pen);
        let found = after(&clean, &canvas.picture(), &mut rng);
        assert!(matches!(found, Err(NotFound::OnlyMarks | NotFound::NotClosed)), "case {case} on {name}: {found:?}");
    }
}

#[test]
fn a_line_left_open_is_no_boundary() {
    let backgrounds = Backgrounds::load();
    for case in 0..cases(24) / 8 {
        let mut rng = Rng::scattered(30_000 + case as u64);
        let (name, clean) = backgrounds.any(&mut rng);
        let (w, h) = (clean.width as f64, clean.height as f64);
        let mut canvas = Canvas::new(&clean);
        let pen = Pen::any(&mut rng, w.max(h) / 1024.0).styled(Style::Open);
        let line = [[0.25, 0.3], [0.7, 0.25], [0.75, 0.7], [0.5, 0.75]].map(|[x, y]| [x * w, y * h]);
        canvas.draw(&line, &pen);
        let sent = tool::Tool::any(&mut rng);
        let annotated = sent.send(&canvas.picture());
        let found = aerie_boundary::find(&annotated, &clean);
        if let Some(folder) = std::env::var_os("AERIE_BOUNDARY_KEEP")
            && found.is_ok()
        {
            drawing::keep(&folder, 30_000 + case, &annotated, &clean, found.as_ref().ok(), &line);
        }
        assert_eq!(found, Err(NotFound::NotClosed), "case {case} on {name}, {pen}");
    }
}

#[test]
fn pictures_of_different_places_do_not_match() {
    let backgrounds = Backgrounds::load();
    for case in 0..cases(24) / 8 {
        let mut rng = Rng::scattered(40_000 + case as u64);
        let (first, second) = backgrounds.two(case, &mut rng);
        let found = after(&first, &second, &mut rng);
        assert_eq!(found, Err(NotFound::ImagesDoNotMatch), "case {case}");
    }
}

#[test]
fn several_polygons_are_found_each() {
    let backgrounds = Backgrounds::load();
    for case in 0..cases(24) / 8 {
        let mut rng = Rng::scattered(50_000 + case as u64);
        let (name, clean) = backgrounds.any(&mut rng);
        let (w, h) = (clean.width as f64, clean.height as f64);
        let mut canvas = Canvas::new(&clean);
        let pen = Pen::any(&mut rng, w.max(h) / 1024.0).styled(Style::Outline);
        let rings = [
            vec![[0.1, 0.15], [0.4, 0.2], [0.35, 0.6], [0.12, 0.5]],
            vec![[0.55, 0.4], [0.85, 0.3], [0.9, 0.8], [0.7, 0.6], [0.5, 0.85]],
        ]
        .map(|ring| ring.iter().map(|[x, y]| [x * w, y * h]).collect::<Vec<[f64; 2]>>());
        rings.iter().for_each(|ring| canvas.draw(ring, &pen));
        let found = after(&clean, &canvas.picture(), &mut rng).unwrap_or_else(|e| panic!("case {case} on {name}: {e}"));
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
    let (_, clean) = backgrounds.any(&mut rng);
    let truth = drawing::polygon(&mut rng, clean.width as f64, clean.height as f64);
    let mut canvas = Canvas::new(&clean);
    canvas.draw(&truth, &Pen::any(&mut rng, 1.0));
    let annotated = tool::Tool::any(&mut rng).send(&canvas.picture());
    assert_eq!(aerie_boundary::find(&annotated, &clean), aerie_boundary::find(&annotated, &clean));
}
