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

/// `previews_per_day` of a plan that does not set it.
const DEFAULT_PREVIEWS: u32 = 200;
/// Most previews in any 60 seconds.
const PREVIEWS_PER_MINUTE: u32 = 10;

/// `uploads_gb_per_month` and `uploads_per_minute` of a plan that does not set them.
const DEFAULT_UPLOADS_GB: u32 = 10;
const DEFAULT_UPLOAD_REQUESTS: u32 = 600;
/// `addresses_per_minute` of a plan that does not set it.
const DEFAULT_ADDRESSES: u32 = 600;
/// Bytes of a gigabyte.
const GIGABYTE: u64 = 1_000_000_000;
/// Minutes of a day, in which requests for uploads and for addresses are limited by the minute alone.
const MINUTES_OF_DAY: u32 = 24 * 60;

/// `weight` of a plan that does not set it, and the largest.
const DEFAULT_WEIGHT: u32 = 1;
const MAX_WEIGHT: u32 = 100;

/// The limits of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PlanTable")]
pub struct Plan {
    /// Of each key.
    pub rates: RateLimits,
    /// Of the organization.
    pub jobs: JobLimits,
    /// Of the organization's previews.
    pub previews: RateLimits,
    /// Of uploads.
    pub uploads: UploadPlan,
    /// Requests for addresses of each key, which do not count in `rates`.
    pub addresses: RateLimits,
    /// Turns of the organization for each turn of one with the weight 1.
    pub weight: u32,
}

/// Limits on uploads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadPlan {
    /// Requests for uploads of each key, which do not count in the rates of the plan.
    pub rates: RateLimits,
    /// Bytes of the organization in a UTC month. `None`: no limit.
    pub bytes_per_month: Option<u64>,
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
    #[serde(default = "default_previews")]
    previews_per_day: u32,
    #[serde(default = "default_uploads_gb")]
    uploads_gb_per_month: u32,
    #[serde(default = "default_upload_requests")]
    uploads_per_minute: u32,
    #[serde(default = "default_addresses")]
    addresses_per_minute: u32,
    #[serde(default = "default_weight")]
    weight: u32,
}

fn default_uploads_gb() -> u32 {
    DEFAULT_UPLOADS_GB
}

fn default_upload_requests() -> u32 {
    DEFAULT_UPLOAD_REQUESTS
}

fn default_addresses() -> u32 {
    DEFAULT_ADDRESSES
}

fn default_weight() -> u32 {
    DEFAULT_WEIGHT
}

fn default_previews() -> u32 {
    DEFAULT_PREVIEWS
}

fn default_queued_jobs() -> u32 {
    DEFAULT_QUEUED_JOBS
}

impl TryFrom<PlanTable> for Plan {
    type Error = String;

    fn try_from(table: PlanTable) -> Result<Self, String> {
        if !(DEFAULT_WEIGHT..=MAX_WEIGHT).contains(&table.weight) {
            return Err(format!("`weight` of a plan ([plans.NAME]) must be from {DEFAULT_WEIGHT} to {MAX_WEIGHT}"));
        }
        let limit = |jobs| Some(jobs).filter(|jobs| *jobs > 0);
        Ok(Self {
            rates: RateLimits { per_minute: table.per_minute, per_day: table.per_day },
            jobs: JobLimits { queued_jobs: limit(table.queued_jobs), failed_per_day: limit(table.failed_per_day) },
            previews: previews(table.previews_per_day),
            uploads: UploadPlan::new(table.uploads_per_minute, u64::from(table.uploads_gb_per_month) * GIGABYTE),
            addresses: RateLimits::by_minute(table.addresses_per_minute),
            weight: table.weight,
        })
    }
}

fn previews(per_day: u32) -> RateLimits {
    RateLimits { per_minute: per_day.min(PREVIEWS_PER_MINUTE), per_day }
}

impl UploadPlan {
    /// Limits of requests in any 60 seconds, and of bytes in a month; 0 bytes for no limit.
    #[must_use]
    pub fn new(per_minute: u32, bytes: u64) -> Self {
        let rates = RateLimits::by_minute(per_minute);
        Self { rates, bytes_per_month: Some(bytes).filter(|bytes| *bytes > 0) }
    }

    /// The tighter limit of the two in each respect.
    fn tightest(self, other: Self) -> Self {
        let bytes = [self.bytes_per_month, other.bytes_per_month].into_iter().flatten().min();
        Self { rates: self.rates.tightest(other.rates), bytes_per_month: bytes }
    }
}

impl RateLimits {
    /// Limits by the minute alone.
    #[must_use]
    pub fn by_minute(per_minute: u32) -> Self {
        Self { per_minute, per_day: per_minute.saturating_mul(MINUTES_OF_DAY) }
    }

    /// The tighter limit of the two in each respect.
    fn tightest(self, other: Self) -> Self {
        Self { per_minute: self.per_minute.min(other.per_minute), per_day: self.per_day.min(other.per_day) }
    }
}

impl Plan {
    /// The tighter limit of the two in each respect.
    fn tightest(self, other: Self) -> Self {
        let tighter = |one: Option<u32>, other: Option<u32>| [one, other].into_iter().flatten().min();
        Self {
            rates: self.rates.tightest(other.rates),
            jobs: JobLimits {
                queued_jobs: tighter(self.jobs.queued_jobs, other.jobs.queued_jobs),
                failed_per_day: tighter(self.jobs.failed_per_day, other.jobs.failed_per_day),
            },
            previews: self.previews.tightest(other.previews),
            uploads: self.uploads.tightest(other.uploads),
            addresses: self.addresses.tightest(other.addresses),
            weight: self.weight.min(other.weight),
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
        let rates = RateLimits { per_minute: 0, per_day: 0 };
        let uploads = UploadPlan { rates, bytes_per_month: None };
        let jobs = JobLimits::default();
        let none = Plan { rates, jobs, previews: rates, uploads, addresses: rates, weight: DEFAULT_WEIGHT };
        self.get(name).or_else(|| self.0.values().copied().reduce(Plan::tightest)).unwrap_or(none)
    }

    /// The weight of every plan, by name.
    #[must_use]
    pub fn weights(&self) -> BTreeMap<String, u32> {
        self.0.iter().map(|(name, plan)| (name.clone(), plan.weight)).collect()
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
        let uploads = UploadPlan::new(DEFAULT_UPLOAD_REQUESTS, 10_000_000_000);
        let rates = RateLimits { per_minute, per_day };
        let addresses = RateLimits::by_minute(DEFAULT_ADDRESSES);
        Plan { rates, jobs, previews: previews(DEFAULT_PREVIEWS), uploads, addresses, weight: 1 }
    }

    #[test]
    fn a_removed_plan_has_the_tightest_limits() {
        let plans = [("a", plan(30, 1000, None)), ("b", plan(100, 500, Some(7)))];
        let plans: Plans = plans.into_iter().map(|(name, plan)| (name.to_owned(), plan)).collect();
        assert_eq!(plans.limits("b"), plan(100, 500, Some(7)));
        assert_eq!(plans.get("c"), None);
        assert_eq!(plans.limits("c"), plan(30, 500, Some(7)));
        let addresses = RateLimits::by_minute(0);
        let none = Plan { previews: previews(0), uploads: UploadPlan::new(0, 0), addresses, ..plan(0, 0, None) };
        assert_eq!(Plans::default().limits("c"), none);
    }

    #[test]
    fn limits_on_jobs_have_defaults_and_zero_removes_them() {
        let parse = |text: &str| serde_json::from_str::<Plan>(text);
        assert_eq!(parse(r#"{"per_minute": 1, "per_day": 2}"#).unwrap(), plan(1, 2, Some(10_000)));
        assert_eq!(parse(r#"{"per_minute": 1, "per_day": 2, "queued_jobs": 0}"#).unwrap(), plan(1, 2, None));
        let all = parse(r#"{"per_minute": 1, "per_day": 2, "queued_jobs": 3, "failed_per_day": 4}"#).unwrap();
        assert_eq!(all.jobs, JobLimits { queued_jobs: Some(3), failed_per_day: Some(4) });
        assert!(parse(r#"{"per_minute": 1, "per_day": 2, "queued": 3}"#).is_err());
        let few = parse(r#"{"per_minute": 1, "per_day": 2, "previews_per_day": 3}"#).unwrap();
        assert_eq!(few.previews, RateLimits { per_minute: 3, per_day: 3 });
        let unlimited = parse(r#"{"per_minute": 1, "per_day": 2, "uploads_gb_per_month": 0, "uploads_per_minute": 7}"#);
        assert_eq!(unlimited.unwrap().uploads, UploadPlan::new(7, 0));
        let typing = parse(r#"{"per_minute": 1, "per_day": 2, "addresses_per_minute": 9}"#).unwrap().addresses;
        assert_eq!(typing, RateLimits::by_minute(9));
    }

    #[test]
    fn a_weight_is_from_1_to_100() {
        let weight = |weight: u32| {
            serde_json::from_str::<Plan>(&format!(r#"{{"per_minute": 1, "per_day": 2, "weight": {weight}}}"#))
        };
        assert_eq!((weight(1).unwrap().weight, weight(100).unwrap().weight), (1, 100));
        for wrong in [0, 101] {
            assert!(weight(wrong).unwrap_err().to_string().contains("[plans.NAME]"), "{wrong}");
        }
    }
}
