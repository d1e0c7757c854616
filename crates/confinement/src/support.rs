//! What the kernel supports, and what was enforced.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Landlock's first version that limits files.
const FILES: u32 = 1;
/// Landlock's first version that limits truncating files.
const TRUNCATION: u32 = 3;
/// Landlock's first version that limits TCP ports.
const TCP: u32 = 4;
/// Landlock's first version that limits commands to devices.
const DEVICES: u32 = 5;
/// Landlock's first version that limits signals and abstract sockets.
const SIGNALS: u32 = 6;

/// Protections that are enforced, or that this kernel would enforce, and those that it lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// Version of Landlock; 0 if the kernel lacks it.
    pub landlock: u32,
    /// Whether system calls are filtered.
    pub seccomp: bool,
    /// Protections in force, such as "files".
    pub enforced: Vec<String>,
    /// Protections that are not in force, each with the reason.
    pub lacking: Vec<String>,
}

/// Returns what this kernel supports, without confining anything.
#[must_use]
pub fn support() -> Applied {
    let landlock = if landlock_version() > 0 { Ok(landlock_version()) } else { Err(NO_LANDLOCK.to_owned()) };
    let seccomp = if has_seccomp() { Ok(()) } else { Err("the kernel lacks seccomp filters".to_owned()) };
    Applied::of(landlock, seccomp, Ok(()))
}

/// Why there is no Landlock.
pub(crate) const NO_LANDLOCK: &str =
    "the kernel lacks Landlock, or it is not enabled (`lsm=` on the kernel's command line)";

impl Applied {
    /// From the version of Landlock, seccomp and the memory limit, or why they are not in force.
    pub(crate) fn of(landlock: Result<u32, String>, seccomp: Result<(), String>, memory: Result<(), String>) -> Self {
        let mut found = Self { seccomp: seccomp.is_ok(), ..Self::default() };
        match landlock {
            Ok(version) => {
                found.landlock = version;
                for (what, since) in [
                    ("files", FILES),
                    ("truncating files", TRUNCATION),
                    ("TCP", TCP),
                    ("device commands", DEVICES),
                    ("signals", SIGNALS),
                ] {
                    if version >= since {
                        found.enforced.push(what.to_owned());
                    } else {
                        found.lacking.push(format!("{what} (needs Landlock {since}, the kernel has {version})"));
                    }
                }
            }
            Err(why) => found.lacking.push(format!("files ({why})")),
        }
        for (what, result) in [("system calls", seccomp), ("memory", memory)] {
            match result {
                Ok(()) => found.enforced.push(what.to_owned()),
                Err(why) => found.lacking.push(format!("{what} ({why})")),
            }
        }
        found
    }

    /// Whether nothing is lacking.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.lacking.is_empty()
    }
}

/// One line for people.
impl fmt::Display for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.enforced.as_slice() {
            [] => f.write_str("nothing is limited")?,
            enforced => write!(f, "limited: {}", enforced.join(", "))?,
        }
        if self.landlock > 0 {
            write!(f, " (Landlock {})", self.landlock)?;
        }
        match self.lacking.as_slice() {
            [] => Ok(()),
            lacking => write!(f, "; not limited: {}", lacking.join(", ")),
        }
    }
}

/// Version of the kernel's Landlock, 0 if there is none.
pub(crate) fn landlock_version() -> u32 {
    /// `LANDLOCK_CREATE_RULESET_VERSION`
    const VERSION: u32 = 1;
    // SAFETY: with this flag the kernel reads no memory of the caller: the attributes must be null.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0usize, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

fn has_seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the kernel reads the one integer that the pointer is valid for.
    let available = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
    available == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_old_kernel_lacks_is_named_with_the_version_it_needs() {
        let applied = Applied::of(Ok(3), Ok(()), Ok(()));
        assert_eq!(applied.enforced, ["files", "truncating files", "system calls", "memory"]);
        assert_eq!(applied.lacking.len(), 3);
        assert!(applied.to_string().contains("TCP (needs Landlock 4, the kernel has 3)"), "{applied}");
        let none = Applied::of(Err(NO_LANDLOCK.into()), Err("no".into()), Err("no".into()));
        assert!(none.to_string().starts_with("nothing is limited; not limited: files ("), "{none}");
        assert!(!none.is_complete() && Applied::of(Ok(6), Ok(()), Ok(())).is_complete());
    }
}
