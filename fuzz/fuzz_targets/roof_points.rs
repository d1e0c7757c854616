//! Fuzzes [`aerie_fuzz_targets::roof_points`].
#![no_main]

libfuzzer_sys::fuzz_target!(init: aerie_fuzz_targets::abort_on_panic(), |bytes: &[u8]| {
    aerie_fuzz_targets::roof_points(bytes);
});
