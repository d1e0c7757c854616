//! The API nodes and workers that use a store.

use std::time::Duration;

use aerie_domain::{ContentHash, JobId, JobType};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// A node that was seen within this time counts as running.
pub const LIVE: Duration = Duration::from_secs(30);

/// A node that was not seen for this long is forgotten.
pub const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Knows which processes use the store. Every method is atomic and durable when it returns.
#[async_trait]
pub trait NodeStore: Send + Sync {
    /// Registers a node or records that it is still running; forgets nodes that were not seen for a day.
    async fn node_beat(&self, node: &Node) -> Result<(), StoreError>;

    /// Removes a node that exits.
    async fn node_remove(&self, name: &str) -> Result<(), StoreError>;

    /// The nodes, by role and then by their start.
    async fn node_list(&self) -> Result<Vec<SeenNode>, StoreError>;

    /// Connections of this process to the database, where there is a pool of them.
    fn store_connections(&self) -> Option<StoreConnections> {
        None
    }
}

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeRole {
    /// Serves the API.
    Api,
    /// Runs jobs.
    Worker,
}

impl NodeRole {
    /// Every role.
    pub const ALL: [Self; 2] = [Self::Api, Self::Worker];

    /// The name in the store, in metrics and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Worker => "worker",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

/// A process that uses the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Unique among all nodes, past and future; a worker's is that of its leases.
    pub name: String,
    /// What it does.
    pub role: NodeRole,
    /// Version of the binary.
    pub version: String,
    /// The kinds of job that it claims.
    pub kinds: Vec<JobType>,
    /// Name of its machine.
    pub host: String,
    /// The published pack that it used last.
    pub pack: Option<ContentHash>,
}

/// A node as the store has seen it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenNode {
    /// The node.
    pub node: Node,
    /// When it registered.
    pub started_at: Timestamp,
    /// When it was seen last.
    pub seen_at: Timestamp,
    /// Whether that is less than [`LIVE`] ago.
    pub is_live: bool,
    /// The job that it runs.
    pub job: Option<JobId>,
}

/// Connections of a process to a database server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreConnections {
    /// In use.
    pub in_use: usize,
    /// Open and not in use.
    pub idle: usize,
    /// Operations that wait for one.
    pub waiting: usize,
}
