//! Accuracy over more drawings than a test has time for: `make measure`.

use crate::{
    cases, find_nothing, find_only_marks, find_open_lines, find_several, freehand, locate, match_other_places,
};

#[test]
fn polygons_drawn_with_random_pens_and_tools_are_located() {
    locate(cases(48));
}

#[test]
fn outlines_drawn_by_hand_have_their_edges_and_area() {
    freehand::follow(cases(24));
}

#[test]
fn drawings_that_are_no_boundary_are_not_taken_for_one() {
    find_nothing(cases(48) / 4);
    find_only_marks(cases(48) / 4);
    find_open_lines(cases(48) / 8);
    match_other_places(cases(48) / 8);
}

#[test]
fn several_polygons_and_gaps_of_drawings_are_found() {
    find_several(cases(48) / 8);
    freehand::leave_gaps(cases(48) / 6);
}
