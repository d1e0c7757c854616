//! Plans: rate limits of keys.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Rate limits of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateLimits {
    /// Requests in any 60 seconds.
    pub per_minute: u32,
    /// Requests per UTC day.
    pub per_day: u32,
}

/// The configured plans by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Plans(BTreeMap<String, RateLimits>);

impl Plans {
    /// The limits of the plan of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<RateLimits> {
        self.0.get(name).copied()
    }

    /// The limits of a plan. For a plan that is no longer configured, the tightest configured limits, so that a removed plan does
    /// not mean unlimited.
    #[must_use]
    pub fn limits(&self, name: &str) -> RateLimits {
        let tightest = |limits: fn(&RateLimits) -> u32| self.0.values().map(limits).min().unwrap_or(0);
        self.get(name).unwrap_or_else(|| RateLimits {
            per_minute: tightest(|limits| limits.per_minute),
            per_day: tightest(|limits| limits.per_day),
        })
    }

    /// Every plan's name, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl FromIterator<(String, RateLimits)> for Plans {
    fn from_iter<I: IntoIterator<Item = (String, RateLimits)>>(plans: I) -> Self {
        Self(plans.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_plan_has_the_tightest_limits() {
        let plan = |name: &str, per_minute, per_day| (name.to_owned(), RateLimits { per_minute, per_day });
        let plans: Plans = [plan("a", 30, 1000), plan("b", 100, 500)].into_iter().collect();
        assert_eq!(plans.limits("b"), RateLimits { per_minute: 100, per_day: 500 });
        assert_eq!(plans.get("c"), None);
        assert_eq!(plans.limits("c"), RateLimits { per_minute: 30, per_day: 500 });
    }
}
