//! Gaps in drawn lines.

use aerie_math::geometry::{Point, distance};

/// A gap in a drawn line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Its middle in pixels of the clean picture.
    pub at: Point,
    /// Its length in pixels of the clean picture.
    pub length: f64,
    /// Its length as a share of the outline.
    pub share: f64,
    /// Where in the picture it is, such as `upper left`.
    pub place: &'static str,
}

impl Gap {
    /// A gap between two points of a picture of this size.
    pub(crate) fn new([a, b]: [Point; 2], share: f64, size: Point) -> Self {
        let at = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
        Self { at, length: distance(a, b), share, place: place(at, size) }
    }
}

/// The third of the picture that a point lies in, across and down.
fn place(at: Point, size: Point) -> &'static str {
    const PLACES: [[&str; 3]; 3] =
        [["upper left", "top", "upper right"], ["left", "middle", "right"], ["lower left", "bottom", "lower right"]];
    let [x, y] = [0, 1].map(|c| ((3.0 * at[c] / size[c]) as usize).min(2));
    PLACES[y][x]
}

/// The message that a line is not closed.
pub(crate) fn not_closed(gap: Option<&Gap>) -> String {
    match gap {
        Some(Gap { at: [x, y], length, share, place }) => format!(
            "the drawn line is open at the {place} of the picture, around pixel ({x:.0}, {y:.0}) of the clean image: the gap is \
             {length:.0} pixels long, {:.0} % of the outline; close it there, or leave at most 5 % open",
            100.0 * share
        ),
        None => "the drawn line encloses no area; draw it all around the property until it meets its start".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_line_is_reported_with_place_size_and_remedy() {
        let gap = Gap::new([[1500.0, 1600.0], [1700.0, 1600.0]], 0.083, [2048.0, 2048.0]);
        assert_eq!((gap.place, gap.at, gap.length), ("lower right", [1600.0, 1600.0], 200.0));
        let message = not_closed(Some(&gap));
        for part in ["lower right", "(1600, 1600)", "200 pixels", "8 %", "close it there"] {
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(place([1000.0, 0.0], [2048.0, 2048.0]), "top");
        assert_eq!(place([2048.0, 1024.0], [2048.0, 2048.0]), "right");
    }
}
