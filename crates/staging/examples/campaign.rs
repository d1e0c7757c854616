//! Furnishes many synthetic rooms of all room types and checks them: `campaign [ROOMS [FIRST_SEED]]`, by default 1,000 from seed 0.
#[path = "../tests/it/campaign.rs"]
mod campaign;

use aerie_staging::RoomPlan;
use rayon::prelude::*;
use strum::VariantArray;

#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn main() {
    let rooms: u64 = std::env::args().nth(1).map_or(1_000, |n| n.parse().expect("a number"));
    let first: u64 = std::env::args().nth(2).map_or(0, |n| n.parse().expect("a seed"));
    let tally = (first..first + rooms)
        .into_par_iter()
        .map(|seed| campaign::furnished(seed, RoomPlan::VARIANTS[seed as usize % RoomPlan::VARIANTS.len()]))
        .reduce(campaign::Tally::default, campaign::Tally::with);
    println!("rooms {}, furnished {}, pieces {}", tally.rooms, tally.furnished, tally.pieces);
    println!("collisions {}, outside {}, blocked doors {}", tally.collisions, tally.outside, tally.blocked);
    let mut ways = tally.ways.clone();
    ways.sort_by(f32::total_cmp);
    let at = |share: f64| ways.get((ways.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!(
        "walkways of 0.75 m and more: {:.1} % of {} rooms; least {:.2}, 1 in 100 {:.2}, 1 in 20 {:.2} m",
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
