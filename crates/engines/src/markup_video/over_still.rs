//! The boundary over the picture that it was drawn on, for pictures whose place on the ground is not known: the camera zooms in
//! gently.

use std::path::Path;

use aerie_boundary::geojson::ParsedBoundary;
use aerie_engine_api::kinds::markup_video::{CLEAN_PICTURE, MarkupVideoOptions};
use aerie_engine_api::{Direction, EngineContext, EngineError, FailureCode, Origin, Produced};
use aerie_math::color;
use aerie_photo::Photo;
use aerie_photo::report::ENHANCED;
use aerie_render::Picture;
use aerie_render::caption::{Caption, Corner};
use aerie_render::encode::Encoder;
use aerie_render::pan::{Sheet, Window};
use aerie_render::pen::{Outline, Pen};
use aerie_render::still;
use aerie_scenery::FRAME_RATE;

use crate::footage::{encoding, film_of, retry};
use crate::timing::Timing;

/// Maximum share of the picture's width or height that the boundary fills.
const HELD: f64 = 0.84;
/// Maximum zoom factor.
const CLOSER: f64 = 1.16;
/// Description in the metadata.
const REPORT: &str = "The picture that the boundary was drawn on, as it was supplied, with the boundary over it. The camera \
    moves over the still; nothing else is added. The boundary is approximate and not a survey. Where the picture lies on the \
    ground is not known, so no lengths are shown.";

/// Makes the video and its thumbnail.
pub(super) fn film(
    picture: &Path,
    boundary: &ParsedBoundary,
    size: [f64; 2],
    address: &str,
    options: &MarkupVideoOptions,
    context: &EngineContext<'_>,
) -> Result<Produced, EngineError> {
    context.report("reading the picture", 0, 0);
    let photo = aerie_photo::decode_file(picture)
        .map_err(|error| EngineError::fail(FailureCode::ImageUnreadable, error.to_string()))?;
    let film = options.film();
    let [width, height] = film.size();
    let out = Picture { width, height, supersampling: 1.0, vignette: 0.0 };

    let (sheet, scale) = sheet(&photo, width.max(height) as usize, size);
    drop(photo);
    context.stop_if_canceled()?;
    let rings: Vec<Vec<[f64; 2]>> = boundary
        .polygons
        .iter()
        .flatten()
        .map(|ring| ring.iter().map(|p| [p[0] * scale[0], p[1] * scale[1]]).collect())
        .collect();
    let course = Course::of(&sheet, &rings, f64::from(width) / f64::from(height), options.direction());
    let outline = Outline::new(&rings);
    let behind = behind(&sheet, width, height);
    let pen = Pen { color: options.color(), width: width.min(height) as f32 / 190.0 };

    let count = FRAME_RATE * film.seconds();
    let timing = Timing::of(count);
    let notice = Caption::new(out, "Boundaries are approximate", width.min(height) as f32 / 48.0, Corner::BottomLeft)
        .map_err(retry)?;
    let mut encoder =
        Encoder::start(&context.out_dir.join("video.mp4"), out, &encoding(address, REPORT)).map_err(retry)?;
    let best = (count * 6 / 10).max(timing.complete());
    for frame in 0..count {
        context.stop_if_canceled()?;
        let window = course.at(frame, count);
        let drawn = sheet.frame(window, width, height, &behind);
        let mut nv12 = still::nv12_from_rgb(out, &drawn);
        outline.blend(out, &mut nv12, window, pen, timing.drawn(frame));
        notice.blend(out, &mut nv12, 0.75);
        if frame == best {
            still::write_jpeg(&context.out_dir.join("thumbnail.jpg"), out, &nv12, 90, Some(REPORT)).map_err(retry)?;
        }
        encoder.write(nv12).map_err(retry)?;
        context.report("drawing", u64::from(frame) + 1, u64::from(count));
    }
    context.report("finishing the film", 0, 0);
    encoder.finish().map_err(retry)?;
    let origin = Origin {
        text: REPORT.to_owned(),
        digital_source_type: ENHANCED.into(),
        shown: vec![CLEAN_PICTURE.into()],
        ..Origin::default()
    };
    Ok(Produced { origin: Some(Box::new(origin)), ..film_of(context, count) })
}

/// The photo, downscaled as far as possible, and the scale from pixels of a picture of `size` to its pixels.
fn sheet(photo: &Photo, longest: usize, size: [f64; 2]) -> (Sheet, [f64; 2]) {
    // More pixels than the frame has, for zooming in and for cropping to its aspect ratio.
    let reduced = photo.reduced(longest * 3 / 2);
    let pixels = reduced.pixels.iter().map(|p| color::encoded(*p).map(|v| f32::from(v) / 257.0)).collect();
    let scale = [reduced.width as f64 / size[0], reduced.height as f64 / size[1]];
    (Sheet { width: reduced.width, height: reduced.height, pixels }, scale)
}

/// Background of a picture that does not fill the frame: the same picture, blurred and dimmed.
fn behind(sheet: &Sheet, width: u32, height: u32) -> Vec<[f32; 3]> {
    const SIDE: usize = 12;
    let mut pixels = Vec::with_capacity(SIDE * SIDE);
    for j in 0..SIDE {
        for i in 0..SIDE {
            let span = |k: usize, count: usize| k * count / SIDE..((k + 1) * count / SIDE).max(k * count / SIDE + 1);
            let (mut sum, mut count) = ([0.0_f32; 3], 0.0);
            for y in span(j, sheet.height).step_by(3) {
                for x in span(i, sheet.width).step_by(3) {
                    let pixel = sheet.pixels[y.min(sheet.height - 1) * sheet.width + x.min(sheet.width - 1)];
                    (0..3).for_each(|c| sum[c] += pixel[c]);
                    count += 1.0;
                }
            }
            pixels.push(sum.map(|v| 0.45 * v / count));
        }
    }
    let side = SIDE as f64;
    let aspect = f64::from(width) / f64::from(height);
    let window = Window { center: [0.5 * side; 2], width: if aspect > 1.0 { side } else { side * aspect } };
    let nothing = vec![[0.0; 3]; (width * height) as usize];
    Sheet { width: SIDE, height: SIDE, pixels }.frame(window, width, height, &nothing)
}

/// Camera windows of the first and last frame.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Course {
    from: Window,
    to: Window,
}

impl Course {
    fn of(sheet: &Sheet, rings: &[Vec<[f64; 2]>], aspect: f64, direction: Direction) -> Self {
        let size = [sheet.width as f64, sheet.height as f64];
        let bound =
            |c: usize, pick: fn(f64, f64) -> f64, start: f64| rings.iter().flatten().map(|p| p[c]).fold(start, pick);
        let low = [0, 1].map(|c| bound(c, f64::min, f64::INFINITY));
        let high = [0, 1].map(|c| bound(c, f64::max, f64::NEG_INFINITY));
        let middle = [0, 1].map(|c| 0.5 * (low[c] + high[c]));
        // The narrowest window that contains the boundary, and the widest that the picture fills.
        let needed = ((high[0] - low[0]).max((high[1] - low[1]) * aspect) / HELD).max(1.0);
        let filled = size[0].min(size[1] * aspect);
        let widest = filled.max(needed);
        let closest = (widest / CLOSER).max(needed);
        let window = |width: f64| Window { center: kept_inside(middle, width, aspect, size), width };
        let (wide, close) = (window(widest), window(closest));
        if direction == Direction::TopdownZoomout {
            Self { from: close, to: wide }
        } else {
            Self { from: wide, to: close }
        }
    }

    fn at(&self, frame: u32, count: u32) -> Window {
        let t = f64::from(frame) / f64::from(count - 1);
        // Ease in and out.
        let t = 0.35 * t + 0.65 * (0.5 - 0.5 * (std::f64::consts::PI * t).cos());
        // Equal ratios of scale look like constant speed.
        let width = self.from.width * (self.to.width / self.from.width).powf(t);
        let share = if (self.to.width - self.from.width).abs() > 1e-6 {
            (width - self.from.width) / (self.to.width - self.from.width)
        } else {
            t
        };
        let center = [0, 1].map(|c| self.from.center[c] + (self.to.center[c] - self.from.center[c]) * share);
        Window { center, width }
    }
}

/// The center of a window, moved so that the window stays within the picture; the picture's center where that is impossible.
fn kept_inside(middle: [f64; 2], width: f64, aspect: f64, size: [f64; 2]) -> [f64; 2] {
    let half = [0.5 * width, 0.5 * width / aspect];
    [0, 1].map(|c| if 2.0 * half[c] >= size[c] { 0.5 * size[c] } else { middle[c].clamp(half[c], size[c] - half[c]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(width: usize, height: usize) -> Sheet {
        Sheet { width, height, pixels: vec![[0.0; 3]; width * height] }
    }

    #[test]
    fn the_boundary_stays_in_view_and_the_frame_within_the_picture_where_possible() {
        let small = vec![vec![[700.0, 500.0], [800.0, 500.0], [760.0, 590.0]]];
        let wide = vec![vec![[10.0, 300.0], [990.0, 280.0], [500.0, 420.0]]];
        for (rings, fills) in [(small, true), (wide, false)] {
            for (aspect, direction) in [(16.0 / 9.0, Direction::Original), (9.0 / 16.0, Direction::TopdownZoomout)] {
                let course = Course::of(&sheet(1000, 700), &rings, aspect, direction);
                let mut last: Option<Window> = None;
                for frame in 0..180 {
                    let window = course.at(frame, 180);
                    let half = [0.5 * window.width, 0.5 * window.width / aspect];
                    for p in &rings[0] {
                        let off = [0, 1].map(|c| (p[c] - window.center[c]).abs() / half[c]);
                        assert!(off[0] < 0.99 && off[1] < 0.99, "{p:?} is out of view: {window:?}");
                    }
                    if fills {
                        for c in 0..2 {
                            let end = [1000.0, 700.0][c] + 1e-6;
                            assert!(window.center[c] - half[c] > -1e-6 && window.center[c] + half[c] < end);
                        }
                    }
                    if let Some(last) = last {
                        assert!((window.width / last.width - 1.0).abs() < 0.004, "it moves gently");
                    }
                    last = Some(window);
                }
                let closer = course.from.width > course.to.width;
                assert!(!fills || closer == (direction == Direction::Original));
            }
        }
    }
}
