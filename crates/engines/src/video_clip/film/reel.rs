//! Puts the frames of a film's photos together: captions, joins, and the encoder.

use std::collections::VecDeque;
use std::ops::Range;

use aerie_clip::two_view::Transit;
use aerie_engine_api::EngineContext;
use aerie_render::caption::{Caption, Corner};
use aerie_render::encode::Encoder;
use aerie_render::{Picture, RenderError};

use super::joins;
use super::timeline::{Join, Timeline};

/// Letters of a caption to the shorter side of the picture, one to this many.
const CAPTION_SIZE: f32 = 26.0;
/// Frames over which a caption appears and disappears.
const CAPTION_FADE: f32 = 9.0;
/// Share of its time in which a way that was lost cross-fades instead.
const BRIEF: f64 = 0.3;
/// Greatest speed at the ends of a way, as a multiple of its mean speed.
const MOST_SPEED: f64 = 1.5;

/// A photo as the film shows it.
pub(super) struct ShotOnFilm {
    /// Its place in the film.
    number: usize,
    caption: Option<Caption>,
    /// How far things move in the picture from frame to frame, as a share of the width.
    speed: f64,
}

impl ShotOnFilm {
    /// # Errors
    /// [`RenderError::Device`] when the built-in font cannot be read.
    pub(super) fn new(number: usize, caption: Option<&str>, speed: f64, picture: Picture) -> Result<Self, RenderError> {
        let size = picture.height.min(picture.width) as f32 / CAPTION_SIZE;
        let caption = caption.map(|text| Caption::new(picture, text, size, Corner::BottomLeft)).transpose()?;
        Ok(Self { number, caption, speed })
    }
}

/// A film that is being put together. It holds no more frames than a cross-fade has.
pub(super) struct Reel<'a> {
    encoder: Encoder,
    picture: Picture,
    timeline: &'a Timeline,
    /// The label of each photo that has one.
    labels: Vec<Option<Caption>>,
    context: &'a EngineContext<'a>,
    /// Frames of the last photo that the next one needs: those that cross-fade, or the last one.
    tail: VecDeque<Vec<u8>>,
    /// Speed of the last photo.
    speed: f64,
    written: u32,
    ways: Ways,
}

/// What became of the ways between photos that show the same place.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// Places of the photos after which none was found in the end.
    pub(super) lost: Vec<usize>,
    /// Greatest share of a frame that neither photo shows, and that was continued from what stands beside it.
    pub(super) continued: f64,
}

impl<'a> Reel<'a> {
    pub(super) fn new(
        encoder: Encoder,
        picture: Picture,
        (timeline, labels): (&'a Timeline, Vec<Option<Caption>>),
        context: &'a EngineContext<'a>,
    ) -> Self {
        Self {
            encoder,
            picture,
            timeline,
            labels,
            context,
            tail: VecDeque::new(),
            speed: 0.0,
            written: 0,
            ways: Ways::default(),
        }
    }

    /// Adds the next frame of a photo, NV12.
    ///
    /// # Errors
    /// When the encoder failed or the run was canceled.
    pub(super) fn add(&mut self, shot: &ShotOnFilm, frame: u32, mut nv12: Vec<u8>) -> Result<(), RenderError> {
        let timeline = self.timeline;
        let frames = &timeline.shots[shot.number];
        let at = frames.start + frame;
        let [before, after] = timeline.around(shot.number);
        self.blend_caption(shot, frames, at, &mut nv12);
        match before {
            Some((Join::CrossFade, join)) if join.contains(&at) => {
                if let Some(leaving) = self.tail.pop_front() {
                    let share = f64::from(at - join.start + 1) / f64::from(join.end - join.start + 1);
                    mix(&leaving, &mut nv12, share);
                }
            }
            Some((Join::Geometric(_), join)) if frame == 0 => self.travel(shot, join, &nv12)?,
            _ => {}
        }
        match after {
            Some((Join::CrossFade, join)) if join.contains(&at) => self.tail.push_back(nv12),
            Some((Join::Geometric(_), _)) if at + 1 == frames.end => {
                self.tail.push_back(nv12.clone());
                self.speed = shot.speed;
                self.write(nv12)?;
            }
            _ => self.write(nv12)?,
        }
        self.stop_if_canceled()
    }

    /// Writes the way from the last photo to the first frame of this one.
    fn travel(&mut self, shot: &ShotOnFilm, join: &Range<u32>, coming: &[u8]) -> Result<(), RenderError> {
        let Some(leaving) = self.tail.pop_front() else { return Ok(()) };
        let way = joins::way(self.picture, [&leaving, coming]);
        match &way {
            Some(way) => self.ways.continued = self.ways.continued.max(way.continued),
            None => self.ways.lost.push(shot.number - 1),
        }
        let count = join.end - join.start;
        let speeds = way.as_ref().map_or([0.0; 2], |way| speeds(way, [self.speed, shot.speed], count));
        for frame in 1..=count {
            let moment = pace(f64::from(frame) / f64::from(count + 1), speeds);
            let nv12 = match &way {
                Some(way) => way.frame(moment, [&leaving, coming]),
                None => {
                    let mut mixed = coming.to_vec();
                    mix(&leaving, &mut mixed, ((moment - 0.5) / BRIEF + 0.5).clamp(0.0, 1.0));
                    mixed
                }
            };
            self.write(nv12)?;
            self.stop_if_canceled()?;
        }
        Ok(())
    }

    fn blend_caption(&self, shot: &ShotOnFilm, frames: &Range<u32>, at: u32, nv12: &mut [u8]) {
        let Some(caption) = &shot.caption else { return };
        let [before, after] = self.timeline.around(shot.number);
        // Whole while no other photo is seen, and gone in a join.
        let start = before.map_or(frames.start, |(_, join)| join.end);
        let end = after.map_or(frames.end, |(_, join)| join.start);
        let room = at.saturating_sub(start).min(end.saturating_sub(at + 1));
        caption.blend(self.picture, nv12, (room as f32 / CAPTION_FADE).min(1.0));
    }

    /// Blends the label of a photo into a frame of the film in which the photo is seen, alone or on the way to another.
    pub(super) fn blend_label(&self, frame: u32, nv12: &mut [u8]) {
        let mut seen = (0..self.labels.len()).filter(|photo| self.timeline.is_seen(*photo, frame));
        if let Some(label) = seen.find_map(|photo| self.labels[photo].as_ref()) {
            label.blend(self.picture, nv12, 1.0);
        }
    }

    fn write(&mut self, mut nv12: Vec<u8>) -> Result<(), RenderError> {
        self.blend_label(self.written, &mut nv12);
        self.encoder.write(nv12)?;
        self.written += 1;
        self.context.report("drawing", u64::from(self.written), u64::from(self.timeline.count));
        Ok(())
    }

    fn stop_if_canceled(&self) -> Result<(), RenderError> {
        self.context.stop_if_canceled().map_err(|_| RenderError::Canceled)
    }

    /// Waits for the file to be complete.
    ///
    /// # Errors
    /// When the encoder failed.
    pub(super) fn finish(self) -> Result<Ways, RenderError> {
        self.encoder.finish()?;
        Ok(self.ways)
    }
}

/// Speeds at both ends of a way of so many frames, as multiples of its mean speed, so that it goes on as the photos move.
fn speeds(way: &Transit, photos: [f64; 2], frames: u32) -> [f64; 2] {
    let mean = way.displacement.max(1e-3) / f64::from(frames);
    photos.map(|speed| (speed / mean).min(MOST_SPEED))
}

/// Share of the way at a share of the time (Hermite).
fn pace(t: f64, [first, last]: [f64; 2]) -> f64 {
    let (square, cube) = (t * t, t * t * t);
    (cube - 2.0 * square + t) * first + (3.0 * square - 2.0 * cube) + (cube - square) * last
}

/// Mixes a frame that goes into one that comes, of which `share` is seen.
fn mix(leaving: &[u8], coming: &mut [u8], share: f64) {
    let share = (256.0 * share).round() as u32;
    for (to, from) in coming.iter_mut().zip(leaving) {
        *to = ((u32::from(*to) * share + u32::from(*from) * (256 - share) + 128) >> 8) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_begins_and_ends_as_fast_as_the_photos_move() {
        for speeds in [[0.0, 0.0], [0.4, 0.1], [1.5, 1.5]] {
            assert_eq!((pace(0.0, speeds), pace(1.0, speeds)), (0.0, 1.0));
            let slope = |t: f64| (pace(t + 1e-6, speeds) - pace(t, speeds)) / 1e-6;
            assert!((slope(0.0) - speeds[0]).abs() < 1e-4 && (slope(1.0 - 1e-6) - speeds[1]).abs() < 1e-4);
            assert!((0..100).all(|i| slope(f64::from(i) / 100.0) >= -1e-6), "{speeds:?}");
        }
    }

    #[test]
    fn a_cross_fade_goes_from_one_frame_to_the_other() {
        let (leaving, mut coming) = ([200u8, 16, 128], [100u8, 235, 128]);
        mix(&leaving, &mut coming, 0.25);
        assert_eq!(coming, [175, 71, 128]);
    }
}
