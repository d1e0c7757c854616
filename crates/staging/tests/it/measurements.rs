//! Rates over more rooms than a test has time for: `make measure`.

use crate::staging::{furnish_behind_columns, furnished_rooms_refused};

#[test]
fn furnished_rooms_and_outlined_sofas_are_refused() {
    let [refused, outlines] = furnished_rooms_refused(1..=24);
    eprintln!(
        "of 24 furnished rooms, {refused} are refused (at least 17), and outlines of {outlines} sofas (at least 6)"
    );
    assert!(refused >= 17 && outlines >= 6);
}

#[test]
fn nothing_is_put_behind_columns_of_fifty_rooms() {
    let [understood, pieces] = furnish_behind_columns(0..50);
    eprintln!(
        "{understood} of 50 rooms with a column understood (at least 5), {pieces} pieces farther than it (at least 12), 0 behind it"
    );
    assert!(understood >= 5 && pieces >= 12);
}
