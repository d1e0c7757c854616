//! Applies a confinement to this process.

use crate::confinement::Confinement;
use crate::process::{self, ThreadsRunning};
use crate::support::Applied;
use crate::{filesystem, system_calls};

impl Confinement {
    /// Confines this process. Call it while the process has a single thread, because Landlock confines the calling thread and those that
    /// it starts.
    ///
    /// # Errors
    /// When other threads are running: they would stay unconfined. Nothing is applied then.
    pub fn apply(self) -> Result<Applied, ThreadsRunning> {
        process::check_single_thread()?;
        process::prefer_for_out_of_memory_killer();
        let memory = process::limit_resources(self.memory);
        let landlock = filesystem::restrict(&self);
        let seccomp = system_calls::restrict(&self);
        Ok(Applied::of(landlock, seccomp, memory))
    }
}
