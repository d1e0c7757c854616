//! Confines a process before it reads files of strangers: Landlock limits files, TCP and signals, seccomp limits system calls,
//! and resource limits bound memory.
//!
//! A [`Confinement`] names what the process still may do. [`Confinement::apply`] enforces as much of it as the kernel supports and
//! says what it does not; nothing can lift it again, and programs started later inherit it. Files, ports and programs that it does
//! not name are denied with `EACCES` or `EPERM`. Of the system calls, those are denied that attacks need and decoders do not.
//!
//! A confined process reads the files of its own program, the libraries of the system, and what is listed; it writes to the
//! listed folders. It cannot create links or devices, trace or signal other processes, open sockets without ports, load kernel
//! modules, mount file systems or enter namespaces.
//!
//! # Invariants
//!
//! - A confined process accesses only what its [`Confinement`] names, and so do programs that it starts. Tests:
//!   `a_confined_process_reads_and_writes_only_what_was_listed`, `only_the_listed_programs_can_be_started_and_they_are_confined_too`.
//! - Without ports there are no sockets; system calls that attacks need are denied. Tests:
//!   `without_ports_there_are_no_sockets_and_with_them_only_connections_to_these`, `system_calls_of_attacks_are_denied`.
mod apply;
mod confinement;
pub mod environment;
mod filesystem;
mod memory;
mod process;
mod support;
mod system;
mod system_calls;

pub use confinement::Confinement;
pub use environment::environment;
pub use memory::{machine_memory, share_of_machine};
pub use process::{Parent, ThreadsRunning, close_inherited_files};
pub use support::{Applied, support};
pub use system::find_program;
