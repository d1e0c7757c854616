//! Accuracy over more drawings than a test has time for: `make measure`.

use crate::{cases, find_nothing, freehand, locate};

#[test]
fn polygons_drawn_with_random_pens_and_tools_are_located() {
    locate(cases(48));
}

#[test]
fn pictures_without_a_drawing_have_no_boundary() {
    find_nothing(cases(48) / 4);
}

#[test]
fn outlines_drawn_by_hand_have_their_edges_and_area() {
    freehand::follow(cases(48));
}
