//! Resource limits, inherited files and the parent of a process.

use rustix::process::{Pid, Resource, Rlimit, Signal, getpid, getppid, set_parent_process_death_signal, setrlimit};

/// Why a process cannot be confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} threads are running; only a process with a single thread can be confined")]
pub struct ThreadsRunning(usize);

/// The parent of a child process that must not outlive it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parent(i32);

impl Parent {
    /// The process with this id.
    #[must_use]
    pub const fn of(pid: i32) -> Self {
        Self(pid)
    }

    /// Makes the kernel kill this process when the thread that started it ends. Returns false if the parent has ended already.
    #[must_use]
    pub fn die_with(self) -> bool {
        set_parent_process_death_signal(Some(Signal::KILL)).is_ok()
            && getppid().is_some_and(|parent| parent.as_raw_nonzero().get() == self.0)
    }
}

/// Closes every file except stdin, stdout and stderr, however this process came by it.
///
/// Call it first in `main`: nothing that was opened before may be used afterwards.
pub fn close_inherited_files() {
    /// First descriptor after stderr.
    const FIRST: u32 = 3;
    // SAFETY: the caller has opened no file yet, so that no descriptor has an owner in this process.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, FIRST, u32::MAX, 0u32) };
    if closed == 0 {
        return;
    }
    // Before Linux 5.9. The listing's own descriptor is among those listed; closing it again fails harmlessly.
    let listed: Vec<i32> = std::fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|descriptor| *descriptor > 2)
        .collect();
    for descriptor in listed {
        // SAFETY: as above.
        unsafe { libc::close(descriptor) };
    }
}

/// Fails if other threads are running.
pub(crate) fn check_single_thread() -> Result<(), ThreadsRunning> {
    match std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count) {
        0 | 1 => Ok(()),
        threads => Err(ThreadsRunning(threads)),
    }
}

/// When memory runs out, a child that decodes is killed before the server.
pub(crate) fn prefer_for_out_of_memory_killer() {
    // Best effort: another child may be chosen without it.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
}

/// Limits memory, and disables core files, which would contain a client's pictures.
pub(crate) fn limit_resources(memory: Option<u64>) -> Result<(), String> {
    let limit = |resource, most: u64| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    let cores = limit(Resource::Core, 0);
    let memory = memory.map_or(Ok(()), |most| limit(Resource::Data, most));
    memory.and(cores).map_err(|error| error.to_string())
}

/// Id of this process.
pub(crate) fn own_id() -> u32 {
    Pid::as_raw(Some(getpid())).unsigned_abs()
}
