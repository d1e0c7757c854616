//! Weighted turns of organizations.
//!
//! Organizations that wait stand in a line, ordered by position; the first is next. Each claim has a number, [`STEP`] more than
//! the one before, and the end of the line is at the number of the claim. An organization with the weight 1 that has had its
//! turn goes to the end of the line. One with the weight 3 goes a third of the way, and so is back at the front three times as
//! soon. Over any time in which both wait, it has three turns for each turn of the other, also if other workers claim other
//! kinds meanwhile.
//!
//! Each kind has its own line. A claim moves an organization in the lines of the kinds that the claiming worker runs, because
//! it competed for that worker, and in no other: where one group of workers takes photos and another takes videos, many claims
//! of an organization's photos do not delay its videos.
//!
//! No credit is saved up: when the queue of an organization was empty, it joins the line at the front and not before it.
//! Nobody starves: an organization is overtaken only by those in front of it, each at most its weight times or, where no worker
//! ran its kind for long, until it has caught up with a line of 10,000 claims.
//!
//! # Invariants
//!
//! - Each claim goes to the organization whose turn it is; a job that runs again takes its organization's turn. Tests:
//!   `organizations_take_turns_however_many_jobs_one_has_queued`,
//!   `whoever_submits_one_job_at_a_time_gets_every_second_turn_and_not_all`, `a_job_that_runs_again_takes_its_organizations_turn`,
//!   `claims_of_kinds_that_other_workers_take_cost_no_turn`.
//! - Weights multiply turns and save up none. Tests: `an_organization_with_the_weight_3_has_three_turns_for_each_of_the_others`,
//!   `weights_delay_nobody_whose_queue_was_empty_and_save_up_no_turns`.

/// Difference between the numbers of two claims: positions between them divide by weights.
pub const STEP: i64 = 1000;

/// Longest line in claims; positions further back count as its front.
const LINE: i64 = 10_000;

/// How far before the number of its claim the position of an organization may count.
pub const MAX_LAG: i64 = LINE * STEP;

/// The position of an organization that has had its turn with this claim.
#[must_use]
pub fn next_position(position: i64, claim: i64, weight: u32) -> i64 {
    let from = position.max(claim - MAX_LAG);
    position.max(from + (claim - from) / i64::from(weight.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of these organizations, by weight, has its turn.
    fn turns(weights: &[u32], claims: i64) -> Vec<u32> {
        let (mut positions, mut turns) = (vec![0; weights.len()], vec![0; weights.len()]);
        for claim in 1..=claims {
            let next = (0..weights.len()).min_by_key(|org| positions[*org]).unwrap();
            positions[next] = next_position(positions[next], claim * STEP, weights[next]);
            turns[next] += 1;
        }
        turns
    }

    #[test]
    fn turns_are_as_weights() {
        assert_eq!(turns(&[1, 1, 1], 300), [100, 100, 100]);
        let near = |turns: Vec<u32>, expected: &[u32]| {
            assert!(turns.iter().zip(expected).all(|(turns, expected)| turns.abs_diff(*expected) <= 4), "{turns:?}");
        };
        near(turns(&[3, 1], 400), &[300, 100]);
        near(turns(&[3, 1, 1], 500), &[300, 100, 100]);
        near(turns(&[100, 50, 1], 1510), &[1000, 500, 10]);
    }

    #[test]
    fn an_organization_that_nobody_served_for_long_catches_up_in_a_bounded_number_of_turns() {
        let (mut positions, claim) = ([0, 0], 1_000_000_000);
        let mut in_a_row = 0;
        positions[1] = next_position(positions[1], claim, 1);
        while positions[0] < positions[1] {
            in_a_row += 1;
            positions[0] = next_position(positions[0], claim + in_a_row * STEP, 3);
        }
        assert!(in_a_row < 30, "{in_a_row}");
    }
}
