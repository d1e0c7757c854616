//! Real models, cut short and changed at random places: errors and buildings left out, never a panic.

use std::ops::ControlFlow;

use aerie_city_model::{header, read};
use aerie_math::Rng;

const MODELS: [&str; 6] = [
    "measured/delft/3dbag_lod22.city.jsonl",
    "measured/citymodels/delft_west_3dbag.city.jsonl",
    "measured/citymodels/vienna.city.jsonl",
    "measured/citymodels/berlin.gml",
    "measured/citymodels/plateau_yokosuka/udx/bldg/52397519_bldg_6697_op.gml",
    "measured/citymodels/lyon/LYON_1ER_BATI_2015_small_house.gml",
];
/// Bytes of a variant of a sequence, so that hundreds take seconds.
const LENGTH: usize = 300_000;

/// A variant of a model: its start, perhaps cut anywhere, with changed, doubled and removed pieces.
fn variant(model: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = model.to_vec();
    if model.starts_with(b"{") {
        let lines = model[..model.len().min(LENGTH)].iter().rposition(|&byte| byte == b'\n');
        bytes.truncate(lines.map_or(model.len(), |end| end + 1));
    }
    if rng.below(2) == 0 {
        // Valid files with wrong numbers.
        for _ in 0..1 + rng.below(2000) {
            let at = 1 + rng.below(bytes.len() - 1);
            if bytes[at].is_ascii_digit() && bytes[at - 1].is_ascii_digit() {
                bytes[at] = b'0' + rng.below(10) as u8;
            }
        }
        return bytes;
    }
    if rng.below(3) == 0 {
        bytes.truncate(rng.below(bytes.len()));
    }
    for _ in 0..1 + rng.below(5) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len());
        let end = (at + 1 + rng.below(40)).min(bytes.len());
        match rng.below(6) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes[at] = b"0123456789.,-eE[]{}<>/\"& "[rng.below(25)],
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => {
                let word: &[u8] =
                    [b"NaN".as_slice(), b"-1", b"1e308", b"null", b"99999999999", b"[[", b"]]", b"</", b"&a;"]
                        [rng.below(9)];
                bytes.splice(at..at, word.iter().copied());
            }
            _ => {
                let other = rng.below(bytes.len());
                bytes.swap(at, other);
            }
        }
    }
    bytes
}

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn changed_models_never_panic() {
    change_models(4);
}

/// Reads this many variants of each real model.
pub(crate) fn change_models(variants: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("variant");
    for name in MODELS {
        let model = std::fs::read(aerie_test_data::test_data(name)).unwrap();
        let mut rng = Rng::new(name.len() as u64);
        let (mut whole, mut left_out, mut errors) = (0, 0, 0);
        for _ in 0..variants {
            std::fs::write(&path, variant(&model, &mut rng)).unwrap();
            let _ = header(&path);
            let result = read(&path, &mut |building| {
                assert!(building.roof.iter().flatten().flatten().all(|value| value.is_finite()));
                ControlFlow::Continue(())
            });
            match result {
                Ok(summary) => {
                    whole += 1;
                    left_out += summary.left_out_total();
                }
                Err(_) => errors += 1,
            }
        }
        eprintln!("{name}: {whole} variants read, with {left_out} buildings left out; {errors} refused");
    }
}
