//! Checks that this machine can render and encode. Confined as jobs are, it finds a driver or an encoder that does not work so.

use aerie_engine_api::Finding;

pub(super) fn check() -> Vec<Finding> {
    aerie_engines::doctor()
}
