//! The capacity model of `docs/operate-fleet.md`, as formulas.

use std::ops::Range;

use aerie_domain::JobType;

/// A kind in the example of the model.
pub struct Kind {
    /// The kind.
    pub kind: JobType,
    /// Which group of workers runs it: [`GROUPS`].
    pub group: usize,
    /// Jobs a day, of a million.
    pub jobs: f64,
    /// Seconds of a run.
    pub seconds: f64,
    /// Bytes of media.
    pub media: f64,
}

/// Groups of workers.
pub const GROUPS: [&str; 2] = ["quick", "video"];

/// The kinds of the example.
pub const KINDS: [Kind; 4] = [
    Kind { kind: JobType::ImageEnhance, group: 0, jobs: 700_000.0, seconds: 2.0, media: 1e6 },
    Kind { kind: JobType::VirtualStaging, group: 0, jobs: 150_000.0, seconds: 15.0, media: 5e6 },
    Kind { kind: JobType::VideoClip, group: 1, jobs: 100_000.0, seconds: 15.0, media: 3e6 },
    Kind { kind: JobType::DroneFootage, group: 1, jobs: 50_000.0, seconds: 60.0, media: 20e6 },
];

/// Arrivals of each hour relative to the mean hour.
pub const DAY: [f64; 24] = [
    0.10, 0.05, 0.05, 0.05, 0.05, 0.10, 0.30, 0.70, 1.20, 1.80, 2.40, 2.80, 3.00, 2.80, 2.40, 1.90, 1.40, 1.00, 0.70,
    0.50, 0.30, 0.20, 0.15, 0.05,
];

/// The busiest hour relative to the mean hour.
const PEAK: f64 = 3.0;
/// Share of time that workers are busy then.
const BUSY: f64 = 0.7;
/// How often a client reads a job.
pub const READS: u32 = 10;
/// Seconds between renewals of a claim.
pub const HEARTBEAT: f64 = 4.0;
/// Seconds between two notes of a node that it is there.
pub const BEAT: f64 = 10.0;
/// API nodes.
pub const API_NODES: usize = 3;
/// Most connections of an API node.
pub const API_CONNECTIONS: usize = 16;
/// Least seconds between two notifications of one node.
const SPACING: f64 = 0.05;
/// Transactions of an idle worker at each wake for its kinds, as measured: it reads turns, and where others are faster it tries in vain
/// and reads them again.
const AT_WAKE: f64 = 2.9;
/// Mean seconds after which an idle worker polls, if it is not woken: between three and four.
const POLL: f64 = 3.5;
/// Bytes of a new job in the database, with its bill and its share of indexes: its row is written three times, and the database
/// reuses the space of the older ones later.
pub const BYTES: f64 = 2300.0;

/// A fleet, and how much faster than real its clock runs.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Workers of each group.
    pub workers: [usize; 2],
    /// Jobs a day.
    pub jobs: f64,
    /// Seconds of the day in each second.
    pub compress: f64,
}

impl Plan {
    /// Of the jobs that this many workers are right for, a share.
    #[must_use]
    pub fn new(workers: usize, load: f64, compress: f64) -> Self {
        let of = |group: usize| {
            let work: f64 = KINDS.iter().filter(|kind| kind.group == group).map(|kind| kind.jobs * kind.seconds).sum();
            work * PEAK / (86_400.0 * BUSY)
        };
        let share = workers as f64 / (of(0) + of(1));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
        let quick = (of(0) * share).round() as usize;
        Self { workers: [quick, workers - quick], jobs: 1e6 * share * load, compress }
    }

    /// Jobs a second in an hour of the day.
    #[must_use]
    pub fn arrivals(&self, hour: usize) -> f64 {
        self.jobs / 86_400.0 * DAY[hour % 24] * self.compress
    }

    /// Share of time that the workers of a group are busy in an hour.
    #[must_use]
    pub fn busy(&self, group: usize, hour: usize) -> f64 {
        let seconds: f64 =
            KINDS.iter().filter(|kind| kind.group == group).map(|kind| kind.jobs / 1e6 * kind.seconds).sum();
        self.jobs / 86_400.0 * DAY[hour % 24] * seconds / self.workers[group] as f64
    }

    /// Transactions a second in an hour: those of jobs, those of workers without a job, and those of nodes.
    #[must_use]
    pub fn transactions(&self, hour: usize) -> [f64; 3] {
        let arrivals = self.arrivals(hour);
        let of_node = arrivals / API_NODES as f64;
        // A notification at once after a pause; then one at the end of each spacing in which a job came.
        let is_paused = (-SPACING * of_node).exp();
        let notifications = API_NODES as f64 / (SPACING + is_paused / of_node);
        let mut idle = notifications;
        for group in 0..GROUPS.len() {
            let workers = self.workers[group] as f64 * (1.0 - self.busy(group, hour)).max(0.0);
            // Only a job of their kinds wakes them.
            let jobs: f64 = KINDS.iter().filter(|kind| kind.group == group).map(|kind| kind.jobs / 1e6).sum();
            let wakes = notifications * (is_paused * jobs + 1.0 - (-jobs * SPACING * of_node).exp());
            let polls = wakes / ((wakes * POLL / self.compress).exp() - 1.0);
            idle += workers * (wakes * AT_WAKE + polls);
        }
        let nodes = self.workers.iter().sum::<usize>() + API_NODES;
        [arrivals * per_job(), idle, nodes as f64 / BEAT * self.compress]
    }

    /// Bytes of media of the jobs that arrive in these hours.
    #[must_use]
    pub fn media(&self, hours: Range<usize>) -> f64 {
        let jobs: f64 = hours.map(|hour| self.jobs / 24.0 * DAY[hour % 24]).sum();
        jobs * KINDS.iter().map(|kind| kind.jobs / 1e6 * kind.media).sum::<f64>()
    }

    /// Database connections: three of each worker, of which one listens, and those of the API nodes at most.
    #[must_use]
    pub fn connections(&self) -> usize {
        3 * self.workers.iter().sum::<usize>() + API_NODES * API_CONNECTIONS
    }
}

/// Transactions of a job: each request looks up its key and counts it; a submit with a picture notes it before the job has a row;
/// a claim reads turns and takes a job, and one that finds none follows each job.
#[must_use]
pub fn per_job() -> f64 {
    let requests = 2.0 * f64::from(1 + READS) + f64::from(READS);
    let of_kinds: f64 = KINDS
        .iter()
        .map(|kind| {
            let pictures = f64::from(u8::from(kind.kind != JobType::DroneFootage));
            kind.jobs / 1e6 * (pictures + (kind.seconds / HEARTBEAT).ceil() - 1.0)
        })
        .sum();
    let (submit, claim, complete, stages, empty_claim) = (1.0, 2.0, 1.0, 1.0, 1.0);
    requests + of_kinds + submit + claim + complete + stages + empty_claim
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_has_its_peak_and_its_mean() {
        assert!((DAY.iter().sum::<f64>() - 24.0).abs() < 1e-9);
        assert!((DAY.iter().copied().fold(0.0, f64::max) - PEAK).abs() < 1e-9);
    }

    #[test]
    fn workers_are_as_busy_in_the_busiest_hour_as_planned() {
        let plan = Plan::new(404, 1.0, 1.0);
        assert!((plan.jobs - 1e6).abs() < 2000.0, "{plan:?}");
        for group in 0..2 {
            assert!((plan.busy(group, 12) - BUSY).abs() < 0.01, "{plan:?}");
        }
    }
}
