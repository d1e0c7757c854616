//! Memory of the machine, as far as this process may use it.

use std::path::{Path, PathBuf};

/// Least default limit: enough for a video, and for a photo of 12 megapixels.
const LEAST: u64 = 1 << 30;
/// Greatest default limit: the largest photo that is accepted needs less.
const MOST: u64 = 6 << 30;

/// Returns the default memory limit of each of `workers` in bytes: three quarters of the machine's memory, shared, within 1 and
/// 6 GiB.
#[must_use]
pub fn share_of_machine(workers: usize) -> u64 {
    share(machine_memory(), workers)
}

fn share(memory: Option<u64>, workers: usize) -> u64 {
    let Some(memory) = memory else { return MOST };
    let workers = u64::try_from(workers.max(1)).unwrap_or(u64::MAX);
    (memory / 4 * 3 / workers).clamp(LEAST, MOST)
}

/// Returns the memory in bytes that this process may use: that of the machine, or less where a control group (a container, a
/// systemd service) limits it. `None` if neither can be read.
#[must_use]
pub fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    total(&text).into_iter().chain(group_limit(&groups, Path::new("/sys/fs/cgroup"))).min()
}

/// `MemTotal` of `/proc/meminfo`, bytes.
fn total(meminfo: &str) -> Option<u64> {
    let kib = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix("kB")?;
    kib.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The least limit of the control groups in `groups`, the text of `/proc/self/cgroup`, and of those above them.
fn group_limit(groups: &str, root: &Path) -> Option<u64> {
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (roots, file) = match controllers {
            // Version 2, alone or next to version 1.
            "" => ([root.to_owned(), root.join("unified")], "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ([root.join("memory"), root.join(controllers)], "memory.limit_in_bytes")
            }
            _ => continue,
        };
        for root in roots {
            // In a container, the path is that of the host, and the group itself is the root.
            let group: PathBuf = root.join(path.trim_start_matches('/'));
            for folder in group.ancestors().take_while(|folder| folder.starts_with(&root)) {
                let limit = std::fs::read_to_string(folder.join(file)).ok();
                limits.extend(limit.and_then(|text| text.trim().parse::<u64>().ok()));
            }
        }
    }
    limits.into_iter().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_a_share_of_the_memory_within_bounds() {
        let gib = |gib: u64| gib << 30;
        for (memory, workers, expected) in [
            (Some(gib(4)), 1, gib(3)),
            (Some(gib(8)), 2, gib(3)),
            (Some(gib(64)), 1, gib(6)),
            (Some(gib(2)), 4, gib(1)),
            (Some(gib(4)), 0, gib(3)),
            (None, 1, gib(6)),
        ] {
            assert_eq!(share(memory, workers), expected, "{memory:?} {workers}");
        }
    }

    #[test]
    fn the_least_limit_of_a_control_group_and_those_above_it_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |folder: &str, file: &str, limit: &str| {
            let folder = root.path().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(file), limit).unwrap();
        };
        write("system.slice/aerie.service", "memory.max", "max\n");
        write("system.slice", "memory.max", "3000\n");
        write("memory/box", "memory.limit_in_bytes", "2000\n");
        write("memory", "memory.limit_in_bytes", "9223372036854771712\n");
        let limit = |groups: &str| group_limit(groups, root.path());
        assert_eq!(limit("0::/system.slice/aerie.service\n"), Some(3000));
        assert_eq!(limit("12:memory:/box\n0::/\n"), Some(2000));
        assert_eq!(limit("12:cpu:/box\n"), None);
        // In a container: the path does not exist, and the root is the group.
        assert_eq!(limit("5:memory:/docker/1234\n"), Some(9_223_372_036_854_771_712));
    }

    #[test]
    fn the_memory_of_this_machine_is_known() {
        assert!(machine_memory().is_some_and(|memory| memory > 1 << 28));
        assert_eq!(total("MemTotal:       24684092 kB\nMemFree: 1 kB\n"), Some(24_684_092 * 1024));
    }
}
