//! Registers this process in the database, so that `aerie admin nodes` and the metrics of every server know it.

use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{Clock, ContentHash, JobType, RequestId};
use aerie_storage::{Node, NodeRole, Store};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

/// Interval between heartbeats: three fit into the time after which a node no longer counts as running.
const EVERY: Duration = Duration::from_secs(10);

/// How long a process that exits waits for its removal; otherwise it is listed for another day.
const REMOVE_TIMEOUT: Duration = Duration::from_secs(2);

/// A registered process.
pub(crate) struct Registration {
    store: Arc<dyn Store>,
    name: String,
    stop: oneshot::Sender<()>,
    beating: JoinHandle<()>,
}

/// Returns a name that no other process has, past or future.
pub(crate) fn unique_name(clock: &dyn Clock) -> String {
    format!("{}-{}", std::process::id(), RequestId::new(clock.now()))
}

impl Registration {
    /// Registers the process, and repeats it until [`Registration::end`].
    ///
    /// `pack`: the published pack that it used last, as it changes.
    pub(crate) fn start(
        store: &Arc<dyn Store>,
        name: String,
        role: NodeRole,
        kinds: Vec<JobType>,
        pack: watch::Receiver<Option<ContentHash>>,
    ) -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let node = Node { name: name.clone(), role, version, kinds, host, pack: None };
        let (stop, stopped) = oneshot::channel();
        let beating = tokio::spawn(beat(Arc::clone(store), node, pack, stopped));
        Self { store: Arc::clone(store), name, stop, beating }
    }

    /// Removes the process from the list.
    pub(crate) async fn end(self) {
        let Self { store, name, stop, beating } = self;
        drop(stop);
        let removed = async {
            // A heartbeat that is being written must not follow the removal.
            let _ = beating.await;
            store.node_remove(&name).await
        };
        match tokio::time::timeout(REMOVE_TIMEOUT, removed).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "this process stays in `aerie admin nodes` for a day"),
            Err(_) => {
                tracing::warn!("this process stays in `aerie admin nodes` for a day: the database does not respond")
            }
        }
    }
}

async fn beat(
    store: Arc<dyn Store>,
    mut node: Node,
    mut pack: watch::Receiver<Option<ContentHash>>,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut due = tokio::time::interval(EVERY);
    due.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = due.tick() => {}
            // A dropped sender never changes again.
            Ok(()) = pack.changed() => {}
            _ = &mut stopped => return,
        }
        node.pack = *pack.borrow_and_update();
        if let Err(error) = store.node_beat(&node).await {
            tracing::warn!(%error, "cannot record that this process runs");
        }
    }
}
