//! The deployment environment.

use serde::{Deserialize, Serialize};

/// Which deployment this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// A developer's machine: requests may come from loopback only.
    Development,
    /// A test deployment.
    Staging,
    /// The live deployment.
    Production,
}
