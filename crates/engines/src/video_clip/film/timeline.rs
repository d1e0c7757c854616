//! When each photo of a film is seen.

use std::ops::Range;

use super::super::take::RATE;

/// Frames of a cross-fade.
const CROSS_FADE: u32 = 10;
/// Largest share of a photo's time that goes into a way to the next one.
const MOST_OF_PHOTO: f64 = 0.6;

/// How a film goes from one photo to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Join {
    /// The two are mixed while both cameras move on.
    CrossFade,
    /// The camera moves from one to the other along the geometry that they share, for about so many seconds.
    Geometric(f64),
}

/// Frames of a film, of its photos and of its joins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timeline {
    /// Number of frames of the film.
    pub(super) count: u32,
    /// The frames in which each photo is seen from its own camera.
    pub(super) shots: Vec<Range<u32>>,
    /// How each photo goes over into the next, and in which frames.
    pub(super) joins: Vec<(Join, Range<u32>)>,
}

impl Timeline {
    /// A film of `seconds`, of one photo more than there are joins, each seen for the same time.
    pub(super) fn of(seconds: i64, joins: &[Join]) -> Self {
        let count = RATE * u32::try_from(seconds).unwrap_or(0);
        let photos = joins.len() as u32 + 1;
        let border = |number: u32| count * number / photos;
        let most = MOST_OF_PHOTO * f64::from(count) / f64::from(photos);
        let joins: Vec<(Join, Range<u32>)> = (1..photos)
            .zip(joins)
            .map(|(number, join)| {
                let half = match join {
                    Join::CrossFade => CROSS_FADE / 2,
                    Join::Geometric(seconds) => ((seconds * f64::from(RATE)).min(most) / 2.0) as u32,
                };
                (*join, border(number) - half..border(number) + half)
            })
            .collect();
        let shot = |number: usize| {
            let before = number.checked_sub(1).and_then(|before| joins.get(before));
            let start = before.map_or(0, |(join, frames)| match join {
                Join::CrossFade => frames.start,
                Join::Geometric(_) => frames.end,
            });
            let end = joins.get(number).map_or(count, |(join, frames)| match join {
                Join::CrossFade => frames.end,
                Join::Geometric(_) => frames.start,
            });
            start..end
        };
        let shots = (0..photos as usize).map(shot).collect();
        Self { count, shots, joins }
    }

    /// Whether a photo is seen in a frame, from its own camera or on the way between two.
    pub(super) fn is_seen(&self, photo: usize, frame: u32) -> bool {
        let joins = self.around(photo).into_iter().flatten();
        self.shots[photo].contains(&frame) || joins.into_iter().any(|(_, frames)| frames.contains(&frame))
    }

    /// The join before a photo, and the one after it, with their frames.
    pub(super) fn around(&self, photo: usize) -> [Option<&(Join, Range<u32>)>; 2] {
        [photo.checked_sub(1).and_then(|before| self.joins.get(before)), self.joins.get(photo)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_shows_a_photo_or_two_that_cross_fade_or_the_way_between_them() {
        let joins = [Join::CrossFade, Join::Geometric(2.0), Join::Geometric(0.9)];
        for (seconds, photos) in [(15, 2), (16, 4), (60, 40)] {
            let joins: Vec<Join> = joins.iter().cycle().take(photos - 1).copied().collect();
            let timeline = Timeline::of(seconds, &joins);
            assert_eq!((timeline.count, timeline.shots.len()), (30 * seconds as u32, photos));
            for frame in 0..timeline.count {
                let seen = timeline.shots.iter().filter(|shot| shot.contains(&frame)).count();
                let join = timeline.joins.iter().find(|(_, frames)| frames.contains(&frame));
                let expected = match join {
                    None => 1,
                    Some((Join::CrossFade, _)) => 2,
                    Some((Join::Geometric(_), _)) => 0,
                };
                assert_eq!(seen, expected, "{frame} of {timeline:?}");
            }
            assert!(timeline.shots.iter().all(|shot| shot.len() > CROSS_FADE as usize), "{timeline:?}");
        }
    }

    #[test]
    fn a_photo_is_seen_through_both_of_its_joins() {
        let timeline = Timeline::of(20, &[Join::Geometric(2.0), Join::CrossFade]);
        let seen: Vec<u32> = (0..timeline.count).filter(|frame| timeline.is_seen(1, *frame)).collect();
        let [before, after] = [&timeline.joins[0].1, &timeline.joins[1].1];
        assert_eq!(seen, (before.start..after.end).collect::<Vec<_>>());
        assert!(timeline.is_seen(0, before.end - 1) && !timeline.is_seen(0, before.end));
    }

    #[test]
    fn photos_are_seen_for_the_same_time() {
        let timeline = Timeline::of(20, &[Join::CrossFade; 4]);
        let lengths: Vec<usize> = timeline.shots.iter().map(ExactSizeIterator::len).collect();
        assert_eq!(lengths, [125, 130, 130, 130, 125]);
    }
}
