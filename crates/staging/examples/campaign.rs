//! Furnishes many imagined rooms over all room types and judges them: `campaign [ROOMS [FIRST]]`, 1,000 from the seed 0 on
//! when absent.
#[path = "../tests/campaign/mod.rs"]
mod campaign;

use aerie_staging::arrange::known_rooms;
use rayon::prelude::*;

#[expect(clippy::print_stdout, reason = "an example tells what it does")]
fn main() {
    let rooms: u64 = std::env::args().nth(1).map_or(1_000, |n| n.parse().expect("a number"));
    let first: u64 = std::env::args().nth(2).map_or(0, |n| n.parse().expect("a seed"));
    let types = known_rooms();
    let tally = (first..first + rooms)
        .into_par_iter()
        .map(|seed| campaign::furnished(seed, types[seed as usize % types.len()]))
        .reduce(campaign::Tally::default, campaign::Tally::with);
    println!("rooms {}, furnished {}, pieces {}", tally.rooms, tally.furnished, tally.pieces);
    println!("collisions {}, outside {}, blocked doors {}", tally.collisions, tally.outside, tally.blocked);
    let mut ways = tally.ways.clone();
    ways.sort_by(f32::total_cmp);
    let at = |share: f64| ways.get((ways.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!(
        "ways of 0.75 m and more: {:.1} % of {} rooms; least {:.2}, 1 in 100 {:.2}, 1 in 20 {:.2} m",
        tally.wide_ways() * 100.0,
        ways.len(),
        at(0.0),
        at(0.01),
        at(0.05)
    );
    println!("not furnished: {:?}", tally.refused);
    println!("not furnished of tried: {:?}", tally.plans);
    for fault in tally.faults.iter().take(20) {
        println!("  {fault}");
    }
}
