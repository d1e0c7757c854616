//! Plans: what the keys and the jobs of an organization are limited to.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `queued_jobs` of a plan that does not set it.
const DEFAULT_QUEUED_JOBS: u32 = 10_000;

/// Rate limits of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Requests in any 60 seconds.
    pub per_minute: u32,
    /// Requests per UTC day.
    pub per_day: u32,
}

/// Limits on the jobs of one organization, checked when one is submitted. `None`: no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobLimits {
    /// Jobs that are queued at once.
    pub queued_jobs: Option<u32>,
    /// Failed jobs per UTC day.
    pub failed_per_day: Option<u32>,
}

/// The limits of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "PlanTable")]
pub struct Plan {
    /// Of each key.
    pub rates: RateLimits,
    /// Of the organization.
    pub jobs: JobLimits,
}

/// A plan in the configuration, where 0 means no limit on jobs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanTable {
    per_minute: u32,
    per_day: u32,
    #[serde(default = "default_queued_jobs")]
    queued_jobs: u32,
    #[serde(default)]
    failed_per_day: u32,
}

fn default_queued_jobs() -> u32 {
    DEFAULT_QUEUED_JOBS
}

impl From<PlanTable> for Plan {
    fn from(table: PlanTable) -> Self {
        let limit = |jobs| Some(jobs).filter(|jobs| *jobs > 0);
        Self {
            rates: RateLimits { per_minute: table.per_minute, per_day: table.per_day },
            jobs: JobLimits { queued_jobs: limit(table.queued_jobs), failed_per_day: limit(table.failed_per_day) },
        }
    }
}

impl Plan {
    /// The tighter limit of the two in each respect.
    fn tightest(self, other: Self) -> Self {
        let tighter = |one: Option<u32>, other: Option<u32>| [one, other].into_iter().flatten().min();
        Self {
            rates: RateLimits {
                per_minute: self.rates.per_minute.min(other.rates.per_minute),
                per_day: self.rates.per_day.min(other.rates.per_day),
            },
            jobs: JobLimits {
                queued_jobs: tighter(self.jobs.queued_jobs, other.jobs.queued_jobs),
                failed_per_day: tighter(self.jobs.failed_per_day, other.jobs.failed_per_day),
            },
        }
    }
}

/// The configured plans by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Plans(BTreeMap<String, Plan>);

impl Plans {
    /// The plan of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Plan> {
        self.0.get(name).copied()
    }

    /// The limits of a plan. For a plan that is no longer configured, the tightest configured limits, so that a removed plan does
    /// not mean unlimited.
    #[must_use]
    pub fn limits(&self, name: &str) -> Plan {
        let none = Plan { rates: RateLimits { per_minute: 0, per_day: 0 }, jobs: JobLimits::default() };
        self.get(name).or_else(|| self.0.values().copied().reduce(Plan::tightest)).unwrap_or(none)
    }

    /// Every plan's name, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl FromIterator<(String, Plan)> for Plans {
    fn from_iter<I: IntoIterator<Item = (String, Plan)>>(plans: I) -> Self {
        Self(plans.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(per_minute: u32, per_day: u32, queued_jobs: Option<u32>) -> Plan {
        let jobs = JobLimits { queued_jobs, failed_per_day: None };
        Plan { rates: RateLimits { per_minute, per_day }, jobs }
    }

    #[test]
    fn a_removed_plan_has_the_tightest_limits() {
        let plans = [("a", plan(30, 1000, None)), ("b", plan(100, 500, Some(7)))];
        let plans: Plans = plans.into_iter().map(|(name, plan)| (name.to_owned(), plan)).collect();
        assert_eq!(plans.limits("b"), plan(100, 500, Some(7)));
        assert_eq!(plans.get("c"), None);
        assert_eq!(plans.limits("c"), plan(30, 500, Some(7)));
        assert_eq!(Plans::default().limits("c"), plan(0, 0, None));
    }

    #[test]
    fn limits_on_jobs_have_defaults_and_zero_removes_them() {
        let parse = |text: &str| serde_json::from_str::<Plan>(text);
        assert_eq!(parse(r#"{"per_minute": 1, "per_day": 2}"#).unwrap(), plan(1, 2, Some(10_000)));
        assert_eq!(parse(r#"{"per_minute": 1, "per_day": 2, "queued_jobs": 0}"#).unwrap(), plan(1, 2, None));
        let all = parse(r#"{"per_minute": 1, "per_day": 2, "queued_jobs": 3, "failed_per_day": 4}"#).unwrap();
        assert_eq!(all.jobs, JobLimits { queued_jobs: Some(3), failed_per_day: Some(4) });
        assert!(parse(r#"{"per_minute": 1, "per_day": 2, "queued": 3}"#).is_err());
    }
}
