//! Health checks, statistics, retention, what processes share, and the API nodes and workers themselves.

use std::time::Duration;

use aerie_domain::{ContentHash, JobId, JobStatus, JobType, OrgId};
use async_trait::async_trait;
use jiff::Timestamp;

use crate::{AuthoritySecret, LinkSecret, StoreError};

/// A node that was seen within this time counts as running.
pub const LIVE: Duration = Duration::from_secs(30);

/// A node that was not seen for this long is forgotten.
pub const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Serves the processes that run Aerie rather than its clients. Every method is atomic and durable when it returns.
#[async_trait]
pub trait MaintenanceStore: Send + Sync {
    /// Checks that the store answers and that no operation has found it damaged since it was opened.
    async fn store_check(&self) -> Result<(), StoreError>;

    /// Checks that the store can be used, by reading a little of every table and index from its files, past its own caches, and by
    /// writing. The cost does not depend on how much is stored.
    async fn store_check_use(&self) -> Result<(), StoreError>;

    /// Reads the whole store and checks it for damage, while others use it. Stops when the future is dropped.
    async fn store_verify(&self) -> Result<(), StoreError>;

    /// Statistics over all organizations and processes.
    async fn queue_stats(&self) -> Result<QueueStats, StoreError>;

    /// How much space the store and what it refers to take. Reads every upload's row, so that it is not for every request.
    async fn store_size(&self) -> Result<StoreSize, StoreError>;

    /// Adds the time that the stages of one run took.
    async fn stage_time_add(&self, kind: JobType, stages: Vec<(String, Duration)>) -> Result<(), StoreError>;

    /// Acquires or renews, for `duration`, a duty that one process has at a time; `false` when another process has it.
    async fn duty_acquire(&self, name: &str, holder: &str, duration: Duration) -> Result<bool, StoreError>;

    /// Marks as expired the organization's jobs that last changed longer ago than `keep`, oldest first, `limit` at most. Jobs
    /// that are queued or running are left alone, and so are the parents of such jobs. The media of expired jobs may be
    /// deleted.
    ///
    /// By the clock of the store: one node whose clock is wrong must not delete what the others would keep.
    async fn job_expire(&self, org_id: OrgId, keep: Duration, limit: u32) -> Result<Vec<JobId>, StoreError>;

    /// Notes that media of a job may be left over, to be looked for after `wait`: before files are stored for a job that has no
    /// row yet, or when a look found files that may still be needed. The later of two times counts.
    async fn leftovers_expect(&self, org_id: OrgId, job_id: JobId, wait: Duration) -> Result<(), StoreError>;

    /// Jobs whose media are to be looked at now, `limit` at most: those noted by [`MaintenanceStore::leftovers_expect`] and not
    /// submitted since; those that expired; and, an hour later, those that were deleted, that failed, or that ran more than
    /// once. So nobody has to list the media of all organizations to find what can be deleted.
    async fn leftovers_due(&self, limit: u32) -> Result<Vec<Leftovers>, StoreError>;

    /// Ends the notes whose media were dealt with, unless they were renewed meanwhile.
    async fn leftovers_clear(&self, cleared: &[Leftovers]) -> Result<(), StoreError>;

    /// The secret that signs links to media. The first caller's `proposed` secret is stored, in one transaction, and
    /// returned to every caller.
    async fn link_secret_init(&self, proposed: &LinkSecret) -> Result<LinkSecret, StoreError>;

    /// The certificate authority of this installation, with its key, which signs Content Credentials. The first caller's `proposed` one
    /// is stored, in one transaction, and returned to every caller.
    async fn authority_init(&self, proposed: &AuthoritySecret) -> Result<AuthoritySecret, StoreError>;

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

/// A job whose media are to be looked at, because some may not be needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leftovers {
    /// The organization.
    pub org_id: OrgId,
    /// The job, which may not exist.
    pub job_id: JobId,
    /// When it was to be looked at.
    pub due_at: Timestamp,
}

/// Statistics over all organizations and processes.
#[derive(Debug, Clone, Default)]
pub struct QueueStats {
    /// Number of jobs by kind and status; pairs that never occurred are left out.
    pub jobs: Vec<(JobType, JobStatus, u64)>,
    /// When the oldest queued job of each kind was submitted.
    pub oldest_queued: Vec<(JobType, Timestamp)>,
    /// Time spent in the stages of each engine.
    pub stage_time: Vec<StageTime>,
}

/// Space that is taken, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoreSize {
    /// By the database.
    pub database: u64,
    /// By the files of uploads, of which several may share one.
    pub uploads: u64,
}

/// Time spent in one stage of an engine since the store was created.
#[derive(Debug, Clone)]
pub struct StageTime {
    /// The engine's kind.
    pub kind: JobType,
    /// The stage, as the engine names it.
    pub stage: String,
    /// Number of runs that reached it.
    pub runs: u64,
    /// Total time of these runs in it.
    pub time: Duration,
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
